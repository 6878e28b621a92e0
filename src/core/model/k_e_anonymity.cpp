#include "model/k_e_anonymity.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace anonkit {
namespace {

double range_of(const ClassHistogram& histogram, std::int32_t c) {
  const std::vector<double>& numbers = histogram.numbers();
  ClassHistogram::Entries entries = histogram.entries(c);
  const auto is_null = [&](std::int32_t v) {
    return static_cast<std::size_t>(v) >= numbers.size();
  };
  if (is_null((entries.last - 1)->value)) --entries.last;  // null is the last value
  if (entries.size() == 0) return 0;
  // If one person alone has both ends, either end moves to the next value of another person.
  const ClassHistogram::Entry *low = entries.first, *high = entries.last - 1;
  const std::int32_t unit = histogram.only_unit(low);
  const auto width = [&](const ClassHistogram::Entry* from, const ClassHistogram::Entry* to) {
    return numbers[static_cast<std::size_t>(to->value)] -
           numbers[static_cast<std::size_t>(from->value)];
  };
  if (unit < 0 || unit != histogram.only_unit(high)) return width(low, high);
  while (low != high && histogram.only_unit(low) == unit) ++low;
  if (low == high) return 0;  // only one person has numbers
  const ClassHistogram::Entry* below = high;
  while (histogram.only_unit(below) == unit) --below;
  return std::max(width(low, high), width(entries.first, below));
}

}  // namespace

Level k_e_anonymity(const ClassHistogram& histogram, Ticker& ticker) {
  if (histogram.scale() != AttributeScale::numeric) {
    throw Error(ErrorKind::invalid_parameter,
                "(k,e)-anonymity needs a numeric sensitive attribute");
  }
  return least_level(histogram, ticker, [&](std::int32_t c) { return range_of(histogram, c); });
}

}  // namespace anonkit
