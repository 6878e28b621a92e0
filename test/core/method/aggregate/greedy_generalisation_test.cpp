// Datafly, mu-Argus and top-down specialisation.

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "fixture/lattice_check.hpp"
#include "fixture/lattice_fixture.hpp"
#include "fixture/trials.hpp"
#include "method/full_domain/argus.hpp"
#include "method/full_domain/datafly.hpp"
#include "method/full_domain/mingen.hpp"
#include "method/full_domain/topdown.hpp"

namespace anonkit {
namespace {

TEST(SlidesExample, MinGenChoosesTheBetterOfTheTwoMinimalGeneralisations) {
  const OwnedProblem owned = race_and_zip();
  SilentTicker ticker;
  const Recoded recoded = mingen(owned.problem, ticker);
  EXPECT_EQ(recoded.minimal, (std::vector<Levels>{{0, 1}, {1, 0}}));
  EXPECT_EQ(recoded.levels, (Levels{0, 1}));
  EXPECT_DOUBLE_EQ(recoded.figures.prec, 0.75);
  EXPECT_EQ(recoded.partition.class_of, (std::vector<ClassId>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(recoded.masked.low, (std::vector<double>{0, 0, 0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(recoded.masked.levels, (std::vector<std::int32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(SlidesExample, DataflyGeneralisesTheZipCodeOfWhichThereAreMore) {
  const OwnedProblem owned = race_and_zip();
  SilentTicker ticker;
  const Recoded recoded = datafly(owned.problem, ticker);
  EXPECT_EQ(recoded.levels, (Levels{0, 1}));
  EXPECT_EQ(recoded.figures.suppressed, 0);
  EXPECT_EQ(recoded.figures.smallest, 2);
}

// Every race occurs 4 times and every ZIP code twice, so that no column is generalised. All 8 pairs
// are outliers; Black is in 4 of them, and so is White.
TEST(SlidesExample, ArgusSuppressesTheRaces) {
  const OwnedProblem owned = race_and_zip();
  SilentTicker ticker;
  const Recoded recoded = argus(owned.problem, ticker);
  EXPECT_EQ(recoded.levels, (Levels{0, 0}));
  EXPECT_EQ(recoded.figures.cells, 8);
  EXPECT_EQ(recoded.figures.smallest, 2);
  EXPECT_DOUBLE_EQ(recoded.figures.prec, 0.5);
  EXPECT_EQ(recoded.partition.class_of, (std::vector<ClassId>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(SlidesExample, ArgusGeneralisesWhereTheDataHolderAllowsNoOutliers) {
  OwnedProblem owned = race_and_zip();
  owned.problem.max_suppression = 0;
  SilentTicker ticker;
  const Recoded recoded = argus(owned.problem, ticker);
  EXPECT_EQ(recoded.levels, (Levels{1, 0}));  // both attributes are in all 8 outliers
  EXPECT_EQ(recoded.figures.smallest, 2);
}

TEST(SlidesExample, ArgusDoesNotTestAttributesOfOneRoleTogether) {
  OwnedProblem owned = race_and_zip();
  owned.problem.identifying = {Identifying::most, Identifying::most};
  SilentTicker ticker;
  EXPECT_EQ(argus(owned.problem, ticker).figures.smallest, 1);
  owned.problem.complete = true;
  const Recoded completed = argus(owned.problem, ticker);
  EXPECT_EQ(completed.figures.smallest, 2);
  EXPECT_EQ(completed.figures.suppressed, 0);
}

TEST(SlidesExample, TopDownSpecialisesWhereItLearnsTheMost) {
  const OwnedProblem owned = race_and_zip();
  SilentTicker ticker;
  // Race and the ZIP code's first split gain as much, and the first is taken; then ZIP can be
  // specialised once.
  const Recoded recoded = topdown(owned.problem, ticker);
  EXPECT_EQ(recoded.figures.classes, 4);
  EXPECT_EQ(recoded.figures.smallest, 2);
  EXPECT_DOUBLE_EQ(recoded.figures.prec, 0.75);
  // Labels that depend on the last digit of the ZIP code: only the full code predicts them.
  const std::int32_t labels[] = {0, 1, 0, 1, 0, 1, 0, 1};
  OwnedProblem labelled = race_and_zip();
  labelled.problem.labels = labels;
  EXPECT_EQ(topdown(labelled.problem, ticker).figures.classes, 1);  // the first split gains nothing
}

TEST(Argus, IsNotKAnonymousWhereOnlyFourAttributesTogetherTellARecord) {
  // All 16 combinations of four bits but one, twice; that one once. So any three bits are frequent.
  OwnedProblem owned;
  std::vector<std::vector<std::int32_t>> bits(4);
  for (int combination = 0; combination < 16; ++combination)
    for (int copy = 0; copy < (combination == 5 ? 1 : 2); ++copy)
      for (int j = 0; j < 4; ++j) bits[static_cast<std::size_t>(j)].push_back(combination >> j & 1);
  for (const auto& column : bits) owned.add(Hierarchy::suppression(2), column);
  owned.problem.k = 2;
  SilentTicker ticker;
  EXPECT_EQ(argus(owned.problem, ticker).figures.smallest, 1);
  owned.problem.complete = true;
  const Recoded completed = argus(owned.problem, ticker);
  EXPECT_GE(completed.figures.smallest, 2);
  EXPECT_LE(completed.figures.suppressed, 1);
}

/// Fails if mu-Argus left an outlier: a rare combination of two or three tested attributes, apart
/// from suppressed cells.
void expect_no_outliers(const FullDomainProblem& problem, const Recoded& recoded) {
  const std::size_t d = problem.hierarchies.size();
  const auto test = [&](const std::vector<std::size_t>& attributes) {
    // By the cells before suppression: no record may keep all cells of a rare combination.
    std::map<std::vector<std::int32_t>, std::pair<int, bool>> seen;
    for (std::size_t i = 0; i < static_cast<std::size_t>(problem.records); ++i) {
      std::vector<std::int32_t> cells;
      bool whole = true;
      for (const std::size_t j : attributes) {
        const std::int32_t level = recoded.levels[j];
        cells.push_back(problem.hierarchies[j]->group(level, problem.leaves[j][i]));
        const auto c = static_cast<std::size_t>(recoded.partition.class_of[i]);
        whole = whole && recoded.masked.levels[c * d + j] == level;
      }
      auto& [count, published] = seen[cells];
      ++count;
      published = published || whole;
    }
    for (const auto& [cells, found] : seen) EXPECT_TRUE(!found.second || found.first >= problem.k);
  };
  const auto below_top = [&](std::size_t j) {
    return recoded.levels[j] < problem.hierarchies[j]->height();
  };
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = a + 1; b < d; ++b) {
      if (!below_top(a) || !below_top(b)) continue;
      test({a, b});
      for (std::size_t c = b + 1; c < d; ++c)
        if (below_top(c)) test({a, b, c});
    }
}

TEST(Argus, LeavesNoRareCombinationWhole) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    OwnedProblem owned = RandomProblem(seed + 40000).make();
    owned.problem.max_suppression.reset();
    SilentTicker ticker;
    const Recoded recoded = argus(owned.problem, ticker);
    EXPECT_EQ(recoded.figures.suppressed, 0);
    expect_no_outliers(owned.problem, recoded);
    Record least = owned.problem.records;
    for (const auto& c : classes_of(owned.problem, recoded))
      least = std::min(least, static_cast<Record>(c.second.size()));
    EXPECT_EQ(recoded.figures.smallest, least);
  }
}

/// Fails unless the release keeps every promise within the limit of suppression.
void expect_kept(const FullDomainProblem& problem, const Recoded& recoded, double share) {
  const auto classes = classes_of(problem, recoded);
  EXPECT_EQ(reference::published(problem, classes), classes);
  EXPECT_EQ(recoded.figures.suppressed,
            problem.records - static_cast<Record>(reference::records_in(classes)));
  EXPECT_LE(recoded.figures.suppressed, share * problem.records + 1e-9);
}

TEST(GreedySearches, KeepThePromises) {
  int published = 0;
  for (std::uint64_t seed = 0; seed < trials(600); ++seed) {
    SCOPED_TRACE(seed);
    RandomProblem random(seed + 50000);
    OwnedProblem owned = random.make();
    if (seed % 2 == 0) random.promise(&owned.problem);
    const double share = *owned.problem.max_suppression;
    SilentTicker ticker;
    const bool any = !reference::exhaustive(owned.problem).feasible.empty();
    const auto run = [&](auto algorithm, double most) {
      try {
        expect_kept(owned.problem, algorithm(owned.problem, ticker), most);
        ++published;
        return true;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::infeasible);
        return false;
      }
    };
    const bool top = reference::keeps(
        owned.problem, reference::classes_at(owned.problem,
                                             [&] {
                                               Levels levels;
                                               for (const Hierarchy* h : owned.problem.hierarchies)
                                                 levels.push_back(h->height());
                                               return levels;
                                             }())
                           .begin()
                           ->second);
    EXPECT_EQ(run(topdown, share), top);
    EXPECT_TRUE(run(datafly, share) || !top);
    EXPECT_TRUE(any || !top);
    owned.problem.complete = true;
    owned.problem.identifying.clear();
    run(argus, 1);
    owned.problem.max_suppression.reset();
    run(datafly, static_cast<double>(owned.problem.k) / owned.problem.records);
  }
  EXPECT_GT(published, trials(1000));
}

TEST(TopDown, CannotBeSpecialisedFurther) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    OwnedProblem owned = RandomProblem(seed + 60000).make();
    owned.problem.max_suppression = 0;
    SilentTicker ticker;
    const Recoded recoded = topdown(owned.problem, ticker);
    const std::size_t d = owned.problem.hierarchies.size();
    // The cut: the level of every leaf that occurs.
    for (std::size_t j = 0; j < d; ++j) {
      std::set<std::pair<std::int32_t, double>> cut;
      for (std::size_t c = 0; c < static_cast<std::size_t>(recoded.partition.classes); ++c)
        cut.emplace(recoded.masked.levels[c * d + j], recoded.masked.low[c * d + j]);
      for (const auto& [level, group] : cut) {
        if (level == 0) continue;
        // Splitting this value in all records would leave a class below k.
        std::map<std::pair<ClassId, std::int32_t>, int> split;
        for (std::size_t i = 0; i < recoded.partition.class_of.size(); ++i) {
          const ClassId c = recoded.partition.class_of[i];
          const std::size_t cell = static_cast<std::size_t>(c) * d + j;
          if (recoded.masked.levels[cell] != level || recoded.masked.low[cell] != group) continue;
          ++split[{c, owned.problem.hierarchies[j]->group(level - 1, owned.problem.leaves[j][i])}];
        }
        bool breaks = false;
        for (const auto& part : split) breaks = breaks || part.second < owned.problem.k;
        EXPECT_TRUE(breaks);
      }
    }
  }
}

}  // namespace
}  // namespace anonkit
