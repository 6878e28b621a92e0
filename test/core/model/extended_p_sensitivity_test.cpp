#include "model/extended_p_sensitivity.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/error.hpp"
#include "model/counts.hpp"
#include "sensitive/lifted_values.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

double extended(const Codes& class_of, const Codes& codes, const ProtectedTree& tree) {
  SilentTicker ticker;
  return extended_p_sensitivity(
             ClassHistogram(class_of, {codes, AttributeScale::nominal, {}}, ticker), tree, ticker)
      .level;
}

double plain(const Codes& class_of, const Codes& codes) {
  SilentTicker ticker;
  return p_sensitivity(ClassHistogram(class_of, {codes, AttributeScale::nominal, {}}, ticker),
                       ticker)
      .level;
}

// A part of ICD-9. 140-239 are neoplasms, with 153 colon, 174 breast, 185 prostate. 390-459 are the
// circulatory system, with 410 infarction and 428 heart failure. 460-519 are the respiratory
// system, with 486 pneumonia.
enum Illness { kColon, kBreast, kProstate, kInfarction, kHeartFailure, kPneumonia };
const Hierarchy& icd9() {
  static const Hierarchy hierarchy({{0, 1, 1, 2, 2, 3},  // 150-159, 170-189, 410-429, 480-488
                                    {0, 0, 0, 1, 1, 2},  // the chapters
                                    {0, 0, 0, 0, 0, 0}});
  return hierarchy;
}
/// The hierarchy as a tree: 6 to 9 the blocks, 10 to 12 the chapters, 13 all.
ProtectedTree icd9_tree(const std::set<std::size_t>& protected_nodes) {
  ProtectedTree tree{{6, 7, 7, 8, 8, 9, 10, 10, 11, 12, 13, 13, 13, -1}, std::vector<bool>(14)};
  for (const std::size_t node : protected_nodes) tree.is_protected[node] = true;
  return tree;
}

const Codes kClasses = {0, 0, 0, 1, 1, 1, 2, 2, 2};
const Codes kIllnesses = {kColon,     kBreast, kProstate,     kBreast,   kInfarction,
                          kPneumonia, kColon,  kHeartFailure, kPneumonia};

TEST(ExtendedPSensitivity, AClassOfCancersDisclosesCancer) {
  // Each class has three illnesses, but those of the first are all cancer.
  EXPECT_EQ(plain(kClasses, kIllnesses), 3);
  EXPECT_EQ(extended(kClasses, kIllnesses, icd9_tree({})), 3);
  EXPECT_EQ(extended(kClasses, kIllnesses, icd9_tree({10})), 1);
  EXPECT_EQ(extended(kClasses, kIllnesses, icd9_tree({7})), 2);
  EXPECT_EQ(extended(kClasses, kIllnesses, icd9_tree({11, 12})), 3);
}

TEST(ExtendedPSensitivity, OnlyTheTopmostProtectedValueIsStrong) {
  EXPECT_EQ(extended(kClasses, kIllnesses, icd9_tree({6, 7, 10})), 1);
  EXPECT_EQ(extended(kClasses, kIllnesses, icd9_tree({13})), 1);
}

/// By the levels of the histogram's own hierarchy.
double by_levels(const Codes& class_of, const Codes& codes, const Hierarchy& hierarchy,
                 const std::vector<ProtectedGroup>& protected_groups) {
  PublishedAttribute attribute{codes, AttributeScale::nominal, {}};
  for (std::int32_t level = 1; level <= hierarchy.height(); ++level) {
    attribute.levels.push_back(hierarchy.level(level));
    attribute.is_protected.emplace_back(hierarchy.groups(level));
  }
  for (const ProtectedGroup& one : protected_groups)
    if (one.level > 0)
      attribute.is_protected[static_cast<std::size_t>(one.level) - 1]
                            [static_cast<std::size_t>(one.group)] = true;
  SilentTicker ticker;
  return extended_p_sensitivity(ClassHistogram(class_of, attribute, ticker), ticker).level;
}

TEST(ExtendedPSensitivity, OfAHistogramWithAHierarchy) {
  EXPECT_EQ(by_levels(kClasses, kIllnesses, icd9(), {}), 3);
  EXPECT_EQ(by_levels(kClasses, kIllnesses, icd9(), {{2, 0}}), 1);
  EXPECT_EQ(by_levels(kClasses, kIllnesses, icd9(), {{1, 1}}), 2);
  // Some values may be missing.
  const Codes some = {kBreast, kBreast, kProstate, kPneumonia, kBreast, kPneumonia};
  EXPECT_EQ(by_levels({0, 0, 0, 1, 1, 1}, some, icd9(), {}), 2);
  EXPECT_EQ(by_levels({0, 0, 0, 1, 1, 1}, some, icd9(), {{2, 0}}), 1);
  EXPECT_EQ(by_levels({0, 0, 0, 1, 1, 1}, some, icd9(), {{2, 2}}), 2);
}

TEST(StrongValues, OfIcd9) {
  EXPECT_EQ(lifted_values(icd9(), {}), (Codes{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(lifted_values(icd9(), {{2, 0}}), (Codes{0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(lifted_values(icd9(), {{1, 1}}), (Codes{0, 1, 1, 2, 3, 4}));
  EXPECT_EQ(lifted_values(icd9(), {{1, 1}, {2, 0}, {0, 2}}), (Codes{0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(lifted_values(icd9(), {{2, 0}, {2, 1}}), (Codes{0, 0, 0, 1, 1, 2}));
  EXPECT_EQ(lifted_values(icd9(), {{3, 0}}), Codes(6, 0));
}

TEST(StrongValues, RefuseWhatIsNotInTheHierarchy) {
  for (const ProtectedGroup& one : {ProtectedGroup{-1, 0}, {4, 0}, {2, 3}, {2, -1}, {0, 6}, {3, 1}})
    EXPECT_THROW(lifted_values(icd9(), {one}), Error);
}

/// A random hierarchy, and its tree, whose nodes are numbered level by level.
struct Both {
  Hierarchy hierarchy;
  ProtectedTree tree;
};

Both random_hierarchy(std::mt19937_64& random, std::int32_t values) {
  std::vector<Codes> levels;
  Codes group(static_cast<std::size_t>(values));
  for (std::int32_t v = 0; v < values; ++v) group[static_cast<std::size_t>(v)] = v;
  for (auto height = 1 + random() % 4; height > 1; --height) {
    std::int32_t last = -1, before = -1;
    for (std::int32_t& g : group) {
      if (g != before && (last < 0 || random() % 2 == 0)) ++last;
      before = g;
      g = last;
    }
    levels.push_back(group);
  }
  levels.emplace_back(group.size(), 0);
  Both both{Hierarchy(levels), {}};
  std::int32_t above = values;
  for (std::int32_t level = 0; level < both.hierarchy.height(); ++level) {
    for (std::int32_t g = 0; g < both.hierarchy.groups(level); ++g)
      both.tree.parent.push_back(above + both.hierarchy.parent(level, g));
    above += both.hierarchy.groups(level + 1);
  }
  both.tree.parent.push_back(-1);
  both.tree.is_protected.resize(both.tree.parent.size());
  return both;
}

TEST(ExtendedPSensitivity, IsPSensitivityOfTheStrongValues) {
  std::mt19937_64 random(7);
  int lower = 0;
  for (int round = 0; round < 500; ++round) {
    const auto values = static_cast<std::int32_t>(1 + random() % 8);
    Both both = random_hierarchy(random, values);
    std::vector<ProtectedGroup> protected_groups;
    std::size_t node = 0;
    for (std::int32_t level = 0; level <= both.hierarchy.height(); ++level)
      for (std::int32_t g = 0; g < both.hierarchy.groups(level); ++g, ++node)
        if (random() % 4 == 0) {
          protected_groups.push_back({level, g});
          both.tree.is_protected[node] = true;
        }
    const Codes lifted = lifted_values(both.hierarchy, protected_groups);
    Codes class_of, codes, counted;
    const std::int32_t classes = 3;
    for (std::int32_t i = 0; i < 30; ++i) {
      class_of.push_back(i % classes);
      // Every value occurs, since the histogram numbers only those that do.
      codes.push_back(
          i < values ? i
                     : static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(values)));
      counted.push_back(lifted[static_cast<std::size_t>(codes.back())]);
    }
    EXPECT_EQ(extended(class_of, codes, both.tree), plain(class_of, counted));
    EXPECT_EQ(by_levels(class_of, codes, both.hierarchy, protected_groups),
              plain(class_of, counted));
    lower += plain(class_of, counted) < plain(class_of, codes);
  }
  EXPECT_GT(lower, 100);
}

TEST(ExtendedPSensitivity, RefusesWhatIsNoTree) {
  const Codes two = {0, 1};
  EXPECT_THROW(extended({0, 0}, two, {{-1}, {false}}), Error);
  EXPECT_THROW(extended({0, 0}, two, {{2, 2, 1}, {false, false, false}}), Error);
  EXPECT_THROW(extended({0, 0}, two, {{5, -1}, {false, false}}), Error);
  EXPECT_THROW(extended({0, 0}, two, {{2, -1}, {false, false}}), Error);
  EXPECT_THROW(extended({0, 0}, two, {{-2, -1}, {false, false}}), Error);
  EXPECT_THROW(extended({0, 0}, two, {{-1, -1}, {false}}), Error);
  EXPECT_EQ(extended({0, 0}, two, {{-1, -1}, {false, false}}), 2);
}

}  // namespace
}  // namespace anonkit
