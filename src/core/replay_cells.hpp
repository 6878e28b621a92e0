#pragma once

// The replay of quasi-identifiers: which cells does a release tell to an adversary who knows the
// code and nearly all of the table?
//
// All cells of the table are known but those of a drawn cell, record or class. A value is compared
// with the release in three steps, each at most as large as the one before:
//   box   it lies in its published range, or below its published label; for a mean or median, which
//         has no box, at most two units a record of the class away from the truth
//   form  the class has its published cells with it: both ends of a range attained, the mean met
//         after rounding, no lower label common
//   code  the method makes the same release of the table with it
// box - form is what the form of the recoding tells, form - code what the code tells.
//
// Phases: anonymize the table; draw targets; for each value of a target, anonymize the table again
// with the value in its place. Invariants: the truth is among the values; a seed that the options
// have is known to the adversary. Memory: two releases and a copy of the quasi-identifiers.
//
//   for (const ReplayedCells& target : replay_cells(table, method, options, {}, ticker))
//     determined += target.unknown == Unknown::cell && target.code == 1 ? 1 : 0;

#include <cstdint>
#include <vector>

#include "pipeline.hpp"

namespace anonkit {

/// All that the adversary does not know.
enum class Unknown : std::uint8_t { cell, person, classmates };

struct CellReplayOptions {
  int cells = 40;   ///< cells to attack
  int persons = 8;  ///< records to attack, all of whose cells are unknown
  int classes = 4;  ///< classes to attack, all of whose cells are unknown
  int values = 60;  ///< values to try of each; of a record or class, combinations drawn at random
  std::uint64_t seed = 0;
};

/// The attack on one target, and the numbers of its values, or drawn combinations of values, that
/// each step leaves; with the truth.
struct ReplayedCells {
  Unknown unknown = Unknown::cell;
  Record first = 0;        ///< the first row of the target
  std::size_t column = 0;  ///< of a cell
  Record size = 1;         ///< records of the target
  int box = 0;
  int form = 0;
  int code = 0;
};

/// Throws like anonymize; a table without a release is not consistent. O(targets * values) runs of
/// the method.
std::vector<ReplayedCells> replay_cells(const Table& table, const Method& method,
                                        const Options& options, const CellReplayOptions& how,
                                        Ticker& ticker);

/// The bytes that it needs in addition to one run of the pipeline.
std::int64_t replay_cells_bytes(const Table& table);

}  // namespace anonkit
