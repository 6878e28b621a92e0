#include "method/tcloseness/sabre.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "method/growing/unassigned_records.hpp"
#include "method/tcloseness/buckets.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

using Counts = std::vector<std::int64_t>;

// The shares of t that buckets may use up, in turn.
constexpr double kShares[] = {1, 0.75, 0.5, 0.25};

std::int64_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// The second phase's tree of class sizes; its leaves are the classes.
class SizeTree {
 public:
  SizeTree(const SensitiveAttribute& attribute, const Buckets& buckets, Record k, Ticker& ticker)
      : attribute_(attribute), buckets_(buckets), k_(k), ticker_(ticker) {}

  void halve(const Counts& counts, std::vector<Counts>* leaves) const {
    Counts left(counts.size()), right(counts.size());
    bool up = true;
    for (std::size_t b = 0; b < counts.size(); ++b) {
      left[b] = counts[b] / 2;
      // Odd numbers are rounded up and down alternately.
      if (counts[b] % 2 != 0) {
        left[b] += up ? 1 : 0;
        up = !up;
      }
      right[b] = counts[b] - left[b];
    }
    ticker_.step(static_cast<std::int64_t>(20 * counts.size()));
    if (!eligible(left) || !eligible(right)) {
      leaves->push_back(counts);
      return;
    }
    halve(left, leaves);
    halve(right, leaves);
  }

 private:
  bool eligible(const Counts& counts) const {
    const std::int64_t size = sum(counts);
    return size >= k_ &&
           buckets_.bound(counts, size, attribute_.distance == GroundDistance::ordered) <=
               attribute_.t;
  }

  const SensitiveAttribute& attribute_;
  const Buckets& buckets_;
  Record k_;
  Ticker& ticker_;
};

Partition redistribute(const Space& space, const SensitiveAttribute& attribute,
                       const Buckets& buckets, const std::vector<Counts>& classes, Ticker& ticker) {
  std::vector<std::vector<Record>> records(buckets.records.size());
  for (Record i = 0; i < space.size(); ++i) {
    ticker.step(50);
    const auto rank = static_cast<std::size_t>(attribute.ranks[static_cast<std::size_t>(i)]);
    records[static_cast<std::size_t>(buckets.of_rank[rank])].push_back(i);
  }
  UnassignedRecords remaining(space, records, ticker);
  std::vector<Neighbour> members;
  for (const Counts& counts : classes) {
    const double* seed = space.row(remaining.farthest_from_centroid());
    for (std::size_t b = 0; b < counts.size(); ++b) {
      if (counts[b] == 0) continue;
      remaining.part(b).nearest(seed, static_cast<Record>(counts[b]), members);
      remaining.take(members, b);
    }
    remaining.end_class();
  }
  return remaining.partition();
}

}  // namespace

Partition sabre(const Space& space, const SensitiveAttribute& attribute, Record k, Ticker& ticker) {
  ticker.begin("sabre", 0);
  Buckets buckets;
  std::vector<Counts> classes;
  for (const double share : kShares) {
    ticker.step(static_cast<std::int64_t>(attribute.ranks.size()) * 50);
    Buckets tried = bucketize(attribute, share * attribute.t);
    std::vector<Counts> leaves;
    SizeTree(attribute, tried, k, ticker).halve(tried.records, &leaves);
    if (leaves.size() <= classes.size()) continue;
    buckets = std::move(tried);
    classes = std::move(leaves);
  }
  return redistribute(space, attribute, buckets, classes, ticker);
}

}  // namespace anonkit
