#include "recode/joint_counts.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>

#include "base/at.hpp"
#include "base/quantile_bins.hpp"
#include "base/sort_numbers.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kMostCategories = 100;
// On either side of a column, in the order of a circle.
constexpr std::size_t kPartnersEach = 20;

/// The bins of codes, by frequency.
std::vector<std::int32_t> bins_by_frequency(const std::vector<std::int64_t>& frequency) {
  std::vector<std::int32_t> order(frequency.size()), bins(frequency.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return frequency[at(a)] > frequency[at(b)];
  });
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    bins[at(order[rank])] = std::min(static_cast<std::int32_t>(rank), kMostCategories - 1);
  return bins;
}

}  // namespace

CellBins::CellBins(const Table& table, const std::vector<Record>& records, std::size_t j,
                   Ticker& ticker) {
  ticker.step(std::int64_t{100} * static_cast<std::int64_t>(records.size()));
  const Attribute& attribute = table.columns[j].attribute;
  if (attribute.kind != Kind::numeric) {
    std::vector<std::int64_t> frequency(at(attribute.categories));
    for (const Record i : records)
      if (const double code = table.value(i, j); !is_null(code))
        ++frequency[static_cast<std::size_t>(code)];
    of_code_ = bins_by_frequency(frequency);
    null_ = std::min(attribute.categories, kMostCategories);
    return;
  }
  std::vector<double> numbers;
  for (const Record i : records)
    if (const double number = rounded_value(table, i, j); !is_null(number))
      numbers.push_back(number);
  if (numbers.empty()) return;
  sort_numbers(numbers, ticker);
  ends_ = ends_of_bins(numbers);
  if (ends_.empty()) std::unique_copy(numbers.begin(), numbers.end(), std::back_inserter(values_));
  null_ = static_cast<std::int32_t>(ends_.empty() ? values_.size() : ends_.size()) + 1;
}

std::int32_t CellBins::of(double cell) const {
  if (is_null(cell)) return null_;
  if (!of_code_.empty()) return of_code_[static_cast<std::size_t>(cell)];
  if (!ends_.empty()) return quantile_bin(cell, ends_);
  const auto value = std::lower_bound(values_.begin(), values_.end(), cell);
  const bool found = value != values_.end() && *value == cell;
  return static_cast<std::int32_t>(found ? value - values_.begin()
                                         : values_.end() - values_.begin());
}

JointCounts::JointCounts(const std::vector<std::int32_t>& bins) : partners_(bins.size()) {
  const std::size_t d = bins.size();
  std::size_t counts = 0;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = a + 1; b < d; ++b) {
      if (std::min(b - a, a + d - b) > kPartnersEach) continue;
      partners_[a].push_back({b, counts, at(bins[b]), 1});
      partners_[b].push_back({a, counts, 1, at(bins[b])});
      counts += at(bins[a]) * at(bins[b]);
    }
  counts_.resize(counts);
}

void JointCounts::add(const std::int32_t* row, std::int32_t records) {
  for (std::size_t j = 0; j < partners_.size(); ++j)
    for (const Partner& other : partners_[j])
      if (other.column > j) counts_[other.at(row[j], row[other.column])] += records;
}

std::int64_t JointCounts::cost_of_change(const std::int32_t* row, std::size_t j, std::int32_t to,
                                         std::int32_t records) const {
  if (row[j] == to) return 0;
  std::int64_t cost = 0;
  for (const Partner& other : partners_[j]) {
    const std::int32_t here = counts_[other.at(row[j], row[other.column])];
    const std::int32_t there = counts_[other.at(to, row[other.column])];
    cost += std::abs(here - records) - std::abs(here) + std::abs(there + records) - std::abs(there);
  }
  return cost;
}

void JointCounts::change(std::int32_t* row, std::size_t j, std::int32_t to, std::int32_t records) {
  move(row, j, -records);
  row[j] = to;
  move(row, j, records);
}

void JointCounts::move(std::int32_t* row, std::size_t j, std::int32_t records) {
  for (const Partner& other : partners_[j]) counts_[other.at(row[j], row[other.column])] += records;
}

std::int64_t JointCounts::amount() const {
  std::int64_t sum = 0;
  for (const std::int32_t count : counts_) sum += std::abs(count);
  return sum;
}

}  // namespace anonkit
