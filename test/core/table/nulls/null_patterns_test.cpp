#include "table/nulls/null_patterns.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "table/nulls/pattern_flow.hpp"

namespace anonkit {
namespace {

using Counts = std::vector<std::int64_t>;  ///< records by pattern, a bit mask of the columns

std::vector<PatternCount> patterns_of(const Counts& counts) {
  std::vector<PatternCount> patterns;
  for (std::size_t mask = 0; mask < counts.size(); ++mask)
    if (counts[mask] > 0) patterns.push_back({{mask}, counts[mask]});
  return patterns;
}

/// The least cost by enumeration of every pattern for every record.
class Exhaustive {
 public:
  Exhaustive(const Counts& counts, std::int64_t k) : k_(k), held_(counts.size(), 0) {
    for (std::size_t mask = 0; mask < counts.size(); ++mask)
      for (std::int64_t i = 0; i < counts[mask]; ++i) records_.push_back(mask);
  }

  std::int64_t least() {
    place(0, 0, 0);
    return least_;
  }

 private:
  /// Records of one pattern are equal, so each takes at least the index of the previous one.
  void place(std::size_t i, std::size_t lowest, std::int64_t cost) {
    if (cost >= least_) return;
    if (i == records_.size()) {
      if (std::all_of(held_.begin(), held_.end(), [&](auto n) { return n == 0 || n >= k_; }))
        least_ = cost;
      return;
    }
    const std::size_t from = records_[i];
    for (std::size_t to = std::max(from, lowest); to < held_.size(); ++to) {
      if ((from & ~to) != 0) continue;
      ++held_[to];
      const bool same = i + 1 < records_.size() && records_[i + 1] == from;
      place(i + 1, same ? to : 0, cost + null_count({to}) - null_count({from}));
      --held_[to];
    }
  }

  std::int64_t k_;
  Counts held_;
  std::vector<std::size_t> records_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

/// Checks that every record has a place, that nulls only increase, that every pattern has none or k
/// records, and that the cost is correct.
void expect_valid(const std::vector<PatternCount>& patterns, std::int64_t k,
                  const BlankingPlan& plan) {
  std::map<NullPattern, std::int64_t> held;
  for (const PatternCount& one : patterns) held[one.pattern] = one.records;
  std::vector<std::int64_t> left;
  for (const PatternCount& one : patterns) left.push_back(one.records);
  std::int64_t cells = 0;
  for (const Blanking& one : plan.blankings) {
    ASSERT_GT(one.records, 0);
    const NullPattern& from = patterns.at(one.from).pattern;
    ASSERT_TRUE(covers(one.to, from));
    ASSERT_NE(one.to, from);
    held[from] -= one.records;
    held[one.to] += one.records;
    left[one.from] -= one.records;
    cells += one.records * (null_count(one.to) - null_count(from));
  }
  EXPECT_EQ(cells, plan.cells);
  for (const std::int64_t records : left) EXPECT_GE(records, 0);
  for (const auto& [pattern, records] : held) EXPECT_TRUE(records == 0 || records >= k);
}

TEST(NullPatterns, BlanksAsFewCellsAsAnExhaustiveSearch) {
  std::mt19937_64 random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(4000); ++round) {
    const std::size_t columns = 1 + random() % 3;
    const std::size_t records = 1 + random() % 9;
    Counts counts(std::size_t{1} << columns, 0);
    for (std::size_t i = 0; i < records; ++i)
      ++counts[random() % 2 == 0 ? 0 : random() % counts.size()];
    const auto k = static_cast<std::int64_t>(1 + random() % records);
    const auto patterns = patterns_of(counts);
    const BlankingPlan plan = plan_blanking(patterns, k, ticker);
    expect_valid(patterns, k, plan);
    ASSERT_TRUE(plan.least);
    ASSERT_EQ(plan.cells, Exhaustive(counts, k).least())
        << "columns " << columns << ", records " << records << ", k " << k;
  }
}

TEST(NullPatterns, CompleteRecordsFillASmallPattern) {
  SilentTicker ticker;
  const BlankingPlan plan = plan_blanking({{{0}, 1000}, {{1}, 3}}, 5, ticker);
  ASSERT_EQ(plan.blankings.size(), 1u);
  EXPECT_EQ(plan.cells, 2);
  EXPECT_EQ(plan.blankings[0].from, 0u);
  EXPECT_EQ(plan.blankings[0].to, NullPattern{1});
  EXPECT_EQ(plan.blankings[0].records, 2);
}

TEST(NullPatterns, TwoSmallPatternsMeetInTheirUnion) {
  SilentTicker ticker;
  const BlankingPlan plan = plan_blanking({{{1}, 2}, {{2}, 3}}, 5, ticker);
  EXPECT_EQ(plan.cells, 5);
  for (const Blanking& one : plan.blankings) EXPECT_EQ(one.to, NullPattern{3});
}

TEST(NullPatterns, APatternOfKRecordsIsGivenUpWhereNothingElseHelps) {
  SilentTicker ticker;
  const BlankingPlan plan = plan_blanking({{{0}, 5}, {{3}, 4}}, 5, ticker);
  EXPECT_EQ(plan.cells, 10);
  EXPECT_TRUE(plan.least);
}

TEST(NullPatterns, NothingIsBlankedWherePatternsAreLargeOrKIsOne) {
  SilentTicker ticker;
  EXPECT_TRUE(plan_blanking({{{0}, 7}, {{1}, 5}}, 5, ticker).blankings.empty());
  EXPECT_TRUE(plan_blanking({{{0}, 1}, {{6}, 1}}, 1, ticker).blankings.empty());
}

/// Nulls in `columns` columns at a rate, independent of each other.
std::vector<PatternCount> random_patterns(std::uint64_t seed, std::size_t columns, int records,
                                          double rate) {
  std::mt19937_64 random(seed);
  std::map<NullPattern, std::int64_t> counts;
  for (int i = 0; i < records; ++i) {
    NullPattern pattern = no_nulls(columns);
    for (std::size_t j = 0; j < columns; ++j)
      if (static_cast<double>(random() >> 11) * 0x1p-53 < rate) set_null(pattern, j);
    ++counts[pattern];
  }
  std::vector<PatternCount> patterns;
  for (const auto& [pattern, count] : counts) patterns.push_back({pattern, count});
  return patterns;
}

TEST(NullPatterns, PlansBeyondTheExactLimitsAreValidToo) {
  SilentTicker ticker;
  struct Case {
    std::size_t columns;
    int records;
    double rate;
  };
  for (const Case& c : {Case{6, 500, 0.2}, Case{9, 300, 0.1}, Case{12, 3000, 0.2},
                        Case{30, 2500, 0.3}, Case{70, 400, 0.02}, Case{130, 200, 0.5}}) {
    const auto patterns = random_patterns(c.columns, c.columns, c.records, c.rate);
    for (const std::int64_t k : {2, 5, 100}) {
      const BlankingPlan plan = plan_blanking(patterns, k, ticker, 1 << 20);
      expect_valid(patterns, k, plan);
      std::int64_t nulls = 0;
      for (const PatternCount& one : patterns) nulls += one.records * null_count(one.pattern);
      EXPECT_LE(plan.cells, static_cast<std::int64_t>(c.columns) * c.records - nulls)
          << "no worse than blanking everything";
    }
  }
}

TEST(NullPatterns, MoreEffortBlanksNoMoreCells) {
  SilentTicker ticker;
  for (std::uint64_t seed = 0; seed < trials(40); ++seed) {
    const auto patterns = random_patterns(seed, 5, 200, 0.15);
    const BlankingPlan greedy = plan_blanking(patterns, 5, ticker, 0);
    const BlankingPlan some = plan_blanking(patterns, 5, ticker, 1 << 16);
    const BlankingPlan full = plan_blanking(patterns, 5, ticker);
    expect_valid(patterns, 5, greedy);
    EXPECT_LE(some.cells, greedy.cells);
    EXPECT_LE(full.cells, some.cells);
  }
}

TEST(PatternFlow, VisitsAnArcFromEitherEndOnceASearch) {
  // Three patterns, each of which covers those before it, and six arcs. The last two lack records.
  PatternFlow flow({{0}, {1}, {3}}, {5, 1, 1}, 2);
  ASSERT_TRUE(flow.solve({PatternStatus::kept, PatternStatus::kept, PatternStatus::kept}));
  EXPECT_EQ(flow.cells(), 1 + 2);
  EXPECT_GT(flow.work(), 6);
  EXPECT_LE(flow.work(), 6 + 2 * (6 + 6));
}

}  // namespace
}  // namespace anonkit
