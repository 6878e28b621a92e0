// The constraints of promises to persons, held against the definitions on every state of a search.

#include "promise/person_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"
#include "model/models.hpp"
#include "promise/promised.hpp"
#include "reference/persons.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

using reference::PersonRecords;

/// Records of persons.
struct Visits {
  SensitiveAttribute attribute;
  std::vector<std::int32_t> units;

  PersonRecords of(const std::vector<Record>& members) const {
    PersonRecords records;
    for (const Record i : members)
      records.push_back(
          {units[static_cast<std::size_t>(i)], attribute.ranks[static_cast<std::size_t>(i)]});
    return records;
  }
  PersonRecords all() const {
    std::vector<Record> members(units.size());
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = static_cast<Record>(i);
    return of(members);
  }
};

Visits random_visits(RandomSensitive& random, int n) {
  Visits visits;
  visits.attribute = random.make(
      random.between(0, 1) == 0 ? GroundDistance::ordered : GroundDistance::nominal, n, 1);
  const int persons = random.between(1 + n / 8, n);
  for (int i = 0; i < n; ++i) visits.units.push_back(random.between(0, persons - 1));
  double number = 0;
  const auto& ranks = visits.attribute.ranks;
  for (std::int32_t v = 0; v <= *std::max_element(ranks.begin(), ranks.end()); ++v)
    visits.attribute.numbers.push_back(number += random.between(1, 20) / 4.0);
  return visits;
}

/// The level of a class; greater is better.
using Measure = std::function<double(const Visits&, const PersonRecords&)>;
using MakeConstraints = std::function<Constraints(const Visits&, double)>;

/// Promises the level of a start, or slightly less, and compares every answer.
void check(std::uint64_t seed, const MakeConstraints& promise, const Measure& measure) {
  std::mt19937_64 random(seed);
  RandomSensitive sensitive(seed);
  std::int64_t accepted = 0, refused = 0;
  // Small tables have classes at the limit of every promise, larger ones longer searches.
  for (int round = 0; round < trials(3000); ++round) {
    const Record n = round % 50 == 0 ? roll(random, 6, 50) : roll(random, 4, 12);
    const Visits visits = random_visits(sensitive, n);
    const Partition start = round_robin(in_order(n), roll(random, 1, n / 3));
    const Members lists = members_of(start);
    double promised = std::numeric_limits<double>::infinity();
    for (const RecordSpan of_class : lists)
      promised = std::min(promised, measure(visits, visits.of({of_class.begin(), of_class.end()})));
    promised -= round % 2 == 0 ? 1e-9 * std::max(1.0, std::fabs(promised)) : 0.1;
    if (!std::isfinite(promised)) continue;
    const Constraints constraints = promise(visits, promised);
    if (constraints.empty()) continue;
    AuditedConstraint audited(*constraints.back(), [&](const std::vector<Record>& members) {
      const double level = measure(visits, visits.of(members));
      if (std::fabs(level - promised) < 1e-11 * std::max(1.0, std::fabs(promised))) return 0;
      return level > promised ? 1 : -1;
    });
    RefineOptions options;
    options.effort = Effort::thorough;
    options.scale = 0.001;
    SilentTicker ticker;
    const Space space = random_space(random, n, std::vector<Attribute>(2));
    refine(space, start, 2, {&audited}, options, ticker);
    accepted += audited.accepted;
    refused += audited.refused;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 500);
}

Constraints promised_of(const Visits& visits, std::int32_t k,
                        const std::function<void(Promises&)>& set) {
  Promises promises;
  set(promises);
  return promised_constraints({visits.attribute}, promises, {visits.units, k});
}

TEST(PersonConstraints, ClassesOfKPersonsAgreeWithCountingOnEveryState) {
  check(
      71,
      [](const Visits& visits, double k) {
        return promised_of(visits, std::max(1, static_cast<std::int32_t>(std::ceil(k))),
                           [](Promises&) {});
      },
      [](const Visits&, const PersonRecords& one) { return reference::persons_k(one); });
}

TEST(PersonConstraints, SharesAgreeWithTheirDefinitionOnEveryState) {
  check(
      72,
      [](const Visits& visits, double level) -> Constraints {
        return promised_of(visits, 1,
                           [&](Promises& promises) { promises.alpha = std::min(1.0, -level); });
      },
      [](const Visits&, const PersonRecords& one) { return -reference::persons_share(one); });
}

TEST(PersonConstraints, DominanceAgreesWithItsDefinitionOnEveryState) {
  check(
      79,
      [](const Visits& visits, double level) -> Constraints {
        return promised_of(visits, 1,
                           [&](Promises& promises) { promises.dominance = std::min(1.0, -level); });
      },
      [](const Visits&, const PersonRecords& one) { return -reference::persons_dominance(one); });
}

TEST(PersonConstraints, DominanceNeedsAUnitAndNoValues) {
  Promises promises;
  promises.dominance = 0.5;
  EXPECT_THROW(promised_constraints({}, promises), Error);
  const Constraints constraints = promised_constraints({}, promises, {{0, 0, 1, 1, 1}, 2});
  const std::vector<Record> shared = {0, 1, 2, 3}, dominated = {0, 2, 3, 4};
  EXPECT_TRUE(all_allow(constraints, RecordSpan(shared)));
  EXPECT_FALSE(all_allow(constraints, RecordSpan(dominated)));
}

TEST(PersonConstraints, DiversityAgreesWithItsDefinitionOnEveryState) {
  check(
      78,
      [](const Visits& visits, double level) -> Constraints {
        return promised_of(visits, 1, [&](Promises& promises) {
          promises.l = std::max(1, static_cast<std::int32_t>(std::ceil(level)));
        });
      },
      [](const Visits&, const PersonRecords& one) { return reference::persons_distinct(one); });
}

TEST(PersonConstraints, EntropyAgreesWithItsDefinitionOnEveryState) {
  check(
      73,
      [](const Visits& visits, double level) -> Constraints {
        if (level < 1) return {};
        return promised_of(visits, 1, [&](Promises& promises) { promises.entropy_l = level; });
      },
      [](const Visits&, const PersonRecords& one) { return reference::persons_entropy_l(one); });
}

TEST(PersonConstraints, RecursiveDiversityAgreesWithItsDefinitionOnEveryState) {
  check(
      74,
      [](const Visits& visits, double level) -> Constraints {
        return promised_of(visits, 1, [&](Promises& promises) {
          promises.c = -level;
          promises.l = 2;
        });
      },
      [](const Visits&, const PersonRecords& one) {
        return -reference::persons_recursive_c(one, 2);
      });
}

TEST(PersonConstraints, RangesAgreeWithTheirDefinitionOnEveryState) {
  check(
      75,
      [](const Visits& visits, double level) -> Constraints {
        if (level <= 0) return {};
        return promised_of(visits, 1, [&](Promises& promises) { promises.e = level; });
      },
      [](const Visits& visits, const PersonRecords& one) {
        return reference::persons_range(one, visits.attribute.numbers);
      });
}

TEST(PersonConstraints, ClosenessAgreesWithItsDefinitionOnEveryState) {
  check(
      76,
      [](Visits visits, double level) -> Constraints {
        if (-level >= 1) return {};
        visits.attribute.t = -level;
        return promised_of(visits, 1, [&](Promises& promises) { promises.t = -level; });
      },
      [](const Visits& visits, const PersonRecords& one) {
        return -reference::persons_emd(one, visits.all(), visits.all(),
                                       visits.attribute.distance == GroundDistance::ordered);
      });
}

TEST(PersonConstraints, ADistanceByAHierarchyIsWhatTheJudgeMeasures) {
  std::mt19937_64 random(77);
  RandomSensitive sensitive(77);
  SilentTicker ticker;
  int kept = 0, broken = 0;
  for (int round = 0; round < 500; ++round) {
    const int n = sensitive.between(2, 30);
    Visits visits = random_visits(sensitive, n);
    const std::int32_t m =
        1 + *std::max_element(visits.attribute.ranks.begin(), visits.attribute.ranks.end());
    // Pairs of values below a root.
    visits.attribute.distance = GroundDistance::hierarchical;
    visits.attribute.taxonomy = {};
    PublishedAttribute published = {visits.attribute.ranks, AttributeScale::nominal, {}};
    published.levels.resize(2);
    for (std::int32_t v = 0; v < m; ++v) {
      visits.attribute.taxonomy.parent.push_back(m + v / 2);
      visits.attribute.taxonomy.height.push_back(0);
      published.levels[0].push_back(v / 2);
      published.levels[1].push_back(0);
    }
    for (std::int32_t g = 0; g <= (m - 1) / 2; ++g) {
      visits.attribute.taxonomy.parent.push_back(m + (m - 1) / 2 + 1);
      visits.attribute.taxonomy.height.push_back(1);
    }
    visits.attribute.taxonomy.parent.push_back(-1);
    visits.attribute.taxonomy.height.push_back(2);
    std::vector<std::int32_t> class_of;
    std::vector<std::vector<Record>> classes(2);
    for (int i = 0; i < n; ++i) {
      class_of.push_back(i < 2 ? i : sensitive.between(0, 1));
      classes[static_cast<std::size_t>(class_of.back())].push_back(i);
    }
    const ClassHistogram histogram(class_of, published, ticker, visits.units);
    const double level = find_model("t-closeness")->measure(histogram, {}, ticker).level;
    visits.attribute.t = round % 2 == 0 ? level : std::max(0.0, level - 1e-9);
    const PersonCloseness closeness(visits.attribute, visits.units);
    const bool both =
        closeness.allows(RecordSpan(classes[0])) && closeness.allows(RecordSpan(classes[1]));
    ASSERT_EQ(both, level <= visits.attribute.t) << round;
    ++(both ? kept : broken);
  }
  EXPECT_GT(kept, 200);
  EXPECT_GT(broken, 200);
}

TEST(ValueRange, NullsHaveNone) {
  SensitiveAttribute attribute;
  attribute.numbers = {1, 5};
  attribute.ranks = {0, 1, 2, 2};  // the last rank is that of null
  Promises promises;
  promises.e = 4;
  const Constraints range = promised_constraints({attribute}, promises);
  const std::vector<Record> nulls = {2, 3}, one = {1, 2, 3}, all = {0, 1, 2, 3};
  EXPECT_FALSE(all_allow(range, RecordSpan(nulls)));
  EXPECT_FALSE(all_allow(range, RecordSpan(nulls.data(), 1)));
  EXPECT_FALSE(all_allow(range, RecordSpan(one)));
  EXPECT_TRUE(all_allow(range, RecordSpan(all)));
}

TEST(PersonConstraints, ClosenessRefusesAnImpossibleT) {
  SensitiveAttribute attribute;
  attribute.ranks = {0, 1};
  for (const double t : {-0.1, 1.5, std::nan("")}) {
    attribute.t = t;
    EXPECT_THROW(PersonCloseness(attribute, {0, 1}), Error) << t;
  }
}

TEST(PersonValues, ANullIsNoNumber) {
  const std::vector<double> numbers = {1, 2};
  constexpr std::int32_t kNullRank = 2;
  const auto range = [&](const std::vector<std::int32_t>& ranks) {
    const std::vector<std::int32_t> units = {0, 1, 2};
    const PersonRange constraint(facts_of(ranks, units), numbers, 1);
    const std::vector<Record> members = {0, 1, 2};
    return constraint.allows(RecordSpan(members));
  };
  EXPECT_FALSE(range({0, 0, kNullRank}));
  EXPECT_FALSE(range({kNullRank, kNullRank, 1}));
  EXPECT_TRUE(range({0, kNullRank, 1}));
}

}  // namespace
}  // namespace anonkit
