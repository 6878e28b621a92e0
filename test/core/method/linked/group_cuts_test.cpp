// Cuts of groups and cells, on tables small enough to know the best ones.

#include "method/linked/group_cuts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "fixture/linked_values.hpp"
#include "linked_pipeline.hpp"
#include "method/linked/linked_method.hpp"

namespace anonkit {
namespace {

/// Persons with one number each, and tables of their rows: by table the person and the number of
/// each row.
class Persons {
 public:
  explicit Persons(const std::vector<double>& numbers, std::vector<std::int32_t> ranks = {}) {
    made_.hierarchy = std::make_unique<Hierarchy>(Hierarchy::suppression(2));
    add_table(-1, numbers, std::move(ranks));
  }

  void add(const std::vector<std::int32_t>& persons, const std::vector<double>& numbers) {
    add_table(0, numbers, {});
    made_.owned.arrays.back().parent_row = persons;
    made_.owned.arrays.back().person_row = persons;
  }

  const LinkedTables& linked() {
    made_.link();
    return made_.linked;
  }

 private:
  void add_table(std::int32_t parent, const std::vector<double>& numbers,
                 std::vector<std::int32_t> ranks) {
    ranks.resize(numbers.size());
    made_.owned.parents.push_back(parent);
    made_.owned.arrays.emplace_back();
    made_.owned.arrays.back().label.resize(numbers.size());
    made_.owned.arrays.back().values = std::move(ranks);
    made_.values.emplace_back();
    made_.leaves.emplace_back(numbers.size());
    made_.fingerprints.emplace_back();
    for (const double number : numbers) {
      made_.values.back().insert(made_.values.back().end(), {number, 0});
      made_.fingerprints.back().push_back({made_.fingerprints.back().size(), 0});
    }
  }

  LinkedValues made_;
};

LinkedPromises promises_of(std::int32_t k) {
  LinkedPromises promises;
  promises.k = k;
  return promises;
}

TEST(GroupCut, HoldsBothEndsOfItsInterval) {
  Persons persons({1, 2, 3, 5, 6});
  SilentTicker ticker;
  const AlignedRecords records(persons.linked(), ticker);
  GroupCut cut;
  cut.column = 0;
  cut.low = records.coordinates(0, 1)[0];
  cut.high = records.coordinates(0, 3)[0];
  for (std::int32_t row = 0; row < 5; ++row)
    EXPECT_EQ(cut.holds(records.coordinates(0, row)), row >= 1 && row <= 3) << row;
}

TEST(LinkedPromises, LMinusOnePersonsLackTheMostFrequentValue) {
  SilentTicker ticker;
  Persons persons({1, 1, 1}, {0, 0, 1});
  LinkedPromises promises = promises_of(3);
  promises.l = 2;
  EXPECT_EQ(linked_classes(persons.linked(), promises, 1, ticker)[0].classes, 1);
  promises.l = 3;
  EXPECT_THROW(linked_classes(persons.linked(), promises, 1, ticker), Error);
}

TEST(GroupCuts, OneIntoSidesOfKIsFoundBesideManyThatLeaveFewer) {
  // The first person alone has rows, each of which weighs more than the numbers of the others.
  Persons persons({0, 0, 0, 0, 1, 1, 1, 1, 500, 500, 500, 500, 500, 500, 500, 500});
  persons.add(std::vector<std::int32_t>(40, 0), std::vector<double>(40, 7));
  SilentTicker ticker;
  const Partition groups = linked_classes(persons.linked(), promises_of(2), 1, ticker)[0];
  EXPECT_NE(groups.class_of[0], groups.class_of[4]);
}

TEST(GroupCells, AreCutWhileThatLowersAnyLoss) {
  // No groups separate the zeros from the ones in both tables, but cells of each table do.
  const std::vector<std::int32_t> all = {0, 1, 2, 3, 4, 5, 6, 7};
  Persons persons(std::vector<double>(8, 3));
  persons.add(all, {0, 0, 1, 1, 900, 900, 900, 900});
  persons.add(all, {0, 1, 0, 1, 900, 900, 900, 900});
  LinkedPromises promises = promises_of(2);
  promises.m = 1;
  SilentTicker ticker;
  for (const Anonymized& release : anonymize_linked(persons.linked(), promises, 1, ticker)) {
    EXPECT_EQ(release.ncp, 0);
    EXPECT_EQ(release.suppressed, 0);
    EXPECT_EQ(release.suppressed_cells, 0);
  }
}

TEST(GroupCuts, LargeGroupsInCellsShareTheRootsNumber) {
  // Each combination of eight bits occurs with either number, so that cuts by bits leave pairs with
  // both numbers. The numbers differ little, and cuts by them lower the loss least.
  std::vector<std::int32_t> all;
  std::vector<double> numbers;
  std::vector<std::vector<double>> bits(8);
  for (std::int32_t person = 0; person < 404; ++person) {
    all.push_back(person);
    numbers.push_back(person < 2 ? 100 : person % 2);
    for (std::size_t b = 0; b < bits.size(); ++b) bits[b].push_back(person / 2 >> b & 1);
  }
  Persons persons(numbers);
  for (const std::vector<double>& of_table : bits) persons.add(all, of_table);
  LinkedPromises promises = promises_of(2);
  promises.m = 1;
  SilentTicker ticker;
  for (const Anonymized& release : anonymize_linked(persons.linked(), promises, 1, ticker))
    EXPECT_EQ(release.ncp, 0);
}

}  // namespace
}  // namespace anonkit
