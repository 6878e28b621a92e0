// The founding of classes among persons of whom some have no sensitive value.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "settling.hpp"

namespace anonkit {
namespace {

/// The largest distance of a class that shows values 0, 1 and 2 from all that do.
double largest_distance(const Anonymized& made, const std::vector<std::int32_t>& ranks) {
  std::vector<std::array<double, 3>> classes;
  std::array<double, 3> all = {};
  const auto add = [](std::array<double, 3>& shares, const std::array<double, 3>& more) {
    for (std::size_t v = 0; v < 3; ++v) shares[v] += more[v];
  };
  const auto rows = [](const std::array<double, 3>& n) { return n[0] + n[1] + n[2]; };
  for (std::size_t c = 0; c < made.members.classes(); ++c) {
    if (made.withheld[c]) continue;
    classes.push_back({});
    for (const Record row : made.members.of(c))
      ++classes.back()[static_cast<std::size_t>(ranks[static_cast<std::size_t>(row)])];
    add(all, classes.back());
  }
  double largest = 0;
  for (const std::array<double, 3>& one : classes) {
    double distance = 0;
    for (std::size_t v = 0; v < 3; ++v)
      distance += std::abs(one[v] / rows(one) - all[v] / rows(all)) / 2;
    largest = std::max(largest, distance);
  }
  return largest;
}

/// Readers take a class without a value for one that withholds, and distances are relative to the
/// others.
TEST(Settling, AClassOfNullsCountsAsOneThatWithholds) {
  constexpr std::int32_t kNull = 2;
  int without_value = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    OwnedTable owned = table_of({0});
    owned.values.clear();
    std::vector<std::vector<std::int32_t>> ranks(1);
    Waiters waiters;
    const std::uint32_t nulls = 10 + random.below(15);
    for (std::uint32_t row = 0; row < 40; ++row) {
      owned.values.push_back(row / 5 * 1000 + row);
      owned.fingerprints.push_back({mix(seed + row), row});
      ranks[0].push_back(row < nulls ? kNull : static_cast<std::int32_t>(random.below(2)));
      waiters.waited.push_back(0);
      waiters.holders.push_back(row);
      waiters.met.push_back(0);
    }
    Table table = owned.view();
    add_sensitive(table, ranks);
    table.sensitive[0].distinct = kNull + 1;
    table.sensitive[0].nulls = nulls;
    Options options;
    options.k = 5;
    options.promises.t = 0.3 + 0.01 * random.below(30);
    SilentTicker ticker;
    const Anonymized made = settle(table, *find_method("microaggregate"), options, waiters,
                                   {std::numeric_limits<double>::infinity(), 1, true}, {}, ticker);
    for (std::size_t c = 0; c < made.members.classes(); ++c) {
      const RecordSpan rows = made.members.of(c);
      const bool has_value = std::any_of(rows.begin(), rows.end(), [&](Record row) {
        return ranks[0][static_cast<std::size_t>(row)] != kNull;
      });
      EXPECT_TRUE(has_value || made.withheld[c]);
      without_value += has_value ? 0 : 1;
    }
    EXPECT_LE(largest_distance(made, ranks[0]), options.promises.t + 1e-9);
  }
  EXPECT_GT(without_value, 10) << "classes of nulls";
}

}  // namespace
}  // namespace anonkit
