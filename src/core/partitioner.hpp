#pragma once

// The partition step of the pipeline: strata of records to classes, by a method and its search.
//
// Phases for a stratum: its space and sensitive attributes are posed as a problem. Classes are
// formed of all records at once, in blocks, in sets (transparent releases) or in parts
// ((n,t)-closeness). Classes that rounding would break are repaired. Invariant: the classes keep
// all promises, or have no records.
//
//   Partitioner partitioner({table, scales, method, options}, result, ticker);
//   const Classification formed = partitioner.form(stratum);

#include <functional>
#include <vector>

#include "method/histories.hpp"
#include "method/method.hpp"
#include "metric/bound/implied_constraints.hpp"
#include "pipeline.hpp"
#include "table/nulls/strata.hpp"
#include "transparent/adapted_classes.hpp"

namespace anonkit {

/// The columns of a stratum, in the order of all columns.
std::vector<std::size_t> in_order(const std::vector<std::size_t>& all, const Stratum& stratum);

/// The input of a partition. The objects outlive it.
struct PartitionInput {
  const Table& table;
  const std::vector<Scale>& scales;
  const Method& method;
  const Options& options;
  const TableCounts* table_counts = nullptr;  ///< of a larger table, or null
  /// True if the larger table consists of the strata: each can keep the promises as one class.
  bool stratified = false;
  /// A transparent release's table and options with the promises that the method does not see, if
  /// they cut its sets; or null.
  const Table* unseen_table = nullptr;
  const Options* unseen_options = nullptr;
};

/// Partitions one stratum after the other, and notes in the result how it was done.
class Partitioner {
 public:
  Partitioner(const PartitionInput& input, Anonymized& result, Ticker& ticker);

  Classification form(const Stratum& stratum);

  /// Calls `use` with the stratum's problem.
  void solve(const Stratum& stratum, const std::function<void(const Problem&)>& use);

 private:
  void pose(const Stratum& records, const std::function<void(const Problem&)>& use);
  Classification form_together(const Stratum& stratum);
  Partition form_persons(const PersonTable& persons, const KeepPromises& keep);
  std::vector<std::int32_t> units_of(const Stratum& records) const;
  void add_bound(const Problem& problem);
  ImpliedConstraints constraints_of_bound(const Problem& problem) const;
  Classification form_divided(const Problem& problem);
  Classification form_classes(const Problem& problem);
  Classification checked(const Problem& problem, Classification formed);
  Classification form_parts(const Problem& whole);
  Classification form_adapted(const Problem& whole, const Stratum& records);
  Partition form_in_set(const std::vector<Record>& set, Record k, const Stratum& records,
                        Record table_records);
  std::vector<SensitiveAttribute> sensitive_of(const Stratum& records) const;

  const PartitionInput input_;
  const Table& table_;
  const Options& options_;
  const std::function<double()> clock_;
  Anonymized& result_;
  Ticker& ticker_;
};

}  // namespace anonkit
