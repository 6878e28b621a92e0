#include "space/index/widest_attribute.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"

namespace anonkit {
namespace {

/// Half the mean squared distance of two records in an attribute.
double spread(const Space& space, int j) {
  double sum = 0;
  for (Record a = 0; a < space.size(); ++a)
    for (Record b = 0; b < space.size(); ++b) {
      const double difference = space.row(a)[j] - space.row(b)[j];
      sum += space.attribute(j).kind == Kind::nominal ? (difference != 0 ? space.mismatch(j) : 0)
                                                      : difference * difference;
    }
  return sum / 2 / space.size() / space.size();
}

int widest(const Space& space) {
  return WidestAttribute(space).among(
      at(space.size()), [&](std::size_t i) { return space.row(static_cast<Record>(i)); });
}

TEST(WidestAttribute, HasTheLargestVariance) {
  std::mt19937_64 random(5);
  for (int round = 0; round < trials(300); ++round) {
    std::vector<Attribute> attributes;
    for (int j = roll(random, 1, 4); j > 0; --j)
      attributes.push_back(roll(random, 0, 1) == 0
                               ? Attribute{}
                               : Attribute{Kind::nominal, 0.5 * roll(random, 1, 8), 4});
    std::vector<double> values;
    for (Record i = roll(random, 1, 20); i > 0; --i)
      for (const Attribute& attribute : attributes)
        values.push_back(roll(random, 0, attribute.kind == Kind::nominal ? 3 : 2));
    const Space space(values, attributes);
    const int found = widest(space);
    for (int j = 0; j < space.dimension(); ++j) {
      EXPECT_LE(spread(space, j), spread(space, found) + 1e-9);
    }
  }
}

TEST(WidestAttribute, IsFoundWhereOnlyRecordsBesideTheSampleDiffer) {
  // Every other record is sampled, at most.
  for (const Record other : {1, 777, 1999}) {
    std::vector<double> values(3 * 2000, 5);
    values[3 * static_cast<std::size_t>(other) + 1] = 6;
    EXPECT_EQ(widest(Space(values, std::vector<Attribute>(3))), 1) << other;
  }
  EXPECT_EQ(widest(Space(std::vector<double>(3 * 2000, 5), std::vector<Attribute>(3))), 0);
}

}  // namespace
}  // namespace anonkit
