// Figures of attacks and utility, recounted straight from their definitions.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "base/at.hpp"
#include "fixture/attacks.hpp"
#include "fixture/random_cells.hpp"
#include "fixture/trials.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"
#include "utility/linear.hpp"
#include "utility/range_queries.hpp"

namespace anonkit {
namespace {

/// The sum of the original values in a class, and what it publishes for them.
struct ClassSums {
  double original = 0, published = 0;
  int records = 0;
};

Exposure recounted_exposure(const CellsPair& pair, const std::vector<std::int32_t>& class_of) {
  const CellColumn& before = pair.original.columns[0];
  const CellColumn& after = pair.masked.columns[0];
  const std::int32_t n = pair.original.rows;
  std::map<std::int32_t, ClassSums> sums;
  double precision = INFINITY;
  for (std::int32_t i = 0; i < n; ++i) {
    ClassSums& sum = sums[class_of[at(pair.image[at(i)])]];
    sum.original += before.low[i];
    sum.published += after.low[pair.image[at(i)]];
    ++sum.records;
    for (std::int32_t k = 0; k < n; ++k)
      if (before.low[k] != before.low[i])
        precision = std::min(precision, std::fabs(before.low[k] - before.low[i]));
  }
  double ends = 0, lonely = 0, solved = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    const double x = before.low[i];
    const std::int32_t row = pair.image[at(i)];
    const auto alike = std::count(before.low, before.low + n, x);
    const ClassSums& sum = sums[class_of[at(row)]];
    if (after.low[row] == after.high[row]) {
      // The others of the class leave this value, to less than half the precision.
      const double rest = sum.published - (sum.original - x);
      solved += sum.records > 1 && std::fabs(rest - x) < precision / 2 ? 1 : 0;
    } else if (x == after.low[row] || x == after.high[row]) {
      ++ends;
      lonely += alike == 1 ? 1 : 0;
    }
  }
  return {ends / n, lonely / n, solved / n};
}

TEST(Recount, ExposuresAreThoseOfTheirDefinitions) {
  Random random(21);
  SilentTicker ticker;
  double solved = 0, lonely = 0;
  for (int round = 0; round < trials(3000); ++round) {
    RandomPair made;
    const int n = 2 + static_cast<int>(random.below(30));
    fill_random_pair(made, random, n, 1, 0, 1 + static_cast<int>(random.below(4)),
                     random.below(2) == 1);
    CellsPair& pair = made.pair;
    std::vector<std::int32_t> class_of;
    for (int i = 0; i < n; ++i) class_of.push_back(static_cast<std::int32_t>(random.below(3)));
    std::fill_n(class_of.begin(), std::min(n, 3), 0);
    class_of[0] = 2;
    class_of[1] = 1;
    const Exposure found = exposures(pair, class_of, ticker)[0];
    const Exposure plain = recounted_exposure(pair, class_of);
    ASSERT_NEAR(found.range_ends, plain.range_ends, 1e-12);
    ASSERT_NEAR(found.lonely_ends, plain.lonely_ends, 1e-12);
    ASSERT_NEAR(found.solved, plain.solved, 1e-12);
    solved += plain.solved;
    lonely += plain.lonely_ends;
    // Without images, any range's end counts.
    double ends = 0;
    const CellColumn& after = pair.masked.columns[0];
    for (int i = 0; i < n; ++i) {
      bool end = false;
      for (int k = 0; k < n; ++k)
        end = end ||
              (after.low[k] < after.high[k] && (after.low[k] == pair.original.columns[0].low[i] ||
                                                after.high[k] == pair.original.columns[0].low[i]));
      ends += end ? 1.0 / n : 0;
    }
    ASSERT_NEAR(exposures_of_ends(pair, ticker)[0].range_ends, ends, 1e-12);
  }
  EXPECT_GT(solved, 1);
  EXPECT_GT(lonely, 1);
}

/// The probability density or share of a cell among the masked records with a value, by Bayes's
/// assumption of independence.
double log_likelihood(const CellsPair& pair, std::int32_t original, std::int32_t value,
                      const std::vector<std::int32_t>& masked) {
  double members = 0;
  for (const std::int32_t v : masked) members += v == value ? 1 : 0;
  double sum = std::log(members / pair.masked.rows);
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    const CellColumn& before = pair.original.columns[j];
    const CellColumn& after = pair.masked.columns[j];
    if (!before.numeric()) {
      double alike = 1;
      for (std::int32_t k = 0; k < pair.masked.rows; ++k)
        alike += masked[at(k)] == value && after.codes[k] == before.codes[original] ? 1 : 0;
      sum += std::log(alike / (members + after.categories));
      continue;
    }
    double mean = 0, of_all = 0, variance = 0, whole = 0;
    for (std::int32_t k = 0; k < pair.masked.rows; ++k) {
      mean += masked[at(k)] == value ? after.middle(k) / std::max(members, 1.0) : 0;
      of_all += after.middle(k) / pair.masked.rows;
    }
    for (std::int32_t k = 0; k < pair.masked.rows; ++k) {
      if (masked[at(k)] == value)
        variance += std::pow(after.middle(k) - mean, 2) / std::max(members, 1.0);
      whole += std::pow(after.middle(k) - of_all, 2) / pair.masked.rows;
    }
    variance = std::max({variance, 1e-6 * whole, 1e-300});
    sum -= std::pow(before.middle(original) - mean, 2) / (2 * variance) + std::log(variance) / 2;
  }
  return sum;
}

TEST(Recount, NaiveBayesIsBayesTheoremWrittenOut) {
  Random random(22);
  SilentTicker ticker;
  int compared = 0;
  for (int round = 0; round < trials(3000); ++round) {
    RandomPair made;
    fill_random_pair(made, random, 6 + static_cast<int>(random.below(30)), 2, 1, 3,
                     random.below(2) == 1);
    const CellsPair& pair = made.pair;
    std::vector<std::int32_t> original, masked(at(pair.masked.rows));
    for (std::int32_t i = 0; i < pair.original.rows; ++i) {
      original.push_back(static_cast<std::int32_t>(random.below(3)));
      masked[at(pair.image[at(i)])] = original.back();
    }
    double right = 0;
    bool near_tie = false;
    for (std::int32_t i = 0; i < pair.original.rows; ++i) {
      double best = -INFINITY, own = 0;
      std::vector<double> all;
      for (std::int32_t v = 0; v < 3; ++v) {
        all.push_back(log_likelihood(pair, i, v, masked));
        best = std::max(best, all.back());
        if (v == original[at(i)]) own = all.back();
      }
      near_tie = near_tie || std::count_if(all.begin(), all.end(),
                                           [&](double one) { return one > best - 1e-9; }) > 1;
      right += own == best ? 1 : 0;
    }
    if (near_tie) continue;  // rounding decides
    ++compared;
    const PublishedPoints points(pair, 2, ticker);
    ASSERT_NEAR(
        guess(pair, points, {{original.data(), masked.data(), 3}}, 1, 2, ticker)[0].by_bayes,
        right / pair.original.rows, 1e-12);
  }
  EXPECT_GT(compared, trials(1000));
}

/// Draws the queries as documented: a range between two values of the column, or each category with
/// probability one half and one for certain. Counts record by record.
double recounted_query_error(const CellsPair& pair, int queries, std::uint64_t seed) {
  Random random(seed);
  const auto n = static_cast<std::uint32_t>(pair.original.rows);
  double errors = 0;
  for (int q = 0; q < queries; ++q) {
    std::vector<double> before(n, 1), after(at(pair.masked.rows), 1);
    for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
      const CellColumn& original = pair.original.columns[j];
      const CellColumn& masked = pair.masked.columns[j];
      if (original.numeric()) {
        std::vector<double> values(original.low, original.low + n);
        std::sort(values.begin(), values.end());
        const double a = values[random.below(n)], b = values[random.below(n)];
        const double low = std::min(a, b), high = std::max(a, b);
        for (std::size_t i = 0; i < n; ++i)
          before[i] *= low <= original.low[i] && original.low[i] <= high ? 1 : 0;
        for (std::size_t i = 0; i < after.size(); ++i) {
          // The records of a range are spread evenly over it.
          const double width = masked.high[i] - masked.low[i];
          const double both = std::min(high, masked.high[i]) - std::max(low, masked.low[i]);
          after[i] *= both < 0 ? 0 : width == 0 ? 1 : both / width;
        }
        continue;
      }
      std::vector<bool> asked;
      for (std::int32_t v = 0; v < original.categories; ++v) asked.push_back(random.below(2) == 1);
      asked[random.below(static_cast<std::uint32_t>(original.categories))] = true;
      for (std::size_t i = 0; i < n; ++i) before[i] *= asked[at(original.codes[i])] ? 1 : 0;
      for (std::size_t i = 0; i < after.size(); ++i) after[i] *= asked[at(masked.codes[i])] ? 1 : 0;
    }
    double asked = 0, answered = 0;
    for (const double one : before) asked += one;
    for (const double one : after) answered += one;
    errors += std::fabs(answered - asked) / std::max(asked, 1.0);
  }
  return errors / queries;
}

TEST(Recount, QueryErrorsAreThoseOfCountingEachRecord) {
  Random random(23);
  SilentTicker ticker;
  for (int round = 0; round < trials(3000); ++round) {
    RandomPair made;
    fill_random_pair(made, random, 1 + static_cast<int>(random.below(40)), 2, 1,
                     1 + static_cast<int>(random.below(4)), random.below(2) == 1);
    const auto seed = static_cast<std::uint64_t>(round);
    ASSERT_NEAR(mean_query_error(made.pair.original, made.pair.masked, 8, seed, 2, ticker),
                recounted_query_error(made.pair, 8, seed), 1e-12);
  }
}

/// Least squares by the normal equations with an intercept, solved by elimination.
std::vector<double> least_squares(const Cells& cells, std::size_t target) {
  std::vector<std::size_t> predictors;
  for (std::size_t j = 0; j < cells.columns.size(); ++j)
    if (j != target) predictors.push_back(j);
  const std::size_t d = predictors.size() + 1;
  std::vector<std::vector<double>> system(d, std::vector<double>(d + 1, 0));
  for (std::int32_t i = 0; i < cells.rows; ++i) {
    std::vector<double> x = {1};
    for (const std::size_t j : predictors) x.push_back(cells.columns[j].middle(i));
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) system[a][b] += x[a] * x[b];
      system[a][d] += x[a] * cells.columns[target].middle(i);
    }
  }
  for (std::size_t a = 0; a < d; ++a) {
    std::size_t pivot = a;
    for (std::size_t b = a; b < d; ++b)
      if (std::fabs(system[b][a]) > std::fabs(system[pivot][a])) pivot = b;
    std::swap(system[a], system[pivot]);
    if (std::fabs(system[a][a]) < 1e-6) return {};
    for (std::size_t b = 0; b < d; ++b) {
      if (b == a) continue;
      const double factor = system[b][a] / system[a][a];
      for (std::size_t c = a; c <= d; ++c) system[b][c] -= factor * system[a][c];
    }
  }
  std::vector<double> coefficients;
  for (std::size_t a = 0; a < d; ++a) coefficients.push_back(system[a][d] / system[a][a]);
  return coefficients;
}

TEST(Recount, RegressionsSolveTheNormalEquations) {
  Random random(24);
  SilentTicker ticker;
  int compared = 0;
  for (int round = 0; round < trials(3000); ++round) {
    RandomPair made;
    const int columns = 2 + static_cast<int>(random.below(3));
    fill_random_pair(made, random, 8 + static_cast<int>(random.below(40)), columns, 0,
                     1 + static_cast<int>(random.below(3)), true);
    for (const Cells* cells : {&made.pair.original, &made.pair.masked}) {
      const std::size_t target = random.below(static_cast<std::uint32_t>(columns));
      const std::vector<double> plain = least_squares(*cells, target);
      if (plain.empty()) continue;  // dependent columns
      ++compared;
      const Eigen::VectorXd found =
          regression(moments_of(*cells, ticker), static_cast<Eigen::Index>(target));
      ASSERT_EQ(at(static_cast<std::int32_t>(found.size())), plain.size());
      for (std::size_t a = 0; a < plain.size(); ++a)
        ASSERT_NEAR(found[static_cast<Eigen::Index>(a)], plain[a], 1e-7);
    }
  }
  EXPECT_GT(compared, trials(3000));
}

}  // namespace
}  // namespace anonkit
