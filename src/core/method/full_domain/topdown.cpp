#include "method/full_domain/topdown.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/at.hpp"
#include "base/logarithm.hpp"
#include "method/full_domain/full_domain_search.hpp"

namespace anonkit {
namespace {

/// A value of a cut: a group of a level of an attribute.
struct CutValue {
  std::size_t attribute = 0;
  std::int32_t level = 0;
  std::int32_t group = 0;
  /// Represents the value in keys: no other value of the cut has that leaf.
  std::int32_t first_leaf = 0;
  std::vector<std::int32_t> classes = {};  ///< classes of the leaves with the value
  bool done = false;                       ///< stays in the cut
};

/// The figures of one state of the cut.
struct State {
  Record smallest = 0;    ///< smallest published class
  Record suppressed = 0;  ///< records
  Record published = 0;   ///< classes
};

class TopDown {
 public:
  explicit TopDown(FullDomainSearch& search)
      : search_(search),
        problem_(search.problem),
        layout_(search.grouped.layout),
        leaves_(search.grouped.leaves),
        regrouper_(search.ticker),
        keys_(leaves_.classes(), 0) {
    if (problem_.labels != nullptr) count_labels();
  }

  Recoded run() {
    std::vector<std::int32_t> all(leaves_.classes());
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t j = 0; j < problem_.hierarchies.size(); ++j) {
      cut_.push_back({j, problem_.hierarchies[j]->height(), 0, 0, all});
    }
    refresh();
    if (!feasible_) no_generalisation(problem_);
    for (std::size_t best = choose(); best < cut_.size(); best = choose()) specialise(best);
    return publish();
  }

 private:
  /// The children of a value one level below, with the classes of each.
  std::vector<CutValue> children_of(const CutValue& value) const {
    const Hierarchy& hierarchy = *problem_.hierarchies[value.attribute];
    const std::vector<std::int32_t>& groups = hierarchy.level(value.level - 1);
    std::vector<std::int32_t> place(at(hierarchy.groups(value.level - 1)), -1);
    std::vector<CutValue> children;
    for (std::int32_t leaf = value.first_leaf; leaf < hierarchy.values(); ++leaf) {
      const std::int32_t g = groups[at(leaf)];
      if (place[at(g)] >= 0 || hierarchy.parent(value.level - 1, g) != value.group) continue;
      place[at(g)] = static_cast<std::int32_t>(children.size());
      children.push_back({value.attribute, value.level - 1, g, leaf});
    }
    for (const std::int32_t c : value.classes) {
      const std::int32_t leaf = layout_.group(leaves_.keys[at(c)], value.attribute);
      children[at(place[at(groups[at(leaf)])])].classes.push_back(c);
    }
    return children;
  }

  Record records_of(const std::vector<std::int32_t>& classes) const {
    Record records = 0;
    for (const std::int32_t c : classes) records += leaves_.sizes[at(c)];
    return records;
  }

  /// The entropy of the labels of some classes.
  double label_entropy(const std::vector<std::int32_t>& classes, Record records) {
    label_counts_.assign(label_counts_.size(), 0);
    for (const std::int32_t c : classes)
      for (const Emd::Run& run : labels_.of(at(c))) label_counts_[at(run.rank)] += run.count;
    double entropy = 0;
    for (const std::int64_t count : label_counts_)
      if (count > 0) {
        const auto share = static_cast<double>(count) / records;
        entropy -= share * logarithm(share);
      }
    return entropy;
  }

  double gain_of(const CutValue& value, const std::vector<CutValue>& children) {
    const Record records = records_of(value.classes);
    double gain = 0;
    if (problem_.labels != nullptr && records > 0) gain = label_entropy(value.classes, records);
    for (const CutValue& child : children) {
      const Record part = records_of(child.classes);
      if (part == 0) continue;
      if (problem_.labels != nullptr)
        gain -= part * label_entropy(child.classes, part) / records;
      else
        gain += part * logarithm(static_cast<double>(records) / part);
    }
    return gain;
  }

  void count_labels() {
    std::int32_t most = 0;
    std::vector<std::vector<std::int32_t>> of_class(leaves_.classes());
    for (std::size_t i = 0; i < search_.grouped.class_of.size(); ++i) {
      of_class[at(search_.grouped.class_of[i])].push_back(problem_.labels[i]);
      most = std::max(most, problem_.labels[i]);
    }
    label_counts_.resize(at(most) + 1);
    for (const std::vector<std::int32_t>& labels : of_class) {
      for (const std::int32_t label : labels) labels_.runs.push_back({label, 1});
      labels_.begin.push_back(static_cast<std::int32_t>(labels_.runs.size()));
    }
  }

  /// Recomputes the table of the current cut and its published figures.
  void refresh() {
    table_ = search_.table_of(keys_);
    class_of_ = search_.class_of_leaves();
    Outcome outcome;
    search_.constraint.judge(table_, &outcome);
    feasible_ = outcome.feasible;
    kept_ = outcome.kept;
    now_ = state_of(table_, kept_);
  }

  static State state_of(const Frequencies& table, const std::vector<char>& kept) {
    State state;
    state.smallest = std::numeric_limits<Record>::max();
    for (std::size_t c = 0; c < table.classes(); ++c) add(table.sizes[c], kept[c] != 0, &state);
    return state;
  }

  static void add(Record size, bool kept, State* state) {
    state->published += kept ? 1 : 0;
    state->suppressed += kept ? 0 : size;
    if (kept) state->smallest = std::min(state->smallest, size);
  }

  std::vector<CellKey> specialised(const std::vector<CutValue>& children) const {
    std::vector<CellKey> keys = keys_;
    for (const CutValue& child : children)
      for (const std::int32_t c : child.classes)
        keys[at(c)] = layout_.with(keys[at(c)], child.attribute, child.first_leaf);
    return keys;
  }

  /// Computes the state after a specialisation; false if that breaks a promise.
  bool try_out(const CutValue& value, const std::vector<CutValue>& children, State* state) {
    const std::vector<CellKey> keys = specialised(children);
    if (!search_.constraint.by_class()) {
      const Frequencies table = search_.table_of(keys);
      Outcome outcome;
      search_.constraint.judge(table, &outcome);
      if (outcome.feasible) *state = state_of(table, outcome.kept);
      return outcome.feasible;
    }
    // Only classes with the value change.
    std::vector<bool> changes(table_.classes(), false);
    for (const std::int32_t c : value.classes) changes[at(class_of_[at(c)])] = true;
    *state = State();
    state->smallest = std::numeric_limits<Record>::max();
    for (std::size_t c = 0; c < table_.classes(); ++c)
      if (!changes[c]) add(table_.sizes[c], kept_[c] != 0, state);
    Frequencies split;
    regrouper_.regroup(
        leaves_, value.classes, [&](std::size_t c) { return keys[c]; }, &split);
    for (std::size_t c = 0; c < split.classes(); ++c)
      add(split.sizes[c], search_.constraint.good(split, c), state);
    return state->published > 0 && state->suppressed <= search_.constraint.budget();
  }

  /// False if all records of the value belong to one child: that costs no privacy.
  bool splits(const std::vector<CutValue>& children) const {
    return std::count_if(children.begin(), children.end(),
                         [&](const CutValue& child) { return records_of(child.classes) > 0; }) > 1;
  }

  /// The value to specialise; the size of the cut without one. A value that cannot be specialised
  /// now never can, since its classes only shrink.
  std::size_t choose() {
    std::size_t best = cut_.size();
    double most = 0;
    for (std::size_t v = 0; v < cut_.size(); ++v) {
      CutValue& value = cut_[v];
      search_.ticker.step(8 * static_cast<std::int64_t>(keys_.size()));
      if (value.done || value.level == 0 || records_of(value.classes) == 0) continue;
      const std::vector<CutValue> children = children_of(value);
      const double gain = gain_of(value, children);
      State after;
      if ((problem_.labels != nullptr && splits(children) && gain <= 1e-12) ||
          !try_out(value, children, &after)) {
        value.done = true;
        continue;
      }
      const Record lost = std::max(0, now_.smallest - after.smallest);
      const double score = gain / (static_cast<double>(lost) + 1);
      if (best < cut_.size() && score <= most) continue;
      best = v;
      most = score;
    }
    return best;
  }

  void specialise(std::size_t v) {
    const std::vector<CutValue> children = children_of(cut_[v]);
    keys_ = specialised(children);
    cut_[v] = children.front();
    cut_.insert(cut_.end(), children.begin() + 1, children.end());
    refresh();
  }

  Recoded publish() {
    const std::size_t d = problem_.hierarchies.size();
    std::vector<std::vector<std::int32_t>> level(d), group(d);  // by first leaf
    for (std::size_t j = 0; j < d; ++j) {
      level[j].resize(at(problem_.hierarchies[j]->values()));
      group[j] = level[j];
    }
    for (const CutValue& value : cut_) {
      level[value.attribute][at(value.first_leaf)] = value.level;
      group[value.attribute][at(value.first_leaf)] = value.group;
    }
    Masked cells;
    for (const CellKey key : table_.keys)
      for (std::size_t j = 0; j < d; ++j) {
        const std::size_t leaf = at(layout_.group(key, j));
        cells.levels.push_back(level[j][leaf]);
        cells.low.push_back(group[j][leaf]);
      }
    return search_.publish_classes(class_of_, cells, kept_);
  }

  FullDomainSearch& search_;
  const FullDomainProblem& problem_;
  const CellLayout& layout_;
  const Frequencies& leaves_;
  Regrouper regrouper_;
  std::vector<CutValue> cut_;
  std::vector<CellKey> keys_;  ///< by class of the leaves, at the cut
  Frequencies table_;
  std::vector<std::int32_t> class_of_;  ///< by class of the leaves: its class of the table
  std::vector<char> kept_;
  bool feasible_ = false;
  State now_;
  ClassRuns labels_;
  std::vector<std::int64_t> label_counts_;
};

}  // namespace

Recoded topdown(const FullDomainProblem& problem, Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  ticker.begin("specialising values", 0);
  return TopDown(search).run();
}

}  // namespace anonkit
