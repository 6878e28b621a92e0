#pragma once

#include "recode/class_rows.hpp"
#include "recode/masked.hpp"

namespace anonkit {

/// One cell of range recoding.
void mask_range(const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
                std::size_t cell);

}  // namespace anonkit
