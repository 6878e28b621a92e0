#pragma once

// anon_refresh_job: a refresh that is written down, whether it succeeds or fails.
//
// Phases: the refresh and its record in a subtransaction; a failure is undone, and its record takes
// the place of the work in the transaction. Both are committed before the error is raised again.
// The refresh of a distributed release has several steps, each such a phase; the record is with
// the last.
//
//   run_job({release, on_failure, spec, refresh});

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

enum class OnFailure : uint8 { keep, withdraw };

/// The choice that a text names; an error for any other text.
OnFailure on_failure_of(const char* text);

/// How far the steps of a distributed release are. Plain data.
struct Progress {
  Oid state;    ///< the table of the steps; InvalidOid before the first
  bool failed;  ///< the last step has committed a failure
};

/// A job. Plain data.
struct Job {
  Oid release;
  OnFailure on_failure;
  Jsonb* spec;
  /// Returns the figures; null after a step that is not the last.
  Jsonb* (*refresh)(Oid release, Progress& progress);
};

/// Runs the job and commits. The procedure was called outside of a transaction block, by the
/// owner of the release. Raises the error of a failed run with its public text.
void run_job(const Job& job);

}  // namespace anonkit::pg
