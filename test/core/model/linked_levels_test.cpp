#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/linked_tables.hpp"
#include "fixture/trials.hpp"
#include "model/linked_levels.hpp"

namespace anonkit {
namespace {

constexpr int kLargestM = 3;

LinkedLevels levels_of(const OwnedTables& owned, std::int64_t memory = std::int64_t{1} << 30) {
  SilentTicker ticker;
  return linked_levels(owned.tables(), {kLargestM, 2, memory}, ticker);
}

std::int64_t count_below(const std::vector<std::int32_t>& least, std::int32_t k) {
  return std::count_if(least.begin(), least.end(), [&](std::int32_t n) { return n < k; });
}

void expect_values(const LinkedLevel& level, const std::vector<reference::LinkedPerson>& persons,
                   int m, bool only_protected = false) {
  for (std::size_t t = 0; t < level.values.size(); ++t) {
    const auto table = static_cast<std::int32_t>(t);
    const reference::LinkedTruth known =
        reference::linked_truth(persons, m, true, table, 0, only_protected);
    const reference::LinkedTruth heap =
        reference::linked_truth(persons, m, false, table, 0, only_protected);
    ASSERT_DOUBLE_EQ(level.values[t].share, known.share) << "table " << t << ", m = " << m;
    ASSERT_EQ(level.values[t].diversity, known.diversity) << "table " << t << ", m = " << m;
    ASSERT_DOUBLE_EQ(level.values[t].share_unlinked, heap.share) << "table " << t << ", m = " << m;
  }
}

TEST(LinkedLevels, AreThoseOfTheDefinitionOnRandomTrees) {
  Random random(33);
  for (int round = 0; round < trials(3000); ++round) {
    const OwnedTables owned = random_linked_tables(random, 6);
    const std::vector<reference::LinkedPerson> persons = owned.persons();
    const LinkedLevels levels = levels_of(owned);
    for (int m = 0; m <= kLargestM; ++m) {
      const LinkedLevel& level = levels.by_m[static_cast<std::size_t>(m)];
      const std::vector<std::int32_t> least = reference::linked_truth(persons, m, true, 0, 0).least;
      ASSERT_EQ(level.k, *std::min_element(least.begin(), least.end())) << round << ", m = " << m;
      ASSERT_EQ(level.alone, count_below(least, 2)) << round << ", m = " << m;
      if (round % 10 == 0) expect_values(level, persons, m);
    }
  }
}

TEST(LinkedLevels, CountProtectedValuesAlone) {
  Random random(38);
  for (int round = 0; round < trials(1000); ++round) {
    OwnedTables owned = random_linked_tables(random, 6);
    owned.only_protected = true;
    for (OwnedTables::Arrays& table : owned.arrays)
      for (std::int32_t& value : table.values) value -= static_cast<std::int32_t>(random.below(2));
    const LinkedLevels levels = levels_of(owned);
    for (int m = 0; m <= 2; ++m)
      expect_values(levels.by_m[static_cast<std::size_t>(m)], owned.persons(), m, true);
  }
}

TEST(LinkedLevels, CountWholeRecordsAndRowsATable) {
  Random random(34);
  for (int round = 0; round < trials(2000); ++round) {
    const OwnedTables owned = random_linked_tables(random, 7);
    const std::vector<reference::LinkedPerson> persons = owned.persons();
    const LinkedLevels levels = levels_of(owned);
    std::vector<std::int32_t> equal;
    std::vector<std::int32_t> as_many;
    for (const auto& a : persons) {
      equal.push_back(0);
      as_many.push_back(0);
      for (const auto& b : persons) {
        const auto rows_of = [](const reference::LinkedPerson& person) {
          std::vector<std::int32_t> tables = {person.front().label};
          for (const auto& row : person) tables.push_back(row.table);
          std::sort(tables.begin() + 1, tables.end());
          return tables;
        };
        equal.back() += reference::are_equal(a, b) ? 1 : 0;
        as_many.back() += rows_of(a) == rows_of(b) ? 1 : 0;
      }
    }
    ASSERT_EQ(levels.all.k, *std::min_element(equal.begin(), equal.end()));
    ASSERT_EQ(levels.all.alone, count_below(equal, 2));
    ASSERT_EQ(levels.counts.k, *std::min_element(as_many.begin(), as_many.end()));
    ASSERT_EQ(levels.counts.alone, count_below(as_many, 2));
  }
}

TEST(LinkedLevels, DoNotDependOnThreads) {
  Random random(39);
  SilentTicker ticker;
  for (int round = 0; round < trials(60); ++round) {
    const OwnedTables owned = random_linked_tables(random, 700);
    std::vector<JudgedTable> tables = owned.tables();
    if (round % 4 > 0)
      for (JudgedTable& table : tables) table.values.clear();
    LinkedQuestion question = {2, 3};
    if (round % 3 == 0) question.memory = 100000;
    const LinkedLevels alone = linked_levels(tables, question, ticker);
    question.threads = 2 + static_cast<int>(random.below(3));
    const LinkedLevels together = linked_levels(tables, question, ticker);
    const auto expect_equal = [](const LinkedLevel& a, const LinkedLevel& b) {
      ASSERT_EQ(a.k, b.k);
      ASSERT_EQ(a.alone, b.alone);
      ASSERT_EQ(a.below, b.below);
      for (std::size_t c = 0; c < a.values.size(); ++c) {
        ASSERT_EQ(a.values[c].share, b.values[c].share);
        ASSERT_EQ(a.values[c].diversity, b.values[c].diversity);
      }
    };
    for (std::size_t m = 0; m < alone.by_m.size(); ++m)
      expect_equal(alone.by_m[m], together.by_m[m]);
    expect_equal(alone.all, together.all);
    expect_equal(alone.counts, together.counts);
    ASSERT_EQ(linked_bytes(tables, 3, 1, ticker), linked_bytes(tables, 3, 3, ticker));
  }
}

// LINKED.md, T2 and T3: less knowledge leaves more candidates, and equal records support the same
// patterns.
TEST(LinkedLevels, FallWithKnowledge) {
  Random random(35);
  for (int round = 0; round < trials(1000); ++round) {
    const LinkedLevels levels = levels_of(random_linked_tables(random, 20));
    for (std::size_t m = 1; m < levels.by_m.size(); ++m) {
      ASSERT_LE(levels.by_m[m].k, levels.by_m[m - 1].k);
      ASSERT_GE(levels.by_m[m].alone, levels.by_m[m - 1].alone);
    }
    ASSERT_LE(levels.all.k, levels.by_m.back().k);
    ASSERT_GE(levels.all.below, levels.by_m.back().below);
    ASSERT_GE(levels.all.below, levels.counts.below);
  }
}

// Two visits of each of two persons have the same labels, and so do the diagnoses. Only the first
// person has both diagnoses at one visit.
TEST(LinkedLevels, TellFactsByTheirLinks) {
  OwnedTables owned;
  owned.parents = {-1, 0, 1};
  owned.arrays.resize(3);
  owned.arrays[0] = {{}, {}, {0, 0}, {0, 0}};
  owned.arrays[1] = {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  owned.arrays[2] = {{0, 0, 2, 3}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 0}};
  const LinkedLevels levels = levels_of(owned);
  EXPECT_EQ(levels.by_m[1].k, 2);
  EXPECT_EQ(levels.by_m[2].k, 1);
  EXPECT_EQ(levels.counts.k, 2);
  EXPECT_EQ(levels.by_m[2].alone, 2);
}

TEST(LinkedLevels, DoNotDependOnTheMemory) {
  Random random(36);
  for (int round = 0; round < trials(200); ++round) {
    const OwnedTables owned = random_linked_tables(random, 30);
    const LinkedLevels levels = levels_of(owned);
    const LinkedLevels in_shares = levels_of(owned, 20000);
    for (std::size_t m = 0; m < levels.by_m.size(); ++m) {
      ASSERT_EQ(levels.by_m[m].below, in_shares.by_m[m].below);
      for (std::size_t c = 0; c < levels.by_m[m].values.size(); ++c) {
        ASSERT_EQ(levels.by_m[m].values[c].share, in_shares.by_m[m].values[c].share);
        ASSERT_EQ(levels.by_m[m].values[c].diversity, in_shares.by_m[m].values[c].diversity);
      }
    }
  }
}

// A person with many equal rows has four patterns of up to three rows.
TEST(LinkedLevels, CountEqualRowsOnce) {
  OwnedTables owned;
  owned.parents = {-1, 0};
  owned.arrays.resize(2);
  owned.arrays[0] = {{}, {}, {0, 0}, {0, 0}};
  const auto add = [&](std::int32_t person, int rows) {
    for (int i = 0; i < rows; ++i) {
      owned.arrays[1].parent_row.push_back(person);
      owned.arrays[1].person_row.push_back(person);
      owned.arrays[1].label.push_back(0);
      owned.arrays[1].values.push_back(0);
    }
  };
  add(0, 10000);
  add(1, 3);
  EXPECT_EQ(levels_of(owned, 1 << 16).by_m[3].k, 2);
  EXPECT_EQ(levels_of(owned).all.k, 1);
}

// A thousand different rows of a person are 166 million sets of three, of 16 bytes each.
TEST(LinkedLevels, NeedMemoryForTheLongestRecord) {
  OwnedTables owned;
  owned.parents = {-1, 0};
  owned.arrays.resize(2);
  owned.arrays[0] = {{}, {}, {0}, {0}};
  for (int i = 0; i < 1000; ++i) {
    owned.arrays[1].parent_row.push_back(0);
    owned.arrays[1].person_row.push_back(0);
    owned.arrays[1].label.push_back(i);
    owned.arrays[1].values.push_back(0);
  }
  SilentTicker ticker;
  EXPECT_EQ(linked_bytes(owned.tables(), 3, 2, ticker), 16.0 * 1000 * 999 * 998 / 6);
}

TEST(LinkedLevels, EndWhenTheyAreCancelled) {
  Random random(37);
  const OwnedTables owned = random_linked_tables(random, 20000);
  for (const int polls : {1, 2, 4}) {
    ImpatientTicker ticker(polls);
    EXPECT_THROW(linked_levels(owned.tables(), {}, ticker), Error);
  }
}

}  // namespace
}  // namespace anonkit
