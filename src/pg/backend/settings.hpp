#pragma once

namespace anonkit::pg {

/// anonkit.progress_interval: milliseconds between progress notices; 0 turns them off.
extern int progress_interval;
/// anonkit.show_progress: stage and percentage at the end of application_name while a call runs.
extern bool show_progress;
/// anonkit.log_min_duration: calls of at least this many milliseconds write their times to the
/// server's log; -1: none.
extern int log_min_duration;
/// anonkit.max_memory: the limit of one call, in kilobytes.
extern int max_memory;

/// The number of threads that one call may use: anonkit.threads, or
/// max_parallel_maintenance_workers if that is -1; one in a parallel worker.
int thread_count();

}  // namespace anonkit::pg
