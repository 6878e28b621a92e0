#include "search/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/at.hpp"
#include "fixture/random_space.hpp"
#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"
#include "method/growing/mdav.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/refine.hpp"
#include "space/index/spatial_index.hpp"
#include "space/points.hpp"

namespace anonkit {
namespace {

/// Compact clusters far from each other.
Space clusters(std::uint64_t seed, Record n) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> values;
  for (Record i = 0; i < n; ++i) {
    const double middle = static_cast<double>(random() % 7);
    for (int j = 0; j < 2; ++j) values.push_back(100 * middle + uniform(random));
  }
  return Space(std::move(values), std::vector<Attribute>(2));
}

double distance(const Space& space, const Neighbours& lists, Record i, int rank) {
  return space.squared_distance(space.row(i), space.row(lists.of(i)[rank]));
}

// Places that two records share have lists of their own.
TEST(Neighbours, AreOtherRecordsAtMostSoManyTimesAsFarAsTheNearest) {
  SilentTicker ticker;
  RandomSpaces spaces(31);
  int farther = 0;
  for (int round = 0; round < trials(300); ++round) {
    const Space space = spaces.make(static_cast<Shape>(round % kShapes), spaces.between(2, 300),
                                    spaces.between(1, 12));
    if (points_of(space, {}, ticker).fewer()) continue;
    const int m = spaces.between(1, 12);
    const double stretch = 1 + 0.5 * spaces.between(0, 8);
    const Neighbours exact = neighbours(space, m, ticker);
    const Neighbours found = neighbours(space, m, ticker, 1, stretch);
    ASSERT_EQ(exact.each, std::min<int>(m, space.size() - 1));
    ASSERT_EQ(found.each, exact.each);
    for (Record i = 0; i < space.size(); ++i) {
      std::vector<Neighbour> others;
      for (Record j = 0; j < space.size(); ++j)
        if (j != i) others.push_back({space.squared_distance(space.row(i), space.row(j)), j});
      std::sort(others.begin(), others.end(), nearer);
      for (int rank = 0; rank < found.each; ++rank) {
        ASSERT_EQ(exact.of(i)[rank], others[at(rank)].record);
        ASSERT_NE(found.of(i)[rank], i);
        ASSERT_EQ(std::count(found.of(i), found.of(i) + found.each, found.of(i)[rank]), 1);
        const double nearest = others[at(rank)].distance;
        ASSERT_LE(distance(space, found, i, rank), stretch * nearest * (1 + 1e-12));
        if (rank > 0) {
          ASSERT_GE(distance(space, found, i, rank), distance(space, found, i, rank - 1));
        }
        farther += distance(space, found, i, rank) > nearest;
      }
    }
  }
  // The approximation is one.
  EXPECT_GT(farther, 0);
}

// Threads take chunks of 8192 records.
TEST(Neighbours, AreTheSameOnAnyNumberOfThreads) {
  SilentTicker ticker;
  std::mt19937_64 random(34);
  std::vector<double> values;
  for (int i = 0; i < 17000; ++i)
    values.push_back(i + static_cast<double>(random() >> 11) * 0x1p-53);
  const Space space(values, {Attribute{}});
  const Neighbours exact = neighbours(space, 3, ticker);
  EXPECT_EQ(neighbours(space, 3, ticker, 3).records, exact.records);
  EXPECT_EQ(neighbours(space, 3, ticker, 3, 4).records, neighbours(space, 3, ticker, 1, 4).records);
  // In the order of the numbers, none of the three nearest is beyond the third.
  for (Record i = 0; i < space.size(); ++i)
    for (int m = 0; m < 3; ++m) ASSERT_LE(std::abs(exact.of(i)[m] - i), 3);
}

RefineOptions brief(Effort effort) {
  RefineOptions options;
  options.effort = effort;
  options.scale = 0.01;
  return options;
}

/// The lists of a short search on a part of a table of so many records.
std::vector<Record> searched(const Space& space, Record table_records, Effort effort,
                             SearchNeighbours& shared) {
  SilentTicker ticker;
  RefineOptions options = brief(effort);
  options.table_records = table_records;
  SseLoss loss(space);
  // Several points make a class: one alone would have nothing to gain.
  const Record k = 5 * space.weight(0);
  refine(space, mdav(space, k, ticker), k, loss, {}, options, ticker, &shared);
  return (effort == Effort::fast ? shared.fast : shared.thorough).records;
}
std::vector<Record> searched(const Space& space, Record table_records, Effort effort) {
  SearchNeighbours shared;
  return searched(space, table_records, effort, shared);
}

TEST(Neighbours, OfSearchesOnOneSpaceAreMadeOnce) {
  const Space space = clusters(3, 2000);
  SearchNeighbours shared;
  searched(space, 200000, Effort::fast, shared);
  EXPECT_EQ(shared.thorough.each, 0);
  // Altered lists are those of the next search.
  std::reverse(shared.fast.records.begin(), shared.fast.records.end());
  const std::vector<Record> altered = shared.fast.records;
  EXPECT_EQ(searched(space, 200000, Effort::fast, shared), altered);
}

TEST(Neighbours, AreMostForThoroughSearchesAndNearestForFewRecords) {
  SilentTicker ticker;
  const Space space = clusters(4, 2000);
  const std::vector<Record> most = neighbours(space, 10, ticker).records;
  EXPECT_EQ(searched(space, 0, Effort::thorough), most);
  EXPECT_EQ(searched(space, 200000, Effort::thorough), most);
  EXPECT_EQ(searched(space, 0, Effort::fast), neighbours(space, 7, ticker).records);
  EXPECT_EQ(searched(space, 50000, Effort::fast), neighbours(space, 5, ticker, 1, 1.5).records);
  EXPECT_EQ(searched(space, 200000, Effort::fast), neighbours(space, 4, ticker, 1, 4).records);
}

TEST(Neighbours, AreMostForFewRecordsUnderAConstraint) {
  SilentTicker ticker;
  const Space space = clusters(4, 2000);
  SseLoss loss(space);
  StateListener anything(space.size(), [](const Partition&) {});
  SearchNeighbours shared;
  refine(space, mdav(space, 5, ticker), 5, loss, {&anything}, brief(Effort::fast), ticker, &shared);
  EXPECT_EQ(shared.fast.records, neighbours(space, 10, ticker).records);
}

TEST(Neighbours, OfManyColumnsAreStretchedAsThoseOfManyRecords) {
  SilentTicker ticker;
  RandomSpaces spaces(33);
  for (const int d : {10, 11}) {
    const Space space = spaces.make(Shape::normal, 1000, d);
    const double stretch = d > 10 ? 4 : 1.5;
    EXPECT_EQ(searched(space, 50000, Effort::fast),
              neighbours(space, 5, ticker, 1, stretch).records);
  }
}

// 200,000 records are 20,000 points here.
TEST(Neighbours, OfPointsDependOnThePointsOfTheWholeTable) {
  SilentTicker ticker;
  Space tens = clusters(5, 2000);
  tens.weigh(std::vector<Record>(at(tens.size()), 10));
  EXPECT_EQ(searched(tens, 200000, Effort::fast), neighbours(tens, 5, ticker, 1, 1.5).records);
  EXPECT_EQ(searched(tens, 2000000, Effort::fast), neighbours(tens, 4, ticker, 1, 4).records);
}

TEST(Neighbours, OfSharedPlacesAreOtherRecordsOneOfTheOwnPlaceFirst) {
  SilentTicker ticker;
  RandomSpaces spaces(32);
  for (int round = 0; round < trials(300); ++round) {
    const Space space = spaces.make(Shape::grid, spaces.between(10, 60), spaces.between(1, 2));
    const Points places = points_of(space, {}, ticker);
    if (!places.fewer()) continue;
    const Neighbours found =
        neighbours(space, spaces.between(1, 6), ticker, 1, spaces.between(1, 5));
    const auto place = [&](Record i) { return places.of_record[at(i)]; };
    for (Record i = 0; i < space.size(); ++i) {
      ASSERT_EQ(std::count(found.of(i), found.of(i) + found.each, i), 0);
      ASSERT_EQ(place(found.of(i)[0]) == place(i), places.weights[at(place(i))] > 1);
    }
  }
}

}  // namespace
}  // namespace anonkit
