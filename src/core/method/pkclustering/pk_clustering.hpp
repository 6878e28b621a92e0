#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/table.hpp"

namespace anonkit {

/// What p-sensitive k-anonymous clusters have to be.
struct PkDemand {
  Record k = 1;
  std::int32_t p = 1;
  /// The weights w of Definition 11, one for each sensitive attribute, above 0; empty: all alike.
  std::vector<double> weights = {};
};

enum class PkAlgorithm : std::uint8_t { enhanced, greedy };

/// p-sensitive k-anonymous clusters of the table's rows. Record i is rows[i], in canonical order;
/// `sensitive` has its sensitive values in that order, and is named like `table.sensitive`,
/// where that has them. With strong values the clusters are extended p-sensitive. Quasi-identifiers
/// are generalised to ranges (numbers, ordered categories) and lowest common ancestors
/// (hierarchies; nominal categories have a flat one), and the information loss of Definition 9 is
/// counted on a grid of 2^-24.
///
/// Throws infeasible if an attribute has fewer than p distinct values (Condition 1), and only then:
/// one cluster of all records is p-sensitive otherwise. Throws invalid_parameter unless
/// 1 <= k <= n, 1 <= p, there is an attribute, and there are as many weights, or none.
///
/// T. M. Truta, A. Campan, P. Meyer: Generating microdata with p-sensitive k-anonymity property.
/// SDM 2007. EnhancedPKClustering, section 3.2: the rarer values of the attribute that is hardest
/// to make sensitive are dealt out to as many clusters as Condition 2 allows, then p-sensitivity is
/// completed, then k. O(n^2 * columns) at worst; records alike are looked at once.
Partition enhanced_pk_clustering(const Table& table, const std::vector<Record>& rows,
                                 const std::vector<SensitiveAttribute>& sensitive,
                                 const PkDemand& demand, Ticker& ticker);

/// GreedyPKClustering (A. Campan, T. M. Truta, J. Miller, R. Sinca: A clustering approach for
/// achieving data privacy. DMIN 2007): clusters grow one after the other, each from the record that
/// is farthest from the seed before, by the record that raises diversity most and, of such,
/// information loss least. What is left is dispersed. As the function above in all else.
Partition greedy_pk_clustering(const Table& table, const std::vector<Record>& rows,
                               const std::vector<SensitiveAttribute>& sensitive,
                               const PkDemand& demand, Ticker& ticker);

struct PkChoice {
  Partition partition;
  PkAlgorithm algorithm;
};

/// 'auto': the better of the two for these data: more clusters (AVG), then less discernibility,
/// then less information loss, then the greedy one.
PkChoice better_pk_clustering(const Table& table, const std::vector<Record>& rows,
                              const std::vector<SensitiveAttribute>& sensitive,
                              const PkDemand& demand, Ticker& ticker);

}  // namespace anonkit
