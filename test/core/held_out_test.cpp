// On tables that resemble public data, no search loses more than another algorithm, and a reader
// counts the reported figures.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fixture/contests.hpp"
#include "fixture/recount.hpp"
#include "fixture/tied_table.hpp"
#include "fixture/trials.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

constexpr double kRounding = 1 + 1e-9;

/// 'best' against the algorithms that it competes with, each followed by a search if asked.
void expect_best_of(const TiedTable& data, const Contest& contest, Effort effort = Effort::fast,
                    Effort searched = Effort::none) {
  const Options options = options_of(contest);
  const Table table = table_of(data, contest);
  const auto best = loss_of(table, contest.method, "best", options, effort);
  for (const char* other : contest.others) {
    const auto loss = loss_of(table, contest.method, other, options, searched);
    EXPECT_TRUE(best.has_value() || !loss) << contest.method << ' ' << other;
    if (!best || !loss) continue;
    EXPECT_LE(*best, *loss * kRounding) << contest.method << ' ' << other;
  }
}

TEST(HeldOut, BestIsNeverAboveAnotherAlgorithm) {
  for (const Ties ties : kTables)
    for (const std::uint64_t seed : {7, 12, 13}) {
      if (is_sanitized() && seed != 12) continue;
      const TiedTable data(seed == 7 ? 100 : 40, ties, seed);
      for (const Contest& contest : contests()) expect_best_of(data, contest);
    }
}

// Above 5,000 records a fast search of its own does not try every algorithm.
TEST(HeldOut, BestOfManyRowsIsNeverAboveAnotherAlgorithm) {
  const std::vector<Contest> all = contests();
  for (std::size_t at = 0; at < all.size(); at += is_sanitized() ? 8 : 1) {
    const std::uint64_t seed = 14 + at;
    expect_best_of(TiedTable(trials(6000), kTables[seed % 5], seed), all[at]);
  }
}

// Even if the other algorithm gets a thorough search of its own.
TEST(HeldOut, ThoroughBestIsNeverAboveAnotherThoroughSearch) {
  const std::vector<Contest> all = contests();
  for (std::size_t at = 0; at < all.size(); at += is_sanitized() ? 16 : 1)
    expect_best_of(TiedTable(10, kTables[at % 5], 40 + at), all[at], Effort::thorough,
                   Effort::thorough);
}

TEST(HeldOut, ThoroughIsNeverAboveFast) {
  const std::vector<Contest> all = contests();
  for (std::size_t at = 0; at < all.size(); at += is_sanitized() ? 8 : 1) {
    const TiedTable data(10, kTables[at % 5], at);
    const Options options = options_of(all[at]);
    const Table table = table_of(data, all[at]);
    const auto fast = loss_of(table, all[at].method, "best", options, Effort::fast);
    if (!fast) continue;
    EXPECT_LE(*loss_of(table, all[at].method, "best", options, Effort::thorough), *fast * kRounding)
        << all[at].method;
  }
}

TEST(HeldOut, MicroaggregationIsNeverAboveMdavOrVmdav) {
  for (const Ties ties : kTables)
    for (const Record n : {150, 2000}) {
      if (is_sanitized() && n > 150) continue;
      const TiedTable data(n, ties, 8);
      Options options;
      options.k = 4;
      const Table table = data.without_promises();
      const double fast = *loss_of(table, "microaggregate", nullptr, options, Effort::fast);
      for (const char* other : {"mdav", "vmdav"})
        EXPECT_LE(fast, *loss_of(table, other, nullptr, options, Effort::none) * kRounding)
            << other;
    }
}

/// A release of many rows, whose loss and classes a reader counts again.
void expect_recounted(const Table& table, const Promises& promises) {
  Options options;
  options.k = 5;
  options.standardize = Standardize::none;
  options.promises = promises;
  SilentTicker ticker;
  const Anonymized found = anonymize(table, *find_method("microaggregate"), options, ticker);
  const double sse = recounted_sse(table, found);
  EXPECT_NEAR(found.loss.sse, sse, 1e-9 * sse);
  const std::vector<ReadClass> classes = read_classes(table, found);
  EXPECT_EQ(classes.size(), at(found.partition.classes));
  for (const ReadClass& one : classes) {
    EXPECT_GE(one.rows, options.k);
    EXPECT_GE(static_cast<std::int32_t>(one.values.size()), promises.l);
    for (const auto& [value, rows] : one.values)
      EXPECT_TRUE(promises.alpha == 0 || rows <= promises.alpha * one.rows);
  }
}

TEST(HeldOut, AReaderCountsWhatWasReportedOfManyRows) {
  Promises diverse, no_majority;
  diverse.l = 3;
  no_majority.alpha = 0.5;
  const TiedTable census(is_sanitized() ? 3000 : 100000, Ties::census, 9),
      few(trials(20000), Ties::few_values, 9), mixed(trials(20000), Ties::mixed, 9);
  expect_recounted(census.with_occupation(), diverse);
  expect_recounted(few.with_occupation(), no_majority);
  expect_recounted(mixed.with_occupation(), diverse);
  expect_recounted(mixed.without_promises(), {});
}

TEST(HeldOut, PromisesOnManyRowsLoseNoMoreThanMdavUnited) {
  const TiedTable data(is_sanitized() ? 3000 : 100000, Ties::census, 10);
  const Table table = data.with_occupation();
  Options options;
  options.k = 5;
  options.promises.t = 0.3;
  const auto found = loss_of(table, "microaggregate", nullptr, options, Effort::fast);
  const auto merged = loss_of(table, "tclose", "merge", options, Effort::none);
  EXPECT_LE(*found, *merged * kRounding);
}

}  // namespace
}  // namespace anonkit
