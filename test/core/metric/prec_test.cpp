#include "metric/prec.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/lattice_fixture.hpp"
#include "method/full_domain/incognito.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

/// A problem as a table for the pipeline; leaves are codes.
struct AsTable {
  std::vector<double> values;
  Table table;

  explicit AsTable(const OwnedProblem& owned) {
    const FullDomainProblem& problem = owned.problem;
    table.rows = problem.records;
    for (std::size_t j = 0; j < problem.hierarchies.size(); ++j) {
      Column column;
      column.name = "c" + std::to_string(j);
      column.attribute = {Kind::nominal, 1, problem.hierarchies[j]->values()};
      column.hierarchy = problem.hierarchies[j];
      column.leaves = problem.leaves[j];
      table.columns.push_back(column);
    }
    for (Record i = 0; i < problem.records; ++i)
      for (const std::int32_t* leaves : problem.leaves) values.push_back(leaves[i]);
    table.values = values.data();
  }
};

Options options_of(const FullDomainProblem& problem) {
  Options options;
  options.k = problem.k;
  options.recode = Recode::hierarchy;
  options.generalisation.max_suppression = problem.max_suppression.value_or(-1);
  options.generalisation.metric = problem.metric;
  options.generalisation.local_suppression = problem.local_suppression;
  return options;
}

TEST(Prec, OfTheSlidesExample) {
  const OwnedProblem owned = race_and_zip();
  const AsTable as(owned);
  SilentTicker ticker;
  Masked masked;
  masked.levels = {0, 1, 1, 0};
  const std::vector<std::int32_t> cells = {0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(mean_prec(as.table, cells, masked, ticker), 0.75);
  EXPECT_DOUBLE_EQ(mean_prec(as.table, {1, 1, 1, 1, 1, 1, 1, 1}, masked, ticker), 0.5);
  // Half of the records are suppressed.
  const ClassId out = kNone;
  EXPECT_DOUBLE_EQ(mean_prec(as.table, {0, 0, out, out, 0, 0, out, out}, masked, ticker), 0.375);
  EXPECT_TRUE(is_null(mean_prec(as.table, cells, Masked{}, ticker)));
  Table bare = as.table;
  for (Column& column : bare.columns) column.hierarchy = nullptr;
  EXPECT_TRUE(is_null(mean_prec(bare, cells, masked, ticker)));
}

/// A release's Prec, NCP, IL, suppressed records and cells equal the search's own figures.
TEST(FullDomainMethod, PublishesWhatTheSearchFinds) {
  SilentTicker ticker;
  int published = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomProblem random(seed);
    OwnedProblem owned = random.make();
    owned.problem.local_suppression = random.between(0, 1) == 1;
    const AsTable as(owned);
    Recoded found;
    try {
      found = incognito(owned.problem, ticker);
    } catch (const Error&) {
      EXPECT_THROW(
          anonymize(as.table, *find_method("incognito"), options_of(owned.problem), ticker), Error);
      continue;
    }
    const Anonymized result =
        anonymize(as.table, *find_method("incognito"), options_of(owned.problem), ticker);
    ++published;
    const auto n = static_cast<double>(owned.problem.records);
    const auto d = static_cast<double>(owned.problem.hierarchies.size());
    EXPECT_EQ(result.suppressed, found.figures.suppressed);
    EXPECT_EQ(result.partition.classes, found.figures.classes);
    EXPECT_NEAR(result.prec, found.figures.prec, 1e-12);
    EXPECT_LE(result.suppressed_cells, found.figures.cells);
    // Prec counts suppressed records as lost; IL ignores them.
    const double lost = (1 - result.prec) * n * d - static_cast<double>(result.suppressed) * d;
    EXPECT_NEAR(result.il * (n - static_cast<double>(result.suppressed)), lost, 1e-9);
  }
  EXPECT_GT(published, 200);
}

TEST(FullDomainMethod, ListsWhatItChoosesFrom) {
  const OwnedProblem owned = race_and_zip();
  const AsTable as(owned);
  SilentTicker ticker;
  const auto list = [&](bool minimal_only) {
    return lattice_of(as.table, *find_method("incognito"), options_of(owned.problem), minimal_only,
                      ticker);
  };
  EXPECT_EQ(list(false).size(), 6u);
  int minimal = 0;
  for (const NodeFigures& node : list(false)) minimal += node.minimal ? 1 : 0;
  EXPECT_EQ(minimal, 2);
  EXPECT_EQ(list(true).size(), 2u);
  EXPECT_TRUE(list(true).front().minimal);
}

TEST(FullDomainMethod, RefusesColumnsWithoutAHierarchy) {
  const OwnedProblem owned = race_and_zip();
  AsTable as(owned);
  as.table.columns[1].hierarchy = nullptr;
  SilentTicker ticker;
  for (const char* method : {"incognito", "mingen", "datafly", "argus", "topdown"})
    EXPECT_THROW(anonymize(as.table, *find_method(method), options_of(owned.problem), ticker),
                 Error);
}

}  // namespace
}  // namespace anonkit
