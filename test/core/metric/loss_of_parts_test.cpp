#include "metric/loss_of_parts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/at.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "fixture/without_ticker.hpp"
#include "recode/masked.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

/// Some rows as a table of their own.
OwnedTable rows_of(const OwnedTable& owned, std::size_t first, std::size_t last) {
  const std::size_t d = owned.columns.size();
  OwnedTable part;
  part.columns = owned.columns;
  part.values.assign(owned.values.begin() + static_cast<std::ptrdiff_t>(first * d),
                     owned.values.begin() + static_cast<std::ptrdiff_t>(last * d));
  return part;
}

/// Classes of two or three rows that follow each other.
Members pairs_of(Record rows) {
  Members members;
  members.records.resize(at(rows));
  std::iota(members.records.begin(), members.records.end(), 0);
  for (Record begin = 0; begin + 1 < rows; begin += 2) members.first_of.push_back(begin);
  members.first_of.push_back(rows);
  return members;
}

/// Published cells that are not means, as rounding makes them.
Masked rounded_cells(const Table& table, const Members& members) {
  Masked masked = recode(table, members, Recode::centroid, silent);
  for (double& x : masked.low) x = static_cast<double>(static_cast<long>(x * 4)) / 4;
  return masked;
}

/// Appends the classes of a part to those of the rows before it.
void append(const Members& part, const Masked& cells, Members& members, Masked& masked) {
  const auto before = static_cast<Record>(members.records.size());
  if (!members.first_of.empty()) members.first_of.pop_back();
  for (const Record i : part.records) members.records.push_back(before + i);
  for (const Record begin : part.first_of) members.first_of.push_back(before + begin);
  masked.low.insert(masked.low.end(), cells.low.begin(), cells.low.end());
}

TEST(LossOfParts, IsTheLossOfTheWhole) {
  RandomTables random(1);
  for (int round = 0; round < trials(2000); ++round) {
    const OwnedTable owned =
        random.make(random.between(4, 40), random.between(1, 4), round % 2 == 1, 0);
    const Table table = owned.view();
    const auto standardize = static_cast<Standardize>(random.between(0, 2));
    LossOfParts loss(std::vector<double>(table.columns.size(), random.between(0, 3) * 0.7));
    Members members;
    Masked masked;
    for (Record first = 0; first < table.rows;) {
      Record last = std::min(table.rows, first + random.between(2, 15));
      if (table.rows - last < 2) last = table.rows;
      const OwnedTable part = rows_of(owned, at(first), at(last));
      const Members of_part = pairs_of(last - first);
      const Masked cells = rounded_cells(part.view(), of_part);
      loss.add(part.view(), of_part, cells, 2, silent);
      append(of_part, cells, members, masked);
      first = last;
    }
    const std::vector<Scale> scales = scales_of(table, members.records, standardize, silent);
    const CentroidLoss whole =
        centroid_loss(table, members, masked, members.records, scales, silent);
    const CentroidLoss found = loss.total(standardize);
    EXPECT_NEAR(found.sse, whole.sse, 1e-9 * (whole.sse + 1e-300));
    EXPECT_NEAR(found.sst, whole.sst, 1e-9 * (whole.sst + 1e-300));
  }
}

TEST(LossOfParts, IsZeroWithoutRows) {
  for (const auto standardize : {Standardize::none, Standardize::zscore, Standardize::range}) {
    const CentroidLoss nothing = LossOfParts({1, 0}).total(standardize);
    EXPECT_EQ(nothing.sse, 0);
    EXPECT_EQ(nothing.sst, 0);
  }
}

TEST(LossOfParts, IsZeroForEqualRows) {
  const OwnedTable owned = table_of({7, 7, 7, 7});
  LossOfParts loss({0});
  const Members members = pairs_of(4);
  loss.add(owned.view(), members, rounded_cells(owned.view(), members), 1, silent);
  EXPECT_EQ(loss.total(Standardize::zscore).percent(), 0);
}

TEST(LossOfParts, DigitsOfValuesFarFromZeroStay) {
  constexpr double kFar = 1e9;
  const OwnedTable owned = table_of({kFar, kFar + 1, kFar + 2, kFar + 3});
  LossOfParts loss({1});
  const Members members = pairs_of(4);
  loss.add(owned.view(), members, recode(owned.view(), members, Recode::centroid, silent), 1,
           silent);
  EXPECT_DOUBLE_EQ(loss.total(Standardize::none).sst, 5);
  EXPECT_DOUBLE_EQ(loss.total(Standardize::none).sse, 1);
}

// Neither mean is a double: of all, and of the last three.
TEST(LossOfParts, ARoundedMeanFarFromZeroLosesNoDigits) {
  constexpr double kFar = 1e9;
  const OwnedTable owned = table_of({kFar, kFar, kFar, kFar, kFar + 1, kFar + 3});
  LossOfParts loss({1});
  Members members;
  members.records = {0, 1, 2, 3, 4, 5};
  members.first_of = {0, 3, 6};
  loss.add(owned.view(), members, recode(owned.view(), members, Recode::centroid, silent), 1,
           silent);
  EXPECT_NEAR(loss.total(Standardize::none).sst, 22 / 3.0, 1e-9);
  EXPECT_NEAR(loss.total(Standardize::none).sse, 14 / 3.0, 1e-9);
}

}  // namespace
}  // namespace anonkit
