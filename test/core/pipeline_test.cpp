#include "pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"

namespace anonkit {
namespace {

Anonymized run(const OwnedTable& owned, const Options& options, const char* method = "mdav") {
  SilentTicker ticker;
  return anonymize(owned.view(), *find_method(method), options, ticker);
}

Options options_of(Record k) {
  Options options;
  options.k = k;
  options.nulls = Nulls::stratify;
  return options;
}

using Bits = std::vector<std::uint64_t>;

void append(Bits& bits, double value) {
  bits.push_back(0);
  std::memcpy(&bits.back(), &value, sizeof value);
}

/// The published cells of each row and its fingerprint, which represents the kept columns, sorted.
std::vector<Bits> released(const OwnedTable& owned, const Anonymized& result) {
  const std::size_t d = owned.columns.size();
  std::vector<Bits> rows;
  for (std::size_t i = 0; i < result.partition.class_of.size(); ++i) {
    const auto c = static_cast<std::size_t>(result.partition.class_of[i]);
    Bits bits(owned.fingerprints[i].begin(), owned.fingerprints[i].end());
    for (std::size_t cell = c * d; cell < (c + 1) * d; ++cell) {
      append(bits, result.masked.low[cell]);
      if (result.masked.high.empty()) continue;
      append(bits, result.masked.high[cell]);
      const auto& set = result.masked.sets[cell];
      bits.insert(bits.end(), set.begin(), set.end());
    }
    rows.push_back(bits);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Every row is in one class, members and class_of agree, and the published cells are k-anonymous.
void expect_promises(const OwnedTable& owned, const Anonymized& result, Record k) {
  const Record n = owned.view().rows;
  const Members& members = result.members;
  ASSERT_EQ(static_cast<Record>(result.partition.class_of.size()), n);
  ASSERT_EQ(members.first_of.size(), static_cast<std::size_t>(result.partition.classes) + 1);
  std::vector<int> seen(static_cast<std::size_t>(n), 0);
  for (std::size_t c = 0; c + 1 < members.first_of.size(); ++c) {
    ASSERT_GE(members.first_of[c + 1] - members.first_of[c], k);
    for (Record at = members.first_of[c]; at < members.first_of[c + 1]; ++at) {
      const auto row = static_cast<std::size_t>(members.records[static_cast<std::size_t>(at)]);
      ++seen[row];
      ASSERT_EQ(result.partition.class_of[row], static_cast<ClassId>(c));
    }
  }
  ASSERT_EQ(std::count(seen.begin(), seen.end(), 1), n);
  ASSERT_EQ(result.masked.low.size(),
            static_cast<std::size_t>(result.partition.classes) * owned.columns.size());
  ASSERT_GE(result.loss.sse, 0);

  std::map<Bits, Record> published;
  for (Bits row : released(owned, result)) ++published[Bits(row.begin() + 2, row.end())];
  for (const auto& [row, count] : published) ASSERT_GE(count, k);
}

/// A null in the table is never published as a number.
void expect_no_null_filled(const OwnedTable& owned, const Anonymized& result) {
  const Table table = owned.view();
  const std::size_t d = table.columns.size();
  for (Record i = 0; i < table.rows; ++i) {
    const auto c = static_cast<std::size_t>(result.partition.class_of[static_cast<std::size_t>(i)]);
    for (std::size_t j = 0; j < d; ++j)
      if (is_null(table.value(i, j))) {
        ASSERT_TRUE(is_null(result.masked.low[c * d + j]));
      }
  }
}

class EveryMethod : public testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, KeepsItsPromisesWhateverTheOrderOfTheRows) {
  const std::string method = GetParam();
  RandomTables random(7);
  for (int round = 0; round < trials(400); ++round) {
    const bool univariate = method == "univariate";
    OwnedTable table = random.make(random.between(1, 50), univariate ? 1 : random.between(1, 4),
                                   !univariate && round % 2 == 0, round % 3 == 0 ? 6 : 0);
    if (round % 4 == 0)
      for (Column& column : table.columns) column.rounding = {Rounding::To::integer, 0};
    Options options = options_of(random.between(1, std::min(table.view().rows, 8)));
    options.recode = round % 5 == 0   ? Recode::range
                     : round % 5 == 1 ? Recode::median
                                      : Recode::centroid;
    options.standardize = static_cast<Standardize>(random.between(0, 2));
    options.seed = 42;
    const Anonymized result = run(table, options, GetParam());
    expect_promises(table, result, options.k);
    expect_no_null_filled(table, result);
    if (HasFatalFailure()) return;

    const OwnedTable other = random.shuffled(table);
    const Anonymized again = run(other, options, GetParam());
    ASSERT_EQ(released(table, result), released(other, again)) << "round " << round;
    ASSERT_EQ(result.loss.sse, again.loss.sse);
    ASSERT_EQ(result.suppressed_cells, again.suppressed_cells);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values("mdav", "vmdav", "univariate", "microaggregate"));

TEST(Pipeline, KOneChangesNoRecord) {
  RandomTables random(8);
  for (int round = 0; round < 100; ++round) {
    const OwnedTable table = random.make(random.between(1, 40), 3, true, 5);
    Options options = options_of(1);
    if (random.between(0, 1) == 0) options.recode = Recode::median;
    const Anonymized result = run(table, options);
    EXPECT_EQ(result.loss.sse, 0);
    EXPECT_EQ(result.suppressed_cells, 0);
    for (std::size_t i = 0; i < result.partition.class_of.size(); ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double x = table.values[i * 3 + j];
        const double y =
            result.masked.low[static_cast<std::size_t>(result.partition.class_of[i]) * 3 + j];
        ASSERT_TRUE(x == y || (is_null(x) && is_null(y)));
      }
  }
}

TEST(Pipeline, KOfAllRowsMakesOneClass) {
  RandomTables random(9);
  for (int n = 1; n < 30; ++n) {
    const Anonymized result = run(random.make(n, 2, false, n % 2 == 0 ? 4 : 0), options_of(n));
    EXPECT_EQ(result.partition.classes, 1);
    EXPECT_EQ(static_cast<int>(result.members.records.size()), n);
  }
}

TEST(Pipeline, BlanksTwoCellsForThreeNullsAndKFive) {
  RandomTables random(10);
  OwnedTable table = random.make(1000, 2, false, 0);
  for (const std::size_t row : {5u, 500u, 900u}) table.values[row * 2] = kNull;
  const Anonymized result = run(table, options_of(5));
  EXPECT_EQ(result.suppressed_cells, 2);
  Options options = options_of(5);
  options.nulls = Nulls::error;
  EXPECT_THROW(run(table, options), Error);
}

TEST(Pipeline, MasksInTheColumnsOwnType) {
  OwnedTable table = table_of({1, 2, 10, 13});
  table.columns[0].rounding = {Rounding::To::integer, 0};
  const Anonymized result = run(table, options_of(2));
  EXPECT_EQ(result.masked.low, (std::vector<double>{2, 12}));
  EXPECT_DOUBLE_EQ(result.loss.sse / result.loss.sst, 6.0 / 105) << "of the rounded cells";
}

void expect_error(const OwnedTable& table, Record k, ErrorKind kind) {
  try {
    run(table, options_of(k));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, kind) << error.what();
  }
}

TEST(Pipeline, RefusesEmptyTablesAndImpossibleSizes) {
  expect_error(table_of({}), 2, ErrorKind::invalid_data);
  expect_error(table_of({1, 2, 3}), 0, ErrorKind::invalid_parameter);
  expect_error(table_of({1, 2, 3}), -1, ErrorKind::invalid_parameter);
  expect_error(table_of({1, 2, 3}), 4, ErrorKind::invalid_parameter);
}

TEST(Pipeline, MethodsAreFoundByTheirNames) {
  for (const char* name : {"mdav", "vmdav", "univariate", "tclose", "microaggregate"}) {
    ASSERT_NE(find_method(name), nullptr);
    EXPECT_STREQ(find_method(name)->name, name);
  }
  EXPECT_EQ(find_method("MDAV"), nullptr);
  EXPECT_EQ(find_method(""), nullptr);
}

TEST(Pipeline, UnivariateTakesOneColumn) {
  try {
    run(table_of({1, 2, 3, 4}, {{}, {}}), options_of(2), "univariate");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "method \"univariate\" takes exactly one numeric quasi-identifier");
  }
}

std::string refusal(const char* method, const Options& options) {
  try {
    find_method(method)->check(options);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_parameter);
    return error.what();
  }
}

TEST(Pipeline, MethodsRefuseWhatTheyDoNotDo) {
  Options options;
  options.recode = Recode::range;
  EXPECT_EQ(refusal("incognito", options),
            "full-domain generalisation publishes levels of hierarchies and nothing else");
  options.recode = Recode::hierarchy;
  EXPECT_EQ(refusal("argus", options), "");
  options.generalisation.complete = false;
  EXPECT_EQ(refusal("argus", options), "");
  options.promises.l = 2;
  EXPECT_EQ(refusal("argus", options), "mu-Argus as it was published promises no model beside k");
}

TEST(Pipeline, MondrianRefusesWhatDependsOnMoreThanBoxes) {
  Options options;
  options.recode = Recode::range;
  options.algorithm = "relaxed";
  options.transparency.wanted = true;
  EXPECT_EQ(refusal("mondrian", options),
            "algorithm 'relaxed' of method \"mondrian\" cannot be transparent");
  options.algorithm = "grid";
  EXPECT_EQ(refusal("mondrian", options), "");
  options.refine = Effort::fast;
  EXPECT_NE(refusal("mondrian", options).find("has no search"), std::string::npos);
  options.refine = Effort::none;
  options.duplicates = Duplicates::divide;
  EXPECT_NE(refusal("mondrian", options).find("never divides equal records"), std::string::npos);
}

TEST(Pipeline, RefusesNullsAmongNumbersThatAPromiseCompares) {
  const OwnedTable owned = table_of({1, 2, 3, 4});
  const std::vector<std::int32_t> ranks = {0, 1, 2, 0};
  const std::vector<double> numbers = {10, 20};
  Table table = owned.view();
  SensitiveColumn& column = table.sensitive.emplace_back();
  column.ranks = ranks.data();
  column.distinct = 3;
  column.kind = Kind::numeric;
  column.numbers = numbers.data();
  column.nulls = 1;
  const auto refuses = [&](const Promises& promises) {
    Options options = options_of(2);
    options.promises = promises;
    SilentTicker ticker;
    try {
      anonymize(table, *find_method("microaggregate"), options, ticker);
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::invalid_data) << error.what();
      EXPECT_EQ(error.detail, "Number of nulls: 1.");
      return true;
    }
  };
  Promises promises;
  promises.l = 2;
  EXPECT_FALSE(refuses(promises)) << "a null is one more value";
  promises.t = 1;
  EXPECT_TRUE(refuses(promises));
  column.kind = Kind::nominal;
  EXPECT_FALSE(refuses(promises));
}

}  // namespace
}  // namespace anonkit
