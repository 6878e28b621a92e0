#include "base/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/trials.hpp"

namespace anonkit {
namespace {

void work_for(int steps, Ticker& ticker) {
  for (int i = 0; i < steps; ++i) ticker.step(1000);
}

TEST(Threads, EveryTaskIsDoneOnceByAnyNumberOfThreads) {
  SilentTicker host;
  for (const int threads : {0, 1, 2, 3, 8, 64})
    for (const std::size_t count : {0U, 1U, 2U, 7U, 100U}) {
      std::vector<std::atomic<int>> done(count);
      run_tasks(count, threads, host, [&](std::size_t i, Ticker& own) {
        work_for(300, own);
        ++done[i];
      });
      for (const std::atomic<int>& times : done) ASSERT_EQ(times, 1);
    }
}

/// The message of the exception thrown, or "".
std::string thrown_by(std::size_t count, int threads, const Task& task) {
  SilentTicker host;
  try {
    run_tasks(count, threads, host, task);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "memory";
  }
  return "";
}

TEST(Threads, TheFirstFailureInTheOrderOfTasksIsThrown) {
  std::mt19937 random(1);
  for (int round = 0; round < trials(200); ++round) {
    const std::size_t count = 1 + random() % 30;
    std::vector<bool> fails(count);
    std::vector<int> steps(count);
    for (std::size_t i = 0; i < count; ++i) {
      fails[i] = random() % 8 == 0;
      steps[i] = static_cast<int>(random() % 2000);
    }
    const Task task = [&](std::size_t i, Ticker& own) {
      work_for(steps[i], own);
      if (fails[i]) throw Error(ErrorKind::infeasible, "task " + std::to_string(i));
    };
    const std::string alone = thrown_by(count, 1, task);
    for (const int threads : {2, 3, 8}) ASSERT_EQ(thrown_by(count, threads, task), alone);
  }
}

TEST(Threads, ChunksCoverAllItemsOnceAndAreTheSameForAnyNumberOfThreads) {
  class Host final : public Ticker {
   public:
    std::int64_t reported() const { return done_; }

   protected:
    void poll() override {}
  };
  for (const int threads : {1, 2, 8})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kChunk, 5 * kChunk + 3}) {
      Host host;
      std::vector<int> seen(count, 0);
      run_chunks(count, threads, host, [&](std::size_t begin, std::size_t end, Ticker& own) {
        own.step(1000);
        EXPECT_EQ(begin % kChunk, 0U);
        EXPECT_EQ(end, std::min(count, begin + kChunk));
        for (std::size_t i = begin; i < end; ++i) ++seen[i];
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(count));
      EXPECT_EQ(host.reported(), 0);
    }
}

TEST(Threads, TheHostMayEndChunks) {
  for (const int threads : {1, 2}) {
    ImpatientTicker host(1);
    EXPECT_THROW(run_chunks(20 * kChunk, threads, host,
                            [](std::size_t, std::size_t, Ticker& own) {
                              for (;;) own.step(1000);
                            }),
                 Error);
  }
}

TEST(Threads, LackOfMemoryInAThreadReachesTheCaller) {
  EXPECT_EQ(thrown_by(4, 2,
                      [](std::size_t i, Ticker&) {
                        if (i == 2) throw std::bad_alloc();
                      }),
            "memory");
}

TEST(Threads, AFailureEndsTheTasksAfterIt) {
  for (const int threads : {2, 8})
    EXPECT_EQ(thrown_by(8, threads,
                        [](std::size_t i, Ticker& own) {
                          if (i == 0) throw Error(ErrorKind::infeasible, "first");
                          for (;;) own.step(1000);
                        }),
              "first");
}

TEST(Threads, TheHostEndsEndlessTasks) {
  for (const int threads : {1, 2, 8}) {
    ImpatientTicker host(3);
    EXPECT_THROW(run_tasks(20, threads, host,
                           [](std::size_t, Ticker& own) {
                             for (;;) own.step(1000);
                           }),
                 Error);
  }
}

TEST(Threads, AHostThatEndsTheProcessEndsThreadsFirst) {
  struct Ended {};
  class Host final : public Ticker {
   public:
    std::atomic<int> running{0};
    int left = -1;

   protected:
    void poll() override {
      if (running < 2) return;
      workers_->end();
      left = running;
      throw Ended();
    }
  };
  for (const bool reported : {true, false}) {
    Host host;
    const Task endless = [&host](std::size_t, Ticker& own) {
      struct Running {
        explicit Running(Host& counting) : host(counting) { ++host.running; }
        ~Running() { --host.running; }
        Host& host;
      };
      const Running running(host);
      for (;;) own.step(1000);
    };
    EXPECT_THROW((reported ? run_tasks : run_unreported_tasks)(2, 2, host, endless), Ended);
    EXPECT_EQ(host.left, 0);
  }
}

TEST(Threads, TheHostIsPolledByTheCallerOnly) {
  class Host final : public Ticker {
   public:
    std::atomic<int> polls{0};
    bool foreign = false;

   protected:
    void poll() override {
      ++polls;
      foreign = foreign || std::this_thread::get_id() != caller_;
    }

   private:
    std::thread::id caller_ = std::this_thread::get_id();
  };
  Host host;
  run_tasks(8, 4, host, [&host](std::size_t, Ticker& own) {
    work_for(1000, own);
    while (host.polls == 0) std::this_thread::yield();
  });
  EXPECT_GT(host.polls, 0);
  EXPECT_FALSE(host.foreign);
}

TEST(Threads, TheCallerWaitsForTheLastTask) {
  for (int round = 0; round < 5; ++round) {
    SilentTicker host;
    EXPECT_THROW(run_tasks(2, 2, host,
                           [](std::size_t i, Ticker&) {
                             if (i == 0) return;
                             std::this_thread::sleep_for(std::chrono::milliseconds(10));
                             throw Error(ErrorKind::internal, "late");
                           }),
                 Error);
  }
}

TEST(Threads, NoMoreTasksRunAtOnceThanThreadsAreAskedFor) {
  SilentTicker host;
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> running{0}, most{0};
    run_tasks(4 * static_cast<std::size_t>(threads), threads, host, [&](std::size_t, Ticker&) {
      const int now = ++running;
      int before = most;
      while (before < now && !most.compare_exchange_weak(before, now)) continue;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --running;
    });
    EXPECT_LE(most, threads);
  }
}

bool blocked(int signal) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

TEST(Threads, SignalsAreBlockedInThreadsAndStayOpenInTheCaller) {
  SilentTicker host;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> open{0};
  run_tasks(16, 4, host, [&](std::size_t, Ticker&) {
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGALRM})
      if (std::this_thread::get_id() != caller && !blocked(signal)) ++open;
  });
  EXPECT_EQ(open, 0);
  EXPECT_FALSE(blocked(SIGINT));
}

}  // namespace
}  // namespace anonkit
