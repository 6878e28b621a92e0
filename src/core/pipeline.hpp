#pragma once

// The pipeline of the core: everything between reading and verifying.
//
// Phases: prepare (canonical order, scales, strata of nulls, space), partition (the method and its
// search, by stratum) and mask (rounded cells; equal classes united). Invariant: the result depends
// on the data, the options and the seed, but not on the order of the rows. Memory: a few numbers
// per row and column, and the method's own.
//
//   Options options;
//   options.k = 5;
//   const Anonymized release = anonymize(table, *find_method("mdav"), options, ticker);

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/method.hpp"
#include "metric/centroid_loss.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"

namespace anonkit {

/// The result of the core for a table. Rows are in the order in which they were read.
struct Anonymized {
  std::vector<Record> order;  ///< the row of each canonical index
  /// The published classes of rows, with classes of equal cells united; numbered by their first
  /// canonical index.
  Partition partition;
  Members members;  ///< rows of each class, in canonical order
  Masked masked;
  std::vector<Scale> scales;  ///< of the columns
  /// By row: its row of `masked`, kNone if suppressed; empty: the row of its class.
  std::vector<std::int32_t> cells_of;
  /// False if the records of a class have different published cells.
  bool classes_published = true;
  /// By class its random number; empty unless the classes are private. See recode/swapping.hpp.
  std::vector<std::int32_t> class_numbers;
  /// The loss of the published cells if these are centroids, rounded to the columns' types;
  /// otherwise of the centroids of the published classes. Null if the classes are not published.
  CentroidLoss loss = {kNull, kNull};
  double ncp = kNull;   ///< see mean_ncp: 0 .. 1; null if centroids are published
  double prec = kNull;  ///< see mean_prec: 0 .. 1; null without hierarchies
  /// Mean information loss per record, if classes are generalised; else null.
  double il = kNull;
  std::int64_t suppressed = 0;  ///< rows without a class
  /// See anonymize_within_budget: the squared error of all records less that of the published ones,
  /// as a share of SST; null without a budget.
  double saved = kNull;
  std::int64_t suppressed_cells = 0;  ///< cells nulled by nulls => 'stratify', or suppressed singly
  /// Certified: no classes of k records within the strata have a lower SSE, for any published
  /// cells. Null if not requested, or if records are suppressed.
  double lower_bound = kNull;
  bool lower_bound_reproducible = true;  ///< false if the clock ended the ascent
  bool reproducible = true;              ///< false if the clock ended the search
  bool exact = true;                     ///< see Classification
  /// By published class: its sensitive values are withheld; empty: none are. See
  /// transparent/withholding.hpp.
  std::vector<bool> withheld;

  /// By row of the table: its published row of `masked`, or kNone.
  const std::vector<std::int32_t>& cells() const {
    return cells_of.empty() ? partition.class_of : cells_of;
  }
  std::int32_t cells(std::size_t row) const { return cells()[row]; }
  /// True if the row is published without its sensitive values.
  bool withholds(std::size_t row) const {
    const ClassId c = partition.class_of[row];
    return !withheld.empty() && c != kNone && withheld[static_cast<std::size_t>(c)];
  }
};

/// Anonymizes the rows. If a larger table is given, promises about distributions are relative to
/// it, and records that cannot satisfy them are suppressed. The rows of `left_out`, ascending, have
/// no class; each stratum must keep k others or none. Throws Error if k is not within 1 .. rows,
/// without rows, or for nulls that the options do not allow.
Anonymized anonymize(const Table& table, const Method& method, const Options& options,
                     Ticker& ticker, const TableCounts* table_counts = nullptr,
                     const std::vector<Record>* left_out = nullptr);

/// Gives the rows of a result other classes, unless its method recoded them: by row its class or
/// kNone. Masks these, and measures the loss; the classes may be none.
void replace_classes(const Table& table, const Options& options,
                     const std::vector<ClassId>& class_of, Anonymized& result, Ticker& ticker);

/// The choices of a full-domain method: every generalisation by the columns' hierarchies, or every
/// minimal one. Throws like anonymize, and if the lattice is too large.
std::vector<NodeFigures> lattice_of(const Table& table, const Method& method,
                                    const Options& options, bool minimal_only, Ticker& ticker);

}  // namespace anonkit
