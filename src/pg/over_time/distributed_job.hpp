#pragma once

// The refresh of a distributed release as a job: the steps of anon_refresh_distributed; the end of
// steps that nobody takes.

#include "pg/schedule/job.hpp"

namespace anonkit::pg {

/// Takes the next step. Its error tells the SQLSTATE alone: the message may come from another
/// server, and hold a value.
Jsonb* refresh_distributed(Oid release, Progress& progress);

/// Drops the tables of a refresh that did not end.
void forget_steps(Oid release);

}  // namespace anonkit::pg
