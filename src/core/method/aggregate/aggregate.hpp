#pragma once

// k-anonymity against attackers who know an aggregate f of a record's quasi-identifiers (O.
// Gkountouna, K. Lepenioti, M. Terrovitis: Privacy against aggregate knowledge attacks. 2013).
//
// Phases: sort the records by f; form classes as runs in that order; choose the attributes that
// each class generalises, until the guarantee (ClassConstraint) holds. Invariant: a class either
// generalises an attribute for all its records or for none. Memory: 8 (m + functions) bytes per
// record; 'optimal' adds at most 64 MB.
//
//   AggregateOptions options;
//   options.k = 5, options.functions = {aggregate_function("sum", records.attributes)};
//   const AggregateRelease release = anonymize_aggregate(records, options, ticker);

#include <cstdint>
#include <vector>

#include "base/aggregate_function.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"

namespace anonkit {

enum class AggregateAlgorithm : std::uint8_t { greedy, optimal, best };

/// The reference of a range in NCP: its own attribute's range over all records, or the range of all
/// values of all attributes. The paper uses the latter, since its attributes share one domain.
enum class NcpDomain : std::uint8_t { attribute, common };

struct AggregateOptions {
  std::int32_t k = 0;
  std::vector<AggregateFunction> functions;  ///< the guarantee holds for each and for all at once
  double d = 0;
  AggregateGuarantee guarantee = AggregateGuarantee::candidates;
  AggregateAlgorithm algorithm = AggregateAlgorithm::optimal;
  NcpDomain domain = NcpDomain::attribute;  ///< the loss that the algorithm minimises
  /// The least number of distinct sensitive values among the candidates of each attacker
  /// (p-sensitivity, equal to distinct l-diversity).
  std::int32_t p = 1;
};

/// The records to be published, in canonical order: a view of memory that the caller owns.
struct AggregateRecords {
  Record size = 0;
  int attributes = 0;
  const double* values = nullptr;           ///< size x attributes, row-major, finite
  const std::int32_t* sensitive = nullptr;  ///< a code >= 0 per record, or null
};

/// A class's generalised attributes, bit j for attribute j.
using AttributeSet = std::uint64_t;
constexpr int kMostAttributes = 64;

/// The release: attribute j of record i is published as the range of its class if the class
/// generalises j, else as [v, v].
struct AggregateRelease {
  Partition partition;                    ///< classes numbered by their first record
  std::vector<AttributeSet> generalised;  ///< one per class
  std::vector<double> low, high;          ///< classes x attributes: the class's ranges
  double ncp = 0;                         ///< mean over all cells, each attribute by its own range
  double ncp_common = 0;  ///< mean over all cells, one domain range for all attributes
  /// False if 'optimal' searched only some of the attribute sets, because of more than 12
  /// attributes or a very large k.
  bool exact = true;
};

/// Masks the records so that the guarantee holds for every function. Except for 'best', classes are
/// runs of k to 2k-1 records in the order of the functions' values; only p makes them longer.
///   greedy   Algorithm 1 of the paper
///   optimal  the class boundaries and attribute sets of least NCP; never worse than greedy
///   best     the better of optimal and classes of any records (free_classes.hpp)
/// Sums are exact if the values have at most 9 digits after the point (and 15 in all), else on a
/// grid of 2^-53 of the largest possible sum.
///
/// Throws invalid_parameter if k, d or p is outside its domain, k is above the number of records,
/// or there is no function. It also does for fewer than 2 attributes or more than 64. Throws
/// invalid_data without records or if a value is not finite, and infeasible for fewer than p
/// sensitive values. O(n log n) and per function, greedy, O(n m^2 log k); optimal, O(n k
/// 2^min(m,12)).
AggregateRelease anonymize_aggregate(const AggregateRecords& records,
                                     const AggregateOptions& options, Ticker& ticker);

}  // namespace anonkit
