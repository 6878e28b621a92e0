#include "model/row_classes.hpp"

#include <numeric>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Stable counting sort of the rows by one column.
void sort_by(const CodedColumn& column, std::vector<std::int32_t>& order,
             std::vector<std::int32_t>& sorted, Ticker& ticker) {
  std::vector<std::int32_t> next(at(column.distinct) + 1, 0);
  for (std::size_t row = 0; row < order.size(); ++row) ++next[at(column.codes[row]) + 1];
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

}  // namespace

void number_classes(const std::vector<CodedColumn>& columns, std::int64_t rows,
                    const std::vector<std::int32_t*>& class_of, Ticker& ticker) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(rows));
  std::vector<std::int32_t> sorted(order.size());
  std::iota(order.begin(), order.end(), 0);
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
}

}  // namespace anonkit
