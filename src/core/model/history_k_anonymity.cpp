#include "model/history_k_anonymity.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace anonkit {
namespace {

/// The classes of one person's records, ascending.
struct History {
  const std::int32_t* first;
  const std::int32_t* last;

  bool operator<(const History& other) const {
    return std::lexicographical_compare(first, last, other.first, other.last);
  }
  bool operator==(const History& other) const {
    return std::equal(first, last, other.first, other.last);
  }
};

/// The classes of all records, grouped by person.
std::vector<std::int32_t> list_classes(const ClassHistogram& histogram,
                                       std::vector<std::size_t>* ends, Ticker& ticker) {
  std::vector<std::pair<std::int32_t, std::int32_t>> records;
  for (std::size_t i = 0; i < histogram.unit_of().size(); ++i)
    records.emplace_back(histogram.unit_of()[i], histogram.class_of()[i]);
  std::sort(records.begin(), records.end());
  std::vector<std::int32_t> classes;
  for (const auto& [unit, c] : records) {
    ticker.step(16);
    if (!classes.empty() && unit != records[classes.size() - 1].first)
      ends->push_back(classes.size());
    classes.push_back(c);
  }
  ends->push_back(classes.size());
  return classes;
}

}  // namespace

Level history_k_anonymity(const ClassHistogram& histogram, Ticker& ticker) {
  if (!histogram.has_units()) throw Error(ErrorKind::invalid_parameter, "histories need a unit");
  std::vector<std::size_t> ends;
  const std::vector<std::int32_t> classes = list_classes(histogram, &ends, ticker);
  std::vector<History> histories;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    histories.push_back({classes.data() + begin, classes.data() + end});
    begin = end;
  }
  ticker.step(64 * static_cast<std::int64_t>(histories.size()));
  std::sort(histories.begin(), histories.end());
  Level rarest{static_cast<double>(histories.size() + 1), 0};
  for (auto first = histories.begin(); first != histories.end();) {
    const auto last =
        std::find_if(first, histories.end(), [&](const History& h) { return !(h == *first); });
    const auto persons = static_cast<double>(last - first);
    if (persons < rarest.level) rarest = {persons, *first->first};
    first = last;
  }
  return rarest;
}

}  // namespace anonkit
