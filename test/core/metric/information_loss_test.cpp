#include "metric/information_loss.hpp"

#include <gtest/gtest.h>

#include "fixture/pk_data.hpp"
#include "method/pkclustering/cover_cells.hpp"
#include "metric/diversity.hpp"
#include "reference/pkclustering.hpp"

namespace anonkit {
namespace {

InformationLoss loss_of(const Table& table, std::vector<ClassId> class_of, ClassId classes) {
  SilentTicker ticker;
  return information_loss(table, members_of({std::move(class_of), classes}), ticker);
}

/// Ages, and towns within counties within a country.
struct Towns {
  Hierarchy hierarchy{{{0, 0, 1, 1}, {0, 0, 0, 0}}};
  std::vector<std::int32_t> leaves = {0, 1, 2, 2, 3};
  std::vector<double> values = {25, 0, 39, 1, 36, 2, 65, 2, 45, 3};
  Table table;
  Towns() {
    table.rows = 5;
    table.columns = {{"age", {}, {}}, {"town", {Kind::nominal, 1, 4}, {}}};
    table.values = values.data();
  }
};

TEST(InformationLoss, OfIntervalsAndLowestCommonAncestors) {
  Towns towns;
  towns.table.columns[1].hierarchy = &towns.hierarchy;
  towns.table.columns[1].leaves = towns.leaves.data();
  // Ages 25-39 of 25-65, towns of one county; then 36-65, the country's.
  InformationLoss loss = loss_of(towns.table, {0, 0, 1, 1, 1}, 2);
  EXPECT_DOUBLE_EQ(loss.total, 2 * (14.0 / 40 + 0.5) + 3 * (29.0 / 40 + 0.5));
  EXPECT_DOUBLE_EQ(loss.mean, loss.total / 5);
  loss = loss_of(towns.table, {0, 0, 0, 0, 0}, 1);
  EXPECT_EQ(loss.total, 10);
  EXPECT_EQ(loss.mean, 2);
  EXPECT_EQ(loss_of(towns.table, {0, 1, 2, 3, 4}, 5).total, 0);
}

TEST(InformationLoss, WhatIsNotPublishedLosesNothing) {
  Towns towns;
  SilentTicker ticker;
  const InformationLoss loss = information_loss(towns.table, {{}, {0}}, ticker);
  EXPECT_EQ(loss.total, 0);
  EXPECT_EQ(loss.mean, 0);
}

TEST(InformationLoss, WithoutAHierarchyACategoryIsKeptOrSuppressed) {
  Towns towns;
  EXPECT_DOUBLE_EQ(loss_of(towns.table, {0, 0, 1, 1, 2}, 3).total,
                   2 * (14.0 / 40 + 1) + 2 * 29.0 / 40);
  towns.table.columns[1].attribute.kind = Kind::ordinal;
  EXPECT_DOUBLE_EQ(loss_of(towns.table, {0, 0, 1, 1, 2}, 3).total,
                   2 * (14.0 / 40 + 1.0 / 3) + 2 * 29.0 / 40);
}

TEST(InformationLoss, ABlankedCellCostsAsMuchAsTheTop) {
  Towns towns;
  towns.values[0] = kNull;
  EXPECT_DOUBLE_EQ(loss_of(towns.table, {0, 1, 1, 2, 2}, 3).total,
                   2 * (3.0 / 29 + 1) + 2 * (20.0 / 29 + 1));
  EXPECT_DOUBLE_EQ(loss_of(towns.table, {0, 0, 1, 1, 2}, 3).total, 2 * (1 + 1) + 2 * 1.0);
}

TEST(InformationLoss, IsMeasuredAgainstAllRecordsThoseSuppressedToo) {
  Towns towns;
  const InformationLoss loss = loss_of(towns.table, {0, 0, 0, kNone, kNone}, 1);
  EXPECT_DOUBLE_EQ(loss.total, 3 * (14.0 / 40 + 1));
  EXPECT_DOUBLE_EQ(loss.mean, loss.total / 3);
}

TEST(InformationLoss, IsThatOfTheDefinitionAndOfTheClustering) {
  RandomPkData random(81);
  for (int round = 0; round < 300; ++round) {
    const int n = random.between(1, 30), classes = random.between(1, n);
    const PkData data = random.make(n);
    std::vector<ClassId> class_of;  // of rows
    for (int i = 0; i < n; ++i)
      class_of.push_back(i < classes ? i : random.between(0, classes - 1));
    const Table table = data.table();
    const ReferencePk reference(table, data.rows, data.sensitive, 1, 1);
    SilentTicker ticker;
    const Generalisation generalisation(table, data.rows, ticker);
    double expected = 0, clustered = 0;
    for (ClassId c = 0; c < classes; ++c) {
      std::vector<Record> members;
      std::vector<CoverCell> cover;
      for (Record i = 0; i < n; ++i) {
        if (class_of[static_cast<std::size_t>(data.rows[static_cast<std::size_t>(i)])] != c)
          continue;
        const std::int32_t* codes = generalisation.codes(i);
        for (std::size_t j = 0; j < generalisation.dimension(); ++j) {
          const GeneralisedAttribute& attribute = generalisation.attribute(j);
          if (members.empty())
            cover.push_back(attribute.cover(codes[j]));
          else
            cover[j] = attribute.widened(cover[j], codes[j]);
        }
        members.push_back(i);
      }
      expected += reference.il(members);
      for (std::size_t j = 0; j < cover.size(); ++j)
        clustered += static_cast<double>(members.size()) *
                     static_cast<double>(generalisation.attribute(j).loss(cover[j])) /
                     static_cast<double>(kWholeColumn);
    }
    EXPECT_DOUBLE_EQ(loss_of(table, class_of, classes).total, expected);
    EXPECT_DOUBLE_EQ(clustered, expected);
  }
}

TEST(Pricer, PricesTreesThatHaveNoTableAsThoseThatDo) {
  // A hierarchy of a thousand values in groups of ten, then of a hundred; a tree of height 3.
  std::vector<std::vector<std::int32_t>> levels(3);
  std::vector<std::int32_t> leaves[2];
  PkData data;
  data.columns = {{"large", {}, {}}, {"small", {}, {}}, {"number", {}, {}}};
  for (int i = 0; i < 1000; ++i) {
    for (int level = 0; level < 3; ++level) levels[static_cast<std::size_t>(level)].push_back(0);
    levels[0].back() = i / 10;
    levels[1].back() = i / 100;
    data.rows.push_back(i);
    leaves[0].push_back(i);
    leaves[1].push_back(i - i % 10);
    data.values.insert(data.values.end(), {0, 0, double(i)});
  }
  const Hierarchy hierarchy(levels);
  for (std::size_t j = 0; j < 2; ++j) {
    data.columns[j].hierarchy = &hierarchy;
    data.columns[j].leaves = leaves[j].data();
  }
  RandomPkData random(82);
  SilentTicker ticker;
  const Generalisation generalisation(data.table(), data.rows, ticker);
  ASSERT_EQ(generalisation.intervals(), 1);
  ASSERT_EQ(generalisation.attribute(1).values(), 1000);
  ASSERT_EQ(generalisation.attribute(2).values(), 100);
  Pricer pricer(generalisation);
  for (int round = 0; round < 300; ++round) {
    const std::int32_t* a = generalisation.codes(random.between(0, 999));
    const std::int32_t* x = generalisation.codes(random.between(0, 999));
    std::vector<CoverCell> cover;
    CellLoss expected = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const GeneralisedAttribute& attribute = generalisation.attribute(j);
      cover.push_back(attribute.cover(a[j]));
      if (round % 2 == 0)
        cover[j] = attribute.widened(cover[j], generalisation.codes(random.between(0, 999))[j]);
      expected += attribute.loss(attribute.widened(cover[j], x[j]));
    }
    pricer.look_at(cover);
    EXPECT_EQ(pricer.price(x), expected);
    if (round % 5 == 0) pricer.look_at({});
    if (round % 5 == 0) {
      EXPECT_EQ(pricer.price(x), 0);
    }
  }
}

TEST(Diversity, OfTheFormulas) {
  // Table 1's second class: two diagnoses, two incomes; p = 3.
  const std::vector<double> weights = {0.5, 0.5};
  EXPECT_EQ(homogeneity({2, 2}, 3, weights), 1);
  EXPECT_EQ(homogeneity({2, 2}, 2, weights), 0);
  EXPECT_EQ(homogeneity({1, 2}, 2, weights), 0.5);
  EXPECT_EQ(homogeneity({5, 7}, 3, weights), 0);
  const auto first = [](std::size_t i) { return i == 0; };
  EXPECT_EQ(diversity({1, 2}, 3, weights, first), 1);
  EXPECT_EQ(diversity({3, 2}, 3, weights, first), 0);
  EXPECT_EQ(diversity({1, 1}, 4, {0.25, 0.75}, [](std::size_t) { return true; }), 3);
  EXPECT_EQ(diversity({0, 0}, 2, weights, [](std::size_t) { return false; }), 0);
}

TEST(InformationLoss, OfABoxIsItsShareAndOfSeveralCategoriesAll) {
  Towns towns;
  const Members members = members_of({{0, 0, 1, 1, 1}, 2});
  SilentTicker ticker;
  Masked boxes;
  boxes.low = {25, 0, 30, 2};
  boxes.high = {45, 1, 70, 2};  // the second box reaches beyond the ages that occur
  EXPECT_DOUBLE_EQ(information_loss_of_cells(towns.table, members, boxes, ticker).total,
                   2 * (20.0 / 40 + 1) + 3 * 35.0 / 40);
}

}  // namespace
}  // namespace anonkit
