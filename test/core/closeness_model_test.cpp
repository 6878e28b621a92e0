#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "error.hpp"
#include "model/hierarchical_t_closeness.hpp"
#include "model/n_t_closeness.hpp"
#include "model/t_closeness.hpp"
#include "random_confidential.hpp"
#include "reference_models.hpp"
#include "reference_tcloseness.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

/// Classes 0 .. some number, none empty.
Codes random_classes(RandomConfidential& random, int n, int most) {
  const int classes = random.between(1, std::min(n, most));
  Codes class_of;
  for (int i = 0; i < n; ++i) class_of.push_back(i < classes ? i : random.between(0, classes - 1));
  return class_of;
}

TEST(HierarchicalTCloseness, IsTheGreatestEmdOfItsDefinition) {
  RandomConfidential random(71);
  SilentTicker ticker;
  for (int round = 0; round < 500; ++round) {
    const int n = random.between(1, 40);
    const Confidential attribute = random.make(GroundDistance::hierarchical, n, 1);
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
  RandomConfidential random(72);
  SilentTicker ticker;
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, 40);
    const Confidential attribute = random.make(GroundDistance::nominal, n, 1);
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

TEST(HierarchicalTCloseness, RefusesWhatIsNoTree) {
  SilentTicker ticker;
  const ClassHistogram histogram({0, 0}, {{0, 1}, AttributeScale::nominal, {}}, ticker);
  const auto measure = [&](const ValueTree& tree) {
    hierarchical_t_closeness(histogram, tree, ticker);
  };
  EXPECT_NO_THROW(measure({{2, 2, -1}, {0, 0, 1}}));
  EXPECT_THROW(measure({{2, 2, 3, 2}, {0, 0, 1, 1}}), Error);
  EXPECT_THROW(measure({{2, -1, -1}, {0, 0, 1}}), Error);
  EXPECT_THROW(measure({{-1}, {0}}), Error);
}

/// From the definition: the EMD between two sets of records over the values of all.
double plain_distance(const Codes& codes, const std::vector<int>& part,
                      const std::vector<int>& whole, bool ordered) {
  const std::int32_t m = 1 + *std::max_element(codes.begin(), codes.end());
  double sum = 0, running = 0;
  for (std::int32_t v = 0; v < m; ++v) {
    const auto share = [&](const std::vector<int>& set) {
      return static_cast<double>(
                 std::count_if(set.begin(), set.end(),
                               [&](int i) { return codes[static_cast<std::size_t>(i)] == v; })) /
             static_cast<double>(set.size());
    };
    running = (ordered ? running : 0) + share(part) - share(whole);
    sum += std::abs(running);
  }
  if (!ordered) return sum / 2;
  return m > 1 ? sum / (m - 1) : 0;
}

TEST(NTCloseness, IsTheGreatestDistanceToTheBestLargeSuperset) {
  RandomConfidential random(73);
  SilentTicker ticker;
  for (int round = 0; round < 500; ++round) {
    const bool ordered = round % 2 == 0;
    const int records = random.between(1, 40), n = random.between(1, records);
    const Codes codes = random.make(GroundDistance::ordered, records, 1).ranks;
    const Codes class_of = random_classes(random, records, 12);
    const int classes = 1 + *std::max_element(class_of.begin(), class_of.end());
    const Codes join = random_classes(random, classes, 4);
    Codes coarse;
    for (const std::int32_t c : class_of) coarse.push_back(join[static_cast<std::size_t>(c)]);
    double greatest = 0;
    for (int c = 0; c < classes; ++c) {
      std::vector<int> part, superset, all;
      for (int i = 0; i < records; ++i) {
        all.push_back(i);
        const auto at = static_cast<std::size_t>(i);
        if (class_of[at] == c) part.push_back(i);
        if (coarse[at] == join[static_cast<std::size_t>(c)]) superset.push_back(i);
      }
      double least = plain_distance(codes, part, all, ordered);
      if (static_cast<int>(superset.size()) >= n)
        least = std::min(least, plain_distance(codes, part, superset, ordered));
      greatest = std::max(greatest, least);
    }
    const SensitiveAttribute attribute{
        codes, ordered ? AttributeScale::ordinal : AttributeScale::nominal, {}};
    EXPECT_NEAR(n_t_closeness(class_of, attribute, {coarse}, n, ticker).level, greatest, 1e-12);
    EXPECT_DOUBLE_EQ(n_t_closeness(class_of, attribute, {}, n, ticker).level,
                     t_closeness(ClassHistogram(class_of, attribute, ticker), ticker).level);
  }
}

TEST(NTCloseness, RefusesSupersetsOfPartsOfClasses) {
  SilentTicker ticker;
  const SensitiveAttribute attribute{{0, 1, 2}, AttributeScale::ordinal, {}};
  EXPECT_THROW(n_t_closeness({0, 0, 1}, attribute, {{0, 1, 1}}, 1, ticker), Error);
  EXPECT_THROW(n_t_closeness({0, 0, 1}, attribute, {{0, 0}}, 1, ticker), Error);
  EXPECT_THROW(n_t_closeness({0, 0, 1}, attribute, {}, 0, ticker), Error);
}

}  // namespace
}  // namespace anonkit
