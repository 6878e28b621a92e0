#include "method/full_domain/incognito.hpp"

#include <algorithm>
#include <bitset>
#include <limits>
#include <map>
#include <utility>

#include "method/full_domain/datafly.hpp"

namespace anonkit {
namespace {

using Node = Lattice::Node;
using Marks = std::vector<bool>;  // by node
using Subset = std::uint32_t;     // a bit an attribute

constexpr char kIncognitoHint[] =
    "Use fewer quasi-identifiers or levels, or method 'datafly' or 'topdown', which do not search "
    "the lattice.";

std::size_t at(Node node) {
  return static_cast<std::size_t>(node);
}

std::vector<std::size_t> attributes_of(Subset subset) {
  std::vector<std::size_t> attributes;
  for (std::size_t j = 0; subset >> j != 0; ++j)
    if ((subset >> j & 1) != 0) attributes.push_back(j);
  return attributes;
}

/// The lattices of attribute subsets, in ascending order of size, and of all attributes. Subsets of
/// more than kLargestSubset attributes, except the full set, are skipped: their lattices cost more
/// than they save.
class SubsetSearch {
 public:
  explicit SubsetSearch(FullDomainSearch& search)
      : search_(search), d_(search.problem.hierarchies.size()) {}

  /// The nodes of the full lattice that may be feasible: all feasible ones if the constraints are
  /// monotone.
  Marks run() {
    const auto all = static_cast<Subset>((std::uint64_t{1} << d_) - 1);
    const std::size_t largest = std::min(kLargestSubset, d_ - 1);
    for (std::size_t size = 1; size <= largest; ++size) {
      std::map<Subset, Marks> next;
      for (Subset subset = 1; subset <= all && subset != 0; ++subset)
        if (std::bitset<32>(subset).count() == size) next[subset] = search(subset);
      smaller_ = std::move(next);
    }
    return search(all);
  }

 private:
  static constexpr std::size_t kLargestSubset = 3;

  /// Maps the nodes of a lattice to those of a smaller subset's lattice.
  class Projection {
   public:
    Projection(const Lattice& lattice, const Marks& feasible, Subset subset,
               const FullDomainProblem& problem)
        : lattice_(lattice), feasible_(feasible) {
      const Lattice to(problem.hierarchies, attributes_of(subset), kIncognitoNodes, kIncognitoHint);
      for (std::size_t i = 0, q = 0; i < lattice.attributes(); ++i) {
        if ((subset >> lattice.attribute(i) & 1) == 0) continue;
        places_.push_back(i);
        strides_.push_back(to.stride(q++));
      }
    }
    bool holds(Node node) const {
      Node projected = 0;
      for (std::size_t q = 0; q < places_.size(); ++q)
        projected += strides_[q] * lattice_.level(node, places_[q]);
      return feasible_[at(projected)];
    }

   private:
    const Lattice& lattice_;
    const Marks& feasible_;
    std::vector<std::size_t> places_;
    std::vector<Node> strides_;
  };

  Marks search(Subset subset) {
    const Lattice lattice(search_.problem.hierarchies, attributes_of(subset), kIncognitoNodes,
                          kIncognitoHint);
    std::vector<Projection> projections;
    for (const auto& [part, feasible] : smaller_)
      if ((part & ~subset) == 0) projections.emplace_back(lattice, feasible, part, search_.problem);
    Frequencies base;
    project(attributes_of(subset), &base);
    NodeTables tables(search_.problem, search_.grouped.layout, lattice, base, search_.ticker);
    Marks feasible(at(lattice.nodes()), false);
    Outcome outcome;
    for (Node node = 0; node < lattice.nodes(); ++node) {
      search_.ticker.step(8 * static_cast<std::int64_t>(lattice.attributes()));
      bool known = false;
      lattice.each_specialisation(node, [&](Node below) { known = known || feasible[at(below)]; });
      if (!known) {
        search_.ticker.step(4 * static_cast<std::int64_t>(projections.size()));
        const auto holds = [&](const Projection& projection) { return projection.holds(node); };
        if (!std::all_of(projections.begin(), projections.end(), holds)) continue;
        const Frequencies& table = tables.at(node);
        if (search_.constraint.monotone())
          search_.constraint.judge(table, &outcome);
        else
          search_.constraint.judge_relaxed(table, &outcome);
        known = outcome.feasible;
      }
      feasible[at(node)] = known;
    }
    return feasible;
  }

  /// The leaves with all other attributes suppressed.
  void project(const std::vector<std::size_t>& attributes, Frequencies* base) {
    CellKey mask = 0;
    for (const std::size_t j : attributes)
      mask |= search_.grouped.layout.cell(j, search_.grouped.layout.star(j));
    Regrouper(search_.ticker)
        .regroup(
            search_.grouped.leaves,
            [&](std::size_t c) { return search_.grouped.leaves.keys[c] & mask; }, base);
  }

  FullDomainSearch& search_;
  std::size_t d_;
  std::map<Subset, Marks> smaller_;  ///< by subset of one size
};

/// Visits the nodes that may be feasible in ascending order. Finds the minimal ones and, if
/// requested, the cheapest by branch and bound.
class Sweep {
 public:
  using Cost = FullDomainSearch::Cost;

  Sweep(FullDomainSearch& search, const Lattice& lattice, bool optimise)
      : search_(search),
        lattice_(lattice),
        optimise_(optimise),
        tables_(search.problem, search.grouped.layout, lattice, search.grouped.leaves,
                search.ticker),
        above_(at(lattice.nodes()), false) {
    if (optimise && !search.cost.of_cells())
      bounds_.assign(at(lattice.nodes()), std::numeric_limits<std::int64_t>::min());
  }

  void run(const Marks& candidates) {
    if (optimise_ && search_.constraint.budget() > 0) try_greedy_path();
    for (Node node = 0; node < lattice_.nodes(); ++node) {
      search_.ticker.step(8);
      if (candidates[at(node)]) visit(node);
    }
  }

  const std::vector<Node>& minimal() const { return minimal_; }
  Node best() const { return best_; }

 private:
  /// Evaluates Datafly's path of nodes up to the top, for a first bound.
  void try_greedy_path() {
    Levels levels(lattice_.attributes(), 0);
    Frequencies table = search_.grouped.leaves, next;
    Regrouper regrouper(search_.ticker);
    for (;;) {
      const auto cost = search_.cost_of(levels, table);
      if (cost) improve(lattice_.node(levels), *cost);
      const std::size_t j = most_distinct(search_, levels, table);
      if (j == levels.size()) return;
      roll_up(search_.grouped.layout, *search_.problem.hierarchies[j], j, levels[j], levels[j] + 1,
              table, &regrouper, &next);
      std::swap(table, next);
      ++levels[j];
    }
  }

  void visit(Node node) {
    bool known = false;  // known not to be minimal
    lattice_.each_specialisation(node, [&](Node below) { known = known || above_[at(below)]; });
    above_[at(node)] = known;
    if (!known && search_.constraint.monotone()) found_minimal(node);
    // Without suppression every generalisation costs at least as much as a minimal node.
    const bool may_be_best =
        optimise_ && (search_.constraint.budget() > 0 || !known) && !too_dear(node, bound(node));
    if (!may_be_best && (known || search_.constraint.monotone())) return;
    const Frequencies& table = tables_.at(node);
    if (!bounds_.empty())
      bounds_[at(node)] = static_cast<std::int64_t>(search_.cost.of_classes(table));
    const bool limited = above_[at(node)] && best_ >= 0;
    const Cost limit = least_ + (node < best_ ? 1 : 0);
    const auto cost = search_.cost_of(lattice_.levels(node), table, limited ? &limit : nullptr);
    if (!cost) return;
    if (!above_[at(node)]) found_minimal(node);
    if (optimise_) improve(node, *cost);
  }

  void improve(Node node, Cost cost) {
    if (too_dear(node, cost)) return;
    best_ = node;
    least_ = cost;
  }

  void found_minimal(Node node) {
    minimal_.push_back(node);
    above_[at(node)] = true;
  }

  /// True if the node is no better than the best so far; the first of equal nodes is better.
  bool too_dear(Node node, Cost cost) const {
    return best_ >= 0 && (cost > least_ || (cost == least_ && node >= best_));
  }

  /// A lower bound of the node's cost. For metrics of classes it is the cost of a specialisation.
  Cost bound(Node node) {
    if (bounds_.empty()) return search_.cost.of_levels(lattice_.levels(node));
    std::int64_t& bound = bounds_[at(node)];
    lattice_.each_specialisation(node,
                                 [&](Node below) { bound = std::max(bound, bounds_[at(below)]); });
    return bound;
  }

  FullDomainSearch& search_;
  const Lattice& lattice_;
  const bool optimise_;
  NodeTables tables_;
  Marks above_;  ///< true if the node or one below it is feasible
  std::vector<Node> minimal_;
  std::vector<std::int64_t> bounds_;
  Node best_ = -1;
  Cost least_ = 0;
};

}  // namespace

std::vector<Levels> minimal_nodes(FullDomainSearch& search) {
  const Lattice lattice = search.lattice(kIncognitoNodes, kIncognitoHint);
  Sweep sweep(search, lattice, false);
  sweep.run(SubsetSearch(search).run());
  std::vector<Levels> minimal;
  for (const Node node : sweep.minimal()) minimal.push_back(lattice.levels(node));
  return minimal;
}

Recoded incognito(const FullDomainProblem& problem, Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  const Lattice lattice = search.lattice(kIncognitoNodes, kIncognitoHint);
  ticker.begin("looking at generalisations", 0);
  Sweep sweep(search, lattice, true);
  sweep.run(SubsetSearch(search).run());
  if (sweep.best() < 0) no_generalisation(problem);
  Recoded recoded = search.publish(lattice.levels(sweep.best()));
  for (const Node node : sweep.minimal()) recoded.minimal.push_back(lattice.levels(node));
  return recoded;
}

}  // namespace anonkit
