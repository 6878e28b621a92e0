#pragma once

// Swapping (Soria-Comas, Domingo-Ferrer 2012): the values of a class's records, exchanged at
// random.
//
// Phases: the values of each column of a class in ascending order, and its records in the order of
// their fingerprints; an independent uniform permutation of each; place p of the class gets the
// p-th of every list. So the release is a function of the secret and, by class, of the values of
// each column and of the records outside the quasi-identifiers, all as multisets. Nothing in it
// depends on who has which value, and P(release | s) = P(release | s') for sensitive records s, s'
// that differ by permutations within classes: it is exactly transparent.
//
// The permutations come from a key of the class: a keyed function of all these values. A class
// that has not changed keeps its rows, and a changed one has permutations of its own.
//
// Invariants: a function of values, never of the order of rows. A column of numbers with a null in
// the class is null in all of it, as for every other recoding. Memory: rows x columns doubles.
//
//   const Swapped swapped = swap_records(table, members, cells, keyed_choices(secret), ticker);
//   swapped.cells.low[swapped.cells_of[row] * d + j];  // published beside the row's record

#include <cstdint>
#include <functional>
#include <vector>

#include "base/keyed_random.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "table/table.hpp"

namespace anonkit {

/// A permutation of 0 .. size - 1.
using Permutation = std::vector<Record>;

/// The permutations of one class: of the column with that place in the order of names, or of the
/// records, by the number of columns.
using Permute = std::function<Permutation(std::size_t what, Record size)>;

/// The values of a class: by place the sorted ones of a column, and the sorted fingerprints.
struct ClassContent {
  Record size = 0;
  std::vector<std::vector<double>> columns;
  std::vector<Fingerprint> records;  ///< empty without fingerprints
};

/// The random choices of a class with that content.
struct ClassSecret {
  Permute permute;
  Words place = {};  ///< decides the class's number
};
using DrawClass = std::function<ClassSecret(const ClassContent& content)>;

struct Swapped {
  Masked cells;  ///< a row for each place, class by class
  /// By row of the table: its place; kNone without a class.
  std::vector<std::int32_t> cells_of;
  /// By class a random number from 1 on. It is a function of the secret and of multisets, as the
  /// rows are, so it tells no more than which rows are of one class.
  std::vector<std::int32_t> numbers;
};

/// Exchanges the values within classes. `members`: rows of each class; `masked`: its cells, which
/// are null where a number is missing. O(rows x columns x log).
Swapped swap_records(const Table& table, const Members& members, const Masked& masked,
                     const DrawClass& draw, Ticker& ticker);

/// Choices that nobody can tell from independent uniform ones without the secret of
/// KeyedRandom::kKeyBytes bytes: Fisher and Yates' shuffle, by numbers drawn without bias.
DrawClass keyed_choices(const std::uint8_t* secret);

}  // namespace anonkit
