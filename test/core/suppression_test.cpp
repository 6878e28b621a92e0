#include "suppression.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "metric/costliest_records.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

constexpr const char* kMethodNames[] = {"mdav", "microaggregate", "mondrian", "vmdav"};

Anonymized without_costliest(const Table& table, const Options& options, const char* method) {
  SilentTicker ticker;
  return anonymize_within_budget(table, *find_method(method), options, ticker);
}

Anonymized of_all(const Table& table, const Options& options, const char* method) {
  SilentTicker ticker;
  return anonymize(table, *find_method(method), options, ticker);
}

std::vector<double> cells(const Table& table, Record row) {
  const double* begin = table.values + static_cast<std::size_t>(row) * table.columns.size();
  return {begin, begin + table.columns.size()};
}

/// The squared error of a row, from the definition.
double error_of(const Table& table, const Anonymized& made, Record row) {
  const ClassId c = made.partition.class_of[static_cast<std::size_t>(row)];
  if (c == kNone) return 0;
  double sum = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Attribute& attribute = table.columns[j].attribute;
    const double x = table.value(row, j);
    const double y = made.masked.low[static_cast<std::size_t>(c) * table.columns.size() + j];
    const double scale = made.scales[j].scale;
    const double away = attribute.kind == Kind::nominal   ? (x == y ? 0 : 1)
                        : attribute.kind == Kind::ordinal ? (x - y) / attribute.categories
                                                          : (scale > 0 ? (x - y) / scale : 0);
    sum += attribute.weight * away * away;
  }
  return sum;
}

double error_without(const Table& table, const Anonymized& made, const std::set<Record>& left_out) {
  double sum = 0;
  for (Record row = 0; row < table.rows; ++row)
    if (left_out.count(row) == 0) sum += error_of(table, made, row);
  return sum;
}

/// The squared distances from a record to its k - 1 nearest others, by a scan of all.
double plain_cost(const Space& space, Record record, Record k) {
  std::vector<double> distances;
  for (Record other = 0; other < space.size(); ++other)
    distances.push_back(space.squared_distance(space.row(record), space.row(other)));
  std::sort(distances.begin(), distances.end());
  return std::accumulate(distances.begin(), distances.begin() + k, 0.0);
}

/// The plain choice: distinct records by their cost, the largest first, while they fit.
std::set<Record> plain_choice(const Table& table, const Anonymized& all, Record k,
                              std::int64_t budget) {
  struct Group {
    std::size_t first = 0;
    std::vector<Record> rows;
    double cost = 0;
  };
  SilentTicker ticker;
  const Space space = space_of(table, all.order, columns_by_name(table), all.scales, ticker);
  std::map<std::vector<double>, Group> groups;
  for (std::size_t place = 0; place < all.order.size(); ++place) {
    Group& group = groups[cells(table, all.order[place])];
    if (group.rows.empty()) group.first = place;
    group.rows.push_back(all.order[place]);
    group.cost = plain_cost(space, static_cast<Record>(place), k);
  }
  std::vector<Group> sorted;
  for (auto& entry : groups) sorted.push_back(entry.second);
  std::sort(sorted.begin(), sorted.end(), [](const Group& a, const Group& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.first < b.first;
  });
  std::set<Record> chosen;
  for (const Group& group : sorted)
    if (group.cost > 0 && chosen.size() + group.rows.size() <= static_cast<std::size_t>(budget))
      chosen.insert(group.rows.begin(), group.rows.end());
  return chosen;
}

Options options_of(Record k, double share) {
  Options options;
  options.k = k;
  options.recode = Recode::centroid;
  options.generalisation.max_suppression = share;
  return options;
}

std::set<Record> left_out_of(const Anonymized& made) {
  std::set<Record> left_out;
  for (std::size_t row = 0; row < made.partition.class_of.size(); ++row)
    if (made.partition.class_of[row] == kNone) left_out.insert(static_cast<Record>(row));
  return left_out;
}

TEST(Suppression, LeavesOutWhatThePlainChoiceLeavesOut) {
  RandomTables random(1);
  int chosen = 0;
  for (int round = 0; round < trials(400); ++round) {
    const OwnedTable owned = random.make(random.between(1, 40), random.between(1, 3), true, 0);
    const Table table = owned.view();
    const Options options =
        options_of(random.between(1, std::min(table.rows, 6)), 0.05 * random.between(0, 8));
    const char* method = kMethodNames[round % 4];
    const Anonymized all = of_all(table, options, method);
    const Anonymized made = without_costliest(table, options, method);
    const auto budget = std::min<std::int64_t>(
        static_cast<std::int64_t>(std::floor(options.generalisation.max_suppression * table.rows)),
        table.rows - options.k);
    const std::set<Record> left_out = left_out_of(made);
    ASSERT_EQ(made.suppressed, static_cast<std::int64_t>(left_out.size()));
    ASSERT_LE(made.suppressed, budget);
    if (left_out.empty()) continue;
    ++chosen;
    ASSERT_EQ(left_out, plain_choice(table, all, options.k, budget)) << "round " << round;
    for (const RecordSpan of_class : made.members) ASSERT_GE(of_class.size(), options.k);
    ASSERT_NEAR(made.saved * all.loss.sst,
                error_without(table, all, left_out) - error_without(table, made, left_out),
                1e-9 * (1 + all.loss.sst));
    ASSERT_GT(made.saved, 0);
  }
  EXPECT_GE(chosen, trials(40));
}

TEST(Suppression, DoesNotDependOnTheOrderOfRows) {
  RandomTables random(2);
  const auto published = [](const OwnedTable& owned, const Anonymized& made) {
    const std::size_t d = owned.columns.size();
    std::multiset<std::vector<double>> rows;
    for (std::size_t row = 0; row < made.partition.class_of.size(); ++row) {
      std::vector<double> one = cells(owned.view(), static_cast<Record>(row));
      const ClassId c = made.partition.class_of[row];
      one.push_back(static_cast<double>(owned.fingerprints[row][1]));
      for (std::size_t j = 0; c != kNone && j < d; ++j)
        one.push_back(made.masked.low[static_cast<std::size_t>(c) * d + j]);
      rows.insert(one);
    }
    return rows;
  };
  for (int round = 0; round < trials(200); ++round) {
    const OwnedTable owned = random.make(random.between(2, 40), random.between(1, 3), true, 0);
    const Options options = options_of(random.between(1, 2), 0.3);
    const char* method = kMethodNames[round % 4];
    const OwnedTable other = random.shuffled(owned);
    const Anonymized made = without_costliest(owned.view(), options, method);
    const Anonymized again = without_costliest(other.view(), options, method);
    ASSERT_EQ(published(owned, made), published(other, again)) << "round " << round;
    ASSERT_EQ(made.saved, again.saved);
  }
}

TEST(Suppression, WithoutABudgetIsNone) {
  RandomTables random(3);
  const OwnedTable owned = random.make(30, 2, false, 0);
  for (const double share : {-1.0, 0.0}) {
    const Anonymized made = without_costliest(owned.view(), options_of(3, share), "mdav");
    EXPECT_EQ(made.suppressed, 0);
    EXPECT_TRUE(is_null(made.saved));
  }
  const Anonymized made = without_costliest(owned.view(), options_of(30, 1), "mdav");
  EXPECT_EQ(made.suppressed, 0) << "k records are left";
  EXPECT_EQ(made.saved, 0);
}

/// Numbers with one far outlier, whose value is unique.
struct Outlier {
  OwnedTable owned;
  std::vector<std::int32_t> ranks;

  Outlier() {
    std::vector<double> values(12);
    std::iota(values.begin(), values.end(), 0.0);
    values.back() = 1000;
    owned = table_of(std::move(values));
    for (std::int32_t i = 0; i < 12; ++i) ranks.push_back(i == 11 ? 2 : i % 2);
  }

  Table table() const {
    Table table = owned.view();
    SensitiveColumn column;
    column.name = "illness";
    column.ranks = ranks.data();
    column.distinct = 3;
    table.sensitive.push_back(column);
    return table;
  }
};

TEST(Suppression, KeepsPromisesAmongTheRecordsThatAreLeft) {
  const Outlier outlier;
  Options options = options_of(2, 0.1);
  options.promises.p = 2;
  const Table table = outlier.table();
  const Anonymized made = without_costliest(table, options, "microaggregate");
  ASSERT_EQ(left_out_of(made), std::set<Record>({11}));
  for (ClassId c = 0; c < made.partition.classes; ++c) {
    std::set<std::int32_t> values;
    for (Record at = made.members.first_of[static_cast<std::size_t>(c)];
         at < made.members.first_of[static_cast<std::size_t>(c) + 1]; ++at)
      values.insert(table.sensitive[0].ranks[made.members.records[static_cast<std::size_t>(at)]]);
    EXPECT_GE(values.size(), 2u);
  }
}

TEST(Suppression, KeepsAllWhereTheOthersCannotKeepAPromise) {
  const Outlier outlier;
  Options options = options_of(2, 0.1);
  options.promises.p = 3;
  const Anonymized made = without_costliest(outlier.table(), options, "microaggregate");
  EXPECT_EQ(made.suppressed, 0) << "without the outlier there are two values";
  EXPECT_EQ(made.saved, 0);
}

TEST(Suppression, NumbersStayWithTheirValuesAmongTheRecordsThatAreLeft) {
  Outlier outlier;
  for (std::int32_t& rank : outlier.ranks) rank = rank == 2 ? 1 : 2 * rank;
  const std::vector<double> numbers = {0, 50, 100};
  Table table = outlier.table();
  table.sensitive[0].numbers = numbers.data();
  Options options = options_of(2, 0.1);
  options.promises.e = 80;
  EXPECT_EQ(left_out_of(without_costliest(table, options, "microaggregate")),
            std::set<Record>({11}))
      << "classes of the others range from 0 to 100";
}

TEST(Suppression, IsRefusedWithNullStrata) {
  RandomTables random(4);
  OwnedTable owned = random.make(30, 2, false, 0);
  owned.values[0] = kNull;
  Options options = options_of(2, 0.2);
  options.nulls = Nulls::stratify;
  EXPECT_THROW(without_costliest(owned.view(), options, "mdav"), Error);
}

TEST(Suppression, TakesPointsWholeOrNotAtAll) {
  const OwnedTable owned = table_of({5, 1, 5, 9, 5});
  const std::vector<double> costs = {3, 1, 3, 0, 3};
  SilentTicker ticker;
  const auto chosen = [&](std::int64_t budget) {
    return costliest_records(owned.view(), {1, 0, 2, 4, 3}, costs, budget, ticker);
  };
  EXPECT_EQ(chosen(2), std::vector<Record>({1})) << "three that are equal do not fit";
  EXPECT_EQ(chosen(3), std::vector<Record>({0, 2, 4}));
  EXPECT_EQ(chosen(5), std::vector<Record>({0, 1, 2, 4})) << "a record that costs nothing stays";
}

TEST(Suppression, KPersonsAreLeft) {
  const OwnedTable owned = table_of({50, 50, 0, 200});
  const auto suppressed = [&](const std::vector<std::int32_t>& persons) {
    Table table = owned.view();
    table.units = persons.data();
    Options options;
    options.k = 2;
    options.counts_units = true;
    options.generalisation.max_suppression = 0.5;
    return without_costliest(table, options, "mdav").suppressed;
  };
  EXPECT_EQ(suppressed({0, 1, 0, 1}), 2);
  EXPECT_EQ(suppressed({0, 0, 1, 1}), 0) << "without both outliers there is one person";
}

}  // namespace
}  // namespace anonkit
