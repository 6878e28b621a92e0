#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// A column of a finished relation, one code a row, 0 .. distinct-1 in the order of its values.
struct CodedColumn {
  const std::int32_t* codes;
  std::int32_t distinct;
};

/// Numbers the classes of rows that agree in all columns, from 0 in lexicographic order of their
/// codes, as dense_rank() would, whatever the order of the rows. class_of[j] gets the classes by
/// the first j + 1 columns, one number a row, unless it is null. O(n + distinct) for each column;
/// 8 bytes a row while it works.
void number_classes(const std::vector<CodedColumn>& columns, std::int64_t rows,
                    const std::vector<std::int32_t*>& class_of, Ticker& ticker);

}  // namespace anonkit
