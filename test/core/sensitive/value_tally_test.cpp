#include "sensitive/value_tally.hpp"

#include <gtest/gtest.h>

#include "fixture/random_sensitive.hpp"
#include "fixture/trials.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

/// Five values of a kind; numbers have a sixth rank, that of null.
SensitiveAttribute of_kind(int kind) {
  SensitiveAttribute attribute;
  attribute.ranks = {0, 1, 2, 3, 4, 5};
  attribute.distance = kind == 0 ? GroundDistance::nominal : GroundDistance::ordered;
  if (kind == 2) attribute.numbers = {-3.7, 0.1, 0.3, 2, 11};
  return attribute;
}

TEST(ValueTally, IsThatOfItsRecords) {
  RandomSensitive random(9);
  const std::vector<double> places = {0, 1, 2, 3, 4, 5};
  for (int round = 0; round < trials(300); ++round) {
    const int kind = round % 3;
    const SensitiveAttribute attribute = of_kind(kind);
    const std::vector<double>* numbers = kind == 0   ? nullptr
                                         : kind == 1 ? &places
                                                     : &attribute.numbers;
    ValueTally tally(attribute);
    reference::Codes members;
    for (int step = 0; step < 30; ++step) {
      const std::int32_t rank = random.between(0, 5);
      reference::Codes with = members;
      with.push_back(rank);
      EXPECT_NEAR(tally.variance_with(rank), reference::variance(with, numbers), 1e-9);
      if (members.empty() || random.between(0, 2) > 0) {
        members.push_back(rank);
        tally.add(rank);
      } else {
        tally.remove(members.back());
        members.pop_back();
      }
      EXPECT_NEAR(tally.variance(), reference::variance(members, numbers), 1e-9);
      EXPECT_EQ(tally.distinct(), reference::distinct(members));
      EXPECT_EQ(tally.count(rank), std::count(members.begin(), members.end(), rank));
    }
  }
}

TEST(ValueTally, ForgetsRoundingErrorsOnceItIsEmpty) {
  for (int kind = 0; kind < 3; ++kind) {
    ValueTally used(of_kind(kind)), fresh(of_kind(kind));
    for (const std::int32_t rank : {1, 2, 3}) used.add(rank);
    for (const std::int32_t rank : {1, 2, 3}) used.remove(rank);
    for (ValueTally* tally : {&used, &fresh})
      for (const std::int32_t rank : {4, 2}) tally->add(rank);
    EXPECT_EQ(used.variance(), fresh.variance());
  }
}

}  // namespace
}  // namespace anonkit
