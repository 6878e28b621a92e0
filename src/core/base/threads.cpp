#include "base/threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace anonkit {
namespace {

/// The interval at which a waiting caller polls its host. A cancel takes effect within it.
constexpr std::chrono::milliseconds kAttention{10};

/// Enough for many threads.
constexpr std::size_t kBatch = 32 * kChunk;

/// Ends a task whose result nobody needs.
struct Unwanted {};

/// Blocks all signals for the threads that are started meanwhile: signals are the host's.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// The tasks, and the threads that work on them.
class Crew final : public Workers {
 public:
  Crew(std::size_t count, Ticker& host, const Task& task)
      : host_(host), task_(task), wanted_(count) {}
  ~Crew() override { end(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Starts up to `threads` threads; false if none could be started.
  bool start(std::size_t threads) {
    threads_.reserve(threads);
    const SignalsBlocked blocked;
    try {
      while (threads_.size() < threads) threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
      // Fewer threads do the work, too.
    }
    return !threads_.empty();
  }

  /// Returns when all tasks are done; throws as run_tasks does.
  void finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (idle_ < threads_.size()) {
      changed_.wait_for(lock, kAttention);
      host_.advance(done_ - reported_);
      reported_ = done_;
      lock.unlock();
      host_.attend(this);
      lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  void end() noexcept override {
    dismiss();
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

 private:
  /// Serves one task. It ends if a task before it failed.
  class TaskTicker final : public Ticker {
   public:
    TaskTicker(const Crew& crew, std::size_t task) : crew_(crew), task_(task) {}

   protected:
    void poll() override {
      if (!crew_.wants(task_)) throw Unwanted{};
    }

   private:
    const Crew& crew_;
    std::size_t task_;
  };

  bool wants(std::size_t task) const { return task < wanted_.load(std::memory_order_relaxed); }
  void dismiss() { wanted_.store(0, std::memory_order_relaxed); }

  void work() noexcept {
    for (std::size_t i = next_++; wants(i); i = next_++) attempt(i);
    const std::lock_guard<std::mutex> lock(mutex_);
    ++idle_;
    changed_.notify_one();
  }

  void attempt(std::size_t i) noexcept {
    try {
      TaskTicker ticker(*this, i);
      task_(i, ticker);
      const std::lock_guard<std::mutex> lock(mutex_);
      ++done_;
    } catch (const Unwanted&) {
    } catch (...) {
      fail(i);
    }
  }

  void fail(std::size_t i) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!wants(i)) return;
    failure_ = std::current_exception();
    wanted_.store(i, std::memory_order_relaxed);
  }

  Ticker& host_;
  const Task& task_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> wanted_;  ///< tasks before this one are
  std::mutex mutex_;                 ///< of all below
  std::condition_variable changed_;
  std::size_t idle_ = 0;  ///< threads without work
  std::int64_t done_ = 0, reported_ = 0;
  std::exception_ptr failure_;  ///< of the first task that failed
  std::vector<std::thread> threads_;
};

}  // namespace

void run_tasks(std::size_t count, int threads, Ticker& host, const Task& task) {
  const std::size_t useful = std::min(count, static_cast<std::size_t>(std::max(1, threads)));
  if (useful > 1) {
    Crew crew(count, host, task);
    if (crew.start(useful)) return crew.finish();
  }
  for (std::size_t i = 0; i < count; ++i) task(i, host);
}

void run_unreported_tasks(std::size_t count, int threads, Ticker& host, const Task& task) {
  UnreportedTicker unreported(host);
  run_tasks(count, threads, unreported, task);
}

void run_chunks(std::size_t count, int threads, Ticker& host, const ChunkTask& task) {
  run_unreported_tasks(chunks_of(count), threads, host, [&](std::size_t i, Ticker& own) {
    task(i * kChunk, std::min(count, (i + 1) * kChunk), own);
  });
}

void run_reported_chunks(std::size_t count, int threads, Ticker& host, const ChunkTask& task) {
  for (std::size_t first = 0; first < count; first += kBatch) {
    const std::size_t items = std::min(count - first, kBatch);
    run_chunks(items, threads, host, [&](std::size_t begin, std::size_t end, Ticker& own) {
      task(first + begin, first + end, own);
    });
    host.advance(static_cast<std::int64_t>(items));
  }
}

}  // namespace anonkit
