#include "model/row_classes.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Stable counting sort of the rows by one column.
void sort_by(const CodedColumn& column, std::vector<std::int32_t>& order,
             std::vector<std::int32_t>& sorted, Ticker& ticker) {
  std::vector<std::int32_t> next(at(column.distinct) + 1, 0);
  for (const std::int32_t row : order) ++next[at(column.codes[row]) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const std::int32_t row : order) {
    ticker.step(8);
    sorted[at(next[at(column.codes[row])]++)] = row;
  }
  order.swap(sorted);
}

/// The first column in which two rows differ; the number of columns if they are equal.
std::size_t first_difference(const std::vector<CodedColumn>& columns, std::int32_t a,
                             std::int32_t b) {
  std::size_t j = 0;
  while (j < columns.size() && columns[j].codes[a] == columns[j].codes[b]) ++j;
  return j;
}

/// The first row of each run of equal neighbours. In a release most rows equal the row before.
std::vector<std::int32_t> first_of_runs(const std::vector<CodedColumn>& columns, std::int64_t rows,
                                        Ticker& ticker) {
  std::vector<std::int32_t> first;
  for (std::int32_t row = 0; row < rows; ++row) {
    ticker.step(static_cast<std::int64_t>(columns.size()));
    if (row == 0 || first_difference(columns, row - 1, row) < columns.size()) first.push_back(row);
  }
  return first;
}

}  // namespace

void number_classes(const std::vector<CodedColumn>& columns, std::int64_t rows,
                    const std::vector<std::int32_t*>& class_of, Ticker& ticker) {
  const std::vector<std::int32_t> runs = first_of_runs(columns, rows, ticker);
  std::vector<std::int32_t> order = runs;
  std::vector<std::int32_t> sorted(order.size());
  for (std::size_t j = columns.size(); j-- > 0;) sort_by(columns[j], order, sorted, ticker);

  std::vector<std::int32_t> number(columns.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ticker.step(8);
    if (i > 0)
      for (std::size_t j = first_difference(columns, order[i - 1], order[i]); j < number.size();
           ++j)
        ++number[j];
    for (std::size_t j = 0; j < number.size(); ++j)
      if (class_of[j] != nullptr) class_of[j][order[i]] = number[j];
  }
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::int64_t end = run + 1 < runs.size() ? runs[run + 1] : rows;
    ticker.step(2 * (end - runs[run]));
    for (std::int32_t* const classes : class_of)
      if (classes != nullptr) std::fill(classes + runs[run], classes + end, classes[runs[run]]);
  }
}

}  // namespace anonkit
