#pragma once

// The refresh of a distributed release as a job: the steps of anon_refresh_distributed.

#include "pg/schedule/job.hpp"

namespace anonkit::pg {

/// Takes the next step. Its error tells the SQLSTATE alone: the message may come from another
/// server, and hold a value.
Jsonb* refresh_distributed(Oid release, Progress& progress);

}  // namespace anonkit::pg
