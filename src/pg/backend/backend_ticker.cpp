#include "pg/backend/backend_ticker.hpp"

#include "pg/backend/settings.hpp"
#include "pg/backend/wait_event.hpp"

namespace anonkit::pg {
namespace {

TimestampTz after_interval(TimestampTz now) {
  return TimestampTzPlusMilliseconds(now, progress_interval);
}

}  // namespace

BackendTicker::BackendTicker() : next_report_(after_interval(GetCurrentTimestamp())) {}

BackendTicker::~BackendTicker() {
  hide_wait_event();
}

void BackendTicker::poll() {
  if ((ProcDiePending || ClientConnectionLost) && INTERRUPTS_CAN_BE_PROCESSED())
    throw Termination();
  if (INTERRUPTS_PENDING_CONDITION()) call_backend([] { CHECK_FOR_INTERRUPTS(); });
  if (stage_ != shown_) {
    const char* stage = shown_ = stage_;
    call_backend([=] { show_wait_event(stage); });
  }
  if (progress_interval == 0) return;
  const TimestampTz now = GetCurrentTimestamp();
  if (now < next_report_) return;
  next_report_ = after_interval(now);
  report();
}

void BackendTicker::report() const {
  const char* stage = stage_;
  const long long done = done_;
  const long long total = total_;
  call_backend([=] {
    if (total > 0)
      ereport(NOTICE, errmsg("anonkit: %s: %lld of %lld", stage, done, total));
    else
      ereport(NOTICE, errmsg("anonkit: %s: %lld", stage, done));
  });
}

}  // namespace anonkit::pg
