// 'best' is never above another algorithm, a start, or the shorter search.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/error.hpp"
#include "fixture/random_problem.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/trials.hpp"
#include "method/constrained.hpp"
#include "method/method.hpp"
#include "metric/sse.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

constexpr double kRounding = 1 + 1e-9;

/// A method's loss: NCP if ranges are published, else SSE; empty if it finds no classes.
std::optional<double> loss_of(Instance& instance, const char* method, const char* algorithm,
                              Effort effort) {
  instance.options.algorithm = algorithm;
  instance.options.refine = instance.options.effort = effort;
  SilentTicker ticker;
  Partition found;
  try {
    found = find_method(method)->form(instance.problem(), ticker).partition;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::infeasible) << error.what();
    return {};
  }
  if (instance.options.recode == Recode::centroid) return sse(instance.space, found);
  const GeneralisationSpace space = generalisation_space(
      instance.table, instance.rows, instance.columns, instance.options.recode, ticker);
  return total_loss(NcpLoss(space), found, ticker);
}

/// Compares 'best' with the method's other algorithms and, if `thorough`, with the shorter search.
void expect_best(Instance& instance, const char* method, const std::vector<const char*>& others,
                 bool thorough) {
  const std::optional<double> fast = loss_of(instance, method, "best", Effort::fast);
  for (const char* other : others) {
    const std::optional<double> loss = loss_of(instance, method, other, Effort::none);
    if (!loss) continue;
    ASSERT_TRUE(fast.has_value()) << method << ' ' << other;
    EXPECT_LE(*fast, *loss * kRounding + 1e-12) << method << ' ' << other;
  }
  if (!fast || !thorough) return;
  EXPECT_LE(*loss_of(instance, method, "best", Effort::thorough), *fast * kRounding + 1e-12)
      << method;
}

std::vector<SensitiveAttribute> one_attribute(RandomSensitive& random, int n, double t) {
  SensitiveAttribute attribute = random.make(GroundDistance::ordered, n, t);
  const std::int32_t values = 1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
  for (std::int32_t v = 0; v < values; ++v) attribute.numbers.push_back(v);
  return {attribute};
}

class Best : public ::testing::Test {
 protected:
  /// One instance for each shape of table, with few records if the search is thorough.
  template <class Check>
  void on_tables(int all, const Check& check) {
    RandomSpaces spaces(21);
    RandomSensitive random(22);
    for (int round = 0; round < trials(all); ++round) {
      const bool thorough = round % 16 == 5;
      const Record n = thorough ? 12 : random.between(2, 50);
      Instance instance(spaces, round, n, one_attribute(random, n, random.between(1, 9) * 0.1));
      instance.options.recode = round % 3 == 0 ? Recode::range : Recode::centroid;
      check(instance, random, thorough);
    }
  }
};

TEST_F(Best, OfTClosenessBeatsEveryAlgorithm) {
  on_tables(60, [](Instance& instance, RandomSensitive&, bool thorough) {
    instance.options.recode = Recode::centroid;
    instance.options.promises.t = instance.attributes.front().t;
    expect_best(instance, "tclose", {"t_first", "k_first", "merge", "sabre"}, thorough);
  });
}

TEST_F(Best, OfPSensitivityBeatsEveryAlgorithm) {
  on_tables(120, [](Instance& instance, RandomSensitive& random, bool thorough) {
    instance.options.promises.p = random.between(1, 4);
    expect_best(instance, "psensitive", {"enhanced", "greedy", "microaggregation", "auto"},
                thorough);
  });
}

TEST_F(Best, OfKpqrBeatsTheHeuristic) {
  on_tables(60, [](Instance& instance, RandomSensitive& random, bool thorough) {
    instance.options.recode = Recode::centroid;
    instance.options.promises.p = random.between(1, 3);
    instance.options.promises.q = 0.5;
    instance.options.promises.r = random.between(0, 8) * 0.1;
    expect_best(instance, "kpqr", {"heuristic"}, thorough);
  });
}

TEST_F(Best, OfMondrianBeatsEveryCut) {
  on_tables(60, [](Instance& instance, RandomSensitive& random, bool thorough) {
    instance.options.recode = Recode::range;
    if (random.between(0, 1) == 0) instance.options.promises.l = random.between(1, 3);
    expect_best(instance, "mondrian", {"strict", "relaxed"}, thorough);
  });
}

TEST_F(Best, MicroaggregationIsNeverAboveMdavOrVmdav) {
  on_tables(120, [](Instance& instance, RandomSensitive&, bool thorough) {
    instance.options.recode = Recode::centroid;
    instance.attributes.clear();
    const double fast = *loss_of(instance, "microaggregate", nullptr, Effort::fast);
    for (const char* other : {"mdav", "vmdav"})
      EXPECT_LE(fast, *loss_of(instance, other, nullptr, Effort::none) * kRounding + 1e-12)
          << other;
    if (!thorough) return;
    EXPECT_LE(*loss_of(instance, "microaggregate", nullptr, Effort::thorough),
              fast * kRounding + 1e-12);
  });
}

}  // namespace
}  // namespace anonkit
