#include "recode/lattice/incognito.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace anonkit {
namespace {

using Node = Lattice::Node;
using Marks = std::vector<bool>;  // by node
using Subset = std::uint32_t;     // a bit an attribute

constexpr char kHint[] =
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

/// The lattices of all subsets of the attributes, from small to large.
class SubsetSearch {
 public:
  explicit SubsetSearch(FullDomainSearch& search)
      : search_(search), d_(search.problem.hierarchies.size()) {}

  /// The nodes of the whole lattice that may be feasible: all that are if the demands are monotone.
  Marks run() {
    const auto all = static_cast<Subset>((std::uint64_t{1} << d_) - 1);
    std::map<Subset, Marks> smaller;
    for (std::size_t size = 1; size <= d_; ++size) {
      std::map<Subset, Marks> next;
      for (Subset subset = 1; subset <= all && subset != 0; ++subset)
        if (attributes_of(subset).size() == size) next[subset] = search(subset, smaller);
      smaller = std::move(next);
    }
    return smaller[all];
  }

 private:
  /// One more attribute at the front of each projection: what the node is without one attribute.
  struct Projection {
    const Marks* feasible;
    Node upper;  ///< stride of the attribute left out, times its levels
    Node lower;  ///< stride of the attribute left out
    bool holds(Node node) const { return (*feasible)[at(node / upper * lower + node % lower)]; }
  };

  Marks search(Subset subset, const std::map<Subset, Marks>& smaller) {
    const std::vector<std::size_t> attributes = attributes_of(subset);
    const Lattice lattice(search_.problem.hierarchies, attributes, kIncognitoNodes, kHint);
    std::vector<Projection> projections;
    for (std::size_t i = 0; i < attributes.size() && attributes.size() > 1; ++i)
      projections.push_back({&smaller.at(subset & ~(Subset{1} << attributes[i])),
                             lattice.stride(i) * (lattice.height(i) + 1), lattice.stride(i)});
    Frequencies base;
    project(attributes, &base);
    NodeTables tables(search_.problem, search_.grouped.layout, lattice, base, search_.ticker);
    Marks feasible(at(lattice.nodes()), false);
    Outcome outcome;
    for (Node node = 0; node < lattice.nodes(); ++node) {
      search_.ticker.step(8 * static_cast<std::int64_t>(attributes.size()));
      bool known = false;
      lattice.each_specialisation(node, [&](Node below) { known = known || feasible[at(below)]; });
      if (!known) {
        const auto holds = [&](const Projection& projection) { return projection.holds(node); };
        if (!std::all_of(projections.begin(), projections.end(), holds)) continue;
        const Frequencies& table = tables.at(node);
        if (search_.demands.monotone())
          search_.demands.judge(table, &outcome);
        else
          search_.demands.judge_relaxed(table, &outcome);
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
};

/// Of the nodes that may be feasible those that are, and below which none is.
std::vector<Node> minimal_of(FullDomainSearch& search, const Lattice& lattice,
                             const Marks& candidates) {
  NodeTables tables(search.problem, search.grouped.layout, lattice, search.grouped.leaves,
                    search.ticker);
  Marks above(candidates.size(), false);
  std::vector<Node> minimal;
  Outcome outcome;
  for (Node node = 0; node < lattice.nodes(); ++node) {
    search.ticker.step(8);
    if (!candidates[at(node)]) continue;
    bool known = false;
    lattice.each_specialisation(node, [&](Node below) { known = known || above[at(below)]; });
    if (!known) {
      bool feasible = search.demands.monotone();
      if (!feasible) {
        search.demands.judge(tables.at(node), &outcome);
        feasible = outcome.feasible;
      }
      if (feasible) minimal.push_back(node);
      known = feasible;
    }
    above[at(node)] = known;
  }
  return minimal;
}

/// The cheapest node: branch and bound over the candidates.
class Optimum {
 public:
  using Cost = FullDomainSearch::Cost;

  Optimum(FullDomainSearch& search, const Lattice& lattice)
      : search_(search),
        lattice_(lattice),
        tables_(search.problem, search.grouped.layout, lattice, search.grouped.leaves,
                search.ticker) {
    if (!search.cost.of_cells())
      bounds_.assign(at(lattice.nodes()), std::numeric_limits<std::int64_t>::min());
  }

  /// Of nodes in ascending order.
  void visit(Node node) {
    if (tried(bound(node), node)) return;
    const Frequencies& table = tables_.at(node);
    const Levels levels = lattice_.levels(node);
    if (!bounds_.empty()) {
      bounds_[at(node)] = static_cast<std::int64_t>(search_.cost.of_classes(table));
      if (tried(bounds_[at(node)], node)) return;
    }
    const auto cost = search_.cost_of(levels, table);
    if (!cost || tried(*cost, node)) return;
    best_ = node;
    least_ = *cost;
  }

  Node best() const { return best_; }

 private:
  bool tried(Cost cost, Node node) const {
    return best_ >= 0 && (cost > least_ || (cost == least_ && node >= best_));
  }

  /// What the node costs at least. Of metrics of classes that is the cost of a specialisation.
  Cost bound(Node node) {
    if (bounds_.empty()) return search_.cost.of_levels(lattice_.levels(node));
    std::int64_t& bound = bounds_[at(node)];
    lattice_.each_specialisation(node,
                                 [&](Node below) { bound = std::max(bound, bounds_[at(below)]); });
    return bound;
  }

  FullDomainSearch& search_;
  const Lattice& lattice_;
  NodeTables tables_;
  std::vector<std::int64_t> bounds_;
  Node best_ = -1;
  Cost least_ = 0;
};

}  // namespace

std::vector<Levels> minimal_nodes(FullDomainSearch& search) {
  const Lattice lattice = search.lattice(kIncognitoNodes, kHint);
  std::vector<Levels> minimal;
  for (const Node node : minimal_of(search, lattice, SubsetSearch(search).run()))
    minimal.push_back(lattice.levels(node));
  return minimal;
}

Recoded incognito(const FullDomainProblem& problem, Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  const Lattice lattice = search.lattice(kIncognitoNodes, kHint);
  ticker.begin("looking at generalisations", 0);
  const Marks candidates = SubsetSearch(search).run();
  const std::vector<Node> minimal = minimal_of(search, lattice, candidates);
  if (minimal.empty()) no_generalisation(problem);
  Optimum optimum(search, lattice);
  if (search.demands.budget() == 0) {
    // Nothing is suppressed, so that every generalisation of a node costs at least as much.
    for (const Node node : minimal) optimum.visit(node);
  } else {
    for (Node node = minimal.front(); node < lattice.nodes(); ++node) {
      ticker.step(8);
      if (candidates[at(node)]) optimum.visit(node);
    }
  }
  Recoded recoded = search.publish(lattice.levels(optimum.best()));
  for (const Node node : minimal) recoded.minimal.push_back(lattice.levels(node));
  return recoded;
}

}  // namespace anonkit
