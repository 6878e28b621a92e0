// Classes whose size is adapted until random parts keep promises, against plain counting.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "transparent/adapted_classes.hpp"
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

using Values = std::vector<std::int32_t>;

/// Neighbours along the first quasi-identifier, or along the values: the usual search in the
/// smallest.
struct World {
  Space space;
  Values values;
  Promises promises;
  Record k;

  Partition made(const Values& of, bool looks_at_values = false) const {
    SilentTicker ticker;
    const auto key = [&](Record i) {
      const double* row = space.row(i);
      return std::make_tuple(looks_at_values ? of[static_cast<std::size_t>(i)] : 0, row[0], row[1]);
    };
    return adapted_classes(
        space, {attribute_of(of)}, promises, k, 0.1,
        [&](const std::vector<Record>& records, Record least) {
          return in_rows(records, least, key);
        },
        ticker);
  }

 private:
  /// Classes of `least` records along a key, and those of equal keys together.
  template <class Key>
  static Partition in_rows(const std::vector<Record>& records, Record least, const Key& key) {
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return key(records[a]) < key(records[b]);
    });
    Partition formed{std::vector<ClassId>(records.size()), 1};
    Record own = 0;
    for (std::size_t i = 0; i < order.size(); ++i, ++own) {
      const auto left = static_cast<Record>(order.size() - i);
      if (own >= least && left >= least && key(records[order[i]]) != key(records[order[i - 1]])) {
        ++formed.classes;
        own = 0;
      }
      formed.class_of[order[i]] = formed.classes - 1;
    }
    return formed;
  }
};

World random_world(RandomTables& random) {
  const int n = random.between(30, 400), range = random.between(2, 40);
  std::vector<double> coordinates;
  for (int i = 0; i < 2 * n; ++i) coordinates.push_back(random.between(0, range));
  World world{Space(coordinates, {{}, {}}), {}, {}, static_cast<Record>(random.between(2, 5))};
  // Values follow the first coordinate in part.
  const int of_place = random.between(0, 3), of_chance = random.between(1, 5);
  for (int i = 0; i < n; ++i)
    world.values.push_back(
        static_cast<int>(of_place * world.space.row(i)[0] / (world.space.row(0)[0] + 3)) % 5 +
        random.between(0, of_chance));
  world.promises.l = random.between(2, 3);
  return world;
}

/// The values after they changed hands within classes.
Values permuted(const Values& values, const Partition& classes, RandomTables& random) {
  Values changed = values;
  const Members members = members_of(classes);
  for (std::size_t c = 0; c + 1 < members.first_of.size(); ++c)
    for (Record i = members.first_of[c + 1] - 1; i > members.first_of[c]; --i)
      std::swap(
          changed[static_cast<std::size_t>(members.records[static_cast<std::size_t>(i)])],
          changed[static_cast<std::size_t>(
              members.records[static_cast<std::size_t>(random.between(members.first_of[c], i))])]);
  return changed;
}

TEST(AdaptedClasses, HoldEachRecordOnceAndEqualRecordsTogether) {
  RandomTables random(23);
  int several = 0;
  for (int round = 0; round < 200; ++round) {
    const World world = random_world(random);
    const Partition made = world.made(world.values);
    std::vector<Record> sizes(static_cast<std::size_t>(made.classes), 0);
    std::map<std::pair<double, double>, ClassId> class_at;
    ASSERT_EQ(made.class_of.size(), world.values.size());
    for (std::size_t i = 0; i < made.class_of.size(); ++i) {
      const double* row = world.space.row(static_cast<Record>(i));
      const ClassId c = made.class_of[i];
      ASSERT_EQ(class_at.emplace(std::make_pair(row[0], row[1]), c).first->second, c);
      ++sizes.at(static_cast<std::size_t>(c));
    }
    for (const Record size : sizes) ASSERT_GE(size, world.k);
    several += made.classes > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 100);
}

TEST(AdaptedClasses, DoNotChangeIfValuesChangeHandsWithinThem) {
  RandomTables random(24);
  int of_search = 0;
  for (int round = 0; round < trials(300); ++round) {
    const World world = random_world(random);
    const Partition made = world.made(world.values);
    ASSERT_EQ(world.made(permuted(world.values, made, random)).class_of, made.class_of);
    const Partition searched = world.made(world.values, true);
    of_search +=
        world.made(permuted(world.values, searched, random), true).class_of != searched.class_of
            ? 1
            : 0;
  }
  EXPECT_GT(of_search, trials(100)) << "classes that follow values give themselves away";
}

/// The share of classes that break the promise.
double broken(const World& world, const Partition& classes) {
  std::vector<Values> values(static_cast<std::size_t>(classes.classes));
  for (std::size_t i = 0; i < classes.class_of.size(); ++i)
    values[static_cast<std::size_t>(classes.class_of[i])].push_back(world.values[i]);
  int failing = 0;
  for (const Values& own : values) failing += keeps(own, world.promises) ? 0 : 1;
  return failing / static_cast<double>(values.size());
}

TEST(AdaptedClasses, SeldomBreakAPromiseThatClassesOfKBreak) {
  RandomTables random(25);
  double adapted = 0, of_k = 0;
  const int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    World world = random_world(random);
    adapted += broken(world, world.made(world.values)) / rounds;
    const Promises promised = std::exchange(world.promises, {});
    const Partition plain = world.made(world.values);
    world.promises = promised;
    of_k += broken(world, plain) / rounds;
  }
  EXPECT_LT(adapted, 0.1);
  EXPECT_GT(of_k, 0.15);
}

}  // namespace
}  // namespace anonkit
