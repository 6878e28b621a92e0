// Suppression until the records of every null pattern keep promises on their values.

#include "table/nulls/kept_patterns.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "fixture/without_ticker.hpp"
#include "kept_strata.hpp"
#include "pipeline.hpp"
#include "reference/blanking.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

SilentTicker no_ticks;

/// Records with a null pattern and a value each, and what a pattern must keep.
struct GapCase {
  std::vector<unsigned> patterns;
  reference::Codes values;
  int columns, k = 1, model = 0;

  GapCase(RandomTables& random, int most, int columns = 2) : columns(columns) {
    const int n = random.between(2, most);
    k = random.between(1, 3);
    model = random.between(0, 4);
    for (int i = 0; i < n; ++i) {
      patterns.push_back(random.between(0, 2) == 0
                             ? 0
                             : static_cast<unsigned>(random.between(0, (1 << columns) - 1)));
      values.push_back(random.between(0, 2));
    }
  }

  /// The models by their definitions: l, alpha, entropy and t of unordered values.
  bool keeps(const std::vector<std::int32_t>& records) const {
    reference::Codes members;
    for (const std::int32_t i : records) members.push_back(values[static_cast<std::size_t>(i)]);
    if (static_cast<int>(members.size()) < k) return false;
    if (model == 1) return reference::distinct(members) >= 2;
    if (model == 2) return reference::largest_share(members) <= 0.6;
    if (model == 3) return reference::entropy_l(members) >= 1.7;
    return model != 4 || reference::nominal_emd(members, values) <= 0.3 + 1e-9;
  }

  std::vector<RecordKind> kinds() const {
    std::map<std::pair<unsigned, std::int32_t>, RecordKind> found;
    for (std::size_t i = 0; i < values.size(); ++i) {
      NullPattern pattern = no_nulls(static_cast<std::size_t>(columns));
      for (int j = 0; j < columns; ++j)
        if ((patterns[i] >> j & 1) != 0) set_null(pattern, static_cast<std::size_t>(j));
      const auto [kind, is_new] = found.try_emplace(
          {patterns[i], values[i]}, RecordKind{pattern, {values[i]}, static_cast<Record>(i), 0});
      ++kind->second.records;
    }
    std::vector<RecordKind> all;
    for (const auto& [key, kind] : found) all.push_back(kind);
    return all;
  }

  bool feasible() const {
    std::vector<std::int32_t> all(values.size());
    std::iota(all.begin(), all.end(), 0);
    return keeps(all);
  }

  KeptPlan plan(std::int64_t effort = kKeptEffort) const {
    return plan_kept_blanking(
        kinds(), [&](const std::vector<Record>& records) { return keeps(records); }, k, no_ticks,
        effort);
  }
};

/// The records of each pattern after the plan, and the cells that it suppresses.
std::map<NullPattern, std::vector<Record>> after(const GapCase& one, const KeptPlan& plan,
                                                 std::int64_t* cells) {
  std::vector<RecordKind> kinds = one.kinds();
  std::map<NullPattern, std::vector<Record>> patterns;
  *cells = 0;
  for (const KindBlanking& moved : plan.blankings) {
    RecordKind& kind = kinds[moved.kind];
    EXPECT_TRUE(covers(moved.to, kind.pattern));
    EXPECT_GE(kind.records, moved.records);
    kind.records -= moved.records;
    *cells += moved.records * (null_count(moved.to) - null_count(kind.pattern));
    patterns[moved.to].insert(patterns[moved.to].end(), static_cast<std::size_t>(moved.records),
                              kind.example);
  }
  for (const RecordKind& kind : kinds)
    if (kind.records > 0)
      patterns[kind.pattern].insert(patterns[kind.pattern].end(),
                                    static_cast<std::size_t>(kind.records), kind.example);
  return patterns;
}

TEST(KeptPatterns, SuppressTheFewestCells) {
  RandomTables random(31);
  int feasible = 0;
  for (int round = 0; round < trials(3000); ++round) {
    const GapCase one(random, 7);
    if (!one.feasible()) continue;
    ++feasible;
    const KeptPlan plan = one.plan();
    std::int64_t cells = 0;
    for (const auto& [pattern, records] : after(one, plan, &cells))
      EXPECT_TRUE(one.keeps(records)) << "round " << round;
    EXPECT_EQ(cells, plan.cells);
    EXPECT_TRUE(plan.least);
    const auto keeps = [&](const std::vector<std::int32_t>& records) { return one.keeps(records); };
    EXPECT_EQ(plan.cells, reference::Blanking(one.patterns, one.columns, keeps).fewest())
        << "round " << round << ", model " << one.model;
  }
  EXPECT_GT(feasible, trials(1500));
}

TEST(KeptPatterns, KeepTheRuleWithoutASearch) {
  RandomTables random(32);
  for (int round = 0; round < trials(3000); ++round) {
    // Ten columns have more unions of patterns than are candidates.
    const GapCase one(random, 40, round % 150 == 0 ? 9 : 2);
    if (!one.feasible()) continue;
    std::int64_t cells = 0;
    for (const std::int64_t effort : {std::int64_t{0}, std::int64_t{4000}})
      for (const auto& [pattern, records] : after(one, one.plan(effort), &cells))
        EXPECT_TRUE(one.keeps(records)) << "round " << round;
  }
}

/// Rows with one gap each in two columns, and a sensitive column of three values.
TEST(NullStrata, ReleasesKeepTheirPromisesInEveryStratum) {
  RandomTables random(33);
  for (int round = 0; round < trials(3000); ++round) {
    const int n = random.between(4, 40);
    const OwnedTable owned = random.make(n, 2, false, random.between(2, 6));
    std::vector<std::vector<std::int32_t>> ranks(1);
    for (int i = 0; i < n; ++i) ranks[0].push_back(i < 3 ? i : random.between(0, 2));
    Table table = owned.view();
    add_sensitive(table, ranks);
    Options options;
    options.k = random.between(1, 3);
    options.nulls = Nulls::stratify;
    const int model = random.between(0, 3);
    if (model == 0) options.promises.l = 2;
    if (model == 1) options.promises.t = 0.4;
    if (model == 2) options.promises.alpha = 0.7;
    if (model == 3) options.promises.p = 2;
    const char* methods[] = {"microaggregate", "mondrian"};
    const bool is_feasible = model != 2 || reference::largest_share(ranks[0]) <= 0.7;
    Anonymized found;
    try {
      found = anonymize(table, *find_method(methods[round % 2]), options, no_ticks);
    } catch (const Error& error) {
      EXPECT_FALSE(is_feasible) << error.what();
      continue;
    }
    EXPECT_TRUE(is_feasible);
    EXPECT_EQ(found.suppressed, 0);
    for (const reference::Codes& members :
         reference::codes_by_class(found.partition.class_of, ranks[0])) {
      EXPECT_GE(static_cast<int>(members.size()), options.k);
      if (model == 0 || model == 3) {
        EXPECT_GE(reference::distinct(members), 2);
      }
      if (model == 2) {
        EXPECT_LE(reference::largest_share(members), 0.7);
      }
      if (model == 1) {
        EXPECT_LE(reference::nominal_emd(members, ranks[0]), 0.4 + 1e-9);
      }
    }
  }
}

TEST(NullStrata, OneBlankedCellIsEnoughWhereOneValueIsMissing) {
  // Two records without a weight have the same value: one more makes the stratum 2-diverse.
  std::vector<double> values;
  std::vector<std::vector<std::int32_t>> ranks(1);
  for (int i = 0; i < 10; ++i) {
    values.insert(values.end(), {static_cast<double>(i), i < 2 ? kNull : 50.0 + i});
    ranks[0].push_back(i < 2 ? 0 : i % 3);
  }
  const OwnedTable owned = table_of(values, {{}, {}});
  Table table = owned.view();
  add_sensitive(table, ranks);
  Options options;
  options.k = 2;
  options.promises.l = 2;
  options.nulls = Nulls::stratify;
  EXPECT_EQ(anonymize(table, *find_method("microaggregate"), options, no_ticks).suppressed_cells,
            1);
}

TEST(KeptPatterns, SuppressNoRecordThatMayReturnAlone) {
  RandomTables random(34);
  int suppressed = 0;
  for (int round = 0; round < trials(120); ++round) {
    // A pattern of mostly one value needs others; an exact search would take too long.
    GapCase one(random, 2);
    one.model = 2;
    const int gaps = random.between(4, 60);
    for (int i = 0; i < gaps + 60; ++i) {
      one.patterns.push_back(i < gaps ? 1 : 0);
      one.values.push_back(i < gaps ? 0 : random.between(0, 7));
    }
    const std::vector<RecordKind> kinds = one.kinds();
    const KeptPlan plan = one.plan(std::int64_t{1} << 15);
    std::int64_t cells = 0;
    auto patterns = after(one, plan, &cells);
    for (const KindBlanking& moved : plan.blankings) {
      ++suppressed;
      std::vector<Record> left = patterns[moved.to], home = patterns[kinds[moved.kind].pattern];
      const Record example = kinds[moved.kind].example;
      left.erase(std::find(left.begin(), left.end(), example));
      home.push_back(example);
      EXPECT_FALSE((left.empty() || one.keeps(left)) && one.keeps(home)) << "round " << round;
    }
  }
  EXPECT_GT(suppressed, trials(120));
}

TEST(ReferenceCounts, AreCountedForPromisesRelativeToTheTable) {
  const OwnedTable owned = table_of({1, 2, 3, 4});
  Table table = owned.view();
  const std::vector<std::vector<std::int32_t>> ranks = {{0, 1, 1, 1}};
  add_sensitive(table, ranks);
  Options options;
  options.promises.l = 2;
  EXPECT_TRUE(reference_counts(table, options).empty());
  options.promises.t = 0.5;
  EXPECT_EQ(reference_counts(table, options), (TableCounts{{1, 3}}));
}

// Half of all have each value, and three quarters of the stratum have the first one.
TEST(ReferenceCounts, AreThoseOfTheTableInEveryStratum) {
  const OwnedTable owned = table_of({1, 2, 3, 4, 5, 6});
  Table table = owned.view();
  const std::vector<std::vector<std::int32_t>> ranks = {{0, 0, 0, 1, 1, 1}};
  add_sensitive(table, ranks);
  Options options;
  options.k = 2;
  options.promises.t = 0.3;
  const TableCounts counts = reference_counts(table, options);
  const StratumRule rule = stratum_rule(table, {0, 1, 2, 3}, options, &counts, no_ticks);
  EXPECT_TRUE(rule.allows({0, 3}));
  EXPECT_FALSE(rule.allows({0, 1}));
}

}  // namespace
}  // namespace anonkit
