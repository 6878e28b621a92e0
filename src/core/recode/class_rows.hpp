#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

struct Extremes {
  double low;
  double high;
};

/// The extreme numbers of a class in column j; null if any value is null.
Extremes extremes_of(const Table& table, const RecordSpan& rows, std::size_t j);

/// The codes of a class in column j, ascending.
std::vector<std::int32_t> codes_of(const Table& table, const RecordSpan& rows, std::size_t j);

}  // namespace anonkit
