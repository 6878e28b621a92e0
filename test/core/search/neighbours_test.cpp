// Lists by class: of members of wide classes they are exact, elsewhere they hold near records.

#include "search/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/at.hpp"
#include "fixture/random_space.hpp"
#include "fixture/trials.hpp"
#include "method/growing/mdav.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/refine.hpp"
#include "space/points.hpp"

namespace anonkit {
namespace {

/// Compact clusters far from each other, whose sizes are no multiples of a class size.
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

/// The mean squared distances of the members of each class to their centroid.
std::vector<double> extents(const Space& space, const Partition& partition) {
  std::vector<std::vector<double>> sums(at(partition.classes));
  std::vector<double> counts(sums.size(), 0), extents(sums.size(), 0);
  for (auto& sum : sums) sum.assign(at(space.dimension()), 0);
  for (Record i = 0; i < space.size(); ++i) {
    const std::size_t c = at(partition.class_of[at(i)]);
    ++counts[c];
    for (int j = 0; j < space.dimension(); ++j) sums[c][at(j)] += space.row(i)[j];
  }
  for (std::size_t c = 0; c < sums.size(); ++c)
    for (double& x : sums[c]) x /= counts[c];
  for (Record i = 0; i < space.size(); ++i) {
    const std::size_t c = at(partition.class_of[at(i)]);
    extents[c] += space.squared_distance(space.row(i), sums[c].data()) / counts[c];
  }
  return extents;
}

TEST(Neighbours, MembersOfClassesBetweenClustersHaveExactLists) {
  SilentTicker ticker;
  int wide = 0;
  for (int round = 0; round < trials(60); ++round) {
    const Space space = clusters(static_cast<std::uint64_t>(round), 200 + round);
    const Partition partition = mdav(space, 5, ticker);
    const Neighbours exact = neighbours(space, 4, ticker);
    const Neighbours found = neighbours_by_class(space, partition, 4, ticker);
    ASSERT_EQ(found.each, exact.each);
    const std::vector<double> extent = extents(space, partition);
    double mean = 0;
    for (const double one : extent) mean += one / static_cast<double>(extent.size());
    for (Record i = 0; i < space.size(); ++i) {
      if (extent[at(partition.class_of[at(i)])] < 2.001 * mean) continue;
      ++wide;
      EXPECT_TRUE(std::equal(exact.of(i), exact.of(i) + exact.each, found.of(i)));
    }
  }
  EXPECT_GT(wide, 10 * trials(60));
}

TEST(Neighbours, ListsAreOfDifferentOtherRecordsNearestFirst) {
  SilentTicker ticker;
  RandomSpaces spaces(31);
  for (int round = 0; round < trials(200); ++round) {
    const Space space = spaces.make(Shape::normal, spaces.between(60, 200), spaces.between(1, 3));
    const Neighbours found =
        neighbours_by_class(space, mdav(space, spaces.between(2, 6), ticker), 3, ticker);
    for (Record i = 0; i < space.size(); ++i) {
      double last = 0;
      for (int m = 0; m < found.each; ++m) {
        const Record j = found.of(i)[m];
        ASSERT_NE(i, j);
        ASSERT_EQ(std::count(found.of(i), found.of(i) + found.each, j), 1);
        const double distance = space.squared_distance(space.row(i), space.row(j));
        ASSERT_GE(distance, last);
        last = distance;
      }
    }
  }
}

// Threads take chunks of 8192 records or classes.
TEST(Neighbours, AreTheSameOnAnyNumberOfThreads) {
  SilentTicker ticker;
  std::mt19937_64 random(34);
  std::vector<double> values;
  for (int i = 0; i < 17000; ++i)
    values.push_back(i + static_cast<double>(random() >> 11) * 0x1p-53);
  const Space space(values, {Attribute{}});
  Partition pairs{std::vector<ClassId>(values.size()), space.size() / 2};
  for (Record i = 0; i < space.size(); ++i) pairs.class_of[at(i)] = i / 2;
  EXPECT_EQ(neighbours(space, 3, ticker, 3).records, neighbours(space, 3, ticker).records);
  const Neighbours by_class = neighbours_by_class(space, pairs, 3, ticker);
  EXPECT_EQ(neighbours_by_class(space, pairs, 3, ticker, 3).records, by_class.records);
  // Each record has three others near, in the class beside its own at the latest.
  for (Record i = 0; i < space.size(); ++i)
    for (int m = 0; m < 3; ++m) ASSERT_LE(std::abs(by_class.of(i)[m] - i), 3);
}

// The classes that a constraint forced apart say little about neighbours.
TEST(Neighbours, SharedListsComeFromTheClassesGiven) {
  SilentTicker ticker;
  const Space space = clusters(3, 4000);
  Partition scattered{std::vector<ClassId>(at(space.size())), space.size() / 5};
  for (Record i = 0; i < space.size(); ++i) scattered.class_of[at(i)] = i % scattered.classes;
  RefineOptions options;
  options.table_records = 200000;
  SearchNeighbours shared;
  shared.from = mdav(space, 5, ticker);
  SseLoss loss(space);
  refine(space, scattered, 5, loss, {}, options, ticker, &shared);
  EXPECT_EQ(shared.fast.records, neighbours_by_class(space, shared.from, 5, ticker).records);
  const std::vector<Record> made = shared.fast.records;
  refine(space, shared.from, 5, loss, {}, options, ticker, &shared);
  EXPECT_EQ(shared.fast.records, made);
  EXPECT_EQ(shared.thorough.each, 0);
}

TEST(Neighbours, OfSharedPlacesAreOtherRecordsOneOfTheOwnPlaceFirst) {
  SilentTicker ticker;
  RandomSpaces spaces(32);
  for (int round = 0; round < trials(300); ++round) {
    const Space space = spaces.make(Shape::grid, spaces.between(10, 60), spaces.between(1, 2));
    const Points places = points_of(space, {}, ticker);
    if (!places.fewer()) continue;
    const Neighbours found = neighbours(space, spaces.between(1, 6), ticker);
    const auto place = [&](Record i) { return places.of_record[at(i)]; };
    for (Record i = 0; i < space.size(); ++i) {
      ASSERT_EQ(std::count(found.of(i), found.of(i) + found.each, i), 0);
      ASSERT_EQ(place(found.of(i)[0]) == place(i), places.weights[at(place(i))] > 1);
    }
  }
}

TEST(Neighbours, ByClassAreThoseOfAllRecordsWherePlacesOrClassesAreFew) {
  SilentTicker ticker;
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(i % 4);
  const Space shared(values, {Attribute{}});
  EXPECT_EQ(neighbours_by_class(shared, mdav(shared, 5, ticker), 3, ticker).records,
            neighbours(shared, 3, ticker).records);
  const Space few = clusters(1, 8);
  EXPECT_EQ(neighbours_by_class(few, mdav(few, 4, ticker), 8, ticker).records,
            neighbours(few, 8, ticker).records);
}

}  // namespace
}  // namespace anonkit
