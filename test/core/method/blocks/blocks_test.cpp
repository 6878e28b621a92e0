#include "method/blocks/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fixture/factor_table.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/random_problem.hpp"
#include "fixture/random_table.hpp"
#include "fixture/recount.hpp"
#include "fixture/tied_table.hpp"
#include "fixture/trials.hpp"
#include "method/blocks/block_tree.hpp"
#include "method/blocks/borders.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

const std::vector<const char*> kByBlocks = {"microaggregate", "mdav", "vmdav"};

Options in_blocks(Record k, Record block_size, int threads = 1) {
  Options options;
  options.k = k;
  options.block_size = block_size;
  options.threads = threads;
  return options;
}

Anonymized run(const Table& table, const Options& options, const char* method = "microaggregate") {
  SilentTicker ticker;
  return anonymize(table, *find_method(method), options, ticker);
}

std::string error_of(const Table& table, const Options& options, const char* method) {
  try {
    run(table, options, method);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Blocks, AnyNumberOfThreadsGivesTheSameClasses) {
  RandomTables tables(1);
  for (int round = 0; round < trials(40); ++round) {
    const Record k = tables.between(1, 4), n = tables.between(20, 100);
    const OwnedTable owned = tables.make(n, tables.between(1, 4), round % 2 == 0, 0);
    Options options = in_blocks(k, tables.between(k, n / 2));
    options.nulls = Nulls::stratify;
    if (round % 3 == 0) options.refine = Effort::fast;
    if (round % 5 == 0) options.duplicates = Duplicates::divide;
    for (const char* method : kByBlocks) {
      options.threads = 1;
      const Anonymized alone = run(owned.view(), options, method);
      for (const int threads : {2, 3, 8}) {
        options.threads = threads;
        ASSERT_EQ(run(owned.view(), options, method).partition.class_of, alone.partition.class_of);
      }
    }
  }
}

/// Every number of a release: the published classes, and their reported figures.
void expect_same(const Anonymized& a, const Anonymized& b) {
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.partition.class_of, b.partition.class_of);
  EXPECT_EQ(a.members.records, b.members.records);
  EXPECT_EQ(a.masked.low, b.masked.low);
  EXPECT_EQ(a.masked.high, b.masked.high);
  EXPECT_EQ(a.masked.sets, b.masked.sets);
  EXPECT_EQ(a.loss.sse, b.loss.sse);
  EXPECT_EQ(a.loss.sst, b.loss.sst);
  for (std::size_t j = 0; j < a.scales.size(); ++j) {
    EXPECT_EQ(a.scales[j].location, b.scales[j].location);
    EXPECT_EQ(a.scales[j].scale, b.scales[j].scale);
  }
}

// Large enough for several chunks of records and of classes.
TEST(Blocks, AnyNumberOfThreadsGivesTheSameRelease) {
  RandomTables tables(4);
  for (int round = 0; round < trials(4); ++round) {
    const OwnedTable owned = tables.make(40000, 2, round == 2, 0);
    Options options = in_blocks(3, 10000);
    if (round == 3) options.recode = Recode::range;
    const char* method = round == 1 ? "microaggregate" : "mdav";
    const Anonymized alone = run(owned.view(), options, method);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      expect_same(run(owned.view(), options, method), alone);
    }
  }
}

TEST(Blocks, TheOrderOfRowsDoesNotMatter) {
  RandomTables tables(2);
  for (int round = 0; round < trials(30); ++round) {
    const OwnedTable owned = tables.make(120, 3, round % 2 == 0, 0);
    const Options options = in_blocks(3, 40, 2);
    const Anonymized here = run(owned.view(), options);
    const Anonymized there = run(tables.shuffled(owned).view(), options);
    ASSERT_EQ(here.loss.sse, there.loss.sse);
    ASSERT_EQ(here.masked.low, there.masked.low);
  }
}

/// Half the sum of differences between a class's distribution and the table's.
double distance_to(const std::map<std::int32_t, Record>& whole, Record rows, const ReadClass& one) {
  double sum = 0;
  for (const auto& [value, records] : whole) {
    const auto own = one.values.find(value);
    const double share = own == one.values.end() ? 0 : 1.0 * own->second / one.rows;
    sum += std::abs(share - 1.0 * records / rows);
  }
  return sum / 2;
}

/// The published classes have k rows and keep the promises on the nominal attribute.
void expect_kept(const Table& table, const Anonymized& found, const Options& options) {
  const Promises& promised = options.promises;
  std::map<std::int32_t, Record> whole;
  if (!table.sensitive.empty())
    for (Record i = 0; i < table.rows; ++i) ++whole[table.sensitive.front().ranks[i]];
  Record rows = 0;
  for (const ReadClass& one : read_classes(table, found)) {
    rows += one.rows;
    ASSERT_GE(one.rows, options.k);
    ASSERT_GE(static_cast<std::int32_t>(one.values.size()), std::max(promised.p, promised.l));
    for (const auto& entry : one.values) {
      if (promised.alpha > 0) {
        ASSERT_LE(entry.second, promised.alpha * one.rows + 1e-9);
      }
    }
    if (promised.t > 0) {
      ASSERT_LE(distance_to(whole, table.rows, one), promised.t + 1e-9);
    }
  }
  ASSERT_EQ(rows, table.rows);
}

TEST(Blocks, ALimitOfTimeEndsTheSearchAndKeepsAllPromises) {
  const TiedTable tied(6000, Ties::census, 5);
  // One limit is over when the search begins, the other never: neither depends on the machine.
  for (const double seconds : {1e-9, 1e6})
    for (const Effort effort : {Effort::fast, Effort::thorough}) {
      // A thorough search of all blocks would take minutes.
      if (seconds > 1 && effort == Effort::thorough) continue;
      Options options = in_blocks(4, 1500, 2);
      options.effort = effort;
      options.promises.l = 3;
      options.refine_seconds = seconds;
      const Anonymized found = run(tied.with_occupation(), options);
      expect_kept(tied.with_occupation(), found, options);
      EXPECT_EQ(found.reproducible, seconds > 1);
      if (!found.reproducible) continue;
      options.refine_seconds = 0;
      EXPECT_EQ(found.masked.low, run(tied.with_occupation(), options).masked.low);
    }
}

// Blocks have seven tenths of the time, and borders the rest.
TEST(Blocks, APartThatBeginsAtItsEndHasNoTime) {
  RandomSpaces spaces(12);
  const Instance made(spaces, 0, 60, {});
  SilentTicker ticker;
  for (const double now : {0.0, 0.7, 1.0}) {
    Problem problem = made.problem();
    problem.clock = [now] { return now; };
    const auto form = [&](const Problem& part, Ticker& own) {
      EXPECT_EQ(part.clock(), now < 0.7 ? 0 : 1);
      return find_method("mdav")->form(part, own);
    };
    form_in_blocks(problem, {20}, form, ticker);
  }
}

TEST(Blocks, EveryPromiseHoldsForTheWholeTable) {
  std::vector<Promises> all(5);
  all[1].l = 3;
  all[2].p = 2;
  all[3].alpha = 0.6;
  all[4].t = 0.4;
  int round = 0;
  for (const Ties ties : {Ties::census, Ties::few_values, Ties::mixed, Ties::continuous})
    for (const Promises& promises : all)
      for (const Record size : {20, 80}) {
        ++round;
        if (is_sanitized() && round % 7 != 1) continue;
        const TiedTable data(240, ties, static_cast<std::uint64_t>(round));
        const Table table = data.with_occupation();
        Options options = in_blocks(4, size, 2);
        options.promises = promises;
        expect_kept(table, run(table, options), options);
        if (promises.t > 0) expect_kept(table, run(table, options, "tclose"), options);
      }
}

TEST(Blocks, EqualRecordsShareAClass) {
  const TiedTable data(2000, Ties::few_values, 1);
  const Table table = data.without_promises();
  const Anonymized found = run(table, in_blocks(5, 200, 2));
  std::map<std::vector<double>, ClassId> class_of;
  for (Record i = 0; i < table.rows; ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < table.columns.size(); ++j) row.push_back(table.value(i, j));
    const ClassId c = found.partition.class_of[at(i)];
    ASSERT_EQ(class_of.emplace(row, c).first->second, c);
  }
}

TEST(Blocks, OneBlockIsTheWhole) {
  const FactorTable data(500, 3);
  for (const char* method : kByBlocks)
    EXPECT_EQ(run(data.view(), in_blocks(3, 500, 2), method).partition.class_of,
              run(data.view(), in_blocks(3, 0), method).partition.class_of);
}

TEST(Blocks, BlocksThatCannotKeepAPromiseAreMerged) {
  // Each half of the line has one sensitive value: only classes across its middle have both.
  std::vector<double> values;
  std::vector<std::vector<std::int32_t>> ranks(1);
  for (int i = 0; i < 64; ++i) {
    values.push_back(i);
    ranks[0].push_back(i < 32 ? 0 : 1);
  }
  const OwnedTable owned = table_of(values);
  Table table = owned.view();
  add_sensitive(table, ranks);
  // A search for so large classes has none of the next size to begin with (see nested_sizes.hpp).
  Options options = in_blocks(11, 16, 2);
  options.promises.l = 2;
  const Anonymized found = run(table, options);
  expect_kept(table, found, options);
  options.block_size = 0;
  EXPECT_EQ(found.partition.class_of, run(table, options).partition.class_of);
}

TEST(Blocks, SiblingsMergeAndOthersStay) {
  // The first two quarters of the line lack a second value each, the others do not.
  std::vector<double> values;
  std::vector<std::vector<std::int32_t>> ranks(1);
  for (int i = 0; i < 80; ++i) {
    values.push_back(i < 40 ? i : 1000 + i);
    ranks[0].push_back(i < 20 ? 0 : i < 40 ? 1 : i % 2);
  }
  const OwnedTable owned = table_of(values);
  Table table = owned.view();
  add_sensitive(table, ranks);
  Options options = in_blocks(2, 20, 2);
  options.promises.l = 2;
  const Anonymized found = run(table, options);
  expect_kept(table, found, options);
  // Classes of the upper half do not reach into the lower one, which would double the loss.
  for (Record i = 40; i < 80; ++i) EXPECT_GE(found.masked.low[at(found.cells(at(i)))], 1040);
}

TEST(Blocks, WhatCannotBeHadOfAllRecordsIsRefused) {
  const OwnedTable owned = table_of({1, 2, 3, 4, 5, 6, 7, 8});
  Table table = owned.view();
  const std::vector<std::vector<std::int32_t>> ranks{{0, 0, 0, 0, 0, 0, 0, 0}};
  add_sensitive(table, ranks);
  Options options = in_blocks(2, 4, 2);
  options.promises.l = 2;
  EXPECT_EQ(error_of(table, options, "microaggregate"),
            "distinct l-diversity cannot be had for sensitive column \"s0\"");
}

TEST(Blocks, TheFirstErrorEndsTheWorkUnlessLargerBlocksMayDo) {
  RandomSpaces spaces(5);
  const Instance made(spaces, 0, 60, {});
  SilentTicker ticker;
  for (const ErrorKind kind : {ErrorKind::invalid_data, ErrorKind::infeasible}) {
    int asked = 0;
    const auto form = [&](const Problem&, Ticker&) -> Classification {
      ++asked;
      throw Error(kind, "no classes");
    };
    EXPECT_THROW(form_in_blocks(made.problem(), {20}, form, ticker), Error);
    if (kind == ErrorKind::invalid_data) {
      EXPECT_EQ(asked, 1);
    } else {
      EXPECT_GT(asked, 1);
    }
  }
}

TEST(Blocks, BlocksNeedKRecordsAndAMethodThatFormsThem) {
  const FactorTable data(100, 2);
  EXPECT_EQ(error_of(data.view(), in_blocks(5, 4), "microaggregate"), "block_size is less than k");
  EXPECT_EQ(error_of(data.view(), in_blocks(5, 50), "mondrian"),
            "method \"mondrian\" does not work by blocks");
  EXPECT_EQ(error_of(data.view(), in_blocks(5, 50), "mdav"), "");
}

TEST(Blocks, BlocksOfFewerThanKRecordsAreMerged) {
  for (const Record n : {300, 301, 304})
    for (const std::size_t d : {1U, 2U, 5U}) {
      const FactorTable data(n, d);
      const Options options = in_blocks(5, 5, 2);
      expect_kept(data.view(), run(data.view(), options), options);
    }
}

TEST(Blocks, PersonsWithSeveralRowsAreCounted) {
  const FactorTable data(400, 2);
  std::vector<std::int32_t> units;
  for (std::int32_t i = 0; i < 400; ++i) units.push_back(i % 23);
  Table table = data.view();
  table.units = units.data();
  Options options = in_blocks(4, 40, 3);
  options.counts_units = true;
  const Anonymized found = run(table, options);
  std::map<ClassId, std::vector<std::int32_t>> seen;
  for (std::size_t i = 0; i < units.size(); ++i)
    seen[found.partition.class_of[i]].push_back(units[i]);
  for (auto& [c, persons] : seen) {
    std::sort(persons.begin(), persons.end());
    persons.erase(std::unique(persons.begin(), persons.end()), persons.end());
    EXPECT_GE(persons.size(), 4U);
  }
}

TEST(Blocks, ABorderLosesLittle) {
  const FactorTable data(20000, 2);
  const double whole = run(data.view(), in_blocks(5, 20000, 2)).loss.sse;
  EXPECT_LE(run(data.view(), in_blocks(5, 2500, 2)).loss.sse, 1.03 * whole);
}

TEST(Blocks, AHostMayEndTheWorkAtAnyTime) {
  const FactorTable data(20000, 3);
  int cancelled = 0;
  for (int polls = 0; polls < 40; polls += 3) {
    ImpatientTicker host(polls + 1);
    try {
      anonymize(data.view(), *find_method("microaggregate"), in_blocks(5, 2500, 2), host);
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "cancelled");
      ++cancelled;
    }
  }
  EXPECT_GT(cancelled, 0);
}

TEST(BlockTree, EveryRecordHasOneBlockAndEqualRecordsShareIt) {
  RandomTables tables(3);
  SilentTicker ticker;
  for (int round = 0; round < trials(200); ++round) {
    const OwnedTable owned = tables.make(tables.between(1, 120), tables.between(1, 3), false, 0);
    const Space space(owned.values, std::vector<Attribute>(owned.columns.size()));
    const BlockTree tree(space, tables.between(1, 40), CutAttributes::all, 0, 1, ticker);
    std::vector<std::int32_t> block_of(at(space.size()), -1);
    for (std::int32_t block = 0; block < tree.blocks(); ++block) {
      for (const Record i : tree.records({block, block + 1})) {
        ASSERT_EQ(block_of[at(i)], -1);
        block_of[at(i)] = block;
      }
      const BlockRange above = tree.parent({block, block + 1});
      ASSERT_TRUE(above.contains({block, block + 1}));
      ASSERT_TRUE(tree.blocks() == 1 || above.last - above.first > 1);
      const std::vector<Record> joined = tree.records(above);
      ASSERT_TRUE(std::is_sorted(joined.begin(), joined.end()));
    }
    for (Record a = 0; a < space.size(); ++a) {
      ASSERT_GE(block_of[at(a)], 0);
      for (Record b = 0; b < a; ++b)
        if (space.squared_distance(space.row(a), space.row(b)) == 0) {
          ASSERT_EQ(block_of[at(a)], block_of[at(b)]);
        }
    }
  }
}

TEST(Borders, AClassIsNextToTheCutThatItTouches) {
  // Pairs along a line, cut in the middle: only the pairs next to the cut are near enough.
  std::vector<double> values;
  Partition pairs;
  for (int i = 0; i < 200; ++i) {
    values.push_back(i);
    pairs.class_of.push_back(i / 2);
  }
  pairs.classes = 100;
  SilentTicker ticker;
  const Space space(values, {{}});
  const BlockTree tree(space, 100, CutAttributes::all, 0, 1, ticker);
  ASSERT_EQ(tree.blocks(), 2);
  const auto near = classes_at_cuts(space, members_of(pairs), tree, {{0, 1}, {1, 2}}, 1, ticker);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0], (std::vector<ClassId>{49, 50}));
  EXPECT_TRUE(classes_at_cuts(space, members_of(pairs), tree, {{0, 2}}, 1, ticker)[0].empty());
}

}  // namespace
}  // namespace anonkit
