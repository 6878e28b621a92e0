#pragma once

// The history of a release: an item 'run' of its companion for each run of anon_refresh_job.
//
// Its owner may write to the companion, so a reader takes any content: what has another form is
// null.
//
//   await_turn(companion);
//   record_run(companion, run);
//   put_runs(companion, result);  // the rows of anon_history

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A run that ends now. Plain data.
struct JobRun {
  TimestampTz started;
  const char* fingerprint;  ///< of the spec
  const ErrorData* error;   ///< null: success
  Jsonb* figures;           ///< null: failure
  int withdrawn;            ///< the rights that this run has withdrawn
};

/// Excludes other writers of the companion until the transaction ends, so that two runs never have
/// one number.
void await_turn(Oid companion);

/// Writes a run with the next number. The caller has its turn.
void record_run(Oid companion, const JobRun& run);

/// Puts the rows of anon_history, the first run first.
void put_runs(Oid companion, ReturnSetInfo* result);

}  // namespace anonkit::pg
