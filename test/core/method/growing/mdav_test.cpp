#include "method/growing/mdav.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fixture/random_space.hpp"
#include "fixture/reference_data.hpp"
#include "fixture/trials.hpp"
#include "metric/sse.hpp"
#include "reference/mdav.hpp"

namespace anonkit {
namespace {

void expect_equal_to_reference(const Space& space, Record k, const std::string& what) {
  SilentTicker ticker;
  const Partition fast = mdav(space, k, ticker);
  const Partition plain = reference_mdav(space, k);
  ASSERT_EQ(fast.classes, plain.classes) << what;
  ASSERT_EQ(fast.class_of, plain.class_of) << what;
}

/// Counts quarters of a million units of work.
class WorkTicker final : public Ticker {
 public:
  std::int64_t work = 0;

 protected:
  void poll() override { ++work; }
};

std::int64_t work_of_mdav(std::vector<double> values, Record n) {
  const Space space(std::move(values), std::vector<Attribute>(2));
  EXPECT_EQ(space.size(), n);
  WorkTicker ticker;
  mdav(space, 5, ticker);
  return ticker.work;
}

// Counts work instead of time, so that the result does not depend on the machine.
TEST(Mdav, WorkGrowsLittleFasterThanTheRecordsEvenIfAllAreAlike) {
  constexpr Record kFew = 25000, kMany = 10 * kFew;
  std::mt19937_64 random(7);
  std::vector<double> spread(2 * std::size_t{kMany});
  for (double& value : spread) value = static_cast<double>(random() >> 11);
  const std::vector<double> few(spread.begin(), spread.begin() + 2 * kFew);
  EXPECT_LT(work_of_mdav(spread, kMany), 15 * (work_of_mdav(few, kFew) + 1));
  EXPECT_LT(work_of_mdav(std::vector<double>(2 * std::size_t{kMany}, 1.5), kMany),
            15 * (work_of_mdav(std::vector<double>(2 * std::size_t{kFew}, 1.5), kFew) + 1));
}

class MdavShapes : public testing::TestWithParam<int> {};

TEST_P(MdavShapes, EqualsThePlainReferenceOnRandomInputs) {
  RandomSpaces random(static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < trials(600); ++round) {
    const int n = random.between(1, round % 10 == 0 ? 300 : 60);
    const int d = random.between(1, 16);
    const int k = random.between(1, std::min(n, round % 3 == 0 ? n : 7));
    const Space space = random.make(static_cast<Shape>(GetParam()), n, d);
    expect_equal_to_reference(
        space, k, "n=" + std::to_string(n) + " d=" + std::to_string(d) + " k=" + std::to_string(k));
    if (HasFatalFailure()) return;
  }
}

TEST_P(MdavShapes, EqualsThePlainReferenceAtEverySizeAroundMultiplesOfK) {
  RandomSpaces random(100 + static_cast<std::uint64_t>(GetParam()));
  for (const int k : {1, 2, 3, 5, 8}) {
    for (const int multiple : {1, 2, 3, 4, 5, 6}) {
      for (int n = std::max(1, multiple * k - 1); n <= multiple * k + 1; ++n) {
        const Space space = random.make(static_cast<Shape>(GetParam()), n, random.between(1, 4));
        expect_equal_to_reference(space, k, "n=" + std::to_string(n) + " k=" + std::to_string(k));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(MdavShapes, EqualsThePlainReferenceOnThousandsOfRecords) {
  RandomSpaces random(200 + static_cast<std::uint64_t>(GetParam()));
  for (const int d : {1, 2, 3, 7, 16}) {
    const int n = random.between(1500, 3000);
    const Space space = random.make(static_cast<Shape>(GetParam()), n, d);
    for (const int k : {2, 5, 25, n / 7, n / 3, n / 2, n})
      expect_equal_to_reference(
          space, k,
          "n=" + std::to_string(n) + " d=" + std::to_string(d) + " k=" + std::to_string(k));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MdavShapes, testing::Range(0, kShapes));

TEST(Mdav, MakesNoClassOfNoRecords) {
  RandomSpaces random(4);
  SilentTicker ticker;
  EXPECT_EQ(mdav(random.make(Shape{}, 5, 2), {}, 3, ticker).classes, 0);
}

TEST(Mdav, MakesClassesOfKTo2kMinus1Records) {
  RandomSpaces random(3);
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, 80), k = random.between(1, n);
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, 2);
    SilentTicker ticker;
    for (const double stretch : {1.0, 2.0}) {
      const Members members = members_of(mdav(space, k, ticker, stretch));
      for (const RecordSpan of_class : members) {
        EXPECT_GE(of_class.size(), k);
        EXPECT_LE(of_class.size(), 2 * k - 1);
      }
    }
  }
}

// Seeds that are nearly farthest make other classes, and no worse ones.
TEST(Mdav, AsTheStartOfASearchOfManyHasSeedsThatAreNearlyFarthest) {
  EXPECT_EQ(stretch_of_start(100000), 1);
  EXPECT_EQ(stretch_of_start(100001), 2);
  RandomSpaces random(5);
  SilentTicker ticker;
  for (const Shape shape : {Shape::normal, Shape::clustered, Shape::mixed}) {
    const Space space = random.make(shape, 3000, 4);
    const Partition exact = mdav(space, 5, ticker), stretched = mdav(space, 5, ticker, 2);
    EXPECT_NE(stretched.class_of, exact.class_of);
    EXPECT_LT(sse(space, stretched), 1.05 * sse(space, exact));
  }
}

struct Figure {
  const char* file;
  Record k;
  double loss;
};

class MdavFigures : public testing::TestWithParam<Figure> {};

TEST_P(MdavFigures, LosesWhatTheLiteraturePrints) {
  const Figure& figure = GetParam();
  const std::string file = figure.file;
  const auto records =
      read_records(file, file == "eia.csv" ? eia_columns() : std::vector<std::string>{});
  if (records.empty()) GTEST_SKIP() << not_present(file);
  const Space space = standardized(records);
  SilentTicker ticker;
  const double loss = 100 * sse(space, mdav(space, figure.k, ticker)) / sst(space);
  EXPECT_NEAR(loss, figure.loss, 5.1e-7);
}

INSTANTIATE_TEST_SUITE_P(
    ReferenceData, MdavFigures,
    testing::Values(Figure{"census.csv", 2, 3.178117}, Figure{"census.csv", 3, 5.692186},
                    Figure{"census.csv", 4, 7.494700}, Figure{"census.csv", 5, 9.088435},
                    Figure{"census.csv", 10, 14.155930}, Figure{"tarragona.csv", 2, 9.328665},
                    Figure{"tarragona.csv", 3, 16.932588}, Figure{"tarragona.csv", 4, 19.545962},
                    Figure{"tarragona.csv", 5, 22.461860}, Figure{"tarragona.csv", 10, 33.192885},
                    Figure{"eia.csv", 2, 0.312609}, Figure{"eia.csv", 3, 0.482939},
                    Figure{"eia.csv", 4, 0.671345}, Figure{"eia.csv", 5, 1.666675},
                    Figure{"eia.csv", 10, 3.839670}));

}  // namespace
}  // namespace anonkit
