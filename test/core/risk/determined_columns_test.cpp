#include "risk/determined_columns.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "fixture/trials.hpp"

namespace anonkit {
namespace {

/// By definition: every value of one column occurs with one value of the other.
bool is_function_of(const std::vector<std::int32_t>& other, const std::vector<std::int32_t>& by) {
  std::map<std::int32_t, std::int32_t> with;
  for (std::size_t row = 0; row < by.size(); ++row)
    if (with.emplace(by[row], other[row]).first->second != other[row]) return false;
  return true;
}

TEST(DeterminedColumns, AreFunctionsOfTheColumn) {
  SilentTicker ticker;
  Random random(1);
  int determined = 0;
  for (int round = 0; round < trials(3000); ++round) {
    const std::size_t rows = 1 + random.below(8);
    std::vector<std::vector<std::int32_t>> values(1 + random.below(5));
    std::vector<CodedColumn> columns;
    for (std::vector<std::int32_t>& column : values) {
      const std::uint32_t distinct = 1 + random.below(5);
      for (std::size_t row = 0; row < rows; ++row)
        column.push_back(static_cast<std::int32_t>(random.below(distinct)));
      columns.push_back({column.data(), static_cast<std::int32_t>(distinct)});
    }
    for (std::size_t by = 0; by < columns.size(); ++by) {
      int expected = 0;
      for (std::size_t j = 0; j < columns.size(); ++j)
        if (j != by && columns[j].distinct > 1 && is_function_of(values[j], values[by])) ++expected;
      ASSERT_EQ(determined_columns(columns, by, static_cast<std::int64_t>(rows), ticker), expected);
      determined += expected;
    }
  }
  EXPECT_GT(determined, trials(1000));
}

}  // namespace
}  // namespace anonkit
