// Sets that are cut until a random part would break a promise, against plain counting.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "transparent/descent.hpp"
#include "transparent/part_size.hpp"

namespace anonkit {
namespace {

SensitiveAttribute attribute_of(std::vector<std::int32_t> ranks) {
  SensitiveAttribute attribute;
  attribute.ranks = std::move(ranks);
  return attribute;
}

bool keeps(const std::vector<std::int32_t>& values, const Promises& promises) {
  std::map<std::int32_t, int> counts;
  for (const std::int32_t value : values) ++counts[value];
  for (const auto& [value, count] : counts)
    if (promises.alpha > 0 && count > promises.alpha * static_cast<double>(values.size()) + 1e-12)
      return false;
  return static_cast<int>(counts.size()) >= promises.l;
}

/// The share of all parts of that size which break a promise.
double failing(const std::vector<std::int32_t>& values, int size, const Promises& promises) {
  std::vector<bool> chosen(values.size(), false);
  std::fill_n(chosen.begin(), size, true);
  int parts = 0, broken = 0;
  do {
    std::vector<std::int32_t> part;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (chosen[i]) part.push_back(values[i]);
    ++parts;
    broken += keeps(part, promises) ? 0 : 1;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return static_cast<double>(broken) / parts;
}

Record part_size(const std::vector<std::int32_t>& values, const Promises& promises, Record k,
                 double share) {
  SilentTicker ticker;
  std::vector<Record> all(values.size());
  std::iota(all.begin(), all.end(), 0);
  return PartSize({attribute_of(values)}, promises, k, share).of(RecordSpan(all), ticker);
}

TEST(PartSize, IsTheLeastWhoseRandomPartsAreDiverse) {
  RandomTables random(21);
  int found = 0;
  for (int round = 0; round < trials(1500); ++round) {
    const int n = random.between(6, 12), k = random.between(1, 3);
    std::vector<std::int32_t> values;
    for (int i = 0; i < n; ++i) values.push_back(random.between(0, random.between(0, 4)));
    Promises promises;
    promises.l = random.between(2, 4);
    const double share = random.between(1, 40) / 80.0 + 1e-7;
    int least = k;
    while (least <= n / 2 && failing(values, least, promises) > share) ++least;
    ASSERT_EQ(part_size(values, promises, k, share), std::min(least, n / 2 + 1));
    found += least <= n / 2 ? 1 : 0;
  }
  EXPECT_GT(found, trials(300));
}

TEST(PartSize, BoundsTheChanceOfFrequentValues) {
  RandomTables random(22);
  int found = 0;
  for (int round = 0; round < 1500; ++round) {
    const int n = random.between(6, 12), k = random.between(1, 3);
    std::vector<std::int32_t> values;
    for (int i = 0; i < n; ++i) values.push_back(random.between(0, 4));
    Promises promises;
    promises.alpha = random.between(3, 9) / 10.0;
    promises.l = random.between(0, 2);
    const double share = random.between(1, 40) / 80.0 + 1e-7;
    const Record size = part_size(values, promises, k, share);
    if (size > n / 2) continue;
    ASSERT_LE(failing(values, size, promises), share + 1e-9);
    ++found;
  }
  EXPECT_GT(found, 300);
}

struct Sets {
  Space space;
  std::vector<std::int32_t> values;
  Promises promises;
  Record k;

  std::vector<AdaptedSet> made(const std::vector<std::int32_t>& of) const {
    SilentTicker ticker;
    return adapted_sets(space, {attribute_of(of)}, promises, k, 0.1, ticker);
  }
};

Sets random_sets(RandomTables& random) {
  const int n = random.between(30, 400), range = random.between(2, 40);
  std::vector<double> coordinates;
  for (int i = 0; i < 2 * n; ++i) coordinates.push_back(random.between(0, range));
  Sets sets{Space(coordinates, {{}, {}}), {}, {}, static_cast<Record>(random.between(2, 5))};
  for (int i = 0; i < n; ++i) sets.values.push_back(random.between(0, random.between(1, 5)));
  sets.promises.l = random.between(2, 3);
  return sets;
}

TEST(AdaptedSets, HoldEachRecordOnceAndEqualRecordsTogether) {
  RandomTables random(23);
  std::size_t several = 0;
  for (int round = 0; round < 200; ++round) {
    const Sets sets = random_sets(random);
    std::vector<int> set_of(sets.values.size(), -1);
    const std::vector<AdaptedSet> made = sets.made(sets.values);
    for (std::size_t s = 0; s < made.size(); ++s) {
      ASSERT_GE(made[s].k, sets.k);
      ASSERT_GE(static_cast<Record>(made[s].records.size()), sets.k);
      for (const Record i : made[s].records) {
        ASSERT_EQ(set_of[static_cast<std::size_t>(i)], -1);
        set_of[static_cast<std::size_t>(i)] = static_cast<int>(s);
      }
    }
    std::map<std::pair<double, double>, int> set_at;
    for (std::size_t i = 0; i < set_of.size(); ++i) {
      ASSERT_GE(set_of[i], 0);
      const double* row = sets.space.row(static_cast<Record>(i));
      ASSERT_EQ(set_at.emplace(std::make_pair(row[0], row[1]), set_of[i]).first->second, set_of[i]);
    }
    several += made.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 100U);
}

TEST(AdaptedSets, DoNotChangeIfValuesChangeHandsWithinThem) {
  RandomTables random(24);
  for (int round = 0; round < 200; ++round) {
    const Sets sets = random_sets(random);
    const std::vector<AdaptedSet> made = sets.made(sets.values);
    std::vector<std::int32_t> permuted = sets.values;
    for (const AdaptedSet& set : made)
      for (std::size_t i = set.records.size(); i > 1; --i)
        std::swap(permuted[static_cast<std::size_t>(set.records[i - 1])],
                  permuted[static_cast<std::size_t>(set.records[static_cast<std::size_t>(
                      random.between(0, static_cast<int>(i) - 1))])]);
    const std::vector<AdaptedSet> again = sets.made(permuted);
    ASSERT_EQ(again.size(), made.size());
    for (std::size_t s = 0; s < made.size(); ++s) {
      ASSERT_EQ(again[s].records, made[s].records);
      ASSERT_EQ(again[s].k, made[s].k);
    }
  }
}

}  // namespace
}  // namespace anonkit
