// Full-domain searches against the exhaustive reference.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "fixture/adult_arx_data.hpp"
#include "fixture/lattice_check.hpp"
#include "fixture/lattice_fixture.hpp"
#include "fixture/trials.hpp"
#include "method/full_domain/datafly.hpp"
#include "method/full_domain/incognito.hpp"
#include "method/full_domain/mingen.hpp"
#include "method/full_domain/topdown.hpp"

namespace anonkit {
namespace {

using Algorithm = Recoded (*)(const FullDomainProblem&, Ticker&);

void expect_same(const FullDomainProblem& problem, const reference::Search& expected,
                 Algorithm algorithm) {
  SilentTicker ticker;
  if (expected.feasible.empty()) {
    EXPECT_THROW(algorithm(problem, ticker), Error);
    return;
  }
  const Recoded found = algorithm(problem, ticker);
  EXPECT_EQ(found.minimal, expected.minimal);
  double least = expected.feasible.front().second;
  for (const auto& node : expected.feasible) least = std::min(least, node.second);
  const double loss = loss_of(problem, found.figures);
  EXPECT_NEAR(loss, least, 1e-6 * std::max(1.0, least));
  const auto classes = classes_of(problem, found);
  const auto plain = reference::published(problem, reference::classes_at(problem, found.levels),
                                          reference::crowds_at(problem, found.levels));
  EXPECT_EQ(classes.size(), plain.size());
  EXPECT_EQ(reference::records_in(classes), reference::records_in(plain));
  EXPECT_NEAR(reference::loss(problem, found.levels, plain), loss, 1e-9 * std::max(1.0, loss));
  EXPECT_EQ(found.figures.suppressed,
            problem.records - static_cast<Record>(reference::records_in(plain)));
}

TEST(FullDomain, FindsTheMinimalNodesAndTheOptimumOfKAnonymity) {
  for (std::uint64_t seed = 0; seed < trials(400); ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem owned = RandomProblem(seed).make();
    const auto expected = reference::exhaustive(owned.problem);
    expect_same(owned.problem, expected, mingen);
    expect_same(owned.problem, expected, incognito);
  }
}

TEST(FullDomain, ANodeThatPublishesNothingHasTheWorstFigures) {
  OwnedProblem owned;
  owned.add(Hierarchy::suppression(3), {0, 1, 2});
  owned.problem.k = 2;
  SilentTicker ticker;
  const std::vector<NodeFigures> nodes = list_nodes(owned.problem, false, ticker);
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].classes, 0);
  EXPECT_EQ(nodes[0].suppressed, 3);
  EXPECT_EQ(nodes[0].dm, 9);
  EXPECT_TRUE(std::isinf(nodes[0].avg));
  EXPECT_EQ(nodes[1].classes, 1);
  EXPECT_EQ(nodes[1].dm, 9);
}

TEST(FullDomain, FindsTheMinimalNodesAndTheOptimumOfAnyModel) {
  int suppressing = 0;
  for (std::uint64_t seed = 0; seed < trials(1200); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 10000);
    OwnedProblem owned = random.make();
    random.promise(&owned.problem);
    const auto expected = reference::exhaustive(owned.problem);
    expect_same(owned.problem, expected, mingen);
    expect_same(owned.problem, expected, incognito);
    suppressing += *owned.problem.max_suppression > 0 && !expected.feasible.empty() ? 1 : 0;
  }
  EXPECT_GT(suppressing, trials(300));
}

/// Gives the records to persons, and promises them l, p and dominance, or some of these.
void promise_to_persons(std::uint64_t seed, FullDomainProblem* problem) {
  Random drawn(seed);
  problem->promises = {};
  problem->promises.l = static_cast<std::int32_t>(drawn.below(4));
  problem->promises.p = static_cast<std::int32_t>(drawn.below(4));
  const auto persons = static_cast<std::uint32_t>(problem->records) / (1 + drawn.below(4)) + 2;
  for (Record i = 0; i < problem->records; ++i)
    problem->units.push_back(static_cast<std::int32_t>(drawn.below(persons)));
  if (drawn.below(2) == 0) problem->promises.dominance = (1 + drawn.below(9)) / 10.0;
}

TEST(FullDomain, FindsTheMinimalNodesAndTheOptimumForPersons) {
  int feasible = 0;
  for (std::uint64_t seed = 0; seed < trials(1000); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 40000);
    OwnedProblem owned = random.make();
    random.promise(&owned.problem);
    FullDomainProblem& problem = owned.problem;
    promise_to_persons(seed, &problem);
    const auto expected = reference::exhaustive(problem);
    expect_same(problem, expected, mingen);
    expect_same(problem, expected, incognito);
    feasible += expected.feasible.empty() ? 0 : 1;
  }
  EXPECT_GT(feasible, trials(200));
}

TEST(FullDomain, FindsTheMinimalNodesAndTheOptimumWithinARisk) {
  int feasible = 0, bound = 0;
  for (std::uint64_t seed = 0; seed < trials(1000); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 60000);
    OwnedProblem owned = random.make();
    FullDomainProblem& problem = owned.problem;
    if (seed % 3 != 2) random.promise(&problem);
    if (seed % 3 == 1) promise_to_persons(seed, &problem);
    const std::size_t before = reference::exhaustive(problem).feasible.size();
    Random drawn(seed);
    if (drawn.below(2) == 0) problem.promises.risk_mean = (3 + drawn.below(40)) / 100.0;
    problem.promises.risk_above = (1 + drawn.below(50)) / 100.0;
    problem.promises.risk_threshold = (5 + drawn.below(30)) / 100.0;
    const auto expected = reference::exhaustive(problem);
    expect_same(problem, expected, mingen);
    expect_same(problem, expected, incognito);
    feasible += expected.feasible.empty() ? 0 : 1;
    bound += expected.feasible.size() < before ? 1 : 0;
  }
  EXPECT_GT(feasible, trials(200));
  EXPECT_GT(bound, trials(200));
}

/// Adds a population that has the table's records and some more, and promises against it.
void promise_against_population(std::uint64_t seed, OwnedProblem* owned,
                                std::vector<std::vector<std::int32_t>>* population) {
  FullDomainProblem& problem = owned->problem;
  Random drawn(seed);
  const auto more =
      static_cast<Record>(drawn.below(3U * static_cast<std::uint32_t>(problem.records)));
  *population = owned->leaves;
  for (std::size_t j = 0; j < population->size(); ++j) {
    const auto values = static_cast<std::uint32_t>(problem.hierarchies[j]->values());
    for (Record i = 0; i < more; ++i)
      (*population)[j].push_back(
          drawn.below(3) > 0
              ? owned->leaves[j][drawn.below(static_cast<std::uint32_t>(problem.records))]
              : static_cast<std::int32_t>(drawn.below(values)));
    problem.population_leaves.push_back((*population)[j].data());
  }
  problem.population = problem.records + more;
  Promises& promises = problem.promises;
  if (drawn.below(2) == 0) promises.k_map = 1 + static_cast<std::int32_t>(drawn.below(12));
  if (promises.k_map > 0 && drawn.below(3) == 0) return;
  promises.presence_largest = (5 + drawn.below(6)) / 10.0;
  if (drawn.below(2) == 0) promises.presence_least = (1 + drawn.below(4)) / 10.0;
}

TEST(FullDomain, FindsTheMinimalNodesAndTheOptimumAgainstAPopulation) {
  int feasible = 0, bound = 0;
  for (std::uint64_t seed = 0; seed < trials(3000); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 80000);
    OwnedProblem owned = random.make();
    FullDomainProblem& problem = owned.problem;
    if (seed % 3 == 1) random.promise(&problem);
    const std::size_t before = reference::exhaustive(problem).feasible.size();
    std::vector<std::vector<std::int32_t>> population;
    promise_against_population(seed, &owned, &population);
    const auto expected = reference::exhaustive(problem);
    expect_same(problem, expected, mingen);
    expect_same(problem, expected, incognito);
    feasible += expected.feasible.empty() ? 0 : 1;
    bound += !expected.feasible.empty() && expected.feasible.size() < before ? 1 : 0;
  }
  EXPECT_GT(feasible, trials(1000));
  EXPECT_GT(bound, trials(500));
}

/// The published classes with the records of the population in each: every cell says its level.
void expect_presence(const FullDomainProblem& problem, const Recoded& found) {
  std::size_t in_classes = 0;
  for (const auto& [cells, records] : classes_of(problem, found)) {
    int crowd = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(problem.population); ++i) {
      bool matches = true;
      for (std::size_t j = 0; j < problem.hierarchies.size(); ++j)
        matches = matches && problem.hierarchies[j]->group(
                                 cells[2 * j + 1], problem.population_leaves[j][i]) == cells[2 * j];
      crowd += matches ? 1 : 0;
    }
    EXPECT_TRUE(reference::may_be_present(problem.promises, records.size(), crowd));
    in_classes += static_cast<std::size_t>(crowd);
  }
  if (!reference::may_be_absent(problem.promises)) {
    EXPECT_EQ(in_classes, static_cast<std::size_t>(problem.population));
  }
}

TEST(FullDomain, EverySearchKeepsPresenceInItsCells) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < trials(3000); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 90000);
    OwnedProblem owned = random.make();
    std::vector<std::vector<std::int32_t>> population;
    promise_against_population(seed, &owned, &population);
    for (const Algorithm algorithm : {incognito, mingen, datafly, topdown}) {
      SilentTicker ticker;
      try {
        expect_presence(owned.problem, algorithm(owned.problem, ticker));
        ++found;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::infeasible);
      }
    }
  }
  EXPECT_GT(found, trials(4000));
}

TEST(FullDomain, RefusesAPopulationThatLacksRecordsOrPromisesThatNoClassKeeps) {
  OwnedProblem owned = race_and_zip();
  FullDomainProblem& problem = owned.problem;
  problem.max_suppression = 0;
  std::vector<std::vector<std::int32_t>> population = owned.leaves;
  const auto ask = [&](const Promises& promises) {
    problem.population_leaves = {population[0].data(), population[1].data()};
    problem.population = static_cast<Record>(population[0].size());
    problem.promises = promises;
    SilentTicker ticker;
    try {
      incognito(problem, ticker);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Promises k_map, presence;
  k_map.k_map = 2;
  presence.presence_largest = 0.9;
  EXPECT_EQ(ask(k_map), "");
  EXPECT_EQ(ask(presence), "delta-presence cannot be had");
  k_map.k_map = 9;
  EXPECT_EQ(ask(k_map), "k_map is larger than the population");
  population[1].back() = 0;
  EXPECT_EQ(ask(k_map), "the population lacks records of the relation");
}

TEST(FullDomain, BothSearchesPublishTheSame) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 20000);
    OwnedProblem owned = random.make();
    if (seed % 2 == 0) random.promise(&owned.problem);
    owned.problem.local_suppression = seed % 3 == 0;
    SilentTicker ticker;
    try {
      const Recoded all = mingen(owned.problem, ticker);
      const Recoded some = incognito(owned.problem, ticker);
      EXPECT_EQ(all.levels, some.levels);
      EXPECT_EQ(all.partition.class_of, some.partition.class_of);
      EXPECT_EQ(all.masked.low, some.masked.low);
      EXPECT_EQ(all.minimal, some.minimal);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::infeasible);
    }
  }
}

/// True if local suppression costs less than that of records. It never costs more, and the classes
/// keep their promises.
bool local_suppression_is_better(FullDomainProblem& problem) {
  SilentTicker ticker;
  try {
    const double whole = loss_of(problem, incognito(problem, ticker).figures);
    problem.local_suppression = true;
    const Recoded local = incognito(problem, ticker);
    const double loss = loss_of(problem, local.figures);
    EXPECT_LE(loss, whole + 1e-6 * whole);
    const auto classes = classes_of(problem, local);
    EXPECT_EQ(reference::published(problem, classes), classes);
    return loss < whole - 1e-6;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::infeasible);
    return false;
  }
}

TEST(FullDomain, LocalSuppressionKeepsThePromisesAndCostsNoMore) {
  int better = 0, better_for_persons = 0;
  for (std::uint64_t seed = 0; seed < trials(400); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 30000);
    OwnedProblem owned = random.make();
    if (seed % 2 == 0) random.promise(&owned.problem);
    better += local_suppression_is_better(owned.problem) ? 1 : 0;
    RandomProblem again(seed + 50000);
    OwnedProblem of_persons = again.make();
    again.promise(&of_persons.problem);
    promise_to_persons(seed, &of_persons.problem);
    better_for_persons += local_suppression_is_better(of_persons.problem) ? 1 : 0;
  }
  EXPECT_GT(better, trials(20));
  EXPECT_GT(better_for_persons, trials(10));
}

TEST(FullDomain, ListsEveryNodeOrTheMinimalOnes) {
  const OwnedProblem owned = race_and_zip();
  SilentTicker ticker;
  const auto nodes = list_nodes(owned.problem, false, ticker);
  ASSERT_EQ(nodes.size(), 6U);
  const double prec[] = {0, 0.75, 0.5, 0.5, 0.25, 0};  // [race, zip]
  const Record smallest[] = {1, 2, 4, 2, 4, 8};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(nodes[i].levels,
              (Levels{static_cast<std::int32_t>(i / 3), static_cast<std::int32_t>(i % 3)}));
    EXPECT_EQ(nodes[i].feasible, i > 0);
    EXPECT_EQ(nodes[i].smallest, smallest[i]);
    // At the first node all records are suppressed.
    EXPECT_DOUBLE_EQ(nodes[i].prec, prec[i]);
  }
  const auto minimal = list_nodes(owned.problem, true, ticker);
  ASSERT_EQ(minimal.size(), 2U);
  EXPECT_EQ(minimal[0].levels, (Levels{0, 1}));
  EXPECT_EQ(minimal[1].levels, (Levels{1, 0}));
}

TEST(FullDomain, RefusesWhatMakesNoSense) {
  SilentTicker ticker;
  const auto refuses = [&](auto change) {
    OwnedProblem owned = race_and_zip();
    change(owned.problem);
    try {
      incognito(owned.problem, ticker);
      return false;
    } catch (const Error& error) {
      return error.kind == ErrorKind::invalid_parameter;
    }
  };
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.k = 0; }));
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.k = 9; }));
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.max_suppression = 1.5; }));
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.max_suppression = -0.1; }));
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.promises.l = 2; }));
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.promises.q = 0.5; }));
  EXPECT_TRUE(refuses([](FullDomainProblem& problem) { problem.identifying.resize(1); }));
}

TEST(FullDomain, ALatticeMayHaveAsManyNodesAsItsMost) {
  const Hierarchy two_levels = Hierarchy::suppression(2);
  const std::vector<const Hierarchy*> hierarchies = {&two_levels, &two_levels};
  EXPECT_EQ(Lattice(hierarchies, {0, 1}, 4, "").levels(3), Levels({1, 1}));
  EXPECT_THROW(Lattice(hierarchies, {0, 1}, 3, ""), Error);
}

TEST(FullDomain, SaysHowLargeALatticeIsThatIsTooLarge) {
  OwnedProblem owned;
  for (int j = 0; j < 18; ++j)
    owned.add(Hierarchy::suppression(2), std::vector<std::int32_t>(10, j % 2));
  owned.problem.k = 2;
  SilentTicker ticker;
  try {
    mingen(owned.problem, ticker);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_parameter);
    EXPECT_NE(error.detail.find("262144"), std::string::npos);
    EXPECT_NE(error.hint.find("incognito"), std::string::npos);
  }
  EXPECT_EQ(incognito(owned.problem, ticker).levels, Levels(18, 0));
}

TEST(FullDomain, NeedsQuasiIdentifiersAndThePopulationOfItsPromises) {
  SilentTicker ticker;
  OwnedProblem none;
  none.problem.k = none.problem.records = 2;
  EXPECT_THROW(incognito(none.problem, ticker), Error);
  OwnedProblem without_population = race_and_zip();
  without_population.problem.promises.k_map = 2;
  EXPECT_THROW(incognito(without_population.problem, ticker), Error);
}

// A column of one value and a suppressed cell takes one bit of 128.
TEST(FullDomain, AKeyHoldsAHundredAndTwentyEightConstantColumns) {
  OwnedProblem owned;
  owned.problem.k = 2;
  for (int j = 0; j < 128; ++j)
    owned.add(Hierarchy::suppression(1), std::vector<std::int32_t>(4, 0));
  SilentTicker ticker;
  EXPECT_EQ(datafly(owned.problem, ticker).levels, Levels(128, 0));
}

// A column of two values and a suppressed cell takes two bits of 128.
TEST(FullDomain, AKeyHoldsSixtyFourColumnsOfTwoValues) {
  OwnedProblem owned;
  owned.problem.k = 2;
  const auto add_columns = [&](std::size_t columns) {
    while (owned.leaves.size() < columns)
      owned.add(Hierarchy::suppression(2), std::vector<std::int32_t>(4, 0));
  };
  SilentTicker ticker;
  add_columns(64);
  EXPECT_EQ(datafly(owned.problem, ticker).levels, Levels(64, 0));
  add_columns(65);
  try {
    datafly(owned.problem, ticker);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.detail, "Together they need 130 bits, of 128.");
  }
}

TEST(FullDomain, AdultHasTheOptimumOfTheExhaustiveSearch) {
  const AdultData data = read_adult();
  if (data.missing()) GTEST_SKIP() << not_present("adult_arx.csv");
  SilentTicker ticker;
  const auto same = [&](const FullDomainProblem& problem, Record classes, Record suppressed) {
    const Recoded all = mingen(problem, ticker), some = incognito(problem, ticker);
    EXPECT_EQ(all.levels, some.levels);
    EXPECT_EQ(all.minimal, some.minimal);
    EXPECT_EQ(all.partition.class_of, some.partition.class_of);
    EXPECT_EQ(some.figures.classes, classes);
    EXPECT_EQ(some.figures.suppressed, suppressed);
  };
  // ARX's published result at 2 % of suppression, which is the optimum of NCP.
  same(data.problem(5, 0.02), 222, 506);
  FullDomainProblem diverse = data.sensitive(5, 0.02);
  diverse.promises.l = 3;
  same(diverse, 219, 522);
  FullDomainProblem close = data.sensitive(5, 0.02, GroundDistance::nominal, 0.2);
  close.promises.t = 0.2;
  same(close, 6, 235);
  close = data.sensitive(5, 0.02, GroundDistance::hierarchical, 0.2);
  close.promises.t = 0.2;
  same(close, 9, 151);
  for (int metric = 0; metric < 5; ++metric) {
    FullDomainProblem problem = data.problem(5, 0.02);
    problem.metric = static_cast<RecodingMetric>(metric);
    EXPECT_EQ(mingen(problem, ticker).levels, incognito(problem, ticker).levels);
  }
}

}  // namespace
}  // namespace anonkit
