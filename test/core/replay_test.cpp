#include "replay.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"

namespace anonkit {
namespace {

/// A small table with one sensitive column of few values.
struct Case {
  OwnedTable owned;
  std::vector<std::int32_t> ranks;
  Table table;

  Case(RandomTables& random, int n, int values) : owned(random.make(n, 2, false, 0)) {
    for (int i = 0; i < n; ++i) ranks.push_back(i < values ? i : random.between(0, values - 1));
    table = owned.view();
    SensitiveColumn column;
    column.name = "s";
    column.ranks = ranks.data();
    column.distinct = values;
    table.sensitive.push_back(column);
    for (std::size_t i = 0; i < ranks.size(); ++i)
      owned.fingerprints[i] = {static_cast<std::uint64_t>(ranks[i]), 7};
  }
};

Options options_of(std::int32_t k, std::int32_t l) {
  Options options;
  options.k = k;
  options.promises.l = l;
  return options;
}

std::vector<ReplayedClass> replayed(const Case& c, const char* method, const Options& options,
                                    int arrangements) {
  SilentTicker ticker;
  return replay(c.table, *find_method(method), options, {4, arrangements, 1}, ticker);
}

TEST(Replay, MethodsThatSeeNoValuesGiveNothingAway) {
  RandomTables random(1);
  int attacks = 0;
  for (int round = 0; round < 40; ++round) {
    const Case c(random, random.between(12, 30), 3);
    for (const char* method : {"mdav", "vmdav"})
      for (const ReplayedClass& attacked : replayed(c, method, options_of(3, 0), 1000)) {
        EXPECT_EQ(attacked.consistent, attacked.tried);
        EXPECT_NEAR(attacked.belief_after, attacked.belief_before, 1e-12);
        EXPECT_EQ(attacked.determined, 0);
        ++attacks;
      }
  }
  EXPECT_GT(attacks, 150);
}

TEST(Replay, ASampleFavoursNoValue) {
  RandomTables random(5);
  double gain = 0;
  int attacks = 0;
  for (int round = 0; round < trials(200); ++round) {
    const Case c(random, 40, 6);
    for (const ReplayedClass& attacked : replayed(c, "mdav", options_of(8, 0), 9)) {
      gain += attacked.belief_after - attacked.belief_before;
      ++attacks;
    }
  }
  EXPECT_GT(attacks, trials(500));
  EXPECT_NEAR(gain / attacks, 0, is_sanitized() ? 0.02 : 0.005);
}

TEST(Replay, ASearchUnderAPromiseGivesValuesAway) {
  RandomTables random(2);
  double before = 0, after = 0;
  Record determined = 0;
  for (int round = 0; round < (is_sanitized() ? 3 : 10); ++round) {
    const Case c(random, 24, 4);
    for (const ReplayedClass& attacked : replayed(c, "microaggregate", options_of(3, 3), 24)) {
      EXPECT_GE(attacked.consistent, 1);
      EXPECT_LE(attacked.consistent, attacked.tried);
      EXPECT_LE(attacked.determined, attacked.undetermined_before);
      before += attacked.belief_before;
      after += attacked.belief_after;
      determined += attacked.determined;
    }
  }
  EXPECT_GT(after, 1.2 * before);
  EXPECT_GT(determined, 0);
}

TEST(Replay, ClassesOfOneValueAreNotAttacked) {
  RandomTables random(3);
  Case c(random, 20, 1);
  EXPECT_TRUE(replayed(c, "mdav", options_of(4, 0), 16).empty());
}

TEST(Replay, EqualSeedsAttackAlike) {
  RandomTables random(4);
  const Case c(random, 40, 5);
  const auto one = replayed(c, "microaggregate", options_of(4, 2), 16);
  const auto two = replayed(c, "microaggregate", options_of(4, 2), 16);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].first, two[i].first);
    EXPECT_EQ(one[i].consistent, two[i].consistent);
  }
}

/// One class of all rows, which every table yields.
class OneClass final : public ReplayTarget {
 public:
  explicit OneClass(Record rows) : rows_(rows) {}

  std::vector<std::vector<Record>> shown_classes() const override {
    std::vector<Record> all;
    for (Record i = 0; i < rows_; ++i) all.push_back(i);
    return {all};
  }
  bool is_released_from(const Table& table) override {
    for (Record i = 0; i < rows_ && table.fingerprints != nullptr; ++i)
      covered +=
          table.fingerprints[i][0] == static_cast<std::uint64_t>(table.sensitive[0].ranks[i]);
    return true;
  }

  std::int64_t covered = 0;  ///< fingerprints of their row's value, over all tables

 private:
  Record rows_;
};

TEST(Replay, FingerprintsFollowTheValuesTheyCover) {
  RandomTables random(6);
  SilentTicker ticker;
  const Case c(random, 5, 3);
  OneClass release(5);
  const auto attacked = attack(c.table, release, {1, 1000, 1}, ticker);
  ASSERT_EQ(attacked.size(), 1U);
  EXPECT_GT(attacked[0].tried, 6);
  EXPECT_EQ(release.covered, 5 * (attacked[0].tried - 1));
}

TEST(Replay, RefusesArrangementsWhoseValuesAloneFillTheMemory) {
  RandomTables random(7);
  SilentTicker ticker;
  const Case c(random, 3, 3);
  Table table = c.table;
  table.sensitive.resize(100, table.sensitive[0]);
  OneClass release(3);
  const std::int64_t of_values = 2 * 6 * 3 * 100 * std::int64_t{sizeof(std::int32_t)};
  EXPECT_EQ(attack(table, release, {1, 6, 1, 2 * of_values}, ticker)[0].tried, 6);
  EXPECT_THROW(attack(table, release, {1, 6, 1, of_values}, ticker), Error);
}

}  // namespace
}  // namespace anonkit
