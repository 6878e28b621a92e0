// Transparent releases by the judge that knows the definition alone.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "pipeline.hpp"
#include "reference/simulate.hpp"
#include "transparent/withholding.hpp"

namespace anonkit {
namespace {

using reference::Assignment;
using reference::Excess;
using reference::SimulatedRelease;

/// A value code stands for one value of each sensitive column.
struct Columns {
  std::vector<std::vector<std::int32_t>> ranks;

  Columns(const Assignment& assignment, const std::vector<std::vector<int>>& of_code) {
    for (const std::vector<int>& column : of_code) {
      ranks.emplace_back();
      for (const int code : assignment)
        ranks.back().push_back(column[static_cast<std::size_t>(code)]);
    }
  }
};

SimulatedRelease released(const Table& table, const char* method, const Options& options) {
  SilentTicker ticker;
  SimulatedRelease release;
  try {
    const Anonymized made = anonymize(table, *find_method(method), options, ticker);
    const std::size_t d = table.columns.size();
    for (Record i = 0; i < table.rows; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const auto c = static_cast<std::size_t>(made.partition.class_of[row]);
      release.class_of.push_back(made.withholds(row) ? -1 : static_cast<int>(c));
      std::vector<double> cells;
      for (std::size_t cell = c * d; cell < (c + 1) * d; ++cell) {
        cells.push_back(made.masked.low[cell]);
        if (!made.masked.high.empty()) cells.push_back(made.masked.high[cell]);
      }
      for (const SensitiveColumn& column : table.sensitive)
        cells.push_back(made.withholds(row) ? -1 : column.ranks[i]);
      release.rows.push_back(std::move(cells));
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::infeasible);
    return {};
  }
  std::sort(release.rows.begin(), release.rows.end());
  return release;
}

struct World {
  OwnedTable owned;
  Assignment values;
  std::vector<std::vector<int>> of_code;  ///< of each sensitive column the value of each code

  Excess simulated(const char* method, const Options& asked, int seeds) const {
    return reference::simulate(values, seeds, [&](const Assignment& assignment, int seed) {
      Table table = owned.view();
      OwnedTable prints = owned;
      const Columns columns(assignment, of_code);
      add_sensitive(table, columns.ranks);
      for (std::size_t i = 0; i < assignment.size(); ++i)
        prints.fingerprints[i] = {static_cast<std::uint64_t>(assignment[i]), 7};
      table.fingerprints = prints.fingerprints.data();
      Options options = asked;
      options.seed = static_cast<std::uint64_t>(seed);
      return released(table, method, options);
    });
  }
};

/// Ties and duplicates of quasi-identifiers, one or two sensitive columns.
World random_world(RandomTables& random, int n, int codes, int columns) {
  World world{random.make(n, 2, false, 0), {}, {}};
  for (double& value : world.owned.values) value = random.between(0, 3);
  for (int i = 0; i < n; ++i) world.values.push_back(i < codes ? i : random.between(0, codes - 1));
  for (int a = 0; a < columns; ++a) {
    world.of_code.emplace_back();
    for (int code = 0; code < codes; ++code)
      world.of_code.back().push_back(a == 0 ? code : code % 2);
  }
  return world;
}

Options transparent(Record k) {
  Options options;
  options.k = k;
  options.transparency.wanted = true;
  options.transparency.decoys = 0.3;
  return options;
}

/// Returns the number of values published.
int expect_no_excess(const Excess& excess) {
  EXPECT_EQ(excess.of_quasi_identifiers, 0);
  EXPECT_EQ(excess.of_other_classes, 0);
  return excess.published;
}

/// Every other round l-diversity, else alpha.
Options adapted(double share, int round) {
  Options options = transparent(2);
  options.transparency.adapt = share;
  if (round % 2 == 0) options.promises.l = 2;
  if (round % 2 == 1) options.promises.alpha = 0.7;
  return options;
}

class Transparent : public testing::TestWithParam<const char*> {};

TEST_P(Transparent, TellsNothingBeyondTheClassesOfThePublished) {
  RandomTables random(11);
  int published = 0;
  for (int round = 0; round < trials(6); ++round) {
    const int columns = 1 + round % 2;
    const World world = random_world(random, 8, 3, columns);
    Options options = transparent(random.between(2, 3));
    if (round % 3 == 0) options.promises.p = 2;
    if (round % 3 == 1) options.promises.l = 2;
    if (round % 3 == 2) options.promises.alpha = 0.7;
    if (round % 4 == 3) options.recode = Recode::range;
    SCOPED_TRACE(round);
    published += expect_no_excess(world.simulated(GetParam(), options, 2));
  }
  EXPECT_GT(published, trials(150));
}

INSTANTIATE_TEST_SUITE_P(Methods, Transparent,
                         testing::Values("microaggregate", "mdav", "vmdav", "mondrian"));

TEST_P(Transparent, TellsNothingMoreWhereSizesAreAdapted) {
  RandomTables random(15);
  int published = 0;
  for (int round = 0; round < trials(6); ++round) {
    const World world = random_world(random, 9, 3, 1 + round % 2);
    const Options options = adapted(0.2 + 0.15 * (round % 3), round);
    SCOPED_TRACE(round);
    published += expect_no_excess(world.simulated(GetParam(), options, 1));
  }
  EXPECT_GT(published, trials(150));
}

TEST_P(Transparent, TellsNothingWhereAdaptedClassesHaveEqualCells) {
  RandomTables random(16);
  int published = 0;
  for (int round = 0; round < trials(6); ++round) {
    World world = random_world(random, 9, 3, 1);
    for (Column& column : world.owned.columns) column.rounding = {Rounding::To::integer, 0};
    for (double& value : world.owned.values) value = random.between(0, 4);
    Options options = adapted(0.35, round);
    options.transparency.decoys = 0;
    SCOPED_TRACE(round);
    published += expect_no_excess(world.simulated(GetParam(), options, 1));
  }
  EXPECT_GT(published, trials(150));
}

TEST(Transparent, TheUsualSearchGivesValuesAway) {
  RandomTables random(12);
  int by_quasi_identifiers = 0, by_others = 0;
  for (int round = 0; round < 4; ++round) {
    const World world = random_world(random, 9, 3, 1);
    Options options;
    options.k = 2;
    options.promises.l = 2;
    const Excess excess = world.simulated("microaggregate", options, 2);
    by_quasi_identifiers += excess.of_quasi_identifiers > 0 ? 1 : 0;
    by_others += excess.of_other_classes > 0 ? 1 : 0;
  }
  EXPECT_GE(by_quasi_identifiers, 3);
  EXPECT_GE(by_others, 3);
}

/// Sensitive values that fall into classes as chance has it, or all alike.
Table with_values(const OwnedTable& owned, const std::vector<std::int32_t>& ranks, int distinct) {
  Table table = owned.view();
  SensitiveColumn column;
  column.name = "s";
  column.ranks = ranks.data();
  column.distinct = distinct;
  table.sensitive.push_back(column);
  return table;
}

TEST(Withholding, PublishedClassesKeepPromisesAndOthersBreakThemOrAreDecoys) {
  RandomTables random(13);
  SilentTicker ticker;
  int bad = 0, good = 0, decoys = 0;
  for (int round = 0; round < 60; ++round) {
    const OwnedTable owned = random.make(300, 2, false, 0);
    std::vector<std::int32_t> ranks;
    for (int i = 0; i < 300; ++i) ranks.push_back(random.between(0, 2));
    const Table table = with_values(owned, ranks, 3);
    Options options = transparent(3);
    options.promises.l = 2;
    options.transparency.decoys = 0.1;
    options.seed = static_cast<std::uint64_t>(round);
    const Anonymized made = anonymize(table, *find_method("mdav"), options, ticker);
    for (std::size_t c = 0; c + 1 < made.members.first_of.size(); ++c) {
      const auto first = made.members.records.begin() + made.members.first_of[c];
      const auto last = made.members.records.begin() + made.members.first_of[c + 1];
      const bool keeps = std::any_of(first, last, [&](Record i) {
        return ranks[static_cast<std::size_t>(i)] != ranks[static_cast<std::size_t>(*first)];
      });
      if (!keeps) {
        ++bad;
        EXPECT_TRUE(made.withheld[c]);
      }
      good += keeps ? 1 : 0;
      decoys += keeps && made.withheld[c] ? 1 : 0;
    }
  }
  EXPECT_GT(bad, 100);
  EXPECT_NEAR(static_cast<double>(decoys) / good, 0.1, 0.015);
}

TEST(Withholding, FindsClassesThatSeveralMakeUp) {
  EXPECT_EQ(united_classes({0, 1, 2, 1, kNone, 3}, {{0, 1, 0, 1, kNone, 2}, 3}),
            (std::vector<bool>{true, false, false}));
}

TEST(Withholding, IsRefusedWhereNothingWouldBePublished) {
  RandomTables random(14);
  SilentTicker ticker;
  const OwnedTable owned = random.make(30, 2, false, 0);
  const std::vector<std::int32_t> ranks(30, 0);
  Options options = transparent(3);
  options.promises.l = 2;
  EXPECT_THROW(anonymize(with_values(owned, ranks, 1), *find_method("mdav"), options, ticker),
               Error);
}

TEST(Withholding, NeedsClassesThatDivideNoEqualRecords) {
  SilentTicker ticker;
  const OwnedTable owned = table_of(std::vector<double>(12, 1.0));
  const std::vector<std::int32_t> ranks = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  Options options = transparent(3);
  options.promises.l = 2;
  const Table table = with_values(owned, ranks, 2);
  EXPECT_EQ(anonymize(table, *find_method("mdav"), options, ticker).partition.classes, 1);
  options.duplicates = Duplicates::divide;
  // Classes that come out equal are one class.
  EXPECT_EQ(anonymize(table, *find_method("mdav"), options, ticker).partition.classes, 1);
}

}  // namespace
}  // namespace anonkit
