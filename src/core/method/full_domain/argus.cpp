#include "method/full_domain/argus.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/at.hpp"
#include "method/full_domain/full_domain_search.hpp"

namespace anonkit {
namespace {

using Attributes = std::vector<std::size_t>;

/// The combinations to test.
std::vector<Attributes> combinations_of(const FullDomainProblem& problem) {
  const std::size_t d = problem.hierarchies.size();
  const auto may_meet = [&](std::size_t i, std::size_t j) {
    return problem.identifying.empty() || problem.identifying[i] != problem.identifying[j];
  };
  std::vector<Attributes> result;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = i + 1; j < d; ++j) {
      if (!may_meet(i, j)) continue;
      result.push_back({i, j});
      for (std::size_t m = j + 1; m < d; ++m)
        if (may_meet(i, m) && may_meet(j, m)) result.push_back({i, j, m});
    }
  return result;
}

/// A combination of values with too few records.
struct Outlier {
  Attributes attributes;
  CellKey key;                        ///< of the attributes; 0 elsewhere
  std::vector<std::int32_t> classes;  ///< with this combination
};

class Argus {
 public:
  explicit Argus(FullDomainSearch& search)
      : search_(search),
        problem_(search.problem),
        layout_(search.grouped.layout),
        regrouper_(search.ticker),
        combinations_(combinations_of(problem_)) {}

  Recoded run() {
    generalise_values();
    table_ = search_.table_at(levels_);
    find_outliers();
    while (problem_.max_suppression && outlying_records() > search_.constraint.budget()) {
      const std::size_t j = most_outlying();
      if (j == levels_.size()) break;
      ++levels_[j];
      table_ = search_.table_at(levels_);
      find_outliers();
    }
    suppress_outliers();
    return publish();
  }

 private:
  /// Step 1.
  void generalise_values() {
    for (std::size_t j = 0; j < problem_.hierarchies.size(); ++j) {
      const Hierarchy& hierarchy = *problem_.hierarchies[j];
      const auto rare = [&](std::int32_t level) {
        const auto counts = group_counts(hierarchy, search_.leaf_counts[j], level);
        return std::any_of(counts.begin(), counts.end(),
                           [&](std::int64_t count) { return count > 0 && count < problem_.k; });
      };
      std::int32_t level = 0;
      while (level < hierarchy.height() && rare(level)) ++level;
      levels_.push_back(level);
    }
  }

  /// Step 2.
  void find_outliers() {
    while (!outliers_.empty()) {
      search_.ticker.step(100);
      outliers_.pop_back();
    }
    Frequencies sizes;  // without histograms
    sizes.keys = table_.keys;
    sizes.sizes = table_.sizes;
    const auto suppressed = [&](std::size_t j) {
      return levels_[j] == problem_.hierarchies[j]->height();
    };
    for (const Attributes& combination : combinations_) {
      // Otherwise it is a smaller combination.
      if (std::any_of(combination.begin(), combination.end(), suppressed)) continue;
      CellKey mask = 0;
      for (const std::size_t j : combination) mask |= layout_.cell(j, layout_.star(j));
      Frequencies groups;
      regrouper_.regroup(
          sizes, [&](std::size_t c) { return sizes.keys[c] & mask; }, &groups);
      std::vector<std::int32_t> number(groups.classes(), -1);
      for (std::size_t g = 0; g < groups.classes(); ++g) {
        search_.ticker.step(50);
        if (groups.sizes[g] >= problem_.k) continue;
        number[g] = static_cast<std::int32_t>(outliers_.size());
        outliers_.push_back({combination, groups.keys[g], {}});
      }
      for (std::size_t c = 0; c < sizes.classes(); ++c) {
        search_.ticker.step(50);
        const std::int32_t outlier = number[at(regrouper_.class_of()[c])];
        if (outlier >= 0) outliers_[at(outlier)].classes.push_back(static_cast<std::int32_t>(c));
      }
    }
  }

  Record outlying_records() const {
    std::vector<bool> seen(table_.classes(), false);
    Record records = 0;
    for (const Outlier& outlier : outliers_)
      for (const std::int32_t c : outlier.classes) {
        search_.ticker.step(10);
        if (!seen[at(c)]) records += table_.sizes[at(c)];
        seen[at(c)] = true;
      }
    return records;
  }

  /// Step 3: the attribute to generalise; the number of attributes if all relevant ones are at the
  /// top.
  std::size_t most_outlying() const {
    std::vector<std::int64_t> outliers(levels_.size(), 0);
    for (const Outlier& outlier : outliers_)
      for (const std::size_t j : outlier.attributes) ++outliers[j];
    std::size_t best = levels_.size();
    for (std::size_t j = 0; j < levels_.size(); ++j)
      if (levels_[j] < problem_.hierarchies[j]->height() &&
          outliers[j] > (best == levels_.size() ? 0 : outliers[best]))
        best = j;
    return best;
  }

  /// Step 4.
  void suppress_outliers() {
    std::vector<std::vector<std::int64_t>> outliers;  // by attribute and group
    for (std::size_t j = 0; j < levels_.size(); ++j)
      outliers.emplace_back(at(problem_.hierarchies[j]->groups(levels_[j])), 0);
    const auto count = [&](const Outlier& outlier, std::int64_t change) {
      for (const std::size_t j : outlier.attributes)
        outliers[j][at(layout_.group(outlier.key, j))] += change;
    };
    for (const Outlier& outlier : outliers_) count(outlier, 1);
    while (!outliers_.empty()) {
      std::size_t attribute = 0, group = 0;
      for (std::size_t j = 0; j < outliers.size(); ++j) {
        search_.ticker.step(static_cast<std::int64_t>(outliers[j].size()));
        for (std::size_t g = 0; g < outliers[j].size(); ++g)
          if (outliers[j][g] > outliers[attribute][group]) {
            attribute = j;
            group = g;
          }
      }
      std::deque<Outlier> rest;
      for (Outlier& outlier : outliers_) {
        search_.ticker.step(20 + 8 * static_cast<std::int64_t>(outlier.classes.size()));
        const Attributes& in = outlier.attributes;
        if (std::find(in.begin(), in.end(), attribute) == in.end() ||
            at(layout_.group(outlier.key, attribute)) != group) {
          rest.push_back(std::move(outlier));
          continue;
        }
        count(outlier, -1);
        for (const std::int32_t c : outlier.classes)
          table_.keys[at(c)] |= layout_.cell(attribute, layout_.star(attribute));
      }
      outliers_ = std::move(rest);
    }
  }

  /// The keys of the leaves' classes.
  std::vector<CellKey> spread(const std::vector<CellKey>& keys) {
    search_.table_at(levels_);
    std::vector<CellKey> result;
    for (const std::int32_t c : search_.class_of_leaves()) result.push_back(keys[at(c)]);
    return result;
  }

  Recoded publish() {
    std::vector<CellKey> keys = table_.keys;
    if (problem_.complete) {
      search_.constraint.set_budget(problem_.records);
      Frequencies cells;
      regrouper_.regroup(
          table_, [&](std::size_t c) { return table_.keys[c]; }, &cells);
      const std::vector<std::int32_t> class_of = regrouper_.class_of();
      Outcome outcome;
      search_.constraint.judge_all(cells, &outcome);
      LocalSuppression suppression(problem_, layout_, search_.constraint, search_.cost,
                                   search_.ticker);
      const auto after = suppression.keys(levels_, cells, outcome.kept, true);
      for (std::size_t c = 0; c < keys.size(); ++c) keys[c] = after[at(class_of[c])];
    }
    return search_.publish_keys(levels_, spread(keys), problem_.complete);
  }

  FullDomainSearch& search_;
  const FullDomainProblem& problem_;
  const CellLayout& layout_;
  Regrouper regrouper_;
  const std::vector<Attributes> combinations_;
  Levels levels_;
  Frequencies table_;
  std::deque<Outlier> outliers_;
};

}  // namespace

Recoded argus(const FullDomainProblem& problem, Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  ticker.begin("testing combinations", 0);
  return Argus(search).run();
}

}  // namespace anonkit
