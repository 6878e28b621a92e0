#include "table/ordered_table.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "base/threads.hpp"

namespace anonkit {

OrderedTable::OrderedTable(const Table& table, const std::vector<Record>& order, int threads,
                           Ticker& ticker)
    : values_(order.size() * table.columns.size()), leaves_(table.columns.size()) {
  const std::size_t d = table.columns.size();
  view_.rows = static_cast<Record>(order.size());
  view_.columns = table.columns;
  view_.values = values_.data();
  for (std::size_t j = 0; j < d; ++j) {
    if (table.columns[j].leaves == nullptr) continue;
    leaves_[j].resize(order.size());
    view_.columns[j].leaves = leaves_[j].data();
  }
  run_chunks(order.size(), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    for (std::size_t i = begin; i < end; ++i) {
      own.step(16 * static_cast<std::int64_t>(d));
      std::copy_n(table.values + at(order[i]) * d, d, values_.data() + i * d);
      for (std::size_t j = 0; j < d; ++j)
        if (!leaves_[j].empty()) leaves_[j][i] = table.columns[j].leaves[order[i]];
    }
  });
}

}  // namespace anonkit
