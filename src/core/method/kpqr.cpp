#include "method/kpqr.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/at.hpp"
#include "method/growing/mdav.hpp"
#include "method/repair/shrinking_list.hpp"
#include "method/repair/uniting.hpp"
#include "promise/class_size.hpp"
#include "promise/rare_values.hpp"
#include "promise/sorted_members.hpp"
#include "sensitive/value_tally.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

/// A sensitive attribute, and how far the current class satisfies its conditions.
class AttributeState {
 public:
  AttributeState(const SensitiveAttribute& attribute, const Promises& promises)
      : model_(attribute, promises),
        ranks_(attribute.ranks),
        p_(promises.p),
        least_(promises.r * model_.reference()),
        class_(attribute),
        sensitive_(attribute) {}

  bool rare(Record i) const { return model_.rare(rank(i)); }
  std::int32_t rank(Record i) const { return ranks_[at(i)]; }

  ValueTally& of_class() { return class_; }
  ValueTally& of_sensitive() { return sensitive_; }

  bool has_p() const { return class_.distinct() >= p_; }
  bool has_variance() const { return class_.variance() >= least_; }
  bool keeps_variance(Record i) const { return class_.variance_with(rank(i)) >= least_; }
  bool rest_can_hold() const {
    return sensitive_.distinct() >= p_ && sensitive_.variance() >= least_;
  }
  bool contributes(Record i) const { return !has_p() && class_.count(rank(i)) == 0; }
  /// Shares of the reference variance.
  double share() const { return share_of(class_.variance()); }
  double share_with(Record i) const { return share_of(class_.variance_with(rank(i))); }

 private:
  double share_of(double variance) const {
    return model_.reference() > 0 ? variance / model_.reference() : 0;
  }

  RareValues model_;
  std::vector<std::int32_t> ranks_;
  std::int32_t p_;
  double least_;
  ValueTally class_, sensitive_;
};

/// The numbers of records left of each combination of sensitive values. With few combinations, they
/// show quickly that no record satisfies a condition.
class Combinations {
 public:
  Combinations(const std::vector<SensitiveAttribute>& attributes, Ticker& ticker) {
    std::map<std::vector<std::int32_t>, std::int32_t> numbers;
    const std::size_t n = attributes.front().ranks.size();
    for (std::size_t i = 0; i < n; ++i) {
      ticker.step(100);
      std::vector<std::int32_t> values;
      for (const SensitiveAttribute& attribute : attributes) values.push_back(attribute.ranks[i]);
      const auto [found, is_new] =
          numbers.emplace(std::move(values), static_cast<std::int32_t>(left_.size()));
      if (is_new) {
        if (left_.size() == kMost) {
          left_.clear();
          return;
        }
        left_.push_back(0);
        example_.push_back(static_cast<Record>(i));
      }
      combination_of_.push_back(found->second);
      ++left_[at(found->second)];
    }
  }

  void remove(Record i) {
    if (!left_.empty()) --left_[at(combination_of_[at(i)])];
  }

  /// False only if no record left satisfies the condition.
  template <class Condition>
  bool any(const Condition& condition) const {
    if (left_.empty()) return true;
    for (std::size_t c = 0; c < left_.size(); ++c)
      if (left_[c] > 0 && condition(example_[c])) return true;
    return false;
  }

 private:
  static constexpr std::size_t kMost = 64;

  std::vector<std::int32_t> left_;  ///< by combination; empty if there are too many
  std::vector<Record> example_;
  std::vector<std::int32_t> combination_of_;  ///< by record
};

class Kpqr {
 public:
  Kpqr(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record k,
       const Promises& promises, std::uint64_t seed, Ticker& ticker)
      : space_(space),
        k_(k),
        random_(seed),
        ticker_(ticker),
        index_(space, ticker),
        combinations_(attributes, ticker),
        sensitive_(space.size()) {
    for (const SensitiveAttribute& attribute : attributes) {
      ticker.step(std::int64_t{space.size()} * 100);
      states_.emplace_back(attribute, promises);
    }
    partition_.class_of.assign(at(space.size()), kNone);
    for (Record i = 0; i < space.size(); ++i)
      if (is_sensitive(i)) {
        ticker.step(20);
        sensitive_.add(i);
        for (AttributeState& state : states_) state.of_sensitive().add(state.rank(i));
      }
  }

  /// Steps 1 to 5. The last records, fewer than k, have no class.
  Partition run() {
    while (sensitive_.size() > 0) form_class();
    std::vector<Record> others = returned();
    if (static_cast<Record>(others.size()) >= k_)
      add_classes(partition_, mdav(space_, others, k_, ticker_));
    return std::move(partition_);
  }

 private:
  template <class Test>
  bool all(const Test& test) const {
    return std::all_of(states_.begin(), states_.end(), test);
  }
  template <class Test>
  bool any(const Test& test) const {
    return std::any_of(states_.begin(), states_.end(), test);
  }

  bool is_sensitive(Record i) const {
    return any([&](const AttributeState& state) { return state.rare(i); });
  }
  bool has_p() const {
    return all([](const AttributeState& state) { return state.has_p(); });
  }
  bool has_variance() const {
    return all([](const AttributeState& state) { return state.has_variance(); });
  }
  bool holds() const {
    return has_p() && has_variance() && static_cast<Record>(members_.size()) >= k_;
  }

  // Step 4.
  void form_class() {
    members_.clear();
    const Record first = sensitive_.pick(random_);
    x_ = space_.row(first);
    take(first);
    complete();
    if (!all([](const AttributeState& state) { return state.rest_can_hold(); })) take_rest();
    for (const Record i : members_) {
      partition_.class_of[at(i)] = partition_.classes;
      for (AttributeState& state : states_) state.of_class().remove(state.rank(i));
    }
    ++partition_.classes;
    ticker_.advance(static_cast<std::int64_t>(members_.size()));
  }

  // Substeps (d) to (f).
  void complete() {
    while (!holds()) {
      if (!has_p()) {
        if (!add_value()) return;
      } else if (!has_variance()) {
        if (!add_variance()) return;
      } else if (!add_record()) {
        return;
      }
    }
  }

  // (d)
  bool add_value() {
    const auto contributes = [&](Record i) {
      return any([&](const AttributeState& state) { return state.contributes(i); });
    };
    double shares = 0;
    for (const AttributeState& state : states_) shares += state.share();
    const auto also_varies = [&](Record i) {
      if (!contributes(i)) return false;
      double with = 0;
      for (const AttributeState& state : states_) with += state.share_with(i);
      return with > shares;
    };
    return add_nearest(also_varies) || add_nearest(contributes);
  }

  // (e)
  bool add_variance() {
    double shares = 0;
    for (const AttributeState& state : states_)
      if (!state.has_variance()) shares += state.share();
    return add_nearest([&](Record i) {
      double with = 0;
      for (const AttributeState& state : states_)
        if (!state.has_variance()) with += state.share_with(i);
      return with > shares;
    });
  }

  // (f)
  bool add_record() {
    const auto keeps = [&](Record i) {
      return all([&](const AttributeState& state) { return state.keeps_variance(i); });
    };
    return add_nearest(keeps) || add_nearest([](Record) { return true; });
  }

  template <class Condition>
  bool add_nearest(const Condition& condition) {
    if (!combinations_.any(condition)) return false;
    const Record next = index_.nearest(x_, condition).record;
    if (next < 0) return false;
    take(next);
    return true;
  }

  void take(Record i) {
    members_.push_back(i);
    index_.remove(i);
    combinations_.remove(i);
    for (AttributeState& state : states_) state.of_class().add(state.rank(i));
    if (!sensitive_.contains(i)) return;
    sensitive_.remove(i);
    for (AttributeState& state : states_) state.of_sensitive().remove(state.rank(i));
  }

  // (g)
  void take_rest() {
    const std::vector<Record> rest = sensitive_.records();
    for (const Record i : rest) take(i);
    if (!has_variance()) give_back_the_others();
    complete();
  }

  // (g)iv, if the class holds without these records.
  void give_back_the_others() {
    const std::vector<Record> before = members_;
    const auto kept = std::stable_partition(members_.begin(), members_.end(),
                                            [&](Record i) { return is_sensitive(i); });
    const std::vector<Record> others(kept, members_.end());
    members_.erase(kept, members_.end());
    for (const Record i : others)
      for (AttributeState& state : states_) state.of_class().remove(state.rank(i));
    if (holds()) {
      // The index cannot take records back, but is no longer needed: no sensitive records are left.
      returned_.insert(returned_.end(), others.begin(), others.end());
      return;
    }
    for (const Record i : others)
      for (AttributeState& state : states_) state.of_class().add(state.rank(i));
    members_ = before;
  }

  // The records of step 5, in ascending order.
  std::vector<Record> returned() const {
    std::vector<Record> records = index_.records();
    records.insert(records.end(), returned_.begin(), returned_.end());
    std::sort(records.begin(), records.end());
    return records;
  }

  const Space& space_;
  Record k_;
  Random random_;
  Ticker& ticker_;
  SpatialIndex index_;  ///< X
  Combinations combinations_;
  ShrinkingList sensitive_;  ///< Y
  std::vector<Record> returned_;
  std::vector<AttributeState> states_;
  std::vector<Record> members_;  ///< C
  const double* x_ = nullptr;    ///< x_s
  Partition partition_;
};

}  // namespace

Partition kpqr(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record k,
               const Promises& promises, std::uint64_t seed, Ticker& ticker) {
  ticker.begin("(k,p,q,r)-anonymity", space.size());
  Partition partition = Kpqr(space, attributes, k, promises, seed, ticker).run();
  Constraints constraints;
  constraints.push_back(std::make_unique<ClassSize>(k, space.size()));
  for (const SensitiveAttribute& attribute : attributes)
    constraints.push_back(
        std::make_unique<ValueFrequencies>(attribute.ranks, RareValues(attribute, promises)));
  return unite_until_allowed(space, std::move(partition), constraints, ticker);
}

}  // namespace anonkit
