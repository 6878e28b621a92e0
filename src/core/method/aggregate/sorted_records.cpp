#include "method/aggregate/sorted_records.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace anonkit {
namespace {

void check_finite(const double* values, std::size_t count, Ticker& ticker) {
  for (std::size_t i = 0; i < count; ++i) {
    ticker.step(1);
    if (!std::isfinite(values[i]))
      throw Error(ErrorKind::invalid_data, "a quasi-identifier holds a null, NaN or infinity",
                  "Aggregate functions are defined on finite numbers.");
  }
}

}  // namespace

SortedRecords::SortedRecords(const AggregateRecords& records, const AggregateOptions& options,
                             Ticker& ticker, const Partition* classes)
    : attributes_(static_cast<std::size_t>(records.attributes)) {
  const std::size_t n = static_cast<std::size_t>(records.size), cells = n * attributes_;
  check_finite(records.values, cells, ticker);
  const ScaledIntegers numbers(records.values, cells, records.attributes, ticker);
  for (const AggregateFunction& function : options.functions)
    terms_.emplace_back(function, numbers, ticker);

  rows_.resize(cells);
  std::vector<double> unsorted;
  unsorted.reserve(n * terms_.size());
  for (std::size_t i = 0; i < n; ++i) {
    double* row = rows_.data() + i * attributes_;
    for (std::size_t j = 0; j < attributes_; ++j)
      row[j] = numbers.scaled(records.values[i * attributes_ + j]);
    for (const Terms& terms : terms_) unsorted.push_back(terms.value(row, attributes_));
    ticker.step(static_cast<std::int64_t>(4 * attributes_ * (1 + terms_.size())));
  }
  set_penalties(options.domain);
  sort(unsorted, classes, ticker);
  for (std::size_t i = 0; i < n; ++i) {
    ticker.step(static_cast<std::int64_t>(4 * attributes_));
    const auto from = static_cast<std::size_t>(order_[i]);
    for (std::size_t j = 0; j < attributes_; ++j)
      rows_[i * attributes_ + j] = numbers.scaled(records.values[from * attributes_ + j]);
    if (records.sensitive != nullptr) sensitive_.push_back(records.sensitive[from]);
  }
}

void SortedRecords::sort(const std::vector<double>& unsorted, const Partition* classes,
                         Ticker& ticker) {
  const std::size_t f = terms_.size();
  order_.resize(unsorted.size() / f);
  std::iota(order_.begin(), order_.end(), 0);
  const auto class_of = [&](Record i) {
    return classes == nullptr ? 0 : classes->class_of[static_cast<std::size_t>(i)];
  };
  std::sort(order_.begin(), order_.end(), [&](Record a, Record b) {
    ticker.step(4);
    if (class_of(a) != class_of(b)) return class_of(a) < class_of(b);
    const double* x = unsorted.data() + static_cast<std::size_t>(a) * f;
    const double* y = unsorted.data() + static_cast<std::size_t>(b) * f;
    for (std::size_t i = 0; i < f; ++i)
      if (x[i] != y[i]) return x[i] < y[i];
    return a < b;
  });
  values_.reserve(unsorted.size());
  for (const Record i : order_) {
    const double* x = unsorted.data() + static_cast<std::size_t>(i) * f;
    values_.insert(values_.end(), x, x + f);
  }
}

void SortedRecords::set_penalties(NcpDomain domain) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> low(attributes_, infinity), high(attributes_, -infinity);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::size_t j = i % attributes_;
    low[j] = std::min(low[j], rows_[i]);
    high[j] = std::max(high[j], rows_[i]);
  }
  const double common =
      *std::max_element(high.begin(), high.end()) - *std::min_element(low.begin(), low.end());
  for (std::size_t j = 0; j < attributes_; ++j) {
    const double range = domain == NcpDomain::common ? common : high[j] - low[j];
    penalty_.push_back(range > 0 ? 1 / range : 0);
  }
}

}  // namespace anonkit
