#include "table/nulls/null_patterns.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "table/nulls/blanking_search.hpp"

namespace anonkit {
namespace {

constexpr std::int64_t kGreedyPatterns = 1000;

/// The records now in a pattern, by the index of their original pattern.
struct Group {
  std::int64_t size = 0;
  std::map<std::size_t, std::int64_t> from;
};
using Groups = std::map<NullPattern, Group, FewerNulls>;

void move_records(Group& to, Group& group, std::int64_t records) {
  while (records > 0) {
    const auto first = group.from.begin();
    const std::int64_t moved = std::min(records, first->second);
    to.from[first->first] += moved;
    to.size += moved;
    group.size -= moved;
    records -= moved;
    first->second -= moved;
    if (first->second == 0) group.from.erase(first);
  }
}

/// Settles one small pattern after the other, each in its cheapest way.
class Greedy {
 public:
  Greedy(const std::vector<PatternCount>& patterns, std::int64_t k, Ticker& ticker)
      : k_(k), ticker_(ticker) {
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      Group& group = groups_[patterns[p].pattern];
      group.size = group.from[p] = patterns[p].records;
    }
  }

  Groups run() {
    blank_columns();
    for (auto small = next_small(groups_.begin()); small != groups_.end();)
      small = next_small(settle(small));
    return std::move(groups_);
  }

 private:
  using Place = Groups::iterator;

  bool is_small(Place place) const { return place->second.size < k_; }

  Place next_small(Place place) {
    while (place != groups_.end() && !is_small(place)) ++place;
    return place;
  }

  std::int64_t small_patterns() {
    std::int64_t small = 0;
    for (Place place = groups_.begin(); place != groups_.end(); ++place) small += is_small(place);
    return small;
  }

  /// Limits the number of small patterns.
  void blank_columns() {
    if (small_patterns() <= kGreedyPatterns) return;
    const std::size_t columns = groups_.begin()->first.size() * 64;
    std::vector<std::pair<std::int64_t, std::size_t>> nulls;
    for (std::size_t j = 0; j < columns; ++j) {
      nulls.emplace_back(0, j);
      for (const auto& [pattern, group] : groups_)
        nulls.back().first -= has_null(pattern, j) ? group.size : 0;
      ticker_.step(static_cast<std::int64_t>(groups_.size()));
    }
    std::sort(nulls.begin(), nulls.end());
    for (const auto& [count, j] : nulls) {
      if (small_patterns() <= kGreedyPatterns) return;
      blank_column(j);
    }
  }

  void blank_column(std::size_t j) {
    ticker_.step(64 * static_cast<std::int64_t>(groups_.size()));
    std::vector<NullPattern> small;
    for (Place place = groups_.begin(); place != groups_.end(); ++place)
      if (is_small(place) && !has_null(place->first, j)) small.push_back(place->first);
    for (const NullPattern& pattern : small) {
      NullPattern to = pattern;
      set_null(to, j);
      move_all(groups_.find(pattern), to);
    }
  }

  Place move_all(Place from, const NullPattern& to) {
    Group group = std::move(from->second);
    groups_.erase(from);
    const Place place = groups_.try_emplace(to).first;
    move_records(place->second, group, group.size);
    return place;
  }

  /// Settles the pattern at `small` in the cheapest way; returns the next position.
  Place settle(Place small) {
    const std::int64_t nulls = null_count(small->first), size = small->second.size;
    std::int64_t least = filling_cost(small);
    Place partner = small;
    ticker_.step(8 * static_cast<std::int64_t>(groups_.size()));
    for (Place other = groups_.begin(); other != groups_.end(); ++other) {
      if (other == small) continue;
      const std::int64_t all = null_count(united(small->first, other->first));
      const std::int64_t cost =
          size * (all - nulls) + other->second.size * (all - null_count(other->first));
      if (cost >= least) continue;
      least = cost;
      partner = other;
    }
    if (partner == small) {
      fill(small);
      return small;
    }
    const NullPattern all = united(small->first, partner->first);
    if (partner->first != all) move_all(partner, all);
    if (small->first != all) move_all(small, all);
    return groups_.begin();
  }

  /// The cost of filling the pattern from those that it covers, most nulls first; the largest
  /// number if they do not suffice.
  std::int64_t filling_cost(Place small) {
    std::int64_t missing = k_ - small->second.size, cost = 0;
    for (Place from = small; missing > 0 && from != groups_.begin();) {
      --from;
      const std::int64_t taken = std::min(missing, spare(from, small));
      cost += taken * (null_count(small->first) - null_count(from->first));
      missing -= taken;
    }
    return missing == 0 ? cost : std::numeric_limits<std::int64_t>::max();
  }

  void fill(Place small) {
    for (Place from = small; is_small(small);) {
      --from;
      move_records(small->second, from->second,
                   std::min(k_ - small->second.size, spare(from, small)));
    }
  }

  std::int64_t spare(Place from, Place to) const {
    if (from->second.size <= k_ || !covers(to->first, from->first)) return 0;
    return from->second.size - k_;
  }

  std::int64_t k_;
  Ticker& ticker_;
  Groups groups_;
};

BlankingPlan plan_of(const Groups& groups, const std::vector<PatternCount>& patterns) {
  BlankingPlan plan;
  for (const auto& [to, group] : groups)
    for (const auto& [from, records] : group.from)
      if (patterns[from].pattern != to) plan.blankings.push_back({from, to, records});
  return plan;
}

Patterns patterns_in(const Groups& groups, const std::vector<PatternCount>& patterns) {
  Patterns all;
  for (const auto& [pattern, group] : groups) all.insert(pattern);
  for (const PatternCount& one : patterns) all.insert(one.pattern);
  return all;
}

/// Improves the plan, with the candidates as possible final patterns.
void search(BlankingPlan& plan, const Groups& greedy, const std::vector<PatternCount>& patterns,
            const Patterns& candidates, std::int64_t k, std::int64_t effort, Ticker& ticker) {
  std::map<NullPattern, std::size_t> place_of;
  for (std::size_t p = 0; p < patterns.size(); ++p) place_of[patterns[p].pattern] = p;
  const std::vector<NullPattern> places(candidates.begin(), candidates.end());
  std::vector<std::int64_t> counts;
  std::vector<char> kept;
  for (const NullPattern& pattern : places) {
    const auto found = place_of.find(pattern);
    counts.push_back(found == place_of.end() ? 0 : patterns[found->second].records);
    kept.push_back(greedy.count(pattern) > 0 ? 1 : 0);
  }
  BlankingSearch search(places, std::move(counts), k, effort, ticker);
  search.run(kept);
  plan.least = search.complete();
  plan.blankings.clear();
  for (const PatternFlow::Shipment& shipment : search.shipments())
    if (shipment.from != shipment.to)
      plan.blankings.push_back(
          {place_of.at(places[shipment.from]), places[shipment.to], shipment.records});
}

void finish(BlankingPlan& plan, const std::vector<PatternCount>& patterns) {
  plan.cells = 0;
  for (const Blanking& one : plan.blankings)
    plan.cells += one.records * (null_count(one.to) - null_count(patterns[one.from].pattern));
  std::sort(plan.blankings.begin(), plan.blankings.end(),
            [less = FewerNulls()](const Blanking& a, const Blanking& b) {
              return a.from != b.from ? a.from < b.from : less(a.to, b.to);
            });
}

}  // namespace

Patterns unions_of(const std::vector<NullPattern>& patterns) {
  Patterns unions;
  for (const NullPattern& one : patterns) {
    std::vector<NullPattern> added = {one};
    for (const NullPattern& pattern : unions) added.push_back(united(pattern, one));
    unions.insert(added.begin(), added.end());
    if (unions.size() > kCandidates) break;
  }
  return unions;
}

BlankingPlan plan_blanking(const std::vector<PatternCount>& patterns, std::int64_t k,
                           Ticker& ticker, std::int64_t effort) {
  const bool settled = std::all_of(patterns.begin(), patterns.end(),
                                   [k](const PatternCount& one) { return one.records >= k; });
  if (settled) return {{}, 0, true};
  const Groups groups = Greedy(patterns, k, ticker).run();
  BlankingPlan plan = plan_of(groups, patterns);
  std::vector<NullPattern> given;
  for (const PatternCount& one : patterns) given.push_back(one.pattern);
  Patterns candidates = unions_of(given);
  const bool all_unions = candidates.size() <= kCandidates;
  if (!all_unions) candidates = patterns_in(groups, patterns);
  if (candidates.size() <= kCandidates)
    search(plan, groups, patterns, candidates, k, effort, ticker);
  plan.least = plan.least && all_unions;
  finish(plan, patterns);
  return plan;
}

}  // namespace anonkit
