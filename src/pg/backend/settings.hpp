#pragma once

namespace anonkit::pg {

/// anonkit.progress_interval: milliseconds between progress notices; 0 turns them off.
extern int progress_interval;
/// anonkit.max_memory: the limit of one call, in kilobytes.
extern int max_memory;

}  // namespace anonkit::pg
