#include "space/sampled_scales.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.hpp"

#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

CountedPoints sample_of(const Table& table, std::size_t size, std::uint64_t seed) {
  PointSample sample(table.columns.size(), size, seed);
  for (Record i = 0; i < table.rows; ++i)
    sample.add(table.values + static_cast<std::size_t>(i) * table.columns.size());
  return sample.take();
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

TEST(SampledScales, OfACompleteSampleAreThoseOfTheTable) {
  RandomTables random(1);
  for (int round = 0; round < 1000; ++round) {
    const OwnedTable owned = random.make(random.between(2, 40), random.between(1, 3), false, 0);
    const Table table = owned.view();
    std::vector<Record> all(static_cast<std::size_t>(table.rows));
    std::iota(all.begin(), all.end(), 0);
    const auto standardize = static_cast<Standardize>(random.between(0, 2));
    const std::vector<Scale> exact = scales_of(table, all, standardize, silent);
    const std::vector<Scale> sampled =
        scales_of(sample_of(table, all.size(), static_cast<std::uint64_t>(round)), names_of(table),
                  standardize);
    for (std::size_t j = 0; j < exact.size(); ++j)
      EXPECT_NEAR(sampled[j].scale, standardize == Standardize::none ? 1 : exact[j].scale,
                  1e-12 * exact[j].scale);
  }
}

TEST(SampledScales, OfAFewThousandPointsAreCloseToThoseOfTheTable) {
  RandomTables random(2);
  std::vector<double> values;
  for (int i = 0; i < 50000; ++i) {
    const double sum = random.between(0, 1000) + random.between(0, 1000) + random.between(0, 1000);
    values.push_back(sum);
    values.push_back(sum * sum);
  }
  const OwnedTable owned = table_of(std::move(values), {{}, {}});
  const Table table = owned.view();
  std::vector<Record> all(static_cast<std::size_t>(table.rows));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<Scale> exact = scales_of(table, all, Standardize::zscore, silent);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Scale> sampled =
        scales_of(sample_of(table, 2000, seed), names_of(table), Standardize::zscore);
    for (std::size_t j = 0; j < exact.size(); ++j)
      EXPECT_NEAR(sampled[j].scale, exact[j].scale, 0.1 * exact[j].scale);
  }
}

TEST(SampledScales, OfExtremeValuesNeitherOverflowNorVanish) {
  for (const double size : {1e-200, 1e200}) {
    const OwnedTable owned = table_of({0, size, 2 * size});
    const Scale scale =
        scales_of(sample_of(owned.view(), 3, 0), names_of(owned.view()), Standardize::zscore)
            .front();
    EXPECT_NEAR(scale.scale / size, 1, 1e-12);
  }
}

TEST(SampledScales, OfValuesWhoseDifferenceOverflowsAreRefused) {
  const OwnedTable owned = table_of({-1e308, 0, 1e308});
  EXPECT_THROW(scales_of(sample_of(owned.view(), 3, 0), names_of(owned.view()), Standardize::none),
               Error);
}

}  // namespace
}  // namespace anonkit
