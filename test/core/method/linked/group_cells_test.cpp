#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fixture/linked_values.hpp"
#include "fixture/trials.hpp"
#include "method/linked/group_cells.hpp"

namespace anonkit {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(GroupCells, GiveUpOnlyWhereTheyWouldLoseAsMuch) {
  Random random(21);
  RandomTables tables(21);
  SilentTicker ticker;
  int given_up = 0;
  for (int round = 0; round < trials(500); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 30);
    LinkedPromises promises;
    promises.k = 2;
    promises.m = 1 + static_cast<std::int32_t>(random.below(2));
    if (made.linked.persons < promises.k) continue;
    const AlignedRecords records(made.linked, ticker);
    GroupCells cells(records, promises);
    const auto loss_below = [&](double limit) {
      return cells.take(records.order().data(), made.linked.persons, limit, ticker);
    };
    const double loss = loss_below(kInfinite);
    ASSERT_TRUE(std::isfinite(loss));
    for (const double limit : {0.0, loss / 2, loss, loss + 1}) {
      const double found = loss_below(limit);
      if (found == loss) continue;
      ASSERT_EQ(found, kInfinite);
      ASSERT_GE(loss, limit);
      ++given_up;
    }
  }
  EXPECT_GT(given_up, trials(500));
}

// The losses in several columns are compared with those of the finished cells.
TEST(GroupCells, LoseWhatTheirCellsLose) {
  Random random(22);
  RandomTables tables(22);
  SilentTicker ticker;
  for (int round = 0; round < trials(500); ++round) {
    const LinkedValues made = random_linked_values(random, tables, 30);
    LinkedPromises promises;
    promises.k = 2;
    promises.m = 2;
    if (made.linked.persons < promises.k) continue;
    const AlignedRecords records(made.linked, ticker);
    GroupCells cells(records, promises);
    const std::vector<std::int32_t>& persons = records.order();
    const double found = cells.take(persons.data(), made.linked.persons, kInfinite, ticker);
    double loss = 0;
    const auto add = [&](std::int32_t table, const std::vector<std::int32_t>& rows) {
      for (std::int32_t j = 0; j < records.columns_of(table); ++j) {
        double low = kInfinite, high = -kInfinite, nulls = 0;
        for (const std::int32_t row : rows) {
          const double x = records.coordinates(table, row)[j];
          nulls += is_null(x) ? 1 : 0;
          low = std::fmin(low, x);
          high = std::fmax(high, x);
        }
        const auto numbers = static_cast<double>(rows.size()) - nulls;
        if (numbers > 0)
          loss += numbers * (nulls > 0 ? 1 : records.domain(table, j).penalty(low, high));
      }
    };
    add(0, persons);
    std::vector<std::vector<std::int32_t>> rows_of(at(cells.cells()));
    std::vector<std::int32_t> table_of(at(cells.cells()), 0);
    for (std::size_t i = 0; i < cells.rows().size(); ++i) {
      const CellRow& row = cells.rows()[i];
      const std::int32_t cell = cells.cells_of_rows()[i];
      if (cell == kNone) {
        loss += kWithheldCell * records.columns_of(row.table);
        continue;
      }
      rows_of[at(cell)].push_back(row.row);
      table_of[at(cell)] = row.table;
    }
    for (std::size_t c = 0; c < rows_of.size(); ++c) add(table_of[c], rows_of[c]);
    ASSERT_NEAR(found, loss, 1e-9 * (1 + loss));
  }
}

}  // namespace
}  // namespace anonkit
