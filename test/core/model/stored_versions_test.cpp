#include "model/stored_versions.hpp"
#include "fixture/trials.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace anonkit {
namespace {

Intersection intersect(const std::vector<StoredRow>& rows) {
  SilentTicker ticker;
  return intersect_versions(rows, ticker);
}

/// Persons in classes of random size, in several versions, with one value each.
std::vector<StoredRow> random_rows(std::uint64_t seed, int versions) {
  Random random(seed);
  const auto persons = static_cast<std::int32_t>(4 + random.below(5));
  const std::uint32_t values = 2 + random.below(2);
  std::vector<std::int32_t> value_of;
  for (std::int32_t i = 0; i < persons; ++i)
    value_of.push_back(static_cast<std::int32_t>(random.below(values)));
  std::vector<StoredRow> rows;
  std::int32_t first_class = 0;
  for (int version = 0; version < versions; ++version) {
    const std::uint32_t classes = 1 + random.below(3);
    std::map<std::uint32_t, std::int32_t> used;
    for (std::int32_t i = 0; i < persons; ++i) {
      if (version > 0 && random.below(5) == 0) continue;
      const auto number =
          used.emplace(random.below(classes), static_cast<std::int32_t>(used.size()));
      rows.push_back(
          {version, i, first_class + number.first->second, value_of[static_cast<std::size_t>(i)]});
    }
    first_class += static_cast<std::int32_t>(used.size());
  }
  return rows;
}

/// The possible values of each person, by enumeration of all worlds.
std::vector<std::set<std::int32_t>> all_worlds(const std::vector<StoredRow>& rows) {
  std::int32_t persons = 0;
  for (const StoredRow& row : rows) persons = std::max(persons, row.person + 1);
  std::map<std::int32_t, std::multiset<std::int32_t>> published;
  for (const StoredRow& row : rows) published[row.class_id].insert(row.value);
  std::vector<std::set<std::int32_t>> possible(static_cast<std::size_t>(persons));
  std::vector<std::int32_t> world(static_cast<std::size_t>(persons), 0);
  for (bool more = true; more;) {
    std::map<std::int32_t, std::multiset<std::int32_t>> seen;
    for (const StoredRow& row : rows)
      seen[row.class_id].insert(world[static_cast<std::size_t>(row.person)]);
    if (seen == published)
      for (std::size_t i = 0; i < world.size(); ++i) possible[i].insert(world[i]);
    std::size_t digit = 0;
    while (digit < world.size() && ++world[digit] == 3) world[digit++] = 0;
    more = digit < world.size();
  }
  return possible;
}

/// For one version the answer is exact; for several it includes every world.
TEST(StoredVersions, CandidatesAreThoseOfAllWorlds) {
  for (std::uint64_t seed = 0; seed < trials(600); ++seed) {
    const int versions = 1 + static_cast<int>(seed % 3);
    const std::vector<StoredRow> rows = random_rows(seed, versions);
    const auto worlds = all_worlds(rows);
    std::int64_t fewest = 99, certain = 0;
    for (const auto& possible : worlds) {
      fewest = std::min(fewest, static_cast<std::int64_t>(possible.size()));
      certain += possible.size() == 1 ? 1 : 0;
    }
    const Intersection found = intersect(rows);
    if (versions == 1) {
      EXPECT_EQ(found.fewest_candidates, fewest);
      EXPECT_EQ(found.certain, certain);
    } else {
      EXPECT_GE(found.fewest_candidates, fewest);
      EXPECT_LE(found.certain, certain);
    }
  }
}

/// {a, b, c} has values x, y, z; later {a, d} has x and w. So a has x.
TEST(StoredVersions, IntersectionTellsAValue) {
  const Intersection found =
      intersect({{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 2, 0, 2}, {1, 0, 1, 0}, {1, 3, 1, 3}});
  EXPECT_EQ(found.places, 4);
  EXPECT_EQ(found.fewest_histories, 1);
  EXPECT_EQ(found.fewest_candidates, 1);
  EXPECT_EQ(found.certain, 2) << "a has x, so d has w";
}

/// The mean of three and the mean of two of them reveal the third.
TEST(StoredVersions, MeansAreSolved) {
  const std::vector<StoredRow> one = {{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 2, 0, 2}};
  EXPECT_EQ(intersect(one).solved, 0);
  std::vector<StoredRow> two = one;
  two.push_back({1, 0, 1, 0});
  two.push_back({1, 1, 1, 1});
  EXPECT_EQ(intersect(two).solved, 1);
  two.push_back({2, 1, 2, 1});
  two.push_back({2, 2, 2, 2});
  EXPECT_EQ(intersect(two).solved, 3);
}

TEST(StoredVersions, MInvariance) {
  const std::vector<StoredRow> one = {
      {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 2, 1, 0}, {0, 3, 1, 1}, {0, 4, 1, 2}};
  EXPECT_EQ(intersect(one).m_invariance, 2);
  std::vector<StoredRow> lasting = one;
  lasting.push_back({1, 0, 2, 0});
  lasting.push_back({1, 5, 2, 1});
  EXPECT_EQ(intersect(lasting).m_invariance, 2) << "another person, the values of before";
  lasting.push_back({1, 2, 3, 0});
  lasting.push_back({1, 6, 3, 3});
  EXPECT_EQ(intersect(lasting).m_invariance, 0) << "values of person 2's class have changed";
  EXPECT_EQ(intersect({{0, 0, 0, 0}, {0, 1, 0, 0}}).m_invariance, 0) << "two rows of one value";
}

}  // namespace
}  // namespace anonkit
