#include "method/pkclustering/pool.hpp"

#include <algorithm>
#include <numeric>

namespace anonkit {
namespace {

/// Removes one item from a list whose items know their index.
template <class PlaceOf>
void take_out(std::vector<std::int32_t>& list, std::int32_t item, PlaceOf place_of) {
  const std::int32_t last = list.back();
  list[static_cast<std::size_t>(place_of(item))] = last;
  place_of(last) = place_of(item);
  list.pop_back();
}

}  // namespace

Pool::Pool(const Growth& growth, bool by_diversity, Ticker& ticker)
    : growth_(growth),
      ticker_(ticker),
      pricer_(growth.generalisation()),
      by_diversity_(by_diversity) {
  const SensitiveCodes& sensitive = growth.sensitive();
  for (std::size_t i = 0; i < sensitive.attributes(); ++i)
    mark_.emplace_back(static_cast<std::size_t>(sensitive.values(i)), 0);
  combinations_.resize(by_diversity ? at(sensitive.combinations()) : 1);
  for (std::size_t c = 0; c < combinations_.size(); ++c)
    combinations_[c].record = sensitive.record_of(static_cast<Id>(c));
  form_groups(ticker);
}

void Pool::form_groups(Ticker& ticker) {
  const Generalisation& generalisation = growth_.generalisation();
  const auto d = static_cast<std::ptrdiff_t>(generalisation.dimension());
  const auto combination = [&](Record i) {
    return by_diversity_ ? growth_.sensitive().combination(i) : 0;
  };
  const auto codes = [&](Record i) { return generalisation.codes(i); };
  sorted_.resize(at(generalisation.size()));
  std::iota(sorted_.begin(), sorted_.end(), 0);
  std::sort(sorted_.begin(), sorted_.end(), [&](Record a, Record b) {
    ticker.step(8);
    if (combination(a) != combination(b)) return combination(a) < combination(b);
    const auto differ = std::mismatch(codes(a), codes(a) + d, codes(b));
    return differ.first != codes(a) + d ? *differ.first < *differ.second : a < b;
  });
  place_of_.resize(sorted_.size());
  in_.resize(sorted_.size());
  for (Id place = 0; place < generalisation.size(); ++place) {
    const Record record = sorted_[at(place)];
    const Record before = sorted_[at(std::max(place - 1, 0))];
    if (place == 0 || combination(record) != combination(before) ||
        !std::equal(codes(record), codes(record) + d, codes(before)))
      groups_.push_back({combination(record), place, place});
    place_of_[at(record)] = place;
    group_of_.push_back(static_cast<Id>(groups_.size()) - 1);
  }
}

void Pool::add(Record record) {
  const Id place = place_of_[at(record)], id = group_of_[at(place)];
  Group& group = groups_[at(id)];
  Combination& combination = combinations_[at(group.combination)];
  ticker_.step(20);
  in_[at(place)] = true;
  group.head = std::min(group.head, place);
  ++size_;
  if (++group.count > 1) return;
  list(id);
  if (combination.groups.size() > 1) return;
  combination.in_list = static_cast<Id>(live_.size());
  live_.push_back(group.combination);
}

void Pool::remove(Record record) {
  const Id place = place_of_[at(record)], id = group_of_[at(place)];
  Group& group = groups_[at(id)];
  Combination& combination = combinations_[at(group.combination)];
  in_[at(place)] = false;
  --size_;
  if (--group.count > 0) return;
  unlist(id);
  if (combination.groups.empty())
    take_out(live_, group.combination, [&](Id i) -> Id& { return combinations_[at(i)].in_list; });
}

void Pool::list(Id id) {
  Group& group = groups_[at(id)];
  Combination& combination = combinations_[at(group.combination)];
  const std::int32_t* codes = growth_.generalisation().codes(sorted_[at(group.begin)]);
  group.in_list = static_cast<Id>(combination.groups.size());
  combination.groups.push_back(id);
  combination.codes.insert(combination.codes.end(), codes,
                           codes + growth_.generalisation().dimension());
}

void Pool::unlist(Id id) {
  Combination& combination = combinations_[at(groups_[at(id)].combination)];
  const auto d = static_cast<std::ptrdiff_t>(growth_.generalisation().dimension());
  std::copy(combination.codes.end() - d, combination.codes.end(),
            combination.codes.begin() + groups_[at(id)].in_list * d);
  combination.codes.resize(combination.codes.size() - static_cast<std::size_t>(d));
  take_out(combination.groups, id, [&](Id i) -> Id& { return groups_[at(i)].in_list; });
}

std::vector<Record> Pool::take_all() {
  std::vector<Record> records;
  records.reserve(static_cast<std::size_t>(size_));
  for (const Id c : live_)
    for (const Id id : combinations_[at(c)].groups)
      for (Id place = groups_[at(id)].head, left = groups_[at(id)].count; left > 0; ++place)
        if (in_[at(place)]) {
          records.push_back(sorted_[at(place)]);
          --left;
        }
  for (const Record record : records) remove(record);
  std::sort(records.begin(), records.end());
  return records;
}

Record Pool::head_of(Group& group) {
  while (!in_[at(group.head)]) ++group.head;
  return sorted_[at(group.head)];
}

void Pool::mark_values(const Cluster& cluster) {
  ++marks_;
  for (std::size_t i = 0; i < mark_.size(); ++i)
    for (const std::int32_t value : cluster.values[i]) mark_[i][at(value)] = marks_;
}

void Pool::most_diverse(const Cluster& cluster, Match& match) {
  const SensitiveCodes& sensitive = growth_.sensitive();
  mark_values(cluster);
  most_diverse_.clear();
  for (const Id c : live_) {
    const Record record = combinations_[at(c)].record;
    const double found = diversity(
        cluster.distinct, sensitive.p(), sensitive.weights(),
        [&](std::size_t i) { return mark_[i][at(sensitive.value(record, i))] != marks_; });
    if (found < match.diversity) continue;
    if (found > match.diversity) most_diverse_.clear();
    match.diversity = found;
    most_diverse_.push_back(c);
  }
  ticker_.step(4 * static_cast<std::int64_t>(live_.size() * mark_.size()));
}

template <class Better>
void Pool::scan(const Combination& combination, Match& match, Better better) {
  const std::size_t d = growth_.generalisation().dimension();
  const std::int32_t* codes = combination.codes.data();
  for (std::size_t i = 0; i < combination.groups.size(); ++i, codes += d) {
    const CellLoss loss = pricer_.price(codes);
    if (match.record >= 0 && better(match.loss, loss)) continue;
    const Record head = head_of(groups_[at(combination.groups[i])]);
    if (match.record >= 0 && loss == match.loss && match.record < head) continue;
    match.record = head;
    match.loss = loss;
  }
  ticker_.step(2 * static_cast<std::int64_t>(combination.groups.size() * (1 + d)));
}

Match Pool::best(const Cluster& cluster) {
  Match match;
  if (by_diversity_)
    most_diverse(cluster, match);
  else
    most_diverse_ = live_;
  pricer_.look_at(cluster.cover);
  for (const Id c : most_diverse_)
    scan(combinations_[at(c)], match, [](CellLoss best, CellLoss other) { return best < other; });
  return match;
}

Record Pool::farthest(const Cluster& cluster) {
  Match match;
  pricer_.look_at(cluster.cover);
  for (const Id c : live_)
    scan(combinations_[at(c)], match, [](CellLoss best, CellLoss other) { return best > other; });
  return match.record;
}

}  // namespace anonkit
