#include "method/blocks/borders.hpp"

#include <algorithm>
#include <cmath>

#include "base/at.hpp"
#include "partition/change.hpp"
#include "space/centroid.hpp"

namespace anonkit {
namespace {

// A class reaches this many times its radius: classes farther from a cut exchange no records across
// it. A greater reach searches more records for little gain.
constexpr double kReach = 3;

/// A class as a ball: its centroid, and the root of the mean squared distance from it.
class Ball {
 public:
  explicit Ball(const Space& space)
      : space_(space), centroid_(space), center_(at(space.dimension())) {}

  void measure(const RecordSpan& members) {
    for (const Record i : members) centroid_.add(i);
    centroid_.point(center_.data());
    double sum = 0;
    for (const Record i : members) {
      sum += space_.squared_distance(space_.row(i), center_.data());
      centroid_.remove(i);
    }
    radius_ = std::sqrt(sum / members.size());
  }

  const double* center() const { return center_.data(); }
  double radius() const { return radius_; }

 private:
  const Space& space_;
  Centroid centroid_;
  std::vector<double> center_;
  double radius_ = 0;
};

}  // namespace

std::vector<std::vector<ClassId>> classes_at_cuts(const Space& space, const Members& members,
                                                  const BlockTree& tree,
                                                  const std::vector<BlockRange>& parts,
                                                  Ticker& ticker) {
  const std::vector<BlockCut>& cuts = tree.cuts();
  std::vector<bool> divides(cuts.size());
  for (std::size_t cut = 0; cut < cuts.size(); ++cut)
    divides[cut] = std::none_of(parts.begin(), parts.end(), [&](const BlockRange& part) {
      return part.contains(tree.blocks_of(cut));
    });
  std::vector<std::vector<ClassId>> classes(cuts.size());
  Ball ball(space);
  for (std::size_t c = 0; c + 1 < members.begin.size(); ++c) {
    const RecordSpan records(members.records.data() + members.begin[c],
                             members.begin[c + 1] - members.begin[c]);
    ticker.step(std::int64_t{20} * records.size() * space.dimension());
    ball.measure(records);
    double nearest = kReach * ball.radius();
    BlockNode node = tree.root(), chosen = 0;
    while (node < 0 && divides[at(~node)]) {
      const BlockCut& cut = cuts[at(~node)];
      const double x = ball.center()[cut.column];
      const double away = std::fabs(x - cut.at);
      if (away <= nearest) {
        nearest = away;
        chosen = node;
      }
      node = x < cut.at ? cut.below : cut.above;
    }
    if (chosen < 0) classes[at(~chosen)].push_back(static_cast<ClassId>(c));
  }
  return classes;
}

}  // namespace anonkit
