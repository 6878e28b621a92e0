// GreedyPKClustering (Campan, Truta, Miller, Sinca 2007). The paper draws its first seed at random;
// here it is the record farthest from the first in canonical order.

#include "method/pkclustering/algorithms.hpp"
#include "method/pkclustering/pool.hpp"

namespace anonkit {
namespace {

class Greedy {
 public:
  Greedy(const Growth& growth, Record k, Ticker& ticker)
      : growth_(growth),
        k_(k),
        ticker_(ticker),
        diverse_(growth, true, ticker),
        near_(growth, false, ticker) {
    for (Record record = 0; record < growth.generalisation().size(); ++record) {
      diverse_.add(record);
      near_.add(record);
    }
  }

  std::vector<Cluster> run() {
    Record seed = 0;
    while (near_.size() >= k_) {
      Cluster last_seed = growth_.empty();
      growth_.add(last_seed, seed);
      seed = near_.farthest(last_seed);
      Cluster cluster = growth_.empty();
      take(seed, cluster);
      if (!grow(cluster)) {
        for (const Record record : cluster.records) near_.add(record);
        break;
      }
      clusters_.push_back(std::move(cluster));
    }
    growth_.disperse(near_.take_all(), clusters_, ticker_);
    return std::move(clusters_);
  }

 private:
  /// False if the records left do not make the cluster p-sensitive or as large as k.
  bool grow(Cluster& cluster) {
    while (growth_.homogeneity(cluster) > 0) {
      if (diverse_.empty()) return false;
      const Match match = diverse_.best(cluster);
      if (match.diversity == 0) return false;
      take(match.record, cluster);
    }
    while (cluster.size() < k_) {
      if (near_.empty()) return false;
      take(near_.best(cluster).record, cluster);
    }
    return true;
  }

  void take(Record record, Cluster& cluster) {
    diverse_.remove(record);
    near_.remove(record);
    growth_.add(cluster, record);
    ticker_.advance(1);
  }

  const Growth& growth_;
  const Record k_;
  Ticker& ticker_;
  Pool diverse_;  ///< the records left, matched by diversity
  Pool near_;     ///< the records left, matched by information loss
  std::vector<Cluster> clusters_;
};

}  // namespace

std::vector<Cluster> greedy_clusters(const Growth& growth, Record k, Ticker& ticker) {
  return Greedy(growth, k, ticker).run();
}

}  // namespace anonkit
