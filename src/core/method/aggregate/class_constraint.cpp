#include "method/aggregate/class_constraint.hpp"

namespace anonkit {

ClassConstraint::ClassConstraint(const SortedRecords& records, const AggregateOptions& options)
    : records_(records),
      options_(options),
      most_(records.functions()),
      fewest_(records.functions()),
      sensitive_(records) {
  for (std::size_t f = 0; f < records.functions(); ++f) {
    for (Record place = 0; place < records.size(); ++place) {
      const double value = records.value(place, f), doubt = options.d * std::abs(value);
      least_known_.push_back(value - doubt);
      greatest_known_.push_back(value + doubt);
    }
  }
}

void ClassConstraint::turn_to(Record first, Record last) {
  first_ = first;
  size_ = static_cast<std::size_t>(last - first);
  for (std::size_t f = 0; f < records_.functions(); ++f) {
    most_[f] = least_known(first, f);
    fewest_[f] = greatest_known(first, f);
    for (Record place = first + 1; place < last; ++place) {
      most_[f] = std::max(most_[f], least_known(place, f));
      fewest_[f] = std::min(fewest_[f], greatest_known(place, f));
    }
  }
}

void ClassConstraint::turn_to(Record first, Record last, const std::vector<double>& most,
                              const std::vector<double>& fewest) {
  first_ = first;
  size_ = static_cast<std::size_t>(last - first);
  most_ = most;
  fewest_ = fewest;
}

bool ClassConstraint::holds(const double* low, const double* high) {
  if (options_.guarantee == AggregateGuarantee::identical) return identical(low, high);
  if (!few_miss(low, high)) return false;
  find_misses(low, high);
  return misses_.empty() || enough_for_each(low, high);
}

bool ClassConstraint::identical(const double* low, const double* high) const {
  for (const double* ends : {low, high}) {
    for (std::size_t f = 0; f < records_.functions(); ++f, ends += size_) {
      const auto [least, greatest] = std::minmax_element(ends, ends + size_);
      if (!alike(*least, *greatest, options_.d)) return false;
    }
  }
  return true;
}

/// A quick test: false if the records of the least or the greatest f have too few candidates.
bool ClassConstraint::few_miss(const double* low, const double* high) const {
  const std::ptrdiff_t spare = static_cast<std::ptrdiff_t>(size_) - options_.k;
  for (std::size_t f = 0; f < records_.functions(); ++f, low += size_, high += size_)
    if (std::count_if(low, low + size_, [&](double x) { return x > fewest_[f]; }) > spare ||
        std::count_if(high, high + size_, [&](double x) { return x < most_[f]; }) > spare)
      return false;
  return true;
}

/// Finds the records whose intervals do not reach from the least to the greatest f. All other
/// records are candidates of every record.
void ClassConstraint::find_misses(const double* low, const double* high) {
  misses_.clear();
  for (std::size_t u = 0; u < size_; ++u) {
    bool misses = false;
    for (std::size_t f = 0; f < records_.functions(); ++f)
      misses |= low[f * size_ + u] > fewest_[f] || high[f * size_ + u] < most_[f];
    if (misses) misses_.push_back(u);
  }
}

bool ClassConstraint::enough_for_each(const double* low, const double* high) {
  const bool ask_sensitive = options_.p > 1;
  const std::size_t k = static_cast<std::size_t>(options_.k), always = size_ - misses_.size();
  if (!ask_sensitive && always >= k) return true;
  for (Record t = first_; t < first_ + static_cast<Record>(size_); ++t) {
    std::size_t found = always;
    sensitive_.clear();
    auto miss = misses_.begin();
    for (std::size_t u = 0; ask_sensitive && u < size_; ++u) {
      if (miss != misses_.end() && *miss == u)
        ++miss;
      else
        sensitive_.add(first_ + static_cast<Record>(u));
    }
    for (const std::size_t u : misses_) {
      if (!meets(low, high, u, t)) continue;
      ++found;
      sensitive_.add(first_ + static_cast<Record>(u));
    }
    if (found < k || (ask_sensitive && sensitive_.distinct() < options_.p)) return false;
  }
  return true;
}

bool ClassConstraint::meets(const double* low, const double* high, std::size_t u, Record t) const {
  for (std::size_t f = 0; f < records_.functions(); ++f)
    if (low[f * size_ + u] > greatest_known(t, f) || high[f * size_ + u] < least_known(t, f))
      return false;
  return true;
}

}  // namespace anonkit
