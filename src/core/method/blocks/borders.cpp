#include "method/blocks/borders.hpp"

#include <algorithm>
#include <cmath>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "partition/change.hpp"
#include "space/centroid.hpp"

namespace anonkit {
namespace {

// A class reaches this many times its radius: classes farther from a cut exchange no records across
// it. A greater reach searches more records for little gain.
constexpr double kReach = 3;
// Categories are equally far from each other, so that a class which exchanges records across a cut
// between them need not be near it: its reach is greater.
constexpr double kReachOfCategories = 12;

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

/// The nearest of the dividing cuts that are within a class's reach, or none.
class NearestCut {
 public:
  NearestCut(const Space& space, const BlockTree& tree, const std::vector<bool>& divides)
      : space_(space), tree_(tree), divides_(divides), ball_(space) {}

  /// 0: none.
  BlockNode of(const RecordSpan& members) {
    ball_.measure(members);
    double nearest = kReach * ball_.radius();
    BlockNode node = tree_.root(), chosen = 0;
    while (node < 0 && divides_[at(~node)]) {
      const BlockCut& cut = tree_.cuts()[at(~node)];
      const double x = ball_.center()[cut.column];
      const double away = distance(x, cut);
      if (away <= nearest) {
        nearest = away;
        chosen = node;
      }
      node = x < cut.at ? cut.below : cut.above;
    }
    return chosen;
  }

 private:
  /// How far a coordinate is from a cut, to be compared with kReach radii.
  double distance(double x, const BlockCut& cut) const {
    if (space_.attribute(cut.column).kind == Kind::nominal)
      return kReach / kReachOfCategories * std::sqrt(space_.mismatch(cut.column));
    return std::fabs(x - cut.at);
  }

  const Space& space_;
  const BlockTree& tree_;
  const std::vector<bool>& divides_;
  Ball ball_;
};

/// By cut: true if classes of both sides were formed apart.
std::vector<bool> dividing_cuts(const BlockTree& tree, const std::vector<BlockRange>& parts) {
  std::vector<bool> divides(tree.cuts().size());
  for (std::size_t cut = 0; cut < divides.size(); ++cut)
    divides[cut] = std::none_of(parts.begin(), parts.end(), [&](const BlockRange& part) {
      return part.contains(tree.blocks_of(cut));
    });
  return divides;
}

}  // namespace

std::vector<std::vector<ClassId>> classes_at_cuts(const Space& space, const Members& members,
                                                  const BlockTree& tree,
                                                  const std::vector<BlockRange>& parts, int threads,
                                                  Ticker& ticker) {
  const std::vector<bool> divides = dividing_cuts(tree, parts);
  std::vector<BlockNode> cut_of(members.classes());
  run_chunks(cut_of.size(), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    NearestCut nearest(space, tree, divides);
    for (std::size_t c = begin; c < end; ++c) {
      const RecordSpan records = members.of(c);
      own.step(std::int64_t{20} * records.size() * space.dimension());
      cut_of[c] = nearest.of(records);
    }
  });
  std::vector<std::vector<ClassId>> classes(tree.cuts().size());
  for (std::size_t c = 0; c < cut_of.size(); ++c)
    if (cut_of[c] < 0) classes[at(~cut_of[c])].push_back(static_cast<ClassId>(c));
  return classes;
}

}  // namespace anonkit
