#include "model/p_capacity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/error.hpp"
#include "model/counts.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

PCapacity capacity(const Codes& codes, std::int32_t p) {
  SilentTicker ticker;
  return p_capacity(
      ClassHistogram(Codes(codes.size(), 0), {codes, AttributeScale::nominal, {}}, ticker), p,
      ticker);
}

/// The largest number of classes with p distinct values. Each class takes one record of each of the
/// p most frequent values left, until fewer than p values are left.
std::int64_t most_classes(const Codes& codes, std::int32_t p) {
  std::map<std::int32_t, int> counts;
  for (const std::int32_t code : codes) ++counts[code];
  std::vector<int> left;
  for (const auto& entry : counts) left.push_back(entry.second);
  if (left.size() < static_cast<std::size_t>(p)) return 0;
  for (std::int64_t classes = 0;; ++classes) {
    std::sort(left.rbegin(), left.rend());
    if (left[static_cast<std::size_t>(p) - 1] == 0) return classes;
    for (std::int32_t i = 0; i < p; ++i) --left[static_cast<std::size_t>(i)];
  }
}

// The paper's Table 1: AIDS, diabetes, tuberculosis; 40,000, 50,000 and 60,000.
const Codes kTable1Classes = {0, 0, 0, 1, 1, 1, 1};
const Codes kDiagnoses = {0, 0, 0, 1, 1, 2, 2};
const Codes kIncomes = {2, 2, 0, 1, 0, 1, 0};

TEST(PSensitivity, OfTable1) {
  SilentTicker ticker;
  const auto level = [&](const Codes& codes) {
    return p_sensitivity(
               ClassHistogram(kTable1Classes, {codes, AttributeScale::nominal, {}}, ticker), ticker)
        .level;
  };
  EXPECT_EQ(k_anonymity(ClassHistogram(kTable1Classes, ticker), ticker).level, 3);
  EXPECT_EQ(level(kDiagnoses), 1);
  EXPECT_EQ(level(kIncomes), 2);
  // "If one of the tuples from the first cluster would have a value other than AIDS"
  EXPECT_EQ(level({0, 0, 1, 1, 1, 2, 2}), 2);
}

TEST(PCapacity, OfTable1) {
  const PCapacity found = capacity(kDiagnoses, 2);
  EXPECT_EQ(found.distinct, 3);
  EXPECT_EQ(found.frequencies, (std::vector<std::int64_t>{3, 2, 2}));
  EXPECT_EQ(found.cumulated, (std::vector<std::int64_t>{3, 5, 7}));
  EXPECT_EQ(found.max_clusters, 3);
  EXPECT_EQ(capacity(kDiagnoses, 3).max_clusters, 2);
  EXPECT_EQ(capacity(kDiagnoses, 4).max_clusters, 0);
}

TEST(PCapacity, FourRecordsOfFigure1AllowTwoClustersByCondition2) {
  std::vector<PCapacity> attributes;
  for (const Codes& codes : {Codes{0, 0, 1, 1}, Codes{0, 1, 0, 1}, Codes{0, 1, 1, 0}})
    attributes.push_back(capacity(codes, 2));
  const PCapacity joint = joint_p_capacity(attributes, 2);
  EXPECT_EQ(joint.distinct, 2);
  EXPECT_EQ(joint.cumulated, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(joint.max_clusters, 2);
}

TEST(PCapacity, OfOneAttributeTheBoundIsReached) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    Codes codes(1 + random() % 60);
    const auto values = 1 + random() % 8;
    for (std::int32_t& code : codes)
      code = static_cast<std::int32_t>(std::min(random() % values, random() % values));
    for (std::int32_t p = 1; p <= 6; ++p)
      EXPECT_EQ(capacity(codes, p).max_clusters, most_classes(codes, p)) << p;
  }
}

TEST(PCapacity, OfSeveralAttributesTheHardestCounts) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random() % 40;
    const auto p = static_cast<std::int32_t>(1 + random() % 4);
    std::vector<PCapacity> attributes;
    std::int64_t least = INT64_MAX;
    for (int a = 0; a < 3; ++a) {
      Codes codes(n);
      const auto values = 1 + random() % 8;
      for (std::int32_t& code : codes) code = static_cast<std::int32_t>(random() % values);
      attributes.push_back(capacity(codes, p));
      least = std::min(least, attributes.back().max_clusters);
    }
    EXPECT_EQ(joint_p_capacity(attributes, p).max_clusters, least);
  }
}

TEST(PCapacity, RefusesBadParameters) {
  EXPECT_THROW(capacity({0, 1}, 0), Error);
  EXPECT_THROW(joint_p_capacity({}, 1), Error);
  EXPECT_THROW(capacity({}, 1), Error);
}

}  // namespace
}  // namespace anonkit
