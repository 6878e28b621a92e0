// A cancel at any question ends the work. How much work lies between two questions is counted by
// test/work/questions_test.cpp.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/large_table.hpp"
#include "pipeline.hpp"

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

}  // namespace
}  // namespace anonkit
