// A cancel must take effect within 100 ms of work, so no loop of any method may run long without a
// call of the ticker. The test measures CPU time, which does not depend on other processes.

#include <gtest/gtest.h>

#include <ctime>
#include <stdexcept>

#include "base/error.hpp"
#include "fixture/large_table.hpp"
#include "fixture/trials.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

constexpr double kSlower = kSanitized ? 25 : 1;
constexpr Record kRecords = 50000;
// Single passes take a few milliseconds here, and 20 times that for a million records.
constexpr double kLongest = 0.025 * kSlower;
// Each method is observed for this long, and then cancelled.
constexpr double kWatched = 0.6;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("cancelled by the test") {}
};

/// Records the longest time between two polls.
class Stopwatch final : public Ticker {
 public:
  Stopwatch() : start_(cpu_seconds()), last_(start_) {}

  void look() {
    const double now = cpu_seconds();
    if (now - last_ > longest_) {
      longest_ = now - last_;
      where_ = stage_;
    }
    last_ = now;
  }
  double longest() const { return longest_; }
  const std::string& where() const { return where_; }
  std::int64_t polls() const { return polls_; }

 protected:
  void poll() override {
    look();
    ++polls_;
    if (last_ - start_ > kWatched) throw Enough();
  }

 private:
  double start_, last_, longest_ = 0;
  std::string where_;
  std::int64_t polls_ = 0;
};

class EveryCase : public testing::TestWithParam<MethodCase> {};

TEST_P(EveryCase, AsksWhetherItIsCancelledAllTheTime) {
  const MethodCase& one = GetParam();
  const LargeTable table(kRecords, one.part);
  double least = -1;
  std::string where;
  // At most ten rounds: an interrupt of the machine may cost CPU time, but not in every round.
  for (int round = 0; round < 10 && (least < 0 || least > kLongest); ++round) {
    Stopwatch stopwatch;
    try {
      anonymize(table.view(), *find_method(one.method), one.options, stopwatch);
    } catch (const Enough&) {
    } catch (const Error& error) {
      FAIL() << error.what();
    }
    stopwatch.look();
    EXPECT_GT(stopwatch.polls(), 10);
    if (least >= 0 && stopwatch.longest() > least) continue;
    least = stopwatch.longest();
    where = stopwatch.where();
  }
  EXPECT_LE(least, kLongest) << "seconds without a question, while " << where;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryCase, testing::ValuesIn(method_cases()),
                         [](const testing::TestParamInfo<MethodCase>& info) {
                           std::string name;
                           for (const char c : info.param.name)
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                           return name;
                         });

}  // namespace
}  // namespace anonkit
