#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "method/method.hpp"
#include "pipeline.hpp"
#include "recode/grid_ruler.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

Column column_of(Rounding rounding, double width) {
  Column column;
  column.name = "a";
  column.rounding = rounding;
  column.width = width;
  return column;
}

constexpr Rounding kWhole = {Rounding::To::integer, 0};
constexpr Rounding kCents = {Rounding::To::decimal, 2};
constexpr Rounding kAny = {Rounding::To::none, 0};

TEST(GridRuler, CountsPlacesFromZeroOnBothSides) {
  const Column fives = column_of(kWhole, 5);
  const GridRuler ruler(fives);
  EXPECT_EQ(ruler.place(0), 0);
  EXPECT_EQ(ruler.place(4), 0);
  EXPECT_EQ(ruler.place(5), 1);
  EXPECT_EQ(ruler.place(-1), -1);
  EXPECT_EQ(ruler.place(-5), -1);
  EXPECT_EQ(ruler.place(-6), -2);
  EXPECT_EQ(ruler.first(-1), -5);
  EXPECT_EQ(ruler.last(-1), -1);
  const Column cents = column_of(kCents, 0.25);
  EXPECT_EQ(GridRuler(cents).first(GridRuler(cents).place(1.1)), 1);
  EXPECT_EQ(GridRuler(cents).last(GridRuler(cents).place(1.1)), 1.24);
  const Column any = column_of(kAny, 0.5);
  EXPECT_EQ(GridRuler(any).last(GridRuler(any).place(0.3)), 0.5);
}

TEST(GridRuler, RefusesWidthsThatDoNotServe) {
  EXPECT_THROW(GridRuler(column_of(kWhole, 2.5)), Error);
  EXPECT_THROW(GridRuler(column_of(kAny, 0)), Error);
  EXPECT_THROW(GridRuler(column_of(kWhole, 1e19)), Error);
  // So many cents are no number.
  EXPECT_THROW(GridRuler(column_of(kCents, 1e307)), Error);
  const Column broad = column_of(kCents, 1e15);
  EXPECT_EQ(GridRuler(broad).place(-0.01), -1);
  const Column narrow = column_of(kAny, 1e-20);
  EXPECT_THROW(GridRuler(narrow).place(1e9), Error);
  // A double has no cents at 2^53 cents.
  const Column wide = column_of(kCents, 100);
  EXPECT_EQ(GridRuler(wide).place(1e13), 100000000000);
  EXPECT_THROW(GridRuler(wide).place(1e14), Error);
}

/// The largest multiple that is not above x, by counting.
double multiple_below(double x, double width) {
  double multiple = 0;
  while (multiple > x) multiple -= width;
  while (multiple + width <= x) multiple += width;
  return multiple;
}

struct Numbers {
  std::vector<double> values;
  std::vector<double> widths;

  Table view() const {
    Table table;
    table.rows = static_cast<Record>(values.size() / widths.size());
    for (std::size_t j = 0; j < widths.size(); ++j) {
      table.columns.push_back(column_of(kWhole, widths[j]));
      table.columns.back().name = std::string(1, static_cast<char>('a' + j));
    }
    table.values = values.data();
    return table;
  }
};

Numbers random_numbers(RandomTables& random, bool outward) {
  Numbers numbers;
  for (int j = 0; j < 2; ++j) numbers.widths.push_back(outward ? random.between(1, 7) : 0);
  for (int i = 0; i < 40; ++i) numbers.values.push_back(random.between(-30, 30));
  return numbers;
}

TEST(OutwardRanges, EndAtTheNextMultiplesAroundTheirClass) {
  RandomTables random(1);
  for (int round = 0; round < 2000; ++round) {
    const Numbers numbers = random_numbers(random, true);
    const Table table = numbers.view();
    Members members;
    members.first_of = {0};
    for (Record i = 0; i < table.rows; ++i) members.records.push_back(i);
    while (members.first_of.back() < table.rows)
      members.first_of.push_back(std::min(
          table.rows, members.first_of.back() + static_cast<Record>(random.between(1, 5))));
    const Masked masked = published_cells(table, members, Recode::range, silent);
    for (std::size_t c = 0; c < members.classes(); ++c)
      for (std::size_t j = 0; j < 2; ++j) {
        double low = 1e9, high = -1e9;
        for (const Record i : members.of(c)) {
          low = std::min(low, table.value(i, j));
          high = std::max(high, table.value(i, j));
        }
        const double width = numbers.widths[j];
        EXPECT_EQ(masked.low[2 * c + j], multiple_below(low, width));
        EXPECT_EQ(masked.high[2 * c + j], multiple_below(high, width) + width - 1);
      }
  }
}

TEST(OutwardRanges, PublishClassesOfKRecordsThatHoldTheirRecords) {
  RandomTables random(2);
  for (const char* name : {"mdav", "microaggregate", "mondrian", "vmdav"})
    for (int round = 0; round < 40; ++round) {
      const Numbers numbers = random_numbers(random, true);
      const Table table = numbers.view();
      Options options;
      options.k = 3;
      options.recode = Recode::range;
      if (std::string(name) == "vmdav") options.gamma = 0.2;
      const Anonymized released = anonymize(table, *find_method(name), options, silent);
      std::vector<std::vector<double>> rows;
      for (Record i = 0; i < table.rows; ++i) {
        const auto c = static_cast<std::size_t>(released.cells(static_cast<std::size_t>(i)));
        rows.emplace_back();
        for (std::size_t j = 0; j < 2; ++j) {
          const double low = released.masked.low[2 * c + j], high = released.masked.high[2 * c + j];
          EXPECT_TRUE(low <= table.value(i, j) && table.value(i, j) <= high) << name;
          rows.back().insert(rows.back().end(), {low, high});
        }
      }
      for (const auto& row : rows) EXPECT_GE(std::count(rows.begin(), rows.end(), row), 3) << name;
      EXPECT_GE(released.ncp, 0);
      EXPECT_LE(released.ncp, 1);
    }
}

TEST(OutwardRanges, LoseAtLeastAsMuchAsAttainedOnes) {
  RandomTables random(3);
  for (int round = 0; round < 200; ++round) {
    Numbers numbers = random_numbers(random, true);
    Options options;
    options.k = 3;
    options.recode = Recode::range;
    const Method& mdav = *find_method("mdav");
    const double outward = anonymize(numbers.view(), mdav, options, silent).ncp;
    numbers.widths = {0, 0};
    EXPECT_GE(outward, anonymize(numbers.view(), mdav, options, silent).ncp - 1e-12);
  }
}

TEST(OutwardRanges, RefuseABadWidthBeforeAnyWork) {
  Numbers numbers;
  numbers.widths = {2.5};
  numbers.values = {1, 2, 3, 4};
  Options options;
  options.k = 2;
  options.recode = Recode::range;
  EXPECT_THROW(anonymize(numbers.view(), *find_method("mdav"), options, silent), Error);
}

TEST(OutwardRanges, RefuseAWidthThatIsTooSmallForTheOnlyNumber) {
  Numbers numbers;
  numbers.widths = {1};
  numbers.values = {1e15, 1e15};
  EXPECT_NO_THROW(check_widths(numbers.view(), silent));
  numbers.values = {1e16, 1e16};
  EXPECT_THROW(check_widths(numbers.view(), silent), Error);
}

}  // namespace
}  // namespace anonkit
