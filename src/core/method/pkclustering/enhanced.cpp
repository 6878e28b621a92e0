// EnhancedPKClustering, section 3.2 of Truta, Campan, Meyer 2007. Deviations where the printed
// algorithm is open or fails: - maxClusters, iValue and the SEC are those of the hardest attribute
// alone, so that Property 2 holds.
//    By rounding, a frequent value may have fewer records than there are clusters. Clusters without
//    it are completed like all others.
// - If no record in T makes cl_h more diverse, T continues with the records of the least diverse
//    cluster. As printed, cl_h would first take all of T to no effect.
// - u counts the clusters of k records; totalClusters is v.

#include <algorithm>
#include <queue>

#include "method/pkclustering/algorithms.hpp"
#include "method/pkclustering/conditions.hpp"
#include "method/pkclustering/pool.hpp"

namespace anonkit {
namespace {

/// A cluster's best match, and the order of BestMatch's pairs: most diversity, then least increase
/// of the information loss, then the first cluster.
struct Pair {
  double diversity;
  CellLoss increase;
  std::size_t cluster;
  Record record;
};
struct Worse {
  bool operator()(const Pair& a, const Pair& b) const {
    if (a.diversity != b.diversity) return a.diversity < b.diversity;
    if (a.increase != b.increase) return a.increase > b.increase;
    return a.cluster > b.cluster;
  }
};

class Enhanced {
 public:
  Enhanced(const Growth& growth, Record k, Ticker& ticker)
      : growth_(growth),
        k_(k),
        ticker_(ticker),
        assigned_(static_cast<std::size_t>(growth.generalisation().size())) {}

  std::vector<Cluster> run() {
    choose_hardest();
    clusters_.assign(static_cast<std::size_t>(capacity_.max_clusters), growth_.empty());
    {
      Pool pool(growth_, true, ticker_);
      split(pool);
      for (std::int32_t j = growth_.sensitive().p() - capacity_.i_value; j > 0; --j)
        deal_out(classes_[static_cast<std::size_t>(j) - 1], pool);
      complete(pool);
    }
    reach_k();
    return std::move(clusters_);
  }

 private:
  /// Definition 13.
  void choose_hardest() {
    const SensitiveCodes& sensitive = growth_.sensitive();
    for (std::size_t i = 0; i < sensitive.attributes(); ++i) {
      auto classes = sensitive_classes(sensitive, i, growth_.generalisation().size());
      const AttributeCapacity capacity =
          capacity_of(classes, sensitive.p(), growth_.generalisation().size());
      if (i > 0 && capacity.max_clusters >= capacity_.max_clusters) continue;
      capacity_ = capacity;
      classes_ = std::move(classes);
    }
  }

  void assign(Record record, Cluster& cluster) {
    growth_.add(cluster, record);
    assigned_[static_cast<std::size_t>(record)] = true;
    ticker_.advance(1);
  }

  /// Function Split: distributes the rare values in turn over the clusters, i_value records each.
  void split(Pool& pool) {
    std::size_t next = 0;
    const auto rare = static_cast<std::size_t>(growth_.sensitive().p() - capacity_.i_value);
    for (std::size_t j = classes_.size(); j-- > rare;) {
      for (const Record record : classes_[j]) pool.add(record);
      while (!pool.empty() && clusters_[next].size() < capacity_.i_value) {
        const Match match = pool.best(clusters_[next]);
        pool.remove(match.record);
        assign(match.record, clusters_[next]);
        next = (next + 1) % clusters_.size();
      }
      pool.take_all();
    }
  }

  /// Adds one record of a frequent value to each cluster, by the best pair of all. Matches only get
  /// worse as records leave the pool, so a top pair whose record is still there is the best.
  void deal_out(const std::vector<Record>& records, Pool& pool) {
    for (const Record record : records) pool.add(record);
    std::priority_queue<Pair, std::vector<Pair>, Worse> pairs;
    const auto push = [&](std::size_t c) {
      const Match match = pool.best(clusters_[c]);
      pairs.push({match.diversity, clusters_[c].increase(match.loss), c, match.record});
    };
    for (std::size_t c = 0; c < clusters_.size(); ++c) push(c);
    while (!pairs.empty() && !pool.empty()) {
      const Pair best = pairs.top();
      pairs.pop();
      if (!pool.has(best.record)) {
        push(best.cluster);
        continue;
      }
      pool.remove(best.record);
      assign(best.record, clusters_[best.cluster]);
    }
    pool.take_all();
  }

  /// Completes p-sensitivity, most diverse clusters first.
  void complete(Pool& pool) {
    std::vector<double> homogeneity(clusters_.size());
    std::vector<std::size_t> order(clusters_.size());
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      ticker_.step(50);
      order[c] = c;
      homogeneity[c] = growth_.homogeneity(clusters_[c]);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return homogeneity[a] < homogeneity[b]; });
    std::vector<Cluster> sorted;
    for (const std::size_t c : order) {
      ticker_.step(200);
      sorted.push_back(std::move(clusters_[c]));
    }
    clusters_ = std::move(sorted);
    for (std::size_t i = 0; i < assigned_.size(); ++i)
      if (!assigned_[i]) pool.add(static_cast<Record>(i));
    for (std::size_t h = 0; h < clusters_.size();) {
      if (growth_.homogeneity(clusters_[h]) == 0)
        ++h;
      else if (!diversify(clusters_[h], pool))
        give_up_last(pool);
    }
    left_over_ = pool.take_all();
  }

  /// False if no record in the pool has a new value for the cluster.
  bool diversify(Cluster& cluster, Pool& pool) {
    if (pool.empty()) return false;
    const Match match = pool.best(cluster);
    if (match.diversity == 0) return false;
    pool.remove(match.record);
    growth_.add(cluster, match.record);
    return true;
  }

  void give_up_last(Pool& pool) {
    for (const Record record : clusters_.back().records) pool.add(record);
    clusters_.pop_back();
  }

  /// Forms as many clusters of k as the records allow.
  void reach_k() {
    std::stable_sort(clusters_.begin(), clusters_.end(),
                     [](const Cluster& a, const Cluster& b) { return a.size() > b.size(); });
    std::size_t u = 0;
    while (u < clusters_.size() && clusters_[u].size() >= k_) ++u;
    auto rest = static_cast<std::int64_t>(left_over_.size());
    for (std::size_t c = u; c < clusters_.size(); ++c) rest += clusters_[c].size();
    const std::size_t v = std::min(clusters_.size(), u + static_cast<std::size_t>(rest / k_));
    Pool pool(growth_, false, ticker_);
    for (const Record record : left_over_) pool.add(record);
    while (clusters_.size() > v) give_up_last(pool);
    for (Cluster& cluster : clusters_) {
      while (cluster.size() < k_) {
        const Record record = pool.best(cluster).record;
        pool.remove(record);
        assign(record, cluster);
      }
    }
    growth_.disperse(pool.take_all(), clusters_, ticker_);
  }

  const Growth& growth_;
  const Record k_;
  Ticker& ticker_;
  AttributeCapacity capacity_;                ///< of the hardest attribute
  std::vector<std::vector<Record>> classes_;  ///< SEC of the hardest attribute
  std::vector<Cluster> clusters_;
  std::vector<bool> assigned_;
  std::vector<Record> left_over_;
};

}  // namespace

std::vector<Cluster> enhanced_clusters(const Growth& growth, Record k, Ticker& ticker) {
  return Enhanced(growth, k, ticker).run();
}

}  // namespace anonkit
