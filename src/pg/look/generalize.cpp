// anon_generalize, anon_hierarchy_labels, anon_hierarchy_levels: hierarchies in queries.

#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/labeller.hpp"
#include "pg/read/hierarchy/value_text.hpp"

namespace anonkit::pg {
namespace {

/// The hierarchy of an argument, which may require reading a table.
struct Generaliser {
  Session session;
  MemoryCount memory;
  Labeller labeller;
  const char** labels;
};

Generaliser start(Jsonb* json, Oid declared_type) {
  Generaliser generaliser = {};
  generaliser.session = open_session();
  const HierarchyRule* rule = read_hierarchy_rule(json);
  check_value_type(*rule, nullptr, declared_type);
  generaliser.labeller = open_labeller(*rule, getBaseType(declared_type), generaliser.memory);
  generaliser.labels = allocate<const char*>(generaliser.labeller.height + 1);
  return generaliser;
}

Datum generalize(FunctionCallInfo fcinfo) {
  const Oid type = get_fn_expr_argtype(fcinfo->flinfo, 0);
  const int32 level = PG_GETARG_INT32(2);
  const Generaliser generaliser = start(PG_GETARG_JSONB_P(1), type);
  const int height = generaliser.labeller.height;
  if (level < 0 || level > height)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the hierarchy has no level %d", level),
                    errdetail("Its levels are 0, the values themselves, to %d.", height)));
  if (!make_labels(generaliser.labeller, PG_GETARG_DATUM(0), generaliser.labels))
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION), errmsg("a value has no leaf in the hierarchy")));
  MemoryContext context = MemoryContextSwitchTo(generaliser.session.outer);
  const Datum label = CStringGetTextDatum(generaliser.labels[level]);
  MemoryContextSwitchTo(context);
  close_session(generaliser.session);
  return label;
}

void write_labels(const Generaliser& generaliser, int64 place, ReturnSetInfo* result) {
  const int count = generaliser.labeller.height + 1;
  Datum* labels = allocate<Datum>(count);
  for (int level = 0; level < count; ++level)
    labels[level] = CStringGetTextDatum(generaliser.labels[level]);
  Datum values[2] = {Int64GetDatum(place), PointerGetDatum(construct_array(
                                               labels, count, TEXTOID, -1, false, TYPALIGN_INT))};
  bool nulls[2] = {false, false};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/// One row per value of the array that has a leaf.
Datum labels(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  ArrayType* array = PG_GETARG_ARRAYTYPE_P(1);
  const Oid type = ARR_ELEMTYPE(array);
  const Generaliser generaliser = start(PG_GETARG_JSONB_P(0), type);
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(type, &length, &by_value, &align);
  Datum* values;
  bool* nulls;
  int count;
  deconstruct_array(array, type, length, by_value, align, &values, &nulls, &count);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit label", ALLOCSET_DEFAULT_SIZES);
  for (int i = 0; i < count; ++i) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext old = MemoryContextSwitchTo(scratch);
    if (!nulls[i] && make_labels(generaliser.labeller, values[i], generaliser.labels))
      write_labels(generaliser, i + 1, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  close_session(generaliser.session);
  return static_cast<Datum>(0);
}

const char* description(const Labeller& labeller, int level) {
  const HierarchyRule& rule = *labeller.rule;
  if (level == 0) return "the values";
  if (level == labeller.height) return "suppressed";
  switch (rule.kind) {
    case HierarchyKind::prefix: {
      const int left = rule.length - level * rule.step;
      return left == 1 ? "the first character" : psprintf("the first %d characters", left);
    }
    case HierarchyKind::range:
      return psprintf("intervals of %s", number_spelling(rule.widths[level - 1]));
    case HierarchyKind::date:
      return kTimeUnits[static_cast<int>(rule.units[level - 1])];
    case HierarchyKind::cuts:
      return "intervals between cuts";
    case HierarchyKind::table:
      return "labels";
  }
  return "";
}

/// The number of labels, or 0 if it is unknown.
int64 count_labels(const Labeller& labeller, int level) {
  if (level == labeller.height) return 1;
  if (labeller.table != nullptr) return labeller.table->rows.labels[level]->size();
  return labeller.rule->kind == HierarchyKind::cuts && level > 0
             ? labeller.rule->cuts[level - 1].count + 1
             : 0;
}

/// One row per level.
Datum levels(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  MemoryCount memory = {};
  const Labeller labeller =
      open_labeller(*read_hierarchy_rule(PG_GETARG_JSONB_P(0)), TEXTOID, memory);
  for (int level = 0; level <= labeller.height; ++level) {
    const int64 count = count_labels(labeller, level);
    Datum values[3] = {Int32GetDatum(level), CStringGetTextDatum(description(labeller, level)),
                       Int64GetDatum(count)};
    bool nulls[3] = {false, false, count == 0};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_generalize) {
  return anonkit::pg::generalize(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_labels) {
  return anonkit::pg::labels(fcinfo);
}
ANONKIT_FUNCTION(anon_hierarchy_levels) {
  return anonkit::pg::levels(fcinfo);
}
