#include "method/tcloseness/t_first.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "method/growing/unassigned_records.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

class TFirst {
 public:
  TFirst(const Space& space, const std::vector<std::int32_t>& rank, Record k, Ticker& ticker)
      : space_(space), ticker_(ticker), remaining_(space, subsets(rank, k), ticker) {}

  Partition run() {
    while (remaining_.size() > 0) {
      const Record x0 = remaining_.farthest_from_centroid();
      form_cluster(x0);
      if (remaining_.size() > 0) form_cluster(remaining_.farthest_from(x0));
    }
    return remaining_.partition();
  }

 private:
  std::vector<std::vector<Record>> subsets(const std::vector<std::int32_t>& rank, Record k) const {
    std::vector<std::vector<Record>> records(at(k));
    const std::vector<Record> ends = ends_of_subsets(k);
    std::vector<Record> places = first_places(rank);
    for (Record i = 0; i < space_.size(); ++i) {
      ticker_.step(20);
      const Record place = places[at(rank[at(i)])]++;
      const auto subset = std::upper_bound(ends.begin(), ends.end(), place) - ends.begin();
      records[static_cast<std::size_t>(subset)].push_back(i);
    }
    return records;
  }

  /// By rank: the position of its first record among all, in order.
  static std::vector<Record> first_places(const std::vector<std::int32_t>& rank) {
    std::vector<Record> places(at(*std::max_element(rank.begin(), rank.end())) + 2, 0);
    for (const std::int32_t r : rank) ++places[at(r) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    return places;
  }

  std::vector<Record> ends_of_subsets(Record k) const {
    const Record n = space_.size(), spare = n % k;
    std::vector<Record> ends;
    Record end = 0;
    for (Record s = 1; s <= k; ++s) {
      end += n / k;
      if (2 * s == k + 1) end += spare;  // the middle one of an odd number
      if (2 * s == k) end += spare / 2;  // the two middle ones of an even number
      if (2 * s == k + 2) end += spare - spare / 2;
      ends.push_back(end);
    }
    return ends;
  }

  void form_cluster(Record seed) {
    const double* x = space_.row(seed);
    const Record before = remaining_.size();
    bool extra = false;
    for (std::size_t subset = 0; subset < remaining_.parts(); ++subset) {
      // If a subset would be left with more records than the first, it gives another record.
      const bool two = !extra && remaining_.part(subset).size() - 1 > remaining_.part(0).size();
      extra |= two;
      remaining_.part(subset).nearest(x, two ? 2 : 1, members_);
      remaining_.take(members_, subset);
    }
    remaining_.end_class();
    ticker_.advance(before - remaining_.size());
  }

  const Space& space_;
  Ticker& ticker_;
  UnassignedRecords remaining_;  ///< without a cluster, by subset
  std::vector<Neighbour> members_;
};

}  // namespace

Record t_first_cluster_size(Record n, Record k, double t) {
  const double least = std::ceil(n / (2 * (static_cast<double>(n) - 1) * t + 1));
  const Record size = std::min(n, std::max(k, static_cast<Record>(std::min<double>(least, n))));
  return size + n % size / (n / size);
}

Partition t_first(const Space& space, const std::vector<std::int32_t>& rank, Record cluster_size,
                  Ticker& ticker) {
  ticker.begin("t-closeness-first", space.size());
  return TFirst(space, rank, cluster_size, ticker).run();
}

}  // namespace anonkit
