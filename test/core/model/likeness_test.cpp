#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "model/beta_likeness.hpp"
#include "model/delta_disclosure.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

using reference::Codes;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ClassHistogram histogram_of(const Codes& class_of, const Codes& codes) {
  SilentTicker ticker;
  return ClassHistogram(class_of, {codes, AttributeScale::nominal, {}}, ticker);
}

// Shares are 1/4 and 3/4 in the relation, 1/2 and 1/2 in the first class.
TEST(BetaLikeness, IsTheRelativeGain) {
  SilentTicker ticker;
  const ClassHistogram histogram = histogram_of({0, 0, 1, 1}, {0, 1, 1, 1});
  EXPECT_DOUBLE_EQ(basic_beta_likeness(histogram, ticker).level, 1);
  EXPECT_EQ(basic_beta_likeness(histogram, ticker).worst_class, 0);
  // The value with share 3/4 gains 1/3, above -ln 3/4 = 0.29.
  EXPECT_EQ(enhanced_beta_likeness(histogram, ticker).level, kInfinity);
  EXPECT_EQ(enhanced_beta_likeness(histogram, ticker).worst_class, 1);
}

TEST(Likeness, IsThatOfTheDefinitionsOnRandomTables) {
  Random random(8);
  SilentTicker ticker;
  for (int round = 0; round < 3000; ++round) {
    Codes class_of = {0, 1};
    Codes codes = {0, 0};
    for (std::uint32_t i = random.below(30); i > 0; --i) {
      class_of.push_back(static_cast<std::int32_t>(random.below(2)));
      codes.push_back(static_cast<std::int32_t>(random.below(3)));
    }
    double basic = 0;
    double enhanced = 0;
    double delta = 0;
    for (const Codes& members : reference::codes_by_class(class_of, codes))
      for (const auto& [value, count] : reference::tally(codes)) {
        const double p = reference::share(codes, value);
        const double q = reference::share(members, value);
        if (q > p) basic = std::max(basic, (q - p) / p);
        if (q > p && (q - p) / p > -std::log(p) + 1e-12) enhanced = kInfinity;
        delta = std::max(delta, q > 0 ? std::fabs(std::log(q / p)) : kInfinity);
      }
    const ClassHistogram histogram = histogram_of(class_of, codes);
    ASSERT_NEAR(basic_beta_likeness(histogram, ticker).level, basic, 1e-12);
    if (enhanced < kInfinity)
      ASSERT_NEAR(enhanced_beta_likeness(histogram, ticker).level, basic, 1e-12);
    else
      ASSERT_EQ(enhanced_beta_likeness(histogram, ticker).level, kInfinity);
    if (delta < kInfinity)
      ASSERT_NEAR(delta_disclosure(histogram, ticker).level, delta, 1e-12);
    else
      ASSERT_EQ(delta_disclosure(histogram, ticker).level, kInfinity);
  }
}

}  // namespace
}  // namespace anonkit
