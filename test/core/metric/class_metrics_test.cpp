#include "metric/class_metrics.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/class_histogram.hpp"

namespace anonkit {
namespace {

TEST(ClassMetrics, OfThreeClasses) {
  SilentTicker ticker;
  const ClassMetrics metrics =
      class_metrics(class_sizes({0, 1, 1, 2, 0, 1, 2, 1, 1}, ticker), 2, 0, ticker);
  EXPECT_EQ(metrics.records, 9);
  EXPECT_EQ(metrics.classes, 3);
  EXPECT_EQ(metrics.smallest, 2);
  EXPECT_EQ(metrics.largest, 5);
  EXPECT_EQ(metrics.mean, 3);
  EXPECT_EQ(metrics.discernibility, 4 + 25 + 4);
  EXPECT_EQ(metrics.normalized_average, 1.5);
}

TEST(ClassMetrics, ClassesOfKHaveAverageOneAndTheLeastDiscernibility) {
  SilentTicker ticker;
  const ClassMetrics metrics = class_metrics(std::vector<std::int32_t>(500, 20), 20, 0, ticker);
  EXPECT_EQ(metrics.normalized_average, 1);
  EXPECT_EQ(metrics.discernibility, 10000 * 20);
}

TEST(ClassMetrics, ASuppressedRecordIsAsBadAsTheWholeTable) {
  SilentTicker ticker;
  const ClassMetrics metrics = class_metrics({3, 4}, 3, 2, ticker);
  EXPECT_EQ(metrics.records, 7);
  EXPECT_EQ(metrics.discernibility, 9 + 16 + 2 * 9);
  EXPECT_EQ(metrics.mean, 3.5);
  // One class of all records costs as much as suppressing all other classes.
  EXPECT_EQ(class_metrics({9}, 3, 0, ticker).discernibility, 81);
}

TEST(ClassMetrics, SumsOfSquaresOfMillionsDoNotOverflow) {
  SilentTicker ticker;
  EXPECT_EQ(class_metrics({2000000000}, 1, 0, ticker).discernibility, 4000000000000000000);
}

TEST(ClassMetrics, RefusesWhatIsNoPartition) {
  SilentTicker ticker;
  EXPECT_THROW(class_metrics({}, 2, 0, ticker), Error);
  EXPECT_THROW(class_metrics({3, 0}, 2, 0, ticker), Error);
  EXPECT_THROW(class_metrics({3}, 0, 0, ticker), Error);
  EXPECT_THROW(class_metrics({3}, 2, -1, ticker), Error);
}

}  // namespace
}  // namespace anonkit
