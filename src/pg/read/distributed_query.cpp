#include "pg/read/distributed_query.hpp"

#include "pg/backend/extension.hpp"
#include "pg/read/stored_query.hpp"

extern "C" {
#include "utils/lsyscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kMarker[] = "anon_distributed_spec";

/// The condition of a plain query, if it is the marker; else null.
const FuncExpr* marker_of(const Query* query) {
  const Node* condition = query->jointree->quals;
  if (condition == nullptr || !IsA(condition, FuncExpr)) return nullptr;
  const auto* call = reinterpret_cast<const FuncExpr*>(condition);
  return is_extension_function(call->funcid, kMarker) ? call : nullptr;
}

/// True if the view shows every column of the table but the first, which places the rows.
bool shows_rows(const Query* query, Oid rows) {
  const int shown = columns_in_order(query, 1);
  return shown > 0 && get_attname(rows, static_cast<AttrNumber>(shown + 2), true) == nullptr;
}

}  // namespace

bool read_distributed(Oid relation, DistributedQuery& release) {
  const Query* query = stored_query(relation, RELKIND_VIEW);
  if (query == nullptr || !is_plain(query)) return false;
  const FuncExpr* marker = marker_of(query);
  if (marker == nullptr) return false;
  const Const* source = constant_at(marker->args, 0, REGCLASSOID);
  const Const* spec = constant_at(marker->args, 1, JSONBOID);
  const Const* layout = constant_at(marker->args, 2, JSONBOID);
  if (source == nullptr || spec == nullptr || layout == nullptr) return false;
  release = {DatumGetObjectId(source->constvalue), DatumGetJsonbPCopy(spec->constvalue),
             DatumGetJsonbPCopy(layout->constvalue), only_table(query)};
  return OidIsValid(release.rows) && get_rel_name(release.source) != nullptr &&
         JB_ROOT_IS_OBJECT(release.spec) && shows_rows(query, release.rows);
}

bool is_distributed(Oid relation) {
  DistributedQuery query;
  return read_distributed(relation, query);
}

}  // namespace anonkit::pg

/// Always true; its arguments describe a distributed release.
ANONKIT_FUNCTION(anon_distributed_spec) {
  PG_RETURN_BOOL(true);
}
