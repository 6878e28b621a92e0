#include "model/stored_versions.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/at.hpp"
#include "model/number_lists.hpp"
#include "model/possible_values.hpp"

namespace anonkit {
namespace {

using Numbers = std::vector<std::int32_t>;

/// The places and their histories, and the persons and values of the classes.
struct Linked {
  std::vector<SharedHistory> histories;
  std::int64_t places = 0;
  std::int64_t fewest_of_history = 0;                ///< fewest places with the same history
  std::vector<std::vector<std::int64_t>> places_of;  ///< by history and value of it
  NumberLists persons;                               ///< of the rows of each class, ascending
  NumberLists values;                                ///< by class: distinct, ascending
  std::int32_t person_count;
};

/// std::sort that can be cancelled.
template <class T, class Less>
void sort(std::vector<T>& items, Ticker& ticker, Less less) {
  std::sort(items.begin(), items.end(), [&](const T& a, const T& b) {
    ticker.step(8);
    return less(a, b);
  });
}

/// Rows of one person and value, and so of one place.
struct Place {
  std::int32_t value;
  std::vector<StoredRow>::const_iterator first;
  std::vector<StoredRow>::const_iterator last;
};

int compare_histories(const Place& a, const Place& b, Ticker& ticker) {
  const StoredRow* x = &*a.first;
  const StoredRow* y = &*b.first;
  const auto rows_of_a = a.last - a.first;
  const auto rows_of_b = b.last - b.first;
  for (std::ptrdiff_t i = 0; i < std::min(rows_of_a, rows_of_b); ++i) {
    ticker.step(4);
    if (x[i].class_id != y[i].class_id) return x[i].class_id < y[i].class_id ? -1 : 1;
  }
  return (rows_of_a > rows_of_b) - (rows_of_a < rows_of_b);
}

/// The places of one history, which are adjacent and ordered by value.
void add_history(Linked& linked, const Place* first, const Place* last, Ticker& ticker) {
  SharedHistory history;
  for (auto row = first->first; row != first->last; ++row)
    if (history.classes.empty() || history.classes.back() != row->class_id)
      history.classes.push_back(row->class_id);
  std::vector<std::int64_t> places_of;
  for (const Place* place = first; place != last; ++place) {
    ticker.step(8);
    if (history.values.empty() || history.values.back() != place->value) {
      history.values.push_back(place->value);
      places_of.push_back(0);
    }
    ++places_of.back();
  }
  linked.histories.push_back(std::move(history));
  linked.places_of.push_back(std::move(places_of));
  const auto places = static_cast<std::int64_t>(last - first);
  linked.fewest_of_history = std::min(linked.fewest_of_history, places);
}

void link_places(const std::vector<StoredRow>& sorted, Linked& linked, Ticker& ticker) {
  std::vector<Place> places;
  for (auto row = sorted.begin(); row != sorted.end(); ++row) {
    ticker.step(8);
    if (places.empty() || row[-1].person != row->person || row[-1].value != row->value)
      places.push_back({row->value, row, row});
    places.back().last = row + 1;
  }
  sort(places, ticker, [&](const Place& a, const Place& b) {
    const int difference = compare_histories(a, b, ticker);
    return difference != 0 ? difference < 0 : a.value < b.value;
  });
  linked.places = linked.fewest_of_history = static_cast<std::int64_t>(places.size());
  for (std::size_t first = 0, next = 1; first < places.size(); first = next++) {
    while (next < places.size() && compare_histories(places[first], places[next], ticker) == 0)
      ++next;
    add_history(linked, &places[first], &places[first] + (next - first), ticker);
  }
}

/// A member of the rows of each class, of rows in their order.
NumberLists by_class(const std::vector<StoredRow>& rows, std::size_t classes,
                     std::int32_t StoredRow::*member, Ticker& ticker) {
  NumberLists lists;
  lists.first.assign(classes + 1, 0);
  for (const StoredRow& row : rows) ++lists.first[at(row.class_id)];
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  lists.items.resize(rows.size());
  for (std::size_t i = rows.size(); i-- > 0;) {
    ticker.step(8);
    lists.items[--lists.first[at(rows[i].class_id)]] = rows[i].*member;
  }
  return lists;
}

/// The distinct numbers of each list, ascending.
NumberLists distinct_items(const NumberLists& lists, Ticker& ticker) {
  NumberLists distinct;
  Numbers items;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    ticker.step(50);
    items.assign(lists[list].begin(), lists[list].end());
    sort(items, ticker, std::less<std::int32_t>());
    std::unique_copy(items.begin(), items.end(), std::back_inserter(distinct.items));
    distinct.close();
  }
  return distinct;
}

Linked link(std::vector<StoredRow> rows, Ticker& ticker) {
  Linked linked;
  sort(rows, ticker, [](const StoredRow& a, const StoredRow& b) {
    return std::tie(a.person, a.value, a.class_id) < std::tie(b.person, b.value, b.class_id);
  });
  std::size_t classes = 0;
  for (const StoredRow& row : rows) {
    ticker.step(4);
    classes = std::max(classes, at(row.class_id) + 1);
  }
  linked.person_count = rows.back().person + 1;
  linked.persons = by_class(rows, classes, &StoredRow::person, ticker);
  linked.values = distinct_items(by_class(rows, classes, &StoredRow::value, ticker), ticker);
  link_places(rows, linked, ticker);
  return linked;
}

/// Linear equations modulo a prime, in echelon form.
class Equations {
 public:
  Equations(std::size_t unknowns, Ticker& ticker) : unknowns_(unknowns), ticker_(ticker) {
    pivot_row_.resize(unknowns);
  }

  bool full() const { return rank_ == unknowns_; }

  /// Adds the equation of a known sum of some unknowns.
  void add(const Numbers& ones) {
    Row row(unknowns_, 0);
    for (const std::int32_t i : ones) ++row[at(i)];
    for (std::size_t pivot = 0; pivot < unknowns_; ++pivot) {
      if (row[pivot] == 0) continue;
      if (pivot_row_[pivot].empty()) {
        scale(row, pivot);
        pivot_row_[pivot] = std::move(row);
        ++rank_;
        return;
      }
      subtract(row, pivot_row_[pivot], pivot);
    }
  }

  /// The number of determined unknowns.
  std::int64_t solved() {
    std::int64_t count = 0;
    for (std::size_t pivot = unknowns_; pivot-- > 0;) {
      Row& row = pivot_row_[pivot];
      if (row.empty()) continue;
      for (std::size_t j = pivot + 1; j < unknowns_; ++j)
        if (row[j] != 0 && !pivot_row_[j].empty()) subtract(row, pivot_row_[j], j);
      count += std::count_if(row.begin(), row.end(), [](std::uint32_t x) { return x != 0; }) == 1;
    }
    return count;
  }

 private:
  using Row = std::vector<std::uint32_t>;
  static constexpr std::uint64_t kPrime = 2147483647;

  static void scale(Row& row, std::size_t pivot) {
    std::uint64_t inverse = 1, base = row[pivot];
    for (std::uint64_t exponent = kPrime - 2; exponent > 0; exponent >>= 1) {
      if (exponent & 1) inverse = inverse * base % kPrime;
      base = base * base % kPrime;
    }
    for (std::uint32_t& x : row) x = static_cast<std::uint32_t>(x * inverse % kPrime);
  }

  /// Eliminates the row's entry at the other row's pivot.
  void subtract(Row& row, const Row& other, std::size_t pivot) {
    ticker_.step(static_cast<std::int64_t>(unknowns_ - pivot));
    const std::uint64_t factor = kPrime - row[pivot];
    for (std::size_t j = pivot; j < unknowns_; ++j)
      row[j] = static_cast<std::uint32_t>((row[j] + factor * other[j]) % kPrime);
  }

  std::size_t unknowns_;
  std::size_t rank_ = 0;
  Ticker& ticker_;
  std::vector<Row> pivot_row_;
};

std::int64_t solved_of(const Linked& linked, std::int64_t most_unknowns, Ticker& ticker) {
  if (linked.person_count > most_unknowns) return -1;
  std::vector<Numbers> classes;
  for (std::size_t c = 0; c < linked.persons.size(); ++c) {
    ticker.step(50);
    classes.emplace_back(linked.persons[c].begin(), linked.persons[c].end());
  }
  sort(classes, ticker, [&](const Numbers& a, const Numbers& b) {
    ticker.step(static_cast<std::int64_t>(std::min(a.size(), b.size())));
    return a < b;
  });
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  Equations equations(at(linked.person_count), ticker);
  for (const Numbers& persons : classes) {
    if (equations.full()) break;
    equations.add(persons);
  }
  return equations.solved();
}

/// By class: a number that classes with the same values share.
Numbers number_signatures(const Linked& linked, Ticker& ticker) {
  Numbers order(linked.values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto values = [&](std::int32_t c) { return linked.values[at(c)]; };
  sort(order, ticker, [&](std::int32_t a, std::int32_t b) {
    ticker.step(static_cast<std::int64_t>(std::min(values(a).size(), values(b).size())));
    return std::lexicographical_compare(values(a).begin(), values(a).end(), values(b).begin(),
                                        values(b).end());
  });
  Numbers number_of(order.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    ticker.step(static_cast<std::int64_t>(values(order[i]).size()));
    const NumberRange own = values(order[i]), before = values(order[i - 1]);
    const bool same = std::equal(own.begin(), own.end(), before.begin(), before.end());
    number_of[at(order[i])] = number_of[at(order[i - 1])] + (same ? 0 : 1);
  }
  return number_of;
}

/// By class: its values' number, or 0 if one occurs twice or a person of it has other values in
/// another class.
Numbers invariance(const Linked& linked, Ticker& ticker) {
  const Numbers signatures = number_signatures(linked, ticker);
  Numbers lasting(at(linked.person_count), -1);
  std::vector<char> changes(at(linked.person_count), 0);
  const NumberLists& persons = linked.persons;
  for (std::size_t c = 0; c < signatures.size(); ++c)
    for (const std::int32_t person : persons[c]) {
      ticker.step(4);
      if (lasting[at(person)] < 0) lasting[at(person)] = signatures[c];
      if (lasting[at(person)] != signatures[c]) changes[at(person)] = 1;
    }
  Numbers invariance_of;
  for (std::size_t c = 0; c < signatures.size(); ++c) {
    ticker.step(4 * static_cast<std::int64_t>(persons[c].size()));
    const std::size_t values = linked.values[c].size();
    const bool repeats = values < persons[c].size();
    const bool changed = std::any_of(persons[c].begin(), persons[c].end(),
                                     [&](std::int32_t person) { return changes[at(person)] != 0; });
    invariance_of.push_back(repeats || changed ? 0 : static_cast<std::int32_t>(values));
  }
  return invariance_of;
}

void count_candidates(const Linked& linked, Intersection& found, Ticker& ticker) {
  const auto possible = count_possible_values(linked.histories, ticker);
  found.fewest_candidates = linked.places;
  for (std::size_t h = 0; h < possible.size(); ++h)
    for (std::size_t v = 0; v < possible[h].size(); ++v) {
      ticker.step(4);
      found.fewest_candidates = std::min(found.fewest_candidates, possible[h][v]);
      if (possible[h][v] == 1) found.certain += linked.places_of[h][v];
    }
}

}  // namespace

Intersection intersect_versions(const std::vector<StoredRow>& rows, Ticker& ticker,
                                std::int64_t most_unknowns) {
  Intersection found;
  if (rows.empty()) return found;
  const Linked linked = link(rows, ticker);
  found.places = linked.places;
  found.persons = linked.person_count;
  found.fewest_histories = linked.fewest_of_history;
  count_candidates(linked, found, ticker);
  found.solved = solved_of(linked, most_unknowns, ticker);
  found.invariance_of = invariance(linked, ticker);
  found.m_invariance = *std::min_element(found.invariance_of.begin(), found.invariance_of.end());
  for (std::size_t c = 0; c < linked.persons.size(); ++c)
    found.rows_of.push_back(static_cast<std::int32_t>(linked.persons[c].size()));
  return found;
}

}  // namespace anonkit
