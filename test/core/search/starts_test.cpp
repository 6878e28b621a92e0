// A thorough search from several starts.

#include "search/starts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"
#include "method/growing/mdav.hpp"
#include "promise/class_size.hpp"

namespace anonkit {
namespace {

constexpr double kRounding = 1 + 1e-12;

/// Classes of records in random orders; some starts occur twice.
std::vector<Partition> random_starts(std::mt19937_64& random, Record n, Record k, int count) {
  std::vector<Partition> starts;
  for (int at = 0; at < count; ++at) {
    if (at > 0 && roll(random, 0, 3) == 0) {
      starts.push_back(starts.front());
      continue;
    }
    std::vector<Record> order = in_order(n);
    std::shuffle(order.begin(), order.end(), random);
    starts.push_back(round_robin(order, roll(random, 1, n / k)));
  }
  return starts;
}

TEST(Starts, SearchedTogetherLoseNoMoreThanAnyAlone) {
  std::mt19937_64 random(51);
  int better = 0;
  for (int round = 0; round < trials(60); ++round) {
    const Record k = roll(random, 2, 4), n = roll(random, 2 * k, 40);
    const Space space = random_space(random, n, std::vector<Attribute>(2));
    const std::vector<Partition> starts = random_starts(random, n, k, roll(random, 2, 9));
    ClassSize size(k, n);
    std::vector<Constraint*> constraints;
    if (round % 2 == 0) constraints.push_back(&size);
    RefineOptions options;
    options.effort = Effort::thorough;
    options.seed = static_cast<std::uint64_t>(round);
    options.scale = 0.002;
    SilentTicker ticker;
    const SearchedStarts all = refine_starts({space, k, constraints}, starts, options, ticker);
    for (const Partition& start : starts) {
      const std::vector<Partition> alone(1, start);
      const SearchedStarts one = refine_starts({space, k, constraints}, alone, options, ticker);
      EXPECT_LE(all.loss, one.loss * kRounding) << "round " << round;
      better += all.loss * kRounding < one.loss ? 1 : 0;
    }
  }
  EXPECT_GT(better, 0) << "no start mattered";
}

/// True if some class holds a part of the records of a place.
bool divides_a_place(const Space& space, const Partition& partition) {
  std::map<std::vector<double>, ClassId> home;
  for (Record i = 0; i < space.size(); ++i) {
    const std::vector<double> place(space.row(i), space.row(i) + space.dimension());
    const ClassId c = partition.class_of[at(i)];
    if (home.emplace(place, c).first->second != c) return true;
  }
  return false;
}

// A search from classes that divide nothing divides nothing, unless it may: then it loses less.
TEST(Starts, EqualRecordsAreDividedOnlyIfTheyMayBe) {
  std::mt19937_64 random(52);
  double whole = 0, divided = 0;
  int divisions = 0;
  for (int round = 0; round < trials(120); ++round) {
    const Record k = roll(random, 3, 6), n = roll(random, 60, 120);
    std::vector<double> values;
    for (Record i = 0; i < 2 * n; ++i) values.push_back(roll(random, 0, 4));
    const Space space(std::move(values), std::vector<Attribute>(2));
    SilentTicker ticker;
    const Points points = points_of(space, {}, ticker);
    const std::vector<Partition> starts = {
        to_records(points, mdav(space_of(space, points), k, ticker))};
    RefineOptions options;
    options.scale = 0.05;
    SseSearch search{space, k};
    search.alike = Marks{};
    const SearchedStarts kept = refine_starts(search, starts, options, ticker);
    search.divides = true;
    const SearchedStarts free = refine_starts(search, starts, options, ticker);
    EXPECT_FALSE(divides_a_place(space, kept.partition)) << "round " << round;
    divisions += divides_a_place(space, free.partition) ? 1 : 0;
    whole += kept.loss;
    divided += free.loss;
  }
  EXPECT_GE(2 * divisions, trials(120));
  EXPECT_LT(divided, 0.95 * whole);
}

}  // namespace
}  // namespace anonkit
