#pragma once

#include "base/ticker.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The backend as the core's host. It services interrupts (cancel, statement_timeout, terminate)
/// and reports progress: the stage as a wait event, NOTICE lines at most once per
/// anonkit.progress_interval, and application_name if anonkit.show_progress is on.
class BackendTicker final : public Ticker {
 public:
  BackendTicker();
  ~BackendTicker() override;
  BackendTicker(const BackendTicker&) = delete;
  BackendTicker& operator=(const BackendTicker&) = delete;

 protected:
  void poll() override;

 private:
  int percent() const;
  void show_stage();
  void report() const;

  TimestampTz next_report_;
  const char* shown_ = "";      ///< the stage that is the wait event
  int shown_percent_ = -1;      ///< the percentage in application_name
  bool names_session_ = false;  ///< application_name is changed
};

}  // namespace anonkit::pg
