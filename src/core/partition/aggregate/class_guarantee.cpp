#include "partition/aggregate/class_guarantee.hpp"

namespace anonkit {

ClassGuarantee::ClassGuarantee(const SortedRecords& records, const AggregateOptions& options)
    : records_(records), options_(options) {
  if (!records.has_sensitive()) return;
  std::int32_t greatest = 0;
  for (Record i = 0; i < records.size(); ++i) greatest = std::max(greatest, records.sensitive(i));
  seen_.assign(static_cast<std::size_t>(greatest) + 1, 0);
}

void ClassGuarantee::turn_to(Record first, Record last) {
  first_ = first;
  size_ = static_cast<std::size_t>(last - first);
  const std::size_t functions = records_.functions();
  least_known_.resize(functions * size_);
  greatest_known_.resize(functions * size_);
  most_.resize(functions);
  fewest_.resize(functions);
  for (std::size_t f = 0; f < functions; ++f) {
    for (std::size_t t = 0; t < size_; ++t) {
      const double value = records_.value(first + static_cast<Record>(t), f);
      least_known_[f * size_ + t] = least_known(value, options_.d);
      greatest_known_[f * size_ + t] = greatest_known(value, options_.d);
    }
    const auto from = static_cast<std::ptrdiff_t>(f * size_), to = from + (last - first);
    most_[f] = *std::max_element(least_known_.begin() + from, least_known_.begin() + to);
    fewest_[f] = *std::min_element(greatest_known_.begin() + from, greatest_known_.begin() + to);
  }
}

bool ClassGuarantee::holds(const double* low, const double* high) {
  return options_.guarantee == AggregateGuarantee::identical ? identical(low, high)
                                                             : candidates(low, high);
}

bool ClassGuarantee::identical(const double* low, const double* high) const {
  for (const double* ends : {low, high}) {
    for (std::size_t f = 0; f < records_.functions(); ++f, ends += size_) {
      const auto [least, greatest] = std::minmax_element(ends, ends + size_);
      if (!alike(*least, *greatest, options_.d)) return false;
    }
  }
  return true;
}

bool ClassGuarantee::candidates(const double* low, const double* high) {
  return few_miss(low, high) && (misses_.empty() || enough_for_each(low, high));
}

/// A record whose interval reaches from the least to the greatest f is a candidate of all. Finds
/// the others; false if they are too many for the record of least or of greatest f.
bool ClassGuarantee::few_miss(const double* low, const double* high) {
  const std::size_t spare = size_ - static_cast<std::size_t>(options_.k);
  misses_.clear();
  is_miss_.assign(size_, 0);
  for (std::size_t f = 0; f < records_.functions(); ++f) {
    std::size_t above = 0, below = 0;
    for (std::size_t u = 0; u < size_; ++u) {
      const bool is_above = low[f * size_ + u] > fewest_[f];
      const bool is_below = high[f * size_ + u] < most_[f];
      above += is_above ? 1 : 0;
      below += is_below ? 1 : 0;
      if ((!is_above && !is_below) || is_miss_[u] != 0) continue;
      is_miss_[u] = 1;
      misses_.push_back(u);
    }
    if (above > spare || below > spare) return false;
  }
  return true;
}

bool ClassGuarantee::enough_for_each(const double* low, const double* high) {
  const bool ask_sensitive = options_.p > 1;
  const auto k = static_cast<std::size_t>(options_.k);
  if (!ask_sensitive && misses_.size() <= size_ - k) return true;
  for (std::size_t t = 0; t < size_; ++t) {
    std::size_t found = size_ - misses_.size();
    std::int32_t distinct = 0;
    ++mark_;
    for (std::size_t u = 0; ask_sensitive && u < size_; ++u)
      if (is_miss_[u] == 0 && mark(u)) ++distinct;
    for (const std::size_t u : misses_) {
      if (!meets(low, high, u, t)) continue;
      ++found;
      if (ask_sensitive && mark(u)) ++distinct;
    }
    if (found < k || (ask_sensitive && distinct < options_.p)) return false;
  }
  return true;
}

bool ClassGuarantee::meets(const double* low, const double* high, std::size_t u,
                           std::size_t t) const {
  for (std::size_t f = 0; f < records_.functions(); ++f)
    if (low[f * size_ + u] > greatest_known_[f * size_ + t] ||
        high[f * size_ + u] < least_known_[f * size_ + t])
      return false;
  return true;
}

/// True if the record's sensitive value is new since the mark was moved.
bool ClassGuarantee::mark(std::size_t u) {
  const std::int32_t value = records_.sensitive(first_ + static_cast<Record>(u));
  std::uint64_t& last = seen_[static_cast<std::size_t>(value)];
  if (last == mark_) return false;
  last = mark_;
  return true;
}

}  // namespace anonkit
