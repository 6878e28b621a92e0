#pragma once

// Classes of blocks of neighbouring records, formed in threads, and a search across the borders.
//
// Phases: a k-d tree of cuts divides the records. Each block is partitioned like a table of its
// own, on the scales of the entire table. A block without enough records, or whose classes break a
// promise, is merged with its sibling in the tree and partitioned again. Finally, a search over the
// classes next to each cut lowers the loss. Invariants: promises about distributions refer to the
// entire table. No cut divides equal records. The result does not depend on the number of threads.
// Memory: a copy of the coordinates, and the method's own for as many blocks as threads.
//
//   const BlockDivision division = division_of(problem, method, ticker);
//   if (division.block_size > 0) classes = form_in_blocks(problem, division, form, ticker);

#include <functional>

#include "method/blocks/block_tree.hpp"
#include "method/method.hpp"

namespace anonkit {

/// Forms classes of a problem; called by several threads at once.
using FormProblem = std::function<Classification(const Problem&, Ticker&)>;

/// Throws invalid_parameter if the options demand blocks that the method or the promises forbid.
void check_blocks(const Method& method, const Options& options);

/// True if the method may divide a table without being asked: the default one, at its usual effort.
bool may_divide(const Method& method, const Options& options);

/// How records are divided into blocks of about so many; 0: not at all.
struct BlockDivision {
  Record block_size = 0;
  CutAttributes attributes = CutAttributes::all;
};

/// The division that the options demand; without one, that of method microaggregate at its usual
/// effort on large tables of several columns: of numbers if nothing else is promised, of categories
/// under any promise to records. Where many records are equal, numbers are not cut.
BlockDivision division_of(const Problem& problem, const Method& method, Ticker& ticker);

/// Classes of at least k records that keep all promises, if `form` returns such classes. Throws the
/// errors of `form` on all records.
Classification form_in_blocks(const Problem& whole, const BlockDivision& division,
                              const FormProblem& form, Ticker& ticker);

}  // namespace anonkit
