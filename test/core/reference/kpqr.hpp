#pragma once

// The algorithms of Domingo-Ferrer, Sebe and Solanas (2008) straight from the paper. Each step
// sorts records by distance; variances are sums over all pairs. Random records are drawn as in the
// algorithms: from lists where the last record takes the place of a leaving one.

#include <algorithm>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "method/growing/mdav.hpp"
#include "method/repair/uniting.hpp"
#include "promise/class_size.hpp"
#include "promise/rare_values.hpp"
#include "promise/sorted_members.hpp"
#include "reference/models.hpp"
#include "space/centroid.hpp"

namespace anonkit {

class ReferenceGrowth {
 protected:
  ReferenceGrowth(const Space& space, const std::vector<SensitiveAttribute>& attributes)
      : space_(space), attributes_(attributes) {
    for (Record i = 0; i < space.size(); ++i) left_.push_back(i);
    partition_.class_of.assign(left_.size(), kNone);
  }

  static void drop(std::vector<Record>& list, Record i) {
    const auto found = std::find(list.begin(), list.end(), i);
    if (found == list.end()) return;
    *found = list.back();
    list.pop_back();
  }

  /// The values of some records in one attribute; protected ones lifted.
  reference::Codes values(std::size_t a, const std::vector<Record>& records, bool lift) const {
    reference::Codes values;
    for (const Record i : records) {
      std::int32_t value = attributes_[a].ranks[static_cast<std::size_t>(i)];
      if (lift && !attributes_[a].lifted.empty())
        value = attributes_[a].lifted[static_cast<std::size_t>(value)];
      values.push_back(value);
    }
    return values;
  }

  bool has_value(std::size_t a, Record i, const std::vector<Record>& records, bool lift) const {
    const reference::Codes all = values(a, records, lift);
    return std::find(all.begin(), all.end(), values(a, {i}, lift).front()) != all.end();
  }

  /// The nearest record of X that satisfies the condition, or -1.
  template <class Condition>
  Record nearest(Record from, const Condition& condition) const {
    std::vector<std::pair<double, Record>> order;
    for (const Record i : left_)
      order.emplace_back(space_.squared_distance(space_.row(from), space_.row(i)), i);
    std::sort(order.begin(), order.end());
    for (const auto& [distance, i] : order)
      if (condition(i)) return i;
    return -1;
  }

  const Space& space_;
  const std::vector<SensitiveAttribute>& attributes_;
  std::vector<Record> left_;  ///< X
  Partition partition_;
};

class ReferencePsensitive : ReferenceGrowth {
 public:
  ReferencePsensitive(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                      Record k, std::int32_t p, std::uint64_t seed)
      : ReferenceGrowth(space, attributes), k_(k), p_(p), random_(seed) {}

  Partition run() {
    while (enough(left_) && static_cast<Record>(left_.size()) >= k_) {
      const Record first = left_[random_.below(static_cast<std::uint32_t>(left_.size()))];
      std::vector<Record> members;
      const auto take = [&](Record i) {
        members.push_back(i);
        drop(left_, i);
        partition_.class_of[static_cast<std::size_t>(i)] = partition_.classes;
      };
      take(first);
      while (!enough(members)) take(nearest(first, [&](Record i) { return adds(i, members); }));
      while (static_cast<Record>(members.size()) < k_)
        take(nearest(first, [](Record) { return true; }));
      ++partition_.classes;
    }
    join();
    number_by_first_record(partition_);
    return partition_;
  }

 private:
  bool enough(const std::vector<Record>& records) const {
    for (std::size_t a = 0; a < attributes_.size(); ++a)
      if (reference::distinct(values(a, records, true)) < p_) return false;
    return true;
  }
  bool adds(Record i, const std::vector<Record>& members) const {
    for (std::size_t a = 0; a < attributes_.size(); ++a)
      if (reference::distinct(values(a, members, true)) < p_ && !has_value(a, i, members, true))
        return true;
    return false;
  }

  /// Uses the centroids before any addition; ties to the class with the lower number.
  void join() {
    std::vector<Centroid> centroids(static_cast<std::size_t>(partition_.classes), Centroid(space_));
    for (std::size_t i = 0; i < partition_.class_of.size(); ++i)
      if (partition_.class_of[i] != kNone)
        centroids[static_cast<std::size_t>(partition_.class_of[i])].add(static_cast<Record>(i));
    std::vector<double> point(static_cast<std::size_t>(space_.dimension()));
    for (const Record i : left_) {
      std::pair<double, ClassId> best{0, -1};
      for (ClassId c = 0; c < partition_.classes; ++c) {
        centroids[static_cast<std::size_t>(c)].point(point.data());
        const double distance = space_.squared_distance(point.data(), space_.row(i));
        if (best.second < 0 || distance < best.first) best = {distance, c};
      }
      partition_.class_of[static_cast<std::size_t>(i)] = best.second;
    }
  }

  Record k_;
  std::int32_t p_;
  Random random_;
};

class ReferenceKpqr : ReferenceGrowth {
 public:
  ReferenceKpqr(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record k,
                const Promises& promises, std::uint64_t seed)
      : ReferenceGrowth(space, attributes), k_(k), promises_(promises), random_(seed) {
    constraints_.push_back(std::make_unique<ClassSize>(k, space.size()));
    for (const SensitiveAttribute& attribute : attributes) {
      models_.emplace_back(attribute, promises);
      constraints_.push_back(std::make_unique<ValueFrequencies>(attribute.ranks, models_.back()));
    }
    for (const Record i : left_)
      if (is_sensitive(i)) sensitive_.push_back(i);
  }

  Partition run() {
    while (!sensitive_.empty()) {
      const Record first = sensitive_[random_.below(static_cast<std::uint32_t>(sensitive_.size()))];
      members_.clear();
      take(first);
      grow(first);
      if (!can_hold(sensitive_)) {
        std::vector<Record> rest = sensitive_;
        std::sort(rest.begin(), rest.end());
        for (const Record i : rest) take(i);
        give_back();
        grow(first);
      }
      for (const Record i : members_)
        partition_.class_of[static_cast<std::size_t>(i)] = partition_.classes;
      ++partition_.classes;
    }
    std::sort(left_.begin(), left_.end());
    if (static_cast<Record>(left_.size()) >= k_) {
      const Partition rest = mdav(space_, left_, k_, ticker_);
      for (const Record i : left_)
        partition_.class_of[static_cast<std::size_t>(i)] =
            partition_.classes + rest.class_of[static_cast<std::size_t>(i)];
      partition_.classes += rest.classes;
    }
    repaired = std::find(partition_.class_of.begin(), partition_.class_of.end(), kNone) !=
               partition_.class_of.end();
    const Members members = members_of(partition_);
    for (const RecordSpan of_class : members)
      repaired = repaired || !all_allow(constraints_, of_class);
    return unite_until_allowed(space_, partition_, constraints_, ticker_);
  }

  bool repaired = false;  ///< repairs beyond the paper

 private:
  bool is_sensitive(Record i) const {
    for (std::size_t a = 0; a < models_.size(); ++a)
      if (models_[a].rare(values(a, {i}, false).front())) return true;
    return false;
  }

  double variance(std::size_t a, const std::vector<Record>& records) const {
    std::vector<double> numbers = attributes_[a].numbers;
    if (numbers.empty())
      for (std::size_t v = 0; v < attributes_[a].ranks.size(); ++v)
        numbers.push_back(static_cast<double>(v));
    const bool nominal =
        attributes_[a].numbers.empty() && attributes_[a].distance != GroundDistance::ordered;
    return reference::variance(values(a, records, false), nominal ? nullptr : &numbers);
  }
  double reference_of(std::size_t a) const { return models_[a].reference(); }
  bool varied(std::size_t a, const std::vector<Record>& records) const {
    return variance(a, records) >= promises_.r * reference_of(a);
  }
  bool varied(const std::vector<Record>& records) const {
    for (std::size_t a = 0; a < models_.size(); ++a)
      if (!varied(a, records)) return false;
    return true;
  }
  bool diverse(std::size_t a, const std::vector<Record>& records) const {
    return reference::distinct(values(a, records, false)) >= promises_.p;
  }
  bool diverse(const std::vector<Record>& records) const {
    for (std::size_t a = 0; a < models_.size(); ++a)
      if (!diverse(a, records)) return false;
    return true;
  }
  bool can_hold(const std::vector<Record>& records) const {
    return diverse(records) && varied(records);
  }
  std::vector<Record> with(Record i) const {
    std::vector<Record> records = members_;
    records.push_back(i);
    return records;
  }
  /// The sum of the shares of all attributes, or of those that lack variance.
  double shares(const std::vector<Record>& records, bool lacking) const {
    double sum = 0;
    for (std::size_t a = 0; a < models_.size(); ++a)
      if (reference_of(a) > 0 && !(lacking && varied(a, members_)))
        sum += variance(a, records) / reference_of(a);
    return sum;
  }

  bool take(Record i) {
    if (i < 0) return false;
    members_.push_back(i);
    drop(left_, i);
    drop(sensitive_, i);
    return true;
  }

  void grow(Record first) {
    const auto contributes = [&](Record i) {
      for (std::size_t a = 0; a < models_.size(); ++a)
        if (!diverse(a, members_) && !has_value(a, i, members_, false)) return true;
      return false;
    };
    while (true) {
      if (!diverse(members_)) {
        const double before = shares(members_, false);
        Record next = nearest(
            first, [&](Record i) { return contributes(i) && shares(with(i), false) > before; });
        if (next < 0) next = nearest(first, contributes);
        if (!take(next)) return;
      } else if (!varied(members_)) {
        const double before = shares(members_, true);
        if (!take(nearest(first, [&](Record i) { return shares(with(i), true) > before; }))) return;
      } else if (static_cast<Record>(members_.size()) < k_) {
        Record next = nearest(first, [&](Record i) { return varied(with(i)); });
        if (next < 0) next = nearest(first, [](Record) { return true; });
        if (!take(next)) return;
      } else {
        return;
      }
    }
  }

  void give_back() {
    if (varied(members_)) return;
    std::vector<Record> kept, others;
    for (const Record i : members_) (is_sensitive(i) ? kept : others).push_back(i);
    if (!can_hold(kept) || static_cast<Record>(kept.size()) < k_) return;
    members_ = kept;
    left_.insert(left_.end(), others.begin(), others.end());
  }

  Record k_;
  Promises promises_;
  Random random_;
  SilentTicker ticker_;
  Constraints constraints_;
  std::vector<RareValues> models_;
  std::vector<Record> sensitive_;  ///< Y
  std::vector<Record> members_;    ///< C
};

}  // namespace anonkit
