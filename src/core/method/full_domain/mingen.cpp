#include "method/full_domain/mingen.hpp"

#include <utility>

#include "method/full_domain/full_domain_search.hpp"
#include "method/full_domain/incognito.hpp"

namespace anonkit {
namespace {

constexpr char kMinGenHint[] = "Use method 'incognito', which need not look at every node.";

/// Finds the minimal nodes: feasible ones without a feasible node below.
class MinimalNodes {
 public:
  explicit MinimalNodes(const Lattice& lattice)
      : lattice_(lattice), above_(static_cast<std::size_t>(lattice.nodes()), false) {}

  /// True if the node is minimal. Must be called in ascending order of the nodes.
  bool visit(Lattice::Node node, bool feasible) {
    bool above = false;
    lattice_.each_specialisation(node, [&](Lattice::Node below) {
      above = above || above_[static_cast<std::size_t>(below)];
    });
    above_[static_cast<std::size_t>(node)] = above || feasible;
    if (feasible && !above) minimal_.push_back(lattice_.levels(node));
    return feasible && !above;
  }
  std::vector<Levels> take() { return std::move(minimal_); }

 private:
  const Lattice& lattice_;
  std::vector<bool> above_;  ///< true if the node or one below it is feasible
  std::vector<Levels> minimal_;
};

}  // namespace

Recoded mingen(const FullDomainProblem& problem, Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  const Lattice lattice = search.lattice(kMinGenNodes, kMinGenHint);
  NodeTables tables(problem, search.grouped.layout, lattice, search.grouped.leaves, ticker);
  MinimalNodes minimal(lattice);
  Lattice::Node best = -1;
  FullDomainSearch::Cost least = 0;
  ticker.begin("looking at generalisations", lattice.nodes());
  for (Lattice::Node node = 0; node < lattice.nodes(); ++node) {
    const auto cost = search.cost_of(lattice.levels(node), tables.at(node));
    minimal.visit(node, cost.has_value());
    if (cost && (best < 0 || *cost < least)) {
      best = node;
      least = *cost;
    }
    ticker.advance(1);
  }
  if (best < 0) no_generalisation(problem);
  Recoded recoded = search.publish(lattice.levels(best));
  recoded.minimal = minimal.take();
  return recoded;
}

std::vector<NodeFigures> list_nodes(const FullDomainProblem& problem, bool minimal_only,
                                    Ticker& ticker) {
  FullDomainSearch search(problem, ticker);
  std::vector<NodeFigures> result;
  if (minimal_only) {
    for (const Levels& levels : minimal_nodes(search)) {
      result.push_back(search.figures_at(levels, search.table_at(levels)));
      result.back().minimal = true;
    }
    return result;
  }
  const Lattice lattice = search.lattice(kMinGenNodes, "List the minimal nodes only.");
  NodeTables tables(problem, search.grouped.layout, lattice, search.grouped.leaves, ticker);
  MinimalNodes minimal(lattice);
  ticker.begin("looking at generalisations", lattice.nodes());
  for (Lattice::Node node = 0; node < lattice.nodes(); ++node) {
    result.push_back(search.figures_at(lattice.levels(node), tables.at(node)));
    result.back().minimal = minimal.visit(node, result.back().feasible);
    ticker.advance(1);
  }
  return result;
}

}  // namespace anonkit
