#include "model/stored_versions.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/trials.hpp"
#include "reference/possible.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "model/nested_classes.hpp"

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

TEST(StoredVersions, NoRowsTellNothing) {
  SilentTicker ticker;
  const Intersection found = intersect_versions({}, ticker);
  EXPECT_EQ(found.places, 0);
  EXPECT_EQ(found.fewest_histories, 0);
  EXPECT_EQ(found.fewest_candidates, 0);
  EXPECT_EQ(found.certain, 0);
  EXPECT_EQ(found.solved, 0);
  EXPECT_EQ(found.persons, 0);
  EXPECT_EQ(found.m_invariance, 0);
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

/// Persons with several values, too: each person has a value in each version.
std::vector<StoredRow> large_random_rows(std::uint64_t seed) {
  Random random(seed);
  const auto persons = static_cast<std::int32_t>(10 + random.below(40));
  const std::uint32_t values = 2 + random.below(12);
  const std::uint32_t classes = 1 + random.below(6);
  std::vector<StoredRow> rows;
  std::int32_t first_class = 0;
  std::vector<std::int32_t> value_of;
  for (std::int32_t i = 0; i < persons; ++i)
    value_of.push_back(static_cast<std::int32_t>(random.below(values)));
  for (int version = 0; version < 4; ++version) {
    std::map<std::uint32_t, std::int32_t> used;
    for (std::int32_t i = 0; i < persons; ++i) {
      if (random.below(8) == 0) continue;
      if (random.below(20) == 0)
        value_of[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(random.below(values));
      const auto number =
          used.emplace(random.below(classes), static_cast<std::int32_t>(used.size()));
      rows.push_back(
          {version, i, first_class + number.first->second, value_of[static_cast<std::size_t>(i)]});
    }
    first_class += static_cast<std::int32_t>(used.size());
  }
  return rows;
}

/// By place, its possible values by a closure over the classes that are split.
reference::Possible by_split_classes(const std::vector<StoredRow>& rows) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::set<std::int32_t>> classes_of_place;
  for (const StoredRow& row : rows) classes_of_place[{row.person, row.value}].insert(row.class_id);
  std::vector<std::set<std::int32_t>> classes_of;
  std::vector<std::int32_t> value_of;
  for (const auto& [place, classes] : classes_of_place) {
    classes_of.push_back(classes);
    value_of.push_back(place.second);
  }
  const reference::Histories histories = reference::histories_of(classes_of, value_of);
  SilentTicker ticker;
  const NumberLists split =
      split_nested(reference::classes_of_histories(histories), histories.shared.size(), ticker);
  return reference::by_closure(with_places(split, histories), value_of);
}

TEST(StoredVersions, CandidatesAreThoseOfTheClosure) {
  for (std::uint64_t seed = 0; seed < trials(1500); ++seed) {
    const std::vector<StoredRow> rows = large_random_rows(seed);
    const reference::Possible expected = by_split_classes(rows);
    std::int64_t fewest = 99, certain = 0;
    for (const auto& possible : expected) {
      fewest = std::min(fewest, static_cast<std::int64_t>(possible.size()));
      certain += possible.size() == 1 ? 1 : 0;
    }
    const Intersection found = intersect(rows);
    ASSERT_EQ(found.places, static_cast<std::int64_t>(expected.size()));
    ASSERT_EQ(found.fewest_candidates, fewest) << seed;
    ASSERT_EQ(found.certain, certain) << seed;
  }
}

/// Counts the work instead of seconds, which depend on the machine.
class Count final : public Ticker {
 public:
  std::int64_t polls = 0;

 protected:
  void poll() override { ++polls; }
};

/// The work of all polls is below the cube of the values by far.
TEST(StoredVersions, ManyValuesOfAClassAreNotCubic) {
  std::vector<StoredRow> rows;
  for (std::int32_t version = 0; version < 3; ++version)
    for (std::int32_t i = 0; i < 5000; ++i) rows.push_back({version, i, version, i % 2000});
  Count ticker;
  const Intersection found = intersect_versions(rows, ticker);
  EXPECT_EQ(found.fewest_candidates, 2000);
  EXPECT_GT(ticker.polls, 1);
  EXPECT_LT(ticker.polls, 2000);
}

TEST(StoredVersions, CanBeCancelledAtAnyPoll) {
  std::vector<StoredRow> rows;
  Random random(1);
  for (std::int32_t version = 0; version < 3; ++version)
    for (std::int32_t i = 0; i < 3000; ++i)
      rows.push_back(
          {version, i, 10 * version + static_cast<std::int32_t>(random.below(10)), i % 500});
  Count all;
  intersect_versions(rows, all);
  EXPECT_GT(all.polls, 20);
  for (int polls = 1; polls <= all.polls; polls *= 2) {
    ImpatientTicker ticker(polls);
    EXPECT_THROW(intersect_versions(rows, ticker), Error);
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

/// {a, b, c} has x, x, y; later {a, b} has x and y. So c has x.
TEST(StoredVersions, SubtractionTellsAValue) {
  const Intersection found =
      intersect({{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 2, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1}});
  EXPECT_EQ(found.fewest_candidates, 1);
  EXPECT_EQ(found.certain, 1);
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
