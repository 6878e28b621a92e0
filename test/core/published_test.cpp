// Optimisation, counts and measures all refer to the published cells.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/recount.hpp"
#include "fixture/trials.hpp"
#include "pipeline.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

/// A table with sensitive columns, whose rows and columns can be reordered.
struct Records {
  OwnedTable owned;
  std::vector<std::vector<std::int32_t>> ranks;  ///< by sensitive column

  Table view() const {
    Table table = owned.view();
    add_sensitive(table, ranks);
    return table;
  }
};

Records make(RandomTables& random, int n, int d, int sensitive) {
  Records records{random.make(n, d, true, 0), {}};
  for (Column& column : records.owned.columns) {
    if (column.attribute.kind != Kind::numeric) continue;
    const int kind = random.between(0, 2);
    if (kind == 1) column.rounding = {Rounding::To::integer, 0};
    if (kind == 2) column.rounding = {Rounding::To::decimal, 1};
  }
  // Fingerprints distinguish rows by their kept values.
  for (int a = 0; a < sensitive; ++a) {
    std::vector<std::int32_t> ranks;
    for (int i = 0; i < n; ++i) ranks.push_back(i < 3 ? i : random.between(0, 2));
    records.ranks.push_back(std::move(ranks));
  }
  return records;
}

Anonymized run(const Records& records, const char* method, const Options& options) {
  return anonymize(records.view(), *find_method(method), options, silent);
}

TEST(Published, ClassesAreWhatAReaderCanTellApart) {
  RandomTables random(1);
  for (int round = 0; round < trials(600); ++round) {
    const int d = random.between(1, 3);
    const Records records = make(random, random.between(6, 40), d, 0);
    Options options;
    options.k = random.between(1, 4);
    options.duplicates = round % 2 == 0 ? Duplicates::whole : Duplicates::divide;
    const Anonymized found = run(records, round % 3 == 0 ? "mdav" : "microaggregate", options);
    std::map<std::vector<double>, std::set<ClassId>> classes;
    for (std::size_t i = 0; i < found.partition.class_of.size(); ++i)
      classes[row_of(found, i, static_cast<std::size_t>(d))].insert(found.partition.class_of[i]);
    EXPECT_EQ(classes.size(), static_cast<std::size_t>(found.partition.classes));
    for (const auto& [cells, ids] : classes) EXPECT_EQ(ids.size(), 1U);
  }
}

TEST(Published, TheLossIsThatOfThePublishedCells) {
  RandomTables random(2);
  for (int round = 0; round < trials(600); ++round) {
    const int n = random.between(6, 40), d = random.between(1, 3);
    const Records records = make(random, n, d, 0);
    Options options;
    options.k = random.between(1, 4);
    options.standardize = Standardize::none;
    const Anonymized found = run(records, "microaggregate", options);
    const Table table = records.view();
    const double sse = recounted_sse(table, found);
    EXPECT_NEAR(found.loss.sse, sse, 1e-9 * (1 + sse));
  }
}

Options with_promise(int which) {
  Options options;
  options.k = 3;
  if (which == 1) options.promises.l = 2;
  if (which == 2) options.promises.t = 0.4;
  if (which == 3) options.promises.alpha = 0.7;
  if (which == 4) {
    options.promises.p = 2;
    options.promises.q = 0.4;
    options.promises.r = 0.2;
  }
  return options;
}

/// The groups of rows with equal published cells; empty without a release.
std::set<std::set<std::int32_t>> groups_of(const Records& records, const char* method,
                                           const Options& options,
                                           const std::vector<std::int32_t>& names) {
  std::map<ClassId, std::set<std::int32_t>> groups;
  try {
    const Anonymized found = run(records, method, options);
    for (std::size_t i = 0; i < names.size(); ++i)
      groups[found.partition.class_of[i]].insert(names[i]);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::infeasible);
  }
  std::set<std::set<std::int32_t>> all;
  for (auto& [c, group] : groups) all.insert(std::move(group));
  return all;
}

Records with_columns_reversed(const Records& records) {
  Records other = records;
  const std::size_t d = records.owned.columns.size();
  std::reverse(other.owned.columns.begin(), other.owned.columns.end());
  for (auto at = other.owned.values.begin(); at != other.owned.values.end();
       at += static_cast<std::ptrdiff_t>(d))
    std::reverse(at, at + static_cast<std::ptrdiff_t>(d));
  return other;
}

Records with_rows_reversed(const Records& records) {
  Records other = with_columns_reversed(records);
  std::reverse(other.owned.values.begin(), other.owned.values.end());
  std::reverse(other.owned.columns.begin(), other.owned.columns.end());
  std::reverse(other.owned.fingerprints.begin(), other.owned.fingerprints.end());
  for (auto& ranks : other.ranks) std::reverse(ranks.begin(), ranks.end());
  return other;
}

TEST(Published, NeitherTheOrderOfColumnsNorThatOfRowsChangesTheClasses) {
  RandomTables random(3);
  const char* const kMethods[] = {"microaggregate", "mdav", "vmdav", "mondrian", "tclose"};
  for (int round = 0; round < trials(500); ++round) {
    const int n = random.between(8, 30);
    const char* method = kMethods[round % 5];
    const bool takes_promises = round % 5 != 1 && round % 5 != 2;
    const int promise = round % 5 == 4 ? 2 : takes_promises ? random.between(0, 4) : 0;
    const Records records = make(random, n, random.between(1, 3), promise > 0 ? 1 : 0);
    const Options options = with_promise(promise);
    std::vector<std::int32_t> names(static_cast<std::size_t>(n));
    std::iota(names.begin(), names.end(), 0);
    const auto groups = groups_of(records, method, options, names);
    EXPECT_EQ(groups_of(with_columns_reversed(records), method, options, names), groups)
        << method << " " << promise << " round " << round;
    std::reverse(names.begin(), names.end());
    EXPECT_EQ(groups_of(with_rows_reversed(records), method, options, names), groups)
        << method << " " << promise << " round " << round;
  }
}

TEST(Published, TheOrderOfSensitiveColumnsChangesNothing) {
  RandomTables random(4);
  for (int round = 0; round < trials(200); ++round) {
    const int n = random.between(8, 30);
    const Records records = make(random, n, random.between(1, 2), 2);
    Options options = with_promise(1 + round % 4);
    const double t_each[2] = {0.3, 0.5}, reversed[2] = {0.5, 0.3};
    if (round % 4 == 1) options.promises.t_each = t_each;
    const Anonymized found = [&] {
      try {
        return run(records, "microaggregate", options);
      } catch (const Error&) {
        return Anonymized();
      }
    }();
    Table table = records.view();
    std::swap(table.sensitive[0], table.sensitive[1]);
    if (round % 4 == 1) options.promises.t_each = reversed;
    try {
      EXPECT_EQ(
          anonymize(table, *find_method("microaggregate"), options, silent).partition.class_of,
          found.partition.class_of);
    } catch (const Error&) {
      EXPECT_TRUE(found.partition.class_of.empty());
    }
  }
}

/// (k,p,q,r)-anonymity of one class, by its definition.
bool keeps_kpqr(const reference::Codes& members, const reference::Codes& all, const Options& o) {
  if (static_cast<int>(members.size()) < o.k) return false;
  if (reference::rare(members, all, o.promises.q).empty()) return true;
  if (reference::distinct(members) < o.promises.p) return false;
  const double whole = reference::variance(reference::rare(all, all, o.promises.q), nullptr);
  return !(whole > 0) || reference::variance(members, nullptr) / whole >= o.promises.r - 1e-9;
}

TEST(Published, RareValuesAreProtectedAsPublishedOrNotEvenOneClassOfAllProtectsThem) {
  RandomTables random(6);
  int refused = 0;
  for (int round = 0; round < trials(3000); ++round) {
    const int n = random.between(4, 12);
    Records records = make(random, n, random.between(1, 2), 1);
    for (Column& column : records.owned.columns)
      if (column.attribute.kind == Kind::numeric)
        column.rounding = {Rounding::To::decimal, -random.between(0, 2)};
    Options options;
    options.k = random.between(1, 3);
    options.promises.p = random.between(1, 2);
    options.promises.q = random.between(1, 8) / 10.0;
    options.promises.r = random.between(3, 10) / 10.0;
    const reference::Codes& values = records.ranks.front();
    try {
      const Anonymized found = run(records, round % 2 == 0 ? "kpqr" : "microaggregate", options);
      for (const reference::Codes& members :
           reference::codes_by_class(found.partition.class_of, values))
        EXPECT_TRUE(keeps_kpqr(members, values, options)) << "round " << round;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::infeasible);
      EXPECT_FALSE(keeps_kpqr(values, values, options)) << "round " << round;
      ++refused;
    }
  }
  EXPECT_LT(refused, trials(300));
}

}  // namespace
}  // namespace anonkit
