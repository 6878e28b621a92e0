#include "pg/audit/population_audit.hpp"

#include <cmath>

#include "base/at.hpp"
#include "model/models.hpp"
#include "risk/population_classes.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/pair_reader.hpp"

namespace anonkit::pg {
namespace {

struct PopulationModel {
  const char* name;
  PresenceModel model;
};
constexpr PopulationModel kPopulationModels[] = {
    {"k-map", PresenceModel::k_map},
    {"delta-presence: least", PresenceModel::least},
    {"delta-presence: largest", PresenceModel::largest},
};

PopulationClasses classes_of(const PairData& data) {
  BackendTicker ticker;
  return population_classes(cells_of(data, 0, data.count), ticker);
}

double asked_level(const Spec& spec, const char* name) {
  for (int i = 0; i < spec.asked.count; ++i)
    if (spec.asked.list[i].model == find_model(name)) return spec.asked.list[i].level;
  return NAN;
}

/// The worst class, which only persons outside of the relation may be in.
Jsonb* detail_of(const PairData& data, const PopulationClasses& classes, const PresenceLevel& level,
                 double asked) {
  const std::size_t worst = at(level.worst_class);
  JsonObject json;
  if (classes.example[worst] >= 0) {
    json.add("class", published_cells(data, classes.example[worst]));
  }
  json.add("size", static_cast<int64>(classes.sizes[worst]));
  json.add("population", static_cast<int64>(classes.crowds[worst]));
  if (!std::isnan(asked)) {
    json.add("asked", asked);
    json.add("classes_short", static_cast<int64>(level.classes_short));
    json.add("records_short", static_cast<int64>(level.records_short));
  }
  return json.finish();
}

}  // namespace

void write_population(Oid relation, Oid population, const Spec& spec, ReturnSetInfo* result) {
  require_relation(population);
  if (spec.unit.count > 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("persons of a population cannot be counted"),
                    errhint("Leave unit out, or make one row a person in both relations.")));
  const PairData data = read_pair(population, relation, spec.qi, spec.qi.count, {nullptr, 0}, true);
  PopulationClasses& classes =
      own_in_context(std::make_unique<PopulationClasses>(classes_of(data)));
  for (const PopulationModel& model : kPopulationModels) {
    const double asked = asked_level(spec, model.name);
    const PresenceLevel level = presence_level(classes, model.model, asked);
    Datum values[4] = {CStringGetTextDatum(model.name), 0, Float8GetDatum(level.level),
                       JsonbPGetDatum(detail_of(data, classes, level, asked))};
    bool nulls[4] = {false, true, false, false};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
}

}  // namespace anonkit::pg
