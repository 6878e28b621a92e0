#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "base/logarithm.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"
#include "promise/class_size.hpp"
#include "search/cooling.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/neighbours.hpp"
#include "search/refine.hpp"
#include "search/search.hpp"
#include "space/centroid.hpp"

namespace anonkit {
namespace {

const std::vector<Attribute> kMixed = {Attribute{}, Attribute{Kind::ordinal, 2, 5},
                                       Attribute{Kind::nominal, 0.5, 3}, Attribute{}};

RefineOptions thorough(std::uint64_t seed) {
  RefineOptions options;
  options.effort = Effort::thorough;
  options.seed = seed;
  options.scale = 0.004;
  return options;
}

std::vector<Record> sizes(const Partition& partition) {
  std::vector<Record> sizes(static_cast<std::size_t>(partition.classes), 0);
  for (const ClassId c : partition.class_of) ++sizes.at(static_cast<std::size_t>(c));
  return sizes;
}

// Rounds the numbers of a centroid to the values that can be published.
void round_to_published(const Space& space, std::vector<double>& center) {
  for (int j = 0; j < space.dimension(); ++j) {
    const PublishedSteps steps = space.published(j);
    double& x = center[static_cast<std::size_t>(j)];
    if (steps.step > 0)
      x = steps.origin + std::nearbyint((x - steps.origin) / steps.step) * steps.step;
  }
}

// SSE straight from its definition, with the exact centroids of space/centroid.hpp.
double plain_sse(const Space& space, const Partition& partition) {
  const Members members = members_of(partition);
  std::vector<double> center(static_cast<std::size_t>(space.dimension()));
  double sum = 0;
  for (std::size_t c = 0; c + 1 < members.first_of.size(); ++c) {
    Centroid centroid(space);
    for (Record at = members.first_of[c]; at < members.first_of[c + 1]; ++at)
      centroid.add(members.records[static_cast<std::size_t>(at)]);
    centroid.point(center.data());
    round_to_published(space, center);
    for (Record at = members.first_of[c]; at < members.first_of[c + 1]; ++at)
      sum += space.squared_distance(space.row(members.records[static_cast<std::size_t>(at)]),
                                    center.data());
  }
  return sum;
}

void expect_valid(const Space& space, const RefineResult& result, Record k) {
  ASSERT_EQ(static_cast<Record>(result.partition.class_of.size()), space.size());
  for (const Record size : sizes(result.partition)) EXPECT_GE(size, k);
  EXPECT_LE(result.loss_after, result.loss_before);
  EXPECT_NEAR(result.loss_after, plain_sse(space, result.partition),
              1e-9 * (1 + result.loss_before));
  EXPECT_TRUE(result.reproducible);
}

TEST(Search, KeepsEveryClassAtKAndNeverEndsWorseThanItStarts) {
  std::mt19937_64 random(11);
  for (int round = 0; round < trials(200); ++round) {
    const int k = roll(random, 1, 6);
    const Record n = roll(random, k, 60);
    std::vector<Attribute> attributes(static_cast<std::size_t>(roll(random, 1, 6)));
    if (round % 3 == 0) attributes = kMixed;
    const Space space = random_space(random, n, attributes);
    const Partition start = round_robin(in_order(n), roll(random, 1, n / k));
    SilentTicker ticker;
    for (const RefineOptions& options : {RefineOptions{}, thorough(5)}) {
      const RefineResult result = refine(space, start, k, {}, options, ticker);
      EXPECT_NEAR(result.loss_before, plain_sse(space, start), 1e-9 * (1 + result.loss_before));
      expect_valid(space, result, k);
    }
  }
}

TEST(Search, FindsTheBestPartitionOfSeparateClusters) {
  // Eight clusters of five records, far apart; the start mixes all of them.
  std::mt19937_64 random(2);
  std::vector<double> values;
  for (Record i = 0; i < 40; ++i) {
    values.push_back(100 * (i % 8) + roll(random, 0, 9) / 10.0);
    values.push_back(100 * (i % 4) + roll(random, 0, 9) / 10.0);
  }
  const Space space(values, std::vector<Attribute>(2));
  std::vector<Record> order = in_order(40);
  std::shuffle(order.begin(), order.end(), random);
  SilentTicker ticker;
  for (const ClassId classes : {1, 3, 8}) {
    const RefineResult result =
        refine(space, round_robin(order, classes), 5, {}, thorough(1), ticker);
    EXPECT_EQ(result.partition.classes, 8);
    for (Record i = 8; i < 40; ++i)
      EXPECT_EQ(result.partition.class_of[static_cast<std::size_t>(i)],
                result.partition.class_of[static_cast<std::size_t>(i % 8)]);
  }
}

TEST(Search, SameSeedSameClasses) {
  std::mt19937_64 random(3);
  const Space space = random_space(random, 300, std::vector<Attribute>(4));
  const Partition start = round_robin(in_order(300), 60);
  SilentTicker ticker;
  const RefineResult a = refine(space, start, 5, {}, thorough(7), ticker);
  const RefineResult b = refine(space, start, 5, {}, thorough(7), ticker);
  const RefineResult c = refine(space, start, 5, {}, thorough(8), ticker);
  EXPECT_EQ(a.partition.class_of, b.partition.class_of);
  EXPECT_NE(a.partition.class_of, c.partition.class_of);
  RefineOptions options;
  const RefineResult fast = refine(space, start, 5, {}, options, ticker);
  options.quench = false;
  const RefineResult descended = refine(space, start, 5, {}, options, ticker);
  EXPECT_LT(descended.loss_after, descended.loss_before);
  EXPECT_LT(fast.loss_after, descended.loss_after);
  EXPECT_LT(a.loss_after, descended.loss_after);
}

TEST(Search, AClockThatRunsOutEndsTheSearchAndIsReported) {
  std::mt19937_64 random(4);
  const Space space = random_space(random, 200, std::vector<Attribute>(3));
  const Partition start = round_robin(in_order(200), 50);
  SilentTicker ticker;
  RefineOptions options = thorough(1);
  const RefineResult whole = refine(space, start, 4, {}, options, ticker);
  int reads = 0;
  options.clock = [&] { return 0.01 * ++reads; };
  const RefineResult stopped = refine(space, start, 4, {}, options, ticker);
  EXPECT_LT(stopped.tried, whole.tried / 5);
  EXPECT_FALSE(stopped.reproducible);
  EXPECT_LT(stopped.loss_after, stopped.loss_before);
  options.clock = [] { return 0.0; };
  const RefineResult unhurried = refine(space, start, 4, {}, options, ticker);
  EXPECT_TRUE(unhurried.reproducible);
  EXPECT_EQ(unhurried.partition.class_of, whole.partition.class_of);
  options.clock = [] { return 2.0; };
  const RefineResult late = refine(space, start, 4, {}, options, ticker);
  EXPECT_EQ(late.partition.class_of, start.class_of);
  EXPECT_FALSE(late.reproducible);
}

TEST(Search, CanBeCancelled) {
  std::mt19937_64 random(4);
  const Space space = random_space(random, 500, std::vector<Attribute>(3));
  ImpatientTicker ticker;
  EXPECT_THROW(refine(space, round_robin(in_order(500), 100), 5, {}, thorough(1), ticker), Error);
}

TEST(Search, LeavesNothingToDoAlone) {
  SilentTicker ticker;
  const Space equal(std::vector<double>(24, 1.5), std::vector<Attribute>(2));
  EXPECT_EQ(refine(equal, round_robin(in_order(12), 3), 3, {}, thorough(1), ticker).loss_after, 0);
  const Space one({1, 2}, std::vector<Attribute>(2));
  EXPECT_EQ(refine(one, round_robin({0}, 1), 1, {}, thorough(1), ticker).partition.classes, 1);
}

TEST(Search, RefusesAStartThatBreaksWhatItMustKeep) {
  const Space space({1, 2, 3, 4, 5, 7}, std::vector<Attribute>(1));
  SilentTicker ticker;
  EXPECT_THROW(refine(space, round_robin(in_order(6), 3), 3, {}, {}, ticker), Error);
  ClassSize size(1, 2);
  EXPECT_THROW(refine(space, round_robin(in_order(6), 2), 3, {&size}, {}, ticker), Error);
  EXPECT_THROW(refine(space, round_robin(in_order(6), 2), 0, {}, {}, ticker), Error);
  const Space equal(std::vector<double>(6, 1.0), std::vector<Attribute>(1));
  EXPECT_THROW(refine(equal, round_robin(in_order(6), 3), 3, {}, {}, ticker), Error);
}

/// Classes {0, 0, 0}, {0, 0, 14} and {20, 21, 22}, published in tens: the first two as 0.
struct TwoOfTheSameCell {
  Space space = published_in_tens({0, 0, 0, 0, 0, 14, 20, 21, 22});
  Partition start{{0, 0, 0, 1, 1, 1, 2, 2, 2}, 3};
  SilentTicker ticker;
  Neighbours near = neighbours(space, 8, ticker);
  SseLoss loss{space};
  Search search{space, near, start, 3, loss, {}, ticker};

  static Space published_in_tens(const std::vector<double>& values) {
    Space space(values, std::vector<Attribute>(1));
    space.publish_in({PublishedSteps{10, 0, 0.1}});
    return space;
  }
};

TEST(Search, ClassesOfTheSameCellJoinSoThatARecordCanLeave) {
  constexpr double kGain = -1e-9;
  TwoOfTheSameCell joining;
  Search& search = joining.search;
  for (Record i = 0; i < 9; ++i) {
    for (ClassId c = 0; c < 3; ++c) {
      if (c == search.classes().of(i)) continue;
      EXPECT_FALSE(search.move(i, c, kGain)) << "each class needs its three records";
    }
    for (Record j = 0; j < i; ++j) {
      if (search.classes().of(j) == search.classes().of(i)) continue;
      EXPECT_FALSE(search.swap(i, j, kGain));
    }
  }
  EXPECT_TRUE(search.dissolve(1, kGain));
  EXPECT_NEAR(search.change(), 36 - 196, 1e-9) << "the distances of 14 from 20 and from 0";
  for (const Record i : {1, 2, 3, 4}) EXPECT_EQ(search.classes().of(i), search.classes().of(0));
  EXPECT_EQ(search.classes().of(5), search.classes().of(6));
}

// Classes {0, 1, 10}, {11, 12, 13} and {-2, -2, -2, -2}: 10 belongs to the second one, but its own
// would have two records.
TEST(Search, ARecordLeavesAClassOfKIfAnotherTakesItsPlace) {
  constexpr double kGain = -1e-9;
  const Space space({-2, -2, -2, -2, 0, 1, 10, 11, 12, 13}, std::vector<Attribute>(1));
  const Partition start{{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}, 3};
  SilentTicker ticker;
  const Neighbours near = neighbours(space, 9, ticker);
  SseLoss loss(space);
  Search search(space, near, start, 3, loss, {}, ticker);
  EXPECT_FALSE(search.move(6, 2, kGain));
  EXPECT_FALSE(search.swap_into(6, 2, kGain));
  EXPECT_EQ(search.relay(6, 0, kGain), kNone) << "10 is farther from -2 than from its own class";
  EXPECT_EQ(search.relay(6, 2, kGain), 0) << "one of four records takes its place";
  const Partition after{search.classes().class_of(), 3};
  EXPECT_NEAR(search.change(), plain_sse(space, after) - plain_sse(space, start), 1e-9);
  EXPECT_EQ(search.classes().of(6), 2);
  EXPECT_EQ(search.classes().size(0), 3);
  EXPECT_EQ(search.classes().size(1), 3);
  EXPECT_EQ(search.relay(4, 0, kGain), kNone) << "no class has a record to spare for its place";
}

TEST(Search, RecordsGainWhatTheirClassSavesWithoutThem) {
  std::mt19937_64 random(31);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    const bool medians = round % 2 == 0;
    const Space space =
        random_space(random, 30, medians ? kMixed : std::vector<Attribute>{kMixed[0], kMixed[2]});
    const Partition start = round_robin(in_order(30), roll(random, 1, 10));
    const Neighbours near = neighbours(space, 5, ticker);
    SseLoss loss(space);
    const Search search(space, near, start, 3, loss, {}, ticker);
    for (Record i = 0; i < 30; ++i) {
      std::vector<Record> others;
      for (const Record j : search.classes().members(search.classes().of(i)))
        if (j != i) others.push_back(j);
      const double whole = loss.cost(search.classes().members(search.classes().of(i)));
      EXPECT_NEAR(search.gain(i), whole - loss.cost(RecordSpan(others)), 1e-9);
      if (!medians) {
        EXPECT_GE(search.gain(i), -1e-9) << "a class loses no less with more records";
      }
    }
  }
}

/// Refuses some classes by their records, and counts its answers about classes.
class Choosy final : public Constraint {
 public:
  void begin(ClassId) override {}
  bool allows(const RecordSpan& members) const override {
    ++asked;
    return members.size() == 200 || std::accumulate(members.begin(), members.end(), 0) % 5 < 2;
  }
  bool allows(const Change&) const override { return true; }
  void apply(const Change&) override {}
  void assign(ClassId, const RecordSpan&) override {}

  mutable int asked = 0;
};

// An annealing tries large classes again and again. Budgets count every attempt alike, so that a
// result does not depend on what is kept of earlier ones.
TEST(Search, ASplitInVainIsEvaluatedOnceUntilTheClassChanges) {
  std::mt19937_64 random(41);
  SilentTicker ticker;
  int splits = 0;
  for (int round = 0; round < trials(100); ++round) {
    const Space space = random_space(random, 200, kMixed);
    const Partition start = round_robin(in_order(200), 1);
    const Neighbours near = neighbours(space, 5, ticker);
    SseLoss loss(space), other_loss(space);
    Choosy choosy, other;
    Search search(space, near, start, 5, loss, {&choosy}, ticker);
    choosy.asked = 0;
    std::int64_t effort = search.effort();
    bool done = false;
    for (int attempt = 0; attempt < 30 && !done; ++attempt) {
      const double limit = roll(random, -100, 20);
      Search fresh(space, near, start, 5, other_loss, {&other}, ticker);
      effort -= fresh.effort();
      done = search.split(0, limit);
      ASSERT_EQ(done, fresh.split(0, limit));
      ASSERT_EQ(search.classes().class_of(), fresh.classes().class_of());
      ASSERT_EQ(search.change(), fresh.change());
      effort += fresh.effort();
      ASSERT_NEAR(search.effort(), effort, attempt + 1) << "each division rounds";
    }
    EXPECT_LE(choosy.asked, 12) << "six cuts";
    splits += done ? 1 : 0;
    if (done) continue;
    const int asked = choosy.asked;
    search.split(0, 1e9);
    EXPECT_LE(choosy.asked - asked, 12);
  }
  EXPECT_GT(splits, 0);
}

TEST(Search, RespectsTheLargestClassSize) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 100; ++round) {
    const Space space = random_space(random, 50, std::vector<Attribute>(2));
    ClassSize size(4, 5);
    AuditedConstraint audited(size, [](const std::vector<Record>& members) {
      return members.size() >= 4 && members.size() <= 5 ? 1 : -1;
    });
    SilentTicker ticker;
    const RefineResult result =
        refine(space, round_robin(in_order(50), 11), 3, {&audited}, thorough(1), ticker);
    for (const Record s : sizes(result.partition)) EXPECT_TRUE(s == 4 || s == 5);
    expect_valid(space, result, 4);
  }
}

/// Coarse steps for some numeric attributes.
std::vector<PublishedSteps> random_steps(std::mt19937_64& random,
                                         const std::vector<Attribute>& attributes) {
  std::vector<PublishedSteps> steps;
  for (const Attribute& attribute : attributes) {
    const double step = 0.1 * roll(random, 1, 20);
    const bool any = attribute.kind != Kind::numeric || roll(random, 0, 2) == 0;
    steps.push_back(any ? PublishedSteps{} : PublishedSteps{step, 0.3 * step, 1 / step});
  }
  return steps;
}

TEST(SseLoss, DifferencesAreThoseOfTheCosts) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 60; ++round) {
    std::vector<Attribute> attributes(static_cast<std::size_t>(roll(random, 1, 9)));
    if (round % 2 == 0) attributes = kMixed;
    const Record n = roll(random, 8, 80);
    Space space = random_space(random, n, attributes);
    if (round % 3 > 0) space.publish_in(random_steps(random, attributes));
    SseLoss sse(space);
    AuditedLoss audited(sse, 1e-9);
    SilentTicker ticker;
    RefineOptions options = thorough(static_cast<std::uint64_t>(round));
    options.scale = 0.0005;
    const RefineResult result =
        refine(space, round_robin(in_order(n), n / 4), 2, audited, {}, options, ticker);
    expect_valid(space, result, 2);
  }
}

TEST(SseLoss, AClassThatItsOnlyRecordLeavesLosesNothing) {
  std::mt19937_64 random(22);
  const std::vector<Record> one = {4}, others = {0, 1, 2}, all = {0, 1, 2, 4};
  for (int round = 0; round < 200; ++round) {
    const std::vector<Attribute> attributes = round % 2 == 0 ? kMixed : std::vector<Attribute>(6);
    Space space = random_space(random, 6, attributes);
    if (round % 3 > 0) space.publish_in(random_steps(random, attributes));
    if (round % 5 == 0) space.weigh({1, 2, 3, 4, roll(random, 1, 3), 6});
    SseLoss sse(space);
    EXPECT_EQ(sse.cost({}), 0);
    sse.begin(2);
    sse.assign(0, RecordSpan(one));
    sse.assign(1, RecordSpan(others));
    const Change leaves{0, RecordSpan(one), 4}, enters{1, RecordSpan(others), kNone, 4};
    const double lost = sse.cost(RecordSpan(one));
    EXPECT_NEAR(sse.delta(leaves), -lost, 1e-9);
    EXPECT_NEAR(sse.delta(leaves, enters),
                sse.cost(RecordSpan(all)) - sse.cost(RecordSpan(others)) - lost, 1e-9);
  }
}

// Each class publishes the value that is best for it, so a union by itself gains nothing.
TEST(SseLoss, AUnionNeverCostsLessThanItsParts) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Attribute> attributes = round % 2 == 0 ? kMixed : std::vector<Attribute>(2);
    Space space = random_space(random, 12, attributes);
    if (round % 3 > 0) space.publish_in(random_steps(random, attributes));
    const SseLoss sse(space);
    const std::vector<Record> all = in_order(12);
    const Record cut = roll(random, 1, 11);
    EXPECT_GE(
        sse.cost(RecordSpan(all)) + 1e-9,
        sse.cost(RecordSpan(all.data(), cut)) + sse.cost(RecordSpan(all.data() + cut, 12 - cut)));
  }
}

TEST(SseLoss, RoundsToStepsThatMatterAgainstTheExtentOfTheData) {
  for (const std::vector<double>& values :
       {std::vector<double>{5, 10, 0}, std::vector<double>{0, 5, 10}, {10, 0, 5}}) {
    Space space(values, {Attribute{}});
    space.publish_in({PublishedSteps{1, 0, 1}});
    const auto record = [&](double x) {
      return static_cast<Record>(std::find(values.begin(), values.end(), x) - values.begin());
    };
    const std::vector<Record> half = {record(5), record(10)};  // their mean is 7.5
    EXPECT_DOUBLE_EQ(SseLoss(space, 0.1).cost(RecordSpan(half)), 13);
    EXPECT_DOUBLE_EQ(SseLoss(space, 0.15).cost(RecordSpan(half)), 12.5);
  }
}

TEST(Cooling, LogarithmIsAccurateOverTheWholeRange) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 10000; ++round) {
    const double x = std::ldexp(1 + roll(random, 0, 1 << 30) * 0x1p-30, roll(random, -1000, 1000));
    EXPECT_NEAR(logarithm(x), std::log(x), 1e-15 * std::max(1.0, std::fabs(std::log(x))));
  }
}

TEST(Cooling, FallsFromTheFirstToTheLastTemperature) {
  const Cooling cooling(3, 0.01, 1000);
  EXPECT_EQ(cooling.at(0), 3);
  EXPECT_NEAR(cooling.at(999), 0.01, 1e-12);
  EXPECT_NEAR(cooling.at(500) / cooling.at(499), cooling.at(1) / cooling.at(0), 1e-12);
}

TEST(Cooling, ThresholdsHaveTheMeanOfTheExponentialDistribution) {
  const Threshold threshold;
  double sum = 0;
  for (std::uint64_t bits = 0; bits < 4096; ++bits) sum += threshold.draw(bits);
  EXPECT_NEAR(sum / 4096, 1, 1e-3);
}

}  // namespace
}  // namespace anonkit
