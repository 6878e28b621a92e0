#include "model/stored_versions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

using Numbers = std::vector<std::int32_t>;

/// The places, and the classes as lists of places and of persons.
struct Linked {
  Numbers value_of;                ///< by place
  std::vector<Numbers> histories;  ///< by place: its classes, ascending
  std::vector<Numbers> places;     ///< by class, ascending
  std::vector<Numbers> persons;    ///< by class, ascending
  std::int32_t person_count = 0;
};

Linked link(const std::vector<StoredRow>& rows, Ticker& ticker) {
  Linked linked;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers;
  for (const StoredRow& row : rows) {
    ticker.step(200);
    const auto place = numbers.emplace(std::make_pair(row.person, row.value),
                                       static_cast<std::int32_t>(numbers.size()));
    if (place.second) {
      linked.value_of.push_back(row.value);
      linked.histories.emplace_back();
    }
    if (at(row.class_id) >= linked.places.size()) {
      linked.places.resize(at(row.class_id) + 1);
      linked.persons.resize(at(row.class_id) + 1);
    }
    linked.histories[at(place.first->second)].push_back(row.class_id);
    linked.places[at(row.class_id)].push_back(place.first->second);
    linked.persons[at(row.class_id)].push_back(row.person);
    linked.person_count = std::max(linked.person_count, row.person + 1);
  }
  for (auto* lists : {&linked.histories, &linked.places, &linked.persons})
    for (Numbers& list : *lists) std::sort(list.begin(), list.end());
  return linked;
}

std::int64_t fewest_histories(std::vector<Numbers> histories) {
  std::sort(histories.begin(), histories.end());
  std::size_t fewest = histories.size();
  for (auto first = histories.begin(); first != histories.end();) {
    const auto last =
        std::find_if(first, histories.end(), [&](const auto& h) { return h != *first; });
    fewest = std::min(fewest, static_cast<std::size_t>(last - first));
    first = last;
  }
  return static_cast<std::int64_t>(fewest);
}

/// The distinct values of a class, ascending.
Numbers signature(const Linked& linked, const Numbers& places) {
  Numbers values;
  for (const std::int32_t place : places) values.push_back(linked.value_of[at(place)]);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// By place: its possible values.
class Candidates {
 public:
  Candidates(const Linked& linked, Ticker& ticker)
      : linked_(linked), ticker_(ticker), possible_(linked.value_of.size()) {
    for (std::size_t c = 0; c < linked.places.size(); ++c) {
      const Numbers values = signature(linked, linked.places[c]);
      for (const std::int32_t place : linked.places[c])
        restrict_to(possible_[at(place)], values,
                    linked.histories[at(place)].front() == static_cast<std::int32_t>(c));
    }
  }

  void propagate() {
    std::vector<char> queued(linked_.places.size(), 1);
    Numbers queue;
    for (std::size_t c = 0; c < queued.size(); ++c) queue.push_back(static_cast<std::int32_t>(c));
    while (!queue.empty()) {
      const std::int32_t c = queue.back();
      queue.pop_back();
      queued[at(c)] = 0;
      for (const std::int32_t place : look_at(linked_.places[at(c)]))
        for (const std::int32_t other : linked_.histories[at(place)])
          if (!std::exchange(queued[at(other)], 1)) queue.push_back(other);
    }
  }

  const std::vector<Numbers>& possible() const { return possible_; }

 private:
  static void restrict_to(Numbers& possible, const Numbers& values, bool first) {
    if (first) {
      possible = values;
      return;
    }
    Numbers both;
    std::set_intersection(possible.begin(), possible.end(), values.begin(), values.end(),
                          std::back_inserter(both));
    possible = std::move(both);
  }

  /// By value of the class: the values it reaches if every place passes its value to a place that
  /// may have it. The transitive closure of a relation on few values.
  std::vector<std::vector<char>> reach(const Numbers& places, const Numbers& values) const {
    const std::size_t n = values.size();
    std::vector<std::vector<char>> reached(n, std::vector<char>(n, 0));
    for (const std::int32_t place : places)
      for (const std::int32_t w : possible_[at(place)])
        reached[index(values, linked_.value_of[at(place)])][index(values, w)] = 1;
    for (std::size_t via = 0; via < n; ++via)
      for (std::size_t from = 0; from < n; ++from)
        if (reached[from][via] != 0)
          for (std::size_t to = 0; to < n; ++to) reached[from][to] |= reached[via][to];
    return reached;
  }

  static std::size_t index(const Numbers& values, std::int32_t value) {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                    values.begin());
  }

  /// The truth is a perfect matching: a place of value v may have w if v is reachable from w.
  /// Returns the places that lost a candidate.
  Numbers look_at(const Numbers& places) {
    const Numbers values = signature(linked_, places);
    ticker_.step(static_cast<std::int64_t>(values.size() * values.size() * values.size() + 100));
    const std::vector<std::vector<char>> reached = reach(places, values);
    Numbers changed;
    for (const std::int32_t place : places) {
      Numbers& possible = possible_[at(place)];
      const std::size_t own = index(values, linked_.value_of[at(place)]);
      const std::size_t before = possible.size();
      possible.erase(std::remove_if(possible.begin(), possible.end(),
                                    [&](std::int32_t w) {
                                      const std::size_t to = index(values, w);
                                      return to != own && reached[to][own] == 0;
                                    }),
                     possible.end());
      if (possible.size() < before) changed.push_back(place);
    }
    return changed;
  }

  const Linked& linked_;
  Ticker& ticker_;
  std::vector<Numbers> possible_;
};

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

std::int64_t solved_of(const Linked& linked, Ticker& ticker) {
  if (linked.person_count > kMostUnknowns) return -1;
  std::vector<Numbers> classes = linked.persons;
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  Equations equations(at(linked.person_count), ticker);
  for (const Numbers& persons : classes) {
    if (equations.full()) break;
    equations.add(persons);
  }
  return equations.solved();
}

/// By class: its values' number, or 0 if one occurs twice or a person of it has other values in
/// another class.
Numbers invariance(const Linked& linked) {
  std::vector<Numbers> signatures;
  for (const Numbers& places : linked.places) signatures.push_back(signature(linked, places));
  std::vector<const Numbers*> lasting(at(linked.person_count), nullptr);
  std::vector<char> changes(at(linked.person_count), 0);
  for (std::size_t c = 0; c < signatures.size(); ++c)
    for (const std::int32_t person : linked.persons[c]) {
      if (lasting[at(person)] == nullptr) lasting[at(person)] = &signatures[c];
      if (*lasting[at(person)] != signatures[c]) changes[at(person)] = 1;
    }
  Numbers invariance_of;
  for (std::size_t c = 0; c < signatures.size(); ++c) {
    const bool repeats = signatures[c].size() < linked.places[c].size();
    const bool changed = std::any_of(linked.persons[c].begin(), linked.persons[c].end(),
                                     [&](std::int32_t person) { return changes[at(person)] != 0; });
    invariance_of.push_back(repeats || changed ? 0
                                               : static_cast<std::int32_t>(signatures[c].size()));
  }
  return invariance_of;
}

}  // namespace

Intersection intersect_versions(const std::vector<StoredRow>& rows, Ticker& ticker) {
  Intersection found;
  if (rows.empty()) return found;
  const Linked linked = link(rows, ticker);
  found.places = static_cast<std::int64_t>(linked.value_of.size());
  found.persons = linked.person_count;
  found.fewest_histories = fewest_histories(linked.histories);
  Candidates candidates(linked, ticker);
  candidates.propagate();
  found.fewest_candidates = found.places;
  for (const Numbers& possible : candidates.possible()) {
    found.fewest_candidates =
        std::min(found.fewest_candidates, static_cast<std::int64_t>(possible.size()));
    found.certain += possible.size() == 1 ? 1 : 0;
  }
  found.solved = solved_of(linked, ticker);
  found.invariance_of = invariance(linked);
  found.m_invariance = *std::min_element(found.invariance_of.begin(), found.invariance_of.end());
  for (const Numbers& places : linked.places)
    found.rows_of.push_back(static_cast<std::int32_t>(places.size()));
  return found;
}

}  // namespace anonkit
