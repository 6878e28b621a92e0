#include "risk/wildcards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "fixture/impatient_ticker.hpp"
#include "reference/wildcards.hpp"

namespace anonkit {
namespace {

using Row = std::vector<std::int32_t>;

/// The counts by record, through classes of equal cells. Suppressed cells have the last code, as in
/// a relation that was read.
std::vector<std::int64_t> counted(const std::vector<Row>& rows,
                                  const std::vector<std::int32_t>& person_of, Ticker& ticker) {
  constexpr std::int32_t kLast = 99;
  std::vector<std::vector<std::int32_t>> codes(rows.empty() ? 0 : rows[0].size());
  std::vector<std::int32_t> class_of;
  std::map<Row, std::int32_t> classes;
  for (const Row& row : rows) {
    class_of.push_back(classes.emplace(row, classes.size()).first->second);
    for (std::size_t j = 0; j < row.size(); ++j)
      codes[j].push_back(row[j] == reference::kSuppressed ? kLast : row[j]);
  }
  std::vector<WildcardColumn> columns;
  for (const auto& column : codes) {
    const bool has_any = std::count(column.begin(), column.end(), kLast) > 0;
    columns.push_back({column.data(), has_any ? kLast : -1});
  }
  const std::vector<std::int64_t> by_class =
      compatible_members(columns, class_of, person_of, ticker);
  std::vector<std::int64_t> counts;
  for (const std::int32_t c : class_of) counts.push_back(by_class[static_cast<std::size_t>(c)]);
  return counts;
}

TEST(Wildcards, CountAsTheDefinitionOn3000Tables) {
  SilentTicker ticker;
  Random random(1);
  int others = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Row> rows(1 + random.below(25), Row(1 + random.below(5)));
    std::vector<std::int32_t> person_of;
    const std::uint32_t suppressed = random.below(6);
    const std::uint32_t values = 1 + random.below(3);
    const std::uint32_t persons = 1 + random.below(12);
    for (Row& row : rows)
      for (std::int32_t& cell : row = Row(rows[0].size()))
        cell = random.below(10) < suppressed ? reference::kSuppressed
                                             : static_cast<std::int32_t>(random.below(values));
    if (round % 2 == 1)
      for (std::size_t i = 0; i < rows.size(); ++i)
        person_of.push_back(static_cast<std::int32_t>(random.below(persons)));
    const std::vector<std::int64_t> expected = reference::compatible_persons(rows, person_of);
    ASSERT_EQ(counted(rows, person_of, ticker), expected) << "round " << round;
    std::map<Row, std::int64_t> classes;
    for (const Row& row : rows) ++classes[row];
    for (std::size_t i = 0; i < rows.size(); ++i) others += expected[i] != classes[rows[i]] ? 1 : 0;
  }
  EXPECT_GT(others, 10000);
}

// 70 columns, each suppressed somewhere: more patterns than bits of a word.
TEST(Wildcards, OfManyColumns) {
  SilentTicker ticker;
  std::vector<Row> rows;
  for (std::size_t j = 0; j < 70; ++j) {
    Row row(70, static_cast<std::int32_t>(j % 2));
    row[j] = reference::kSuppressed;
    rows.push_back(row);
  }
  const std::vector<std::int64_t> counts = counted(rows, {}, ticker);
  for (const std::int64_t count : counts) EXPECT_EQ(count, 35);
}

TEST(Wildcards, ThatAreNotThereLeaveTheClasses) {
  SilentTicker ticker;
  const std::vector<Row> rows = {{1, 2}, {1, 2}, {1, 3}, {2, 2}, {2, 2}, {2, 2}};
  EXPECT_EQ(counted(rows, {}, ticker), (std::vector<std::int64_t>{2, 2, 1, 3, 3, 3}));
  EXPECT_EQ(counted(rows, {0, 0, 1, 2, 3, 2}, ticker),
            (std::vector<std::int64_t>{1, 1, 1, 2, 2, 2}));
}

// 2,000 rows of as many patterns. Hashing the cells of each pair would ask some 2,000 times.
TEST(Wildcards, OfAPatternForEachRowAreComparedCellByCell) {
  ImpatientTicker ticker(700);
  Random random(2);
  std::vector<Row> rows(2000, Row(30));
  for (Row& row : rows)
    for (std::int32_t& cell : row)
      cell = random.below(10) < 3 ? reference::kSuppressed
                                  : static_cast<std::int32_t>(random.below(4));
  rows.back() = Row(30, reference::kSuppressed);
  const std::vector<std::int64_t> counts = counted(rows, {}, ticker);
  EXPECT_EQ(counts.back(), 2000);
  EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 2);
}

// The example of docs/models.md: the row without a town helps both towns.
TEST(Wildcards, FormNoClasses) {
  SilentTicker ticker;
  constexpr std::int32_t kAny = reference::kSuppressed;
  const std::vector<Row> rows = {{30, kAny}, {30, 1}, {30, 2}, {40, 2}, {kAny, 2}};
  EXPECT_EQ(counted(rows, {}, ticker), (std::vector<std::int64_t>{4, 2, 3, 2, 4}));
}

}  // namespace
}  // namespace anonkit
