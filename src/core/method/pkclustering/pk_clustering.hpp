#pragma once

// p-sensitive k-anonymity by clustering, with generalisation of the quasi-identifiers.
//
// Phases: check the conditions of the paper; encode quasi-identifiers and sensitive values; form
// clusters; disperse the rest. Invariant: every result is p-sensitive and k-anonymous for all
// attributes. Memory: a few numbers per record and column.
//
//   PkOptions options;
//   options.k = 5, options.p = 2;
//   const Partition classes = enhanced_pk_clustering(table, rows, sensitive, options, ticker);

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The required p-sensitivity and k-anonymity.
struct PkOptions {
  Record k = 1;
  std::int32_t p = 1;
  /// The weights w of Definition 11, one per sensitive attribute, above 0; empty: equal weights.
  std::vector<double> weights = {};
};

enum class PkAlgorithm : std::uint8_t { enhanced, greedy };

/// EnhancedPKClustering: p-sensitive k-anonymous clusters of the table's rows (T. M. Truta, A.
/// Campan, P. Meyer: Generating microdata with p-sensitive k-anonymity property. SDM 2007, section
/// 3.2). First it distributes the rarer values of the most difficult attribute over as many
/// clusters as Condition 2 allows. Then it completes p-sensitivity, and finally k. O(n^2 * columns)
/// in the worst case; equal records are evaluated once.
///
/// Record i is rows[i], in canonical order. `sensitive` has its sensitive values in that order,
/// with the names of `table.sensitive`, if any. With lifted values the clusters are extended
/// p-sensitive. Quasi-identifiers are generalised to ranges (numbers, ordered categories) and
/// lowest common ancestors (hierarchies; nominal categories have a flat one). The information loss
/// of Definition 9 is rounded to a grid of 2^-24.
///
/// Throws infeasible if and only if an attribute has fewer than p distinct values (Condition 1):
/// otherwise one cluster of all records is p-sensitive. Throws invalid_parameter unless 1 <= k <=
/// n, 1 <= p, there is an attribute, and the number of weights fits or is 0.
Partition enhanced_pk_clustering(const Table& table, const std::vector<Record>& rows,
                                 const std::vector<SensitiveAttribute>& sensitive,
                                 const PkOptions& options, Ticker& ticker);

/// GreedyPKClustering (A. Campan, T. M. Truta, J. Miller, R. Sinca: A clustering approach for
/// achieving data privacy. DMIN 2007). Clusters grow one after the other. Each starts at the record
/// farthest from the previous seed. The record that raises diversity most, and then information
/// loss least, joins it. The rest is dispersed. Arguments, errors and cost as for
/// enhanced_pk_clustering.
Partition greedy_pk_clustering(const Table& table, const std::vector<Record>& rows,
                               const std::vector<SensitiveAttribute>& sensitive,
                               const PkOptions& options, Ticker& ticker);

struct PkChoice {
  Partition partition;
  PkAlgorithm algorithm;
};

/// 'auto': the better of both algorithms for these data: more clusters (AVG), then less
/// discernibility, then less information loss, then the greedy one.
PkChoice better_pk_clustering(const Table& table, const std::vector<Record>& rows,
                              const std::vector<SensitiveAttribute>& sensitive,
                              const PkOptions& options, Ticker& ticker);

}  // namespace anonkit
