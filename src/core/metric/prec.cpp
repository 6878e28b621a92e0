#include "metric/prec.hpp"

#include "partition/partition.hpp"

namespace anonkit {

// Integer sums of levels do not depend on the order of the rows.
double mean_prec(const Table& table, const std::vector<std::int32_t>& cells_of,
                 const Masked& masked, Ticker& ticker) {
  if (masked.levels.empty()) return kNull;
  const std::size_t d = table.columns.size();
  const CellRecords records = count_records(cells_of, masked.levels.size() / d, ticker);
  double lost = 0;
  std::int64_t columns = 0;
  for (std::size_t j = 0; j < d; ++j) {
    if (table.columns[j].hierarchy == nullptr) continue;
    const std::int32_t height = table.columns[j].hierarchy->height();
    std::int64_t levels = records.suppressed * height;
    for (std::size_t row = 0; row < records.of_row.size(); ++row)
      levels += std::int64_t{records.of_row[row]} * masked.levels[row * d + j];
    ticker.step(4 * static_cast<std::int64_t>(records.of_row.size()));
    lost += static_cast<double>(levels) / height;
    ++columns;
  }
  if (columns == 0) return kNull;
  return 1 - lost / (static_cast<double>(cells_of.size()) * static_cast<double>(columns));
}

}  // namespace anonkit
