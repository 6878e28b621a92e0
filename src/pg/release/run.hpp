#pragma once

// One run of the pipeline on a relation, up to the verified cells.
//
// Phases: read the relation, anonymize it in the core, convert cells to SQL values, verify every
// promise on them. Invariant: a run that returns has verified classes. Memory: the current memory
// context owns the run; columns that are only passed on are in a spool.
//
//   const Run run = run_pipeline(relation, spec, spool);
//   for (int64 row = 0; row < run.loaded.rows; ++row) write(run.cells_of(row));
//   report_stages(run);

#include <memory>

#include "pipeline.hpp"

#include "pg/read/reader.hpp"

namespace anonkit::pg {

/// The pipeline's result before writing. Plain data, except objects of a memory context.
struct Run {
  Spec spec;
  Source source;
  Loaded loaded;
  const Anonymized* anonymized;
  int cell_rows;  ///< rows of Anonymized::masked
  Datum* cells;   ///< cell_rows x quasi-identifiers: the masked values
  bool* nulls;
  int32* published_order;  ///< the rows of cells, in the order of their published values
  int32* published_class;  ///< by row of cells: its class under GROUP BY, or its private one where
                           ///< records have cells of their own
  int32* record_of_cells;  ///< by row of cells: the row whose record it is; null unless each record
                           ///< has its own
  int published_classes;
  int64* published_sizes;  ///< by published class
  bool* withheld;          ///< by published class: sensitive values are withheld
  int* published_breaks;   ///< by published class: the first column in which it differs from the
                           ///< one before
  TimestampTz started_at;  ///< begins and ends of the stages
  TimestampTz read_at;
  TimestampTz masked_at;
  TimestampTz verified_at;

  /// The first published cell of a row of the source, or null if the row is suppressed.
  const Datum* cells_of(int64 row) const {
    const std::int32_t at = anonymized->cells(static_cast<std::size_t>(row));
    return at == kNone ? nullptr : cells + int64{at} * source.quasi_identifiers;
  }
  const bool* nulls_of(const Datum* row_of_cells) const { return nulls + (row_of_cells - cells); }
  /// The published class of a row; kNone if it is not published.
  int32 published_class_of(int64 row) const {
    const std::int32_t at = anonymized->cells(static_cast<std::size_t>(row));
    return at == kNone ? kNone : published_class[at];
  }
  /// The random number of the private class of a row of cells.
  int32 class_number_of(const Datum* row_of_cells) const {
    const int32 c = published_class[(row_of_cells - cells) / source.quasi_identifiers];
    return anonymized->class_numbers[static_cast<std::size_t>(c)];
  }
  /// The fingerprint of a row's published values beside the masked ones.
  const Fingerprint& fingerprint_of(int64 row) const {
    return withholds(row) ? loaded.kept_fingerprints[row] : loaded.fingerprints[row];
  }
  /// True if the row is published without its sensitive values.
  bool withholds(int64 row) const {
    const int32 c = published_class_of(row);
    return c != kNone && withheld[c];
  }
};

/// Seconds of the clock.
struct StageSeconds {
  double reading;
  double anonymizing;
  double verifying;
};

/// A run that has read no rows yet.
Run begin_run(Oid relation, const Spec& spec);

/// Reads the relation. With Excess::sample, one that is larger than anonkit.max_memory leaves a
/// sample.
void read_rows(Run& run, Spool spool, Excess excess);

/// Reads, prepares, partitions, masks and verifies. The result lives in the current memory context.
/// Errors: those of the stages; check_violation if the masked values break a promise.
Run run_pipeline(Oid relation, const Spec& spec, Spool spool);

/// Runs the stages after reading, on rows that the caller has read into the run. An error if no
/// classes keep the promises.
void require_run(Run& run);

/// Masks and verifies classes of the rows read that the caller has formed.
void take_classes(Run& run, std::unique_ptr<Anonymized> formed);

/// The stages of a run up to the verification.
StageSeconds stages_of(const Run& run);

/// Reports the times of reading, anonymizing, verifying and writing: at DEBUG1, or in the server's
/// log if anonkit.log_min_duration asks for it. Called last, since the rest of the time is that of
/// writing. `parts` is 1 if the table was in memory.
void report_stages(Oid relation, int64 rows, int32 parts, TimestampTz started_at,
                   const StageSeconds& stages);
void report_stages(const Run& run);

}  // namespace anonkit::pg
