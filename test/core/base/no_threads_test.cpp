// The system refuses to start a thread. Each test runs in a process of its own, as a user that may
// have no more of them.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "fixture/factor_table.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

/// Root may exceed the limit, so it becomes another user.
void refuse_more_than(rlim_t processes) {
  if (getuid() == 0 && setuid(65534) != 0) std::_Exit(2);
  const rlimit limit{processes, processes};
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) std::_Exit(2);
}

bool may_start_a_thread() {
  try {
    std::thread([] {}).join();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

/// Ends the process; its status tells if all is well.
[[noreturn]] void end_with(bool well) {
  std::_Exit(well ? 0 : 1);
}

/// All tasks are done, each once, and the first failure is thrown.
bool tasks_are_done() {
  SilentTicker host;
  std::vector<int> done(50, 0);
  run_tasks(done.size(), 8, host, [&](std::size_t i, Ticker& own) {
    own.step(1000);
    ++done[i];
  });
  for (const int times : done)
    if (times != 1) return false;
  try {
    run_tasks(50, 8, host, [](std::size_t i, Ticker&) {
      if (i >= 20) throw Error(ErrorKind::infeasible, std::to_string(i));
    });
  } catch (const Error& error) {
    return std::string(error.what()) == "20";
  }
  return false;
}

TEST(NoThreadsDeathTest, TheCallerDoesAllTasks) {
  EXPECT_EXIT(
      {
        refuse_more_than(0);
        end_with(!may_start_a_thread() && tasks_are_done());
      },
      ::testing::ExitedWithCode(0), "");
}

/// The limit counts the processes of a user, so few threads or none may be started.
TEST(NoThreadsDeathTest, FewerThreadsDoAllTasks) {
  for (const rlim_t processes : {1, 2, 3, 5})
    EXPECT_EXIT(
        {
          refuse_more_than(processes);
          end_with(tasks_are_done());
        },
        ::testing::ExitedWithCode(0), "");
}

TEST(NoThreadsDeathTest, TheReleaseIsTheSame) {
  const FactorTable data(20000, 2);
  SilentTicker ticker;
  Options options;
  options.k = 5;
  options.block_size = 5000;
  options.threads = 4;
  const Anonymized with = anonymize(data.view(), *find_method("microaggregate"), options, ticker);
  EXPECT_EXIT(
      {
        refuse_more_than(0);
        const Anonymized without =
            anonymize(data.view(), *find_method("microaggregate"), options, ticker);
        end_with(without.masked.low == with.masked.low &&
                 without.partition.class_of == with.partition.class_of);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace anonkit
