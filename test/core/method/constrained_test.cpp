// Methods that accept any promises return a valid partition wherever one exists.

#include "method/constrained.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fixture/random_problem.hpp"
#include "fixture/random_sensitive.hpp"
#include "method/psensitive.hpp"
#include "method/repair/completing.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/round_robin.hpp"
#include "method/repair/uniting.hpp"
#include "metric/sse.hpp"

namespace anonkit {
namespace {

/// Calls f for every partition of n records into classes of k or more, until it returns true.
template <class Function>
bool any_partition(Record n, Record k, Partition& partition, const Function& f) {
  const auto at = partition.class_of.size();
  if (static_cast<Record>(at) == n) {
    std::vector<Record> sizes(static_cast<std::size_t>(partition.classes), 0);
    for (const ClassId c : partition.class_of) ++sizes[static_cast<std::size_t>(c)];
    for (const Record size : sizes)
      if (size < k) return false;
    return f(partition);
  }
  for (ClassId c = 0; c <= partition.classes; ++c) {
    const ClassId before = partition.classes;
    partition.class_of.push_back(c);
    partition.classes = std::max(before, c + 1);
    const bool found = any_partition(n, k, partition, f);
    partition.class_of.pop_back();
    partition.classes = before;
    if (found) return true;
  }
  return false;
}

bool is_possible(const Instance& instance) {
  Partition partition;
  return any_partition(instance.space.size(), instance.options.k, partition,
                       [&](const Partition& p) { return instance.keeps(p); });
}

/// The method's classes; empty if it declares the problem infeasible.
std::optional<Partition> form(const Instance& instance, const char* method) {
  SilentTicker ticker;
  try {
    return find_method(method)->form(instance.problem(), ticker).partition;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::infeasible) << error.what();
    return {};
  }
}

std::vector<SensitiveAttribute> random_attributes(RandomSensitive& random, int n, int most) {
  std::vector<SensitiveAttribute> attributes;
  for (int a = random.between(1, most); a > 0; --a) {
    attributes.push_back(random.make(
        random.between(0, 1) == 0 ? GroundDistance::ordered : GroundDistance::nominal, n, 1));
    if (random.between(0, 1) == 0) continue;
    attributes.back().distance = GroundDistance::ordered;
    double number = 0;
    for (int v = 0; v < n; ++v) attributes.back().numbers.push_back(number += random.between(1, 5));
    attributes.back().numbers.resize(static_cast<std::size_t>(
        1 + *std::max_element(attributes.back().ranks.begin(), attributes.back().ranks.end())));
  }
  return attributes;
}

TEST(Microaggregate, FindsPSensitiveClassesExactlyIfThereAreAny) {
  RandomSpaces spaces(101);
  RandomSensitive random(101);
  int found = 0, none = 0;
  for (int round = 0; round < 1200; ++round) {
    const Record n = random.between(1, round % 20 == 0 ? 8 : 6);
    Instance instance(spaces, round, n, random_attributes(random, n, 2));
    instance.options.promises.p = random.between(1, 4);
    instance.options.algorithm = "microaggregation";  // of psensitive
    const bool possible = is_possible(instance);
    for (const char* method : {"microaggregate", "psensitive"}) {
      const std::optional<Partition> classes = form(instance, method);
      ASSERT_EQ(classes.has_value(), possible) << method << ", round " << round;
      if (classes) {
        EXPECT_TRUE(instance.keeps(*classes));
      }
    }
    ++(possible ? found : none);
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(none, 300);
}

TEST(Microaggregate, KeepsAnyPromisesTogetherExactlyIfTheyCanBeKept) {
  RandomSpaces spaces(102);
  RandomSensitive random(102);
  int found = 0, none = 0;
  for (int round = 0; round < 600; ++round) {
    const Record n = random.between(2, 7);
    Instance instance(spaces, round, n, random_attributes(random, n, 2));
    Promises& promises = instance.options.promises;
    const auto some = [&] { return random.between(0, 2) == 0; };
    if (some()) promises.p = random.between(1, 3);
    if (some()) promises.l = random.between(1, 3);
    if (some()) promises.entropy_l = random.between(4, 8) / 4.0;
    if (some() && promises.l > 0) promises.c = random.between(3, 12) / 4.0;
    if (some()) promises.alpha = random.between(5, 10) / 10.0;
    if (some()) promises.t = random.between(1, 9) / 10.0;
    if (some()) promises.beta = random.between(1, 8) / 4.0;
    if (random.between(0, 5) == 0) promises.delta = random.between(1, 8) / 4.0;
    for (SensitiveAttribute& attribute : instance.attributes)
      if (promises.t > 0) attribute.t = promises.t;
    const bool possible = is_possible(instance);
    const std::optional<Partition> classes = form(instance, "microaggregate");
    ASSERT_EQ(classes.has_value(), possible) << "round " << round;
    if (classes) {
      EXPECT_TRUE(instance.keeps(*classes));
    }
    ++(possible ? found : none);
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(none, 50);
}

TEST(Kpqr, EndsInAValidPartitionOrAClearError) {
  RandomSpaces spaces(103);
  RandomSensitive random(103);
  int found = 0, none = 0, missed = 0;
  for (int round = 0; round < trials(400); ++round) {
    const Record n = random.between(2, 7);
    Instance instance(spaces, round, n, random_attributes(random, n, 2));
    Promises& promises = instance.options.promises;
    promises.p = random.between(1, 3);
    promises.q = random.between(2, 20) / 20.0;
    promises.r = random.between(0, 20) / 20.0;
    promises.variance_of = random.between(0, 1) == 0 ? VarianceOf::rare : VarianceOf::all;
    const bool possible = is_possible(instance);
    for (const char* algorithm : {"heuristic", "best"}) {
      instance.options.algorithm = algorithm;
      const std::optional<Partition> classes = form(instance, "kpqr");
      if (classes) {
        EXPECT_TRUE(instance.keeps(*classes));
      }
      ASSERT_LE(classes.has_value(), possible);
      missed += possible && !classes ? 1 : 0;
    }
    ++(possible ? found : none);
  }
  EXPECT_GT(found, trials(120));
  EXPECT_GT(none, trials(20));
  // Polynomial algorithms must miss some, because variance of several attributes is a packing
  // problem.
  EXPECT_LT(missed, found / 20) << "of " << found;
}

TEST(Microaggregate, LosesNoMoreThanItsStarts) {
  RandomSpaces spaces(104);
  RandomSensitive random(104);
  SilentTicker ticker;
  for (int round = 0; round < trials(40); ++round) {
    const Record n = random.between(20, 120);
    Instance instance(spaces, round, n, random_attributes(random, n, 2));
    instance.options.promises.p = 2;
    instance.options.promises.t = 0.4;
    for (SensitiveAttribute& attribute : instance.attributes) attribute.t = 0.4;
    const std::optional<Partition> classes = form(instance, "microaggregate");
    if (!classes) continue;
    EXPECT_TRUE(instance.keeps(*classes));
    const Constraints constraints =
        promised_constraints(instance.attributes, instance.options.promises);
    for (const Partition& start :
         feasible_starts(instance.problem(), constraints, Effort::thorough, ticker))
      EXPECT_LE(sse(instance.space, *classes), sse(instance.space, start) * (1 + 1e-9) + 1e-12);
  }
}

/// The error if six records with three sensitive values, lifted as given, are to be p-sensitive.
Error refusal_of_p(std::int32_t p, const std::vector<std::int32_t>& lifted) {
  RandomSpaces spaces(105);
  SensitiveAttribute attribute;
  attribute.ranks = {0, 0, 0, 1, 1, 2};
  attribute.lifted = lifted;
  Instance instance(spaces, 0, 6, {attribute});
  instance.options.promises.p = p;
  SilentTicker ticker;
  try {
    find_method("microaggregate")->form(instance.problem(), ticker);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::invalid_data, "no error"};
}

TEST(Microaggregate, SaysWhichModelAndWhatTheDataAllow) {
  const Error error = refusal_of_p(4, {});
  EXPECT_EQ(error.kind, ErrorKind::infeasible);
  EXPECT_STREQ(error.what(), "p-sensitivity cannot be had for sensitive column \"illness\"");
  EXPECT_EQ(error.detail,
            "Not even one class of all records satisfies it. The column has 3 distinct values; "
            "the most frequent one is in 3 of 6 records.");
}

TEST(Microaggregate, SaysHowManyValuesAreLeftIfProtectedOnesCountAsOne) {
  const Error error = refusal_of_p(3, {0, 1, 1});
  EXPECT_EQ(error.detail,
            "Not even one class of all records satisfies it. The column has 3 distinct values, "
            "2 if protected ones count as one; the most frequent one is in 3 of 6 records.");
}

TEST(Psensitive, NeedsPOfAtLeastOne) {
  Options options;
  options.promises.p = 0;
  EXPECT_THROW(check_psensitive(options), Error);
  options.promises.p = 1;
  check_psensitive(options);
}

TEST(Deal, FormsAsManyPSensitiveClassesOfOneAttributeAsThereCanBe) {
  RandomSensitive random(106);
  SilentTicker ticker;
  int several = 0;
  for (int round = 0; round < 400; ++round) {
    const Record n = random.between(1, 7);
    const SensitiveAttribute attribute = random.make(GroundDistance::nominal, n, 1);
    const Record k = random.between(1, std::min(n, 3));
    Promises promises;
    promises.p = random.between(1, 3);
    const Constraints constraints = promised_constraints({attribute}, promises);
    ClassId most = 0;
    Partition partition;
    any_partition(n, k, partition, [&](const Partition& p) {
      if (p.classes > most && all_allow(constraints, p, ticker)) most = p.classes;
      return false;
    });
    std::vector<Record> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    const std::optional<Partition> distributed =
        round_robin(round_robin_order({attribute}, all, RoundRobinBy::frequency, ticker), n, k,
                    constraints, ticker);
    ASSERT_EQ(distributed ? distributed->classes : 0, most) << "round " << round;
    several += most > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 100);
}

TEST(Uniting, EndsInClassesThatAreAllowedOrInOne) {
  RandomSpaces spaces(107);
  RandomSensitive random(107);
  SilentTicker ticker;
  int several = 0;
  for (int round = 0; round < 300; ++round) {
    const Record n = random.between(2, 60);
    Instance instance(spaces, round, n, random_attributes(random, n, 2));
    instance.options.promises.p = 2;
    instance.options.promises.q = 0.3;
    instance.options.promises.r = 0.4;
    Partition start;
    start.classes = random.between(1, n / 2);
    for (Record i = 0; i < n; ++i)
      start.class_of.push_back(i < start.classes ? i : random.between(-1, start.classes - 1));
    const Constraints constraints =
        promised_constraints(instance.attributes, instance.options.promises);
    const Partition united = unite_until_allowed(instance.space, start, constraints, ticker);
    EXPECT_TRUE(united.classes == 1 || all_allow(constraints, united, ticker));
    EXPECT_EQ(members_of(united).records.size(), start.class_of.size());
    several += united.classes > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 50);
}

/// How many classes the constraints reject.
int rejected(const Constraints& constraints, const Partition& partition) {
  const Members members = members_of(partition);
  int count = 0;
  for (const RecordSpan of_class : members) count += all_allow(constraints, of_class) ? 0 : 1;
  return count;
}

TEST(Completing, EndsWithFewerRejectedClassesOfAtLeastK) {
  RandomSpaces spaces(109);
  RandomSensitive random(109);
  SilentTicker ticker;
  int completed = 0, left = 0;
  for (int round = 0; round < trials(600); ++round) {
    const Record n = random.between(2, 60);
    Instance instance(spaces, round, n, random_attributes(random, n, 2));
    Promises& promises = instance.options.promises;
    const double shares[] = {0.3, 0.5, 0.7};
    switch (random.between(0, 3)) {
      case 0:
        promises.l = random.between(2, 3);
        break;
      case 1:
        promises.alpha = shares[random.between(0, 2)];
        break;
      case 2:
        promises.t = shares[random.between(0, 2)];
        break;
      default:
        promises.entropy_l = 2;
    }
    const Record k = instance.options.k;
    Partition start{{}, n / k};
    for (Record i = 0; i < n; ++i) start.class_of.push_back(i % start.classes);
    const Constraints constraints = promised_constraints(instance.attributes, promises);
    const Partition found = complete_classes(
        instance.space, start, k, round % 2 == 0 ? alike_in(instance.problem()) : std::nullopt,
        constraints, ticker);
    const int before = rejected(constraints, start), after = rejected(constraints, found);
    EXPECT_LE(after, before);
    EXPECT_EQ(found.classes, start.classes);
    const Members members = members_of(found);
    EXPECT_EQ(static_cast<Record>(members.records.size()), n);
    for (const RecordSpan of_class : members) EXPECT_GE(of_class.size(), k);
    completed += before - after;
    left += after;
  }
  EXPECT_GT(completed, trials(100));
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace anonkit
