#include "metric/generalisation_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/logarithm.hpp"

namespace anonkit {
namespace {

TEST(Logarithm, IsTheNaturalLogarithm) {
  for (double x = 1e-9; x < 1e12; x *= 1.37)
    EXPECT_NEAR(logarithm(x), std::log(x), 4e-16 * std::max(1.0, std::fabs(std::log(x))));
  EXPECT_EQ(logarithm(1), 0);
}

/// Two attributes: one with 4 values in two pairs, one that is published or suppressed.
class GeneralisationLossTest : public ::testing::Test {
 protected:
  GeneralisationLoss loss(const std::vector<std::int32_t>& levels, const std::vector<double>& low,
                          const std::vector<std::int32_t>& sizes) const {
    Masked masked;
    masked.levels = levels;
    masked.low = low;
    SilentTicker ticker;
    return generalisation_loss({&pairs_, &flag_}, {{2, 2, 2, 2}, {4, 4}}, masked, sizes, ticker);
  }

  Hierarchy pairs_ = Hierarchy({{0, 0, 1, 1}, {0, 0, 0, 0}});
  Hierarchy flag_ = Hierarchy::suppression(2);
};

TEST_F(GeneralisationLossTest, IsNothingIfNothingIsGeneralised) {
  const GeneralisationLoss none =
      loss({0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 2, 1, 3, 1}, {2, 2, 2, 2});
  EXPECT_DOUBLE_EQ(none.prec, 1);
  EXPECT_DOUBLE_EQ(none.ncp, 0);
  EXPECT_NEAR(none.entropy, 0, 1e-15);
  EXPECT_EQ(none.suppressed_cells, 0);
}

TEST_F(GeneralisationLossTest, IsNothingWithoutRecords) {
  SilentTicker ticker;
  const GeneralisationLoss none =
      generalisation_loss({&pairs_, &flag_}, {{0, 0, 0, 0}, {0, 0}}, {}, {}, ticker);
  EXPECT_EQ(none.ncp, 0);
  EXPECT_EQ(none.entropy, 0);
  EXPECT_EQ(none.suppressed_cells, 0);
}

TEST_F(GeneralisationLossTest, MeasuresCells) {
  const GeneralisationLoss some = loss({1, 0, 1, 1}, {0, 0, 1, 0}, {4, 4});
  // 8 of 16 cells have height 1/2, and 4 have height 1.
  EXPECT_DOUBLE_EQ(some.prec, 1 - (8 * 0.5 + 4) / 16);
  EXPECT_DOUBLE_EQ(some.ncp, (8 * 0.5 + 4) / 16);
  // 8 cells and 4 cells lose one bit each; a record has 2 bits in one column and 1 in the other.
  EXPECT_DOUBLE_EQ(some.entropy, (8.0 + 4) / (16 + 8));
  EXPECT_EQ(some.suppressed_cells, 4);
}

TEST_F(GeneralisationLossTest, CountsSuppressedRecordsAsFullyGeneralised) {
  const GeneralisationLoss half = loss({0, 0}, {0, 0}, {2});
  EXPECT_DOUBLE_EQ(half.prec, 2.0 / 8);
  EXPECT_DOUBLE_EQ(half.ncp, 6.0 / 8);
  EXPECT_DOUBLE_EQ(half.entropy, 6.0 / 8);
  EXPECT_EQ(half.suppressed_cells, 0);  // published records have none
  const GeneralisationLoss all = loss({}, {}, {});
  EXPECT_DOUBLE_EQ(all.prec, 0);
  EXPECT_DOUBLE_EQ(all.ncp, 1);
  EXPECT_DOUBLE_EQ(all.entropy, 1);
}

}  // namespace
}  // namespace anonkit
