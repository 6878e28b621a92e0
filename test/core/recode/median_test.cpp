#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "recode/masked.hpp"

namespace anonkit {
namespace {

/// By definition: the least value of which at least half of all are not above it.
double lower_median(const std::vector<double>& values) {
  double median = kNull;
  for (const double candidate : values) {
    const auto not_above =
        2 * std::count_if(values.begin(), values.end(), [&](double x) { return x <= candidate; });
    if (not_above >= static_cast<std::ptrdiff_t>(values.size()) && !(median <= candidate))
      median = candidate;
  }
  return median;
}

std::vector<double> values_of(const Table& table, const Members& members, std::size_t c,
                              std::size_t j) {
  std::vector<double> values;
  for (Record i = members.first_of[c]; i < members.first_of[c + 1]; ++i)
    values.push_back(table.value(members.records[static_cast<std::size_t>(i)], j));
  return values;
}

double absolute_errors(const std::vector<double>& values, double from) {
  double sum = 0;
  for (const double x : values) sum += std::fabs(x - from);
  return sum;
}

TEST(Median, IsThatOfTheDefinitionAndTheCentroidOfCategories) {
  RandomTables random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t d = 3;
    const OwnedTable owned = random.make(random.between(1, 30), d, true, round % 3 == 0 ? 8 : 0);
    const Table table = owned.view();
    const Members members = random_classes(random, table.rows);
    const Masked medians = recode(table, members, Recode::median);
    const Masked centroids = recode(table, members, Recode::centroid);
    EXPECT_TRUE(medians.high.empty() && medians.sets.empty() && medians.levels.empty());
    for (std::size_t cell = 0; cell < medians.low.size(); ++cell) {
      const std::vector<double> values = values_of(table, members, cell / d, cell % d);
      if (table.columns[cell % d].attribute.kind != Kind::numeric)
        ASSERT_EQ(medians.low[cell], centroids.low[cell]);
      else if (std::any_of(values.begin(), values.end(), is_null))
        ASSERT_TRUE(is_null(medians.low[cell]));
      else
        ASSERT_EQ(medians.low[cell], lower_median(values)) << "round " << round;
    }
  }
}

TEST(Median, HasTheLeastAbsoluteErrorAndAtMostTwiceTheSquaredErrorOfTheMean) {
  RandomTables random(2);
  SilentTicker ticker;
  bool more = false;
  for (int round = 0; round < 2000; ++round) {
    const OwnedTable owned = random.make(random.between(1, 30), 1, false, 0);
    const Table table = owned.view();
    const Members members = random_classes(random, table.rows);
    const Masked medians = recode(table, members, Recode::median);
    const Masked means = recode(table, members, Recode::centroid);
    const std::vector<Scale> scales(1);
    const auto of_medians = class_errors(table, members, medians, scales, ticker);
    const auto of_means = class_errors(table, members, means, scales, ticker);
    for (std::size_t c = 0; c < of_means.size(); ++c) {
      ASSERT_LE(of_medians[c], 2 * of_means[c] * (1 + 1e-9) + 1e-9);
      more = more || of_medians[c] > 1.5 * of_means[c];
      const std::vector<double> values = values_of(table, members, c, 0);
      for (const double other : values)
        ASSERT_LE(absolute_errors(values, medians.low[c]),
                  absolute_errors(values, other) * (1 + 1e-9));
    }
  }
  EXPECT_TRUE(more) << "the bound of two is nearly reached";
}

TEST(Median, OfClassesWithEqualMediansIsThatOfTheirUnion) {
  RandomTables random(3);
  int joined = 0;
  for (int round = 0; round < 2000; ++round) {
    const OwnedTable owned = random.make(random.between(2, 30), 1, false, 0);
    const Table table = owned.view();
    const Members members = random_classes(random, table.rows);
    Partition partition;
    partition.classes = static_cast<ClassId>(members.first_of.size()) - 1;
    for (ClassId c = 0; c < partition.classes; ++c)
      partition.class_of.insert(
          partition.class_of.end(),
          static_cast<std::size_t>(members.first_of[c + 1] - members.first_of[c]), c);
    Masked masked = recode(table, members, Recode::median);
    SilentTicker ticker;
    join_equal_rows(masked, partition, ticker);
    joined += masked.low.size() < members.first_of.size() - 1 ? 1 : 0;
    ASSERT_EQ(masked.low, recode(table, members_of(partition), Recode::median).low);
  }
  EXPECT_GT(joined, 100);
}

}  // namespace
}  // namespace anonkit
