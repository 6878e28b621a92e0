#include "table/hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "fixture/random_hierarchy.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "model/hierarchical_t_closeness.hpp"
#include "recode/masked.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {
namespace {

using Levels = std::vector<std::vector<std::int32_t>>;

/// The values of the group that a value belongs to.
std::set<std::int32_t> members(const Levels& levels, std::int32_t level, std::int32_t value) {
  std::set<std::int32_t> values;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(levels.front().size()); ++v)
    if (level == 0 ? v == value : levels[level - 1][v] == levels[level - 1][value])
      values.insert(v);
  return values;
}

TEST(Hierarchy, IsTheTreeItWasMadeFrom) {
  RandomTables random(1);
  for (int round = 0; round < 500; ++round) {
    const Levels levels = random_levels(random, random.between(1, 12));
    const Hierarchy hierarchy(levels);
    ASSERT_EQ(hierarchy.values(), static_cast<std::int32_t>(levels.front().size()));
    ASSERT_EQ(hierarchy.height(), static_cast<std::int32_t>(levels.size()));
    ASSERT_EQ(hierarchy.groups(hierarchy.height()), 1);
    for (std::int32_t level = 0; level <= hierarchy.height(); ++level) {
      std::set<std::int32_t> groups;
      for (std::int32_t v = 0; v < hierarchy.values(); ++v) {
        const std::int32_t group = hierarchy.group(level, v);
        groups.insert(group);
        ASSERT_EQ(group, level == 0 ? v : levels[level - 1][v]);
        const auto leaves = static_cast<std::int32_t>(members(levels, level, v).size());
        ASSERT_EQ(hierarchy.leaves(level, group), leaves);
        ASSERT_EQ(hierarchy.ncp(level, group),
                  leaves == 1 ? 0 : static_cast<double>(leaves) / hierarchy.values());
        if (level < hierarchy.height()) {
          ASSERT_EQ(hierarchy.parent(level, group), hierarchy.group(level + 1, v));
        }
      }
      ASSERT_EQ(hierarchy.groups(level), static_cast<std::int32_t>(groups.size()));
    }
  }
}

TEST(Hierarchy, TheCommonLevelIsTheLowestWhereBothAreInOneGroup) {
  RandomTables random(2);
  for (int round = 0; round < 500; ++round) {
    const Levels levels = random_levels(random, random.between(1, 12));
    const Hierarchy hierarchy(levels);
    for (std::int32_t a = 0; a < hierarchy.values(); ++a)
      for (std::int32_t b = 0; b < hierarchy.values(); ++b) {
        std::int32_t level = 0;
        while (members(levels, level, a).count(b) == 0) ++level;
        ASSERT_EQ(hierarchy.common_level(a, b), level);
      }
  }
}

TEST(Hierarchy, SuppressionIsOneGroup) {
  const Hierarchy hierarchy = Hierarchy::suppression(3);
  EXPECT_EQ(hierarchy.height(), 1);
  EXPECT_EQ(hierarchy.leaves(1, 0), 3);
  EXPECT_EQ(hierarchy.common_level(0, 2), 1);
  EXPECT_EQ(hierarchy.common_level(1, 1), 0);
}

TEST(Hierarchy, RefusesWhatIsNoTree) {
  const auto refused = [](Levels levels) {
    try {
      Hierarchy hierarchy(std::move(levels));
    } catch (const Error& e) {
      return e.kind == ErrorKind::invalid_data;
    }
    return false;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({{}}));
  EXPECT_TRUE(refused({{0, 0, 1}}));                        // two groups at the top
  EXPECT_TRUE(refused({{0, 0, 1}, {0, 1, 1}, {0, 0, 0}}));  // splits a group
  EXPECT_TRUE(refused({{0, 0, 1}, {0, 0}}));                // a value is missing
  EXPECT_TRUE(refused({{1, 0, 0}, {0, 0, 0}}));             // not numbered by first value
  EXPECT_TRUE(refused({{0, 2, 2}, {0, 0, 0}}));             // a number is left out
  EXPECT_TRUE(refused({{0, -1, -1}, {0, 0, 0}}));
  EXPECT_FALSE(refused({{0, 1, 1}, {0, 0, 0}}));
}

TEST(Hierarchy, ARefusalCountsTheValuesOfSplitLabels) {
  // The first of two labels of level 1, with three values, belongs to two labels of level 2.
  try {
    Hierarchy hierarchy({{0, 0, 0, 1, 1}, {0, 0, 1, 1, 1}, {0, 0, 0, 0, 0}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(
        e.detail,
        "At level 1, 3 values have a label that is part of several labels of the level above.");
  }
}

TEST(Hierarchy, ARandomSplitIsRefused) {
  RandomTables random(3);
  for (int round = 0; round < 500; ++round) {
    Levels levels = random_levels(random, random.between(3, 12));
    if (levels.size() < 2) continue;
    // One of two values with a common group gets a group of its own on the level above.
    const auto level =
        static_cast<std::size_t>(random.between(1, static_cast<int>(levels.size()) - 1));
    const std::vector<std::int32_t>& below = levels[level - 1];
    const std::size_t last = below.size() - 1;
    if (std::count(below.begin(), below.end(), below[last]) < 2) continue;
    levels[level][last] = *std::max_element(levels[level].begin(), levels[level].end()) + 1;
    EXPECT_THROW(Hierarchy{levels}, Error);
  }
}

/// The height of the lowest common ancestor in a tree of nodes.
template <class Tree>
std::int32_t ancestor_height(const Tree& tree, std::int32_t a, std::int32_t b) {
  std::set<std::int32_t> above;
  for (; a >= 0; a = tree.parent[a]) above.insert(a);
  while (above.count(b) == 0) b = tree.parent[b];
  return tree.height[b];
}

TEST(Hierarchy, TaxonomyAndValueTreeMeasureItsCommonLevels) {
  RandomTables random(4);
  for (int round = 0; round < 500; ++round) {
    const Levels levels = random_levels(random, random.between(1, 12));
    const Hierarchy hierarchy(levels);
    const Taxonomy taxonomy = taxonomy_of(hierarchy);
    const ValueTree tree = value_tree(levels);
    ASSERT_EQ(*std::max_element(taxonomy.height.begin(), taxonomy.height.end()),
              hierarchy.height());
    ASSERT_EQ(*std::max_element(tree.height.begin(), tree.height.end()), hierarchy.height());
    for (std::int32_t a = 0; a < hierarchy.values(); ++a)
      for (std::int32_t b = 0; b < hierarchy.values(); ++b) {
        ASSERT_EQ(ancestor_height(taxonomy, a, b), hierarchy.common_level(a, b));
        ASSERT_EQ(ancestor_height(tree, a, b), hierarchy.common_level(a, b));
      }
    // Nodes with one child are skipped, except the root.
    std::vector<int> children(taxonomy.parent.size(), 0);
    for (const std::int32_t parent : taxonomy.parent)
      if (parent >= 0) ++children[parent];
    for (std::size_t v = hierarchy.values(); v < children.size(); ++v) {
      if (taxonomy.parent[v] >= 0) {
        ASSERT_GE(children[v], 2);
      }
    }
  }
}

TEST(Hierarchy, AClassIsRecodedToItsLowestCommonAncestor) {
  RandomTables random(5);
  for (int round = 0; round < 500; ++round) {
    const Levels levels = random_levels(random, random.between(2, 12));
    const Hierarchy hierarchy(levels);
    std::vector<double> values;
    std::vector<std::int32_t> leaves;
    Members classes;
    for (Record i = 0; i < 12; ++i) {
      if (i == 0 || random.between(0, 3) == 0) classes.first_of.push_back(i);
      classes.records.push_back(i);
      leaves.push_back(random.between(0, hierarchy.values() - 1));
      values.push_back(leaves.back());
      values.push_back(random.between(0, 9));
    }
    classes.first_of.push_back(12);
    OwnedTable owned = table_of(values, {{Kind::nominal, 1, hierarchy.values()}, {}});
    owned.columns[0].hierarchy = &hierarchy;
    owned.columns[0].leaves = leaves.data();
    const Table table = owned.view();
    const Masked masked = recode(table, classes, Recode::hierarchy);
    for (std::size_t c = 0; c + 1 < classes.first_of.size(); ++c) {
      const auto first = leaves.begin() + classes.first_of[c],
                 last = leaves.begin() + classes.first_of[c + 1];
      std::int32_t level = 0;
      for (auto leaf = first; leaf != last; ++leaf)
        level = std::max(level, hierarchy.common_level(*first, *leaf));
      ASSERT_EQ(masked.levels[2 * c], level);
      ASSERT_EQ(masked.low[2 * c], hierarchy.group(level, *first));
      ASSERT_EQ(masked.levels[2 * c + 1], kNoLevel);
      ASSERT_LE(masked.low[2 * c + 1], table.value(classes.first_of[c], 1));
      ASSERT_GE(masked.high[2 * c + 1], table.value(classes.first_of[c], 1));
    }
  }
}

}  // namespace
}  // namespace anonkit
