// Unions of classes within a promised risk, where many records are equal and may be divided.

#include "method/repair/risk_merging.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Counts the work that is announced, in the units of Ticker::step.
class CountingTicker final : public Ticker {
 public:
  std::int64_t polls() const { return polls_; }

 protected:
  void poll() override { ++polls_; }

 private:
  std::int64_t polls_ = 0;
};

/// Pairs of equal records at a few places, united until the mean risk is 1/100.
struct EqualPairs {
  explicit EqualPairs(Record n) {
    std::vector<double> values;
    for (Record i = 0; i < n; ++i) {
      values.push_back(i * std::int64_t{3} / n);
      rows.push_back(i);
      pairs.class_of.push_back(i / 2);
      units.push_back(i);
    }
    pairs.classes = n / 2;
    space.emplace(std::move(values), std::vector<Attribute>(1));
    options.k = 2;
    options.promises.risk_mean = 0.01;
  }

  Partition unite(Ticker& ticker, bool of_persons) {
    const std::vector<std::size_t> columns = {0};
    const std::vector<SensitiveAttribute> none;
    Problem problem{table, rows, columns, *space, none, options, {}, space->size()};
    // With a unit every union is tested against a constraint.
    if (of_persons) problem.units = units;
    return merge_within_risk(problem, pairs, ticker);
  }

  Table table;
  std::vector<Record> rows;
  std::vector<std::int32_t> units;
  std::optional<Space> space;
  Partition pairs;
  Options options;
};

TEST(RiskMerging, UnitesEqualRecordsInTimeAboutLinear) {
  for (const bool of_persons : {false, true}) {
    std::int64_t polls[2];
    for (int i = 0; i < 2; ++i) {
      CountingTicker ticker;
      EqualPairs(i == 0 ? 40000 : 320000).unite(ticker, of_persons);
      polls[i] = ticker.polls();
    }
    ASSERT_GT(polls[0], 10);
    // Eight times the records: eight times log n, where a quadratic number would be 64.
    EXPECT_LE(polls[1], 12 * polls[0]) << polls[0] << " and " << polls[1];
  }
}

TEST(RiskMerging, UnitesEqualRecordsIntoClassesOfSimilarSize) {
  SilentTicker ticker;
  EqualPairs equal(6000);
  const Partition united = equal.unite(ticker, false);
  const Members members = members_of(united);
  Record smallest = 6000, largest = 0;
  for (std::size_t c = 0; c < members.classes(); ++c) {
    smallest = std::min<Record>(smallest, members.of(c).size());
    largest = std::max<Record>(largest, members.of(c).size());
    for (const Record i : members.of(c)) EXPECT_EQ(3 * i / 6000, 3 * *members.of(c).begin() / 6000);
  }
  EXPECT_EQ(united.classes, 60);
  EXPECT_LE(largest, 3 * smallest);
}

}  // namespace
}  // namespace anonkit
