// The bodies of anon_audit and anon_assert: the level of a relation under each privacy model.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "promise/promise.hpp"

#include "pg/audit/aggregate_audit.hpp"
#include "pg/audit/audit.hpp"
#include "pg/audit/class_batches.hpp"
#include "pg/audit/grouped_k.hpp"
#include "pg/audit/measuring.hpp"
#include "pg/audit/population_audit.hpp"
#include "pg/audit/population_labels.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/relation_reader.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/needs.hpp"
#include "pg/spec/spec_check.hpp"

extern "C" {
#include "access/xact.h"
}

namespace anonkit::pg {
namespace {

/// Rows that some models do not judge.
struct LeftOut {
  int64 withheld;    ///< by models of values
  int64 suppressed;  ///< by all
};

/// The size of a class.
struct ClassExtent {
  int64 rows;
  int64 persons;  ///< -1 if unknown
};

/// The published values and the size of the worst class.
Datum detail_json(const Measured& measured, Datum values, ClassExtent extent, LeftOut left_out,
                  const ModelParameters& parameters) {
  JsonObject json;
  if (left_out.withheld > 0 && measured.attribute >= 0) json.add("withheld", left_out.withheld);
  if (left_out.suppressed > 0) json.add("suppressed", left_out.suppressed);
  // In (k,p,q,r)-anonymity, no class may have a rare value.
  if (!(std::isinf(measured.level.level) && measured.model->comparison == Comparison::at_least)) {
    json.add("class", DatumGetJsonbP(values));
    json.add("size", extent.rows);
    if (extent.persons >= 0) json.add("persons", extent.persons);
  }
  if (measured.model->needs == AttributeNeed::any_with_l)
    json.add("l", static_cast<int64>(parameters.l));
  if (measured.model->needs == AttributeNeed::any_with_q) {
    json.add("q", parameters.q);
    json.add("variance_of", parameters.variance_of == VarianceOf::rare ? "rare" : "all");
  }
  if (measured.model->needs == AttributeNeed::any_with_n)
    json.add("n", static_cast<int64>(parameters.n));
  if (measured.model == find_model(kRecordsAtRisk.levels[0].model))
    json.add("threshold", parameters.risk_threshold);
  if (const AskedLevel* asked = measured.shortfall.asked; asked != nullptr) {
    json.add("asked", asked->level);
    json.add("kept", measured.model->keeps(asked->level, measured.level.level));
  }
  if (measured.shortfall.by_class) {
    json.add("classes_short", measured.shortfall.classes);
    json.add(extent.persons >= 0 ? "persons_short" : "records_short", measured.shortfall.members);
  }
  return JsonbPGetDatum(json.finish());
}

/// The column that a measurement is about, or null.
const char* column_of(const RelationData& data, const Measured& measured) {
  return measured.attribute == kAnyAttribute ? nullptr : data.attributes[measured.attribute].name;
}

ClassExtent* class_extents_of(const RelationData& data, const std::vector<std::int32_t>& persons) {
  const auto classes = static_cast<int64>(persons.size());
  auto* extents = allocate<ClassExtent>(classes);
  for (int64 c = 0; c < classes; ++c)
    extents[c] = {0, data.unit_of != nullptr ? persons[static_cast<std::size_t>(c)] : -1};
  for (int64 i = 0; i < data.rows; ++i) ++extents[data.class_of[i]].rows;
  return extents;
}

void write_measurements(const RelationData& data, const Measurements& measured,
                        const ModelParameters& parameters, ReturnSetInfo* result) {
  const int count = static_cast<int>(measured.list.size());
  int32* worst = allocate<int32>(count);
  for (int i = 0; i < count; ++i)
    worst[i] = measured.list[static_cast<std::size_t>(i)].level.worst_class;
  const Datum* values_of_worst = read_class_values(data, worst, count);
  const ClassExtent* extents = class_extents_of(data, measured.class_sizes);
  for (int i = 0; i < count; ++i) {
    const Measured& one = measured.list[static_cast<std::size_t>(i)];
    Datum values[4] = {CStringGetTextDatum(one.model->name), 0, Float8GetDatum(one.level.level),
                       detail_json(one, values_of_worst[i], extents[worst[i]],
                                   {measured.withheld, data.suppressed}, parameters)};
    const char* column = column_of(data, one);
    bool nulls[4] = {false, column == nullptr, false, false};
    if (column != nullptr) values[1] = CStringGetTextDatum(column);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
}

/// The subject of an error about a relation, and its verb.
const char* this_relation(const Judged& judged) {
  return psprintf("relation \"%s\" violates", get_rel_name(judged.named));
}

/// True if a promise or a question is about sensitive columns, and not about classes alone.
bool is_about_values(const PromisedLevels& promised, const AskedLevels& asked) {
  bool about_values = asked.count > 0;
  for (int i = 0; i < promised.count; ++i)
    about_values |= !promised.list[i].model->is_about_classes(true);
  return about_values;
}

/// The spec without sensitive columns, unless promises or questions are about them.
Spec needed_for(const PromisedLevels& promised, const Spec& spec) {
  Spec needed = spec;
  if (!is_about_values(promised, spec.asked)) needed.sensitive = {nullptr, 0};
  return needed;
}

/// An error for a model that concerns no sensitive column: all others lack an option, see
/// `check_asked`.
void require_measured(const AskedLevel& asked, const Measurements& measured) {
  for (const Measured& found : measured.list)
    if (found.model == asked.model) return;
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("%s needs a numeric sensitive column", asked.model->name),
                  errhint("Name a column of numbers, dates or times in sensitive.")));
}

/// The measurements, all of which keep their promises, of the rows that satisfy the condition.
const Measurements& assert_levels(const Judged& judged, const Spec& spec,
                                  const PromisedLevels& promised, RelationData& data,
                                  const char* condition = nullptr) {
  const Measurements& measured = measure_relation(judged.rows, needed_for(promised, spec),
                                                  promised.parameters, data, &promised, condition);
  const char* subject = this_relation(judged);
  for (int i = 0; i < promised.count; ++i) {
    require_measured(promised.list[i], measured);
    for (const Measured& found : measured.list)
      require_level(subject, promised.list[i], found, column_of(data, found));
  }
  return measured;
}

/// Adds the classes with a single value, by sensitive column.
void add_single_values(const Measurements& measured, int64* classes) {
  for (const Measured& one : measured.list)
    if (one.shortfall.asked != nullptr) classes[one.attribute] += one.shortfall.classes;
}

/// True if two classes that keep the level keep it together, whatever other rows there are.
bool is_of_classes(const Model& model) {
  if (&model == find_model("k-anonymity")) return true;
  return std::any_of(std::begin(kPromiseTable), std::end(kPromiseTable), [&](const Promise* one) {
    return rows_of_classes(*one) && std::any_of(std::begin(one->levels), std::end(one->levels),
                                                [&](const JudgedLevel& level) {
                                                  return level.model != nullptr &&
                                                         std::strcmp(level.model, model.name) == 0;
                                                });
  });
}

/// True for stored rows that are too many for one audit, but may be judged batch by batch.
bool may_be_in_batches(const Judged& judged, const Spec& spec, const PromisedLevels& promised) {
  return get_rel_relkind(judged.named) == RELKIND_MATVIEW && spec.qi.count > 0 && !spec.withheld &&
         !spec.suppressed.named && !spec.wildcards &&
         std::all_of(promised.list, promised.list + promised.count,
                     [](const AskedLevel& one) { return is_of_classes(*one.model); }) &&
         count_blocks(judged.rows) > blocks_of_batch();
}

bool keeps_all(const PromisedLevels& promised, const Measurements& measured) {
  for (int i = 0; i < promised.count; ++i)
    for (const Measured& found : measured.list)
      if (falls_short(promised.list[i], found)) return false;
  return true;
}

/// True if each batch keeps all promises. If one does not, rows of a class may be stored in several
/// places. Adds classes with a single value.
bool batches_keep(const Judged& judged, const Spec& spec, const PromisedLevels& promised,
                  int64* single_values) {
  const Spec needed = needed_for(promised, spec);
  bool kept = true;
  ListCell* cell;
  foreach (cell, class_batches(judged.rows, spec.qi)) {
    MemoryContext batch =
        AllocSetContextCreate(CurrentMemoryContext, "anonkit batch", ALLOCSET_DEFAULT_SIZES);
    MemoryContext old = MemoryContextSwitchTo(batch);
    RelationData data;
    const Measurements& measured =
        measure_relation(judged.rows, needed, promised.parameters, data, &promised,
                         static_cast<const char*>(lfirst(cell)));
    kept = keeps_all(promised, measured);
    add_single_values(measured, single_values);
    MemoryContextSwitchTo(old);
    MemoryContextDelete(batch);
    if (!kept) break;
  }
  return kept;
}

int64* no_single_values(const Spec& spec) {
  return static_cast<int64*>(
      palloc0(sizeof(int64) * static_cast<std::size_t>(spec.sensitive.count)));
}

/// Asserts promises on the rows that satisfy the condition, batch by batch if they are many.
/// Returns the classes with a single value by sensitive column, if the spec asks for them.
int64* assert_rows(const Judged& judged, const Spec& spec, const PromisedLevels& promised,
                   const char* condition = nullptr) {
  int64* single_values = no_single_values(spec);
  if (condition == nullptr && may_be_in_batches(judged, spec, promised) &&
      batches_keep(judged, spec, promised, single_values))
    return single_values;
  RelationData data;
  single_values = no_single_values(spec);
  add_single_values(assert_levels(judged, spec, promised, data, condition), single_values);
  return single_values;
}

/// Asserts k without holding the rows in memory, if nothing else is promised or asked, and the rows
/// are stored class by class or too many. False if there is more to do.
bool assert_k_alone(const Judged& judged, const Spec& spec, const PromisedLevels& promised,
                    const char* condition = nullptr) {
  if (promised.count != 1 || promised.list[0].model != find_model("k-anonymity") ||
      condition != nullptr || spec.unit.count > 0 || spec.qi.count == 0 || spec.suppressed.named ||
      (spec.sensitive.count > 0 && spec.asked.count > 0))
    return false;
  const AskedLevel& k = promised.list[0];
  const bool large = is_larger_than_memory(judged.rows);
  if ((large || get_rel_relkind(judged.named) == RELKIND_MATVIEW) &&
      runs_reach(judged.rows, spec.qi, static_cast<int64>(std::ceil(k.level))))
    return true;
  if (!large) return false;
  const auto found = static_cast<double>(grouped_k(judged.rows, spec.qi));
  if (!k.model->keeps(k.level, found))
    refuse_broken({this_relation(judged), k.model->name, nullptr, nullptr, k.model->comparison,
                   k.level, found});
  return true;
}

/// The relation and the columns with the original values of a relation; names are equal.
Originals source_argument(FunctionCallInfo fcinfo, const Spec& spec) {
  return {optional_relation(fcinfo, "source"), spec.qi};
}

/// An error for a unit with aggregates: an attacker's aggregate of a row does not reveal its
/// person.
void refuse_unit_of_aggregates(const Spec& spec) {
  if (spec.unit.count > 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("%s cannot be combined with a unit", aggregate_model(spec.options.aggregate)),
             errdetail("It counts rows, not persons.")));
}

/// An error for suppressed cells with a measurement that takes all cells as they are.
void refuse_suppressed(const Spec& spec, const char* with) {
  if (!spec.suppressed.named && !spec.wildcards) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s cannot be combined with %s",
                         spec.suppressed.named ? "suppressed" : "wildcards", with),
                  errhint("Measure a view of the rows that are not suppressed.")));
}

/// The sensitive column whose values count among the candidate records.
const char* told_apart_by(const Spec& spec) {
  return spec.sensitive.count == 1 ? spec.sensitive.names[0] : nullptr;
}

/// Writes the level against attackers who know aggregates, as an additional row.
void write_aggregates(Oid relation, const Spec& spec, const Originals& originals,
                      ReturnSetInfo* result) {
  refuse_unit_of_aggregates(spec);
  const AggregateKnowledge& knowledge = spec.options.aggregate;
  double* widths = allocate<double>(knowledge.count);
  const AggregateLevel found =
      audit_aggregates(relation, spec.qi, told_apart_by(spec), originals, knowledge, widths);
  JsonObject json;
  json.add("guarantee", knowledge.identical ? "identical" : "candidates");
  json.add("d", knowledge.d);
  for (int i = 0; i < knowledge.count; ++i)
    json.add(psprintf("mean width of %s", knowledge.functions[i]), widths[i]);
  if (spec.sensitive.count == 1) json.add("p", static_cast<int64>(found.distinct));
  Datum values[4] = {CStringGetTextDatum(aggregate_model(knowledge)),
                     CStringGetTextDatum(aggregate_attribute(knowledge)), Float8GetDatum(found.k),
                     JsonbPGetDatum(json.finish())};
  bool nulls[4] = {false, false, false, false};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/// An error for a model that compares several relations, or lacks an option.
void check_asked(const AskedLevels& levels, const Spec& spec) {
  for (int i = 0; i < levels.count; ++i) {
    const Model& model = *levels.list[i].model;
    require_one_relation(model);
    const Need* need = lacking(model, spec);
    if (need != nullptr) refuse_without(model.name, *need);
  }
}

}  // namespace

void write_levels(Oid relation, const Spec& spec, ReturnSetInfo* result) {
  RelationData data;
  const ModelParameters parameters = promised_by(spec).parameters;
  const Measurements& measured = measure_relation(relation, spec, parameters, data);
  for (int i = 0; i < spec.asked.count; ++i)
    if (!needs_population(*spec.asked.list[i].model))
      require_measured(spec.asked.list[i], measured);
  write_measurements(data, measured, parameters, result);
}

void audit_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec) {
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  check_asked(spec.asked, spec);
  const int population = argument_place(fcinfo, "population");
  if (spec.options.aggregate.functions != nullptr) refuse_suppressed(spec, "functions");
  if (!PG_ARGISNULL(population)) refuse_suppressed(spec, "population");
  write_levels(relation, spec, result);
  if (spec.options.aggregate.functions != nullptr)
    write_aggregates(relation, spec, source_argument(fcinfo, spec), result);
  if (OidIsValid(spec.population)) write_population(relation, spec, result);
}

namespace {

/// Raises check_violation unless attackers who know aggregates are left with k records and p
/// sensitive values.
void assert_aggregates(const Judged& judged, const Spec& spec, const Originals& originals, int k) {
  refuse_unit_of_aggregates(spec);
  const AggregateLevel found = audit_aggregates(judged.rows, spec.qi, told_apart_by(spec),
                                                originals, spec.options.aggregate, nullptr);
  require_aggregates(this_relation(judged), spec, k, found);
}

/// Asserts the levels against the spec's population, and takes them out of the list.
void assert_presence(const Judged& judged, const Spec& spec, PromisedLevels& promised) {
  AskedLevel* others =
      std::stable_partition(promised.list, promised.list + promised.count,
                            [](const AskedLevel& one) { return !needs_population(*one.model); });
  const int count = static_cast<int>(others - promised.list);
  if (count == promised.count) return;
  require_presence(this_relation(judged), {others, promised.count - count},
                   classes_against_population(judged.rows, spec));
  promised.count = count;
}

/// An error for a model that is not one of classes.
void check_assertable(const AskedLevels& levels) {
  for (int i = 0; i < levels.count; ++i)
    if (levels.list[i].model == find_model(kWildcardModel))
      ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                      errmsg("%s of one relation cannot be asserted", levels.list[i].model->name),
                      errhint("anon_audit measures it.")));
}

}  // namespace

void assert_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec) {
  check_protected(spec);
  check_supersets(spec);
  check_threshold(spec);
  PromisedLevels promised = {asked_by(spec), promised_by(spec).parameters};
  check_assertable(promised);
  check_asked(promised, spec);
  Spec needed = spec;
  needed.asked = {};
  const int k_f = spec.options.aggregate.k;
  if (k_f > 0) refuse_suppressed(spec, "k_f");
  if (promised.count == 0 && k_f == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("nothing to assert"),
                    errhint("Give a level, such as k => 5.")));
  assert_presence(relation, spec, promised);
  if (promised.count > 0 && !assert_k_alone(relation, needed, promised))
    assert_rows(relation, needed, promised);
  if (k_f > 0) assert_aggregates(relation, spec, source_argument(fcinfo, spec), k_f);
}

bool keeps_unit(const Spec& spec) {
  for (int i = 0; i < spec.unit.count; ++i) {
    bool kept = false;
    for (int j = 0; j < spec.keep.count; ++j)
      kept = kept || std::strcmp(spec.keep.names[j], spec.unit.names[i]) == 0;
    if (!kept) return false;
  }
  return true;
}

Spec spec_of_readers(const Spec& released) {
  Spec spec = released;
  spec.withheld = withholds_values(spec);
  if (spec.unit.count == 0 || keeps_unit(spec)) return spec;
  Spec of_rows = spec;
  of_rows.unit = {nullptr, 0};
  of_rows.options.promises = only(spec.options.promises, upward_closed_rows);
  of_rows.options.unit_rows_together = false;
  return of_rows;
}

namespace {

/// Warns of such classes: the value of each of their persons is known.
void warn_of_single_values(const Spec& spec, const int64* classes) {
  const Names& sensitive = spec.sensitive;
  for (int a = 0; a < sensitive.count; ++a)
    if (classes[a] > 0)
      ereport(
          NOTICE,
          (errmsg("sensitive column \"%s\" has a single value in " INT64_FORMAT " of the classes",
                  sensitive.names[a], classes[a]),
           errdetail("An attacker who knows that a person is in such a class knows the value."),
           errhint("%s", can_promise(spec, kPromiseP)
                             ? "Promise a p of 2 or more, or leave the column out."
                             : "Leave the column out.")));
}

/// Asserts the promises that readers can measure.
void assert_classes(const Judged& release, const Spec& spec, Occasion occasion,
                    const char* condition) {
  Spec of_readers = spec_of_readers(spec);
  AskedLevel two_values = {find_model("p-sensitivity"), 2};
  if (occasion == Occasion::publish) of_readers.asked = {&two_values, 1};
  PromisedLevels promised = promised_by(of_readers);
  assert_presence(release, of_readers, promised);
  if (assert_k_alone(release, of_readers, promised, condition)) return;
  warn_of_single_values(spec, assert_rows(release, of_readers, promised, condition));
}

}  // namespace

void assert_release(const Judged& release, const Spec& spec, const Originals& originals,
                    Occasion occasion, const char* condition) {
  // Makes the rows just written visible to the caller's snapshot.
  CommandCounterIncrement();
  PushCopiedSnapshot(GetActiveSnapshot());
  UpdateActiveSnapshotCommandId();
  if (spec.method->of_aggregates)
    assert_aggregates(release, spec, originals, spec.options.k);
  else
    assert_classes(release, spec, occasion, condition);
  PopActiveSnapshot();
}

}  // namespace anonkit::pg
