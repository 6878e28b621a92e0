// anon_hierarchy_prefix and its relatives: hierarchies built and checked, as JSON.

#include <cstring>

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/frequency_cuts.hpp"
#include "pg/read/hierarchy/label_table.hpp"
#include "pg/spec/arguments.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// Checks the hierarchy by the rules of its readers.
Datum checked(Jsonb* json) {
  read_hierarchy_rule(json);
  return JsonbPGetDatum(json);
}

Datum prefix(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo, {"length", "step", "mask"});
  const char* mask = text_to_cstring(PG_GETARG_TEXT_PP(2));
  JsonObject json;
  json.add("prefix", int64{PG_GETARG_INT32(0)});
  if (PG_GETARG_INT32(1) != 1) json.add("step", int64{PG_GETARG_INT32(1)});
  if (std::strcmp(mask, "*") != 0) json.add("mask", mask);
  return checked(json.finish());
}

bool is_zero(Numeric number) {
  return DatumGetBool(DirectFunctionCall2(numeric_eq, NumericGetDatum(number),
                                          NumericGetDatum(int64_to_numeric(0))));
}

Datum range(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo, {"widths", "origin"});
  JsonObject json;
  json.add_array("range", PG_GETARG_ARRAYTYPE_P(0));
  if (!is_zero(PG_GETARG_NUMERIC(1))) json.add_datum("origin", PG_GETARG_DATUM(1), NUMERICOID);
  if (!PG_ARGISNULL(2)) json.add_datum("low", PG_GETARG_DATUM(2), NUMERICOID);
  if (!PG_ARGISNULL(3)) json.add_datum("high", PG_GETARG_DATUM(3), NUMERICOID);
  return checked(json.finish());
}

Datum calculate(Datum (*function)(FunctionCallInfo), Datum a, Datum b) {
  return DirectFunctionCall2(function, a, b);
}

bool is_finite(Numeric number) {
  return !numeric_is_nan(number) && !numeric_is_inf(number);
}

/// Widths, each `fanout` times the previous one, as long as several intervals fit between low and
/// high.
ArrayType* widths_between(Datum low, Datum high, Datum width, Datum fanout) {
  const Datum span = calculate(numeric_sub, high, low);
  Datum* widths = allocate<Datum>(kMaxLevels + 1);
  int count = 0;
  do {
    widths[count++] = width;
    width = calculate(numeric_mul, width, fanout);
  } while (count <= kMaxLevels && DatumGetBool(calculate(numeric_lt, width, span)));
  return construct_array(widths, count, NUMERICOID, -1, false, TYPALIGN_INT);
}

Datum fanout(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo, {"low", "high", "width", "fanout"});
  const Datum low = PG_GETARG_DATUM(0);
  const Datum high = PG_GETARG_DATUM(1);
  const Datum width = PG_GETARG_DATUM(2);
  const Datum zero = NumericGetDatum(int64_to_numeric(0));
  if (!is_finite(DatumGetNumeric(low)) || !is_finite(DatumGetNumeric(high)) ||
      !is_finite(DatumGetNumeric(width)) || PG_GETARG_INT32(3) < 2 ||
      !DatumGetBool(calculate(numeric_lt, low, high)) ||
      !DatumGetBool(calculate(numeric_lt, zero, width)))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("low must be below high, width above 0, and fanout at least 2")));
  JsonObject json;
  json.add_array("range", widths_between(low, high, width,
                                         NumericGetDatum(int64_to_numeric(PG_GETARG_INT32(3)))));
  if (!is_zero(DatumGetNumeric(low))) json.add_datum("origin", low, NUMERICOID);
  json.add_datum("low", low, NUMERICOID);
  json.add_datum("high", high, NUMERICOID);
  return checked(json.finish());
}

Datum date(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo, {"levels"});
  JsonObject json;
  json.add_array("date", PG_GETARG_ARRAYTYPE_P(0));
  return checked(json.finish());
}

/// Qualifies the name, so that the hierarchy has the same meaning under any search path.
Datum table(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const Session session = open_session();
  MemoryContext context = MemoryContextSwitchTo(session.outer);
  JsonObject json;
  json.add("table", qualified_name_of(relation));
  if (!PG_ARGISNULL(1)) json.add_array("columns", PG_GETARG_ARRAYTYPE_P(1));
  Jsonb* hierarchy = json.finish();
  MemoryContextSwitchTo(context);
  MemoryCount memory = {};
  read_label_table(*read_hierarchy_rule(hierarchy), false, memory);
  close_session(session);
  return JsonbPGetDatum(hierarchy);
}

Datum automatic(FunctionCallInfo fcinfo) {
  constexpr int kMostParts = 4096;
  const Oid relation = relation_argument(fcinfo);
  require_arguments(fcinfo, {"column_name", "fanout", "levels"});
  const int32 fanout = PG_GETARG_INT32(2);
  const int32 levels = PG_GETARG_INT32(3);
  int64 parts = 1;
  for (int32 level = 0; level < levels && parts <= kMostParts && fanout >= 2; ++level)
    parts *= fanout;
  if (fanout < 2 || levels < 1 || parts > kMostParts)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("fanout must be at least 2, levels at least 1, and fanout to the power "
                           "of levels at most %d",
                           kMostParts)));
  const Session session = open_session();
  const char* json =
      frequency_cuts(relation, text_to_cstring(PG_GETARG_TEXT_PP(1)), fanout, levels);
  MemoryContext context = MemoryContextSwitchTo(session.outer);
  const Datum hierarchy = DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
  MemoryContextSwitchTo(context);
  close_session(session);
  return checked(DatumGetJsonbP(hierarchy));
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_hierarchy_prefix) {
  return anonkit::pg::prefix(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_range) {
  return anonkit::pg::range(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_fanout) {
  return anonkit::pg::fanout(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_date) {
  return anonkit::pg::date(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_table) {
  return anonkit::pg::table(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_auto) {
  return anonkit::pg::automatic(fcinfo);
}
