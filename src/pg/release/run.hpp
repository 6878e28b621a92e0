#pragma once

#include "pipeline.hpp"

#include "pg/read/reader.hpp"

namespace anonkit::pg {

/// The pipeline's result, before it is written. Plain data, but for what a memory context owns.
struct Run {
  Spec spec;
  Source source;
  Loaded loaded;
  const Anonymized* anonymized;
  int cell_rows;  ///< rows of Anonymized::masked
  Datum* cells;   ///< cell_rows x quasi-identifiers: the masked values
  bool* nulls;
  int32* published_class;  ///< of each row of cells: the class that GROUP BY makes of them
  int published_classes;
  int64* published_sizes;  ///< of each published class
  int* published_breaks;   ///< of each the first quasi-identifier that the class before it has not
  TimestampTz started_at;  ///< when the stages began and ended
  TimestampTz read_at;
  TimestampTz masked_at;
  TimestampTz verified_at;

  /// The first cell that is published of a row of the source, or null if the row is suppressed.
  const Datum* cells_of(int64 row) const {
    const std::int32_t at = anonymized->cells(static_cast<std::size_t>(row));
    return at == kNone ? nullptr : cells + int64{at} * source.quasi_identifiers;
  }
  const bool* nulls_of(int64 row) const { return nulls + (cells_of(row) - cells); }
  /// The class of a row as GROUP BY sees it; kNone if it is not published.
  int32 published_class_of(int64 row) const {
    const std::int32_t at = anonymized->cells(static_cast<std::size_t>(row));
    return at == kNone ? kNone : published_class[at];
  }
};

/// Reads, prepares, partitions, masks and verifies. The result lives in the current memory context.
/// Errors: as the stages say; check_violation if the masked values break the promise.
Run run_pipeline(Oid relation, const Spec& spec, Spool spool);

/// The stages after reading, of rows that a caller has read into the run. False, and nothing made,
/// if no classes of these rows keep what is promised.
bool finish_run(Run& run);

/// The same, but an error if no classes keep what is promised.
void require_run(Run& run);

/// Says at DEBUG1 how long reading, anonymizing, verifying and writing took; to be called last.
void report_stages(const Run& run);

}  // namespace anonkit::pg
