// The table of promises: each parameter once, names that the judges know, and one verdict of the
// search, the lattice and the judge on the same class.

#include "promise/promise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "base/error.hpp"
#include "fixture/lattice_fixture.hpp"
#include "fixture/search_fixture.hpp"
#include "method/full_domain/frequencies.hpp"
#include "method/full_domain/node_constraint.hpp"
#include "model/models.hpp"
#include "promise/population_limits.hpp"
#include "promise/promised.hpp"

namespace anonkit {
namespace {

TEST(PromiseTable, NamesEachParameterOnce) {
  std::set<std::string> keys;
  for (const Promise* promise : kPromiseTable)
    for (const Parameter& parameter : promise->parameters)
      if (parameter.key != nullptr) {
        EXPECT_TRUE(keys.insert(parameter.key).second) << parameter.key;
      }
  EXPECT_EQ(keys, (std::set<std::string>{"p",           "l",
                                         "entropy_l",   "c",
                                         "alpha",       "e",
                                         "q",           "r",
                                         "variance_of", "t",
                                         "t_each",      "n",
                                         "beta",        "delta",
                                         "dominance",   "risk_mean",
                                         "risk_above",  "risk_threshold",
                                         "k_map",       "delta_presence"}));
}

TEST(PromiseTable, IsJudgedByNamesThatAuditsPrint) {
  std::set<std::string> names;
  for (const Promise* promise : kPromiseTable) {
    EXPECT_TRUE(names.insert(promise->name).second);
    EXPECT_NE(promise->levels[0].model, nullptr);
    for (const JudgedLevel& level : promise->levels)
      if (level.model != nullptr) {
        EXPECT_NE(find_model(level.model), nullptr) << level.model;
        ASSERT_NE(level.adjective, nullptr) << level.model;
      }
  }
}

TEST(Options, PromiseAndLimitNothingByDefault) {
  const Options options;
  for (const Promise* promise : kPromiseTable) {
    EXPECT_FALSE(promise->is_made(options.promises)) << promise->name;
    for (const Parameter& parameter : promise->parameters) {
      if (parameter.integer != nullptr) {
        EXPECT_EQ(options.promises.*parameter.integer, 0) << promise->name;
      }
      if (parameter.number != nullptr) {
        EXPECT_EQ(options.promises.*parameter.number, 0) << promise->name;
      }
    }
  }
  EXPECT_EQ(options.promises.threshold_of_risk(), kUsualRiskThreshold);
  EXPECT_EQ(options.k, 0);
  EXPECT_EQ(options.refine_seconds, 0);
  EXPECT_EQ(options.lower_bound_seconds, 0);
  EXPECT_EQ(options.block_size, 0);
  EXPECT_EQ(options.transparency.adapt, 0);
  const AggregateKnowledge& knowledge = options.aggregate;
  EXPECT_EQ(knowledge.count, 0);
  EXPECT_EQ(knowledge.attributes, 0);
  EXPECT_EQ(knowledge.d, 0);
  EXPECT_EQ(knowledge.k, 0);
}

TEST(PromiseTable, FindsTheLeastNumberOfValues) {
  Promises promises;
  EXPECT_EQ(least_values(promises), 1);
  promises.alpha = 0.3;
  EXPECT_EQ(least_values(promises), 4);
  promises.entropy_l = 4.5;
  EXPECT_EQ(least_values(promises), 5);
  promises.l = 6;
  promises.c = 2;
  EXPECT_EQ(least_values(promises), 6);
  promises.p = 7;
  EXPECT_EQ(least_values(promises), 7);
  EXPECT_EQ(least_values(promises, [](const Promise& promise) { return !promise.lifted; }), 6);
  EXPECT_EQ(least_values(only(promises, upward_closed_rows)), 7);
}

TEST(PromiseTable, FindsLimitsThatSuffice) {
  Promises promises;
  promises.entropy_l = 4;
  promises.alpha = 0.3;
  promises.p = 3;
  EXPECT_EQ(limits_of(promises).share, 0.25);
  EXPECT_EQ(limits_of(promises).distinct, 3);
  const ValueLimits exact =
      limits_of(promises, [](const Promise& promise) { return promise.limits_are_exact; });
  EXPECT_EQ(exact.share, 0.3);
}

TEST(PromiseTable, LeavesUpwardClosedPromisesAlone) {
  Promises promises;
  promises.p = promises.l = 2;
  promises.entropy_l = promises.c = promises.e = 2;
  promises.alpha = promises.t = promises.q = 0.5;
  const double each[] = {0.5};
  promises.t_each = each;
  promises.n = 100;
  const Promises left = only(promises, upward_closed_rows);
  EXPECT_EQ(left.p, 2);
  EXPECT_EQ(left.l, 2);
  EXPECT_EQ(left.e, 2);
  EXPECT_TRUE(left.entropy_l == 0 && left.c == 0 && left.alpha == 0 && left.q == 0);
  EXPECT_FALSE(left.t_close() || left.n > 0 || left.kpqr());
}

TEST(PromiseTable, RefusesAParameterWithoutTheOther) {
  Promises promises;
  promises.c = 2;
  EXPECT_THROW(check_parameters(promises), Error);
  promises.l = 2;
  check_parameters(promises);
  promises.r = 0.5;
  EXPECT_THROW(check_parameters(promises), Error);
  promises.q = 0.5;
  check_parameters(promises);
}

/// A class of all records, as the search, the lattice and the judge see it.
struct OneClass {
  explicit OneClass(const std::vector<std::int32_t>& counts) {
    for (std::size_t value = 0; value < counts.size(); ++value)
      attribute.ranks.insert(attribute.ranks.end(), static_cast<std::size_t>(counts[value]),
                             static_cast<std::int32_t>(value));
    attribute.distance = GroundDistance::nominal;
  }

  bool in_search(const Promises& promises) const {
    const std::vector<Record> all = in_order(static_cast<Record>(attribute.ranks.size()));
    return all_allow(promised_constraints({attribute}, promises), RecordSpan(all));
  }

  bool in_lattice(const Promises& promises) const {
    OwnedProblem owned;
    owned.add(Hierarchy(std::vector<std::vector<std::int32_t>>{{0}}),
              std::vector<std::int32_t>(attribute.ranks.size(), 0));
    owned.problem.sensitive = {attribute};
    owned.problem.promises = promises;
    SilentTicker ticker;
    const GroupedRecords records(owned.problem, ticker);
    return NodeConstraint(owned.problem, records.leaves).keeps(records.leaves, 0);
  }

  double level(const char* model, std::int32_t l) const {
    SilentTicker ticker;
    const std::vector<std::int32_t> one(attribute.ranks.size(), 0);
    ModelParameters parameters;
    parameters.l = l;
    return find_model(model)
        ->measure(ClassHistogram(one, {attribute.ranks, AttributeScale::nominal, {}}, ticker),
                  parameters, ticker)
        .level;
  }

  void expect_one_verdict(const Promises& promises, const char* model, double promised,
                          bool kept) const {
    EXPECT_EQ(in_search(promises), kept) << model << ' ' << promised;
    EXPECT_EQ(in_lattice(promises), kept) << model << ' ' << promised;
    EXPECT_EQ(find_model(model)->keeps(promised, level(model, std::max(promises.l, 1))), kept)
        << model << ' ' << promised;
  }

  SensitiveAttribute attribute;
};

TEST(PromiseTable, AnEntropyOfExactlyLIsKeptEverywhere) {
  // 2^1.5 equally frequent values.
  const OneClass uneven({2, 1, 1});
  for (const double l : {2.8284271247461898, 2.8284271247461903, 2.8284271247461907}) {
    Promises promises;
    promises.entropy_l = l;
    uneven.expect_one_verdict(promises, "entropy l-diversity", l, true);
  }
  std::mt19937_64 random(91);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int32_t> counts;
    for (int value = roll(random, 1, 7); value > 0; --value) counts.push_back(roll(random, 1, 9));
    const OneClass one(counts);
    const double level = one.level("entropy l-diversity", 2);
    for (const double l :
         {level, std::nextafter(level, 9), level * (1 - 1e-9), level * (1 + 1e-9)}) {
      if (l < 1) continue;
      Promises promises;
      promises.entropy_l = l;
      one.expect_one_verdict(promises, "entropy l-diversity", l, l < level * (1 + 1e-10));
    }
  }
}

TEST(PromiseTable, SharesOfClassesAreJudgedAlikeEverywhere) {
  std::mt19937_64 random(92);
  int kept = 0, broken = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::int32_t> counts;
    for (int value = roll(random, 1, 5); value > 0; --value) counts.push_back(roll(random, 1, 6));
    const OneClass one(counts);
    Promises promises;
    const char* model = nullptr;
    double promised = 0;
    switch (round % 4) {
      case 0:
        model = "(alpha,k)-anonymity";
        promised = promises.alpha = roll(random, 1, 20) / 20.0;
        break;
      case 1:
        model = "recursive (c,l)-diversity";
        promises.l = roll(random, 1, 4);
        promised = promises.c = roll(random, 1, 12) / 4.0;
        break;
      case 2:
        model = "distinct l-diversity";
        promised = promises.l = roll(random, 1, 5);
        break;
      default:
        model = "p-sensitivity";
        promised = promises.p = roll(random, 1, 5);
    }
    const double level = one.level(model, std::max(promises.l, 1));
    const bool keeps = find_model(model)->keeps(promised, level);
    one.expect_one_verdict(promises, model, promised, keeps);
    ++(keeps ? kept : broken);
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(broken, 500);
}

TEST(PopulationLimits, BoundTheNumberAndTheShareOfAClassOfThePopulation) {
  Promises promises;
  promises.k_map = 5;
  EXPECT_TRUE(PopulationLimits(promises).keeps(1, 5));
  EXPECT_FALSE(PopulationLimits(promises).keeps(4, 4));
  promises.presence_least = 0.25;
  promises.presence_largest = 0.5;
  const PopulationLimits both(promises);
  EXPECT_TRUE(both.keeps(2, 8) && both.keeps(4, 8));
  EXPECT_FALSE(both.keeps(1, 8) || both.keeps(5, 8) || both.keeps(2, 4));
}

}  // namespace
}  // namespace anonkit
