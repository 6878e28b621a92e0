#include "method/pkclustering/pk_clustering.hpp"

#include <tuple>

#include "method/pkclustering/algorithms.hpp"
#include "method/pkclustering/conditions.hpp"

namespace anonkit {
namespace {

/// Checks the arguments before any work on the quasi-identifiers.
SensitiveCodes checked(const Table& table, const std::vector<Record>& rows,
                       const std::vector<SensitiveAttribute>& sensitive, const PkOptions& options,
                       Ticker& ticker) {
  check_options(table, rows, sensitive, options);
  SensitiveCodes codes(sensitive, options.p, options.weights, ticker);
  check_condition_1(table, codes);
  return codes;
}

/// AVG, DM and IL; less is better.
std::tuple<std::int64_t, std::int64_t, CellLoss> cost_of(const std::vector<Cluster>& clusters) {
  std::int64_t discernibility = 0;
  CellLoss loss = 0;
  for (const Cluster& cluster : clusters) {
    discernibility += cluster.size() * cluster.size();
    loss += cluster.size() * cluster.loss;
  }
  return {-static_cast<std::int64_t>(clusters.size()), discernibility, loss};
}

/// The records, prepared once for both algorithms.
class Prepared {
 public:
  Prepared(const Table& table, const std::vector<Record>& rows,
           const std::vector<SensitiveAttribute>& sensitive, const PkOptions& options,
           Ticker& ticker)
      : sensitive_(checked(table, rows, sensitive, options, ticker)),
        generalisation_(table, rows, ticker),
        growth_(generalisation_, sensitive_),
        k_(options.k),
        ticker_(ticker) {}

  std::vector<Cluster> enhanced() const { return enhanced_clusters(growth_, k_, ticker_); }
  std::vector<Cluster> greedy() const { return greedy_clusters(growth_, k_, ticker_); }
  Partition partition(const std::vector<Cluster>& clusters) const {
    return partition_of(clusters, generalisation_.size());
  }

 private:
  SensitiveCodes sensitive_;
  Generalisation generalisation_;
  Growth growth_;
  Record k_;
  Ticker& ticker_;
};

}  // namespace

Partition enhanced_pk_clustering(const Table& table, const std::vector<Record>& rows,
                                 const std::vector<SensitiveAttribute>& sensitive,
                                 const PkOptions& options, Ticker& ticker) {
  const Prepared prepared(table, rows, sensitive, options, ticker);
  return prepared.partition(prepared.enhanced());
}

Partition greedy_pk_clustering(const Table& table, const std::vector<Record>& rows,
                               const std::vector<SensitiveAttribute>& sensitive,
                               const PkOptions& options, Ticker& ticker) {
  const Prepared prepared(table, rows, sensitive, options, ticker);
  return prepared.partition(prepared.greedy());
}

PkChoice better_pk_clustering(const Table& table, const std::vector<Record>& rows,
                              const std::vector<SensitiveAttribute>& sensitive,
                              const PkOptions& options, Ticker& ticker) {
  const Prepared prepared(table, rows, sensitive, options, ticker);
  const std::vector<Cluster> greedy = prepared.greedy();
  const std::vector<Cluster> enhanced = prepared.enhanced();
  return cost_of(enhanced) < cost_of(greedy)
             ? PkChoice{prepared.partition(enhanced), PkAlgorithm::enhanced}
             : PkChoice{prepared.partition(greedy), PkAlgorithm::greedy};
}

}  // namespace anonkit
