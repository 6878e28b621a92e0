#include "model/class_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace anonkit {
namespace {

/// How often each code 0 .. max(codes) occurs.
std::vector<std::int32_t> tally(const std::vector<std::int32_t>& codes, Ticker& ticker) {
  if (codes.empty()) throw Error(ErrorKind::invalid_data, "the relation has no records");
  std::vector<std::int32_t> counts;
  for (const std::int32_t code : codes) {
    ticker.step(1);
    if (code < 0) throw Error(ErrorKind::internal, "a record has a negative code");
    const auto at = static_cast<std::size_t>(code);
    if (at >= counts.size()) counts.resize(at + 1);
    ++counts[at];
  }
  return counts;
}

void check_numbers(const PublishedAttribute& attribute, std::size_t codes) {
  if (attribute.scale != AttributeScale::numeric) return;
  const std::vector<double>& numbers = attribute.numbers;
  if (codes > numbers.size() + 1) throw Error(ErrorKind::internal, "a code has no number");
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); })) {
    throw Error(ErrorKind::invalid_data,
                "a numeric sensitive attribute holds NaN or infinite values");
  }
  if (!std::is_sorted(numbers.begin(), numbers.end())) {
    throw Error(ErrorKind::internal, "the numbers of the codes are not ascending");
  }
}

/// The class of every record, the records taken in the order of their values.
std::vector<std::int32_t> order_by_value(const std::vector<std::int32_t>& class_of,
                                         const std::vector<std::int32_t>& code_of,
                                         const std::vector<std::int32_t>& value_of_code,
                                         std::vector<std::int32_t> next, Ticker& ticker) {
  std::vector<std::int32_t> ordered(class_of.size());
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    ticker.step(4);
    const auto value =
        static_cast<std::size_t>(value_of_code[static_cast<std::size_t>(code_of[i])]);
    ordered[static_cast<std::size_t>(next[value]++)] = class_of[i];
  }
  return ordered;
}

}  // namespace

std::vector<std::int32_t> class_sizes(const std::vector<std::int32_t>& class_of, Ticker& ticker) {
  std::vector<std::int32_t> sizes = tally(class_of, ticker);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    throw Error(ErrorKind::internal, "a class has no records");
  }
  return sizes;
}

ClassHistogram::ClassHistogram(const std::vector<std::int32_t>& class_of,
                               const PublishedAttribute& attribute, Ticker& ticker)
    : sizes_(class_sizes(class_of, ticker)),
      is_protected_(attribute.is_protected),
      scale_(attribute.scale) {
  if (attribute.code_of.size() != class_of.size()) {
    throw Error(ErrorKind::internal, "the sensitive attribute does not have one code a record");
  }
  std::vector<std::int32_t> value_of_code;
  count_values(attribute, value_of_code, ticker);
  count_by_class(order_by_value(class_of, attribute.code_of, value_of_code, below_, ticker),
                 ticker);
}

ClassHistogram::ClassHistogram(const std::vector<std::int32_t>& class_of, Ticker& ticker)
    : ClassHistogram(class_of,
                     {std::vector<std::int32_t>(class_of.size(), 0), AttributeScale::nominal, {}},
                     ticker) {}

void ClassHistogram::count_values(const PublishedAttribute& attribute,
                                  std::vector<std::int32_t>& value_of_code, Ticker& ticker) {
  const std::vector<std::int32_t> counts = tally(attribute.code_of, ticker);
  check_numbers(attribute, counts.size());
  value_of_code.resize(counts.size());
  below_.assign(1, 0);
  levels_.resize(attribute.levels.size());
  for (std::size_t code = 0; code < counts.size(); ++code) {
    ticker.step(1);
    if (counts[code] == 0) continue;
    value_of_code[code] = values();
    below_.push_back(below_.back() + counts[code]);
    if (scale_ == AttributeScale::numeric && code < attribute.numbers.size()) {
      numbers_.push_back(attribute.numbers[code]);
    }
    for (std::size_t l = 0; l < levels_.size(); ++l)
      levels_[l].push_back(attribute.levels[l].at(code));
  }
}

void ClassHistogram::count_by_class(const std::vector<std::int32_t>& classes_by_value,
                                    Ticker& ticker) {
  std::vector<std::int32_t> last(sizes_.size(), -1);  // the last value seen in each class
  begin_.assign(sizes_.size() + 1, 0);
  for (std::int32_t v = 0; v < values(); ++v) {
    ticker.step(4 * count(v));
    for (std::int32_t i = below(v); i < below(v + 1); ++i) {
      const auto c = static_cast<std::size_t>(classes_by_value[static_cast<std::size_t>(i)]);
      if (last[c] != v) ++begin_[c + 1];
      last[c] = v;
    }
  }
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];

  entries_.resize(static_cast<std::size_t>(begin_.back()));
  std::fill(last.begin(), last.end(), -1);
  std::vector<std::int32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::int32_t v = 0; v < values(); ++v) {
    ticker.step(8 * count(v));
    for (std::int32_t i = below(v); i < below(v + 1); ++i) {
      const auto c = static_cast<std::size_t>(classes_by_value[static_cast<std::size_t>(i)]);
      if (last[c] != v) entries_[static_cast<std::size_t>(next[c]++)] = {v, 0};
      ++entries_[static_cast<std::size_t>(next[c] - 1)].count;
      last[c] = v;
    }
  }
}

}  // namespace anonkit
