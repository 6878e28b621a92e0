#pragma once

// The generalisation lattice (Samarati 2001) and frequency sets of its nodes.
//
// Phases: construction numbers the nodes; a search visits them in ascending order; NodeTables rolls
// frequency sets up along the way. Invariant: nodes are numbered in lexicographic order of their
// levels, so a node comes after all its specialisations. Memory: one frequency set per attribute.
//
//   NodeTables tables(problem, layout, lattice, base, ticker);
//   for (Lattice::Node node = 0; node < lattice.nodes(); ++node)
//     visit(lattice.levels(node), tables.at(node));

#include <cstdint>
#include <vector>

#include "method/full_domain/frequencies.hpp"

namespace anonkit {

/// The generalisation lattice of some attributes. A node is a vector of levels.
class Lattice {
 public:
  using Node = std::int64_t;

  /// The lattice of the listed attributes. Throws invalid_parameter with `hint` if it has more than
  /// `most` nodes; the error states their number.
  Lattice(const std::vector<const Hierarchy*>& hierarchies, std::vector<std::size_t> attributes,
          Node most, const char* hint);

  Node nodes() const { return nodes_; }
  std::size_t attributes() const { return attributes_.size(); }
  /// The table's number of the lattice's i-th attribute.
  std::size_t attribute(std::size_t i) const { return attributes_[i]; }
  std::int32_t height(std::size_t i) const { return heights_[i]; }
  /// The difference of two node numbers whose i-th levels differ by one.
  Node stride(std::size_t i) const { return strides_[i]; }
  std::int32_t level(Node node, std::size_t i) const {
    return static_cast<std::int32_t>(node / strides_[i] % (heights_[i] + 1));
  }
  Levels levels(Node node) const;
  Node node(const Levels& levels) const;

  /// Visits the nodes with one attribute one level lower.
  template <class Visit>
  void each_specialisation(Node node, Visit visit) const {
    for (std::size_t i = 0; i < attributes(); ++i)
      if (level(node, i) > 0) visit(node - strides_[i]);
  }

 private:
  std::vector<std::size_t> attributes_;
  std::vector<std::int32_t> heights_;
  std::vector<Node> strides_;
  Node nodes_ = 1;
};

/// Every attribute of a table.
std::vector<std::size_t> all_attributes(const FullDomainProblem& problem);

/// Frequency sets of a lattice's nodes, each rolled up from a specialisation. Keeps only the sets
/// for the node's first 0, 1, 2, .. levels with all later attributes at level 0. Calls in ascending
/// order of nodes are therefore cheap.
class NodeTables {
 public:
  /// `base` has the lattice's attributes at level 0.
  NodeTables(const FullDomainProblem& problem, const CellLayout& layout, const Lattice& lattice,
             const Frequencies& base, Ticker& ticker);

  /// The node's frequency set, valid until the next call.
  const Frequencies& at(Lattice::Node node);

 private:
  struct Stage {
    const Frequencies* table = nullptr;  ///< own, or that of the previous stage
    Frequencies own;
    std::int32_t level = -1;
  };

  const FullDomainProblem& problem_;
  const CellLayout& layout_;
  const Lattice& lattice_;
  const Frequencies& base_;
  Regrouper regrouper_;
  std::vector<Stage> stages_;
  Frequencies spare_;
};

}  // namespace anonkit
