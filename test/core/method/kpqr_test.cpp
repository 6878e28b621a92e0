#include "method/kpqr.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/random_space.hpp"
#include "fixture/reference_data.hpp"
#include "method/growing/psensitive_microaggregation.hpp"
#include "method/repair/merging.hpp"
#include "reference/kpqr.hpp"

namespace anonkit {
namespace {

/// Integers, so that variances are exact.
std::vector<SensitiveAttribute> random_attributes(RandomSensitive& random, int n) {
  std::vector<SensitiveAttribute> attributes;
  for (int a = random.between(1, 2); a > 0; --a) {
    attributes.push_back(random.make(
        random.between(0, 1) == 0 ? GroundDistance::ordered : GroundDistance::nominal, n, 1));
    SensitiveAttribute& attribute = attributes.back();
    if (random.between(0, 1) == 0) continue;
    attribute.distance = GroundDistance::ordered;
    const std::int32_t values =
        1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
    double number = random.between(-3, 3);
    for (std::int32_t v = 0; v < values; ++v)
      attribute.numbers.push_back(number += random.between(1, 5));
  }
  return attributes;
}

void expect_k(const Partition& partition, Record k) {
  const Members members = members_of(partition);
  ASSERT_EQ(members.records.size(), partition.class_of.size());
  for (const RecordSpan of_class : members) EXPECT_GE(of_class.size(), k);
}

TEST(Kpqr, FormsTheGroupsOfThePseudoCode) {
  RandomSpaces spaces(91);
  RandomSensitive random(91);
  SilentTicker ticker;
  int printed = 0, valid = 0, several = 0;
  for (int round = 0; round < trials(1500); ++round) {
    const int n = random.between(1, 60);
    const Space space = spaces.make(static_cast<Shape>(round % kShapes), n, random.between(1, 3));
    const std::vector<SensitiveAttribute> attributes = random_attributes(random, n);
    const Record k = random.between(1, std::min(n, 6));
    Promises promises;
    promises.p = random.between(1, 4);
    promises.q = random.between(1, 20) / 20.0;
    promises.r = random.between(0, 20) / 20.0;
    promises.variance_of = random.between(0, 1) == 0 ? VarianceOf::rare : VarianceOf::all;
    const auto seed = static_cast<std::uint64_t>(round);
    const Partition found = kpqr(space, attributes, k, promises, seed, ticker);
    ReferenceKpqr reference(space, attributes, k, promises, seed);
    ASSERT_EQ(found.class_of, reference.run().class_of) << "round " << round;
    expect_k(found, k);
    const bool allowed = all_allow(promised_constraints(attributes, promises), found, ticker);
    EXPECT_TRUE(allowed || found.classes == 1);
    printed += reference.repaired ? 0 : 1;
    valid += allowed ? 1 : 0;
    several += found.classes > 1 ? 1 : 0;
  }
  EXPECT_GT(printed, trials(300)) << "too few groups were the paper's own";
  EXPECT_GT(valid, trials(800));
  EXPECT_GT(several, trials(500));
}

TEST(Kpqr, SeedsGiveOtherClasses) {
  RandomSpaces spaces(92);
  SilentTicker ticker;
  const Space space = spaces.make(Shape::normal, 300, 2);
  SensitiveAttribute attribute;
  for (int i = 0; i < 300; ++i) attribute.ranks.push_back(i * 7 % 10);
  Promises promises;
  promises.p = 3;
  promises.q = 0.2;
  promises.r = 0.5;
  const auto run = [&](std::uint64_t seed) {
    return kpqr(space, {attribute}, 4, promises, seed, ticker).class_of;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(PsensitiveMicroaggregation, FormsTheGroupsOfThePaper) {
  RandomSpaces spaces(93);
  RandomSensitive random(93);
  SilentTicker ticker;
  int several = 0;
  for (int round = 0; round < trials(1500); ++round) {
    const int n = random.between(1, 60);
    const Space space = spaces.make(static_cast<Shape>(round % kShapes), n, random.between(1, 3));
    std::vector<SensitiveAttribute> attributes = random_attributes(random, n);
    if (round % 3 == 0)  // protected: pairs of values count as one
      for (SensitiveAttribute& attribute : attributes)
        for (std::int32_t v = 0; v < n; ++v) attribute.lifted.push_back(v / 2);
    const Record k = random.between(1, std::min(n, 6));
    const std::int32_t p = random.between(1, 4);
    Promises promises;
    promises.p = p;
    const Constraints constraints = promised_constraints(attributes, promises);
    std::vector<Record> all;
    for (Record i = 0; i < n; ++i) all.push_back(i);
    const auto seed = static_cast<std::uint64_t>(round);
    if (!all_allow(constraints, RecordSpan(all))) {
      EXPECT_THROW(psensitive_microaggregation(space, attributes, k, p, seed, ticker), Error);
      continue;
    }
    const Partition found = psensitive_microaggregation(space, attributes, k, p, seed, ticker);
    ASSERT_EQ(found.class_of, ReferencePsensitive(space, attributes, k, p, seed).run().class_of)
        << "round " << round;
    expect_k(found, k);
    EXPECT_TRUE(all_allow(constraints, found, ticker));
    several += found.classes > 1 ? 1 : 0;
  }
  EXPECT_GT(several, trials(500));
}

}  // namespace
}  // namespace anonkit
