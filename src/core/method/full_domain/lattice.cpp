#include "method/full_domain/lattice.hpp"

#include <numeric>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace anonkit {

Lattice::Lattice(const std::vector<const Hierarchy*>& hierarchies,
                 std::vector<std::size_t> attributes, Node most, const char* hint)
    : attributes_(std::move(attributes)), strides_(attributes_.size()) {
  for (const std::size_t a : attributes_) heights_.push_back(hierarchies[a]->height());
  constexpr Node kCountable = Node{1} << 48;
  for (std::size_t i = attributes_.size(); i-- > 0;) {
    strides_[i] = nodes_;
    if (nodes_ < kCountable) nodes_ *= heights_[i] + 1;
  }
  if (nodes_ > most)
    throw Error(ErrorKind::invalid_parameter, "the lattice of generalisations is too large",
                "It has " +
                    (nodes_ < kCountable ? std::to_string(nodes_)
                                         : "more than " + std::to_string(kCountable)) +
                    " nodes; the most is " + std::to_string(most) + ".",
                hint);
}

Levels Lattice::levels(Node node) const {
  Levels levels;
  for (std::size_t i = 0; i < attributes(); ++i) levels.push_back(level(node, i));
  return levels;
}

Lattice::Node Lattice::node(const Levels& levels) const {
  Node node = 0;
  for (std::size_t i = 0; i < attributes(); ++i) node += strides_[i] * levels[i];
  return node;
}

std::vector<std::size_t> all_attributes(const FullDomainProblem& problem) {
  std::vector<std::size_t> all(problem.hierarchies.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

NodeTables::NodeTables(const FullDomainProblem& problem, const CellLayout& layout,
                       const Lattice& lattice, const Frequencies& base, Ticker& ticker)
    : problem_(problem),
      layout_(layout),
      lattice_(lattice),
      base_(base),
      regrouper_(ticker),
      stages_(lattice.attributes()) {}

const Frequencies& NodeTables::at(Lattice::Node node) {
  bool kept = true;  // true while the previous stages equal those of the last call
  const Frequencies* before = &base_;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = stages_[i];
    const std::int32_t level = lattice_.level(node, i);
    if (!kept || stage.level != level) {
      const bool upwards = kept && stage.level >= 0 && stage.level < level;
      const Frequencies* from = upwards ? stage.table : before;
      const std::int32_t from_level = upwards ? stage.level : 0;
      if (level == 0) {
        stage.table = before;
      } else {
        const std::size_t a = lattice_.attribute(i);
        roll_up(layout_, *problem_.hierarchies[a], a, from_level, level, *from, &regrouper_,
                &spare_);
        std::swap(stage.own, spare_);
        stage.table = &stage.own;
      }
      stage.level = level;
      kept = false;
    }
    before = stage.table;
  }
  return *before;
}

}  // namespace anonkit
