#pragma once

// Independent tasks on several threads of one process.
//
// Phases: the caller blocks all signals and starts the threads, which inherit that. Each thread
// takes the next task until none is left. The caller waits and polls its host. Invariants: threads
// never call the host, since a task gets a ticker of its own. All threads have ended when the call
// returns or throws, and when a host that ends the process has called Workers::end. Which exception
// is thrown does not depend on the number of threads. Memory: a stack per thread.
//
//   run_tasks(blocks.size(), options.threads, ticker, [&](std::size_t i, Ticker& own) {
//     classes[i] = form(blocks[i], own);  // tasks share nothing that any of them changes
//   });

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// A task by its number, from 0. Its loops step the ticker that it is given, which throws once the
/// task is no longer wanted; a task lets that exception pass.
using Task = std::function<void(std::size_t, Ticker&)>;

/// Runs the tasks on up to `threads` threads, or in the caller if that is one or no thread can be
/// started. Throws the exception of the host's poll, else that of the first task, in their order,
/// that fails. Tasks after a failed one are not completed, those before it are.
void run_tasks(std::size_t count, int threads, Ticker& host, const Task& task);

/// Lets a host end the work, and hides the number of tasks from its report.
class UnreportedTicker final : public Ticker {
 public:
  explicit UnreportedTicker(Ticker& host) : host_(host) {}

 protected:
  void poll() override { host_.attend(workers_); }

 private:
  Ticker& host_;
};

/// Runs the tasks as run_tasks does, without a report of their number.
void run_unreported_tasks(std::size_t count, int threads, Ticker& host, const Task& task);

/// Some of many items: begin .. end-1.
using ChunkTask = std::function<void(std::size_t begin, std::size_t end, Ticker&)>;

/// The size of a chunk, which depends on nothing: sums over chunks are the same everywhere.
constexpr std::size_t kChunk = std::size_t{1} << 13;

/// Runs a task for each chunk of `count` items, the last of which may be shorter. Chunks are not
/// reported as progress.
void run_chunks(std::size_t count, int threads, Ticker& host, const ChunkTask& task);
/// The number of chunks; a chunk's number is begin / kChunk.
constexpr std::size_t chunks_of(std::size_t count) {
  return (count + kChunk - 1) / kChunk;
}

/// As run_chunks, in batches of chunks after each of which the host's stage advances by its items.
void run_reported_chunks(std::size_t count, int threads, Ticker& host, const ChunkTask& task);

/// The sum of what `add_up(begin, end, sum, ticker)` adds to `zero` for each chunk, in their order:
/// the same for any number of threads. `run` is run_chunks or run_reported_chunks.
template <class Run, class Sum, class AddUp>
Sum sum_of_chunks(const Run& run, std::size_t count, const Sum& zero, int threads, Ticker& host,
                  const AddUp& add_up) {
  std::vector<Sum> of_chunks(chunks_of(count), zero);
  run(count, threads, host, [&](std::size_t begin, std::size_t end, Ticker& own) {
    // On the thread's own stack, since sums in a list share cache lines.
    Sum sum = zero;
    add_up(begin, end, sum, own);
    of_chunks[begin / kChunk] = std::move(sum);
  });
  Sum sum = zero;
  for (const Sum& one : of_chunks) sum += one;
  return sum;
}

}  // namespace anonkit
