#include "risk/agreement.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"

namespace anonkit {
namespace {

struct Range {
  double low;
  double high;
  bool operator<(const Range& other) const {
    return low < other.low || (low == other.low && high < other.high);
  }
  bool operator==(const Range& other) const { return low == other.low && high == other.high; }
};

/// Empty if two ranges overlap.
std::optional<std::vector<Range>> disjoint_ranges(const CellColumn& column, std::int32_t rows) {
  std::vector<Range> ranges;
  for (std::int32_t i = 0; i < rows; ++i) ranges.push_back({column.low[i], column.high[i]});
  std::sort(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  for (std::size_t r = 1; r < ranges.size(); ++r)
    if (ranges[r].low < ranges[r - 1].high) return {};
  return ranges;
}

std::int32_t place_of(const std::vector<Range>& ranges, const Range& range) {
  return static_cast<std::int32_t>(std::lower_bound(ranges.begin(), ranges.end(), range) -
                                   ranges.begin());
}

/// The range that contains a number; the number of ranges if none does. A bound between two ranges
/// belongs to the upper one, as in PostgreSQL's own ranges.
std::int32_t range_of(const std::vector<Range>& ranges, double x) {
  auto range = std::upper_bound(ranges.begin(), ranges.end(),
                                Range{x, std::numeric_limits<double>::infinity()});
  if (range == ranges.begin()) return static_cast<std::int32_t>(ranges.size());
  --range;
  return static_cast<std::int32_t>(x <= range->high ? range - ranges.begin()
                                                    : ranges.end() - ranges.begin());
}

}  // namespace

std::optional<CellCodes> containment_codes(const CellsPair& pair, std::size_t j) {
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  const std::optional<std::vector<Range>> found = disjoint_ranges(masked, pair.masked.rows);
  if (!found.has_value()) return {};
  const std::vector<Range>& ranges = *found;
  CellCodes agreement;
  // Null agrees with null, which is the last range if it is published.
  for (std::int32_t i = 0; i < pair.original.rows; ++i)
    agreement.codes.push_back(original.is_null(i) ? place_of(ranges, {kNullLow, kNullHigh})
                                                  : range_of(ranges, original.middle(i)));
  for (std::int32_t i = 0; i < pair.masked.rows; ++i)
    agreement.codes.push_back(place_of(ranges, {masked.low[i], masked.high[i]}));
  agreement.distinct = static_cast<std::int32_t>(ranges.size()) + 1;
  return agreement;
}

CellCodes agreement_codes(const CellsPair& pair, std::size_t j) {
  const CellColumn& masked = pair.masked.columns[j];
  if (!masked.numeric()) return codes_of_categories({&pair.original, &pair.masked}, j);
  if (std::optional<CellCodes> codes = containment_codes(pair, j)) return std::move(*codes);
  throw Error(ErrorKind::invalid_data,
              "ranges of quasi-identifier \"" + std::string(masked.name) + "\" overlap",
              "A number must be in one range at most.",
              "Ranges of full-domain generalisation do not overlap.");
}

}  // namespace anonkit
