#include "model/n_t_closeness.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/ratio.hpp"
#include "model/tree_emd.hpp"

namespace anonkit {
namespace {

/// The EMD between a superset and classes within it. Between two values of the class its cumulative
/// distribution is constant, while that of the superset ascends. Prefix sums of the superset give
/// the sum over such a run.
class Superset {
 public:
  Superset(ClassHistogram::Entries entries, std::int64_t size, std::int32_t values, bool ordered)
      : entries_(entries), size_(size), values_(values), ordered_(ordered) {
    for (const ClassHistogram::Entry& entry : entries) {
      counts_.push_back((counts_.empty() ? 0 : counts_.back()) + entry.weight);
      const std::size_t j = counts_.size() - 1;
      area_.push_back(area_[j] + Wide(counts_[j]) * Wide(value(j + 1) - value(j)));
    }
  }

  double distance(ClassHistogram::Entries part, std::int64_t part_size) const {
    const Wide scale = Wide(part_size) * Wide(size_);
    Wide sum = 0;
    std::int64_t seen = 0;
    std::size_t run = 0;
    for (const ClassHistogram::Entry& entry : part) {
      const std::size_t j = place(entry.value);
      if (ordered_) {
        sum += sum_of_run(run, j, Wide(size_) * Wide(seen), part_size);
      } else {
        const Wide ours = Wide(size_) * Wide(entry.weight);
        const Wide theirs = Wide(part_size) * Wide(entries_.first[j].weight);
        if (ours > theirs) sum += ours - theirs;
      }
      seen += entry.weight;
      run = j;
    }
    if (!ordered_) return ratio(sum, scale);
    sum += sum_of_run(run, counts_.size(), Wide(size_) * Wide(seen), part_size);
    return values_ > 1 ? ratio(sum, scale * Wide(values_ - 1)) : 0;
  }

 private:
  std::int32_t value(std::size_t j) const {
    return j < static_cast<std::size_t>(entries_.size()) ? entries_.first[j].value : values_;
  }

  std::size_t place(std::int32_t value) const {
    const auto less = [](const ClassHistogram::Entry& entry, std::int32_t v) {
      return entry.value < v;
    };
    return static_cast<std::size_t>(
        std::lower_bound(entries_.begin(), entries_.end(), value, less) - entries_.begin());
  }

  /// The sum of |level - s*Q| over the values from entry `first` up to entry `last`.
  Wide sum_of_run(std::size_t first, std::size_t last, Wide level, std::int64_t s) const {
    const auto from = counts_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = counts_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto turn = static_cast<std::size_t>(
        std::partition_point(from, to, [&](std::int64_t q) { return Wide(s) * Wide(q) <= level; }) -
        counts_.begin());
    return Wide(value(turn) - value(first)) * level - Wide(s) * (area_[turn] - area_[first]) +
           Wide(s) * (area_[last] - area_[turn]) - Wide(value(last) - value(turn)) * level;
  }

  ClassHistogram::Entries entries_;
  std::int64_t size_;
  std::int32_t values_;
  bool ordered_;
  std::vector<std::int64_t> counts_;  ///< records up to and with each entry
  std::vector<Wide> area_{0};         ///< sum of those over the values before each entry
};

/// The classes of each superset, one superset after the other.
struct Lists {
  std::vector<std::int32_t> begin;  ///< supersets + 1
  std::vector<std::int32_t> classes;
};

Lists lists_of(const std::vector<std::int32_t>& superset_of) {
  Lists lists;
  lists.begin.assign(
      2 + static_cast<std::size_t>(*std::max_element(superset_of.begin(), superset_of.end())), 0);
  for (const std::int32_t e : superset_of) ++lists.begin[static_cast<std::size_t>(e) + 1];
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.classes.resize(superset_of.size());
  std::vector<std::int32_t> next = lists.begin;
  for (std::size_t c = 0; c < superset_of.size(); ++c)
    lists.classes[static_cast<std::size_t>(next[static_cast<std::size_t>(superset_of[c])]++)] =
        static_cast<std::int32_t>(c);
  return lists;
}

/// By class: its least distance to a superset.
class LeastDistances {
 public:
  LeastDistances(const ClassHistogram& histogram, Ticker& ticker)
      : histogram_(histogram),
        ticker_(ticker),
        least_(static_cast<std::size_t>(histogram.classes()), 1) {
    if (histogram.levels().empty()) return;
    tree_ = value_tree(histogram.levels());
    by_tree_.emplace(tree_, histogram.values());
  }

  double of_class(std::int32_t c) const { return least_[static_cast<std::size_t>(c)]; }

  /// Considers the supersets of at least n members.
  void compare(const std::vector<std::int32_t>& superset_of, std::int32_t n) {
    if (superset_of.size() != least_.size() ||
        *std::min_element(superset_of.begin(), superset_of.end()) < 0)
      throw Error(ErrorKind::invalid_parameter, "every class needs a natural superset");
    const Lists lists = lists_of(superset_of);
    std::optional<ClassHistogram> united;  // a person may be in several classes of a superset
    if (histogram_.has_units()) united.emplace(histogram_.united(superset_of, ticker_));
    for (std::size_t e = 0; e + 1 < lists.begin.size(); ++e) {
      const std::int32_t* const first = lists.classes.data() + lists.begin[e];
      const std::int32_t* const last = lists.classes.data() + lists.begin[e + 1];
      const auto superset = static_cast<std::int32_t>(e);
      if (!united)
        compare(first, last, n);
      else if (united->class_size(superset) >= n)
        compare(first, last, united->entries(superset), united->class_weight(superset));
    }
  }

 private:
  void compare(const std::int32_t* first, const std::int32_t* last, std::int32_t n) {
    std::int64_t size = 0;
    for (const std::int32_t* c = first; c != last; ++c) size += histogram_.class_size(*c);
    if (size < n) return;
    unite(first, last);
    compare(first, last, {united_.data(), united_.data() + united_.size()}, size);
  }

  void compare(const std::int32_t* first, const std::int32_t* last, ClassHistogram::Entries united,
               std::int64_t size) {
    if (by_tree_) {
      by_tree_->set_population(united, size);
      lower(first, last, *by_tree_);
    } else {
      const bool ordered = histogram_.scale() != AttributeScale::nominal;
      lower(first, last, Superset(united, size, histogram_.values(), ordered));
    }
  }

  template <class Distance>
  void lower(const std::int32_t* first, const std::int32_t* last, Distance&& from) {
    for (const std::int32_t* c = first; c != last; ++c) {
      ticker_.step(64 * histogram_.entries(*c).size());
      double& least = least_[static_cast<std::size_t>(*c)];
      least = std::min(least, from.distance(histogram_.entries(*c), histogram_.class_weight(*c)));
    }
  }

  /// Collects the values of all classes of a superset in united_.
  void unite(const std::int32_t* first, const std::int32_t* last) {
    united_.clear();
    for (const std::int32_t* c = first; c != last; ++c) {
      const ClassHistogram::Entries entries = histogram_.entries(*c);
      united_.insert(united_.end(), entries.begin(), entries.end());
      ticker_.step(64 * entries.size());
    }
    std::sort(united_.begin(), united_.end(),
              [](const auto& a, const auto& b) { return a.value < b.value; });
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < united_.size(); ++i) {
      if (distinct > 0 && united_[distinct - 1].value == united_[i].value)
        united_[distinct - 1].weight += united_[i].weight;
      else
        united_[distinct++] = united_[i];
    }
    united_.resize(distinct);
  }

  const ClassHistogram& histogram_;
  Ticker& ticker_;
  std::vector<double> least_;  ///< by class
  ValueTree tree_;
  std::optional<TreeEmd> by_tree_;  ///< for an attribute with a hierarchy
  std::vector<ClassHistogram::Entry> united_;
};

}  // namespace

Level n_t_closeness(const ClassHistogram& histogram,
                    const std::vector<std::vector<std::int32_t>>& supersets, std::int32_t n,
                    Ticker& ticker) {
  if (n < 1) throw Error(ErrorKind::invalid_parameter, "n of (n,t)-closeness must be at least 1");
  LeastDistances least(histogram, ticker);
  least.compare(std::vector<std::int32_t>(static_cast<std::size_t>(histogram.classes()), 0), 1);
  for (const std::vector<std::int32_t>& superset_of : supersets) least.compare(superset_of, n);
  return greatest_level(histogram, ticker, [&](std::int32_t c) { return least.of_class(c); });
}

}  // namespace anonkit
