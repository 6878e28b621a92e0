#include "metric/centroid_loss.hpp"

#include <gtest/gtest.h>

#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

/// Squared errors to a point, straight from their definition, without nulls.
double squared_error(const Table& table, const std::vector<Scale>& scales, Record i,
                     const std::vector<double>& point) {
  double sum = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Attribute& attribute = table.columns[j].attribute;
    const double x = table.value(i, j);
    if (is_null(x)) continue;
    double difference = x == point[j] ? 0 : 1;
    if (attribute.kind == Kind::ordinal) difference = (x - point[j]) / attribute.categories;
    if (attribute.kind == Kind::numeric)
      difference = scales[j].apply(x) - scales[j].apply(point[j]);
    sum += attribute.weight * difference * difference;
  }
  return sum;
}

/// Mean, lower median or lowest mode of the non-null values.
double plain_centroid(const Attribute& attribute, std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  if (attribute.kind == Kind::ordinal) return values[(values.size() - 1) / 2];
  double best = values.front(), sum = 0;
  for (const double value : values) {
    sum += value;
    if (std::count(values.begin(), values.end(), value) >
        std::count(values.begin(), values.end(), best))
      best = value;
  }
  return attribute.kind == Kind::nominal ? best : sum / static_cast<double>(values.size());
}

std::vector<double> plain_centroid(const Table& table, const std::vector<Record>& rows) {
  std::vector<double> point;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    std::vector<double> values;
    for (const Record i : rows)
      if (!is_null(table.value(i, j))) values.push_back(table.value(i, j));
    point.push_back(plain_centroid(table.columns[j].attribute, std::move(values)));
  }
  return point;
}

TEST(CentroidLoss, EqualsItsDefinition) {
  RandomTables random(1);
  for (int round = 0; round < 1000; ++round) {
    const OwnedTable owned = random.make(random.between(2, 25), random.between(1, 4),
                                         round % 2 == 0, round % 3 == 0 ? 6 : 0);
    const Table table = owned.view();
    const std::vector<Record> order = canonical_order(table, 0, silent);
    const auto scales =
        scales_of(table, order, round % 5 == 0 ? Standardize::range : Standardize::zscore, silent);
    Partition partition{{}, random.between(1, std::min(4, table.rows))};
    for (Record i = 0; i < table.rows; ++i) partition.class_of.push_back(i % partition.classes);
    const Members members = members_of(partition);
    const Masked masked = recode(table, members, Recode::centroid);

    const std::vector<double> grand = plain_centroid(table, order);
    double sse = 0, sst = 0;
    for (ClassId c = 0; c < partition.classes; ++c) {
      std::vector<Record> rows;
      for (Record i = c; i < table.rows; i += partition.classes) rows.push_back(i);
      std::vector<double> point = plain_centroid(table, rows);
      for (std::size_t j = 0; j < point.size(); ++j)
        for (const Record i : rows)
          if (is_null(table.value(i, j))) point[j] = grand[j];
      for (const Record i : rows) {
        sse += squared_error(table, scales, i, point);
        sst += squared_error(table, scales, i, grand);
      }
    }
    const auto loss = centroid_loss(table, members, masked, order, scales);
    ASSERT_NEAR(loss.sse, sse, 1e-9 * (1 + sse));
    ASSERT_NEAR(loss.sst, sst, 1e-9 * (1 + sst));
  }
}

TEST(CentroidLoss, IsNothingForClassesOfOneAndAllForOneClass) {
  const OwnedTable owned = table_of({1, 5, 2, 9});
  const Table table = owned.view();
  const std::vector<Record> order = canonical_order(table, 0, silent);
  const auto scales = scales_of(table, order, Standardize::zscore, silent);
  const Members single{{0, 1, 2, 3}, {0, 1, 2, 3, 4}}, all{{0, 1, 2, 3}, {0, 4}};
  EXPECT_EQ(centroid_loss(table, single, recode(table, single, Recode::centroid), order, scales)
                .percent(),
            0);
  const auto loss = centroid_loss(table, all, recode(table, all, Recode::centroid), order, scales);
  EXPECT_DOUBLE_EQ(loss.percent(), 100);
  EXPECT_DOUBLE_EQ(loss.sst, 3);  // n - 1: each standardised column has sample variance 1
}

TEST(CentroidLoss, IsZeroPercentWhereAllRecordsAreAlike) {
  const OwnedTable owned = table_of({0.1, 0.1, 0.1});
  const Table table = owned.view();
  const Members all{{0, 1, 2}, {0, 3}};
  const auto scales = scales_of(table, {0, 1, 2}, Standardize::zscore, silent);
  EXPECT_EQ(
      centroid_loss(table, all, recode(table, all, Recode::centroid), {0, 1, 2}, scales).percent(),
      0);
}

TEST(CentroidLoss, OfAllColumnsIsTheSumOverColumns) {
  RandomTables random(3);
  for (int round = 0; round < 300; ++round) {
    const OwnedTable owned =
        random.make(random.between(6, 25), random.between(1, 4), round % 2 == 0, 0);
    const Table table = owned.view();
    const std::vector<Record> order = canonical_order(table, 0, silent);
    const auto scales = scales_of(table, order, Standardize::zscore, silent);
    Partition partition{{}, 2};
    // Up to two records are suppressed.
    for (Record i = 0; i < table.rows; ++i)
      partition.class_of.push_back(i < round % 3 ? kNone : i % 2);
    const Members members = members_of(partition);
    const Masked masked = recode(table, members, Recode::centroid);
    const CentroidLoss whole = centroid_loss(table, members, masked, order, scales, silent);
    CentroidLoss sum;
    for (const CentroidLoss& of : column_losses(table, members, masked, order, scales, silent)) {
      sum.sse += of.sse;
      sum.sst += of.sst;
    }
    EXPECT_NEAR(sum.sse, whole.sse, 1e-9 * (1 + whole.sse));
    EXPECT_NEAR(sum.sst, whole.sst, 1e-9 * (1 + whole.sst));
  }
}

}  // namespace
}  // namespace anonkit
