#include "model/dominance.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace anonkit {

Level dominance(const ClassHistogram& histogram, Ticker& ticker) {
  if (!histogram.has_units()) throw Error(ErrorKind::invalid_parameter, "dominance needs a unit");
  std::vector<std::pair<std::int32_t, std::int32_t>> records;  // class and person
  for (std::size_t i = 0; i < histogram.unit_of().size(); ++i)
    records.emplace_back(histogram.class_of()[i], histogram.unit_of()[i]);
  std::sort(records.begin(), records.end());
  auto next = records.cbegin();
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    const auto first = next;
    std::ptrdiff_t most = 0;
    while (next != records.cend() && next->first == c) {
      const auto person = next;
      while (next != records.cend() && *next == *person) ++next;
      most = std::max(most, next - person);
      ticker.step(16 * (next - person));
    }
    return static_cast<double>(most) / static_cast<double>(next - first);
  });
}

}  // namespace anonkit
