#include "model/aggregate_knowledge.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/aggregate_fixture.hpp"
#include "fixture/impatient_ticker.hpp"

namespace anonkit {
namespace {

constexpr AggregateGuarantee kCandidates = AggregateGuarantee::candidates;
constexpr AggregateGuarantee kIdentical = AggregateGuarantee::identical;
const std::vector<AggregateFunction> kSum = {AggregateFunction{}};

const reference::Rows kTableI = {{10, 20, 100}, {15, 15, 105}, {30, 40, 200}, {40, 30, 210}};
const reference::Published kTableII = {
    {{10, 15, 100}, {10, 15, 100}, {30, 30, 200}, {30, 30, 200}},
    {{15, 20, 105}, {15, 20, 105}, {40, 40, 210}, {40, 40, 210}}};
const reference::Published kTableIII = {
    {{10, 20, 100}, {10, 15, 105}, {30, 40, 200}, {40, 30, 200}},
    {{15, 20, 100}, {15, 15, 105}, {30, 40, 210}, {40, 30, 210}}};

TEST(AggregateKnowledge, TableIIsNotAnonymous) {
  const reference::Published as_it_is{kTableI, kTableI};
  EXPECT_EQ(judged(as_it_is, kTableI, kSum, 0, kCandidates).k, 1);
  EXPECT_EQ(judged(as_it_is, {}, kSum, 0, kIdentical).k, 1);
  // An attacker who knows incomes to 5 % cannot distinguish 130 from 135, nor 270 from 280.
  EXPECT_EQ(judged(as_it_is, kTableI, kSum, 0.05, kCandidates).k, 2);
  EXPECT_EQ(judged(as_it_is, {}, kSum, 0.05, kIdentical).k, 2);
}

TEST(AggregateKnowledge, TableIIIs2AnonymousInEverySense) {
  EXPECT_EQ(judged(kTableII, kTableI, kSum, 0, kCandidates).k, 2);
  EXPECT_EQ(judged(kTableII, {}, kSum, 0, kCandidates).k, 2);
  EXPECT_EQ(judged(kTableII, {}, kSum, 0, kIdentical).k, 2);
}

TEST(AggregateKnowledge, TableIIIIs2AnonymousForItsIntervalsOfF) {
  EXPECT_EQ(judged(kTableIII, kTableI, kSum, 0, kCandidates).k, 2);
  EXPECT_EQ(judged(kTableIII, kTableI, kSum, 0, kIdentical).k, 2);
}

/// The level by a comparison of every target with every published record.
int plain_level(const reference::Published& cells, const reference::Rows& originals,
                const std::vector<AggregateFunction>& functions, double d,
                AggregateGuarantee guarantee) {
  std::size_t least = cells.low.size();
  for (std::size_t t = 0; t < cells.low.size(); ++t) {
    std::size_t found = 0;
    for (std::size_t u = 0; u < cells.low.size(); ++u) {
      bool counts = true;
      for (const AggregateFunction& function : functions) {
        const reference::Interval other = reference::f(function, cells.low[u], cells.high[u]);
        const reference::Interval own = reference::f(function, cells.low[t], cells.high[t]);
        counts &= guarantee == kCandidates
                      ? reference::is_candidate(other, reference::f(function, originals[t]), d)
                      : reference::is_alike(other.low, own.low, d) &&
                            reference::is_alike(other.high, own.high, d);
      }
      found += counts ? 1 : 0;
    }
    least = std::min(least, found);
  }
  return static_cast<int>(least);
}

/// Cells widened slightly, or not.
reference::Published widened(const reference::Rows& rows, RandomTables& random) {
  reference::Published cells{rows, rows};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (random.between(0, 1) == 0) continue;
      cells.low[i][j] -= random.between(0, 9);
      cells.high[i][j] += random.between(0, 9);
    }
  return cells;
}

TEST(AggregateKnowledge, IsTheFewestOverAllTargets) {
  RandomTables random(1);
  for (int round = 0; round < trials(2000); ++round) {
    const int n = random.between(1, 50), m = random.between(1, 4);
    const reference::Rows rows = random.whole(n, m);
    const reference::Published cells = widened(rows, random);
    const AggregateOptions options = random.options(m, 1);
    EXPECT_EQ(judged(cells, rows, options.functions, options.d, options.guarantee).k,
              plain_level(cells, rows, options.functions, options.d, options.guarantee));
  }
}

TEST(AggregateKnowledge, AllFunctionsAtOnceProtectNoMoreThanEachAlone) {
  RandomTables random(2);
  for (int round = 0; round < 300; ++round) {
    const reference::Rows rows = random.whole(30, 3);
    const reference::Published cells = widened(rows, random);
    const std::vector<AggregateFunction> both = {random.function(3), random.function(3)};
    for (const AggregateGuarantee guarantee : {kCandidates, kIdentical})
      for (const AggregateFunction& alone : both)
        EXPECT_LE(judged(cells, rows, both, 0, guarantee).k,
                  judged(cells, rows, {alone}, 0, guarantee).k);
  }
}

TEST(AggregateKnowledge, WithoutOriginalsTheWorstOfAllPossibleOnesCounts) {
  RandomTables random(3);
  for (int round = 0; round < 500; ++round) {
    const int n = random.between(1, 30), m = random.between(1, 3);
    const reference::Rows rows = random.whole(n, m);
    const reference::Published cells = widened(rows, random);
    const AggregateOptions options = random.options(m, 1);
    const std::vector<AggregateFunction> one = {options.functions[0]};
    if (one[0].aggregate == Aggregate::avg) continue;  // the plain function adds instead
    // Integers have their fewest candidates at an integer or half-way between two.
    int least = n;
    for (int t = 0; t < n && options.d == 0; ++t) {
      const auto at = static_cast<std::size_t>(t);
      const reference::Interval own = reference::f(one[0], cells.low[at], cells.high[at]);
      for (double x = own.low; x <= own.high; x += 0.5) {
        int found = 0;
        for (std::size_t u = 0; u < cells.low.size(); ++u)
          found += reference::is_candidate(reference::f(one[0], cells.low[u], cells.high[u]), x, 0);
        least = std::min(least, found);
      }
    }
    const int level = judged(cells, {}, one, options.d, kCandidates).k;
    EXPECT_LE(level, judged(cells, rows, one, options.d, kCandidates).k);
    if (options.d == 0) {
      EXPECT_EQ(level, least);
    }
  }
}

TEST(AggregateKnowledge, DoesNotDependOnTheUnit) {
  RandomTables random(4);
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, 30), m = random.between(1, 3);
    const reference::Published cells = widened(random.whole(n, m), random);
    reference::Published small = cells;
    for (reference::Rows* rows : {&small.low, &small.high})
      for (reference::Row& row : *rows)
        for (auto& x : row) x /= 1024;
    const AggregateOptions options = random.options(m, 1);
    const std::vector<AggregateFunction> one = {options.functions[0]};
    const AggregateLevel level = judged(cells, {}, one, options.d, kCandidates);
    EXPECT_EQ(judged(small, {}, one, options.d, kCandidates).k, level.k);
  }
}

TEST(AggregateKnowledge, CountsTheSensitiveValuesOfTheCandidates) {
  // Both pairs have equal f; the second pair shares its sensitive value.
  EXPECT_EQ(judged(kTableII, kTableI, kSum, 0, kCandidates, {0, 1, 2, 3}).distinct, 2);
  EXPECT_EQ(judged(kTableII, kTableI, kSum, 0, kCandidates, {0, 1, 2, 2}).distinct, 1);
  EXPECT_EQ(judged(kTableII, kTableI, kSum, 0, kIdentical, {0, 1, 2, 2}).distinct, 1);
}

TEST(AggregateKnowledge, KnowsHowWideTheIntervalsAre) {
  const std::vector<double> low = flat(kTableII.low), high = flat(kTableII.high);
  PublishedRanges ranges;
  ranges.records = 4;
  ranges.attributes = 3;
  ranges.low = low.data();
  ranges.high = high.data();
  SilentTicker ticker;
  // [125,140] and [260,290]
  EXPECT_EQ(mean_interval_width(ranges, kSum[0], ticker), 22.5);
  EXPECT_EQ(mean_interval_width(ranges, aggregate_function("weighted_sum", 3, {1, -1, 0}), ticker),
            15);
}

TEST(AggregateKnowledge, NamesTheWorstTarget) {
  reference::Rows rows = {{1, 1}, {1, 1}, {5, 5}, {1, 1}};
  EXPECT_EQ(judged({rows, rows}, rows, kSum, 0, kCandidates).worst, 2);
  EXPECT_EQ(judged({rows, rows}, {}, kSum, 0, kCandidates).worst, 2);
  EXPECT_EQ(judged({rows, rows}, {}, kSum, 0, kIdentical).worst, 2);
  // The first, where none is worse.
  rows.assign(3, {1, 1});
  EXPECT_EQ(judged({rows, rows}, rows, kSum, 0, kCandidates).worst, 0);
}

// A search for each of the others would ask some thousand times.
TEST(AggregateKnowledge, OfEqualRecordsIsThatOfOne) {
  constexpr std::int32_t kMany = 20000;
  const std::vector<double> cells(2 * kMany, 7);
  PublishedRanges ranges;
  ranges.records = kMany;
  ranges.attributes = 2;
  ranges.low = ranges.high = ranges.original = cells.data();
  const std::vector<AggregateFunction> both = {AggregateFunction{}, AggregateFunction{}};
  for (const AggregateGuarantee guarantee : {kCandidates, kIdentical})
    for (const std::vector<AggregateFunction>& functions : {kSum, both}) {
      ImpatientTicker ticker(100);
      EXPECT_EQ(aggregate_level(ranges, functions, 0, guarantee, ticker).k, kMany);
    }
}

// All are in one class, though an attacker knows different things of each.
TEST(AggregateKnowledge, OfOneFunctionIsCountedWithoutASearch) {
  constexpr std::int32_t kMany = 20000;
  std::vector<double> original;
  for (std::int32_t i = 0; i < 2 * kMany; ++i) original.push_back(i);
  const std::vector<double> low(2 * kMany, 0), high(2 * kMany, 2 * kMany);
  PublishedRanges ranges;
  ranges.records = kMany;
  ranges.attributes = 2;
  ranges.low = low.data();
  ranges.high = high.data();
  ranges.original = original.data();
  ImpatientTicker ticker(100);
  EXPECT_EQ(aggregate_level(ranges, kSum, 0, kCandidates, ticker).k, kMany);
}

TEST(AggregateKnowledge, RefusesWhatCannotBeJudged) {
  EXPECT_THROW(judged(kTableII, kTableI, {}, 0, kCandidates), Error);
  EXPECT_THROW(judged(kTableII, kTableI, kSum, 1, kCandidates), Error);
  EXPECT_THROW(judged(kTableII, {}, {kSum[0], kSum[0]}, 0, kCandidates), Error);
  EXPECT_THROW(judged({kTableII.high, kTableII.low}, kTableI, kSum, 0, kCandidates), Error);
  auto first_is_empty = kTableII;
  first_is_empty.low[0][0] = first_is_empty.high[0][0] + 1;
  EXPECT_THROW(judged(first_is_empty, kTableI, kSum, 0, kCandidates), Error);
}

TEST(AggregateKnowledge, RefusesARelationWithoutRecords) {
  SilentTicker ticker;
  PublishedRanges none;
  none.attributes = 3;
  EXPECT_THROW(aggregate_level(none, kSum, 0, kCandidates, ticker), Error);
}

}  // namespace
}  // namespace anonkit
