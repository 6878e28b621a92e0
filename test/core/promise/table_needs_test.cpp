// Necessary conditions by the table's values, against all releases of tiny tables.

#include "promise/table_needs.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "fixture/random_sensitive.hpp"
#include "fixture/trials.hpp"
#include "model/p_capacity.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

using reference::Codes;
using reference::share;

/// The definitions with slack for the rounding of shares, so that no allowed class is missed.
bool defined(const Codes& members, const Codes& all, GroundDistance distance,
             const Promises& promises) {
  constexpr double kSlack = 1e-9;
  if (promises.c > 0 && !(reference::recursive_c(members, promises.l) < promises.c)) return false;
  for (const auto& [value, count] : reference::tally(all)) {
    const double p = share(all, value), q = share(members, value);
    if (promises.beta > 0 && q > p * (1 + std::min(promises.beta, -std::log(p))) + kSlack)
      return false;
    if (promises.delta > 0 && !(q > 0 && std::fabs(std::log(q / p)) < promises.delta + kSlack))
      return false;
  }
  if (promises.t == 0) return true;
  return (distance == GroundDistance::nominal
              ? reference::nominal_emd(members, all)
              : reference::ordered_emd(members, all)) <= promises.t + kSlack;
}

struct Releases {
  std::int64_t most_classes = 0;
  std::size_t fewest_values = std::numeric_limits<std::size_t>::max();
};

/// All partitions of the records into classes that keep the promises.
Releases all_releases(const Codes& all, GroundDistance distance, const Promises& promises) {
  Releases found;
  std::vector<Codes> classes;
  const std::function<void(std::size_t)> place = [&](std::size_t next) {
    if (next == all.size()) {
      for (const Codes& members : classes)
        if (!defined(members, all, distance, promises)) return;
      found.most_classes = std::max(found.most_classes, static_cast<std::int64_t>(classes.size()));
      for (const Codes& members : classes)
        found.fewest_values = std::min(found.fewest_values, reference::tally(members).size());
      return;
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      classes[c].push_back(all[next]);
      place(next + 1);
      classes[c].pop_back();
    }
    classes.push_back({all[next]});
    place(next + 1);
    classes.pop_back();
  };
  place(0);
  return found;
}

std::int64_t bound_of_classes(const SensitiveAttribute& attribute, const TableNeeds& needs) {
  SilentTicker ticker;
  const ClassHistogram histogram(Codes(attribute.ranks.size(), 0),
                                 {attribute.ranks, AttributeScale::nominal, {}}, ticker);
  return std::min(needs.classes, p_capacity(histogram, needs.values, ticker).max_clusters);
}

Promises promises_of(int kind, RandomSensitive& random) {
  Promises promises;
  const double level = random.between(1, 19) / 10.0;
  if (kind == 0) {
    promises.c = level;
    promises.l = random.between(1, 3);
  } else if (kind == 1) {
    promises.beta = level;
  } else if (kind == 2) {
    promises.delta = level;
  } else {
    promises.t = level / 3;
  }
  return promises;
}

class TableNeedsOf : public testing::TestWithParam<int> {};

TEST_P(TableNeedsOf, HoldForAllReleasesAndAreOftenReached) {
  const int kind = GetParam();
  const GroundDistance distance = kind == 4 ? GroundDistance::ordered : GroundDistance::nominal;
  RandomSensitive random(static_cast<std::uint64_t>(kind) + 1);
  SilentTicker ticker;
  int reached = 0, below_all = 0;
  const int kTables = trials(400);
  for (int round = 0; round < kTables; ++round) {
    const Promises promises = promises_of(kind, random);
    const SensitiveAttribute attribute = random.make(distance, random.between(2, 7), promises.t);
    const TableNeeds needs = needs_of_table(attribute, promises, false, ticker);
    const Releases releases = all_releases(attribute.ranks, distance, promises);
    const std::int64_t bound = bound_of_classes(attribute, needs);
    ASSERT_LE(releases.most_classes, bound) << round;
    ASSERT_LE(static_cast<std::size_t>(needs.values), releases.fewest_values) << round;
    reached += bound == releases.most_classes ? 1 : 0;
    below_all += bound < static_cast<std::int64_t>(attribute.ranks.size()) ? 1 : 0;
  }
  EXPECT_GT(reached, kTables / 2);
  EXPECT_GT(below_all, kTables / 3);
}

std::string name_of_kind(const testing::TestParamInfo<int>& kind) {
  constexpr const char* kNames[] = {"Recursive", "Beta", "Delta", "NominalT", "OrderedT"};
  return kNames[kind.param];
}

INSTANTIATE_TEST_SUITE_P(Promises, TableNeedsOf, testing::Range(0, 5), name_of_kind);

TableNeeds needs_of(const Codes& codes, const Promises& promises, bool of_persons = false) {
  SensitiveAttribute attribute;
  attribute.ranks = codes;
  attribute.distance = GroundDistance::nominal;
  attribute.t = promises.t;
  SilentTicker ticker;
  return needs_of_table(attribute, promises, of_persons, ticker);
}

TEST(TableNeeds, CAtMostOneNeedsMoreValuesThanL) {
  Promises promises;
  promises.l = 2;
  const Codes codes = {0, 1, 2, 3, 4, 5};
  promises.c = 1.5;
  EXPECT_EQ(needs_of(codes, promises).values, 2);
  promises.c = 1;  // 1 < 1 (1 + 1)
  EXPECT_EQ(needs_of(codes, promises).values, 3);
  promises.c = 1 / 3.0;
  EXPECT_EQ(needs_of(codes, promises).values, 5);
  promises.c = 1e-300;
  EXPECT_EQ(needs_of(codes, promises).values, 1000000000);
}

TEST(TableNeeds, ATableThatIsNotRecursiveHasNoRelease) {
  Promises promises;
  promises.l = 2;
  promises.c = 2;
  EXPECT_EQ(needs_of({0, 0, 0, 0, 1, 2}, promises).classes, 0);  // 4 is not below 2 * 2
  EXPECT_GT(needs_of({0, 0, 0, 1, 2}, promises).classes, 0);
  // Persons meet in several classes, so the table proves nothing.
  EXPECT_GT(needs_of({0, 0, 0, 0, 1, 2}, promises, true).classes, 0);
}

TEST(TableNeeds, DeltaNeedsAllValuesInEveryClass) {
  Promises promises;
  promises.delta = 0.5;
  EXPECT_EQ(needs_of({0, 0, 1, 1, 2, 2, 2}, promises).values, 3);
}

TEST(TableNeeds, ARareValueAllowsOnlyLargeClasses) {
  Promises promises;
  promises.beta = 1;  // a quarter of the records may be half of a class
  EXPECT_EQ(needs_of({0, 0, 1, 1, 2, 2, 3, 3}, promises).classes, 4);
}

}  // namespace
}  // namespace anonkit
