#pragma once

#include "base/ticker.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The backend as the core's host. It services interrupts (cancel, statement_timeout, terminate)
/// and reports progress as NOTICE lines, at most once per anonkit.progress_interval.
class BackendTicker final : public Ticker {
 public:
  BackendTicker();

 protected:
  void poll() override;

 private:
  void report() const;

  TimestampTz next_report_;
};

}  // namespace anonkit::pg
