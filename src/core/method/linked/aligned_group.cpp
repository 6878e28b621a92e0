#include "method/linked/aligned_group.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"

namespace anonkit {

GroupMeasure::GroupMeasure(const AlignedRecords& records, const LinkedPromises& promises)
    : records_(records),
      promises_(promises),
      about_values_(promises.about_values()),
      rows_(records.slots().size(), 0),
      extents_(at(records.cells())) {}

void GroupMeasure::take(const std::int32_t* persons, std::int32_t count, Ticker& ticker) {
  for (const GroupSlot& slot : used_) rows_[at(slot.slot)] = 0;
  used_.clear();
  count_ = count;
  for (std::int32_t i = 0; i < count; ++i)
    for (const SlotRow& row : records_.rows_of(persons[i])) {
      const Slot& slot = records_.slot(row.slot);
      const std::int32_t columns = records_.columns_of(slot.table);
      ticker.step(4 + 4 * columns);
      const double* x = records_.coordinates(slot.table, row.row);
      CellExtent* extent = extents_.data() + slot.first_cell;
      if (rows_[at(row.slot)]++ == 0) {
        used_.push_back({row.slot, 0});
        std::fill_n(extent, columns,
                    CellExtent{std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), 0});
      }
      for (std::int32_t j = 0; j < columns; ++j) {
        if (is_null(x[j])) {
          ++extent[j].nulls;
          continue;
        }
        extent[j].low = std::min(extent[j].low, x[j]);
        extent[j].high = std::max(extent[j].high, x[j]);
      }
    }
  std::sort(used_.begin(), used_.end(),
            [](const GroupSlot& a, const GroupSlot& b) { return a.slot < b.slot; });
  for (GroupSlot& slot : used_) slot.rows = rows_[at(slot.slot)];
}

const CellExtent& GroupMeasure::extent(std::int32_t slot, std::int32_t column) const {
  return extents_[at(records_.slot(slot).first_cell + column)];
}

double GroupMeasure::cell_loss(std::int32_t slot, std::int32_t column) const {
  const CellExtent& cell = extent(slot, column);
  // A cell of numbers and nulls is published as null.
  if (cell.nulls == count_) return 0;
  if (cell.nulls > 0) return count_ - cell.nulls;
  return count_ * records_.domain(records_.slot(slot).table, column).penalty(cell.low, cell.high);
}

double GroupMeasure::loss() const {
  double loss = 0;
  for (const GroupSlot& slot : used_) {
    const std::int32_t columns = records_.columns_of(records_.slot(slot.slot).table);
    if (!is_published(slot))
      loss += kWithheldCell * slot.rows * columns;
    else
      for (std::int32_t j = 0; j < columns; ++j) loss += cell_loss(slot.slot, j);
  }
  return loss;
}

bool GroupMeasure::keeps_promises(const std::int32_t* persons, Ticker& ticker) {
  if (!about_values_) return true;
  const std::vector<LinkedTable>& tables = records_.linked().tables;
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t a = 0; a < tables[t].table->sensitive.size(); ++a)
      if (!keeps(persons, static_cast<std::int32_t>(t), a, ticker)) return false;
  return true;
}

/// A person counts once a value.
bool GroupMeasure::keeps(const std::int32_t* persons, std::int32_t table, std::size_t column,
                         Ticker& ticker) {
  const LinkedTable& of = records_.linked().tables[at(table)];
  const SensitiveColumn& sensitive = of.table->sensitive[column];
  const std::vector<std::int32_t>* const only =
      of.protected_values.empty() || of.protected_values[column].empty()
          ? nullptr
          : &of.protected_values[column];
  values_.clear();
  for (std::int32_t i = 0; i < count_; ++i) {
    const std::size_t before = values_.size();
    for (const SlotRow& row : records_.rows_of(persons[i])) {
      ticker.step(4);
      if (records_.slot(row.slot).table != table || rows_[at(row.slot)] < count_) continue;
      const std::int32_t rank = sensitive.ranks[row.row];
      const std::int32_t value = only == nullptr ? rank : (*only)[at(rank)];
      if (value >= 0) values_.push_back(value);
    }
    const auto own = values_.begin() + static_cast<std::ptrdiff_t>(before);
    std::sort(own, values_.end());
    values_.erase(std::unique(own, values_.end()), values_.end());
  }
  std::sort(values_.begin(), values_.end());
  std::int32_t distinct = 0;
  std::int32_t most = 0;
  for (std::size_t i = 0; i < values_.size();) {
    const std::size_t first = i;
    while (i < values_.size() && values_[i] == values_[first]) ++i;
    ++distinct;
    most = std::max(most, static_cast<std::int32_t>(i - first));
  }
  if (distinct == 0) return true;
  return static_cast<double>(most) / count_ <= promises_.alpha &&
         (only != nullptr || distinct >= promises_.l) && count_ - most >= promises_.l - 1;
}

}  // namespace anonkit
