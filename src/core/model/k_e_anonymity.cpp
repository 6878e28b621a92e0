#include "model/k_e_anonymity.hpp"

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
  return numbers[static_cast<std::size_t>((entries.last - 1)->value)] -
         numbers[static_cast<std::size_t>(entries.first->value)];
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
