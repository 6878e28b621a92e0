#include "pg/read/suppressed_cells.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/read/source.hpp"

namespace anonkit::pg {
namespace {

void suppress(Oid oid, const SuppressedText& cells, const QuasiIdentifiers& qi, int64 rows) {
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  const char* column =
      NameStr(TupleDescAttr(descriptor, find_column(descriptor, cells.column) - 1)->attname);
  bool found = false;
  for (int j = 0; j < qi.count; ++j) {
    if (std::strcmp(qi.names[j], column) != 0) continue;
    make_null(*qi.ranks[j], rows, cells.text);
    found = true;
  }
  relation_close(relation, NoLock);
  if (!found)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("column \"%s\" of parameter \"suppressed\" is no quasi-identifier",
                           cells.column)));
}

}  // namespace

QuasiIdentifiers make_quasi_identifiers(int count) {
  return {allocate<const char*>(count), allocate<ValueRanks*>(count), count};
}

void suppress_cells(Oid relation, const SuppressedCells& cells, const QuasiIdentifiers& qi,
                    int64 rows) {
  for (int i = 0; i < cells.count; ++i) suppress(relation, cells.list[i], qi, rows);
}

bool is_suppressed(const QuasiIdentifiers& qi, int64 row) {
  return qi.count > 0 && std::all_of(qi.ranks, qi.ranks + qi.count, [row](const ValueRanks* ranks) {
           return is_null_before(*ranks, row);
         });
}

void require_unsuppressed(int64 rows) {
  if (rows == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("all rows are suppressed"),
                    errdetail("No row has a quasi-identifier that is not.")));
}

}  // namespace anonkit::pg
