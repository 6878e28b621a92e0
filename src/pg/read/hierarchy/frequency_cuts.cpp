#include "pg/read/hierarchy/frequency_cuts.hpp"

#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/hierarchy/value_text.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/source.hpp"
#include "pg/spec/moment.hpp"

namespace anonkit::pg {
namespace {

/// A cut is the first value of a part: its rank among the distinct values, from 1, and its JSON
/// text.
struct Cut {
  int64 place;
  char* text;
};

/// Receives the values in ascending order. A cut at the lowest value would have none below it, so
/// it moves to the second.
struct Quantiles {
  MemoryContext context;
  Oid type;
  Cut* cuts;  ///< parts - 1
  int parts;
  int next;      ///< the first open cut
  int64 values;  ///< received so far
};

char* json_text(Oid type, Datum value) {
  return is_time_type(type) ? psprintf("\"%s\"", value_text(type, value))
                            : number_spelling(exact_numeric(type, value));
}

/// A row consists of a value, its rank among the distinct ones, and the number of values.
void take(TupleTableSlot* slot, void* state) {
  auto& quantiles = *static_cast<Quantiles*>(state);
  const int64 place = DatumGetInt64(slot->tts_values[1]);
  const int64 count = DatumGetInt64(slot->tts_values[2]);
  const int64 rank = quantiles.values++;
  // The i-th cut is at rank i * count / parts.
  while (quantiles.next < quantiles.parts - 1 && place > 1 &&
         (quantiles.next + 1) * count / quantiles.parts <= rank) {
    MemoryContext scratch = MemoryContextSwitchTo(quantiles.context);
    quantiles.cuts[quantiles.next++] = {place, json_text(quantiles.type, slot->tts_values[0])};
    MemoryContextSwitchTo(scratch);
  }
}

/// The distinct cuts of a level; null without any.
char* level_text(const Quantiles& quantiles, int64 step) {
  StringInfoData text;
  initStringInfo(&text);
  int64 last = 0;
  for (int64 i = step; i <= quantiles.next; i += step) {
    const Cut& cut = quantiles.cuts[i - 1];
    if (cut.place == last) continue;
    appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", cut.text);
    last = cut.place;
  }
  return text.len > 0 ? text.data : nullptr;
}

[[noreturn]] void refuse(const char* column, int sqlstate, const char* detail) {
  ereport(ERROR,
          (errcode(sqlstate), errmsg("column \"%s\" cannot have an automatic hierarchy", column),
           errdetail("%s", detail)));
  pg_unreachable();
}

/// Only finite values, in their order. The values are numbers of a built-in type, or of a domain
/// over one, which has the operators of its base type.
char* quantile_query(Oid relation, const char* column, Oid type) {
  UserQuery query = begin_user_query();
  add_column(query, column);
  const char* filter = "IS NOT NULL";
  if (!is_whole_number(type)) {
    const char* name = format_type_be_qualified(type);
    filter = psprintf(
        "OPERATOR(pg_catalog.>) '-Infinity'::%s AND v.value OPERATOR(pg_catalog.<) 'Infinity'::%s",
        name, name);
  }
  return psprintf(
      "SELECT v.value, pg_catalog.dense_rank() OVER (ORDER BY v.value), pg_catalog.count(*) OVER ()"
      " FROM (%s) AS v (value) WHERE v.value %s ORDER BY v.value",
      end_user_query(query, relation), filter);
}

/// With few values, several levels may be equal.
char* hierarchy_text(const Quantiles& quantiles, int fanout, int levels) {
  StringInfoData text;
  initStringInfo(&text);
  const char* below = nullptr;
  int64 step = 1;
  for (int level = 0; level < levels; ++level, step *= fanout) {
    const char* cuts = level_text(quantiles, step);
    if (cuts == nullptr || (below != nullptr && std::strcmp(cuts, below) == 0)) continue;
    appendStringInfo(&text, "%s[%s]", below != nullptr ? ", " : "", cuts);
    below = cuts;
  }
  return psprintf("{\"cuts\": [%s]}", text.data);
}

}  // namespace

char* frequency_cuts(Oid oid, const char* column, int fanout, int levels) {
  Relation relation = open_relation(oid);
  require_rows(relation);
  TupleDesc descriptor = RelationGetDescr(relation);
  Form_pg_attribute attribute = TupleDescAttr(descriptor, find_column(descriptor, column) - 1);
  const char* name = pstrdup(NameStr(attribute->attname));
  const Oid type = getBaseType(attribute->atttypid);
  relation_close(relation, NoLock);
  if (number_type(type) == nullptr)
    refuse(name, ERRCODE_DATATYPE_MISMATCH, "Its values are neither numbers nor dates.");
  int parts = 1;
  for (int level = 0; level < levels; ++level) parts *= fanout;
  Quantiles quantiles = {CurrentMemoryContext, type, allocate<Cut>(parts), parts, 0, 0};
  for_each_row(quantile_query(oid, name, type), take, &quantiles);
  if (quantiles.next == 0)
    refuse(name, ERRCODE_DATA_EXCEPTION, "It has fewer than two distinct values.");
  return hierarchy_text(quantiles, fanout, levels);
}

}  // namespace anonkit::pg
