// A cancel must take effect within 100 ms of work, so no loop of any method may run long without a
// call of the ticker. The test counts work instead of seconds, since a busy machine has other
// seconds: the compiler (-fsanitize-coverage) calls the function below in every basic block of the
// core.

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "fixture/large_table.hpp"
#include "fixture/random_space.hpp"
#include "metric/lower_bound.hpp"
#include "pipeline.hpp"

namespace {
thread_local std::int64_t blocks = 0;
}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
  ++blocks;
}

namespace anonkit {
namespace {

constexpr Record kRecords = 50000;
// A basic block takes about a nanosecond. Single passes have a few million here, and 20 times that
// for a million records.
constexpr std::int64_t kMost = 25'000'000;
// Each method is observed for this many blocks, and then cancelled.
constexpr std::int64_t kWatched = 500'000'000;

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("cancelled by the test") {}
};

/// Records the most blocks between two polls.
class Meter final : public Ticker {
 public:
  void look() {
    if (blocks - last_ > most_) {
      most_ = blocks - last_;
      where_ = stage_;
    }
    last_ = blocks;
  }
  std::int64_t most() const { return most_; }
  const std::string& where() const { return where_; }
  std::int64_t polls() const { return polls_; }

 protected:
  void poll() override {
    look();
    ++polls_;
    if (last_ - start_ > kWatched) throw Enough();
  }

 private:
  std::int64_t start_ = blocks, last_ = blocks, most_ = 0;
  std::string where_;
  std::int64_t polls_ = 0;
};

class EveryCase : public testing::TestWithParam<MethodCase> {};

TEST_P(EveryCase, AsksWhetherItIsCancelledAllTheTime) {
  const MethodCase& one = GetParam();
  const LargeTable table(kRecords, one.part);
  Meter meter;
  try {
    anonymize(table.view(), *find_method(one.method), one.options, meter);
  } catch (const Enough&) {
  } catch (const Error& error) {
    FAIL() << error.what();
  }
  meter.look();
  EXPECT_GT(meter.polls(), 10);
  EXPECT_LE(meter.most(), kMost) << "basic blocks without a question, while " << meter.where();
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryCase, testing::ValuesIn(method_cases()),
                         [](const auto& info) { return info.param.identifier(); });

// Little work goes to the shares, so that prices of classes are watched.
TEST(LowerBound, AsksWhetherItIsCancelledAllTheTime) {
  const Space space = RandomSpaces(1).make(Shape::normal, 4000, 4);
  for (const Record k : {3, 12}) {
    Meter meter;
    BoundOptions options;
    options.work = 1e4;
    options.class_work = 1e5;
    try {
      sse_lower_bound(space, {k}, options, meter);
    } catch (const Enough&) {
    }
    meter.look();
    EXPECT_GT(meter.polls(), 10);
    EXPECT_LE(meter.most(), kMost) << "k " << k << ", while " << meter.where();
  }
}

}  // namespace
}  // namespace anonkit
