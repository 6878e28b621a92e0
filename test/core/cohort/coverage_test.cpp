#include "cohort/coverage.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace anonkit {
namespace {

/// By the definition, stratum by stratum and person by person.
TEST(Coverage, IsCountedInEachStratum) {
  SilentTicker ticker;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const std::size_t columns = random.below(2) == 0 ? 3 : 70;
    const std::size_t words = no_nulls(columns).size();
    const std::size_t persons = random.below(30);
    std::vector<NullPattern> patterns;
    std::vector<std::uint64_t> nulls;
    std::vector<char> published;
    for (std::size_t i = 0; i < persons; ++i) {
      NullPattern pattern = no_nulls(columns);
      for (std::size_t j = 0; j < columns; j += columns - 1)
        if (random.below(3) == 0) set_null(pattern, j);
      nulls.insert(nulls.end(), pattern.begin(), pattern.end());
      patterns.push_back(std::move(pattern));
      published.push_back(random.below(4) == 0 ? 0 : 1);
    }
    const auto strata = coverage_by_stratum(nulls.data(), words, published, ticker);
    std::int64_t present = 0;
    for (const StratumCoverage& stratum : strata) {
      std::int64_t members = 0, shown = 0;
      for (std::size_t i = 0; i < persons; ++i) {
        if (patterns[i] != stratum.nulls) continue;
        ++members;
        shown += published[i];
      }
      ASSERT_EQ(stratum.present, members);
      ASSERT_EQ(stratum.published, shown);
      present += members;
    }
    EXPECT_EQ(present, static_cast<std::int64_t>(persons)) << "each stratum once";
    const std::int64_t least = random.below(6);
    const StratumCoverage* found = least_covered(strata, least);
    bool any = false;
    for (const StratumCoverage& stratum : strata) {
      if (stratum.present < least) continue;
      any = true;
      ASSERT_NE(found, nullptr);
      EXPECT_LE(found->share(), stratum.share());
    }
    EXPECT_EQ(found != nullptr, any);
    if (found != nullptr) {
      EXPECT_GE(found->present, least);
    }
  }
}

}  // namespace
}  // namespace anonkit
