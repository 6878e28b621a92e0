#include "pg/audit/population_audit.hpp"

#include <cmath>

#include "base/at.hpp"
#include "model/models.hpp"
#include "recode/recoding.hpp"
#include "risk/population_classes.hpp"

#include "pg/audit/population_labels.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/pair_reader.hpp"
#include "pg/spec/spec_check.hpp"

namespace anonkit::pg {
namespace {

PopulationClasses classes_of(const PairData& data) {
  BackendTicker ticker;
  return population_classes(cells_of(data, 0, data.count), ticker);
}

double asked_level(const Spec& spec, const Model& model) {
  for (int i = 0; i < spec.asked.count; ++i)
    if (spec.asked.list[i].model == &model) return spec.asked.list[i].level;
  return NAN;
}

/// A relation against its population: pairs of cells, or cells and the labels of hierarchies.
struct Compared {
  PairData pair;
  RelationData cells;  ///< with labels
  bool labels;
  const PopulationClasses* classes;
};

Compared compare(Oid relation, const Spec& spec) {
  if (spec.unit.count > 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("persons of a population cannot be counted"),
                    errhint("Leave unit out, or make one row a person in both relations.")));
  require_relation(spec.population);
  Compared compared = {};
  compared.labels = masks_by_hierarchy(spec) || recoding(spec.options.recode).by_hierarchy;
  if (compared.labels) {
    MemoryCount* memory = new_memory_count(kFewerRows);
    compared.cells = read_cells(relation, spec.qi, {nullptr, 0}, *memory);
    compared.classes = &classes_of_population(spec, compared.cells, *memory);
    return compared;
  }
  compared.pair = read_pair(spec.population, relation, spec.qi, spec.qi.count, {nullptr, 0}, true,
                            nullptr, spec.population_named_by);
  compared.classes =
      &own_in_context(std::make_unique<PopulationClasses>(classes_of(compared.pair)));
  return compared;
}

Jsonb* cells_of_row(const Compared& compared, int64 row) {
  if (!compared.labels) return published_cells(compared.pair, row);
  JsonObject json;
  for (int j = 0; j < compared.cells.attribute_count; ++j) {
    const AttributeData& column = compared.cells.attributes[j];
    const int32 code = column.codes[row];
    if (column.has_null && code == column.distinct - 1)
      json.add_null(column.name);
    else
      json.add_datum(column.name, column.values[code], column.type);
  }
  return json.finish();
}

/// The worst class, which only persons outside of the relation may be in.
Jsonb* detail_of(const Compared& compared, const Model& model, const PresenceLevel& level,
                 double asked) {
  const PopulationClasses& classes = *compared.classes;
  const std::size_t worst = at(level.worst_class);
  JsonObject json;
  if (classes.example[worst] >= 0)
    json.add("class", cells_of_row(compared, classes.example[worst]));
  json.add("size", static_cast<int64>(classes.sizes[worst]));
  json.add("population", static_cast<int64>(classes.crowds[worst]));
  if (!std::isnan(asked)) {
    json.add("asked", asked);
    json.add("kept", model.keeps(asked, level.level));
    json.add("classes_short", static_cast<int64>(level.classes_short));
    json.add("records_short", static_cast<int64>(level.records_short));
  }
  return json.finish();
}

}  // namespace

const PopulationClasses& classes_against_population(Oid relation, const Spec& spec) {
  return *compare(relation, spec).classes;
}

void write_population(Oid relation, const Spec& spec, ReturnSetInfo* result) {
  const Compared compared = compare(relation, spec);
  for (const PopulationModel& one : kPopulationModels) {
    const Model& model = *find_model(one.name);
    const double asked = asked_level(spec, model);
    const PresenceLevel level = presence_level(*compared.classes, one.model, asked);
    Datum values[4] = {CStringGetTextDatum(one.name), 0, Float8GetDatum(level.level),
                       JsonbPGetDatum(detail_of(compared, model, level, asked))};
    bool nulls[4] = {false, true, false, false};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
}

}  // namespace anonkit::pg
