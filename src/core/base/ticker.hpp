#pragma once

#include <cstdint>

namespace anonkit {

/// The one hook through which the core talks to its host while it works: the host may end the work
/// (by throwing from poll) and may report progress. Every loop whose length depends on the data
/// calls step() with the work it has done, in units of about a nanosecond (one coordinate of one
/// distance), so that a cancel is honoured long before 100 ms have passed.
class Ticker {
 public:
  virtual ~Ticker() = default;

  /// Counts work done; hands over to the host about every quarter of a million units.
  void step(std::int64_t work) {
    pending_ += work;
    if (pending_ >= kQuantum) {
      pending_ = 0;
      poll();
    }
  }

  /// Names the stage of the pipeline that begins and the number of things it will handle (records,
  /// moves, nodes), or 0 where that is not known beforehand.
  void begin(const char* stage, std::int64_t total) {
    stage_ = stage;
    total_ = total;
    done_ = 0;
  }

  /// Adds to the number of things that the current stage has handled.
  void advance(std::int64_t things) { done_ += things; }

 protected:
  /// May throw to end the work.
  virtual void poll() = 0;

  const char* stage_ = "";
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;

 private:
  static constexpr std::int64_t kQuantum = std::int64_t{1} << 18;
  std::int64_t pending_ = 0;
};

/// A host that never interferes: for tests and benchmarks.
class SilentTicker final : public Ticker {
 protected:
  void poll() override {}
};

}  // namespace anonkit
