#pragma once

// Clusters and the rules of their growth, shared by EnhancedPKClustering and GreedyPKClustering.
//
// Phases: SensitiveCodes encodes the sensitive attributes; Growth adds records to a Cluster and
// prices additions; partition_of() numbers the result. Invariant: a Cluster's cover, loss and
// values always describe its records. Memory: a code per record and attribute; p values per cluster
// and attribute.
//
//   Cluster cluster = growth.empty();
//   growth.add(cluster, seed);
//   const CellLoss loss = growth.loss_with(cluster, record);  // if `record` joined

#include <cstdint>
#include <vector>

#include "method/pkclustering/cover_cells.hpp"
#include "metric/diversity.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The sensitive attributes for which clusters must be diverse. Under extended p-sensitivity a
/// value counts as its lifted value.
class SensitiveCodes {
 public:
  /// Weights w of Definition 11, above 0; empty: equal weights.
  SensitiveCodes(const std::vector<SensitiveAttribute>& attributes, std::int32_t p,
                 std::vector<double> weights, Ticker& ticker);

  std::size_t attributes() const { return values_.size(); }
  std::int32_t p() const { return p_; }
  const std::vector<double>& weights() const { return weights_; }
  /// The distinct values of the i-th attribute are 0 .. values(i)-1; each occurs.
  std::int32_t values(std::size_t i) const { return values_[i]; }
  std::int32_t value(Record record, std::size_t i) const {
    return codes_[i][static_cast<std::size_t>(record)];
  }

  /// The number of sensitive combinations. Records share one if they agree in all sensitive values.
  std::int32_t combinations() const { return static_cast<std::int32_t>(of_combination_.size()); }
  std::int32_t combination(Record record) const {
    return combination_[static_cast<std::size_t>(record)];
  }
  /// A record of the combination.
  Record record_of(std::int32_t combination) const {
    return of_combination_[static_cast<std::size_t>(combination)];
  }

 private:
  void combine(Ticker& ticker);

  std::int32_t p_;
  std::vector<double> weights_;
  std::vector<std::vector<std::int32_t>> codes_;  ///< by attribute and record
  std::vector<std::int32_t> values_;
  std::vector<std::int32_t> combination_;
  std::vector<Record> of_combination_;
};

/// A growing cluster.
struct Cluster {
  std::vector<Record> records;
  std::vector<CoverCell> cover;                   ///< Definition 8; empty without records
  CellLoss loss = 0;                              ///< per record: IL(cl) / |cl|, Definition 9
  std::vector<std::vector<std::int32_t>> values;  ///< distinct ones, by attribute; no more than p
  std::vector<std::int32_t> distinct;             ///< the number of distinct values, by attribute

  std::int64_t size() const { return static_cast<std::int64_t>(records.size()); }
  /// IL(cl + record) - IL(cl), where the loss per record becomes `loss_with`.
  CellLoss increase(CellLoss loss_with) const { return size() * (loss_with - loss) + loss_with; }
};

/// The growth rules of clusters.
class Growth {
 public:
  Growth(const Generalisation& generalisation, const SensitiveCodes& sensitive)
      : generalisation_(generalisation), sensitive_(sensitive) {}

  Cluster empty() const;
  void add(Cluster& cluster, Record record) const;
  /// The loss per record of a non-empty cluster with one more record.
  CellLoss loss_with(const Cluster& cluster, Record record) const;
  double homogeneity(const Cluster& cluster) const {
    return anonkit::homogeneity(cluster.distinct, sensitive_.p(), sensitive_.weights());
  }
  /// Adds each record to the cluster whose information loss grows least, ties to the first.
  /// O(records * clusters).
  void disperse(const std::vector<Record>& records, std::vector<Cluster>& clusters,
                Ticker& ticker) const;

  const Generalisation& generalisation() const { return generalisation_; }
  const SensitiveCodes& sensitive() const { return sensitive_; }

 private:
  const Generalisation& generalisation_;
  const SensitiveCodes& sensitive_;
};

/// The clusters as classes numbered by first record.
Partition partition_of(const std::vector<Cluster>& clusters, Record records);

}  // namespace anonkit
