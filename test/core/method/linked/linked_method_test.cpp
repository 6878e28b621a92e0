#include "method/linked/linked_method.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include "base/error.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/linked_judged.hpp"
#include "fixture/trials.hpp"
#include "linked_pipeline.hpp"
#include "method/linked/aligned_group.hpp"

namespace anonkit {
namespace {

TEST(LinkedMethod, KeepsItsPromisesInEveryGroupAndForEveryReader) {
  Random random(1);
  RandomTables tables(1);
  SilentTicker ticker;
  int made_releases = 0;
  for (int round = 0; round < trials(3000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 30);
    LinkedPromises promises;
    promises.k = 1 + static_cast<std::int32_t>(random.below(5));
    if (random.below(2) == 0) promises.alpha = 0.5 + 0.1 * random.below(6);
    if (random.below(2) == 0) promises.l = 1 + static_cast<std::int32_t>(random.below(2));
    LinkedClasses classes;
    try {
      classes = linked_classes(made.linked, promises, 1, ticker);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind, ErrorKind::infeasible);
      ASSERT_TRUE(made.linked.persons < promises.k || promises.alpha < 1 || promises.l > 1);
      continue;
    }
    ++made_releases;
    expect_kept(judged(published(made, classes, labels_of(classes)), promises).all, promises);
    const LinkedLevels read =
        judged(published(made, classes, labels_of_reader(made, classes)), promises);
    expect_kept(read.all, promises);
    // Equal trees support the same facts, so knowledge of some rows has as many candidates.
    for (const LinkedLevel& level : read.by_m) ASSERT_GE(level.k, promises.k);
    ASSERT_GE(read.counts.k, promises.k);
  }
  EXPECT_GT(made_releases, trials(1500));
}

TEST(LinkedMethod, KeepsBoundedPromisesInEveryGroupAndForEveryReader) {
  Random random(11);
  RandomTables tables(11);
  SilentTicker ticker;
  int finer = 0;
  for (int round = 0; round < trials(2000); ++round) {
    LinkedValues made = random_linked_values(random, tables, 30);
    LinkedPromises promises;
    promises.k = 1 + static_cast<std::int32_t>(random.below(5));
    promises.m = static_cast<std::int32_t>(random.below(4));
    if (random.below(8) == 0) promises.alpha = 0.8;
    LinkedClasses classes;
    try {
      classes = linked_classes(made.linked, promises, 1, ticker);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind, ErrorKind::infeasible);
      continue;
    }
    const std::size_t m = at(promises.m);
    // A group's root has a class of its own, so each group is judged by itself.
    const LinkedLevels groups = judged(published(made, classes, labels_of(classes)), promises);
    expect_kept(groups.by_m[m], promises);
    expect_kept(judged(published(made, classes, labels_of_reader(made, classes)), promises).by_m[m],
                promises);
    if (groups.all.k < promises.k) ++finer;
  }
  EXPECT_GT(finer, trials(300)) << "releases that keep no more than they promise";
}

// Withheld rows count as they do in the search.
TEST(LinkedMethod, LosesLessAgainstLessKnowledge) {
  Random random(12);
  RandomTables tables(12);
  SilentTicker ticker;
  // By m = 0, 1, 2, 3 and all.
  double loss[5] = {};
  for (int round = 0; round < trials(300); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 40);
    LinkedPromises promises;
    promises.k = 3;
    if (made.linked.persons < promises.k) continue;
    for (std::int32_t m = 0; m < 5; ++m) {
      promises.m = m < 4 ? m : kWholeRecords;
      double cells = 0;
      const std::vector<Anonymized> release = anonymize_linked(made.linked, promises, 1, ticker);
      for (std::size_t t = 0; t < release.size(); ++t)
        if (made.tables[t].rows > 0)
          cells += release[t].ncp * made.tables[t].rows +
                   (kWithheldCell - 1) * static_cast<double>(release[t].suppressed);
      loss[m] += cells;
    }
  }
  EXPECT_LT(loss[0], 0.8 * loss[1]);
  EXPECT_LT(loss[1], 0.8 * loss[2]);
  EXPECT_LT(loss[2], 0.99 * loss[3]);
  EXPECT_DOUBLE_EQ(loss[3], loss[4]);
}

TEST(LinkedMethod, CountsTheMemoryOfThreads) {
  Random random(13);
  RandomTables tables(13);
  SilentTicker ticker;
  for (int round = 0; round < trials(300); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 30);
    const AlignedRecords records(made.linked, ticker);
    const double of_thread =
        linked_method_bytes(made.linked, {}, 3) - linked_method_bytes(made.linked, {}, 2);
    ASSERT_GE(of_thread, static_cast<double>(sizeof(CellExtent)) * records.cells());
  }
}

TEST(LinkedMethod, MakesReleasesInWhichOneChangeIsFound) {
  Random random(7);
  RandomTables tables(7);
  SilentTicker ticker;
  LinkedPromises promises;
  promises.k = 2;
  const auto draw = [&](std::size_t bound) {
    return random.below(static_cast<std::uint32_t>(bound));
  };
  int broken = 0;
  while (broken < trials(60)) {
    const LinkedValues made = random_linked_values(random, tables, 12);
    if (made.linked.persons < promises.k) continue;
    const LinkedClasses classes = linked_classes(made.linked, promises, 1, ticker);
    PublishedTables release = published(made, classes, labels_of_reader(made, classes));
    ASSERT_GE(judged(release, promises).all.k, promises.k);
    PublishedTables::Arrays& table = release.arrays[draw(release.arrays.size())];
    if (table.label.empty()) continue;
    // A cell that no other row has singles out its person, whichever knowledge includes it.
    table.label[draw(table.label.size())] = 1000000;
    const LinkedLevels found = judged(release, promises);
    ASSERT_EQ(found.all.k, 1);
    ASSERT_EQ(found.by_m[1].k, 1);
    ++broken;
  }
}

/// The groups of a result, by the classes of the root.
std::vector<std::vector<std::int32_t>> groups_of(const LinkedClasses& classes) {
  std::vector<std::vector<std::int32_t>> groups(at(classes.front().classes));
  for (std::size_t person = 0; person < classes.front().class_of.size(); ++person)
    groups[at(classes.front().class_of[person])].push_back(static_cast<std::int32_t>(person));
  return groups;
}

TEST(LinkedMethod, MeasuresGroupsByTheDefinition) {
  Random random(2);
  RandomTables tables(2);
  SilentTicker ticker;
  for (int round = 0; round < trials(1000); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 12);
    const AlignedRecords records(made.linked, ticker);
    GroupMeasure measure(records, {});
    for (int draw = 0; draw < 5; ++draw) {
      std::vector<std::int32_t> group;
      for (std::int32_t person = 0; person < made.linked.persons; ++person)
        if (random.below(2) == 0) group.push_back(person);
      if (group.empty()) continue;
      measure.take(group.data(), static_cast<std::int32_t>(group.size()), ticker);
      ASSERT_NEAR(measure.loss(), reference::group_loss(records, group, kWithheldCell), 1e-9);
    }
  }
}

TEST(LinkedMethod, LosesLittleMoreThanTheBestGroups) {
  Random random(3);
  RandomTables tables(3);
  SilentTicker ticker;
  double found = 0;
  double best = 0;
  double together = 0;
  for (int round = 0; round < trials(400); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 8);
    LinkedPromises promises;
    promises.k = 2;
    if (made.linked.persons < promises.k) continue;
    const AlignedRecords records(made.linked, ticker);
    const double least = reference::least_loss(records, promises.k, kWithheldCell);
    double loss = 0;
    for (const auto& group : groups_of(linked_classes(made.linked, promises, 1, ticker)))
      loss += reference::group_loss(records, group, kWithheldCell);
    ASSERT_GE(loss, least - 1e-9);
    found += loss;
    best += least;
    together += reference::group_loss(records, records.order(), kWithheldCell);
  }
  EXPECT_LT(found, 1.15 * best);
  EXPECT_LT(found, 0.75 * together);
}

/// The tables with their rows in another order, and by table the new place of each row.
LinkedValues shuffled(const LinkedValues& made, Random& random,
                      std::vector<std::vector<std::int32_t>>& place) {
  LinkedValues other;
  other.owned.parents = made.owned.parents;
  other.owned.distinct = made.owned.distinct;
  other.hierarchy = std::make_unique<Hierarchy>(*made.hierarchy);
  for (std::size_t t = 0; t < made.values.size(); ++t) {
    const OwnedTables::Arrays& from = made.owned.arrays[t];
    const std::size_t rows = from.label.size();
    std::vector<std::int32_t> source(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      source[i] = static_cast<std::int32_t>(i);
      std::swap(source[i], source[random.below(static_cast<std::uint32_t>(i + 1))]);
    }
    place.emplace_back(rows);
    OwnedTables::Arrays& to = other.owned.arrays.emplace_back();
    other.values.emplace_back();
    other.leaves.emplace_back();
    other.fingerprints.emplace_back();
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int32_t row = source[i];
      place[t][at(row)] = static_cast<std::int32_t>(i);
      to.label.push_back(from.label[at(row)]);
      to.values.push_back(from.values[at(row)]);
      other.leaves[t].push_back(made.leaves[t][at(row)]);
      other.fingerprints[t].push_back(made.fingerprints[t][at(row)]);
      other.values[t].insert(other.values[t].end(), made.values[t].begin() + 2 * row,
                             made.values[t].begin() + 2 * row + 2);
      if (t == 0) continue;
      const std::int32_t parent = from.parent_row[at(row)];
      to.person_row.push_back(place[0][at(from.person_row[at(row)])]);
      to.parent_row.push_back(parent < 0 ? kNone : place[at(made.owned.parents[t])][at(parent)]);
    }
  }
  other.link();
  return other;
}

TEST(LinkedMethod, DependsNeitherOnTheOrderOfRowsNorOnThreads) {
  Random random(4);
  RandomTables tables(4);
  SilentTicker ticker;
  LinkedPromises promises;
  promises.k = 2;
  for (int round = 0; round < trials(300); ++round) {
    LinkedValues made = random_linked_values(random, tables, 200);
    if (made.linked.persons < promises.k) continue;
    std::vector<std::int32_t> most(made.linked.tables.size(), 0);
    if (round % 2 == 0) most = limit_rows(made.linked, random);
    const LinkedClasses one = linked_classes(made.linked, promises, 1, ticker);
    const LinkedClasses three = linked_classes(made.linked, promises, 3, ticker);
    std::vector<std::vector<std::int32_t>> place;
    LinkedValues other = shuffled(made, random, place);
    for (std::size_t t = 0; t < most.size(); ++t) other.linked.tables[t].most_rows = most[t];
    const LinkedClasses moved = linked_classes(other.linked, promises, 1, ticker);
    for (std::size_t t = 0; t < one.size(); ++t) {
      ASSERT_EQ(one[t].class_of, three[t].class_of);
      for (std::size_t row = 0; row < one[t].class_of.size(); ++row)
        ASSERT_EQ(one[t].class_of[row], moved[t].class_of[at(place[t][row])])
            << "round " << round << ", table " << t;
    }
  }
}

TEST(LinkedMethod, WithholdsARowThatOthersLackWithItsChildren) {
  // Four equal persons with a visit each, and a second visit of one with a diagnosis.
  const std::vector<std::int32_t> visitors = {0, 1, 2, 3, 3};
  const std::vector<std::int32_t> visits = {4};
  const std::vector<std::int32_t> diagnosed = {3};
  Table persons;
  persons.rows = 4;
  Table of_visits;
  of_visits.rows = 5;
  Table diagnoses;
  diagnoses.rows = 1;
  LinkedTables linked;
  linked.persons = 4;
  linked.tables = {{&persons},
                   {&of_visits, 0, visitors.data(), visitors.data()},
                   {&diagnoses, 1, visits.data(), diagnosed.data()}};
  LinkedPromises promises;
  promises.k = 4;
  SilentTicker ticker;
  const LinkedClasses classes = linked_classes(linked, promises, 1, ticker);
  EXPECT_EQ(std::count(classes[1].class_of.begin(), classes[1].class_of.end(), kNone), 1);
  EXPECT_EQ(classes[2].class_of, std::vector<ClassId>{kNone});
  promises.k = 5;
  EXPECT_THROW(linked_classes(linked, promises, 1, ticker), Error);
}

TEST(LinkedMethod, MeasuresTheLossOfEachTable) {
  Random random(5);
  RandomTables tables(5);
  SilentTicker ticker;
  LinkedPromises promises;
  for (int round = 0; round < trials(100); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 20);
    promises.k = made.linked.persons;
    const std::vector<Anonymized> release = anonymize_linked(made.linked, promises, 1, ticker);
    const AlignedRecords records(made.linked, ticker);
    double cells = 0;
    for (std::size_t t = 0; t < release.size(); ++t)
      if (made.tables[t].rows > 0) cells += release[t].ncp * 2 * made.tables[t].rows;
    ASSERT_NEAR(cells, reference::group_loss(records, records.order(), 1), 1e-6);
  }
}

/// One table whose persons live in 64 zones. Everybody in zone 0 has a label of their own.
LinkedValues many_labels(std::int32_t labels) {
  LinkedValues made;
  made.hierarchy = std::make_unique<Hierarchy>(Hierarchy::suppression(labels));
  made.owned.parents = {-1};
  made.owned.arrays.resize(1);
  made.values.resize(1);
  made.leaves.resize(1);
  made.fingerprints.resize(1);
  for (std::int32_t person = 0; person < 64 * labels; ++person) {
    const std::int32_t zone = person % 64;
    made.leaves[0].push_back(zone == 0 ? person / 64 : 0);
    made.values[0].insert(made.values[0].end(), {1.0 * zone, 1.0 * made.leaves[0].back()});
    made.fingerprints[0].push_back({1, 2});
    made.owned.arrays[0].label.push_back(0);
    made.owned.arrays[0].values.push_back(0);
  }
  made.link();
  return made;
}

// Threads have the stack that the server's limit gives them, and labels are cut off one by one.
TEST(LinkedMethod, NeedsNoStackForManyLabels) {
  constexpr std::int32_t kLabels = 1200;
  constexpr std::size_t kStack = 192 << 10;
  const LinkedValues made = many_labels(kLabels);
  struct Call {
    const LinkedTables& linked;
    LinkedClasses classes;
  } call{made.linked, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStack), 0);
  pthread_t thread;
  const auto body = [](void* given) -> void* {
    SilentTicker ticker;
    auto& of = *static_cast<Call*>(given);
    of.classes = linked_classes(of.linked, {}, 1, ticker);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, body, &call), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_GE(call.classes.front().classes, kLabels);
}

TEST(LinkedMethod, CanBeCancelled) {
  Random random(6);
  RandomTables tables(6);
  LinkedPromises promises;
  promises.k = 3;
  const LinkedValues made = random_linked_values(random, tables, 20000);
  for (const int polls : {1, 2, 5}) {
    ImpatientTicker ticker(polls);
    EXPECT_THROW(linked_classes(made.linked, promises, 2, ticker), Error);
  }
}

}  // namespace
}  // namespace anonkit
