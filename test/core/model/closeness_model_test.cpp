#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "fixture/random_sensitive.hpp"
#include "model/hierarchical_t_closeness.hpp"
#include "model/n_t_closeness.hpp"
#include "model/t_closeness.hpp"
#include "reference/models.hpp"
#include "reference/n_t.hpp"
#include "reference/tcloseness.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

/// Classes 0 .. some number, none empty.
Codes random_classes(RandomSensitive& random, int n, int most) {
  const int classes = random.between(1, std::min(n, most));
  Codes class_of;
  for (int i = 0; i < n; ++i) class_of.push_back(i < classes ? i : random.between(0, classes - 1));
  return class_of;
}

TEST(HierarchicalTCloseness, IsTheGreatestEmdOfItsDefinition) {
  RandomSensitive random(71);
  SilentTicker ticker;
  for (int round = 0; round < 500; ++round) {
    const int n = random.between(1, 40);
    const SensitiveAttribute attribute = random.make(GroundDistance::hierarchical, n, 1);
    const Codes class_of = random_classes(random, n, 12);
    const ClassHistogram histogram(class_of, {attribute.ranks, AttributeScale::nominal, {}},
                                   ticker);
    const ReferenceEmd emd(attribute);
    std::vector<std::vector<Record>> members(13);
    for (int i = 0; i < n; ++i)
      members[static_cast<std::size_t>(class_of[static_cast<std::size_t>(i)])].push_back(i);
    double greatest = 0;
    for (const auto& one : members)
      if (!one.empty()) greatest = std::max(greatest, emd.distance(one));
    const ValueTree tree{attribute.taxonomy.parent, attribute.taxonomy.height};
    EXPECT_DOUBLE_EQ(hierarchical_t_closeness(histogram, tree, ticker).level, greatest);
  }
}

TEST(HierarchicalTCloseness, OfAFlatTreeIsThatOfEqualDistances) {
  RandomSensitive random(72);
  SilentTicker ticker;
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, 40);
    const SensitiveAttribute attribute = random.make(GroundDistance::nominal, n, 1);
    const ClassHistogram histogram(random_classes(random, n, 9),
                                   {attribute.ranks, AttributeScale::nominal, {}}, ticker);
    const std::int32_t m = histogram.values();
    ValueTree flat{Codes(static_cast<std::size_t>(m), m), Codes(static_cast<std::size_t>(m), 0)};
    flat.parent.push_back(-1);
    flat.height.push_back(3);
    EXPECT_DOUBLE_EQ(hierarchical_t_closeness(histogram, flat, ticker).level,
                     nominal_t_closeness(histogram, ticker).level);
  }
}

TEST(HierarchicalTCloseness, OfOneValueIsZero) {
  SilentTicker ticker;
  const ClassHistogram histogram({0, 0, 1}, {{0, 0, 0}, AttributeScale::nominal, {}}, ticker);
  EXPECT_EQ(hierarchical_t_closeness(histogram, {{-1}, {0}}, ticker).level, 0);
}

TEST(HierarchicalTCloseness, RefusesWhatIsNoTree) {
  SilentTicker ticker;
  const ClassHistogram histogram({0, 0}, {{0, 1}, AttributeScale::nominal, {}}, ticker);
  const auto measure = [&](const ValueTree& tree) {
    hierarchical_t_closeness(histogram, tree, ticker);
  };
  EXPECT_NO_THROW(measure({{2, 2, -1}, {0, 0, 1}}));
  EXPECT_THROW(measure({{2, 2, 3, 2}, {0, 0, 1, 1}}), Error);
  EXPECT_THROW(measure({{2, -1, -1}, {0, 0, 1}}), Error);
  EXPECT_THROW(measure({{2, 3, -1}, {0, 0, 1}}), Error);
  EXPECT_THROW(measure({{2, 2, 3, -1}, {0, 0, 1, 1}}), Error);
  EXPECT_THROW(measure({{-1}, {0}}), Error);
}

PublishedAttribute attribute_of(const Codes& codes, GroundDistance by) {
  PublishedAttribute attribute{
      codes, by == GroundDistance::ordered ? AttributeScale::ordinal : AttributeScale::nominal, {}};
  if (by == GroundDistance::hierarchical)
    attribute.levels = pairs_of_values(1 + *std::max_element(codes.begin(), codes.end()));
  return attribute;
}

TEST(NTCloseness, IsTheGreatestDistanceToTheBestLargeSuperset) {
  RandomSensitive random(73);
  SilentTicker ticker;
  for (int round = 0; round < 600; ++round) {
    const auto by = static_cast<GroundDistance>(round % 3);
    const int records = random.between(1, 40), n = random.between(1, records);
    const Codes codes = random.make(GroundDistance::ordered, records, 1).ranks;
    const Codes class_of = random_classes(random, records, 12);
    const int classes = 1 + *std::max_element(class_of.begin(), class_of.end());
    const std::vector<Codes> supersets = {random_classes(random, classes, 4),
                                          random_classes(random, classes, 2)};
    std::vector<Codes> superset_of_record(supersets.size());
    for (const std::int32_t c : class_of)
      for (std::size_t j = 0; j < supersets.size(); ++j)
        superset_of_record[j].push_back(supersets[j][static_cast<std::size_t>(c)]);
    const ClassHistogram histogram(class_of, attribute_of(codes, by), ticker);
    EXPECT_NEAR(n_t_closeness(histogram, supersets, n, ticker).level,
                plain_n_t(codes, class_of, superset_of_record, n, by), 1e-12);
    EXPECT_DOUBLE_EQ(n_t_closeness(histogram, {}, n, ticker).level,
                     t_closeness(histogram, ticker).level);
  }
}

TEST(NTCloseness, RefusesClassesWithoutSuperset) {
  SilentTicker ticker;
  const ClassHistogram histogram({0, 0, 1}, {{0, 1, 2}, AttributeScale::ordinal, {}}, ticker);
  EXPECT_THROW(n_t_closeness(histogram, {{0}}, 1, ticker), Error);
  EXPECT_THROW(n_t_closeness(histogram, {{0, -1}}, 1, ticker), Error);
  EXPECT_THROW(n_t_closeness(histogram, {}, 0, ticker), Error);
}

}  // namespace
}  // namespace anonkit
