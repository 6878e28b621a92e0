#pragma once

#include "method/pkclustering/clusters.hpp"
#include "method/pkclustering/pk_clustering.hpp"

namespace anonkit {

/// Condition 2 for one attribute.
struct AttributeCapacity {
  Record max_clusters = 0;
  /// The fewest rarest values, from the (p-i+1)-th most frequent one on, with at most i records per
  /// cluster.
  std::int32_t i_value = 0;
};

/// The values of the i-th attribute by descending frequency, ties to the lower one, each with its
/// records, ascending: SEC of section 2.2. O(n log n).
std::vector<std::vector<Record>> sensitive_classes(const SensitiveCodes& sensitive, std::size_t i,
                                                   Record records);

/// Condition 2 for an attribute with these SEC, of which there are at least p. The paper uses
/// cumulated frequencies over all attributes; here those of the attribute itself ensure Property 2.
/// O(p).
AttributeCapacity capacity_of(const std::vector<std::vector<Record>>& classes, std::int32_t p,
                              Record records);

/// Throws Error unless the parameters are valid and Condition 1 holds.
void check_options(const Table& table, const std::vector<Record>& rows,
                   const std::vector<SensitiveAttribute>& sensitive, const PkOptions& options);
/// Throws infeasible, with the largest possible p, if an attribute has fewer than p values.
void check_condition_1(const Table& table, const SensitiveCodes& sensitive);

}  // namespace anonkit
