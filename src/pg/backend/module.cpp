#include <algorithm>

#include "pg/backend/pg.hpp"
#include "pg/backend/settings.hpp"

extern "C" {
#include "access/parallel.h"

PG_MODULE_MAGIC;
}

namespace anonkit::pg {
int progress_interval = 10000;
bool show_progress = false;
int log_min_duration = -1;
int max_memory = 4 * 1024 * 1024;
namespace {
int threads = -1;
constexpr int kMostThreads = 64;
}  // namespace

int thread_count() {
  if (IsParallelWorker()) return 1;
  return std::max(1, threads < 0 ? max_parallel_maintenance_workers : threads);
}
}  // namespace anonkit::pg

void _PG_init(void) {
  using namespace anonkit::pg;
  DefineCustomIntVariable("anonkit.progress_interval",
                          "Sets the time between progress notices of a running anonymization.",
                          "Zero turns them off.", &progress_interval, progress_interval, 0, INT_MAX,
                          PGC_USERSET, GUC_UNIT_MS, nullptr, nullptr, nullptr);
  DefineCustomBoolVariable(
      "anonkit.show_progress", "Shows other sessions how far a running anonymization has come.",
      "Stage and percentage are at the end of application_name in pg_stat_activity.",
      &show_progress, show_progress, PGC_USERSET, 0, nullptr, nullptr, nullptr);
  DefineCustomIntVariable(
      "anonkit.log_min_duration",
      "Sets the least duration of an anonymization whose times are written to the server's log.",
      "-1 turns it off.", &log_min_duration, log_min_duration, -1, INT_MAX, PGC_SUSET, GUC_UNIT_MS,
      nullptr, nullptr, nullptr);
  DefineCustomIntVariable("anonkit.max_memory",
                          "Sets the most memory that one anonymization may need.",
                          "Larger releases whose promises are about one class after another are "
                          "formed in parts; other work that would need more is refused.",
                          &max_memory, max_memory, 1024, MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB,
                          nullptr, nullptr, nullptr);
  DefineCustomIntVariable(
      "anonkit.threads", "Sets the number of threads that one anonymization may use.",
      "-1 is max_parallel_maintenance_workers. A release does not depend on it.", &threads, threads,
      -1, kMostThreads, PGC_USERSET, 0, nullptr, nullptr, nullptr);
  reserve_settings_prefix("anonkit");
}
