#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "fixture/linked_judged.hpp"
#include "fixture/trials.hpp"
#include "method/linked/aligned_group.hpp"
#include "reference/linked.hpp"

namespace anonkit {
namespace {

/// Random persons who take no part; at least k others are left.
void leave_out(LinkedTables& linked, std::int32_t k, Random& random) {
  linked.absent.assign(at(linked.persons), false);
  for (std::size_t person = 0; person < linked.absent.size(); ++person)
    if (linked.present() > k && random.below(2) == 0) linked.absent[person] = true;
}

/// Up to three who are alike, for any number of known rows.
LinkedPromises few_alike(Random& random) {
  LinkedPromises promises;
  promises.k = 1 + static_cast<std::int32_t>(random.below(3));
  promises.m = static_cast<std::int32_t>(random.below(4)) - 1;
  return promises;
}

std::int32_t person_of(const LinkedTables& linked, std::size_t table, std::size_t row) {
  return table == 0 ? static_cast<std::int32_t>(row) : linked.tables[table].person[row];
}

/// The published rows as records of persons, who are those who take part.
std::vector<reference::LinkedPerson> records_of(const PublishedTables& release) {
  OwnedTables owned;
  owned.parents = release.parents;
  owned.distinct = release.distinct;
  for (const PublishedTables::Arrays& from : release.arrays)
    owned.arrays.push_back({from.parent_row, from.person_row, from.label, from.values});
  return owned.persons();
}

/// The published records of those who take part keep P(k, m).
void expect_kept(const LinkedValues& made, const LinkedClasses& classes,
                 const LinkedPromises& promises) {
  const std::vector<reference::LinkedPerson> persons =
      records_of(published(made, classes, labels_of(classes)));
  ASSERT_EQ(static_cast<std::int32_t>(persons.size()), made.linked.present());
  if (promises.m == kWholeRecords) {
    for (const auto& a : persons)
      ASSERT_GE(std::count_if(persons.begin(), persons.end(),
                              [&](const auto& b) { return reference::are_equal(a, b); }),
                promises.k);
  } else {
    const auto least = reference::linked_truth(persons, promises.m, true, 0, 0).least;
    ASSERT_GE(*std::min_element(least.begin(), least.end()), promises.k);
  }
}

TEST(AbsentPersons, AreInNoClassAndTheOthersKeepThePromise) {
  Random random(21);
  RandomTables tables(21);
  SilentTicker ticker;
  for (int round = 0; round < trials(1000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 9);
    const LinkedPromises promises = few_alike(random);
    if (made.linked.persons < promises.k) continue;
    leave_out(made.linked, promises.k, random);
    const LinkedClasses classes = linked_classes(made.linked, promises, 1, ticker);
    for (std::size_t t = 0; t < classes.size(); ++t)
      for (std::size_t row = 0; row < classes[t].class_of.size(); ++row) {
        if (made.linked.is_present(person_of(made.linked, t, row))) continue;
        ASSERT_EQ(classes[t].class_of[row], kNone);
      }
    expect_kept(made, classes, promises);
  }
}

TEST(AbsentPersons, DoNotDecideOnTheOthers) {
  Random random(22);
  RandomTables tables(22);
  SilentTicker ticker;
  std::int64_t changed = 0;
  for (int round = 0; round < trials(1000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 30);
    LinkedPromises promises;
    promises.k = 2;
    promises.m = static_cast<std::int32_t>(random.below(4)) - 1;
    if (made.linked.persons < promises.k) continue;
    leave_out(made.linked, promises.k, random);
    const LinkedClasses before = linked_classes(made.linked, promises, 1, ticker);
    // Their rows exchange their values, so that the domains stay.
    for (std::size_t t = 0; t < made.values.size(); ++t) {
      std::size_t last = 0;
      for (std::size_t row = 1; row < made.leaves[t].size(); ++row) {
        if (made.linked.is_present(person_of(made.linked, t, row))) continue;
        if (!made.linked.is_present(person_of(made.linked, t, last))) {
          std::swap(made.leaves[t][last], made.leaves[t][row]);
          std::swap_ranges(made.values[t].begin() + static_cast<std::ptrdiff_t>(2 * last),
                           made.values[t].begin() + static_cast<std::ptrdiff_t>(2 * last + 2),
                           made.values[t].begin() + static_cast<std::ptrdiff_t>(2 * row));
          ++changed;
        }
        last = row;
      }
    }
    const LinkedClasses after = linked_classes(made.linked, promises, 1, ticker);
    for (std::size_t t = 0; t < before.size(); ++t)
      ASSERT_EQ(before[t].class_of, after[t].class_of);
  }
  EXPECT_GT(changed, trials(1000));
}

TEST(AbsentPersons, CountNeitherAsWithheldNorAsLost) {
  Random random(23);
  RandomTables tables(23);
  SilentTicker ticker;
  for (int round = 0; round < trials(300); ++round) {
    LinkedValues made = random_linked_values(random, tables, 20);
    LinkedPromises promises;
    leave_out(made.linked, 1, random);
    promises.k = made.linked.present();
    const std::vector<Anonymized> release = anonymize_linked(made.linked, promises, 1, ticker);
    const AlignedRecords records(made.linked, ticker);
    double cells = 0;
    for (std::size_t t = 0; t < release.size(); ++t) {
      std::int64_t present = 0;
      for (std::size_t row = 0; row < at(made.tables[t].rows); ++row)
        if (made.linked.is_present(person_of(made.linked, t, row))) ++present;
      const auto in_classes = static_cast<std::int64_t>(release[t].members.records.size());
      ASSERT_EQ(release[t].suppressed, present - in_classes);
      ASSERT_EQ(is_null(release[t].ncp), present == 0);
      if (present > 0) cells += release[t].ncp * 2 * static_cast<double>(present);
    }
    ASSERT_NEAR(cells, reference::group_loss(records, records.order(), 1), 1e-6);
  }
}

TEST(LeftOutRows, AreWithheldWithAllThatHangsOnThem) {
  Random random(25);
  RandomTables tables(25);
  SilentTicker ticker;
  std::int64_t below = 0;
  for (int round = 0; round < trials(1000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 9);
    const LinkedPromises promises = few_alike(random);
    if (made.linked.persons < promises.k) continue;
    for (std::size_t t = 1; t < made.linked.tables.size(); ++t)
      for (std::int32_t row = 0; row < made.linked.tables[t].table->rows; ++row)
        made.linked.tables[t].left_out.push_back(random.below(4) == 0);
    const LinkedClasses classes = linked_classes(made.linked, promises, 1, ticker);
    for (std::size_t t = 1; t < classes.size(); ++t) {
      const LinkedTable& of = made.linked.tables[t];
      for (std::int32_t row = 0; row < of.table->rows; ++row) {
        const std::int32_t parent = of.parent > 0 ? of.parent_row[row] : kNone;
        const bool hangs = parent != kNone && classes[at(of.parent)].class_of[at(parent)] == kNone;
        below += hangs ? 1 : 0;
        if (!of.is_left_out(row) && !hangs) continue;
        ASSERT_EQ(classes[t].class_of[at(row)], kNone);
      }
    }
    expect_kept(made, classes, promises);
  }
  EXPECT_GT(below, trials(1000) / 10);
}

TEST(AbsentPersons, LeaveTooFew) {
  Random random(24);
  RandomTables tables(24);
  SilentTicker ticker;
  LinkedPromises promises;
  promises.k = 5;
  LinkedValues made = random_linked_values(random, tables, 20);
  while (made.linked.persons < promises.k) made = random_linked_values(random, tables, 20);
  made.linked.absent.assign(at(made.linked.persons), false);
  EXPECT_NO_THROW(linked_classes(made.linked, promises, 1, ticker));
  std::fill(made.linked.absent.begin() + 4, made.linked.absent.end(), true);
  EXPECT_THROW(linked_classes(made.linked, promises, 1, ticker), Error);
}

}  // namespace
}  // namespace anonkit
