#include "search/crossover.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Sets of classes, of the first partition and then of the second, that share records.
class Parts {
 public:
  Parts(const Partition& a, const Partition& b)
      : parent_(at(a.classes) + at(b.classes)), advantage_(parent_.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (std::size_t i = 0; i < a.class_of.size(); ++i)
      unite(a.class_of[i], a.classes + b.class_of[i]);
  }

  // Union-find with path halving (Tarjan, van Leeuwen 1984).
  std::int32_t of(std::int32_t c) {
    while (parent_[at(c)] != c) c = parent_[at(c)] = parent_[at(parent_[at(c)])];
    return c;
  }
  /// The additional loss of the component in the first partition.
  double& advantage(std::int32_t c) { return advantage_[at(of(c))]; }

 private:
  void unite(std::int32_t c, std::int32_t d) { parent_[at(of(d))] = of(c); }

  std::vector<std::int32_t> parent_;
  std::vector<double> advantage_;
};

}  // namespace

// Two classes are linked if they share a record. A component of this bipartite graph is a union of
// whole classes of either partition, so components can be exchanged one by one, and their losses
// add up. With `advantage` = L(a) - L(b) of a component, b's classes are taken where it is above 0.
// Ties keep a, whose loss the result can therefore not exceed.
Partition crossover(const Partition& a, const Partition& b,
                    const std::function<double(const RecordSpan&)>& loss) {
  Parts parts(a, b);
  const auto add_losses = [&](const Partition& partition, ClassId first, double sign) {
    const Members members = members_of(partition);
    for (ClassId c = 0; c < partition.classes; ++c)
      parts.advantage(first + c) += sign * loss(members.of(at(c)));
  };
  add_losses(a, 0, 1);
  add_losses(b, a.classes, -1);
  Partition best = a;
  for (std::size_t i = 0; i < a.class_of.size(); ++i)
    if (parts.advantage(a.class_of[i]) > 0) best.class_of[i] = a.classes + b.class_of[i];
  best.classes = a.classes + b.classes;
  number_by_first_record(best);
  best.classes = 1 + *std::max_element(best.class_of.begin(), best.class_of.end());
  return best;
}

}  // namespace anonkit
