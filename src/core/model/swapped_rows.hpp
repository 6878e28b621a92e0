#pragma once

// The judge of swapping: whether a relation is what private classes and a secret make of a source.
//
// Phases: the sizes of the classes; the rows, computed again from their definition (see
// recode/swapping.hpp) by code of its own; both multisets of rows, compared in both directions.
// Invariant: no verdict depends on the order of rows. Memory: 8 bytes a value of either relation,
// and 16 a row.
//
//   SwapVerdict verdict = judge_swap(source, published, claim, ticker);
//   if (verdict.fault != SwapFault::none) refuse(...);

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// The values of a record outside the quasi-identifiers, as 128 bits.
using RecordImage = std::array<std::uint64_t, 2>;

/// The rows of one of the two relations. Plain data.
struct RowsSeen {
  std::int64_t rows = 0;
  const double* values = nullptr;         ///< rows x columns; null is NaN
  const RecordImage* records = nullptr;   ///< as readers see them; null: nothing else is published
  const std::int32_t* numbers = nullptr;  ///< of their classes; null: not published
};

/// A source and its private classes.
struct SwapSource {
  RowsSeen seen;
  const RecordImage* whole = nullptr;      ///< with the values that a class withholds; or null
  const std::int32_t* class_of = nullptr;  ///< by row; negative without one
};

/// The claim about a release.
struct SwapClaim {
  std::vector<bool> is_number;       ///< by column
  std::vector<std::size_t> by_name;  ///< the columns in the order of their names
  std::int64_t k = 0;
  const std::uint8_t* secret = nullptr;
};

enum class SwapFault : std::uint8_t {
  none,
  without_class,  ///< rows of the source without a class
  small_class,    ///< records of classes with fewer than k
  other_rows,     ///< rows of either relation that the other one lacks
};

struct SwapVerdict {
  SwapFault fault = SwapFault::none;
  std::int64_t count = 0;
};

/// O(n log n) for n rows of both, with d columns each.
SwapVerdict judge_swap(const SwapSource& source, const RowsSeen& published, const SwapClaim& claim,
                       Ticker& ticker);

}  // namespace anonkit
