#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "fixture/linked_judged.hpp"
#include "fixture/trials.hpp"
#include "method/linked/aligned_group.hpp"
#include "method/linked/linked_method.hpp"

namespace anonkit {
namespace {

TEST(LinkedColumns, AdmitsRowsWithinLimits) {
  Random random(14);
  RandomTables tables(14);
  SilentTicker ticker;
  std::int64_t without_slot = 0;
  for (int round = 0; round < trials(2000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 8);
    const LinkedTables unlimited = made.linked;
    const std::vector<std::int32_t> most = limit_rows(made.linked, random);
    const AlignedRecords all(unlimited, ticker);
    const AlignedRecords limited(made.linked, ticker);
    for (std::int32_t person = 0; person < made.linked.persons; ++person) {
      std::vector<std::vector<std::int32_t>> found(most.size());
      for (const SlotRow& row : limited.rows_of(person))
        if (row.slot > 0) found[at(limited.slot(row.slot).table)].push_back(row.row);
      for (auto& rows : found) std::sort(rows.begin(), rows.end());
      ASSERT_EQ(found, reference::admitted_rows(all, person, most)) << round;
      const SlotRows before = all.rows_of(person);
      const SlotRows after = limited.rows_of(person);
      without_slot += (before.last - before.first) - (after.last - after.first);
    }
  }
  EXPECT_GT(without_slot, trials(1000));
}

TEST(LinkedColumns, KeepsItsPromisesWithinLimits) {
  Random random(15);
  RandomTables tables(15);
  SilentTicker ticker;
  for (int round = 0; round < trials(1500); ++round) {
    LinkedValues made = random_linked_values(random, tables, 30);
    const std::vector<std::int32_t> most = limit_rows(made.linked, random);
    LinkedPromises promises;
    promises.k = 1 + static_cast<std::int32_t>(random.below(4));
    promises.m = static_cast<std::int32_t>(random.below(5)) - 1;
    if (made.linked.persons < promises.k) continue;
    const LinkedClasses classes = linked_classes(made.linked, promises, 1, ticker);
    const PublishedTables release = published(made, classes, labels_of_reader(made, classes));
    const LinkedLevels levels = judged(release, promises);
    expect_kept(promises.m < 0 ? levels.all : levels.by_m[at(promises.m)], promises);
    for (std::size_t t = 1; t < most.size(); ++t) {
      std::map<std::int32_t, std::int32_t> rows;
      for (const std::int32_t person : release.arrays[t].person_row) ++rows[person];
      for (const auto& person : rows) ASSERT_TRUE(most[t] == 0 || person.second <= most[t]);
    }
    const AlignedRecords records(made.linked, ticker);
    const double of_thread =
        linked_method_bytes(made.linked, {}, 3) - linked_method_bytes(made.linked, {}, 2);
    ASSERT_GE(of_thread, static_cast<double>(sizeof(CellExtent)) * records.cells());
  }
}

TEST(LinkedColumns, ProtectsOnlyProtectedValues) {
  Random random(16);
  RandomTables tables(16);
  SilentTicker ticker;
  int only_so = 0;
  for (int round = 0; round < trials(2000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 30);
    LinkedPromises promises;
    promises.k = 2;
    promises.alpha = 0.5 + 0.1 * random.below(3);
    promises.l = 1 + static_cast<std::int32_t>(random.below(3));
    const auto try_classes = [&](LinkedClasses& classes) {
      try {
        classes = linked_classes(made.linked, promises, 1, ticker);
        return true;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::infeasible);
        return false;
      }
    };
    LinkedClasses classes;
    const bool all_protected = try_classes(classes);
    for (LinkedTable& table : made.linked.tables) table.protected_values = {{-1, 0}};
    if (!try_classes(classes)) {
      ASSERT_FALSE(all_protected) << "fewer protected values are no harder";
      continue;
    }
    if (!all_protected) ++only_so;
    PublishedTables release = published(made, classes, labels_of(classes));
    release.only_protected = true;
    for (PublishedTables::Arrays& table : release.arrays)
      for (std::int32_t& value : table.values) --value;
    expect_kept(judged(release, promises).all, promises);
  }
  EXPECT_GT(only_so, trials(100));
}

TEST(LinkedColumns, PublishesMeansOfItsClasses) {
  Random random(17);
  RandomTables tables(17);
  SilentTicker ticker;
  LinkedPromises promises;
  promises.k = 3;
  for (int round = 0; round < trials(300); ++round) {
    LinkedValues made = random_linked_values(random, tables, 30);
    if (made.linked.persons < promises.k) continue;
    const std::vector<Anonymized> ranges = anonymize_linked(made.linked, promises, 1, ticker);
    made.linked.tables[0].means = {0};
    const std::vector<Anonymized> means = anonymize_linked(made.linked, promises, 1, ticker);
    ASSERT_EQ(means[0].partition.class_of, ranges[0].partition.class_of);
    ASSERT_EQ(means[0].ncp, ranges[0].ncp);
    std::vector<double> sum(at(means[0].partition.classes)), count(sum.size());
    for (std::size_t person = 0; person < at(made.linked.persons); ++person) {
      sum[at(means[0].partition.class_of[person])] += made.values[0][2 * person];
      ++count[at(means[0].partition.class_of[person])];
    }
    for (std::size_t c = 0; c < sum.size(); ++c) {
      const double cell = means[0].masked.low[2 * c];
      ASSERT_EQ(std::isnan(cell), std::isnan(sum[c]));
      if (!std::isnan(cell)) {
        ASSERT_NEAR(cell, sum[c] / count[c], 1e-9);
      }
      ASSERT_EQ(means[0].masked.low[2 * c + 1], ranges[0].masked.low[2 * c + 1]);
    }
  }
}

}  // namespace
}  // namespace anonkit
