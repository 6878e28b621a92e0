// A cancel at any question ends the work, also where an attempt at classes may fail. How much work
// lies between two questions is counted by test/work/questions_test.cpp.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/error.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/large_table.hpp"
#include "pipeline.hpp"
#include "replay.hpp"
#include "replay_nights.hpp"
#include "settling.hpp"

namespace anonkit {
namespace {

class EveryCase : public testing::TestWithParam<MethodCase> {};

TEST_P(EveryCase, EndsAtTheQuestionThatCancelsIt) {
  const MethodCase& one = GetParam();
  const LargeTable table(50000, one.part);
  for (const int polls : {1, 2, 5, 10, 20}) {
    ImpatientTicker ticker(polls);
    try {
      anonymize(table.view(), *find_method(one.method), one.options, ticker);
      ADD_FAILURE() << "not cancelled at question " << polls;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "cancelled");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryCase, testing::ValuesIn(method_cases()),
                         [](const auto& info) { return info.param.identifier(); });

/// Cancels the work once, at each of its first questions.
void expect_that_each_cancel_ends(const std::function<void(Ticker&)>& work) {
  constexpr int kQuestions = 40;
  for (int polls = 1; polls <= kQuestions; ++polls) {
    OnceImpatientTicker ticker(polls);
    try {
      work(ticker);
      if (!ticker.has_cancelled()) return;
      ADD_FAILURE() << "went on after question " << polls;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "cancelled");
    }
  }
}

Options diverse(Record k) {
  Options options;
  options.k = k;
  options.seed = 1;
  options.promises.l = 2;
  return options;
}

TEST(Cancel, IsNoBlockWithoutClasses) {
  const LargeTable table(4000, Part::numbers);
  Options options = diverse(5);
  options.block_size = 500;
  expect_that_each_cancel_ends(
      [&](Ticker& ticker) { anonymize(table.view(), *find_method("mdav"), options, ticker); });
}

TEST(Cancel, IsNoLackOfLargerClasses) {
  const LargeTable table(2000, Part::numbers);
  Options options = diverse(5);
  options.promises.risk_mean = 0.1;
  expect_that_each_cancel_ends(
      [&](Ticker& ticker) { anonymize(table.view(), *find_method("mdav"), options, ticker); });
}

TEST(Cancel, IsNoArrangementWithoutARelease) {
  const LargeTable table(200, Part::numbers);
  expect_that_each_cancel_ends([&](Ticker& ticker) {
    replay(table.view(), *find_method("mdav"), diverse(5), {4, 20, 1}, ticker);
  });
}

TEST(Cancel, IsNoNightWithoutARelease) {
  const LargeTable table(200, Part::numbers);
  Arrivals arrivals;
  for (int i = 0; i < 200; ++i) arrivals.night.push_back(i < 100 ? 1 : 1 + i / 50);
  arrivals.max_wait = 0;
  expect_that_each_cancel_ends([&](Ticker& ticker) {
    replay_nights(table.view(), arrivals, *find_method("mdav"), diverse(5), {4, 20, 1}, ticker);
  });
}

TEST(Cancel, IsNoLackOfFounders) {
  constexpr Record kWaiting = 1000;
  const LargeTable table(kWaiting, Part::numbers);
  Waiters waiters;
  for (Record i = 0; i < kWaiting; ++i) waiters.holders.push_back(static_cast<std::uint64_t>(i));
  waiters.waited.assign(at(kWaiting), 9);
  waiters.met.assign(at(kWaiting), 0);
  expect_that_each_cancel_ends([&](Ticker& ticker) {
    settle(table.view(), *find_method("mdav"), diverse(5), waiters, {0, 1, true, 0}, {1, 0},
           ticker);
  });
}

}  // namespace
}  // namespace anonkit
