#pragma once

#include <cstdint>

namespace anonkit {

/// Threads that work for a call.
class Workers {
 public:
  virtual ~Workers() = default;
  /// Returns when none of them runs any more.
  virtual void end() noexcept = 0;
};

/// The only hook from the core to its host during long computations. The host may end the work (by
/// throwing from poll) and may report progress. Every loop whose length depends on the data calls
/// step() with its work, in units of about a nanosecond (one coordinate of one distance). So a
/// cancel takes effect well within 100 ms.
class Ticker {
 public:
  virtual ~Ticker() = default;

  /// Counts work, and calls poll() about every quarter of a million units.
  void step(std::int64_t work) {
    pending_ += work;
    if (pending_ >= kQuantum) {
      pending_ = 0;
      poll();
    }
  }

  /// Polls at once, for a caller that waits while threads work. A host that ends the process, which
  /// frees what they read, ends them first.
  void attend(Workers* workers = nullptr) {
    const Waiting waiting(*this, workers);
    poll();
  }

  /// Announces the next stage of the pipeline and its number of items (records, moves, nodes), or 0
  /// if that number is unknown beforehand.
  void begin(const char* stage, std::int64_t total) {
    stage_ = stage;
    total_ = total;
    done_ = 0;
  }

  /// Adds to the number of items that the current stage has handled.
  void advance(std::int64_t things) { done_ += things; }

 protected:
  /// The steps between two polls.
  static constexpr std::int64_t kQuantum = std::int64_t{1} << 18;

  /// May throw to end the work.
  virtual void poll() = 0;

  const char* stage_ = "";
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  Workers* workers_ = nullptr;  ///< while the caller waits for them

 private:
  /// The time of a poll for a caller that waits.
  class Waiting {
   public:
    Waiting(Ticker& ticker, Workers* workers) : ticker_(ticker) { ticker_.workers_ = workers; }
    ~Waiting() { ticker_.workers_ = nullptr; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    Ticker& ticker_;
  };

  std::int64_t pending_ = 0;
};

/// A host that never interferes, for tests and benchmarks.
class SilentTicker final : public Ticker {
 protected:
  void poll() override {}
};

}  // namespace anonkit
