#include "space/points.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "fixture/random_space.hpp"
#include "method/growing/mdav.hpp"
#include "method/growing/vmdav.hpp"
#include "method/univariate.hpp"
#include "metric/sse.hpp"
#include "reference/weighted_mdav.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

bool equal(const Space& space, Record a, Record b) {
  return std::equal(space.row(a), space.row(a) + space.dimension(), space.row(b));
}

/// Spaces in which many records share a place.
Space tied_space(RandomSpaces& random, int n, int d) {
  constexpr Shape kTied[] = {Shape::grid, Shape::duplicates, Shape::constants, Shape::mixed};
  return random.make(kTied[random.between(0, 3)], n, d);
}

void expect_classes_of_k(const Space& points, const Partition& partition, Record k) {
  std::vector<Record> sizes(static_cast<std::size_t>(partition.classes), 0);
  for (Record i = 0; i < points.size(); ++i)
    sizes.at(static_cast<std::size_t>(partition.class_of[static_cast<std::size_t>(i)])) +=
        points.weight(i);
  for (const Record size : sizes) EXPECT_GE(size, std::min(k, points.records()));
}

TEST(Points, AreOneForAllRecordsThatAreEqual) {
  RandomSpaces random(1);
  for (int round = 0; round < 500; ++round) {
    const Space space = tied_space(random, random.between(1, 40), random.between(1, 3));
    std::vector<std::int32_t> mark;
    for (Record i = 0; i < space.size(); ++i) mark.push_back(random.between(0, 2));
    const Points points = points_of(space, {&mark}, silent);
    ASSERT_EQ(points.of_record.size(), mark.size());
    for (std::size_t a = 0; a < mark.size(); ++a)
      for (std::size_t b = 0; b < mark.size(); ++b)
        ASSERT_EQ(
            points.of_record[a] == points.of_record[b],
            mark[a] == mark[b] && equal(space, static_cast<Record>(a), static_cast<Record>(b)));
    for (std::size_t p = 0; p < points.first.size(); ++p) {
      const auto same = static_cast<Record>(p);
      const auto first = std::find(points.of_record.begin(), points.of_record.end(), same);
      EXPECT_EQ(points.first[p], first - points.of_record.begin());
      EXPECT_EQ(points.weights[p],
                std::count(points.of_record.begin(), points.of_record.end(), same));
    }
    EXPECT_TRUE(std::is_sorted(points.first.begin(), points.first.end()));
  }
}

TEST(Points, ArePublishedAsTheirRecordsAre) {
  RandomSpaces random(7);
  for (int round = 0; round < 300; ++round) {
    Space space = tied_space(random, random.between(2, 40), random.between(1, 3));
    std::vector<PublishedSteps> steps;
    for (int j = 0; j < space.dimension(); ++j) {
      const bool rounded = space.attribute(j).kind == Kind::numeric && random.between(0, 1) == 0;
      steps.push_back(rounded ? PublishedSteps{0.75, 0.25, 1 / 0.75} : PublishedSteps{});
    }
    space.publish_in(steps);
    const Points points = points_of(space, {}, silent);
    const Space weighted = space_of(space, points);
    std::vector<Record> all_points(points.first.size()), all_records(points.of_record.size());
    std::iota(all_points.begin(), all_points.end(), 0);
    std::iota(all_records.begin(), all_records.end(), 0);
    const double loss = SseLoss(space).cost(RecordSpan(all_records));
    EXPECT_NEAR(SseLoss(weighted).cost(RecordSpan(all_points)), loss, 1e-9 * (1 + loss));
  }
}

TEST(Points, WeightedMdavEqualsPlainScans) {
  RandomSpaces random(2);
  for (int round = 0; round < 3000; ++round) {
    const Space space = tied_space(random, random.between(1, 60), random.between(1, 3));
    const Space points = space_of(space, points_of(space, {}, silent));
    const Record k = random.between(1, std::min(space.size(), 8));
    const Partition found = mdav(points, k, silent);
    ASSERT_EQ(found.class_of, reference_weighted_mdav(points, k).class_of) << "round " << round;
    expect_classes_of_k(points, found, k);
  }
}

TEST(Points, WeightedVmdavKeepsK) {
  RandomSpaces random(3);
  for (int round = 0; round < 2000; ++round) {
    const Space space = tied_space(random, random.between(1, 60), random.between(1, 3));
    const Space points = space_of(space, points_of(space, {}, silent));
    const Record k = random.between(1, std::min(space.size(), 8));
    const Partition found = vmdav(points, k, round % 2 == 0 ? 0.2 : 1.1, silent);
    ASSERT_EQ(found.class_of.size(), static_cast<std::size_t>(points.size()));
    expect_classes_of_k(points, found, k);
  }
}

/// The least SSE of runs of ascending points, by enumeration.
double least_sse_of_runs(const Space& points, Record k) {
  double best = -1;
  const int n = points.size();
  for (int cuts = 0; cuts < 1 << (n - 1); ++cuts) {
    Partition partition{std::vector<ClassId>(static_cast<std::size_t>(n), 0), 1};
    for (int i = 1; i < n; ++i) {
      partition.classes += cuts >> (i - 1) & 1;
      partition.class_of[static_cast<std::size_t>(i)] = partition.classes - 1;
    }
    std::vector<Record> sizes(static_cast<std::size_t>(partition.classes), 0);
    for (int i = 0; i < n; ++i)
      sizes[static_cast<std::size_t>(partition.class_of[static_cast<std::size_t>(i)])] +=
          points.weight(i);
    if (*std::min_element(sizes.begin(), sizes.end()) < k) continue;
    const double loss = sse(points, partition);
    if (best < 0 || loss < best) best = loss;
  }
  return best;
}

TEST(Points, WeightedUnivariateClassesAreTheBestThatDivideNoPoint) {
  RandomSpaces random(4);
  for (int round = 0; round < 300; ++round) {
    const int n = random.between(2, 9);
    std::vector<double> values;
    std::vector<Record> weights, rows;
    for (int i = 0; i < n; ++i) {
      values.push_back(i + random.between(0, 100) / 200.0);
      weights.push_back(random.between(1, 6));
      rows.push_back(i);
    }
    const Space points = Space(values, {Attribute{}}).of_rows(rows, weights);
    const Record k = random.between(1, points.records());
    const Partition found = univariate(points, k, silent);
    expect_classes_of_k(points, found, k);
    EXPECT_NEAR(sse(points, found), least_sse_of_runs(points, k), 1e-9);
  }
}

TEST(Points, ASearchOfPointsLosesWhatItsRecordsLoseAndKeepsK) {
  RandomSpaces random(5);
  int improved = 0;
  for (int round = 0; round < trials(400); ++round) {
    const Space space = tied_space(random, random.between(4, 80), random.between(1, 4));
    const Points points = points_of(space, {}, silent);
    const Space weighted = space_of(space, points);
    const Record k = random.between(1, std::min(space.size(), 6));
    const Partition start = mdav(weighted, k, silent);
    RefineOptions options;
    options.effort = round % 2 == 0 ? Effort::fast : Effort::thorough;
    options.scale = 0.01;
    const RefineResult found = refine(weighted, start, k, {}, options, silent);
    expect_classes_of_k(weighted, found.partition, k);
    const double before = sse(space, to_records(points, start));
    EXPECT_NEAR(found.loss_before, before, 1e-9 * (1 + before));
    EXPECT_NEAR(found.loss_after, sse(space, to_records(points, found.partition)),
                1e-9 * (1 + before));
    EXPECT_LE(found.loss_after, found.loss_before);
    improved += found.loss_after < found.loss_before ? 1 : 0;
  }
  EXPECT_GT(improved, trials(50));
}

}  // namespace
}  // namespace anonkit
