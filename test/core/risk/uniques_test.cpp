#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/random.hpp"
#include "risk/column_uniques.hpp"
#include "risk/minimal_uniques.hpp"
#include "risk/population_uniques.hpp"
#include "risk/reidentification.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::vector<std::int32_t>>;  ///< by column

std::vector<CodedColumn> columns_of(const Codes& codes, std::int32_t distinct) {
  std::vector<CodedColumn> columns;
  for (const auto& column : codes) columns.push_back({column.data(), distinct});
  return columns;
}

/// True if no other person's row agrees in all columns of the set.
///
/// @param persons the person of each row; null: each row is one.
bool is_unique(const Codes& codes, std::size_t row, unsigned set,
               const std::vector<std::int32_t>* persons = nullptr) {
  for (std::size_t other = 0; other < codes[0].size(); ++other) {
    bool agrees = persons != nullptr ? (*persons)[other] != (*persons)[row] : other != row;
    for (std::size_t j = 0; j < codes.size(); ++j)
      if ((set >> j & 1u) != 0) agrees = agrees && codes[j][other] == codes[j][row];
    if (agrees) return false;
  }
  return true;
}

std::int64_t count_uniques(const Codes& codes, unsigned set) {
  std::int64_t uniques = 0;
  for (std::size_t row = 0; row < codes[0].size(); ++row) uniques += is_unique(codes, row, set);
  return uniques;
}

TEST(ColumnUniques, AreThoseOfTheSetWithoutOrWithEachColumn) {
  Random random(11);
  SilentTicker ticker;
  for (int round = 0; round < 1000; ++round) {
    const std::size_t n = 1 + random.below(30);
    const std::size_t d = 1 + random.below(9);
    const std::size_t chosen = random.below(static_cast<std::uint32_t>(d) + 1);
    const auto values = static_cast<std::int32_t>(1 + random.below(8));
    Codes codes(d, std::vector<std::int32_t>(n));
    for (auto& column : codes)
      for (auto& code : column)
        code = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(values)));
    const std::vector<CodedColumn> columns = columns_of(codes, values);
    const auto middle = columns.begin() + static_cast<std::ptrdiff_t>(chosen);
    const ColumnUniques found = column_uniques({columns.begin(), middle}, {middle, columns.end()},
                                               static_cast<std::int64_t>(n), ticker);
    const unsigned set = (1u << chosen) - 1;
    EXPECT_EQ(found.of_set, count_uniques(codes, set));
    ASSERT_EQ(found.without.size(), chosen);
    ASSERT_EQ(found.with.size(), d - chosen);
    for (std::size_t j = 0; j < chosen; ++j)
      EXPECT_EQ(found.without[j], count_uniques(codes, set & ~(1u << j)));
    for (std::size_t j = chosen; j < d; ++j)
      EXPECT_EQ(found.with[j - chosen], count_uniques(codes, set | 1u << j));
  }
}

TEST(ColumnUniques, TakeWorkInProportionToTheColumns) {
  class Counter final : public Ticker {
   public:
    int polls = 0;

   protected:
    void poll() override { ++polls; }
  };
  // No record is ever unique, so that every refinement reads all of them.
  const std::vector<std::int32_t> codes(2000, 0);
  const auto work = [&](std::size_t columns) {
    Counter counter;
    column_uniques(std::vector<CodedColumn>(columns, {codes.data(), 1}), {}, 2000, counter);
    return counter.polls;
  };
  const int of_some = work(100);
  ASSERT_GT(of_some, 0);
  EXPECT_LT(work(1600), 16 * 2 * of_some);
}

TEST(MinimalUniques, AreTheUniqueSetsWithoutAUniqueSubset) {
  Random random(7);
  SilentTicker ticker;
  for (int round = 0; round < 1000; ++round) {
    // Some of more rows than a word has bits, and of as many values.
    const bool large = round % 20 == 0;
    const std::size_t n = 1 + random.below(large ? 150 : 12);
    const std::size_t d = 1 + random.below(5);
    const int largest = static_cast<int>(1 + random.below(4));
    const auto values = static_cast<std::int32_t>(1 + random.below(large ? 60 : 4));
    Codes codes(d, std::vector<std::int32_t>(n));
    for (auto& column : codes)
      for (auto& code : column)
        code = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(values)));
    // Every third time, persons have several rows.
    std::vector<std::int32_t> persons(n);
    for (std::size_t row = 0; row < n; ++row)
      persons[row] = static_cast<std::int32_t>(round % 3 > 0 ? row : row / 2);
    const MinimalUniques found =
        minimal_uniques(columns_of(codes, values), static_cast<std::int64_t>(n), largest, ticker,
                        round % 3 > 1 ? nullptr : persons.data());
    std::vector<std::int64_t> sets(static_cast<std::size_t>(largest) + 1, 0);
    std::vector<std::int64_t> records(sets.size(), 0);
    std::vector<double> contributions(d, 0);
    for (std::size_t row = 0; row < n; ++row) {
      double score = 0;
      int smallest = largest + 1;
      for (unsigned set = 1; set < 1u << d; ++set) {
        const int size = __builtin_popcount(set);
        bool minimal = size <= largest && is_unique(codes, row, set, &persons);
        for (unsigned subset = (set - 1) & set; subset > 0; subset = (subset - 1) & set)
          minimal = minimal && !is_unique(codes, row, subset, &persons);
        if (!minimal) continue;
        ++sets[static_cast<std::size_t>(size)];
        double factor = 1;
        for (int i = size; i <= largest && i < static_cast<int>(d); ++i)
          factor *= static_cast<double>(d) - i;
        score += factor;
        smallest = std::min(smallest, size);
        for (std::size_t j = 0; j < d; ++j) contributions[j] += (set >> j & 1u) != 0 ? factor : 0;
      }
      if (smallest <= largest) ++records[static_cast<std::size_t>(smallest)];
      ASSERT_EQ(found.scores[row], score);
    }
    ASSERT_EQ(found.sets_of_size, sets);
    ASSERT_EQ(found.records_of_size, records);
    ASSERT_EQ(found.contributions, contributions);
  }
}

// The example of sdcMicro has contributions of 50, 37.5 and 37.5 percent.
TEST(MinimalUniques, ScoresAreThoseOfSdcMicro) {
  const Codes codes = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
  SilentTicker ticker;
  const MinimalUniques found = minimal_uniques(columns_of(codes, 2), 3, 3, ticker);
  EXPECT_EQ(found.scores, (std::vector<double>{2, 4, 2}));
  EXPECT_EQ(found.contributions, (std::vector<double>{4, 3, 3}));
}

TEST(Reidentification, IsOneOverTheSize) {
  const Reidentification found = reidentification({1, 4, 5}, {2, 4, 50}, 0.3);
  EXPECT_DOUBLE_EQ(found.largest, 0.5);
  EXPECT_DOUBLE_EQ(found.mean, (0.5 + 1 + 0.1) / 10);
  EXPECT_DOUBLE_EQ(found.above_threshold, 0.1);
  EXPECT_EQ(found.uniques, 0);
}

/// Class sizes of a sample from a population with geometric class sizes.
struct Drawn {
  std::vector<std::int64_t> sizes;
  std::int64_t uniques = 0;  ///< of the population
  double population = 0;
};

Drawn draw(Random& random, int classes, double fraction) {
  Drawn drawn;
  for (int c = 0; c < classes; ++c) {
    int size = 1;
    while (random.below(3) > 0) ++size;
    if (size == 1) ++drawn.uniques;
    drawn.population += size;
    std::int64_t sampled = 0;
    for (int i = 0; i < size; ++i)
      if (random.below(1000000) < fraction * 1000000) ++sampled;
    if (sampled > 0) drawn.sizes.push_back(sampled);
  }
  return drawn;
}

// A geometric distribution is the negative binomial one with alpha = 1.
TEST(PopulationUniques, SnbFindsTheModelThatTheSampleIsOf) {
  Random random(3);
  const Drawn drawn = draw(random, 100000, 0.2);
  const SnbParameters fitted = fit_snb(sample_sizes(drawn.sizes, drawn.population));
  EXPECT_NEAR(fitted.alpha, 1, 0.15);
  EXPECT_NEAR(fitted.beta, 1.0 / 3, 0.03);
  EXPECT_NEAR(fitted.classes, 100000, 2000);
  const PopulationEstimate estimate = snb_uniques(sample_sizes(drawn.sizes, drawn.population));
  EXPECT_NEAR(estimate.uniques, static_cast<double>(drawn.uniques), 2500);
}

// A sample equal to the population has exactly the uniques counted.
TEST(PopulationUniques, OfAWholePopulationAreItsOwn) {
  const std::vector<std::int64_t> sizes = {1, 1, 1, 2, 2, 3, 5, 9};
  SilentTicker ticker;
  const SampleSizes sample = sample_sizes(sizes, 24);
  EXPECT_DOUBLE_EQ(zayatz_uniques(sample).uniques, 3);
  EXPECT_THROW(sample_sizes(sizes, 23), Error);
}

/// n over k.
double choose(int n, int k) {
  double product = 1;
  for (int i = 0; i < k; ++i) product *= static_cast<double>(n - i) / (k - i);
  return k > n ? 0 : product;
}

TEST(PopulationUniques, ZayatzIsBayesTheoremWrittenOut) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> sizes = {1};
    int n = 1;
    for (std::uint32_t c = random.below(6); c > 0; --c) {
      sizes.push_back(1 + random.below(4));
      n += static_cast<int>(sizes.back());
    }
    const int population = n + static_cast<int>(random.below(20));
    double all = 0;
    double uniques = 0;
    for (const std::int64_t size : sizes) {
      const int j = static_cast<int>(size);
      all += j * choose(population - j, n - 1) / choose(population, n);
      if (j == 1) ++uniques;
    }
    const double one = uniques * choose(population - 1, n - 1) / choose(population, n);
    ASSERT_NEAR(zayatz_uniques(sample_sizes(sizes, population)).uniques,
                one / all * uniques * population / n, 1e-9);
  }
}

}  // namespace
}  // namespace anonkit
