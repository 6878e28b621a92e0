#include "space/centroid.hpp"

#include <gtest/gtest.h>

#include <random>

namespace anonkit {
namespace {

TEST(Centroid, DoesNotDependOnTheHistoryOfAdditionsAndRemovals) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 1e6);
  std::vector<double> values(2 * 500);
  for (double& v : values) v = normal(random) / 3;
  const Space space(values, {Attribute{}, Attribute{Kind::numeric, 0.1, 0}});
  Centroid grown(space);
  for (Record i = 0; i < 500; ++i) grown.add(i);
  for (Record i = 0; i < 450; ++i) grown.remove(i);
  Centroid fresh(space);
  for (Record i = 499; i >= 450; --i) fresh.add(i);
  double a[2], b[2];
  grown.point(a);
  fresh.point(b);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(a[1], b[1]);
}

TEST(Centroid, IsTheMeanMedianAndModeByAttribute) {
  // numeric 1 2 6, ordinal 0 3 1 of 4 ranks, nominal 1 0 1
  const Space space({1, 0, 1, 2, 3, 0, 6, 1, 1},
                    {Attribute{}, Attribute{Kind::ordinal, 1, 4}, Attribute{Kind::nominal, 1, 2}});
  Centroid centroid(space);
  for (Record i = 0; i < 3; ++i) centroid.add(i);
  double point[3];
  centroid.point(point);
  EXPECT_DOUBLE_EQ(point[0], 3);
  EXPECT_DOUBLE_EQ(point[1], 0.25);
  EXPECT_EQ(point[2], 1);
}

TEST(Centroid, OfAnOrdinalAttributeWithoutWeightIsItsOnlyPoint) {
  const Space space({0, 3, 1}, {Attribute{Kind::ordinal, 0, 4}});
  Centroid centroid(space);
  for (Record i = 0; i < 3; ++i) centroid.add(i);
  double point = 1;
  centroid.point(&point);
  EXPECT_EQ(point, 0);
}

}  // namespace
}  // namespace anonkit
