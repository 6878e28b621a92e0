#include "table/nulls/kept_patterns.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/at.hpp"
#include "table/nulls/null_patterns.hpp"

namespace anonkit {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

struct Move {
  std::size_t kind, from, to;
  std::int64_t records;
};
using Moves = std::vector<Move>;

/// Where the records of every kind are, and which patterns are allowed.
class Placed {
 public:
  Placed(const std::vector<RecordKind>& kinds, const PatternRule& rule, Ticker& ticker)
      : kinds_(kinds), rule_(rule), ticker_(ticker) {
    std::vector<NullPattern> given;
    for (const RecordKind& kind : kinds) given.push_back(kind.pattern);
    Patterns candidates = unions_of(given);
    has_all_unions_ = candidates.size() <= kCandidates;
    if (!has_all_unions_) candidates = Patterns(given.begin(), given.end());
    patterns_.assign(candidates.begin(), candidates.end());
    held_.resize(patterns_.size());
    allowed_.assign(patterns_.size(), kUnknown);
    for (const NullPattern& pattern : patterns_) nulls_.push_back(null_count(pattern));
    for (std::size_t g = 0; g < kinds.size(); ++g) {
      home_.push_back(place_of(kinds[g].pattern));
      held_[home_[g]][g] = kinds[g].records;
    }
  }

  std::size_t patterns() const { return patterns_.size(); }
  const NullPattern& pattern(std::size_t q) const { return patterns_[q]; }
  bool has_all_unions() const { return has_all_unions_; }
  std::size_t home(std::size_t kind) const { return home_[kind]; }
  bool covers(std::size_t q, std::size_t p) const {
    return anonkit::covers(patterns_[q], patterns_[p]);
  }
  std::int64_t price(std::size_t from, std::size_t to) const { return nulls_[to] - nulls_[from]; }
  /// By kind: its records in the pattern, where there are any.
  const std::map<std::size_t, std::int64_t>& held(std::size_t q) const { return held_[q]; }
  std::int64_t work() const { return work_; }
  std::int64_t cells() const { return cells_; }

  /// The pattern; kept even if it is not a candidate.
  std::size_t place_of(const NullPattern& pattern) {
    const auto found = std::find(patterns_.begin(), patterns_.end(), pattern);
    const auto q = static_cast<std::size_t>(found - patterns_.begin());
    if (found == patterns_.end()) {
      patterns_.push_back(pattern);
      nulls_.push_back(null_count(pattern));
      held_.emplace_back();
      allowed_.push_back(kUnknown);
    }
    return q;
  }

  void move(const Move& one) {
    std::map<std::size_t, std::int64_t>& from = held_[one.from];
    const auto left = from.find(one.kind);
    left->second -= one.records;
    if (left->second == 0) from.erase(left);
    held_[one.to][one.kind] += one.records;
    allowed_[one.from] = allowed_[one.to] = kUnknown;
    cells_ += one.records * price(one.from, one.to);
    ticker_.step(20);
  }
  void move(const Moves& moves) {
    for (const Move& one : moves) move(one);
  }
  void revert(const Moves& moves) {
    for (auto one = moves.rbegin(); one != moves.rend(); ++one)
      move({one->kind, one->to, one->from, one->records});
  }

  /// True if the pattern has no records, or the rule allows them.
  bool allowed(std::size_t q) {
    if (allowed_[q] == kUnknown) allowed_[q] = held_[q].empty() || ask(q) ? kYes : kNo;
    return allowed_[q] == kYes;
  }
  /// The first pattern that is not allowed; their number if all are.
  std::size_t first_refused() {
    std::size_t q = 0;
    while (q < patterns_.size() && allowed(q)) ++q;
    return q;
  }

  std::vector<KindBlanking> blankings() const {
    std::vector<KindBlanking> all;
    for (std::size_t q = 0; q < patterns_.size(); ++q)
      for (const auto& [g, records] : held_[q])
        if (home_[g] != q) all.push_back({g, patterns_[q], records});
    std::stable_sort(all.begin(), all.end(),
                     [](const KindBlanking& a, const KindBlanking& b) { return a.kind < b.kind; });
    return all;
  }

 private:
  enum Answer : char { kUnknown, kYes, kNo };

  bool ask(std::size_t q) {
    records_.clear();
    for (const auto& [g, records] : held_[q])
      records_.insert(records_.end(), at(records), kinds_[g].example);
    work_ += static_cast<std::int64_t>(records_.size());
    ticker_.step(50 * static_cast<std::int64_t>(records_.size()));
    return rule_(records_);
  }

  const std::vector<RecordKind>& kinds_;
  const PatternRule& rule_;
  Ticker& ticker_;
  bool has_all_unions_;
  std::vector<NullPattern> patterns_;
  std::vector<std::int64_t> nulls_;
  std::vector<std::size_t> home_;  ///< by kind
  std::vector<std::map<std::size_t, std::int64_t>> held_;
  std::vector<char> allowed_;
  std::vector<Record> records_;
  std::int64_t work_ = 0, cells_ = 0;
};

/// How far a pattern's values are from those of all records.
class Deficits {
 public:
  explicit Deficits(const std::vector<RecordKind>& kinds) : kinds_(kinds) {
    share_.resize(kinds.front().codes.size());
    double all = 0;
    for (const RecordKind& kind : kinds) all += static_cast<double>(kind.records);
    for (const RecordKind& kind : kinds)
      for (std::size_t a = 0; a < share_.size(); ++a)
        share_[a][kind.codes[a]] += static_cast<double>(kind.records) / all;
  }

  void begin(const std::map<std::size_t, std::int64_t>& held) {
    size_ = 0;
    count_.assign(share_.size(), {});
    for (const auto& [g, records] : held) add(g, records);
  }
  void add(std::size_t kind, std::int64_t records) {
    size_ += records;
    for (std::size_t a = 0; a < share_.size(); ++a) count_[a][kinds_[kind].codes[a]] += records;
  }
  /// The records of this kind's values that are missing; below 0 for an excess.
  double of(std::size_t kind) {
    double sum = 0;
    for (std::size_t a = 0; a < share_.size(); ++a) {
      const std::int32_t code = kinds_[kind].codes[a];
      sum += share_[a][code] * static_cast<double>(size_) - static_cast<double>(count_[a][code]);
    }
    return sum;
  }

 private:
  const std::vector<RecordKind>& kinds_;
  std::vector<std::map<std::int32_t, double>> share_;
  std::vector<std::map<std::int32_t, std::int64_t>> count_;
  std::int64_t size_ = 0;
};

/// Makes every pattern allowed, or unites all records in one.
class Repair {
 public:
  Repair(const std::vector<RecordKind>& kinds, Placed& placed, std::int64_t effort)
      : placed_(placed), deficits_(kinds), effort_(effort) {}

  /// Moves records by a plan for k alone.
  void follow(const std::vector<NullPattern>& given, const BlankingPlan& plan) {
    for (const Blanking& one : plan.blankings) {
      const std::size_t from = placed_.place_of(given[one.from]), to = placed_.place_of(one.to);
      for (std::int64_t moved = 0; moved < one.records; ++moved) {
        const std::size_t kind = most_missing({from}, to);
        placed_.move({kind, from, to, 1});
      }
    }
  }

  /// Each round has fewer patterns, or as many of which fewer are refused.
  void run() {
    for (std::size_t q = placed_.first_refused(); q < placed_.patterns();
         q = placed_.first_refused()) {
      best_cost_ = kNever;
      if (placed_.work() < effort_) {
        fill(q);
        shrink(q);
        leave(q);
      }
      if (best_cost_ == kNever) unite(q);
      if (best_cost_ == kNever) return;
      placed_.move(best_);
    }
  }

  /// Takes back every suppression that is not needed.
  void trim() {
    for (bool improved = true; improved && placed_.work() < effort_;) {
      improved = false;
      for (const KindBlanking& one : placed_.blankings())
        for (std::int64_t records = one.records; records > 0 && placed_.work() < effort_;
             records /= 2)
          improved = take_back(one.kind, placed_.place_of(one.to), records) || improved;
    }
  }

 private:
  /// The kind whose values the pattern lacks most, of those in other patterns; kNoKind if these
  /// have none.
  std::size_t most_missing(const std::vector<std::size_t>& from, std::size_t to) {
    deficits_.begin(placed_.held(to));
    return most_missing_of(from);
  }
  std::size_t most_missing_of(const std::vector<std::size_t>& from) {
    std::size_t most = kNoKind;
    double deficit = 0;
    for (const std::size_t p : from)
      for (const auto& [g, records] : placed_.held(p)) {
        const double of_kind = deficits_.of(g);
        if (most != kNoKind && !(of_kind > deficit)) continue;
        most = g;
        source_ = p;
        deficit = of_kind;
      }
    return most;
  }

  void consider(const Moves& moves, std::int64_t cost) {
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_ = moves;
  }

  /// Fills the pattern from one of those that it covers, or from all of them.
  void fill(std::size_t q) {
    std::vector<std::size_t> all;
    for (std::size_t p = 0; p < placed_.patterns(); ++p)
      if (p != q && placed_.covers(q, p) && !placed_.held(p).empty()) all.push_back(p);
    for (const std::size_t p : all) fill(q, {p});
    if (all.size() > 1) fill(q, all);
  }

  void fill(std::size_t q, const std::vector<std::size_t>& from) {
    const std::vector<bool> kept = allowed(from);
    Moves moves;
    deficits_.begin(placed_.held(q));
    const auto next = [&](Move* one) {
      const std::size_t kind = most_missing_of(from);
      if (kind == kNoKind) return false;
      *one = {kind, source_, q, 1};
      deficits_.add(kind, 1);
      return true;
    };
    if (grow(q, next, &moves) && still(from, kept)) consider(moves, cost_of(moves));
    placed_.revert(moves);
  }

  /// Moves the values in excess to one of the patterns that cover it.
  void shrink(std::size_t q) {
    for (std::size_t to = 0; to < placed_.patterns(); ++to) {
      if (to == q || !placed_.covers(to, q) || placed_.held(to).empty()) continue;
      const std::vector<bool> kept = allowed({to});
      Moves moves;
      deficits_.begin(placed_.held(q));
      const auto next = [&](Move* one) {
        std::size_t least = kNoKind;
        double deficit = 0;
        for (const auto& [g, records] : placed_.held(q)) {
          const double of_kind = deficits_.of(g);
          if (least != kNoKind && !(of_kind < deficit)) continue;
          least = g;
          deficit = of_kind;
        }
        if (least == kNoKind) return false;
        *one = {least, q, to, 1};
        deficits_.add(least, -1);
        return true;
      };
      if (grow(q, next, &moves) && still({to}, kept)) consider(moves, cost_of(moves));
      placed_.revert(moves);
    }
  }

  /// Moves one record after the other until the pattern is allowed, which is asked ever more
  /// seldom: trim() takes back what was too much.
  template <class Next>
  bool grow(std::size_t q, const Next& next, Moves* moves) {
    std::size_t check = 1;
    std::int64_t cost = 0;
    for (Move one{}; next(&one);) {
      placed_.move(one);
      moves->push_back(one);
      cost += placed_.price(one.from, one.to);
      if (cost >= best_cost_ || placed_.work() >= effort_) return false;
      if (moves->size() < check) continue;
      if (placed_.allowed(q)) return true;
      check = std::max(check + 1, check * 5 / 4);
    }
    return placed_.allowed(q);
  }

  /// Moves all records to another pattern that covers theirs.
  void leave(std::size_t q) {
    for (std::size_t to = 0; to < placed_.patterns(); ++to) {
      if (to == q || !placed_.covers(to, q) || placed_.held(to).empty()) continue;
      const std::vector<bool> kept = allowed({to});
      const Moves moves = all_of(q, to);
      placed_.move(moves);
      if (still({to}, kept)) consider(moves, cost_of(moves));
      placed_.revert(moves);
    }
  }

  /// Unites the pattern with the other one for which that costs least.
  void unite(std::size_t q) {
    const std::size_t patterns = placed_.patterns();
    for (std::size_t p = 0; p < patterns; ++p) {
      if (p == q || placed_.held(p).empty()) continue;
      const std::size_t to = placed_.place_of(united(placed_.pattern(p), placed_.pattern(q)));
      Moves moves;
      if (q != to) moves = all_of(q, to);
      if (p != to) {
        const Moves more = all_of(p, to);
        moves.insert(moves.end(), more.begin(), more.end());
      }
      consider(moves, cost_of(moves));
    }
  }

  Moves all_of(std::size_t from, std::size_t to) const {
    Moves moves;
    for (const auto& [g, records] : placed_.held(from)) moves.push_back({g, from, to, records});
    return moves;
  }

  std::int64_t cost_of(const Moves& moves) const {
    std::int64_t cost = 0;
    for (const Move& one : moves) cost += one.records * placed_.price(one.from, one.to);
    return cost;
  }

  std::vector<bool> allowed(const std::vector<std::size_t>& patterns) {
    std::vector<bool> all;
    for (const std::size_t p : patterns) all.push_back(placed_.allowed(p));
    return all;
  }
  bool still(const std::vector<std::size_t>& patterns, const std::vector<bool>& kept) {
    for (std::size_t i = 0; i < patterns.size(); ++i)
      if (kept[i] && !placed_.allowed(patterns[i])) return false;
    return true;
  }

  bool take_back(std::size_t kind, std::size_t from, std::int64_t records) {
    const auto held = placed_.held(from).find(kind);
    if (held == placed_.held(from).end() || held->second < records) return false;
    for (std::size_t to = 0; to < placed_.patterns(); ++to) {
      if (!placed_.covers(to, placed_.home(kind)) || placed_.price(to, from) <= 0) continue;
      if (to != placed_.home(kind) && placed_.held(to).empty()) continue;
      const Moves back = {{kind, from, to, records}};
      placed_.move(back);
      if (placed_.allowed(from) && placed_.allowed(to)) return true;
      placed_.revert(back);
    }
    return false;
  }

  static constexpr std::size_t kNoKind = std::numeric_limits<std::size_t>::max();

  Placed& placed_;
  Deficits deficits_;
  std::int64_t effort_;
  Moves best_;
  std::int64_t best_cost_ = kNever;
  std::size_t source_ = 0;  ///< the pattern that has the kind found last
};

/// The search for a plan of few cells. A record that has moved stays.
class FewestCells {
 public:
  FewestCells(Placed& placed, std::size_t kinds, std::int64_t effort)
      : placed_(placed), kinds_(kinds), effort_(effort), first_(placed.patterns()) {}

  /// True if a plan suppresses at most so many cells; `placed` then has it.
  bool run(std::int64_t cells) {
    seen_.clear();
    return search(cells);
  }
  bool complete() const { return complete_; }

 private:
  bool search(std::int64_t left) {
    const std::size_t q = placed_.first_refused();
    if (q == placed_.patterns()) return true;
    if (placed_.work() >= effort_) complete_ = false;
    if (left == 0 || !complete_ || !seen_.insert(state()).second) return false;
    for (std::size_t g = 0; g < kinds_; ++g) {
      const std::size_t home = placed_.home(g);
      if (placed_.held(home).count(g) == 0) continue;
      if (home != q) {
        if (placed_.covers(q, home) && tried({g, home, q, 1}, left)) return true;
        continue;
      }
      for (std::size_t to = 0; to < first_; ++to)
        if (to != q && placed_.covers(to, q) && tried({g, q, to, 1}, left)) return true;
    }
    return false;
  }

  bool tried(const Move& one, std::int64_t left) {
    const std::int64_t price = placed_.price(one.from, one.to);
    if (price > left) return false;
    placed_.move(one);
    if (search(left - price)) return true;
    placed_.revert({one});
    return false;
  }

  /// The records that have moved, by kind and pattern.
  std::vector<std::int64_t> state() const {
    std::vector<std::int64_t> moved;
    for (std::size_t q = 0; q < placed_.patterns(); ++q)
      for (const auto& [g, records] : placed_.held(q))
        if (placed_.home(g) != q)
          moved.insert(moved.end(),
                       {static_cast<std::int64_t>(q), static_cast<std::int64_t>(g), records});
    return moved;
  }

  Placed& placed_;
  std::size_t kinds_;
  std::int64_t effort_;
  std::size_t first_;
  std::set<std::vector<std::int64_t>> seen_;
  bool complete_ = true;
};

/// The records of each pattern.
std::vector<PatternCount> counts_of(const std::vector<RecordKind>& kinds) {
  std::map<NullPattern, std::int64_t, FewerNulls> counts;
  for (const RecordKind& kind : kinds) counts[kind.pattern] += kind.records;
  std::vector<PatternCount> all;
  for (const auto& [pattern, records] : counts) all.push_back({pattern, records});
  return all;
}

/// A cheaper plan than the given one, if the search finds one; else notes if there is none.
void prove(const std::vector<RecordKind>& kinds, const PatternRule& rule, std::int64_t at_least,
           std::int64_t effort, KeptPlan& plan, Ticker& ticker) {
  Placed placed(kinds, rule, ticker);
  FewestCells search(placed, kinds.size(), effort);
  plan.least = placed.has_all_unions();
  for (std::int64_t cells = at_least; cells < plan.cells; ++cells) {
    if (search.run(cells)) {
      plan.blankings = placed.blankings();
      plan.cells = placed.cells();
      return;
    }
    if (search.complete()) continue;
    plan.least = false;
    return;
  }
}

}  // namespace

KeptPlan plan_kept_blanking(const std::vector<RecordKind>& kinds, const PatternRule& rule,
                            std::int64_t k, Ticker& ticker, std::int64_t effort) {
  const std::vector<PatternCount> counts = counts_of(kinds);
  const BlankingPlan of_k = plan_blanking(counts, k, ticker);
  std::vector<NullPattern> given;
  for (const PatternCount& one : counts) given.push_back(one.pattern);
  Placed placed(kinds, rule, ticker);
  Repair repair(kinds, placed, effort / 2);
  repair.follow(given, of_k);
  repair.run();
  repair.trim();
  KeptPlan plan{placed.blankings(), placed.cells(), false};
  prove(kinds, rule, of_k.least ? of_k.cells : 0, effort / 2, plan, ticker);
  return plan;
}

}  // namespace anonkit
