#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/random_generalisation.hpp"
#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"
#include "promise/distinct_values.hpp"
#include "search/annealing.hpp"
#include "search/descent.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/near_classes.hpp"
#include "search/neighbours.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

Partition state_of(const Search& search) {
  Partition state{search.classes().class_of(), search.classes().ids()};
  number_by_first_record(state);
  return state;
}

std::vector<std::int32_t> random_values(std::mt19937_64& random, Record n) {
  std::vector<std::int32_t> values;
  for (Record i = 0; i < n; ++i) values.push_back(roll(random, 0, 3));
  return values;
}

void recreate_often(std::mt19937_64& random, const Space& space, Record k, Loss& loss,
                    const std::vector<Constraint*>& constraints, int* accepted) {
  SilentTicker ticker;
  const Record n = space.size();
  const Partition start = round_robin(in_order(n), std::max(1, n / (k + 4)));
  const Neighbours near = neighbours(space, std::min(5, n - 1), ticker);
  Search search(space, near, start, k, loss, constraints, ticker);
  NearClasses near_classes(search);
  Random own(random());
  for (int attempt = 0; attempt < 30; ++attempt) {
    const ClassId first = search.classes().of(roll(random, 0, n - 1));
    const std::vector<ClassId> ids = near_classes.around(first, own);
    const std::vector<ClassId> classes_before = search.classes().class_of();
    const Partition before = state_of(search);
    const double change = search.change(), lost = total_loss(loss, before, ticker);
    const double limit = attempt % 3 == 0 ? lost : -1e-9;
    const bool done = search.recreate(ids, own, limit);
    const Partition after = state_of(search);
    EXPECT_NEAR(search.change() - change, total_loss(loss, after, ticker) - lost,
                1e-9 * (1 + lost));
    std::set<ClassId> formed, kept;
    for (Record i = 0; i < n; ++i) {
      const ClassId was = classes_before[static_cast<std::size_t>(i)];
      const bool chosen = std::find(ids.begin(), ids.end(), was) != ids.end();
      (chosen ? formed : kept).insert(search.classes().of(i));
      if (!chosen) {
        EXPECT_EQ(search.classes().of(i), was);
      }
    }
    for (const ClassId c : formed) EXPECT_EQ(kept.count(c), 0U);
    if (done) {
      EXPECT_LT(search.change() - change, limit);
      ++*accepted;
    } else {
      EXPECT_EQ(after.class_of, before.class_of);
    }
    for (const RecordSpan members : members_of(after)) {
      Record weight = 0;
      for (const Record i : members) weight += space.weight(i);
      EXPECT_GE(weight, k);
      for (const Constraint* constraint : constraints) EXPECT_TRUE(constraint->allows(members));
    }
  }
}

TEST(Recreate, ClassesKeepKAndThePromisesAndOthersStayAsTheyAre) {
  std::mt19937_64 random(61);
  int accepted = 0;
  for (int round = 0; round < trials(100); ++round) {
    const Record n = roll(random, 12, 60), k = roll(random, 1, 4);
    Space space = random_space(random, n, std::vector<Attribute>(2));
    if (round % 3 == 0) {
      std::vector<Record> weights;
      for (Record i = 0; i < n; ++i) weights.push_back(roll(random, 1, 3));
      space.weigh(weights);
    }
    SseLoss sse(space);
    AuditedLoss audited(sse, 1e-9);
    const std::vector<std::int32_t> values = random_values(random, n);
    DistinctValues diverse({values}, 2);
    AuditedConstraint kept(diverse, [&](const std::vector<Record>& members) {
      std::set<std::int32_t> seen;
      for (const Record i : members) seen.insert(values[static_cast<std::size_t>(i)]);
      return seen.size() >= 2 ? 1 : -1;
    });
    std::vector<Constraint*> constraints;
    const Partition start = round_robin(in_order(n), std::max(1, n / (k + 4)));
    bool starts = round % 2 == 0;
    for (const RecordSpan members : members_of(start)) starts = starts && diverse.allows(members);
    if (starts) constraints.push_back(&kept);
    recreate_often(random, space, k, audited, constraints, &accepted);
  }
  EXPECT_GT(accepted, trials(100));
}

TEST(Recreate, RangesAncestorsAndSets) {
  std::mt19937_64 random(62);
  int accepted = 0;
  for (int round = 0; round < trials(100); ++round) {
    const Record n = roll(random, 12, 60);
    const std::vector<Hierarchy> hierarchies = {random_hierarchy(random), random_hierarchy(random)};
    const GeneralisationSpace cells = random_generalisation(random, n, 3, hierarchies);
    SilentTicker ticker;
    NcpLoss ncp(cells);
    AuditedLoss audited(ncp, 1e-9);
    recreate_often(random, euclidean(cells, ticker), roll(random, 1, 4), audited, {}, &accepted);
  }
  EXPECT_GT(accepted, trials(100));
}

// Two classes {0, 0, 1, 1} of ranges: no swap narrows a range, and no record may leave.
TEST(Recreate, SeveralRecordsChangePlacesAtOnce) {
  const GeneralisationSpace cells({0, 0, 1, 1, 0, 0, 1, 1}, std::vector<Domain>(1));
  SilentTicker ticker;
  const Space space = euclidean(cells, ticker);
  const Neighbours near = neighbours(space, 7, ticker);
  NcpLoss loss(cells);
  const Partition start{{0, 0, 0, 0, 1, 1, 1, 1}, 2};
  Search search(space, near, start, 4, loss, {}, ticker);
  EXPECT_TRUE(descend(search, DescentOrder::records_first, 1e-9, 1000, {}, ticker));
  EXPECT_EQ(search.change(), 0);
  Random random(1);
  EXPECT_TRUE(search.recreate({0, 1}, random, -1e-9));
  EXPECT_EQ(search.change(), -8);
  EXPECT_EQ(state_of(search).class_of, (std::vector<ClassId>{0, 0, 1, 1, 0, 0, 1, 1}));
}

// One set of classes of a large k takes the effort of many temperatures: some 20,000 changes, where
// each has 750.
TEST(Recreate, KeepsToTheEffortOfASearch) {
  std::mt19937_64 random(64);
  const Record n = 6000, k = 90;
  std::vector<double> centres, values;
  for (Record c = 0; c < 4 * (n / k); ++c) centres.push_back(roll(random, 0, 3));
  for (Record i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j) {
      const auto centre = static_cast<std::size_t>(4 * (i % (n / k)) + j);
      values.push_back(centres[centre] + roll(random, 0, 1023) / 1024.0);
    }
  const GeneralisationSpace cells(values, std::vector<Domain>(4));
  SilentTicker ticker;
  NcpLoss loss(cells);
  const Space space = euclidean(cells, ticker);
  const Neighbours near = neighbours(space, 8, ticker);
  Search search(space, near, round_robin(in_order(n), n / k), k, loss, {}, ticker);
  const double mean = total_loss(loss, state_of(search), ticker) / n;
  anneal(search, {mean * 0.02, mean * 1e-4, 750'000, 1, {}, false, Draws::classes}, ticker);
  EXPECT_GT(search.effort(), 750'000 / 2);
  EXPECT_LT(search.effort(), 2 * 750'000);
}

TEST(Recreate, EndsThoughNoClassIsSmallEnough) {
  std::mt19937_64 random(66);
  const Record n = 200;
  const Space space = random_space(random, n, std::vector<Attribute>(2));
  SilentTicker ticker;
  const Neighbours near = neighbours(space, 4, ticker);
  SseLoss loss(space);
  const Partition start = round_robin(in_order(n), 2);
  Search search(space, near, start, 3, loss, {}, ticker);
  ImpatientTicker impatient(100);
  const AnnealResult found =
      anneal(search, {1, 0.1, 10'000, 1, {}, false, Draws::classes}, impatient);
  EXPECT_EQ(found.best, start.class_of);
}

TEST(NearClasses, AreFormedAnewWhereTheyAreSmallAndTheEffortSuffices) {
  std::mt19937_64 random(65);
  SilentTicker ticker;
  const auto expect = [&](Record n, Record k, double least, ClassId small, bool large) {
    const Space space = random_space(random, n, std::vector<Attribute>(2));
    const Neighbours near = neighbours(space, 4, ticker);
    SseLoss loss(space);
    const Search search(space, near, round_robin(in_order(n), 1), k, loss, {}, ticker);
    const NearClasses near_classes(search);
    EXPECT_TRUE(near_classes.fit_in(least));
    EXPECT_FALSE(near_classes.fit_in(least - 1));
    EXPECT_TRUE(near_classes.are_small(small));
    EXPECT_FALSE(near_classes.are_small(small - 1));
    EXPECT_EQ(near_classes.is_too_large(0), large);
  };
  expect(60, 5, 18000, 4, true);
  expect(59, 5, 17405, 4, false);
  expect(150, 50, 112500, 2, true);
  expect(149, 50, 111005, 2, false);
  expect(40, 30, 8000, 1, false);
}

TEST(NearClasses, AreFewAndDifferentAndReachedByNeighbours) {
  std::mt19937_64 random(63);
  SilentTicker ticker;
  std::set<std::size_t> sizes;
  for (int round = 0; round < 50; ++round) {
    const Record n = roll(random, 40, 200), k = roll(random, 1, 30);
    const Space space = random_space(random, n, std::vector<Attribute>(2));
    const Neighbours near = neighbours(space, 4, ticker);
    SseLoss loss(space);
    const Search search(space, near, round_robin(in_order(n), n / k), k, loss, {}, ticker);
    NearClasses near_classes(search);
    Random own(random());
    for (int attempt = 0; attempt < 50; ++attempt) {
      const ClassId first = search.classes().of(roll(random, 0, n - 1));
      const std::vector<ClassId>& ids = near_classes.around(first, own);
      sizes.insert(ids.size());
      EXPECT_EQ(ids.front(), first);
      EXPECT_EQ(std::set<ClassId>(ids.begin(), ids.end()).size(), ids.size());
      Record records = 0;
      for (const ClassId c : ids) records += search.classes().size(c);
      if (ids.size() > 1) {
        EXPECT_LE(records, std::max(60, 3 * k));
      }
      for (std::size_t at = 1; at < ids.size(); ++at) {
        bool reached = false;
        for (std::size_t from = 0; from < at; ++from)
          for (const Record i : search.classes().members(ids[from]))
            for (int m = 0; m < near.each; ++m)
              reached = reached || search.classes().of(near.of(i)[m]) == ids[at];
        EXPECT_TRUE(reached);
      }
    }
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace anonkit
