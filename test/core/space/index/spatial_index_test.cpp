#include "space/index/spatial_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "fixture/random_space.hpp"
#include "fixture/trials.hpp"
#include "space/centroid.hpp"
#include "space/index/searches.hpp"

namespace anonkit {
namespace {

std::vector<Neighbour> scan(const Space& space, const std::vector<Record>& living, const double* x,
                            const SpatialIndex::Filter& filter = {}) {
  std::vector<Neighbour> all;
  for (const Record i : living)
    if (!filter || filter(i)) all.push_back({space.squared_distance(space.row(i), x), i});
  return all;
}

void expect_same(const Neighbour& a, const Neighbour& b) {
  EXPECT_EQ(a.record, b.record);
  EXPECT_EQ(a.distance, b.distance);
}

/// Compares every kind of search from x with a scan of the living records.
void expect_searches_equal_a_scan(const Space& space, const SpatialIndex& index,
                                  const std::vector<Record>& living, const double* x, Record k) {
  std::vector<Neighbour> all = scan(space, living, x);
  std::sort(all.begin(), all.end(), nearer);
  std::vector<Neighbour> found;
  index.nearest(x, k, found);
  ASSERT_EQ(found.size(), std::min(all.size(), static_cast<std::size_t>(k)));
  for (std::size_t i = 0; i < found.size(); ++i) expect_same(found[i], all[i]);
  expect_same(index.nearest(x), all.front());
  const Neighbour farthest = *std::min_element(all.begin(), all.end(), farther);
  expect_same(index.farthest(x), farthest);
  for (const Neighbour& than : {all.front(), all[all.size() / 2], farthest,
                                Neighbour{farthest.distance, farthest.record - 1}})
    expect_same(index.farthest(x, than), farther(than, farthest) ? than : farthest);

  for (const double stretch : {1.5, 4.0}) {
    const Neighbour far = index.farthest(x, {-1, -1}, stretch);
    ASSERT_LE(farthest.distance, far.distance * stretch * (1 + 1e-15));
    ASSERT_EQ(far.distance, space.squared_distance(space.row(far.record), x));
    ASSERT_TRUE(std::binary_search(living.begin(), living.end(), far.record));
  }

  std::vector<double> point(static_cast<std::size_t>(space.dimension()));
  for (const Neighbour& neighbour : found) {
    index.read(neighbour, point.data());
    EXPECT_TRUE(std::equal(point.begin(), point.end(), space.row(neighbour.record)));
  }

  // All at the distance of the k-th, whatever is known before.
  const double kth = all[std::min(all.size(), static_cast<std::size_t>(k)) - 1].distance;
  std::vector<Record> expected, tied;
  for (const Neighbour& one : all)
    if (one.distance <= kth + 1e-9 * kth + 1e-18) expected.push_back(one.record);
  std::sort(expected.begin(), expected.end());
  SilentTicker ticker;
  for (const double within : {kth, all.back().distance, kFarAway}) {
    index.nearest_tied(x, k, within, found, ticker);
    tied.clear();
    for (const Neighbour& one : found) tied.push_back(one.record);
    std::sort(tied.begin(), tied.end());
    EXPECT_EQ(tied, expected);
  }

  // Each rank at most `stretch` times as far; the slack is that of one multiplication.
  for (const double stretch : {1.0, 1.7, 5.0}) {
    index.near(x, k, stretch, found, ticker);
    ASSERT_EQ(found.size(), std::min(all.size(), static_cast<std::size_t>(k)));
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_LE(found[i].distance, all[i].distance * stretch * (1 + 1e-15));
      ASSERT_EQ(found[i].distance, space.squared_distance(space.row(found[i].record), x));
      if (i > 0) {
        ASSERT_TRUE(nearer(found[i - 1], found[i]));
      }
      if (stretch == 1) expect_same(found[i], all[i]);
    }
  }

  const auto odd = [](Record i) { return i % 2 == 1; };
  all = scan(space, living, x, odd);
  std::sort(all.begin(), all.end(), nearer);
  index.nearest(x, k, found, odd);
  ASSERT_EQ(found.size(), std::min(all.size(), static_cast<std::size_t>(k)));
  for (std::size_t i = 0; i < found.size(); ++i) expect_same(found[i], all[i]);
  EXPECT_EQ(index.nearest(x, odd).record, all.empty() ? -1 : all.front().record);
}

class SpatialIndexShapes : public testing::TestWithParam<int> {};

TEST_P(SpatialIndexShapes, AnswersAsAFullScanWhileRecordsLeave) {
  RandomSpaces random(static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 40; ++round) {
    const Space space =
        random.make(static_cast<Shape>(GetParam()), random.between(1, 400), random.between(1, 12));
    // In half of the cases, the index holds every other record.
    std::vector<Record> living;
    for (Record i = 0; i < space.size(); i += round % 2 + 1) living.push_back(i);
    SilentTicker ticker;
    SpatialIndex index =
        round % 2 == 0 ? SpatialIndex(space, ticker) : SpatialIndex(space, living, ticker);
    std::vector<double> middle(static_cast<std::size_t>(space.dimension()));
    Centroid centroid(space);
    for (const Record i : living) centroid.add(i);
    while (!living.empty()) {
      centroid.point(middle.data());
      if (round % 4 < 2) {
        const std::vector<Neighbour> all = scan(space, living, middle.data());
        const Neighbour farthest = *std::min_element(all.begin(), all.end(), farther);
        expect_same(index.farthest_from_centre(middle.data()), farthest);
        const Neighbour far = index.farthest_from_centre(middle.data(), {-1, -1}, 2);
        ASSERT_LE(farthest.distance, far.distance * 2 * (1 + 1e-9) + 1e-12);
        ASSERT_EQ(far.distance, space.squared_distance(space.row(far.record), middle.data()));
      }
      expect_searches_equal_a_scan(space, index, living, middle.data(), random.between(1, 9));
      const Record r = random.between(0, space.size() - 1);
      expect_searches_equal_a_scan(space, index, living, space.row(r), random.between(1, 40));
      std::vector<Neighbour> gone;
      index.nearest(space.row(r), random.between(1, 30), gone);
      index.remove(gone);
      for (const Neighbour& neighbour : gone) {
        centroid.remove(neighbour.record);
        living.erase(std::find(living.begin(), living.end(), neighbour.record));
      }
      ASSERT_EQ(index.records(), living);
      std::vector<Record> by_leaf = index.records_by_leaf();
      std::sort(by_leaf.begin(), by_leaf.end());
      ASSERT_EQ(by_leaf, living);
      ASSERT_FALSE(HasFatalFailure());
    }
    EXPECT_EQ(index.size(), 0);
    EXPECT_EQ(index.nearest(middle.data()).record, -1);
    EXPECT_EQ(index.farthest(middle.data()).record, -1);
  }
}

TEST_P(SpatialIndexShapes, FindsTheRecordFarthestFromAWanderingCentroid) {
  RandomSpaces random(300 + static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < trials(20); ++round) {
    const int n = random.between(1, round % 5 == 0 ? 2000 : 100);
    const Space space = random.make(static_cast<Shape>(GetParam()), n, random.between(1, 9));
    SilentTicker ticker;
    SpatialIndex index(space, ticker);
    Centroid centroid(space);
    for (Record i = 0; i < n; ++i) centroid.add(i);
    std::vector<double> middle(static_cast<std::size_t>(space.dimension()));
    while (index.size() > 0) {
      centroid.point(middle.data());
      const Neighbour found = index.farthest_from_centre(middle.data());
      const std::vector<Neighbour> all = scan(space, index.records(), middle.data());
      expect_same(found, *std::min_element(all.begin(), all.end(), farther));
      // Records leave on one side, so that the centroid moves.
      const Record gone = random.between(0, 3) == 0 ? index.records().front() : found.record;
      centroid.remove(gone);
      index.remove(gone);
    }
  }
}

TEST_P(SpatialIndexShapes, RemovesRecordsWhoeverFoundThem) {
  RandomSpaces random(600 + static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 20; ++round) {
    const int n = random.between(1, 300);
    const Space space = random.make(static_cast<Shape>(GetParam()), n, random.between(1, 9));
    SilentTicker ticker;
    SpatialIndex index(space, ticker);
    std::vector<Record> living = index.records();
    std::vector<Neighbour> found, stale;
    while (!living.empty()) {
      // Positions of found records become outdated after other removals.
      const Record r =
          living[static_cast<std::size_t>(random.between(0, static_cast<int>(living.size()) - 1))];
      index.nearest(space.row(r), random.between(1, 40), stale);
      found.assign(stale.begin(), stale.begin() + (round % 2 == 0 ? 0 : stale.size() / 2));
      index.remove(found);
      stale.erase(stale.begin(), stale.begin() + static_cast<std::ptrdiff_t>(found.size()));
      if (round % 3 == 0) {
        for (const Neighbour& one : stale) index.remove(one.record);
      } else {
        index.remove(stale);
      }
      found.insert(found.end(), stale.begin(), stale.end());
      for (const Neighbour& one : found)
        living.erase(std::find(living.begin(), living.end(), one.record));
      ASSERT_EQ(index.records(), living);
      ASSERT_EQ(index.size(), static_cast<Record>(living.size()));
    }
  }
}

TEST_P(SpatialIndexShapes, TakesTheNearestAsAFullScanDoes) {
  RandomSpaces random(500 + static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 60; ++round) {
    const Space space =
        random.make(static_cast<Shape>(GetParam()), random.between(1, 400), random.between(1, 12));
    // All records or some.
    std::vector<Record> left;
    for (Record i = 0; i < space.size(); ++i)
      if (round % 2 == 0 || random.between(0, 2) == 0) left.push_back(i);
    SilentTicker ticker;
    SpatialIndex index(space, left, ticker);
    std::vector<double> between(static_cast<std::size_t>(space.dimension()));
    while (!left.empty()) {
      ASSERT_EQ(index.size(), static_cast<Record>(left.size()));
      // From a record, indexed or not, or from a point half-way between two, where ties are
      // frequent.
      const double* x = space.row(random.between(0, space.size() - 1));
      if (space.euclidean() && random.between(0, 1) == 0) {
        const double* y = space.row(random.between(0, space.size() - 1));
        for (std::size_t j = 0; j < between.size(); ++j) between[j] = (x[j] + y[j]) / 2;
        x = between.data();
      }
      const std::vector<Neighbour> all = scan(space, left, x);
      const Neighbour expected = *std::min_element(all.begin(), all.end(), nearer);
      const Neighbour taken = index.nearest(x);
      index.remove(taken);
      ASSERT_EQ(taken.record, expected.record) << "round " << round << ", left " << left.size();
      ASSERT_EQ(taken.distance, expected.distance);
      left.erase(std::find(left.begin(), left.end(), taken.record));
    }
    EXPECT_EQ(index.size(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpatialIndexShapes, testing::Range(0, kShapes));

// Like a table in canonical order, except for some records.
TEST(SpatialIndex, AnswersAsAFullScanIfRecordsComeInTheOrderOfAnAttribute) {
  RandomSpaces random(8);
  for (int round = 0; round < 12; ++round) {
    const auto d = static_cast<std::size_t>(1 + round % 4);
    std::vector<std::vector<double>> records(3000, std::vector<double>(d));
    for (auto& record : records)
      for (double& value : record) value = random.between(0, round < 4 ? 20 : 1000000);
    std::sort(records.begin(), records.end());
    for (int moved = round < 8 ? 0 : 30; moved > 0; --moved)
      std::swap(records[static_cast<std::size_t>(random.between(0, 2999))],
                records[static_cast<std::size_t>(random.between(0, 2999))]);
    std::vector<double> values;
    for (const auto& record : records) values.insert(values.end(), record.begin(), record.end());
    const Space space(std::move(values), std::vector<Attribute>(d));
    SilentTicker ticker;
    SpatialIndex index(space, ticker);
    while (index.size() > 100) {
      const double* x = space.row(random.between(0, 2999));
      expect_searches_equal_a_scan(space, index, index.records(), x, 5);
      std::vector<Neighbour> gone;
      index.nearest(x, 100, gone);
      index.remove(gone);
    }
    ASSERT_FALSE(HasFailure());
  }
}

class StoppingTicker final : public Ticker {
 protected:
  void poll() override { throw std::runtime_error("stopped"); }
};

TEST(SpatialIndex, CanBeStoppedWhileItIsBuilt) {
  RandomSpaces random(6);
  const Space space = random.make(Shape::normal, 20000, 3);
  StoppingTicker ticker;
  EXPECT_THROW(SpatialIndex(space, ticker), std::runtime_error);
}

}  // namespace
}  // namespace anonkit
