#include "model/swapped_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "base/keyed_random.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "method/method.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

using Key = std::array<std::uint8_t, KeyedRandom::kKeyBytes>;

/// A source, its private classes and the release, as the judge sees them.
struct Case {
  OwnedTable owned;
  std::vector<std::int32_t> class_of;
  std::vector<double> cells;           ///< of the release
  std::vector<RecordImage> published;  ///< its records
  std::vector<std::int32_t> numbers;   ///< of its classes; empty: not published
  Key key{};
  Record k = 3;

  std::size_t columns() const { return owned.columns.size(); }
  std::size_t rows() const { return class_of.size(); }
  double* cell_row(std::size_t i) { return cells.data() + i * columns(); }

  SwapVerdict judged() const {
    SwapClaim claim;
    for (const Column& column : owned.columns)
      claim.is_number.push_back(column.attribute.kind == Kind::numeric);
    claim.by_name = columns_by_name(owned.view());
    claim.k = k;
    claim.secret = key.data();
    const auto* records = owned.fingerprints.empty() ? nullptr : owned.fingerprints.data();
    const SwapSource source = {{static_cast<std::int64_t>(rows()), owned.values.data(), records},
                               records,
                               class_of.data()};
    const RowsSeen seen = {static_cast<std::int64_t>(cells.size() / columns()), cells.data(),
                           records == nullptr ? nullptr : published.data(),
                           numbers.empty() ? nullptr : numbers.data()};
    SilentTicker ticker;
    return judge_swap(source, seen, claim, ticker);
  }
};

/// The published number of the class of a row.
std::int32_t number_of(const Anonymized& made, std::size_t row) {
  return made.class_numbers[static_cast<std::size_t>(made.partition.class_of[row])];
}

/// A release of a random table, with ties, categories and nulls, in an order of its own.
Case make_case(RandomTables& random, int rows, bool with_records) {
  Case made;
  made.owned = random.make(rows, 3, true, random.between(0, 1) * 12);
  made.owned.columns[1].name = "a";  // the order of names is another one
  if (!with_records) made.owned.fingerprints.clear();
  for (Fingerprint& record : made.owned.fingerprints)
    record = {static_cast<std::uint64_t>(random.between(0, 5)), 1};
  made.key = public_key(static_cast<std::uint64_t>(random.between(0, 1 << 20)));
  Options options;
  options.k = made.k;
  options.recode = Recode::swap;
  options.nulls = Nulls::stratify;
  options.secret = made.key.data();
  SilentTicker ticker;
  const Table table = made.owned.view();
  const Anonymized result = anonymize(table, *find_method("mdav"), options, ticker);
  made.class_of = result.partition.class_of;
  for (Record i = table.rows; i-- > 0;) {
    const double* row = result.masked.low.data() + result.cells(static_cast<std::size_t>(i)) * 3;
    made.cells.insert(made.cells.end(), row, row + 3);
    if (with_records)
      made.published.push_back(made.owned.fingerprints[static_cast<std::size_t>(i)]);
    made.numbers.push_back(number_of(result, static_cast<std::size_t>(i)));
  }
  if (random.between(0, 1) == 0) made.numbers.clear();
  return made;
}

TEST(SwappedRows, AcceptsWhatTheMethodMakes) {
  RandomTables random(3);
  int made = 0;
  for (int round = 0; round < 2000; ++round) try {
      const Case one = make_case(random, random.between(3, 60), round % 4 != 0);
      EXPECT_EQ(one.judged().fault, SwapFault::none);
      ++made;
    } catch (const Error&) {
      // Strata of nulls that divide equal records.
    }
  EXPECT_GT(made, 1000);
}

/// A sound release of a table with different records and values, to be changed.
Case sound_case(RandomTables& random) {
  Case made;
  const int rows = random.between(12, 40);
  made.owned = random.make(rows, 2, false, 0);
  for (std::size_t i = 0; i < made.owned.values.size(); ++i)
    made.owned.values[i] = static_cast<double>(random.between(0, 1 << 29));
  made.key = public_key(static_cast<std::uint64_t>(random.between(0, 1 << 20)));
  Options options;
  options.k = made.k;
  options.recode = Recode::swap;
  options.secret = made.key.data();
  SilentTicker ticker;
  const Anonymized result = anonymize(made.owned.view(), *find_method("mdav"), options, ticker);
  made.class_of = result.partition.class_of;
  for (std::size_t i = 0; i < made.class_of.size(); ++i) {
    const double* row = result.masked.low.data() + result.cells(i) * 2;
    made.cells.insert(made.cells.end(), row, row + 2);
    made.published.push_back(made.owned.fingerprints[i]);
    made.numbers.push_back(number_of(result, i));
  }
  return made;
}

/// Two rows of one class, and one of another class.
struct Chosen {
  std::size_t a, b, other;
};
Chosen choose(const Case& from) {
  Chosen chosen{0, 1, 1};
  while (from.class_of[chosen.b] != from.class_of[0]) ++chosen.b;
  while (from.class_of[chosen.other] == from.class_of[0]) ++chosen.other;
  return chosen;
}

void expect_refused(const char* what, SwapFault fault,
                    const std::function<void(Case& changed, const Chosen& rows)>& change) {
  RandomTables random(17);
  for (int round = 0; round < 100; ++round) {
    Case changed = sound_case(random);
    ASSERT_EQ(changed.judged().fault, SwapFault::none);
    change(changed, choose(changed));
    EXPECT_EQ(changed.judged().fault, fault) << what;
    EXPECT_GT(changed.judged().count, 0) << what;
  }
}

// Row i of the release carries the record of row i of the source, so both are of one class.
TEST(SwappedRows, RefusesInjectedFaults) {
  const auto other_rows = SwapFault::other_rows;
  expect_refused("a cell of another class", other_rows, [](Case& c, const Chosen& rows) {
    c.cell_row(rows.a)[0] = c.cell_row(rows.other)[0];
  });
  expect_refused(
      "cells of one class, permuted otherwise", other_rows,
      [](Case& c, const Chosen& rows) { std::swap(c.cell_row(rows.a)[0], c.cell_row(rows.b)[0]); });
  expect_refused("cells exchanged between classes", other_rows, [](Case& c, const Chosen& rows) {
    std::swap(c.cell_row(rows.a)[1], c.cell_row(rows.other)[1]);
  });
  expect_refused("a dropped row", other_rows, [](Case& c, const Chosen&) {
    c.cells.resize(c.cells.size() - c.columns());
    c.published.pop_back();
    c.numbers.pop_back();
  });
  expect_refused("a repeated row", other_rows, [](Case& c, const Chosen& rows) {
    const std::vector<double> row(c.cell_row(rows.a), c.cell_row(rows.a) + c.columns());
    c.cells.insert(c.cells.end(), row.begin(), row.end());
    c.published.push_back(c.published[rows.a]);
    c.numbers.push_back(c.numbers[rows.a]);
  });
  expect_refused("a repeated row in the place of another", other_rows,
                 [](Case& c, const Chosen& rows) {
                   std::copy_n(c.cell_row(rows.a), c.columns(), c.cell_row(rows.other));
                   c.published[rows.other] = c.published[rows.a];
                   c.numbers[rows.other] = c.numbers[rows.a];
                 });
  expect_refused(
      "a record attached elsewhere in its class", other_rows,
      [](Case& c, const Chosen& rows) { std::swap(c.published[rows.a], c.published[rows.b]); });
  expect_refused("a record of another class", other_rows, [](Case& c, const Chosen& rows) {
    std::swap(c.published[rows.a], c.published[rows.other]);
  });
  expect_refused("numbers of two classes exchanged", other_rows, [](Case& c, const Chosen& rows) {
    const std::int32_t a = c.numbers[rows.a], b = c.numbers[rows.other];
    for (std::int32_t& number : c.numbers) number = number == a ? b : number == b ? a : number;
  });
  expect_refused("a row with the number of another class", other_rows,
                 [](Case& c, const Chosen& rows) { c.numbers[rows.a] = c.numbers[rows.other]; });
  expect_refused("a row without a number", other_rows,
                 [](Case& c, const Chosen& rows) { c.numbers[rows.a] = 0; });
  expect_refused("another key", other_rows,
                 [](Case& c, const Chosen&) { c.key[31] = static_cast<std::uint8_t>(~c.key[31]); });
  expect_refused("records exchanged between classes", other_rows, [](Case& c, const Chosen& rows) {
    std::swap(c.class_of[rows.a], c.class_of[rows.other]);
  });
  expect_refused("a class below k", SwapFault::small_class,
                 [](Case& c, const Chosen& rows) { c.class_of[rows.a] = 1 << 20; });
  expect_refused("a k that classes do not have", SwapFault::small_class,
                 [](Case& c, const Chosen&) { c.k = 1 << 10; });
  expect_refused("a person without a class", SwapFault::without_class,
                 [](Case& c, const Chosen& rows) { c.class_of[rows.a] = kNone; });
}

TEST(SwappedRows, CountsTheRowsThatOneSideLacks) {
  RandomTables random(19);
  for (int round = 0; round < 50; ++round) {
    Case changed = sound_case(random);
    const int rows = random.between(1, 5);
    for (int i = 0; i < rows; ++i) changed.cell_row(static_cast<std::size_t>(i))[0] += 0.5;
    EXPECT_EQ(changed.judged().count, 2 * rows);
  }
}

TEST(SwappedRows, SeesWithheldValues) {
  // Readers see images of records without the withheld values, which do not decide the order.
  RandomTables random(23);
  Case made = sound_case(random);
  std::vector<RecordImage> shown(made.rows(), RecordImage{0, 0});
  const std::size_t rows = made.rows();
  SwapClaim claim;
  claim.is_number = {true, true};
  claim.by_name = {0, 1};
  claim.k = 3;
  claim.secret = made.key.data();
  const SwapSource source = {
      {static_cast<std::int64_t>(rows), made.owned.values.data(), shown.data()},
      made.owned.fingerprints.data(),
      made.class_of.data()};
  SilentTicker ticker;
  const RowsSeen seen = {static_cast<std::int64_t>(rows), made.cells.data(), shown.data()};
  EXPECT_EQ(judge_swap(source, seen, claim, ticker).fault, SwapFault::none);
  const RowsSeen whole = {static_cast<std::int64_t>(rows), made.cells.data(),
                          made.published.data()};
  EXPECT_EQ(judge_swap(source, whole, claim, ticker).fault, SwapFault::other_rows);
}

}  // namespace
}  // namespace anonkit
