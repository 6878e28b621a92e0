#include "metric/ncp.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fixture/random_generalisation.hpp"
#include "fixture/random_table.hpp"
#include "promise/distinct_values.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/refine.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

RefineOptions hot(int seed, double scale) {
  RefineOptions options;
  options.effort = Effort::thorough;
  options.seed = static_cast<std::uint64_t>(seed);
  options.scale = scale;
  return options;
}

TEST(NcpLoss, CostsAndDifferencesAreThoseOfTheDefinition) {
  std::mt19937_64 random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(120); ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    const Record n = roll(random, 8, 80);
    const GeneralisationSpace space =
        random_generalisation(random, n, roll(random, 1, 9), hierarchies);
    NcpLoss ncp(space);
    // All terms are exact, so the test demands equality.
    AuditedLoss audited(ncp, 0);
    const Partition start = round_robin(in_order(n), n / 4);
    EXPECT_EQ(total_loss(ncp, start, ticker), plain_ncp(space, start));
    const RefineResult result =
        refine(euclidean(space, ticker), start, 2, audited, {}, hot(round, 0.001), ticker);
    EXPECT_EQ(result.loss_after, plain_ncp(space, result.partition));
    EXPECT_LE(result.loss_after, result.loss_before);
  }
}

TEST(NcpLoss, AClassThatItsOnlyRecordLeavesLosesNothing) {
  std::mt19937_64 random(3);
  const std::vector<Record> one = {1};
  for (int round = 0; round < 60; ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    GeneralisationSpace space = random_generalisation(random, 3, roll(random, 1, 9), hierarchies);
    if (round % 2 == 0) space = space.of_rows({0, 1, 2}, {1, round % 4 + 1, 5});
    NcpLoss ncp(space);
    EXPECT_EQ(ncp.cost({}), 0);
    ncp.begin(1);
    ncp.assign(0, RecordSpan(one));
    EXPECT_EQ(ncp.delta({0, RecordSpan(one), 1}), 0);
  }
}

/// 60 records of five ranges whose costs are rounded.
GeneralisationSpace inexact_ranges(std::mt19937_64& random) {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(roll(random, 0, 999) / 999.0);
  std::vector<Domain> domains(5);
  for (Domain& domain : domains) domain.weight = roll(random, 1, 9) / 7.0;
  return {values, domains};
}

// An audited loss has no bound of a swap, so the search computes both halves of each.
TEST(NcpLoss, DifferencesAreExactForAnyNumbersAndBoundsOfSwapsChangeNoResult) {
  std::mt19937_64 random(2);
  SilentTicker ticker;
  for (int round = 0; round < trials(30); ++round) {
    const GeneralisationSpace space = inexact_ranges(random);
    NcpLoss ncp(space);
    AuditedLoss audited(ncp, 0);
    const Partition start = round_robin(in_order(60), 12);
    const Space near = euclidean(space, ticker);
    const auto with_halves = refine(near, start, 3, audited, {}, hot(round, 0.001), ticker);
    const auto by_bounds = refine(near, start, 3, ncp, {}, hot(round, 0.001), ticker);
    EXPECT_EQ(by_bounds.partition.class_of, with_halves.partition.class_of);
    EXPECT_EQ(by_bounds.loss_after, with_halves.loss_after);
  }
}

// The bound of a swap holds to the last bit, for every record that may enter.
TEST(NcpLoss, NoSwapCostsLessThanItsBound) {
  std::mt19937_64 random(5);
  int reached = 0;
  for (int round = 0; round < trials(200); ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    GeneralisationSpace space =
        round % 2 == 0 ? inexact_ranges(random) : random_generalisation(random, 60, 6, hierarchies);
    if (round % 4 < 2) {
      std::vector<Record> weights(60);
      for (Record& weight : weights) weight = roll(random, 1, 9);
      space = space.of_rows(in_order(60), weights);
    }
    const std::vector<Record> members = in_order(roll(random, 1, 12));
    NcpLoss ncp(space);
    ncp.begin(1);
    ncp.assign(0, RecordSpan(members));
    for (const Record out : members) {
      const double least = ncp.least_of_swap({0, RecordSpan(members), out, kNone});
      for (Record in = static_cast<Record>(members.size()); in < space.size(); ++in) {
        const double delta = ncp.delta({0, RecordSpan(members), out, in});
        EXPECT_LE(least, delta);
        reached += least == delta;
      }
    }
  }
  EXPECT_GT(reached, 0);
}

TEST(NcpLoss, TheSearchKeepsConstraints) {
  std::mt19937_64 random(3);
  SilentTicker ticker;
  for (int round = 0; round < 50; ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    const GeneralisationSpace space = random_generalisation(random, 60, 4, hierarchies);
    std::vector<std::int32_t> sensitive;
    for (int i = 0; i < 60; ++i) sensitive.push_back(i / 20);
    DistinctValues distinct({sensitive}, 2);
    AuditedConstraint audited(distinct, [&](const std::vector<Record>& members) {
      std::vector<std::int32_t> values;
      for (const Record i : members) values.push_back(sensitive[static_cast<std::size_t>(i)]);
      return *std::max_element(values.begin(), values.end()) >
                     *std::min_element(values.begin(), values.end())
                 ? 1
                 : -1;
    });
    NcpLoss ncp(space);
    const RefineResult result = refine(euclidean(space, ticker), round_robin(in_order(60), 12), 3,
                                       ncp, {&audited}, hot(round, 0.002), ticker);
    EXPECT_LT(result.loss_after, result.loss_before);
  }
}

TEST(Domain, PenalisesSetsByTheirShareOfTheCategories) {
  Domain domain;
  domain.by = Generalise::set;
  domain.values = 5;
  EXPECT_EQ(domain.penalty(1, 3), 0.5);
  EXPECT_EQ(domain.penalty_of_set(1), 0);
  EXPECT_EQ(domain.penalty_of_set(3), 0.5);
  domain.values = 1;
  EXPECT_EQ(domain.penalty(0, 0), 0);
  EXPECT_EQ(domain.penalty_of_set(1), 0);
}

TEST(NcpMetric, CountsEachKindOfCell) {
  // A number 0..10, an ordinal of 5 ranks, a nominal of 3 categories.
  OwnedTable owned = table_of({0, 0, 0, 4, 2, 1, 10, 4, 2, 5, 1, 2},
                              {{}, {Kind::ordinal, 1, 5}, {Kind::nominal, 1, 3}});
  const Table table = owned.view();
  SilentTicker ticker;
  const Partition partition{{0, 0, 1, 1}, 2};
  const Masked masked = recode(table, members_of(partition), Recode::range, ticker);
  // 4/10 + 2/4 + 1/2 for two records, 5/10 + 3/4 + 0 for two.
  EXPECT_NEAR(mean_ncp(table, partition.class_of, masked, ticker), 2 * (1.4 + 1.25) / 12, 1e-12);
  // Suppressed records lose all information.
  EXPECT_NEAR(mean_ncp(table, {0, 0, kNone, kNone}, masked, ticker), (2 * 1.4 + 6) / 12, 1e-12);
  const Masked centroids = recode(table, members_of(partition), Recode::centroid, ticker);
  EXPECT_TRUE(std::isnan(mean_ncp(table, partition.class_of, centroids, ticker)));
}

TEST(NcpMetric, RangesOfAPartAreSharesOfTheWhole) {
  OwnedTable part = table_of({0, 4, 6, 10});
  part.columns[0].extent = 40;
  SilentTicker ticker;
  const Partition partition{{0, 0, 1, 1}, 2};
  const Masked masked = recode(part.view(), members_of(partition), Recode::range, ticker);
  EXPECT_NEAR(mean_ncp(part.view(), partition.class_of, masked, ticker), 0.1, 1e-12);
  const GeneralisationSpace space =
      generalisation_space(part.view(), {0, 1, 2, 3}, {0}, Recode::range, ticker);
  EXPECT_NEAR(plain_ncp(space, partition), 4 * 0.1, 1e-12);
}

TEST(NcpMetric, CountsGroupsOfHierarchies) {
  const Hierarchy hierarchy({{0, 0, 1, 1}, {0, 0, 0, 0}});
  OwnedTable owned = table_of({0, 1, 2, 3}, {{Kind::nominal, 1, 4}});
  owned.columns[0].hierarchy = &hierarchy;
  SilentTicker ticker;
  Masked masked;
  masked.low = {0, 1, 0};
  masked.levels = {1, 0, 2};
  // Two records of a pair, one value unchanged, one at the top.
  EXPECT_NEAR(mean_ncp(owned.view(), {0, 0, 1, 2}, masked, ticker), (2 * 0.5 + 0 + 1) / 4, 1e-12);
}

TEST(NcpMetric, LosesNothingOfASingleValue) {
  const Hierarchy hierarchy = Hierarchy::suppression(1);
  OwnedTable owned = table_of({0, 0, 0, 0}, {{Kind::nominal, 1, 1}});
  owned.columns[0].hierarchy = &hierarchy;
  SilentTicker ticker;
  Masked masked;
  masked.low = {0, 0};
  masked.levels = {0, 1};
  // Unchanged, at the top, and without the record: all the same to a reader.
  EXPECT_EQ(mean_ncp(owned.view(), {0, 0, 1, kNone}, masked, ticker), 0);
}

TEST(NcpMetric, LeavesAbsentRowsOut) {
  OwnedTable owned = table_of({0, 1, 4, 8}, {{}});
  SilentTicker ticker;
  const Partition partition{{0, 0, kNone, kNone}, 1};
  const Masked masked = recode(owned.view(), members_of(partition), Recode::range, ticker);
  // Twice 1/8 of the extent, which is that of all rows, and a suppressed row beside an absent one.
  EXPECT_NEAR(mean_ncp(owned.view(), partition.class_of, masked, ticker, 1), 1.25 / 3, 1e-12);
}

TEST(NcpMetric, ABlankedCellIsLostAndANullIsNot) {
  OwnedTable owned = table_of({1, 1, 2, kNull, 3, kNull, 5, 5}, {{}, {}});
  SilentTicker ticker;
  const Partition partition{{0, 0, 1, 1}, 2};
  const Masked masked = recode(owned.view(), members_of(partition), Recode::range, ticker);
  // Column 1: 1/4 twice, 2/4 twice; column 2: one value lost in each class.
  EXPECT_NEAR(mean_ncp(owned.view(), partition.class_of, masked, ticker),
              (2 * 0.25 + 2 * 0.5 + 2) / 8, 1e-12);
}

TEST(NcpMetric, EqualsTheLossOfTheSearch) {
  std::mt19937_64 random(5);
  SilentTicker ticker;
  RandomTables tables(5);
  for (int round = 0; round < 200; ++round) {
    OwnedTable owned = tables.make(30, tables.between(1, 5), true, 0);
    for (Column& column : owned.columns) column.attribute.weight = 1;
    const Table table = owned.view();
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < table.columns.size(); ++j) columns.push_back(j);
    const GeneralisationSpace space =
        generalisation_space(table, in_order(30), columns, Recode::range, ticker);
    const Partition partition = round_robin(in_order(30), roll(random, 1, 10));
    const Masked masked = recode(table, members_of(partition), Recode::range, ticker);
    const double cells = 30.0 * static_cast<double>(columns.size());
    EXPECT_NEAR(mean_ncp(table, partition.class_of, masked, ticker),
                total_loss(NcpLoss(space), partition, ticker) / cells, 1e-12);
  }
}

}  // namespace
}  // namespace anonkit
