#include "recode/swapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "base/keyed_random.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "method/method.hpp"
#include "pipeline.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

using Rows = std::vector<std::vector<double>>;

Members one_class(Record rows) {
  Members members;
  members.records.resize(static_cast<std::size_t>(rows));
  std::iota(members.records.begin(), members.records.end(), 0);
  members.first_of = {0, rows};
  return members;
}

/// The published rows, sorted: cells, then the record's value.
Rows published_rows(const Swapped& swapped, const std::vector<int>& records, std::size_t columns) {
  Rows rows;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto place = static_cast<std::size_t>(swapped.cells_of[i]) * columns;
    rows.emplace_back(swapped.cells.low.begin() + static_cast<std::ptrdiff_t>(place),
                      swapped.cells.low.begin() + static_cast<std::ptrdiff_t>(place + columns));
    rows.back().push_back(records[i]);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// All tuples of `count` numbers below `bound`.
std::vector<std::vector<int>> all_tuples(std::size_t count, int bound) {
  std::vector<std::vector<int>> tuples = {{}};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& tuple : tuples)
      for (int value = 0; value < bound; ++value) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    tuples = std::move(longer);
  }
  return tuples;
}

std::vector<Permutation> all_permutations(Record size) {
  Permutation one(static_cast<std::size_t>(size));
  std::iota(one.begin(), one.end(), 0);
  std::vector<Permutation> all;
  do all.push_back(one);
  while (std::next_permutation(one.begin(), one.end()));
  return all;
}

Swapped swap_records(const Table& table, const Members& members, const Masked& masked,
                     const DrawClass& draw) {
  SilentTicker ticker;
  return swap_records(table, members, masked, draw, ticker);
}

/// How often each release comes out, over all permutations of all lists of a class.
std::map<Rows, int> releases_of(const std::vector<int>& cells, const std::vector<int>& records,
                                std::size_t columns) {
  OwnedTable owned = table_of({cells.begin(), cells.end()}, std::vector<Attribute>(columns));
  for (const int record : records)
    owned.fingerprints.push_back({static_cast<std::uint64_t>(record), 0});
  const Table table = owned.view();
  const Members members = one_class(table.rows);
  const Masked masked = recode(table, members, Recode::swap);
  const std::vector<Permutation> all = all_permutations(table.rows);
  std::map<Rows, int> releases;
  for (const std::vector<int>& choice : all_tuples(columns + 1, static_cast<int>(all.size()))) {
    const DrawClass draw = [&](const ClassContent&) -> ClassSecret {
      return {
          [&](std::size_t what, Record) { return all[static_cast<std::size_t>(choice[what])]; }};
    };
    ++releases[published_rows(swap_records(table, members, masked, draw), records, columns)];
  }
  return releases;
}

/// Releases of a class by how often they come out.
using ReleasesOf = std::function<std::map<Rows, int>(
    const std::vector<int>& cells, const std::vector<int>& records, std::size_t columns)>;

/// The sizes of tiny classes.
struct Tiny {
  std::size_t columns;
  int domain;
  Record persons;
  int values;
};

/// An adversary knows all quasi-identifiers and the code, and holds all assignments of the records'
/// values to persons possible: the beliefs in a value that exceed its frequency in the class, over
/// all classes, releases, persons and values. In whole numbers, so exactly.
int beliefs_in_excess(const Tiny& tiny, const ReleasesOf& releases) {
  const auto count = static_cast<std::size_t>(tiny.persons);
  const std::vector<std::vector<int>> assignments = all_tuples(count, tiny.values);
  int excess = 0;
  for (const std::vector<int>& cells : all_tuples(count * tiny.columns, tiny.domain)) {
    std::map<Rows, std::map<std::vector<int>, int>> by_release;
    for (const std::vector<int>& assigned : assignments)
      for (const auto& [release, times] : releases(cells, assigned, tiny.columns))
        by_release[release][assigned] += times;
    for (const auto& [release, likelihood] : by_release) {
      int all = 0;
      for (const auto& one : likelihood) all += one.second;
      for (std::size_t person = 0; person < count; ++person)
        for (int value = 0; value < tiny.values; ++value) {
          int belief = 0, frequency = 0;
          for (const auto& [assigned, times] : likelihood)
            if (assigned[person] == value) belief += times;
          for (const std::vector<double>& row : release) frequency += row.back() == value ? 1 : 0;
          excess += belief * tiny.persons > frequency * all ? 1 : 0;
        }
    }
  }
  return excess;
}

TEST(Swapping, TellsNobodyMoreThanTheFrequenciesInAClass) {
  for (const Tiny& tiny : {Tiny{1, 3, 2, 3}, Tiny{1, 3, 3, 3}, Tiny{2, 2, 2, 3}, Tiny{2, 2, 3, 2}})
    EXPECT_EQ(beliefs_in_excess(tiny, releases_of), 0);
}

TEST(Swapping, ADerangementWouldTell) {
  // The counter-test: nobody keeps the own record.
  const ReleasesOf deranged = [](const std::vector<int>& cells, const std::vector<int>& records,
                                 std::size_t columns) {
    std::map<Rows, int> releases;
    for (const Permutation& places : all_permutations(static_cast<Record>(records.size()))) {
      Rows rows;
      bool kept = false;
      for (std::size_t i = 0; i < records.size(); ++i) {
        const auto from = static_cast<std::size_t>(places[i]);
        kept = kept || from == i;
        rows.emplace_back(cells.begin() + static_cast<std::ptrdiff_t>(from * columns),
                          cells.begin() + static_cast<std::ptrdiff_t>((from + 1) * columns));
        rows.back().push_back(records[i]);
      }
      std::sort(rows.begin(), rows.end());
      if (!kept) ++releases[rows];
    }
    return releases;
  };
  EXPECT_GT(beliefs_in_excess({1, 3, 3, 3}, deranged), 0);
}

TEST(Swapping, LinksColumnsByChanceAlone) {
  for (Record k = 2; k <= 3; ++k) {
    std::vector<int> cells, records(static_cast<std::size_t>(k), 0);
    for (int i = 0; i < k; ++i) cells.insert(cells.end(), {i, i});
    int all = 0, pairs = 0, tables = 0, factorial = 1;
    for (int i = 2; i <= k; ++i) factorial *= i;
    for (const auto& [release, times] : releases_of(cells, records, 2)) {
      int matches = 0;
      for (const std::vector<double>& row : release) matches += row[0] == row[1] ? 1 : 0;
      all += times;
      pairs += times * matches;
      tables += matches == k ? times : 0;
    }
    EXPECT_EQ(pairs, all);  // one of k pairs
    EXPECT_EQ(tables * factorial, all);
  }
}

/// Random classes of at least two rows; equal records are in one class, if `together`.
Members random_members(RandomTables& random, Record rows) {
  Members members;
  for (Record i = 0; i < rows; ++i) {
    const Record open = members.first_of.empty() ? 2 : i - members.first_of.back();
    if (open >= 2 && rows - i >= 2 && (i == 0 || random.between(1, 3) == 1))
      members.first_of.push_back(i);
    members.records.push_back(i);
  }
  members.first_of.push_back(rows);
  return members;
}

TEST(Swapping, KeepsTheValuesOfEachColumnOfAClass) {
  RandomTables random(5);
  const auto secret = public_key(9);
  for (int round = 0; round < 1000; ++round) {
    const std::size_t d = 3;
    const OwnedTable owned =
        random.make(random.between(2, 40), static_cast<int>(d), true, round % 2 == 0 ? 9 : 0);
    const Table table = owned.view();
    const Members members = random_members(random, table.rows);
    const Masked masked = recode(table, members, Recode::swap);
    const Swapped swapped = swap_records(table, members, masked, keyed_choices(secret.data()));
    std::set<std::int32_t> places(swapped.cells_of.begin(), swapped.cells_of.end());
    ASSERT_EQ(places.size(), static_cast<std::size_t>(table.rows));
    for (std::size_t c = 0; c < members.classes(); ++c)
      for (std::size_t j = 0; j < d; ++j) {
        std::vector<double> before, after;
        for (const Record i : members.of(c)) {
          const std::int32_t place = swapped.cells_of[static_cast<std::size_t>(i)];
          ASSERT_TRUE(place >= members.first_of[c] && place < members.first_of[c + 1]);
          before.push_back(table.value(i, j));
          after.push_back(swapped.cells.low[static_cast<std::size_t>(place) * d + j]);
        }
        if (table.columns[j].attribute.kind == Kind::numeric &&
            std::any_of(before.begin(), before.end(), is_null)) {
          EXPECT_TRUE(std::all_of(after.begin(), after.end(), is_null));
          continue;
        }
        std::sort(before.begin(), before.end());
        std::sort(after.begin(), after.end());
        EXPECT_EQ(before, after);
      }
  }
}

TEST(Swapping, DrawsPlacesEvenly) {
  // By place of a class of 5 the value of a first column; chi-square with 4 degrees of freedom.
  const OwnedTable owned = table_of({1, 2, 3, 4, 5});
  const Table table = owned.view();
  const Members members = one_class(5);
  const Masked masked = recode(table, members, Recode::swap);
  std::map<double, int> first;
  const int draws = 20000;
  for (int draw = 0; draw < draws; ++draw) {
    const auto secret = public_key(static_cast<std::uint64_t>(draw));
    ++first[swap_records(table, members, masked, keyed_choices(secret.data())).cells.low[0]];
  }
  double chi = 0;
  for (double value = 1; value <= 5; ++value) {
    const double off = first[value] - draws / 5.0;
    chi += off * off / (draws / 5.0);
  }
  EXPECT_LT(chi, 23.5);  // exceeded by one key in ten thousand
}

/// A table with a nominal value outside the quasi-identifiers.
struct Sample {
  OwnedTable owned;
  std::vector<int> records;
};

Sample make_sample(RandomTables& random, int rows) {
  Sample sample = {random.make(rows, 2, true, 0), {}};
  sample.owned.fingerprints.clear();
  for (int i = 0; i < rows; ++i) {
    sample.records.push_back(random.between(0, 3));
    sample.owned.fingerprints.push_back({static_cast<std::uint64_t>(sample.records.back()), 7});
  }
  return sample;
}

Rows release_rows(const Sample& sample, const Options& options) {
  const Table table = sample.owned.view();
  SilentTicker ticker;
  const Anonymized made = anonymize(table, *find_method("mdav"), options, ticker);
  EXPECT_FALSE(made.classes_published);
  Swapped swapped;
  swapped.cells = made.masked;
  swapped.cells_of = made.cells_of;
  Rows rows = published_rows(swapped, sample.records, 2);
  // Each row with the number of its class.
  for (std::size_t i = 0; i < sample.records.size(); ++i) {
    const auto place = made.masked.low.begin() + 2 * std::ptrdiff_t{made.cells_of[i]};
    const auto c = static_cast<std::size_t>(made.partition.class_of[i]);
    rows.push_back({place[0], place[1], static_cast<double>(sample.records[i]),
                    static_cast<double>(made.class_numbers[c])});
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

Options swap_options(const std::uint8_t* secret) {
  Options options;
  options.k = 3;
  options.recode = Recode::swap;
  options.secret = secret;
  return options;
}

TEST(Swapping, DependsOnDataAndSecretAlone) {
  RandomTables random(11);
  const auto secret = public_key(1), other = public_key(2);
  int changed = 0;
  for (int round = 0; round < 300; ++round) {
    const Sample sample = make_sample(random, random.between(3, 40));
    std::vector<std::size_t> order(sample.records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1],
                order[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
    Sample shuffled = sample;
    for (std::size_t i = 0; i < order.size(); ++i) {
      shuffled.records[i] = sample.records[order[i]];
      shuffled.owned.fingerprints[i] = sample.owned.fingerprints[order[i]];
      std::copy_n(sample.owned.values.begin() + static_cast<std::ptrdiff_t>(2 * order[i]), 2,
                  shuffled.owned.values.begin() + static_cast<std::ptrdiff_t>(2 * i));
    }
    Options options = swap_options(secret.data());
    options.transparency.wanted = round % 2 == 0;
    const Rows rows = release_rows(sample, options);
    EXPECT_EQ(rows, release_rows(shuffled, options));
    changed += rows != release_rows(sample, swap_options(other.data())) ? 1 : 0;
  }
  EXPECT_GT(changed, 200);
}

TEST(Swapping, ARecordsValuesMayMoveWithinItsClass) {
  // An adversary who lacks only who has which value in one class learns nothing from the code.
  RandomTables random(13);
  const auto secret = public_key(5);
  for (int round = 0; round < 300; ++round) {
    Sample sample = make_sample(random, random.between(6, 40));
    const Rows rows = release_rows(sample, swap_options(secret.data()));
    SilentTicker ticker;
    const Anonymized made =
        anonymize(sample.owned.view(), *find_method("mdav"), swap_options(secret.data()), ticker);
    for (const RecordSpan members : made.members) {
      const auto a = static_cast<std::size_t>(*members.begin());
      const auto b = static_cast<std::size_t>(*(members.end() - 1));
      std::swap(sample.records[a], sample.records[b]);
      std::swap(sample.owned.fingerprints[a], sample.owned.fingerprints[b]);
    }
    EXPECT_EQ(rows, release_rows(sample, swap_options(secret.data())));
  }
}

TEST(Swapping, NumbersClassesAtRandom) {
  // Four classes: each of the 24 orders is as likely; chi-square with 23 degrees of freedom.
  const OwnedTable owned = table_of({1, 2, 3, 4, 5, 6, 7, 8});
  const Table table = owned.view();
  Members members = one_class(8);
  members.first_of = {0, 2, 4, 6, 8};
  const Masked masked = recode(table, members, Recode::swap);
  std::map<std::vector<std::int32_t>, int> orders;
  const int keys = 12000;
  for (int key = 0; key < keys; ++key) {
    const auto secret = public_key(static_cast<std::uint64_t>(key));
    ++orders[swap_records(table, members, masked, keyed_choices(secret.data())).numbers];
  }
  EXPECT_EQ(orders.size(), 24U);
  double chi = 0;
  for (const auto& [order, times] : orders) {
    EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()),
              (std::set<std::int32_t>{1, 2, 3, 4}));
    chi += (times - keys / 24.0) * (times - keys / 24.0) / (keys / 24.0);
  }
  EXPECT_LT(chi, 58.6);  // exceeded by one set of keys in ten thousand
}

TEST(Swapping, AnUnchangedClassKeepsItsRows) {
  const auto secret = public_key(3);
  OwnedTable owned = table_of({1, 2, 3, 10, 11, 12});
  Table table = owned.view();
  Members members = one_class(6);
  members.first_of = {0, 3, 6};
  const DrawClass draw = keyed_choices(secret.data());
  const Masked masked = recode(table, members, Recode::swap);
  const std::vector<double> before = swap_records(table, members, masked, draw).cells.low;
  owned.values[5] = 13;
  const std::vector<double> after = swap_records(table, members, masked, draw).cells.low;
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 3, after.begin()));
}

// The two zeros are different texts, and no number is between them.
TEST(Swapping, ZerosOfEitherSignAreSwappedInOneOrderWhateverTheRows) {
  const auto secret = public_key(5);
  const auto rows_of = [&](const std::vector<double>& values) {
    OwnedTable owned = table_of(values);
    for (const double x : values)
      owned.fingerprints.push_back({static_cast<std::uint64_t>(10 * x + 100), std::signbit(x)});
    const Table table = owned.view();
    const Members members = one_class(static_cast<Record>(values.size()));
    const Masked masked = recode(table, members, Recode::swap);
    const Swapped swapped = swap_records(table, members, masked, keyed_choices(secret.data()));
    // By published cell, the value of the record that has it.
    std::vector<std::pair<double, double>> published;
    for (std::size_t i = 0; i < values.size(); ++i)
      published.emplace_back(1 / swapped.cells.low[static_cast<std::size_t>(swapped.cells_of[i])],
                             1 / values[i]);
    std::sort(published.begin(), published.end());
    return published;
  };
  std::vector<double> values = {-0.0, 0.0, 1, 2};
  const auto expected = rows_of(values);
  std::vector<std::size_t> order = {0, 1, 2, 3};
  while (std::next_permutation(order.begin(), order.end()))
    EXPECT_EQ(rows_of({values[order[0]], values[order[1]], values[order[2]], values[order[3]]}),
              expected);
}

}  // namespace
}  // namespace anonkit
