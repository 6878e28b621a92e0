#pragma once

// k-anonymity of histories: k persons agree in how many of their records each class has. So not
// records are partitioned, but persons.
//
// Phases:
//   share_counts    numbers of records that k persons can have; surplus records are left out
//   PersonTable     a row per person: the person's records side by side
//   method          partitions the persons of each number of records
//   form_histories  makes the i-th records of a class of persons a class of records
//
// Invariants. Persons of one class have as many records, one in each of its classes, so they share
// a history. Classes that rounding makes equal are equal for all of them.
//
//   share_histories(units, options, [&](std::vector<SharedCount> counts) {
//     const std::vector<Record> kept = number_kept(counts);
//     return in_places(kept, n, form_histories(problem_of(kept), counts, form, ticker));
//   });

#include <functional>
#include <vector>

#include "method/method.hpp"

namespace anonkit {

/// Persons with this number of published records each.
struct SharedCount {
  std::int32_t records = 0;
  std::vector<std::vector<Record>> persons;  ///< of each the records, in ascending order
};

/// The numbers of records per person that leave out the fewest records, where k persons or more
/// have each number. A random sample, by the seed, stands for all records of a person with a
/// surplus: bounded contribution (Wilson et al. 2020). Requires k persons. Throws infeasible if
/// more than that share of the records would be left out. O(n log n + c^2) for c different numbers.
std::vector<SharedCount> share_counts(const std::vector<std::int32_t>& units, std::int32_t k,
                                      double max_suppression, std::uint64_t seed);

/// The partition that `form` makes of shared counts. Where it throws infeasible, as a promise may
/// of a few persons, twice as many persons share each number, until all publish one number.
Partition share_histories(const std::vector<std::int32_t>& units, const Options& options,
                          const std::function<Partition(std::vector<SharedCount>)>& form);

/// All records of the persons in ascending order. Renumbers the persons' records by their place.
std::vector<Record> number_kept(std::vector<SharedCount>& counts);

/// The partition of n records in which record places[i] has the class of record i, and the others
/// are suppressed.
Partition in_places(const std::vector<Record>& places, std::size_t n, Partition partition);

/// A table of persons with as many records each. Its columns are those of the first records, then
/// those of the second records, and so on.
class PersonTable {
 public:
  /// The problem's columns of the persons' records, which are ordered by the attribute that varies
  /// most within persons. O(cells log cells).
  PersonTable(const Problem& problem, const SharedCount& count);

  Table view() const;
  /// The scales of the columns, from those of the problem's table.
  std::vector<Scale> scales_of(const std::vector<Scale>& of_table) const;
  Record record(Record person, std::int32_t place) const {
    return records_[static_cast<std::size_t>(person)][static_cast<std::size_t>(place)];
  }
  std::int32_t places() const { return places_; }

 private:
  std::vector<std::vector<Record>> records_;  ///< of each person, in order
  std::int32_t places_;
  std::vector<std::size_t> from_;  ///< by column, that of the problem's table
  std::vector<Column> columns_;
  std::vector<double> values_;
  std::vector<std::vector<std::int32_t>> leaves_;  ///< by column; of those with a hierarchy
};

/// The options of a problem whose records are persons.
Options options_of_persons(const Options& options);

/// Unites classes of persons until their classes of records keep all promises. The problem's
/// records are persons; `problem.rows` has their rows in the table.
using KeepPromises = std::function<Partition(const Problem&, Partition)>;
/// Classes of the persons of a table, by row.
using FormPersons = std::function<Partition(const PersonTable&, const KeepPromises&)>;

/// Classes of records in which k persons share each history. Throws infeasible if no classes of
/// persons keep the other promises.
Partition form_histories(const Problem& problem, const std::vector<SharedCount>& counts,
                         const FormPersons& form, Ticker& ticker);

}  // namespace anonkit
