#include "model/row_classes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"

namespace anonkit {
namespace {

using Row = std::vector<std::int32_t>;

/// By row, the rank of its first `columns` codes among the distinct ones, in lexicographic order.
std::vector<std::int32_t> dense_rank(const std::vector<Row>& rows, std::size_t columns) {
  std::map<Row, std::int32_t> ranks;
  const auto beginning = [&](const Row& row) {
    return Row(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(columns));
  };
  for (const Row& row : rows) ranks[beginning(row)] = 0;
  std::int32_t next = 0;
  for (auto& [key, rank] : ranks) rank = next++;
  std::vector<std::int32_t> numbers;
  for (const Row& row : rows) numbers.push_back(ranks[beginning(row)]);
  return numbers;
}

TEST(RowClasses, AreThoseOfDenseRankForEachBeginningOfTheColumns) {
  Random random(20);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t n = 1 + random.below(30);
    const std::size_t d = 1 + random.below(4);
    const std::uint32_t values = 1 + random.below(5);
    std::vector<Row> rows(n, Row(d));
    std::vector<std::vector<std::int32_t>> codes(d, std::vector<std::int32_t>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j)
        codes[j][i] = rows[i][j] = static_cast<std::int32_t>(random.below(values));
    std::vector<CodedColumn> columns;
    std::vector<std::vector<std::int32_t>> found(d, std::vector<std::int32_t>(n));
    std::vector<std::int32_t*> class_of;
    for (std::size_t j = 0; j < d; ++j) {
      columns.push_back({codes[j].data(), static_cast<std::int32_t>(values)});
      class_of.push_back(found[j].data());
    }
    SilentTicker ticker;
    number_classes(columns, static_cast<std::int64_t>(n), class_of, ticker);
    for (std::size_t j = 0; j < d; ++j) ASSERT_EQ(found[j], dense_rank(rows, j + 1));
  }
}

}  // namespace
}  // namespace anonkit
