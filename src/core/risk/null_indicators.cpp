#include "risk/null_indicators.hpp"

#include "base/at.hpp"

namespace anonkit {

NullIndicators::NullIndicators(const Cells& original, const Cells& masked)
    : original_(original), masked_(masked) {
  for (std::size_t j = 0; j < original.columns.size(); ++j) {
    if (!original.columns[j].numeric()) continue;
    if (null_weight(original.columns[j], original.rows) +
            null_weight(masked.columns[j], masked.rows) ==
        0)
      continue;
    add(original_, j);
    add(masked_, j);
  }
}

void NullIndicators::add(Cells& cells, std::size_t j) {
  const CellColumn& numbers = cells.columns[j];
  std::vector<std::int32_t> codes(at(cells.rows));
  for (std::int32_t i = 0; i < cells.rows; ++i) codes[at(i)] = numbers.is_null(i) ? 1 : 0;
  CellColumn indicator;
  indicator.categories = 2;
  indicator.weights = numbers.weights;
  // Moving a vector keeps its elements where they are.
  indicator.codes = codes_.emplace_back(std::move(codes)).data();
  cells.columns.push_back(indicator);
}

}  // namespace anonkit
