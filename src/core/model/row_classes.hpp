#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// A column of a finished relation, one code per row, 0 .. distinct-1 in the order of its values.
struct CodedColumn {
  const std::int32_t* codes;
  std::int32_t distinct;
};

/// Numbers the classes of rows that agree in all columns, from 0 in lexicographic order of their
/// codes, like dense_rank(). The numbers do not depend on the order of the rows. class_of[j],
/// unless null, receives the classes by the first j + 1 columns, one number per row. O(n +
/// distinct) per column; 8 bytes per row during the work.
void number_classes(const std::vector<CodedColumn>& columns, std::int64_t rows,
                    const std::vector<std::int32_t*>& class_of, Ticker& ticker);

}  // namespace anonkit
