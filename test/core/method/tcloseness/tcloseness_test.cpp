#include "method/tcloseness/tcloseness.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/random_space.hpp"
#include "method/growing/mdav.hpp"
#include "method/tcloseness/buckets.hpp"
#include "method/tcloseness/closeness.hpp"
#include "method/tcloseness/k_first.hpp"
#include "method/tcloseness/merge.hpp"
#include "method/tcloseness/t_first.hpp"
#include "metric/sse.hpp"
#include "reference/models.hpp"
#include "reference/tcloseness.hpp"
#include "space/index/centroid_index.hpp"

namespace anonkit {
namespace {

constexpr GroundDistance kDistances[] = {GroundDistance::ordered, GroundDistance::nominal,
                                         GroundDistance::hierarchical};
constexpr TClosenessAlgorithm kAlgorithms[] = {
    TClosenessAlgorithm::merge, TClosenessAlgorithm::k_first, TClosenessAlgorithm::t_first,
    TClosenessAlgorithm::sabre, TClosenessAlgorithm::best};

std::vector<std::vector<Record>> lists(const Partition& partition) {
  std::vector<std::vector<Record>> lists(static_cast<std::size_t>(partition.classes));
  for (std::size_t i = 0; i < partition.class_of.size(); ++i)
    lists.at(static_cast<std::size_t>(partition.class_of[i])).push_back(static_cast<Record>(i));
  return lists;
}

TClosenessClasses run(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                      TClosenessAlgorithm algorithm, Record k, double scale = 0.01) {
  TClosenessOptions options;
  options.algorithm = algorithm;
  options.k = k;
  options.search.scale = scale;
  SilentTicker ticker;
  return tcloseness(space, attributes, options, ticker);
}

void expect_k_and_t(const Space& space, const Partition& partition,
                    const std::vector<SensitiveAttribute>& attributes, std::size_t k) {
  const ReferenceTCloseness judge(space, attributes);
  for (const std::vector<Record>& members : lists(partition)) {
    EXPECT_GE(members.size(), k);
    ASSERT_FALSE(members.empty());
    EXPECT_TRUE(judge.close(members)) << "a class of " << members.size() << " is not t-close";
  }
}

struct Case {
  Space space;
  std::vector<SensitiveAttribute> attributes;
  Record k;
};

Case random_case(RandomSpaces& spaces, RandomSensitive& random, int round, int most,
                 std::size_t attributes) {
  const int n = random.between(1, most);
  Case c{spaces.make(static_cast<Shape>(round % kShapes), n, random.between(1, 3)), {}, 1};
  for (std::size_t a = 0; a < attributes; ++a)
    c.attributes.push_back(
        random.make(kDistances[random.between(0, 2)], n, random.between(1, 60) / 100.0));
  c.k = random.between(1, std::min(n, 7));
  return c;
}

TEST(CentroidIndex, FindsWhatAScanFinds) {
  RandomSpaces spaces(51);
  SilentTicker ticker;
  for (int round = 0; round < trials(32); ++round) {
    const int n = spaces.between(2, 400);
    const Space space = spaces.make(static_cast<Shape>(round % kShapes), n, spaces.between(1, 3));
    CentroidIndex index(space, n, ticker);
    std::vector<Record> at(static_cast<std::size_t>(n), -1);  // the row equal to a class's centroid
    for (int step = 0; step < 4 * n; ++step) {
      const int c = spaces.between(0, n - 1);
      Record& row = at[static_cast<std::size_t>(c)];
      if (row >= 0 && spaces.between(0, 2) == 0) {
        index.remove(c);
        row = -1;
      } else if (row < 0) {
        row = spaces.between(0, n - 1);
        index.add(c, space.row(row));
      }
      const double* x = space.row(spaces.between(0, n - 1));
      std::vector<std::pair<double, ClassId>> scan;
      for (ClassId other = 0; other < n; ++other) {
        const Record row_of = at[static_cast<std::size_t>(other)];
        if (other != c && row_of >= 0)
          scan.emplace_back(space.squared_distance(space.row(row_of), x), other);
      }
      std::sort(scan.begin(), scan.end());
      ASSERT_EQ(index.nearest(x, c), scan.empty() ? -1 : scan.front().second);
      std::vector<ClassId> five;
      for (std::size_t i = 0; i < std::min<std::size_t>(5, scan.size()); ++i)
        five.push_back(scan[i].second);
      ASSERT_EQ(index.nearest(x, 5, c), five);
    }
  }
}

TEST(Algorithm1, MergesAsThePseudoCode) {
  RandomSpaces spaces(52);
  RandomSensitive random(52);
  SilentTicker ticker;
  for (int round = 0; round < trials(600); ++round) {
    // Some tables are large enough for classes that keep their sums.
    const Case c = random_case(spaces, random, round, round % 30 == 0 ? 250 : 60, 1 + round % 2);
    const Partition start = mdav(c.space, c.k, ticker);
    const Partition merged =
        merge_until_close(c.space, start, Closeness(c.attributes, ticker), ticker);
    EXPECT_EQ(merged.class_of, ReferenceTCloseness(c.space, c.attributes).merge(start).class_of);
  }
}

TEST(Algorithm2, FormsTheClustersOfThePseudoCode) {
  RandomSpaces spaces(53);
  RandomSensitive random(53);
  SilentTicker ticker;
  for (int round = 0; round < trials(500); ++round) {
    const Case c = random_case(spaces, random, round, 50, 1 + round % 2);
    const Partition found = k_first(c.space, c.k, Closeness(c.attributes, ticker), ticker);
    EXPECT_EQ(found.class_of, ReferenceTCloseness(c.space, c.attributes).k_first(c.k).class_of);
  }
}

TEST(Algorithm3, FormsTheClustersOfThePseudoCode) {
  RandomSpaces spaces(54);
  RandomSensitive random(54);
  SilentTicker ticker;
  for (int round = 0; round < 1500; ++round) {
    const Case c = random_case(spaces, random, round, 80, 1);
    const SensitiveAttribute& first = c.attributes.front();
    const Record size = t_first_cluster_size(c.space.size(), c.k, first.t);
    const Partition found = t_first(c.space, first.ranks, size, ticker);
    EXPECT_EQ(
        found.class_of,
        ReferenceTCloseness(c.space, c.attributes).t_first(first.ranks, c.k, first.t).class_of);
    for (const auto& members : lists(found)) {
      EXPECT_GE(static_cast<Record>(members.size()), size);
      EXPECT_LE(static_cast<Record>(members.size()), size + 1);
    }
  }
}

TEST(Algorithm3, IsCloseByConstructionWhereProposition2Holds) {
  RandomSpaces spaces(55);
  for (const double t : {0.05, 0.1, 0.2, 0.4}) {
    for (const int size : {1, 2, 3, 5, 6, 8}) {
      const Record k = t_first_cluster_size(240, size, t);
      const Record n = k * 24;
      if (t_first_cluster_size(n, k, t) != k) continue;
      SensitiveAttribute attribute{{}, GroundDistance::ordered, t, {}};
      for (Record i = 0; i < n; ++i) attribute.ranks.push_back((i * 7 + 3) % n);
      if (n % 7 == 0) continue;
      const Space space = spaces.make(Shape::normal, n, 2);
      const TClosenessClasses classes = run(space, {attribute}, TClosenessAlgorithm::t_first, k);
      EXPECT_EQ(classes.swaps, 0);
      EXPECT_EQ(classes.mergers, 0);
      EXPECT_EQ(classes.partition.classes, 24);
      expect_k_and_t(space, classes.partition, {attribute}, static_cast<std::size_t>(k));
    }
  }
}

TEST(TClosenessAlgorithms, KeepKAndTWhateverTheData) {
  RandomSpaces spaces(56);
  RandomSensitive random(56);
  for (int round = 0; round < trials(300); ++round) {
    const Case c = random_case(spaces, random, round, 60, 1 + round % 3);
    for (const TClosenessAlgorithm algorithm : kAlgorithms) {
      const TClosenessClasses classes = run(c.space, c.attributes, algorithm, c.k, 0.001);
      expect_k_and_t(c.space, classes.partition, c.attributes, static_cast<std::size_t>(c.k));
      EXPECT_EQ(classes.single_class, classes.partition.classes == 1);
    }
  }
}

TEST(TClosenessAlgorithms, BestNeverLosesMoreThanTheOthers) {
  RandomSpaces spaces(57);
  RandomSensitive random(57);
  for (int round = 0; round < trials(100); ++round) {
    const Case c = random_case(spaces, random, round, 80, 1 + round % 2);
    const double best =
        sse(c.space, run(c.space, c.attributes, TClosenessAlgorithm::best, c.k).partition);
    for (const TClosenessAlgorithm algorithm : kAlgorithms)
      EXPECT_LE(best,
                sse(c.space, run(c.space, c.attributes, algorithm, c.k).partition) * (1 + 1e-12));
  }
}

/// 10,000 records, a number that is not a multiple of the cluster size.
void check_large(const SensitiveAttribute& attribute, Record k, ClassId least_classes) {
  RandomSpaces spaces(58);
  const auto n = static_cast<int>(attribute.ranks.size());
  const Space space = spaces.make(Shape::normal, n, 2);
  for (const TClosenessAlgorithm algorithm :
       {TClosenessAlgorithm::merge, TClosenessAlgorithm::t_first, TClosenessAlgorithm::sabre}) {
    const TClosenessClasses classes = run(space, {attribute}, algorithm, k);
    expect_k_and_t(space, classes.partition, {attribute}, static_cast<std::size_t>(k));
    if (algorithm != TClosenessAlgorithm::merge) {
      EXPECT_GE(classes.partition.classes, least_classes);
    }
  }
}

TEST(TClosenessAlgorithms, FiveValuesInTenThousandRecords) {
  SensitiveAttribute attribute{{}, GroundDistance::ordered, 0.1, {}};
  for (int i = 0; i < 10000; ++i) {
    const int percent = i * 7919 % 10000 / 100;
    attribute.ranks.push_back((percent >= 50) + (percent >= 80) + (percent >= 95) +
                              (percent >= 99));
  }
  check_large(attribute, 3, 500);
  attribute.distance = GroundDistance::nominal;
  check_large(attribute, 7, 200);
}

TEST(TClosenessAlgorithms, AllValuesEqual) {
  const SensitiveAttribute attribute{
      std::vector<std::int32_t>(10007, 0), GroundDistance::ordered, 0.2, {}};
  check_large(attribute, 3, 2000);
}

TEST(TClosenessAlgorithms, ThreeHundredNominalValues) {
  SensitiveAttribute attribute{{}, GroundDistance::nominal, 0.5, {}};
  for (int i = 0; i < 10007; ++i) attribute.ranks.push_back(i * 7919 % 10007 % 300);
  check_large(attribute, 3, 20);
}

TEST(TClosenessAlgorithms, SayWhenOneClassIsLeft) {
  RandomSpaces spaces(59);
  const SensitiveAttribute attribute{{0, 1, 2, 3, 4, 5, 6, 7}, GroundDistance::ordered, 1e-9, {}};
  for (const TClosenessAlgorithm algorithm : kAlgorithms) {
    const TClosenessClasses classes =
        run(spaces.make(Shape::normal, 8, 2), {attribute}, algorithm, 2);
    EXPECT_TRUE(classes.single_class);
  }
}

TEST(TClosenessAlgorithms, RefuseBadParameters) {
  RandomSpaces spaces(60);
  const Space space = spaces.make(Shape::normal, 4, 2);
  SensitiveAttribute attribute{{0, 1, 2, 3}, GroundDistance::ordered, 0.5, {}};
  const auto attempt = [&](Record k) { run(space, {attribute}, TClosenessAlgorithm::merge, k); };
  EXPECT_THROW(attempt(0), Error);
  EXPECT_THROW(attempt(5), Error);
  EXPECT_NO_THROW(attempt(4));
  attribute.t = 0;
  EXPECT_THROW(attempt(2), Error);
  attribute.t = 1.1;
  EXPECT_THROW(attempt(2), Error);
  EXPECT_THROW(run(space, {}, TClosenessAlgorithm::merge, 2), Error);
}

TEST(Buckets, BoundTheDistanceOfEveryClass) {
  RandomSensitive random(41);
  for (int round = 0; round < trials(500); ++round) {
    const bool ordered = round % 2 == 0;
    const SensitiveAttribute attribute = random.make(
        ordered ? GroundDistance::ordered : GroundDistance::nominal, random.between(2, 40), 0.2);
    const double slack = random.between(0, 20) / 100.0;
    const Buckets buckets = bucketize(attribute, slack);
    const auto bucket = [&](std::int32_t rank) {
      return static_cast<std::size_t>(buckets.of_rank[static_cast<std::size_t>(rank)]);
    };
    double sum = 0;
    for (std::size_t b = 0; b < buckets.records.size(); ++b)
      sum += buckets.spread[b] * static_cast<double>(buckets.records[b]) /
             static_cast<double>(attribute.ranks.size());
    EXPECT_LE(sum, slack + 1e-12);
    const std::map<std::int32_t, int> tally = reference::tally(attribute.ranks);
    for (std::size_t b = 0; ordered && tally.size() > 1 && b < buckets.records.size(); ++b) {
      double spread = 0;  // to the value that is farthest from the others
      for (const auto& [value, own] : tally) {
        double moved = 0;
        for (const auto& [other, records] : tally)
          if (bucket(other) == b) moved += records * std::fabs(other - value);
        if (bucket(value) == b) spread = std::max(spread, moved);
      }
      EXPECT_NEAR(
          buckets.spread[b],
          spread / static_cast<double>(buckets.records[b]) / static_cast<double>(tally.size() - 1),
          1e-12);
    }
    // The most distant classes are those of one value; others are random.
    for (int draw = 0; draw < 20; ++draw) {
      reference::Codes members;
      const std::int32_t value = attribute.ranks[static_cast<std::size_t>(
          random.between(0, static_cast<int>(attribute.ranks.size()) - 1))];
      for (const std::int32_t rank : attribute.ranks)
        if (draw % 2 == 0 ? rank == value : random.between(0, 2) == 0) members.push_back(rank);
      if (members.empty()) continue;
      std::vector<std::int64_t> counts(buckets.records.size(), 0);
      for (const std::int32_t rank : members) ++counts[bucket(rank)];
      const double distance = ordered ? reference::ordered_emd(members, attribute.ranks)
                                      : reference::nominal_emd(members, attribute.ranks);
      EXPECT_GE(buckets.bound(counts, static_cast<std::int64_t>(members.size()), ordered) + 1e-12,
                distance);
    }
  }
}

}  // namespace
}  // namespace anonkit
