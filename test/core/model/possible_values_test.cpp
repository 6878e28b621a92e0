#include "model/possible_values.hpp"
#include "fixture/trials.hpp"
#include "reference/joint.hpp"
#include "reference/possible.hpp"

#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "model/nested_classes.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kMostValues = 3;

/// Persons in classes of several versions, with one value each. Everybody is in a class.
struct VersionedTable {
  ByRelease class_of;
  std::vector<std::int32_t> truth;

  explicit VersionedTable(Random& random) {
    const std::size_t persons = 3 + random.below(5);
    for (std::size_t i = 0; i < persons; ++i)
      truth.push_back(static_cast<std::int32_t>(random.below(kMostValues)));
  }

  /// Classes of all versions, by person; numbered across versions.
  std::vector<std::set<std::int32_t>> classes_of() const {
    std::vector<std::set<std::int32_t>> classes(truth.size());
    for (std::size_t version = 0; version < class_of.size(); ++version)
      for (std::size_t i = 0; i < truth.size(); ++i)
        if (class_of[version][i] != kNowhere)
          classes[i].insert(static_cast<std::int32_t>(100 * version) + class_of[version][i]);
    return classes;
  }

  reference::Histories histories() const { return reference::histories_of(classes_of(), truth); }

  reference::Possible worlds() const {
    return reference::possible_values(class_of, std::vector<bool>(class_of.size(), true), truth,
                                      kMostValues);
  }

  /// By person, as count_possible_values finds them.
  std::vector<std::int64_t> counts() const {
    SilentTicker ticker;
    const reference::Histories histories = this->histories();
    const auto by_history = count_possible_values(histories.shared, ticker);
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const auto h = at(histories.of_place[i]);
      const auto& values = histories.shared[h].values;
      const auto found = std::lower_bound(values.begin(), values.end(), truth[i]);
      counts.push_back(by_history[h][static_cast<std::size_t>(found - values.begin())]);
    }
    return counts;
  }
};

/// The first version has everybody, so that everybody is in a class.
VersionedTable arbitrary_table(std::uint64_t seed) {
  Random random(seed);
  VersionedTable table(random);
  const std::size_t versions = 1 + random.below(4);
  const std::uint32_t classes = 1 + random.below(3);
  for (std::size_t version = 0; version < versions; ++version) {
    table.class_of.emplace_back();
    for (std::size_t i = 0; i < table.truth.size(); ++i)
      table.class_of.back().push_back(version > 0 && random.below(4) == 0
                                          ? kNowhere
                                          : static_cast<std::int32_t>(random.below(classes)));
  }
  return table;
}

/// Groups of groups of persons: each version has a class for all of a large group, or for each of
/// the groups in it, some of which it leaves out. So any two classes are nested or disjoint.
VersionedTable nested_table(std::uint64_t seed, std::size_t versions) {
  Random random(seed);
  VersionedTable table(random);
  std::vector<std::vector<std::int32_t>> group(3);
  for (std::size_t i = 0; i < table.truth.size(); ++i)
    for (std::size_t level = 0; level < 3; ++level)
      group[level].push_back((level > 0 ? 2 * group[level - 1][i] : 0) +
                             static_cast<std::int32_t>(random.below(2)));
  for (std::size_t version = 0; version < versions; ++version) {
    std::vector<std::size_t> level_of;
    for (int large = 0; large < 2; ++large) level_of.push_back(random.below(version > 0 ? 3 : 2));
    std::vector<char> absent(8, 0);
    if (version > 0)
      for (char& one : absent) one = random.below(2) == 0 ? 1 : 0;
    table.class_of.emplace_back();
    for (std::size_t i = 0; i < table.truth.size(); ++i) {
      const std::size_t level = level_of[at(group[0][i])];
      const std::int32_t own = group[level][i];
      table.class_of.back().push_back(
          absent[at(own)] != 0 ? kNowhere : own + 10 * static_cast<std::int32_t>(level));
    }
  }
  return table;
}

std::vector<std::int64_t> sizes(const reference::Possible& possible) {
  std::vector<std::int64_t> sizes;
  for (const auto& values : possible) sizes.push_back(static_cast<std::int64_t>(values.size()));
  return sizes;
}

/// {1, 2, 3} has a, a, b; {1, 2} has a and b. So 3 has a.
TEST(PossibleValues, ClassesTellBySubtraction) {
  const std::vector<SharedHistory> histories = {{{0, 1}, {0, 1}}, {{0}, {0}}};
  SilentTicker ticker;
  EXPECT_EQ(count_possible_values(histories, ticker),
            (std::vector<std::vector<std::int64_t>>{{2, 2}, {1}}));
}

TEST(PossibleValues, AreExactForNestedClasses) {
  std::int64_t cut = 0;
  for (std::uint64_t seed = 0; seed < trials(1500); ++seed) {
    const VersionedTable table = nested_table(seed, seed % 3 == 0 ? 4 : 2);
    ASSERT_EQ(table.counts(), sizes(table.worlds())) << seed;
    const reference::Histories histories = table.histories();
    const auto plain = reference::by_closure(
        with_places(reference::classes_of_histories(histories), histories), table.truth);
    cut += table.counts() != sizes(plain) ? 1 : 0;
  }
  EXPECT_GT(cut, trials(1500) / 40) << "propagation over the classes given is not exact";
}

/// Between the values of all worlds and those by propagation over the classes given; and equal to
/// those by propagation over the classes that are split.
TEST(PossibleValues, AreBetweenWorldsAndPropagation) {
  std::int64_t below = 0, exact = 0;
  for (std::uint64_t seed = 0; seed < trials(2000); ++seed) {
    const VersionedTable table = arbitrary_table(seed);
    const reference::Histories histories = table.histories();
    const NumberLists classes = reference::classes_of_histories(histories);
    SilentTicker ticker;
    const NumberLists split = split_nested(classes, histories.shared.size(), ticker);
    const auto worlds = table.worlds();
    const auto plain = reference::by_closure(with_places(classes, histories), table.truth);
    const auto after = reference::by_closure(with_places(split, histories), table.truth);
    for (std::size_t i = 0; i < worlds.size(); ++i)
      for (const std::int32_t value : worlds[i]) ASSERT_EQ(after[i].count(value), 1U) << seed;
    for (std::size_t i = 0; i < worlds.size(); ++i)
      for (const std::int32_t value : after[i]) ASSERT_EQ(plain[i].count(value), 1U) << seed;
    ASSERT_EQ(table.counts(), sizes(after)) << seed;
    below += after != plain ? 1 : 0;
    exact += after == worlds ? 1 : 0;
  }
  EXPECT_GT(below, trials(2000) / 20);
  EXPECT_GT(exact, trials(2000) * 9 / 10);
}

}  // namespace
}  // namespace anonkit
