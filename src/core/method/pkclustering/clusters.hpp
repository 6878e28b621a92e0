#pragma once

#include <cstdint>
#include <vector>

#include "method/pkclustering/generalisation.hpp"
#include "metric/diversity.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The sensitive attributes that clusters have to be diverse in. Under extended p-sensitivity a
/// value counts as its strong value.
class SensitiveCodes {
 public:
  /// Weights w of Definition 11, above 0; none: all alike.
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

  /// Records are of one combination if all of their sensitive values are the same.
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

/// A cluster as it grows.
struct Cluster {
  std::vector<Record> records;
  std::vector<CoverCell> cover;                   ///< Definition 8; empty while there is no record
  CellLoss loss = 0;                              ///< per record: IL(cl) / |cl|, Definition 9
  std::vector<std::vector<std::int32_t>> values;  ///< distinct ones, by attribute; no more than p
  std::vector<std::int32_t> distinct;             ///< how many those are

  std::int64_t size() const { return static_cast<std::int64_t>(records.size()); }
  /// IL(cl + record) - IL(cl), where the loss per record becomes `loss_with`.
  CellLoss increase(CellLoss loss_with) const { return size() * (loss_with - loss) + loss_with; }
};

/// The rules by which a cluster grows.
class Growth {
 public:
  Growth(const Generalisation& generalisation, const SensitiveCodes& sensitive)
      : generalisation_(generalisation), sensitive_(sensitive) {}

  Cluster empty() const;
  void add(Cluster& cluster, Record record) const;
  /// The loss per record of a cluster that has records, with one more.
  CellLoss loss_with(const Cluster& cluster, Record record) const;
  double homogeneity(const Cluster& cluster) const {
    return anonkit::homogeneity(cluster.distinct, sensitive_.p(), sensitive_.weights());
  }
  /// Adds each record to the cluster whose information loss it increases least; of equal ones to
  /// the first. O(records * clusters).
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
