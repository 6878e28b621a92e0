// Figures of releases: levels of the models, risks, utility.

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "fixture/attacks.hpp"
#include "metric/cell_changes.hpp"
#include "metric/information_loss.hpp"
#include "model/aggregate_knowledge.hpp"
#include "model/models.hpp"
#include "model/p_capacity.hpp"
#include "pinned/pinned_pair.hpp"
#include "risk/exact_matches.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"
#include "risk/population_classes.hpp"
#include "risk/record_linkage.hpp"
#include "utility/distribution.hpp"
#include "utility/histogram.hpp"
#include "utility/k_marginal.hpp"
#include "utility/linear.hpp"
#include "utility/masking_loss.hpp"
#include "utility/ordered_pair.hpp"
#include "utility/propensity.hpp"
#include "utility/range_queries.hpp"

namespace anonkit {
namespace {

constexpr Record kJudged = 90;

PublishedAttribute published(const PinnedTable& made, bool numeric, bool hierarchy) {
  PublishedAttribute attribute;
  const SensitiveColumn column = (numeric ? made.with_pay() : made.with_illness()).sensitive[0];
  attribute.code_of.assign(column.ranks, column.ranks + kJudged);
  if (numeric) {
    attribute.scale = AttributeScale::numeric;
    attribute.numbers.assign(column.numbers, column.numbers + column.distinct);
  }
  if (hierarchy) {
    const Table table = made.with_illness_tree();
    const Hierarchy& tree = *table.sensitive[0].hierarchy;
    for (std::int32_t level = 1; level <= tree.height(); ++level) {
      attribute.levels.push_back(tree.level(level));
      attribute.is_protected.emplace_back(at(tree.groups(level)), false);
      attribute.is_protected.back().front() = level == 1;
    }
  }
  return attribute;
}

void add_levels(Pins& pins, const std::string& name, const ClassHistogram& histogram) {
  Ticker& ticker = pins.ticker();
  ModelParameters parameters;
  parameters.l = 3;
  parameters.q = 0.1;
  parameters.n = 30;
  std::vector<std::vector<std::int32_t>> supersets(1);
  for (std::int32_t c = 0; c < histogram.classes(); ++c) supersets[0].push_back(c / 5);
  parameters.supersets = &supersets;
  for (const Model& model : models()) {
    const bool measured =
        model.is_about(histogram, parameters) || model.is_about_classes(histogram.has_units());
    if (model.measure == nullptr || !measured) continue;
    const Level level = model.measure(histogram, parameters, ticker);
    PinDigest digest;
    digest.add(level.level).add(level.worst_class).all(level.by_class);
    pins.add(
        name + ", " + model.name, digest,
        "level " + pinned_number(level.level) + ", class " + std::to_string(level.worst_class));
  }
}

void pin_levels(Pins& pins, bool persons) {
  Ticker& ticker = pins.ticker();
  for (const PairCase& one : kPairCases) {
    if (one.quasi == Quasi::small) continue;
    const PinnedPair made(one.quasi, kJudged, one.method, one.recode, one.k);
    const std::vector<std::int32_t>& classes = made.release.partition.class_of;
    for (int scale = 0; scale < 3; ++scale) {
      const std::string name = std::string(one.name) + (scale == 0   ? ", illness"
                                                        : scale == 1 ? ", pay"
                                                                     : ", hierarchy");
      const ClassHistogram histogram(classes, published(made.made, scale == 1, scale == 2), ticker,
                                     persons ? made.made.units() : std::vector<std::int32_t>());
      add_levels(pins, name, histogram);
      for (const std::int32_t p : {2, 4}) {
        const PCapacity capacity = p_capacity(histogram, p, ticker);
        PinDigest digest;
        digest.add(capacity.distinct).all(capacity.frequencies).all(capacity.cumulated);
        pins.add(name + ", capacity for " + std::to_string(p), digest,
                 "clusters " + std::to_string(capacity.max_clusters));
      }
    }
  }
  pins.check();
}

TEST(PinnedFigures, LevelsAreTheSameOnEveryMachine) {
  Pins pins("levels");
  pin_levels(pins, false);
}

TEST(PinnedFigures, LevelsForPersonsAreTheSameOnEveryMachine) {
  Pins pins("levels_persons");
  pin_levels(pins, true);
}

/// The attackers of aggregate knowledge, against ranges.
TEST(PinnedFigures, CandidatesOfAggregatesAreTheSameOnEveryMachine) {
  Pins pins("candidates");
  Ticker& ticker = pins.ticker();
  const PinnedPair made(Quasi::numbers, kJudged, "mondrian", Recode::range, 4);
  const std::size_t d = made.table.columns.size();
  std::vector<double> low, high;
  for (std::size_t i = 0; i < at(kJudged); ++i)
    for (std::size_t j = 0; j < d; ++j) {
      low.push_back(made.release.masked.low[at(made.release.cells(i)) * d + j]);
      high.push_back(made.release.masked.high[at(made.release.cells(i)) * d + j]);
    }
  PublishedRanges ranges{kJudged, static_cast<int>(d), low.data(), high.data()};
  for (const char* name : {"sum", "avg", "min", "max", "weighted_sum"})
    for (const auto guarantee : {AggregateGuarantee::candidates, AggregateGuarantee::identical})
      for (const double share : {0.0, 0.0625, 0.25})
        for (const int known : {0, 1, 2}) {
          ranges.original = known > 0 ? made.made.values().data() : nullptr;
          ranges.sensitive = known > 1 ? made.made.illnesses().data() : nullptr;
          std::vector<AggregateFunction> functions = {
              aggregate_function(name, static_cast<int>(d), {1, -2, 0.5})};
          const double width = mean_interval_width(ranges, functions[0], ticker);
          if (known > 0) functions.push_back({});
          const AggregateLevel level = aggregate_level(ranges, functions, share, guarantee, ticker);
          pins.add(std::string(name) +
                       (guarantee == AggregateGuarantee::identical ? ", identical" : "") + ", d " +
                       pinned_number(share) + ", known " + std::to_string(known),
                   {{"k", level.k},
                    {"worst", level.worst},
                    {"distinct", level.distinct},
                    {"width", width}});
        }
  pins.check();
}

void add_linkage(Pins& pins, const std::string& name, const Linkage& linkage) {
  pins.add(name,
           {{"records", static_cast<double>(linkage.records)},
            {"single", static_cast<double>(linkage.single)},
            {"correct", static_cast<double>(linkage.correct)},
            {"candidates", linkage.candidates},
            {"expected", linkage.expected},
            {"by chance", linkage.by_chance}},
           kIterated);
}

void add_probabilities(Pins& pins, const std::string& name, const CellsPair& pair) {
  Ticker& ticker = pins.ticker();
  const ProbabilisticLinkage found = link_by_probability(pair, ticker);
  add_linkage(pins, name + ", probabilities", found.linkage);
  // Without logarithms, iterations end in equal digits, and an earlier end shows.
  constexpr int kExact = 14;
  for (std::size_t j = 0; j < found.agreements.size(); ++j)
    pins.add(name + ", agreement " + std::to_string(j),
             {{"m", found.agreements[j].if_match},
              {"u", found.agreements[j].if_no_match},
              {"matches", found.matches}},
             kExact);
}

/// A sample in boxes beside its population: every third record, with all numbers in ranges of 20.
struct BoxedSample {
  PinnedTable made{Quasi::mixed, kJudged, 42};
  std::deque<std::vector<double>> numbers;
  std::deque<std::vector<std::int32_t>> codes;
  CellsPair pair;

  BoxedSample() {
    const Table table = made.plain();
    pair.original.rows = kJudged;
    pair.masked.rows = kJudged / 3;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      CellColumn before, after;
      if (table.columns[j].attribute.kind == Kind::numeric) {
        std::vector<double>&values = numbers.emplace_back(), &low = numbers.emplace_back(),
        &high = numbers.emplace_back();
        for (Record i = 0; i < kJudged; ++i) {
          values.push_back(table.value(i, j));
          if (i % 3 != 0) continue;
          low.push_back(20 * std::floor(values.back() / 20));
          high.push_back(low.back() + 19);
        }
        before.low = before.high = values.data();
        after.low = low.data();
        after.high = high.data();
      } else {
        std::vector<std::int32_t>&values = codes.emplace_back(), &sample = codes.emplace_back();
        for (Record i = 0; i < kJudged; ++i) {
          values.push_back(static_cast<std::int32_t>(table.value(i, j)));
          if (i % 3 == 0) sample.push_back(values.back());
        }
        before.codes = values.data();
        after.codes = sample.data();
        before.categories = after.categories = table.columns[j].attribute.categories;
      }
      pair.original.columns.push_back(before);
      pair.masked.columns.push_back(after);
    }
  }
};

TEST(PinnedFigures, RisksAreTheSameOnEveryMachine) {
  Pins pins("risks");
  Ticker& ticker = pins.ticker();
  for (const PairCase& one : kPairCases) {
    const std::string name = one.name;
    PinnedPair made(one.quasi, kJudged, one.method, one.recode, one.k);
    for (const bool known : {true, false}) {
      const std::string images = known ? "" : ", without images";
      add_linkage(pins, name + ", distances" + images, link_by_distance(made.pair, 1, ticker));
      if (one.recode != Recode::range) add_probabilities(pins, name + images, made.pair);
      const ExactMatches exact = exact_matches(made.pair, ticker);
      pins.add(name + ", exact" + images, {{"uniques", static_cast<double>(exact.uniques)},
                                           {"matched", static_cast<double>(exact.matched)},
                                           {"found", static_cast<double>(exact.found)}});
      if (known) {
        const std::vector<std::int32_t> classes = made.masked_of(made.release.partition.class_of);
        for (const Exposure& exposure : exposures(made.pair, classes, ticker))
          pins.add(name + ", exposure", {{"ends", exposure.range_ends},
                                         {"lonely ends", exposure.lonely_ends},
                                         {"solved", exposure.solved}});
      }
      for (const Exposure& exposure : exposures_of_ends(made.pair, ticker))
        pins.add(name + ", ends" + images,
                 {{"ends", exposure.range_ends}, {"lonely ends", exposure.lonely_ends}});
      made.pair.image.clear();
    }
  }
  pins.check();
}

TEST(PinnedFigures, GuessesAreTheSameOnEveryMachine) {
  Pins pins("guesses");
  Ticker& ticker = pins.ticker();
  for (const PairCase& one : kPairCases) {
    const PinnedPair made(one.quasi, kJudged, one.method, one.recode, one.k);
    const PublishedPoints points(made.pair, 1, ticker);
    const std::vector<std::int32_t>& original = made.made.illnesses();
    const std::vector<std::int32_t> masked = made.masked_of(original);
    for (const std::int32_t k : {1, 7}) {
      const GuessedRight right =
          guess(made.pair, points, {{original.data(), masked.data(), PinnedTable::kIllnesses}}, k,
                1, ticker)[0];
      pins.add(std::string(one.name) + ", illness, k " + std::to_string(k),
               {{"base", right.base},
                {"by class", right.by_class},
                {"by nearest", right.by_nearest},
                {"by Bayes", right.by_bayes}});
    }
    const std::vector<double>& pay = made.made.pay();
    const Tenths grades = tenths(pay.data(), kJudged, pay.data() + 10, kJudged - 10);
    PinDigest digest;
    pins.add(std::string(one.name) + ", tenths", digest.all(grades.original).all(grades.masked),
             "values " + std::to_string(grades.values));
  }
  pins.check();
}

TEST(PinnedFigures, PresenceIsTheSameOnEveryMachine) {
  Pins pins("presence");
  Ticker& ticker = pins.ticker();
  BoxedSample sample;
  add_probabilities(pins, "sample", sample.pair);
  for (int columns = 4; columns > 0; --columns) {
    const PopulationClasses classes = population_classes(sample.pair, ticker);
    PinDigest digest;
    const Presence presence = presence_of(classes);
    pins.add("columns " + std::to_string(columns),
             digest.all(classes.sizes).all(classes.crowds).all(classes.example),
             "least " + pinned_number(presence.least) + ", largest " +
                 pinned_number(presence.largest) + ", k-map " + std::to_string(presence.k_map));
    for (const auto model : {PresenceModel::k_map, PresenceModel::least, PresenceModel::largest})
      for (const double asked : {1.0, 3.0}) {
        const PresenceLevel level =
            presence_level(classes, model, model == PresenceModel::k_map ? 2 * asked : asked / 6);
        pins.add("columns " + std::to_string(columns) + ", presence " +
                     std::to_string(static_cast<int>(model)),
                 {{"level", level.level},
                  {"class", level.worst_class},
                  {"classes short", static_cast<double>(level.classes_short)},
                  {"records short", static_cast<double>(level.records_short)}});
      }
    sample.pair.original.columns.pop_back();
    sample.pair.masked.columns.pop_back();
  }
  pins.check();
}

void add_utility(Pins& pins, const std::string& name, const CellsPair& pair) {
  Ticker& ticker = pins.ticker();
  const MaskingLoss loss = masking_loss(pair, 1, ticker);
  pins.add(name + ", loss", {{"squared", loss.squared},
                             {"ncp", loss.ncp},
                             {"discernibility", loss.discernibility},
                             {"mean class", loss.mean_class}});
  for (const std::size_t size : {1, 2, 3}) {
    const KMarginal marginal = k_marginal(pair.original, pair.masked, {size}, 5, 1, ticker)[0];
    pins.add(name + ", marginals of " + std::to_string(size),
             {{"score", marginal.score}, {"sets", static_cast<double>(marginal.sets)}});
  }
  pins.add(name + ", queries",
           {{"error", mean_query_error(pair.original, pair.masked, 50, 9, 1, ticker)}});
  pins.add(name + ", propensity", {{"mse", propensity_mse(pair.original, pair.masked, 1, ticker)}},
           kIterated);
  const std::int32_t rows = pair.original.rows;
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    const CellColumn &a = pair.original.columns[j], &b = pair.masked.columns[j];
    const std::string column = name + ", column " + std::to_string(j);
    pins.add(column, {{"Hellinger", hellinger(a, rows, b, rows, ticker)}}, kIterated);
    if (!a.numeric()) continue;
    const SortedColumn before = sorted_column(a, rows, ticker);
    const SortedColumn after = sorted_column(b, rows, ticker);
    const Distribution found = distribution_of(after);
    const Bins bins = round_bins(a, rows, 12, ticker);
    const std::vector<double> counts = binned(b, rows, bins, ticker);
    PinDigest digest;
    digest.all(counts).add(bins.low).add(bins.width).all(after.values);
    for (const Bar& bar : folded(counts, 4)) digest.add(bar.first).add(bar.last).add(bar.records);
    for (const double quantile : found.quantiles) digest.add(quantile);
    pins.add(column + ", distribution", digest,
             "mean " + pinned_number(found.mean) + ", variance " + pinned_number(found.variance()) +
                 ", KS " + pinned_number(kolmogorov_smirnov(before, after)));
  }
}

void add_moments(Pins& pins, const std::string& name, const CellsPair& pair) {
  Ticker& ticker = pins.ticker();
  const Moments before = moments_of(pair.original, ticker), after = moments_of(pair.masked, ticker);
  const auto d = static_cast<Eigen::Index>(after.columns.size());
  for (Eigen::Index i = 0; i < d; ++i) {
    const Eigen::VectorXd line = regression(after, i);
    for (Eigen::Index j = 0; j < d; ++j)
      pins.add(name + ", columns " + std::to_string(i) + " and " + std::to_string(j),
               {{"covariance", after.covariance(i, j)},
                {"correlation", after.correlation(i, j)},
                {"coefficient", line[j]}},
               kIterated);
  }
  const PrincipalAxes axes = principal_axes(before, after);
  for (std::size_t i = 0; i < axes.original.size(); ++i)
    pins.add(name + ", axis " + std::to_string(i),
             {{"original", axes.original[i]}, {"masked", axes.masked[i]}, {"angle", axes.angle[i]}},
             kIterated);
}

TEST(PinnedFigures, UtilityIsTheSameOnEveryMachine) {
  Pins pins("utility");
  Ticker& ticker = pins.ticker();
  for (const PairCase& one : kPairCases) {
    PinnedPair made(one.quasi, kJudged, one.method, one.recode, one.k);
    std::vector<double> weights;
    for (Record i = 0; i < kJudged; ++i) weights.push_back(1 + i % 4);
    add_utility(pins, one.name, made.pair);
    add_moments(pins, one.name, made.pair);
    made.pair.original.weigh(weights.data());
    OrderedPair ordered(made.pair, 1, ticker);
    add_utility(pins, std::string(one.name) + ", weighted", ordered.weighted());
    add_moments(pins, std::string(one.name) + ", weighted", ordered.weighted());
  }
  pins.check();
}

TEST(PinnedFigures, FrequentCategoriesAreTheSameOnEveryMachine) {
  Pins pins("frequent");
  PinnedTable made(Quasi::number, 30, 43);
  for (const std::size_t most : {1, 3, 8})
    for (const double least : {1.0, 3.0, 12.0}) {
      std::vector<double> original, masked;
      for (int category = 0; category < 9; ++category) {
        original.push_back(made.between(0, 9));
        masked.push_back(made.between(0, 3) * 3);
      }
      PinDigest digest;
      const std::vector<CategoryBar> bars = frequent_categories(original, masked, most, least);
      for (const CategoryBar& bar : bars)
        digest.add(bar.category).add(bar.original).add(bar.masked);
      pins.add("most " + std::to_string(most) + ", least " + pinned_number(least), digest,
               "bars " + std::to_string(bars.size()));
    }
  pins.check();
}

TEST(PinnedFigures, ChangesOfCellsAreTheSameOnEveryMachine) {
  Pins pins("changes");
  Ticker& ticker = pins.ticker();
  for (const PairCase& one : kPairCases) {
    const PinnedPair made(one.quasi, kJudged, one.method, one.recode, one.k);
    const Anonymized& release = made.release;
    for (const CellChanges& change :
         cell_changes(made.table, release.order, release.cells(), release.masked, ticker))
      pins.add(std::string(one.name) + ", cells",
               {{"changed", change.changed}, {"shift", change.mean_shift}});
    for (const CentroidLoss& loss : column_losses(made.table, release.members, release.masked,
                                                  release.order, release.scales, ticker))
      pins.add(std::string(one.name) + ", column", {{"sse", loss.sse}, {"sst", loss.sst}});
    PinDigest digest;
    digest.all(class_errors(made.table, release.members, release.masked, release.scales, ticker));
    digest.all(record_errors(made.table, release.cells(), release.masked, release.scales, ticker));
    pins.add(std::string(one.name) + ", errors", digest, "");
    const InformationLoss loss = information_loss(made.table, release.members, ticker);
    pins.add(std::string(one.name) + ", il", {{"total", loss.total}, {"mean", loss.mean}});
  }
  pins.check();
}

}  // namespace
}  // namespace anonkit
