#include "pg/backend/backend_ticker.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/settings.hpp"
#include "pg/backend/wait_event.hpp"

extern "C" {
#include "mb/pg_wchar.h"
#include "storage/ipc.h"
#include "utils/backend_status.h"
}

namespace anonkit::pg {
namespace {

constexpr int kNoPercentage = -1;

TimestampTz after_interval(TimestampTz now) {
  return TimestampTzPlusMilliseconds(now, progress_interval);
}

/// Other sessions see NAMEDATALEN - 1 bytes of a name, so a long one is cut and the progress is
/// not. Raises no error.
void name_session(const char* stage, int percent) {
  char progress[NAMEDATALEN];
  if (percent == kNoPercentage)
    snprintf(progress, sizeof progress, " [anonkit: %s]", stage);
  else
    snprintf(progress, sizeof progress, " [anonkit: %s %d %%]", stage, percent);
  const int room = NAMEDATALEN - 1 - static_cast<int>(std::strlen(progress));
  const int length = static_cast<int>(std::strlen(application_name));
  const int kept = length <= room ? length : pg_mbcliplen(application_name, length, room);
  char name[NAMEDATALEN];
  snprintf(name, sizeof name, "%.*s%s", kept, application_name, progress);
  pgstat_report_appname(name);
}

/// Runs before a session that ends aborts its transaction.
void end_workers(int, Datum workers) {
  reinterpret_cast<Workers*>(DatumGetPointer(workers))->end();
}

/// A terminated session, a lost client, a timeout or a recovery conflict ends the process in here
/// without unwinding its frames, and takes from threads the memory that they read.
void serve_interrupts(Workers* workers) {
  if (workers == nullptr) {
    CHECK_FOR_INTERRUPTS();
    return;
  }
  PG_ENSURE_ERROR_CLEANUP(end_workers, PointerGetDatum(workers));
  { CHECK_FOR_INTERRUPTS(); }
  PG_END_ENSURE_ERROR_CLEANUP(end_workers, PointerGetDatum(workers));
}

}  // namespace

BackendTicker::BackendTicker() : next_report_(after_interval(GetCurrentTimestamp())) {}

BackendTicker::~BackendTicker() {
  hide_wait_event();
  if (names_session_) pgstat_report_appname(application_name);
}

void BackendTicker::poll() {
  if (INTERRUPTS_PENDING_CONDITION()) {
    Workers* workers = workers_;
    call_backend([=] { serve_interrupts(workers); });
  }
  show_stage();
  if (progress_interval == 0) return;
  const TimestampTz now = GetCurrentTimestamp();
  if (now < next_report_) return;
  next_report_ = after_interval(now);
  report();
}

int BackendTicker::percent() const {
  if (total_ <= 0) return kNoPercentage;
  return static_cast<int>(100.0 * static_cast<double>(std::min(done_, total_)) /
                          static_cast<double>(total_));
}

void BackendTicker::show_stage() {
  const bool begins = stage_ != shown_;
  if (begins) {
    const char* stage = shown_ = stage_;
    call_backend([=] { show_wait_event(stage); });
  }
  if (!show_progress) return;
  const int percentage = percent();
  if (!begins && percentage == shown_percent_) return;
  shown_percent_ = percentage;
  names_session_ = true;
  name_session(stage_, percentage);
}

void BackendTicker::report() const {
  const char* stage = stage_;
  const long long done = done_;
  const long long total = total_;
  const int percentage = percent();
  call_backend([=] {
    if (total > 0)
      ereport(NOTICE, errmsg("anonkit: %s: %lld of %lld (%d %%)", stage, done, total, percentage));
    else
      ereport(NOTICE, errmsg("anonkit: %s: %lld", stage, done));
  });
}

}  // namespace anonkit::pg
