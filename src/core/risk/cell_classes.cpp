#include "risk/cell_classes.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "risk/cell_codes.hpp"

namespace anonkit {
namespace {

/// Ranks numbers and ranges by their ends: equal cells have equal codes.
CellCodes codes_of_numbers(const std::vector<const Cells*>& relations, std::size_t j,
                           Ticker& ticker) {
  struct Range {
    double low, high;
    std::size_t row;
  };
  std::vector<Range> ranges;
  for (const Cells* relation : relations) {
    const CellColumn& column = relation->columns[j];
    for (std::int32_t i = 0; i < relation->rows; ++i)
      ranges.push_back({column.low[i], column.high[i], ranges.size()});
  }
  std::sort(ranges.begin(), ranges.end(), [&](const Range& a, const Range& b) {
    ticker.step(2);
    return a.low < b.low || (a.low == b.low && a.high < b.high);
  });
  CellCodes cells;
  cells.codes.resize(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool repeats =
        i > 0 && ranges[i - 1].low == ranges[i].low && ranges[i - 1].high == ranges[i].high;
    if (!repeats) ++cells.distinct;
    cells.codes[ranges[i].row] = cells.distinct - 1;
  }
  return cells;
}

}  // namespace

Grouping cell_classes(const std::vector<const Cells*>& relations, Ticker& ticker) {
  std::size_t rows = 0;
  for (const Cells* relation : relations) rows += at(relation->rows);
  Refinement refinement;
  Grouping classes = {std::vector<std::int32_t>(rows, 0), 1};
  for (std::size_t j = 0; j < relations.front()->columns.size(); ++j) {
    const CellCodes cells = relations.front()->columns[j].numeric()
                                ? codes_of_numbers(relations, j, ticker)
                                : codes_of_categories(relations, j);
    classes = refinement.refine(classes, {cells.codes.data(), cells.distinct}, ticker);
  }
  return classes;
}

}  // namespace anonkit
