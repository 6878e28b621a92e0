// Estimates about populations and uniques.

#include <gtest/gtest.h>

#include "base/at.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "risk/column_uniques.hpp"
#include "risk/determined_columns.hpp"
#include "risk/minimal_uniques.hpp"
#include "risk/pitman.hpp"
#include "risk/population_uniques.hpp"
#include "risk/reidentification.hpp"
#include "risk/weighted_risk.hpp"
#include "risk/wildcards.hpp"

namespace anonkit {
namespace {

constexpr Record kCoded = 150;

/// Codes of four columns of few values.
struct CodedTable {
  PinnedTable made{Quasi::mixed, kCoded, 51};
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<CodedColumn> columns;

  CodedTable() {
    const Table table = made.plain();
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      codes.emplace_back();
      for (Record i = 0; i < kCoded; ++i)
        codes.back().push_back(static_cast<std::int32_t>(table.value(i, j)));
    }
    for (const auto& column : codes) columns.push_back({column.data(), 100});
  }

  std::vector<std::int32_t> classes(std::size_t columns_used) const {
    SilentTicker ticker;
    std::vector<std::int32_t> numbers(kCoded);
    std::vector<std::int32_t*> class_of(columns_used, nullptr);
    class_of.back() = numbers.data();
    number_classes({columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(columns_used)},
                   kCoded, class_of, ticker);
    return numbers;
  }
};

std::vector<std::int64_t> sizes_of(const std::vector<std::int32_t>& class_of) {
  std::vector<std::int64_t> sizes;
  for (const std::int32_t c : class_of) {
    if (static_cast<std::size_t>(c) >= sizes.size()) sizes.resize(static_cast<std::size_t>(c) + 1);
    ++sizes[static_cast<std::size_t>(c)];
  }
  return sizes;
}

/// The digits of roots, which are found to more.
constexpr int kOfRoots = 9;

void add_estimates(Pins& pins, const std::string& key, const SampleSizes& sample) {
  SilentTicker ticker;
  const std::string name = key + ", population " + pinned_number(sample.population);
  const PopulationEstimate zayatz = zayatz_uniques(sample), snb = snb_uniques(sample),
                           pitman = pitman_uniques(sample, ticker);
  pins.add(name + ", Zayatz", {{"uniques", zayatz.uniques}}, kIterated);
  pins.add(name + ", SNB", {{"uniques", snb.uniques}, {"classes", snb.classes}}, kIterated);
  pins.add(name + ", Pitman", {{"uniques", pitman.uniques}, {"classes", pitman.classes}},
           kIterated);
  const SnbParameters fitted = fit_snb(sample);
  pins.add(name + ", SNB's parameters",
           {{"alpha", fitted.alpha}, {"beta", fitted.beta}, {"classes", fitted.classes}},
           kIterated);
  const PitmanParameters found = fit_pitman(sample, ticker);
  pins.add(name + ", Pitman's parameters",
           {{"alpha", found.alpha},
            {"theta", found.theta},
            {"likelihood", pitman_likelihood(sample, found, ticker)}},
           kOfRoots);
}

TEST(PinnedPopulation, EstimatesOfUniquesAreTheSameOnEveryMachine) {
  Pins pins("estimates");
  const CodedTable table;
  for (std::size_t columns = 2; columns <= 4; ++columns)
    for (const double population : {150.0, 160.0, 600.0, 15000.0})
      add_estimates(pins, "columns " + std::to_string(columns),
                    sample_sizes(sizes_of(table.classes(columns)), population));
  // Few large classes and many small ones, as real keys have them.
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 1; size < 12; ++size)
    sizes.insert(sizes.end(), at(60 / size / size), size);
  for (const double population : {500.0, 90.0})
    add_estimates(pins, "unique", sample_sizes(std::vector<std::int64_t>(90, 1), population));
  for (const double population : {400.0, 3000.0, 90000.0})
    add_estimates(pins, "skewed", sample_sizes(sizes, population));
  pins.check();
}

void add_summary(Pins& pins, const std::string& name, const Reidentification& risk) {
  pins.add(name, {{"largest", risk.largest},
                  {"mean", risk.mean},
                  {"above", risk.above_threshold},
                  {"uniques", static_cast<double>(risk.uniques)}});
}

TEST(PinnedPopulation, WeightedRisksAreTheSameOnEveryMachine) {
  Pins pins("weighted");
  SilentTicker ticker;
  const CodedTable table;
  for (std::size_t columns = 1; columns <= 4; ++columns)
    for (const bool persons : {false, true}) {
      const std::vector<std::int32_t> class_of = table.classes(columns);
      const std::vector<std::int64_t> sizes = sizes_of(class_of);
      std::vector<double> weights;
      for (Record i = 0; i < kCoded; ++i)
        weights.push_back(1 + table.made.units()[static_cast<std::size_t>(i)] % 5 * 3);
      const std::vector<double> sums =
          class_weights(class_of, persons ? table.made.units() : std::vector<std::int32_t>(),
                        weights, static_cast<std::int32_t>(sizes.size()), ticker);
      const WeightedRisk risk = weighted_risk(sizes, sums, 0.2, ticker);
      const std::string name = "columns " + std::to_string(columns) + (persons ? ", persons" : "");
      pins.add(
          name,
          {{"population", risk.population}, {"matches", risk.matches}, {"uniques", risk.uniques}});
      add_summary(pins, name + ", journalist", risk.journalist);
      add_summary(pins, name + ", individual", risk.individual);
      std::vector<std::int64_t> crowds;
      for (const std::int64_t size : sizes) crowds.push_back(3 * size + size % 4);
      add_summary(pins, name + ", crowds", reidentification(sizes, crowds, 0.1));
    }
  for (const std::int64_t records : {1, 2, 3, 9, 40})
    for (const double population : {40.5, 90.0, 4000.0})
      pins.add("individual " + std::to_string(records) + " of " + pinned_number(population),
               {{"risk", individual_risk(records, population)}});
  pins.check();
}

TEST(PinnedPopulation, UniquesAreTheSameOnEveryMachine) {
  Pins pins("uniques");
  Ticker& ticker = pins.ticker();
  const CodedTable table;
  for (int largest = 1; largest <= 4; ++largest)
    for (const bool persons : {false, true}) {
      const MinimalUniques found = minimal_uniques(table.columns, kCoded, largest, ticker,
                                                   persons ? table.made.units().data() : nullptr);
      PinDigest digest;
      digest.all(found.scores).all(found.sets_of_size).all(found.records_of_size);
      digest.all(found.contributions);
      pins.add("minimal, largest " + std::to_string(largest) + (persons ? ", persons" : ""), digest,
               "of one column " + std::to_string(found.sets_of_size[1]));
    }
  for (std::size_t set = 1; set < 4; ++set) {
    const auto cut = table.columns.begin() + static_cast<std::ptrdiff_t>(set);
    const ColumnUniques found =
        column_uniques({table.columns.begin(), cut}, {cut, table.columns.end()}, kCoded, ticker);
    PinDigest digest;
    digest.all(found.without).all(found.with);
    pins.add("set of " + std::to_string(set), digest, "uniques " + std::to_string(found.of_set));
    pins.add(
        "determined by " + std::to_string(set),
        {{"columns", static_cast<double>(determined_columns(table.columns, set, kCoded, ticker))}});
  }
  pins.check();
}

TEST(PinnedPopulation, CompatibleMembersAreTheSameOnEveryMachine) {
  Pins pins("wildcards");
  Ticker& ticker = pins.ticker();
  CodedTable table;
  for (const int every : {3, 9, 40})
    for (const bool persons : {false, true}) {
      std::vector<std::vector<std::int32_t>> codes = table.codes;
      for (auto& column : codes)
        for (std::int32_t& code : column)
          if (table.made.between(1, every) == 1) code = 99;
      std::vector<WildcardColumn> columns;
      std::vector<CodedColumn> coded;
      for (const auto& column : codes) {
        columns.push_back({column.data(), 99});
        coded.push_back({column.data(), 100});
      }
      std::vector<std::int32_t> class_of(kCoded);
      number_classes(coded, kCoded, {nullptr, nullptr, nullptr, class_of.data()}, ticker);
      const std::vector<std::int64_t> members = compatible_members(
          columns, class_of, persons ? table.made.units() : std::vector<std::int32_t>(), ticker);
      PinDigest digest;
      pins.add("one of " + std::to_string(every) + (persons ? ", persons" : ""),
               digest.all(members),
               "fewest " + std::to_string(*std::min_element(members.begin(), members.end())));
    }
  pins.check();
}

}  // namespace
}  // namespace anonkit
