#pragma once

#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The table without its sensitive columns.
Table without_values(Table table);

/// The options without promises on sensitive values.
Options without_promises(Options options);

/// The options and the table without sensitive values and promises on them, for the method of a
/// transparent release.
struct SeenByMethod {
  Table table;
  Options options;

  SeenByMethod(const Table& table, const Options& options);
};

/// Throws invalid_parameter if a class divides records that are equal in all quasi-identifiers:
/// their order, and so the classes, might depend on their values. `order`: the rows in canonical
/// order; `partition`: of rows. O(rows * columns).
void require_undivided(const Table& table, const std::vector<Record>& order,
                       const Partition& partition);

/// The classes, of rows, that break a promise on sensitive values. Promises about distributions are
/// relative to the larger table. O(rows log rows).
std::vector<bool> broken_classes(const Table& table, const Members& members, const Options& options,
                                 const TableCounts* table_counts, Ticker& ticker);

/// The classes that several formed classes make up, since those have equal cells. `formed`: the
/// class of each record as it was formed; `published`: of the same records. O(records).
std::vector<bool> united_classes(const std::vector<ClassId>& formed, const Partition& published);

/// The classes of a transparent release that withhold their sensitive values: those that break a
/// promise, those of `united`, and decoys. A class that keeps all promises is a decoy with a given
/// probability, by a hash of its published cells, keyed by the seed. So a class keeps its coin when
/// others change.
///
/// The release is transparent: it has the same probability for any two assignments of sensitive
/// values that differ by a permutation within published classes. For the classes, and with them the
/// coins, do not depend on the assignment of values to records. A class keeps its promises as a
/// function of its values as a multiset. So an adversary who knows the code, all quasi-identifiers
/// and all other values learns of a published class no more than its multiset.
///
/// Adapted classes depend on the multisets of sets. Where classes of several sets have equal cells,
/// values that change hands between them would change these multisets. So the caller lists them in
/// `united`: each class that shows its values lies in one set then.
///
/// `members`: rows of each class; `masked`: its cells; `united`: by class, or empty. Throws
/// infeasible if no class keeps the promises. O(rows log rows).
std::vector<bool> withheld_classes(const Table& table, const Members& members, const Masked& masked,
                                   const std::vector<bool>& united, const Options& options,
                                   Ticker& ticker);

}  // namespace anonkit
