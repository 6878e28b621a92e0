// anon_risk: the probability that records of a relation are re-identified.

#include <algorithm>
#include <cmath>

#include "base/at.hpp"
#include "model/class_histogram.hpp"
#include "risk/minimal_uniques.hpp"
#include "risk/pitman.hpp"
#include "risk/population_classes.hpp"
#include "risk/population_uniques.hpp"
#include "risk/reidentification.hpp"
#include "risk/sole_person.hpp"
#include "risk/weighted_risk.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/pair_reader.hpp"
#include "pg/read/relation_reader.hpp"
#include "pg/risk/figure_list.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

/// Inferences of an attacker with certainty.
struct Homogeneity {
  std::int64_t classes = 0;  ///< whose members all have a value in common
  double certain = 0;        ///< the share of the records, or persons, that are in such a class
  std::int64_t lonely = 0;   ///< values with a single member
};

struct Risks {
  std::int64_t members = 0;  ///< of all classes: records, or persons with units
  double population = 0;     ///< members of all classes of the population, or 0 if unknown
  Reidentification prosecutor;
  Reidentification journalist;
  Presence presence;
  WeightedRisk weighted;  ///< with sampling weights
  PopulationEstimate pitman;
  PopulationEstimate zayatz;
  PopulationEstimate snb;
  MinimalUniques uniques;
  std::vector<Homogeneity> homogeneity;  ///< one per sensitive column
};

struct Question {
  double threshold;
  double population_size;  ///< 0: unknown
  int largest_set;
  bool wildcards;  ///< null is compatible with every value
};

/// The number of values with a single member.
std::int64_t lonely_values(const RelationData& data, const AttributeData& attribute) {
  std::vector<std::int32_t> owner(at(attribute.distinct), kNobody);
  for (int64 row = 0; row < data.rows; ++row) {
    const int32 unit = data.unit_of != nullptr ? data.unit_of[row] : static_cast<int32>(row);
    std::int32_t& known = owner[at(attribute.codes[row])];
    known = sole_person(known, unit);
  }
  std::int64_t lonely = 0;
  for (const std::int32_t unit : owner) lonely += unit >= 0 ? 1 : 0;
  return lonely;
}

/// The number of records, or with units of persons, that have a row in one of the classes. Persons
/// whose rows were left out have numbers, too.
double persons_in(const RelationData& data, const std::vector<bool>& classes) {
  std::vector<bool> found;
  for (int64 row = 0; row < data.rows; ++row) {
    const auto member = at(data.unit_of != nullptr ? data.unit_of[row] : static_cast<int32>(row));
    if (member >= found.size()) found.resize(member + 1);
    if (classes[at(data.class_of[row])]) found[member] = true;
  }
  return static_cast<double>(std::count(found.begin(), found.end(), true));
}

Homogeneity homogeneity_of(const RelationData& data, const AttributeData& attribute, double persons,
                           Ticker& ticker) {
  PublishedAttribute published;
  published.code_of.assign(attribute.codes, attribute.codes + data.rows);
  const ClassHistogram histogram(classes_of(data), published, ticker, units_of(data));
  Homogeneity found;
  found.lonely = lonely_values(data, attribute);
  std::vector<bool> homogeneous;
  for (std::int32_t c = 0; c < histogram.classes(); ++c) {
    const std::int32_t members = histogram.class_size(c);
    const auto entries = histogram.entries(c);
    // A person may have other values, too.
    homogeneous.push_back(std::any_of(entries.begin(), entries.end(),
                                      [&](const auto& entry) { return entry.count == members; }));
  }
  found.classes = std::count(homogeneous.begin(), homogeneous.end(), true);
  found.certain = persons_in(data, homogeneous) / persons;
  return found;
}

MinimalUniques uniques_of(const RelationData& data, int largest, Ticker& ticker) {
  std::vector<CodedColumn> columns;
  for (int j = 0; j < data.qi_count; ++j)
    columns.push_back({data.qi[j].ranks.codes, data.qi[j].ranks.distinct});
  return minimal_uniques(columns, data.rows, largest, ticker, data.unit_of);
}

/// By record, its sampling weight; the relation has them.
std::vector<double> weights_of(const RelationData& data) {
  return {data.weights, data.weights + data.rows};
}

/// Estimates from class sizes and the population's size.
void estimate(Risks& risks, const std::vector<std::int64_t>& sizes, double population,
              Ticker& ticker) {
  const SampleSizes sample = sample_sizes(sizes, population);
  risks.pitman = pitman_uniques(sample, ticker);
  risks.zayatz = zayatz_uniques(sample);
  risks.snb = snb_uniques(sample);
}

/// Measures the prosecutor's risk, and the journalist's if the population's size is known, or
/// estimated by sampling weights.
Risks measure(const RelationData& data, const Question& question) {
  BackendTicker ticker;
  Risks risks;
  const ClassHistogram histogram(classes_of(data), ticker, units_of(data));
  std::vector<std::int64_t> sizes;
  for (std::int32_t c = 0; c < histogram.classes(); ++c) {
    sizes.push_back(histogram.class_size(c));
    risks.members += sizes.back();
  }
  const double persons = persons_in(data, std::vector<bool>(sizes.size(), true));
  risks.prosecutor = reidentification(
      sizes,
      question.wildcards
          ? compatible_members(wildcard_columns(data), classes_of(data), units_of(data), ticker)
          : sizes,
      question.threshold);
  risks.journalist = risks.prosecutor;
  if (question.population_size > 0) {
    // A person is a member of each class that they are in, and so in the population.
    const double classes_each = static_cast<double>(risks.members) / persons;
    risks.population = question.population_size * classes_each;
    estimate(risks, sizes, risks.population, ticker);
  }
  if (data.weights != nullptr) {
    const std::vector<double> sums = class_weights(classes_of(data), units_of(data),
                                                   weights_of(data), histogram.classes(), ticker);
    risks.weighted = weighted_risk(sizes, sums, question.threshold, ticker);
    risks.journalist = risks.weighted.journalist;
    risks.population = risks.weighted.population;
    estimate(risks, sizes, risks.population, ticker);
  }
  if (question.largest_set > 0) risks.uniques = uniques_of(data, question.largest_set, ticker);
  for (int a = 0; a < data.attribute_count; ++a)
    risks.homogeneity.push_back(homogeneity_of(data, data.attributes[a], persons, ticker));
  return risks;
}

void measure_population(Risks& risks, const PairData& data, double threshold) {
  BackendTicker ticker;
  const PopulationClasses classes = population_classes(cells_of(data, 0, data.count), ticker);
  risks.presence = presence_of(classes);
  risks.journalist = reidentification(classes.sizes, classes.crowds, threshold);
}

void write_prosecutor(const Risks& risks, Figures& figures) {
  figures.add(
      "records", nullptr, static_cast<double>(risks.members),
      "Records of the relation; with a unit persons, once for each class that they are in.");
  figures.add(
      "prosecutor_max", nullptr, risks.prosecutor.largest,
      "Largest risk of a record whose person is known to be in the relation: 1 / the size of "
      "the smallest class; with wildcards 1 / the fewest compatible records.");
  figures.add("prosecutor_mean", nullptr, risks.prosecutor.mean,
              "Mean of that risk: without wildcards classes / records.");
  figures.add("prosecutor_above_threshold", nullptr, risks.prosecutor.above_threshold,
              "Share of the records whose risk is above the threshold.");
  figures.add(
      "sample_uniques", nullptr, static_cast<double>(risks.prosecutor.uniques),
      "Records that are alone in their class; with wildcards compatible with no other one.");
}

void write_journalist(const Risks& risks, Figures& figures) {
  figures.add(
      "journalist_max", nullptr, risks.journalist.largest,
      "Largest risk of a record whose person may or may not be in the relation: 1 / the size "
      "of the smallest class in the population, which sampling weights estimate.");
  figures.add("journalist_mean", nullptr, risks.journalist.mean, "Mean of that risk.");
  figures.add("journalist_above_threshold", nullptr, risks.journalist.above_threshold,
              "Share of the records whose risk is above the threshold.");
  figures.add("marketer", nullptr, risks.journalist.mean,
              "Expected share of right matches if all records are matched with the population.");
}

void write_population(const Risks& risks, Figures& figures) {
  figures.add("population_uniques", nullptr, static_cast<double>(risks.journalist.uniques),
              "Records of the relation that are alone in their class in the population.");
  figures.add("k_map", nullptr, static_cast<double>(risks.presence.k_map),
              "Fewest records of the population that fit a record.");
  figures.add("delta_presence_min", nullptr, risks.presence.least,
              "Least chance that a person of the population is in the relation.");
  figures.add("delta_presence_max", nullptr, risks.presence.largest, "Largest such chance.");
}

void write_weighted(const WeightedRisk& risk, Figures& figures) {
  figures.add("population", nullptr, risk.population,
              "Estimated records of the population: the sum of the sampling weights.");
  figures.add("individual_risk_max", nullptr, risk.individual.largest,
              "Largest individual risk by Benedetti and Franconi: the mean of 1 / the size of a "
              "record's class in the population, given its size and weights in the sample.");
  figures.add("individual_risk_mean", nullptr, risk.individual.mean, "Mean individual risk.");
  figures.add("individual_risk_above_threshold", nullptr, risk.individual.above_threshold,
              "Share of the records whose individual risk is above the threshold.");
  figures.add(
      "expected_matches", nullptr, risk.matches,
      "Expected right matches if all records are matched with the population: the sum of the "
      "individual risks.");
  figures.add("population_uniques", nullptr, risk.uniques,
              "Expected records that are alone in their class in the population: the sum of 1 / "
              "weight over sample uniques.");
}

void write_estimates(const Risks& risks, Figures& figures) {
  figures.add("population_uniques_pitman", nullptr, risks.pitman.uniques,
              "Records that are unique in the population, by Pitman's model.");
  figures.add("population_uniques_zayatz", nullptr, risks.zayatz.uniques,
              "Records that are unique in the population, by Zayatz's estimator.");
  figures.add("population_uniques_snb", nullptr, risks.snb.uniques,
              "Records that are unique in the population, by the slide negative binomial model.");
  figures.add("journalist_mean_pitman", nullptr, risks.pitman.classes / risks.population,
              "Mean journalist risk: expected classes of the population over its size, by Pitman.");
  figures.add("journalist_mean_snb", nullptr, risks.snb.classes / risks.population,
              "Mean journalist risk by the slide negative binomial model.");
}

void write_special(const RelationData& data, const MinimalUniques& uniques, Figures& figures) {
  double largest = 0;
  double sum = 0;
  int64 special = 0;
  for (const double score : uniques.scores) {
    sum += score;
    if (score > 0) ++special;
    if (score > largest) largest = score;
  }
  figures.add("special_uniques", nullptr, static_cast<double>(special),
              "Records that are unique by as few columns as were looked at together.");
  for (std::size_t size = 1; size < uniques.sets_of_size.size(); ++size)
    figures.add(psprintf("minimal_uniques_%d", static_cast<int>(size)), nullptr,
                static_cast<double>(uniques.sets_of_size[size]),
                "Minimal sample uniques of so many columns, over all records.");
  figures.add("suda_max", nullptr, largest, "Largest SUDA score of a record.");
  figures.add("suda_mean", nullptr, sum / static_cast<double>(uniques.scores.size()),
              "Mean SUDA score.");
  for (int j = 0; j < data.qi_count; ++j)
    figures.add("suda_contribution", data.qi[j].name,
                sum > 0 ? uniques.contributions[at(j)] / sum : 0,
                "Share of the SUDA scores that belongs to minimal uniques with this column.");
}

void write_homogeneity(const char* column, const Homogeneity& found, Figures& figures) {
  figures.add(
      "homogeneous_classes", column, static_cast<double>(found.classes),
      "Classes whose records all have one value; with a unit whose persons all have a value in "
      "common.");
  figures.add(
      "certain_inferences", column, found.certain,
      "Share of the records whose value follows from their class; with a unit of the persons of "
      "whom a value does.");
  figures.add("unique_values", column, static_cast<double>(found.lonely),
              "Values that one record alone has; with a unit one person.");
}

/// Special uniques need one bit for each row and set of columns.
void count_sets(int64 rows, int columns, int largest) {
  MemoryCount memory = {};
  int64 sets = 1;
  for (int size = 1; size <= largest && size <= columns; ++size) {
    sets = sets * (columns - size + 1) / size;
    count_memory(memory, sets * (rows / 8 + 100),
                 "Special uniques need one bit for each row and set of quasi-identifiers.");
  }
}

/// An error for two arguments that contradict each other.
void refuse_both(bool first, const char* name, bool second, const char* other, const char* detail) {
  if (!first || !second) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("%s cannot be combined with %s", name, other), errdetail("%s", detail)));
}

void check_combinations(const AuditedColumns& columns, bool population, bool population_size) {
  static constexpr char is_size[] = "The sum of the weights is the size of the population.";
  const bool weighted = columns.sampling_weight != nullptr;
  refuse_both(weighted, "sampling_weight", population, "population", is_size);
  refuse_both(weighted, "sampling_weight", population_size, "population_size", is_size);
  refuse_both(columns.suppressed.named, "suppressed", population, "population",
              "A suppressed cell does not say which records of the population it fits.");
  static constexpr char overlap[] =
      "Estimates need classes, and those of compatible records overlap.";
  refuse_both(columns.wildcards, "wildcards", population, "population", overlap);
  refuse_both(columns.wildcards, "wildcards", population_size, "population_size", overlap);
  refuse_both(columns.wildcards, "wildcards", weighted, "sampling_weight", overlap);
}

Datum risk(FunctionCallInfo fcinfo) {
  const Oid relation = required_relation(fcinfo, "rel");
  const Oid population = optional_relation(fcinfo, "population");
  const FigureRows rows(fcinfo);
  const Session session = open_session();
  const Names qi = names_argument(fcinfo, "qi", 1);
  const Names sensitive = names_argument(fcinfo, "sensitive", 0);
  const Question question = {number_argument(fcinfo, "threshold", 0, 1, NAN),
                             number_argument(fcinfo, "population_size", 1, 1e15, 0),
                             count_argument(fcinfo, "largest_set", 0, 8),
                             truth_argument(fcinfo, "wildcards")};
  if (question.largest_set > 0 && qi.count > 32)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("special uniques take 32 quasi-identifiers at most"),
                    errhint("Use largest_set => 0.")));
  const Names unit = names_argument(fcinfo, "unit", 0);
  if (unit.count > 0 && OidIsValid(population))
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("persons of a population cannot be counted"),
                    errhint("Leave unit out, or make one row a person in both relations.")));
  AuditedColumns columns = {qi, sensitive, unit};
  columns.sampling_weight = text_argument(fcinfo, "sampling_weight");
  columns.suppressed = suppressed_argument(fcinfo);
  columns.wildcards = question.wildcards;
  check_combinations(columns, OidIsValid(population), question.population_size > 0);
  const RelationData data = read_relation(relation, columns);
  count_sets(data.rows, qi.count, question.largest_set);
  Risks& risks = own_in_context(std::make_unique<Risks>(measure(data, question)));
  if (OidIsValid(population))
    measure_population(risks, read_pair(population, relation, qi, qi.count), question.threshold);
  Figures figures = {};
  write_prosecutor(risks, figures);
  if (columns.suppressed.named)
    figures.add(
        "suppressed_records", nullptr, static_cast<double>(data.suppressed),
        "Further records whose quasi-identifiers are all suppressed, which are in no class.");
  write_journalist(risks, figures);
  if (OidIsValid(population)) write_population(risks, figures);
  if (data.weights != nullptr) write_weighted(risks.weighted, figures);
  if (risks.population > 0) write_estimates(risks, figures);
  if (question.largest_set > 0) write_special(data, risks.uniques, figures);
  for (int a = 0; a < data.attribute_count; ++a)
    write_homogeneity(data.attributes[a].name, risks.homogeneity[at(a)], figures);
  rows.put(figures);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_risk) {
  return anonkit::pg::risk(fcinfo);
}
