#include "recode/class_rows.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"

namespace anonkit {
namespace {

// From this number of rows on, codes are counted instead of sorted, because a sort cannot be
// interrupted.
constexpr Record kManyRows = 10000;

}  // namespace

Extremes extremes_of(const Table& table, const RecordSpan& rows, std::size_t j) {
  Extremes e{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Record i : rows) {
    const double x = table.value(i, j);
    if (is_null(x)) return {kNull, kNull};
    e.low = std::min(e.low, x);
    e.high = std::max(e.high, x);
  }
  return e;
}

std::vector<std::int32_t> codes_of(const Table& table, const RecordSpan& rows, std::size_t j) {
  std::vector<std::int32_t> codes;
  codes.reserve(at(rows.size()));
  for (const Record i : rows) codes.push_back(static_cast<std::int32_t>(table.value(i, j)));
  if (rows.size() < kManyRows) {
    std::sort(codes.begin(), codes.end());
    return codes;
  }
  std::vector<std::size_t> counts(
      static_cast<std::size_t>(*std::max_element(codes.begin(), codes.end())) + 1, 0);
  for (const std::int32_t code : codes) ++counts[at(code)];
  auto next = codes.begin();
  for (std::size_t code = 0; code < counts.size(); ++code)
    next = std::fill_n(next, counts[code], static_cast<std::int32_t>(code));
  return codes;
}

}  // namespace anonkit
