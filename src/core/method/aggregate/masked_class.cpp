#include "method/aggregate/masked_class.hpp"

namespace anonkit {

AttributeSet all_attributes(std::size_t count) {
  return ~AttributeSet{0} >> (static_cast<std::size_t>(kMostAttributes) - count);
}

MaskedClass::MaskedClass(const SortedRecords& records, const AggregateOptions& options)
    : records_(records), constraint_(records, options) {}

void MaskedClass::turn_to(Record first, Record last) {
  first_ = first;
  last_ = last;
  constraint_.turn_to(first, last);
  const std::size_t m = records_.attributes();
  least_.assign(records_.row(first), records_.row(first) + m);
  greatest_ = least_;
  for (Record place = first + 1; place < last; ++place) {
    const double* row = records_.row(place);
    for (std::size_t j = 0; j < m; ++j) {
      least_[j] = std::min(least_[j], row[j]);
      greatest_[j] = std::max(greatest_[j], row[j]);
    }
  }
}

double MaskedClass::ncp(AttributeSet set) const {
  double sum = 0;
  for (std::size_t j = 0; j < records_.attributes(); ++j)
    if (contains(set, j)) sum += records_.penalty(j) * (greatest_[j] - least_[j]);
  return sum;
}

bool MaskedClass::holds(AttributeSet set) {
  const std::size_t m = records_.attributes(), size = static_cast<std::size_t>(last_ - first_);
  interval_low_.clear();
  interval_high_.clear();
  for (std::size_t f = 0; f < records_.functions(); ++f) {
    const Terms& terms = records_.terms(f);
    double low = neutral(terms.how()), high = low;
    for (std::size_t j = 0; j < m; ++j) {
      if (!contains(set, j)) continue;
      const double x = terms.term(j, least_[j]), y = terms.term(j, greatest_[j]);
      low = combined(terms.how(), low, std::min(x, y));
      high = combined(terms.how(), high, std::max(x, y));
    }
    for (std::size_t u = 0; u < size; ++u) {
      const double* row = records_.row(first_ + static_cast<Record>(u));
      double kept = neutral(terms.how());
      for (std::size_t j = 0; j < m; ++j)
        if (!contains(set, j)) kept = combined(terms.how(), kept, terms.term(j, row[j]));
      interval_low_.push_back(combined(terms.how(), kept, low));
      interval_high_.push_back(combined(terms.how(), kept, high));
    }
  }
  return constraint_.holds(interval_low_.data(), interval_high_.data());
}

}  // namespace anonkit
