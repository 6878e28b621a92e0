#pragma once

#include "pipeline.hpp"

#include "reader.hpp"

namespace anonkit::pg {

/// The pipeline's result, before it is written. Plain data, but for what a memory context owns.
struct Run {
  Spec spec;
  Source source;
  Loaded loaded;
  const Anonymized* anonymized;
  int classes;
  Datum* cells;  ///< classes x quasi-identifiers: the masked values
  bool* nulls;
  int32* published_class;  ///< of each class: the class that GROUP BY makes of the masked values
  int published_classes;
  int64* published_sizes;  ///< of each published class
  TimestampTz started_at;  ///< when the stages began and ended
  TimestampTz read_at;
  TimestampTz masked_at;
  TimestampTz verified_at;
};

/// Reads, prepares, partitions, masks and verifies. The result lives in the current memory context.
/// Errors: as the stages say; check_violation if the masked values break the promise.
Run run_pipeline(Oid relation, Jsonb* spec, Spool spool);

/// Says at DEBUG1 how long reading, anonymizing, verifying and writing took; to be called last.
void report_stages(const Run& run);

}  // namespace anonkit::pg
