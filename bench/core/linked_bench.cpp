// The method of linked releases on a generated hospital: persons with two stays and four diagnoses
// each on average, by knowledge. Prints seconds by the clock and of all threads, the loss of all
// cells, and a checksum of the classes, by which runs are compared. Asserts nothing.
//
//   linked_bench [PERSONS [THREADS]]      20,000 and 2 by default

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/random.hpp"
#include "linked_pipeline.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

using Numbers = std::vector<std::int32_t>;

struct OwnedColumns {
  std::vector<double> values;  ///< row-major
  std::vector<Numbers> leaves;
  std::vector<Hierarchy> hierarchies;
  std::vector<Fingerprint> fingerprints;
  Table table;
};

/// A table of random columns: numbers of values, and of values in a group of the hierarchy; 0: the
/// column has numbers.
void fill(OwnedColumns& own, std::int32_t rows, const std::vector<std::array<int, 2>>& categories,
          Random& random) {
  own.table.rows = rows;
  own.table.columns.resize(categories.size());
  for (const auto& [values, group] : categories) {
    std::vector<Numbers> levels;
    if (group > 1) levels.emplace_back();
    for (int v = 0; group > 1 && v < values; ++v) levels.back().push_back(v / group);
    levels.emplace_back(static_cast<std::size_t>(values), 0);
    own.hierarchies.emplace_back(levels);
  }
  own.leaves.resize(categories.size());
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::size_t j = 0; j < categories.size(); ++j) {
      own.leaves[j].push_back(
          static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(categories[j][0]))));
      own.values.push_back(own.leaves[j].back());
    }
    own.fingerprints.push_back({random.next(), random.next()});
  }
  own.table.values = own.values.data();
  own.table.fingerprints = own.fingerprints.data();
  for (std::size_t j = 0; j < categories.size(); ++j) {
    const auto [values, group] = categories[j];
    if (group == 0) continue;
    own.table.columns[j].attribute = {Kind::nominal, 1, values};
    own.table.columns[j].hierarchy = &own.hierarchies[j];
    own.table.columns[j].leaves = own.leaves[j].data();
  }
}

void print(const LinkedTables& linked, const char* name, std::int32_t m, int threads) {
  LinkedPromises promises;
  promises.k = 5;
  promises.m = m;
  SilentTicker ticker;
  const double before = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Anonymized> release = anonymize_linked(linked, promises, threads, ticker);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  double lost = 0;
  double cells = 0;
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < release.size(); ++t) {
    const Table& table = *linked.tables[t].table;
    const auto own = static_cast<double>(table.rows) * static_cast<double>(table.columns.size());
    lost += release[t].ncp * own;
    cells += own;
    for (const ClassId c : release[t].partition.class_of)
      sum = mix(sum + static_cast<std::uint64_t>(c));
  }
  std::printf("m = %-3s  %6.2f s  %6.2f s of processor  loss %.4f  %016llx\n", name,
              seconds.count(), cpu_seconds() - before, lost / cells,
              static_cast<unsigned long long>(sum));
  std::fflush(stdout);
}

void run(std::int32_t n, int threads) {
  Random random(1);
  OwnedColumns persons;
  OwnedColumns stays;
  OwnedColumns diagnoses;
  fill(persons, n, {{2, 1}, {64, 0}, {8, 1}}, random);
  fill(stays, 2 * n, {{3, 1}, {30, 0}}, random);
  fill(diagnoses, 4 * n, {{800, 40}}, random);
  Numbers person_of_stay, stay_of, person_of;
  for (std::int32_t i = 0; i < 2 * n; ++i) {
    // Some persons have many stays.
    const double u = share_of(random.next());
    person_of_stay.push_back(static_cast<std::int32_t>(u * u * n));
  }
  for (std::int32_t i = 0; i < 4 * n; ++i) {
    stay_of.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(2 * n))));
    person_of.push_back(person_of_stay[static_cast<std::size_t>(stay_of.back())]);
  }
  LinkedTables linked;
  linked.persons = n;
  linked.tables = {{&persons.table},
                   {&stays.table, 0, person_of_stay.data(), person_of_stay.data()},
                   {&diagnoses.table, 1, stay_of.data(), person_of.data()}};
  print(linked, "all", kWholeRecords, threads);
  print(linked, "1", 1, threads);
  print(linked, "2", 2, threads);
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  anonkit::run(argc > 1 ? std::atoi(argv[1]) : 20000, argc > 2 ? std::atoi(argv[2]) : 2);
}
