// Releases of related tables, and the levels that a reader finds in them.

#include <gtest/gtest.h>

#include <memory>

#include "base/at.hpp"
#include "base/error.hpp"
#include "fixture/linked_values.hpp"
#include "fixture/random_table.hpp"
#include "linked_pipeline.hpp"
#include "method/linked/linked_method.hpp"
#include "model/linked_levels.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"

namespace anonkit {
namespace {

constexpr Record kPersons = 60, kVisits = 110, kPrescriptions = 70, kJobs = 40;

/// Persons, their visits, the prescriptions of a visit, and jobs that some of them have. Every
/// sixth prescription hangs on the person alone.
struct LinkedSet {
  Record times;
  PinnedTable persons, visits, prescriptions, jobs;
  std::vector<Table> tables;
  std::vector<std::int32_t> visit_of, visitor, prescription_of, patient, job_of;
  std::vector<std::vector<std::int32_t>> suppressed;
  std::vector<std::unique_ptr<Hierarchy>> flat;
  LinkedTables linked;

  /// So many times as many rows as the smallest set.
  explicit LinkedSet(Record times_as_many = 1)
      : times(times_as_many),
        persons(Quasi::partly, times * kPersons, 61),
        visits(Quasi::partly, times * kVisits, 62),
        prescriptions(Quasi::hierarchies, times * kPrescriptions, 63),
        jobs(Quasi::partly, times * kJobs, 64) {
    tables = {persons.with_illness(), visits.with_illness(), prescriptions.with_illness(),
              jobs.plain()};
    // A category without a hierarchy is published or suppressed.
    for (Table& table : tables)
      for (std::size_t j = 0; j < table.columns.size(); ++j) give_hierarchy(table, j);
    for (Record i = 0; i < times * kVisits; ++i)
      visitor.push_back(visits.between(0, times * kPersons - 1));
    for (Record i = 0; i < times * kPrescriptions; ++i) {
      const int visit = prescriptions.between(0, times * kVisits - 1);
      prescription_of.push_back(i % 6 == 0 ? kNone : visit);
      patient.push_back(i % 6 == 0 ? visit % (times * kPersons) : visitor[at(visit)]);
    }
    for (Record i = 0; i < times * kJobs; ++i) job_of.push_back((i * 7) % (times * kPersons));
    linked.tables = {{&tables[0]},
                     {&tables[1], 0, visitor.data(), visitor.data()},
                     {&tables[2], 1, prescription_of.data(), patient.data()},
                     {&tables[3], 0, job_of.data(), job_of.data()}};
    linked.persons = times * kPersons;
  }

  std::vector<JudgedTable> judged(const std::vector<Anonymized>& release) const {
    std::vector<JudgedTable> seen;
    for (std::size_t t = 0; t < tables.size(); ++t) {
      JudgedTable table;
      table.rows = tables[t].rows;
      table.parent = linked.tables[t].parent;
      table.parent_row = linked.tables[t].parent_row;
      table.person_row = linked.tables[t].person;
      table.label = release[t].partition.class_of.data();
      if (!tables[t].sensitive.empty())
        table.values = {{tables[t].sensitive[0].ranks, PinnedTable::kIllnesses}};
      seen.push_back(table);
    }
    return seen;
  }

 private:
  void give_hierarchy(Table& table, std::size_t j) {
    Column& column = table.columns[j];
    if (column.attribute.kind == Kind::numeric || column.hierarchy != nullptr) return;
    flat.push_back(
        std::make_unique<Hierarchy>(Hierarchy::suppression(column.attribute.categories)));
    suppressed.emplace_back();
    for (Record i = 0; i < table.rows; ++i)
      suppressed.back().push_back(static_cast<std::int32_t>(table.value(i, j)));
    column.hierarchy = flat.back().get();
    column.leaves = suppressed.back().data();
  }
};

void add_level(Pins& pins, const std::string& name, const LinkedLevel& level) {
  PinDigest digest;
  for (const LinkedValueLevel& value : level.values)
    digest.add(static_cast<double>(value.table))
        .add(value.share)
        .add(value.diversity)
        .add(value.share_unlinked);
  pins.add(name, digest,
           "k " + std::to_string(level.k) + ", alone " + std::to_string(level.alone) + ", below " +
               std::to_string(level.below));
}

void add_release(Pins& pins, const std::string& name, const LinkedSet& set,
                 const LinkedPromises& promises, bool judge) {
  Ticker& ticker = pins.ticker();
  try {
    const std::vector<Anonymized> release = anonymize_linked(set.linked, promises, 1, ticker);
    PinDigest digest;
    std::string figures;
    bool whole = true;
    for (const Anonymized& table : release) {
      digest.add(table);
      figures += (figures.empty() ? "" : "; ") + figures_of(table);
      whole = whole && table.suppressed == 0;
    }
    pins.add(name, digest, figures);
    if (!judge || !whole) return;
    const LinkedLevels levels = linked_levels(set.judged(release), {2, 4}, ticker);
    for (std::size_t m = 0; m < levels.by_m.size(); ++m)
      add_level(pins, name + ", " + std::to_string(m) + " rows", levels.by_m[m]);
    add_level(pins, name + ", all", levels.all);
    add_level(pins, name + ", counts", levels.counts);
  } catch (const Error& error) {
    pins.add(name, PinDigest().add(error.what()), std::string("error: ") + error.what());
  }
}

TEST(PinnedLinked, TablesHaveTheSameReleasesOnEveryMachine) {
  Pins pins("linked");
  LinkedSet set;
  for (const std::int32_t k : {2, 5})
    for (const std::int32_t m : {kWholeRecords, 0, 1, 2})
      for (const double alpha : {1.0, 0.7})
        for (const std::int32_t l : {1, 2})
          add_release(pins,
                      "k " + std::to_string(k) + ", m " + std::to_string(m) + ", alpha " +
                          pinned_number(alpha) + ", l " + std::to_string(l),
                      set, {k, m, alpha, l}, true);
  pins.check();
}

TEST(PinnedLinked, ManyPersonsHaveTheSameReleasesOnEveryMachine) {
  Pins pins("linked_many");
  const LinkedSet set(5);
  for (const std::int32_t k : {2, 4})
    for (const std::int32_t m : {kWholeRecords, 0, 1, 2, 3})
      add_release(pins, "k " + std::to_string(k) + ", m " + std::to_string(m), set, {k, m}, m > 0);
  for (const std::int32_t m : {kWholeRecords, 1, 3})
    pins.add("bytes, m " + std::to_string(m),
             {{"of one thread", linked_method_bytes(set.linked, {2, m}, 1)},
              {"of four", linked_method_bytes(set.linked, {2, m}, 4)}});
  add_release(pins, "alpha", set, {3, 1, 0.8}, false);
  add_release(pins, "alpha of whole records", set, {3, kWholeRecords, 0.6, 2}, false);
  // In groups of that many the first cuts concern the root alone.
  add_release(pins, "480 persons", LinkedSet(8), {3, 1}, false);
  pins.check();
}

/// Random tables of few persons and values in one line, where many losses are equal.
TEST(PinnedLinked, SmallTablesHaveTheSameReleasesOnEveryMachine) {
  Pins pins("linked_small");
  Ticker& ticker = pins.ticker();
  for (const std::int32_t m : {kWholeRecords, 0, 1, 2, 3})
    for (const double alpha : {1.0, 0.7})
      for (const std::int32_t l : {1, 2}) {
        // Values decide for whole records, whatever m is.
        if (m != kWholeRecords && (alpha < 1 || l > 1)) continue;
        Random random(65);
        RandomTables values(66);
        PinDigest digest;
        std::int64_t classes = 0, suppressed = 0, refused = 0;
        for (int round = 0; round < 30; ++round) try {
            const LinkedValues made = random_linked_values(random, values, 20);
            const LinkedPromises promises{2 + round % 3, m, alpha, l};
            for (const Anonymized& table : anonymize_linked(made.linked, promises, 1, ticker)) {
              digest.add(table);
              classes += table.partition.classes;
              suppressed += table.suppressed;
            }
          } catch (const Error& error) {
            digest.add(error.what());
            ++refused;
          }
        pins.add("m " + std::to_string(m) + ", alpha " + pinned_number(alpha) + ", l " +
                     std::to_string(l),
                 digest,
                 "classes " + std::to_string(classes) + ", suppressed " +
                     std::to_string(suppressed) + ", refused " + std::to_string(refused));
      }
  pins.check();
}

TEST(PinnedLinked, LimitsMeansAndAbsencesHaveTheSameReleasesOnEveryMachine) {
  Pins pins("linked_options");
  for (const std::int32_t m : {kWholeRecords, 1}) {
    const std::string rows = ", m " + std::to_string(m);
    LinkedSet set;
    set.linked.tables[1].most_rows = 2;
    set.linked.tables[2].most_rows = 1;
    add_release(pins, "limits" + rows, set, {3, m}, false);
    add_release(pins, "limits, alpha" + rows, set, {3, m, 0.6}, false);
    set.linked.tables[0].means = {0};
    set.linked.tables[1].means = {0};
    add_release(pins, "means" + rows, set, {3, m}, false);
    set.linked.absent.assign(kPersons, false);
    for (std::size_t person = 0; person < kPersons; person += 7) set.linked.absent[person] = true;
    add_release(pins, "absent" + rows, set, {3, m}, false);
    add_release(pins, "absent, l" + rows, set, {3, m, 1, 2}, false);
    for (std::size_t t = 0; t < 3; ++t)
      set.linked.tables[t].protected_values = {{0, 1, 2, -1, -1, -1, 3}};
    add_release(pins, "protected" + rows, set, {3, m, 0.5, 2}, false);
  }
  pins.check();
}

}  // namespace
}  // namespace anonkit
