#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The rows of one class.
struct ClassRows {
  const Record* begin_;
  const Record* end_;
  const Record* begin() const { return begin_; }
  const Record* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
};

inline ClassRows rows_of(const Members& members, std::size_t c) {
  return {members.records.data() + members.begin[c], members.records.data() + members.begin[c + 1]};
}

struct Extremes {
  double low;
  double high;
};

/// The extreme numbers of a class in column j; null if any value is null.
Extremes extremes_of(const Table& table, const ClassRows& rows, std::size_t j);

/// The codes of a class in column j, ascending.
std::vector<std::int32_t> codes_of(const Table& table, const ClassRows& rows, std::size_t j);

}  // namespace anonkit
