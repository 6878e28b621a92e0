#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/ticker.hpp"

namespace anonkit {

/// Counts work for a host. The count is the same on every machine.
class WorkCounter final : public Ticker {
 public:
  explicit WorkCounter(Ticker& host) : host_(host) {}

  /// The steps since the last call, in whole polls.
  std::int64_t take() { return std::exchange(steps_, 0); }

 protected:
  void poll() override {
    steps_ += kQuantum;
    host_.attend(workers_);
  }

 private:
  Ticker& host_;
  std::int64_t steps_ = 0;
};

/// The completed share of the work of a phase: by rounds, by steps and by the clock.
class Progress {
 public:
  /// At most so many of them in a phase. 0: any number.
  struct Limits {
    int rounds;
    double steps;
  };
  /// The part of the time of the clock that belongs to the phase.
  struct Span {
    double begin, length;
  };

  /// The clock may be empty. It must outlive the progress.
  Progress(const std::function<double()>& clock, Span span, Limits limits)
      : clock_(clock), span_(span), limits_(limits) {}
  Progress(std::function<double()>&&, Span, Limits) = delete;

  /// The share before another round, after so many further steps.
  double before_round(std::int64_t steps) {
    const double done = after(steps);
    ++round_;
    return done;
  }

  /// The share after so many further steps.
  double after(std::int64_t steps) {
    steps_ += static_cast<double>(steps);
    double done = 0;
    if (limits_.rounds > 0) done = static_cast<double>(round_) / limits_.rounds;
    if (limits_.steps > 0) done = std::max(done, steps_ / limits_.steps);
    const double gone = clock_ ? (clock_() - span_.begin) / span_.length : 0;
    if (gone <= done) return done;
    reproducible_ = false;
    return gone;
  }

  /// False if the clock has had a say.
  bool reproducible() const { return reproducible_; }

 private:
  const std::function<double()>& clock_;
  Span span_;
  Limits limits_;
  int round_ = 0;
  double steps_ = 0;
  bool reproducible_ = true;
};

}  // namespace anonkit
