#include "risk/exact_matches.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "risk/refinement.hpp"

namespace anonkit {
namespace {

/// The rows of both relations, the original ones first, by code: equal cells have equal codes.
struct CellCodes {
  std::vector<std::int32_t> codes;
  std::int32_t distinct = 0;
};

CellCodes codes_of_categories(const CellColumn& original, std::int32_t rows,
                              const CellColumn& masked, std::int32_t masked_rows) {
  CellCodes cells;
  cells.codes.assign(original.codes, original.codes + rows);
  cells.codes.insert(cells.codes.end(), masked.codes, masked.codes + masked_rows);
  cells.distinct = std::max(original.categories, masked.categories);
  return cells;
}

/// Ranks the numbers and ranges of both relations by their ends.
CellCodes codes_of_numbers(const CellColumn& original, std::int32_t rows, const CellColumn& masked,
                           std::int32_t masked_rows, Ticker& ticker) {
  const auto low = [&](std::int32_t i) {
    return i < rows ? original.low[i] : masked.low[i - rows];
  };
  const auto high = [&](std::int32_t i) {
    return i < rows ? original.high[i] : masked.high[i - rows];
  };
  std::vector<std::int32_t> order(at(rows) + at(masked_rows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(2);
    return low(a) < low(b) || (low(a) == low(b) && high(a) < high(b));
  });
  CellCodes cells;
  cells.codes.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats =
        i > 0 && low(order[i - 1]) == low(order[i]) && high(order[i - 1]) == high(order[i]);
    if (!repeats) ++cells.distinct;
    cells.codes[at(order[i])] = cells.distinct - 1;
  }
  return cells;
}

}  // namespace

ExactMatches exact_matches(const CellsPair& pair, Ticker& ticker) {
  const std::int32_t rows = pair.original.rows;
  const std::int32_t masked_rows = pair.masked.rows;
  const std::size_t all = at(rows) + at(masked_rows);
  Refinement refinement(all);
  Grouping grouping = {std::vector<std::int32_t>(all, 0), 1};
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    const CellColumn& original = pair.original.columns[j];
    const CellColumn& masked = pair.masked.columns[j];
    const CellCodes cells = original.numeric()
                                ? codes_of_numbers(original, rows, masked, masked_rows, ticker)
                                : codes_of_categories(original, rows, masked, masked_rows);
    grouping = refinement.refine(grouping, {cells.codes.data(), cells.distinct}, ticker);
  }
  std::vector<std::int32_t> originals(at(grouping.classes), 0);
  std::vector<std::int32_t> published(at(grouping.classes), 0);
  for (std::size_t row = 0; row < all; ++row)
    ++(row < at(rows) ? originals : published)[at(grouping.class_of[row])];
  ExactMatches found;
  for (std::size_t c = 0; c < originals.size(); ++c) {
    if (originals[c] != 1) continue;
    ++found.uniques;
    if (published[c] == 1) ++found.matched;
    if (published[c] > 0) ++found.found;
  }
  return found;
}

}  // namespace anonkit
