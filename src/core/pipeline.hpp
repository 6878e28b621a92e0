#pragma once

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/method.hpp"
#include "metric/centroid_loss.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"

namespace anonkit {

/// What the core makes of a table. Rows are the table's, in the order in which they were read.
struct Anonymized {
  std::vector<Record> order;  ///< the row of each canonical index
  /// Of rows: the classes that are published, those whose cells came out equal as one; numbered by
  /// their first canonical index.
  Partition partition;
  Members members;  ///< rows of each class, in canonical order
  Masked masked;
  std::vector<Scale> scales;  ///< of the columns
  /// Of each row its row of `masked`, kNone if it is left out; empty: that of its class.
  std::vector<std::int32_t> cells_of;
  /// False if the records of a class are not published alike.
  bool classes_published = true;
  /// Of the published cells where they are centroids, as the columns' types hold them; else of the
  /// centroids of the published classes. Null if the classes are not published.
  CentroidLoss loss = {kNull, kNull};
  double ncp = kNull;   ///< see mean_ncp: 0 .. 1; null if centroids are published
  double prec = kNull;  ///< see mean_prec: 0 .. 1; null without hierarchies
  /// Mean information loss of a record, where classes are generalised; else null.
  double il = kNull;
  std::int64_t suppressed = 0;  ///< rows that are in no class
  std::int64_t suppressed_cells =
      0;  ///< cells made null (nulls => 'stratify'), or suppressed on their own
  /// Certified: no classes of k records within the strata have a lower SSE, whatever is published
  /// of them. Null if not asked, or if records are left out.
  double lower_bound = kNull;
  bool lower_bound_reproducible = true;  ///< false if the clock ended raising it
  bool reproducible = true;              ///< false if the clock ended the search
  bool exact = true;                     ///< see Classification

  /// Of each row of the table the row of `masked` that is published, or kNone.
  const std::vector<std::int32_t>& cells() const {
    return cells_of.empty() ? partition.class_of : cells_of;
  }
  std::int32_t cells(std::size_t row) const { return cells()[row]; }
};

/// The records of each rank of each sensitive attribute in a larger table, that the rows are to be
/// like.
using Whole = std::vector<std::vector<std::int64_t>>;

/// prepare -> partition -> mask: everything between reading and verifying. Where a larger table is
/// given, promises about the distribution are relative to it, and records that cannot keep them are
/// left out.
/// Throws Error: k is not within 1 .. rows, no rows, nulls that the options do not allow.
Anonymized anonymize(const Table& table, const Method& method, const Options& options,
                     Ticker& ticker, const Whole* whole = nullptr);

/// What a full-domain method chooses from: every generalisation by the columns' hierarchies, or
/// every minimal one. Throws as anonymize does, and if the lattice is too large.
std::vector<NodeFigures> lattice_of(const Table& table, const Method& method,
                                    const Options& options, bool minimal_only, Ticker& ticker);

}  // namespace anonkit
