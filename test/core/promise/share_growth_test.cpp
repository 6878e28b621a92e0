// beta-likeness and delta-disclosure as promises: the definitions on random classes, one verdict
// with the judge at the limit, and methods that keep them.

#include <gtest/gtest.h>

#include <cmath>

#include "fixture/random_sensitive.hpp"
#include "fixture/search_fixture.hpp"
#include "model/models.hpp"
#include "promise/promised.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

using reference::Codes;

SensitiveAttribute nominal(const Codes& codes) {
  SensitiveAttribute attribute;
  attribute.ranks = codes;
  attribute.distance = GroundDistance::nominal;
  return attribute;
}

bool class_keeps(const SensitiveAttribute& attribute, const Promises& promises, Record members) {
  return all_allow(promised_constraints({attribute}, promises), RecordSpan(in_order(members)));
}

/// The level of the first records as a class, the others being another that is as the table.
double judged(const char* model, const Codes& codes, Record members) {
  Codes class_of(codes.size(), 1);
  std::fill_n(class_of.begin(), members, 0);
  SilentTicker ticker;
  const ClassHistogram histogram(class_of, {codes, AttributeScale::nominal, {}}, ticker);
  return find_model(model)->measure(histogram, {}, ticker).level;
}

Codes codes_without_gaps(std::mt19937_64& random, Record n) {
  Codes codes;
  for (Record i = 0; i < n; ++i) codes.push_back(roll(random, 0, roll(random, 0, 3)));
  std::vector<std::int32_t> values = codes;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (std::int32_t& code : codes)
    code = static_cast<std::int32_t>(std::lower_bound(values.begin(), values.end(), code) -
                                     values.begin());
  return codes;
}

TEST(LikenessPromise, OfAClassIsThatOfTheDefinitions) {
  std::mt19937_64 random(1);
  int kept[2] = {}, broken[2] = {};
  for (int round = 0; round < 5000; ++round) {
    const Record n = roll(random, 2, 40), members = roll(random, 1, n);
    const Codes codes = codes_without_gaps(random, n);
    const Codes of_class(codes.begin(), codes.begin() + members);
    Promises promises;
    const bool beta = round % 2 == 0;
    // No fraction of such counts is as near to a limit as the rounding of either side.
    const double limit = (beta ? promises.beta : promises.delta) = roll(random, 1, 300) * 0.010007;
    bool expected = true;
    for (const auto& [value, count] : reference::tally(codes)) {
      const double p = reference::share(codes, value), q = reference::share(of_class, value);
      if (beta && q > p) expected = expected && (q - p) / p <= std::min(limit, -std::log(p));
      if (!beta) expected = expected && q > 0 && std::fabs(std::log(q / p)) < limit;
    }
    ASSERT_EQ(class_keeps(nominal(codes), promises, members), expected) << "round " << round;
    ++(expected ? kept : broken)[beta ? 0 : 1];
  }
  for (const int i : {0, 1}) {
    EXPECT_GT(kept[i], 300);
    EXPECT_GT(broken[i], 300);
  }
}

TEST(LikenessPromise, IsJudgedAlikeAtTheLimit) {
  std::mt19937_64 random(2);
  int limits = 0;
  for (int round = 0; round < 5000; ++round) {
    const Record n = roll(random, 4, 60), members = roll(random, 2, n / 2);
    const Codes codes = codes_without_gaps(random, n);
    const bool beta = round % 2 == 0;
    const char* model = beta ? "enhanced beta-likeness" : "delta-disclosure";
    const double level = judged(model, codes, members);
    if (!(level > 0) || std::isinf(level)) continue;
    ++limits;
    const Codes rest(codes.begin() + members, codes.end());
    Codes turned = rest;
    turned.insert(turned.end(), codes.begin(), codes.begin() + members);
    for (const double limit : {std::nextafter(level, 0), level, std::nextafter(level, 1e9)}) {
      Promises promises;
      (beta ? promises.beta : promises.delta) = limit;
      const bool both = class_keeps(nominal(codes), promises, members) &&
                        class_keeps(nominal(turned), promises, n - members);
      ASSERT_EQ(both, find_model(model)->keeps(limit, level)) << "round " << round;
    }
  }
  EXPECT_GT(limits, 1000);
}

TEST(LikenessPromise, OfAUnionIsThatOfItsParts) {
  std::mt19937_64 random(3);
  int united = 0;
  for (int round = 0; round < 5000; ++round) {
    const Record n = roll(random, 6, 40), half = roll(random, 2, n / 2);
    const SensitiveAttribute attribute = nominal(codes_without_gaps(random, n));
    Promises promises;
    (round % 2 == 0 ? promises.beta : promises.delta) = roll(random, 1, 200) * 0.010007;
    const Constraints constraints = promised_constraints({attribute}, promises);
    const std::vector<Record> all = in_order(half * 2);
    const std::vector<Record> a(all.begin(), all.begin() + half), b(all.begin() + half, all.end());
    if (!all_allow(constraints, RecordSpan(a)) || !all_allow(constraints, RecordSpan(b))) continue;
    ++united;
    ASSERT_TRUE(all_allow(constraints, RecordSpan(all)));
  }
  EXPECT_GT(united, 500);
}

TEST(LikenessPromise, OfAPartComparesWithTheTable) {
  SensitiveAttribute part = nominal({0, 0, 1});
  Promises promises;
  promises.beta = 0.5;
  EXPECT_TRUE(class_keeps(part, promises, 3)) << "the part by itself";
  part.table_counts = {2, 6};
  EXPECT_FALSE(class_keeps(part, promises, 3)) << "two thirds in the place of a quarter";
  promises.beta = 0;
  promises.delta = 3;
  EXPECT_TRUE(class_keeps(part, promises, 3));
  part.table_counts = {2, 6, 1};
  EXPECT_FALSE(class_keeps(part, promises, 3)) << "no record of the third value";
  part.table_counts = {2, 6, 0, 0};
  EXPECT_TRUE(class_keeps(part, promises, 3)) << "ranks without a record are no values";
}

}  // namespace
}  // namespace anonkit
