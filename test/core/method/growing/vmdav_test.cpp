#include "method/growing/vmdav.hpp"

#include <gtest/gtest.h>

#include "fixture/random_space.hpp"
#include "method/growing/mdav.hpp"
#include "metric/sse.hpp"
#include "reference/vmdav.hpp"

namespace anonkit {
namespace {

class VmdavShapes : public testing::TestWithParam<int> {};

TEST_P(VmdavShapes, EqualsThePlainReferenceOnRandomInputs) {
  RandomSpaces random(static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, round % 10 == 0 ? 150 : 40);
    const int k = random.between(1, std::min(n, round % 3 == 0 ? n : 6));
    const double gamma = random.between(0, 8) * 0.2;
    const Space space = random.make(static_cast<Shape>(GetParam()), n, random.between(1, 10));
    SilentTicker ticker;
    const Partition fast = vmdav(space, k, gamma, ticker);
    const Partition plain = ReferenceVmdav(space, k, gamma).run();
    ASSERT_EQ(fast.classes, plain.classes);
    ASSERT_EQ(fast.class_of, plain.class_of) << "n=" << n << " k=" << k << " gamma=" << gamma;
  }
}

TEST_P(VmdavShapes, EqualsThePlainReferenceOnAThousandRecords) {
  RandomSpaces random(400 + static_cast<std::uint64_t>(GetParam()));
  for (const int d : {1, 2, 7, 16}) {
    const int n = random.between(700, 1000);
    const Space space = random.make(static_cast<Shape>(GetParam()), n, d);
    for (const int k : {3, 20, n / 3}) {
      SilentTicker ticker;
      EXPECT_EQ(vmdav(space, k, 0.4, ticker).class_of, ReferenceVmdav(space, k, 0.4).run().class_of)
          << "n=" << n << " d=" << d << " k=" << k;
    }
  }
}

TEST_P(VmdavShapes, MakesClassesOfKTo2kMinus1Records) {
  RandomSpaces random(50 + static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, 60), k = random.between(1, n);
    const Space space = random.make(static_cast<Shape>(GetParam()), n, 2);
    SilentTicker ticker;
    const Members members = members_of(vmdav(space, k, random.between(0, 5), ticker));
    for (const RecordSpan of_class : members) {
      EXPECT_GE(of_class.size(), k);
      EXPECT_LE(of_class.size(), 2 * k - 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, VmdavShapes, testing::Range(0, kShapes));

TEST(Vmdav, FollowsClustersThatMdavCuts) {
  // Clusters of 3, 4 and 5 records far apart: with k = 3 each forms a class.
  std::vector<double> values;
  for (const int size : {3, 4, 5})
    for (int i = 0; i < size; ++i) values.push_back(1000 * size * size + i);
  const Space space(values, {Attribute{}});
  SilentTicker ticker;
  const Partition partition = vmdav(space, 3, 1.1, ticker);
  EXPECT_EQ(partition.class_of, (std::vector<ClassId>{0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2}));
  EXPECT_LT(sse(space, partition), sse(space, mdav(space, 3, ticker)));
}

}  // namespace
}  // namespace anonkit
