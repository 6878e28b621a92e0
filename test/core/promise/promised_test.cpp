// The constraints of promised models, held against the definitions on every state of a search, and
// against the models that judge releases.

#include "promise/promised.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/search_fixture.hpp"
#include "model/entropy_l_diversity.hpp"
#include "model/kpqr_anonymity.hpp"
#include "model/models.hpp"
#include "reference/models.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

using reference::Codes;

Codes codes_of(const SensitiveAttribute& attribute, const std::vector<Record>& members) {
  Codes codes;
  for (const Record i : members) codes.push_back(attribute.ranks[static_cast<std::size_t>(i)]);
  return codes;
}

std::vector<std::vector<Record>> lists(const Partition& partition) {
  std::vector<std::vector<Record>> lists(static_cast<std::size_t>(partition.classes));
  for (std::size_t i = 0; i < partition.class_of.size(); ++i)
    lists[static_cast<std::size_t>(partition.class_of[i])].push_back(static_cast<Record>(i));
  return lists;
}

/// Ordered, nominal or numbers: with ties and some large gaps.
SensitiveAttribute random_attribute(RandomSensitive& random, int n) {
  SensitiveAttribute attribute = random.make(
      random.between(0, 1) == 0 ? GroundDistance::ordered : GroundDistance::nominal, n, 1);
  if (random.between(0, 1) == 0) return attribute;
  const std::int32_t values = 1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
  attribute.distance = GroundDistance::ordered;
  double number = random.between(-3, 3);
  for (std::int32_t v = 0; v < values; ++v)
    attribute.numbers.push_back(number += random.between(1, 20) / 4.0);
  return attribute;
}

/// The constraint of one promise.
template <class Set>
std::unique_ptr<Constraint> constraint_of(const SensitiveAttribute& attribute, const Set& set) {
  Promises promises;
  set(promises);
  Constraints constraints = promised_constraints({attribute}, promises);
  EXPECT_EQ(constraints.size(), 1u);
  return std::move(constraints.front());
}

SensitiveAttribute of_codes(const Codes& codes) {
  SensitiveAttribute attribute;
  attribute.ranks = codes;
  return attribute;
}

/// The level of a class by definition; greater is better.
using Measure = std::function<double(const Codes&)>;

/// Promises the level of a start, or slightly less, and compares every answer.
struct Tally {
  std::int64_t accepted = 0, refused = 0;
};

void search_under(const SensitiveAttribute& attribute, Constraint& constraint,
                  const Measure& measure, double promised, std::mt19937_64& random,
                  const Partition& start, Tally* tally) {
  const auto n = static_cast<Record>(attribute.ranks.size());
  const Space space = random_space(random, n, std::vector<Attribute>(2));
  AuditedConstraint audited(constraint, [&](const std::vector<Record>& members) {
    const double level = measure(codes_of(attribute, members));
    if (std::fabs(level - promised) < 1e-11 * std::max(1.0, std::fabs(promised))) return 0;
    return level > promised ? 1 : -1;
  });
  RefineOptions options;
  options.effort = Effort::thorough;
  options.scale = 0.001;
  SilentTicker ticker;
  refine(space, start, 2, {&audited}, options, ticker);
  tally->accepted += audited.accepted;
  tally->refused += audited.refused;
}

double least_of(const SensitiveAttribute& attribute, const Partition& start,
                const Measure& measure) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& members : lists(start))
    least = std::min(least, measure(codes_of(attribute, members)));
  return least;
}

using Make = std::function<std::unique_ptr<Constraint>(const SensitiveAttribute&, double)>;

void check(std::uint64_t seed, const Make& make, const Measure& measure) {
  std::mt19937_64 random(seed);
  RandomSensitive sensitive(seed);
  Tally tally;
  for (int round = 0; round < 60; ++round) {
    const Record n = roll(random, 4, 60);
    const SensitiveAttribute attribute = random_attribute(sensitive, n);
    const Partition start = round_robin(in_order(n), roll(random, 1, n / 2));
    double promised = least_of(attribute, start, measure);
    if (std::isinf(promised)) continue;
    promised -= round % 2 == 0 ? 1e-9 * std::max(1.0, std::fabs(promised)) : 0.1;
    const auto constraint = make(attribute, promised);
    if (constraint != nullptr)
      search_under(attribute, *constraint, measure, promised, random, start, &tally);
  }
  EXPECT_GT(tally.accepted, 1000);
  EXPECT_GT(tally.refused, 1000);
}

TEST(EntropyDiversity, AgreesWithItsDefinitionOnEveryState) {
  check(
      61,
      [](const SensitiveAttribute& attribute, double l) -> std::unique_ptr<Constraint> {
        if (l < 1) return nullptr;
        return constraint_of(attribute, [&](Promises& p) { p.entropy_l = l; });
      },
      reference::entropy_l);
}

bool entropy_diverse(const Codes& codes, double l, const std::vector<Record>& members) {
  return constraint_of(of_codes(codes), [&](Promises& p) { p.entropy_l = l; })
      ->allows(RecordSpan(members));
}

TEST(EntropyDiversity, EqualSharesKeepAWholeL) {
  Codes codes;
  for (std::int32_t i = 0; i < 5000; ++i) codes.push_back(i % 50);
  for (std::int32_t l = 1; l <= 50; ++l)
    for (const int each : {1, 2, 7, 100}) {
      std::vector<Record> members;
      for (Record i = 0; i < 50 * each; ++i)
        if (i % 50 < l) members.push_back(i);
      EXPECT_TRUE(entropy_diverse(codes, l, members));
      EXPECT_FALSE(entropy_diverse(codes, l + 1e-9, members));
    }
}

TEST(RecursiveDiversity, AgreesWithItsDefinitionOnEveryState) {
  for (const std::int32_t l : {1, 2, 3})
    check(
        62 + static_cast<std::uint64_t>(l),
        [l](const SensitiveAttribute& attribute, double level) -> std::unique_ptr<Constraint> {
          if (!(level < 0 && level > -1e200)) return nullptr;
          return constraint_of(attribute, [&](Promises& p) {
            p.c = -level;
            p.l = l;
          });
        },
        [l](const Codes& members) {
          const double c = reference::recursive_c(members, l);
          return std::isinf(c) ? -1e300 : -c;
        });
}

TEST(RecursiveDiversity, RefusesAnExactC) {
  // Counts 3, 2, 1: r_1 / (r_2 + r_3) = 1.
  const Codes codes = {0, 0, 0, 1, 1, 2};
  const std::vector<Record> all = in_order(6);
  const auto allows = [&](double c, std::int32_t l) {
    return constraint_of(of_codes(codes),
                         [&](Promises& p) {
                           p.c = c;
                           p.l = l;
                         })
        ->allows(RecordSpan(all));
  };
  EXPECT_FALSE(allows(1, 2));
  EXPECT_TRUE(allows(std::nextafter(1, 2), 2));
  EXPECT_FALSE(allows(100, 4));
}

TEST(LargestShare, AgreesWithItsDefinitionOnEveryState) {
  check(
      66,
      [](const SensitiveAttribute& attribute, double level) -> std::unique_ptr<Constraint> {
        if (level < -1) return nullptr;
        return constraint_of(attribute, [&](Promises& p) { p.alpha = -level; });
      },
      [](const Codes& members) { return -reference::largest_share(members); });
}

TEST(ValueRange, AgreesWithItsDefinitionOnEveryState) {
  std::mt19937_64 random(67);
  RandomSensitive sensitive(67);
  Tally tally;
  for (int round = 0; round < 100; ++round) {
    const Record n = roll(random, 4, 60);
    const SensitiveAttribute attribute = random_attribute(sensitive, n);
    if (attribute.numbers.empty()) continue;
    const Measure measure = [&](const Codes& members) {
      return reference::range(members, attribute.numbers);
    };
    const Partition start = round_robin(in_order(n), roll(random, 1, std::max(1, n / 4)));
    const double e = least_of(attribute, start, measure);
    if (!(e > 0)) continue;
    const auto range = constraint_of(attribute, [&](Promises& p) { p.e = e; });
    search_under(attribute, *range, measure, e, random, start, &tally);
  }
  EXPECT_GT(tally.accepted, 1000);
  EXPECT_GT(tally.refused, 1000);
}

/// +1, -1, or 0 where rounding decides.
int kpqr_verdict(const SensitiveAttribute& attribute, const Promises& promises,
                 const Codes& members) {
  if (reference::rare(members, attribute.ranks, promises.q).empty()) return 1;
  if (reference::distinct(members) < promises.p) return -1;
  std::vector<double> places;
  for (std::size_t v = 0; v < attribute.ranks.size(); ++v) places.push_back(static_cast<double>(v));
  const std::vector<double>* numbers = !attribute.numbers.empty() ? &attribute.numbers
                                       : attribute.distance == GroundDistance::ordered ? &places
                                                                                       : nullptr;
  const Codes whole = promises.variance_of == VarianceOf::all
                          ? attribute.ranks
                          : reference::rare(attribute.ranks, attribute.ranks, promises.q);
  const double least = promises.r * reference::variance(whole, numbers);
  const double found = reference::variance(members, numbers);
  if (std::fabs(found - least) <= 1e-9 * least) return found == least ? 1 : 0;
  return found > least ? 1 : -1;
}

TEST(RareValues, AgreesWithItsDefinitionOnEveryState) {
  std::mt19937_64 random(71);
  RandomSensitive sensitive(71);
  Tally tally;
  for (int round = 0; round < trials(400); ++round) {
    const Record n = roll(random, 6, 60);
    const SensitiveAttribute attribute = random_attribute(sensitive, n);
    Promises promises;
    promises.p = roll(random, 1, 4);
    promises.q = roll(random, 1, 20) / 20.0;
    promises.r = roll(random, 0, 19) / 20.0;
    promises.variance_of = round % 2 == 0 ? VarianceOf::rare : VarianceOf::all;
    const auto audit = [&](const std::vector<Record>& members) {
      return kpqr_verdict(attribute, promises, codes_of(attribute, members));
    };
    const Constraints constraints = promised_constraints({attribute}, promises);
    ASSERT_EQ(constraints.size(), 1u);
    for (ClassId classes = n / 2; classes >= 1; --classes) {
      const Partition start = round_robin(in_order(n), classes);
      const auto members = lists(start);
      if (!std::all_of(members.begin(), members.end(),
                       [&](const auto& m) { return all_allow(constraints, RecordSpan(m)); }))
        continue;
      const Space space = random_space(random, n, std::vector<Attribute>(2));
      AuditedConstraint audited(*constraints.front(), audit);
      RefineOptions options;
      options.effort = Effort::thorough;
      options.scale = 0.001;
      SilentTicker ticker;
      refine(space, start, 2, {&audited}, options, ticker);
      tally.accepted += audited.accepted;
      tally.refused += audited.refused;
      break;
    }
  }
  EXPECT_GT(tally.accepted, 1000);
  EXPECT_GT(tally.refused, 1000);
}

TEST(RareValues, AnExactShareOfTheVarianceHolds) {
  // The variance of 1 .. 4 is 5/3, that of {2, 3} is 1/2.
  SensitiveAttribute attribute;
  attribute.ranks = {0, 1, 2, 3};
  attribute.numbers = {1, 2, 3, 4};
  const std::vector<Record> pair = {1, 2};
  const auto allows = [&](std::int32_t p, double q, double r) {
    return constraint_of(attribute,
                         [&](Promises& promises) {
                           promises.p = p;
                           promises.q = q;
                           promises.r = r;
                           promises.variance_of = VarianceOf::all;
                         })
        ->allows(RecordSpan(pair));
  };
  EXPECT_TRUE(allows(2, 0.3, 0.3));
  EXPECT_FALSE(allows(2, 0.3, 0.3 + 1e-9));
  EXPECT_FALSE(allows(3, 0.3, 0));
  // One in four is not rarer than 0.25.
  EXPECT_TRUE(allows(3, 0.25, 1));
}

/// The judges' verdict on a partition, for each attribute and model.
bool judges_agree(const std::vector<SensitiveAttribute>& attributes, const Promises& promises,
                  const Partition& partition) {
  SilentTicker ticker;
  ModelParameters parameters;
  parameters.l = promises.l;
  parameters.q = promises.q;
  parameters.variance_of = promises.variance_of;
  const bool kpqr = promises.kpqr();
  const std::pair<const char*, double> levels[] = {
      {"p-sensitivity", kpqr ? 0 : promises.p},
      {"distinct l-diversity", promises.c > 0 ? 0 : promises.l},
      {"entropy l-diversity", promises.entropy_l},
      {"recursive (c,l)-diversity", promises.c},
      {"(alpha,k)-anonymity", promises.alpha},
      {"(k,e)-anonymity", promises.e},
      {"t-closeness", promises.t},
      {"enhanced beta-likeness", promises.beta},
      {"basic beta-likeness", promises.beta},
      {"delta-disclosure", promises.delta},
      {"(k,p,q,r)-anonymity: p", kpqr ? promises.p : 0},
      {"(k,p,q,r)-anonymity: r", kpqr ? promises.r : 0},
  };
  for (const SensitiveAttribute& attribute : attributes) {
    const AttributeScale scale = !attribute.numbers.empty() ? AttributeScale::numeric
                                 : attribute.distance == GroundDistance::ordered
                                     ? AttributeScale::ordinal
                                     : AttributeScale::nominal;
    const ClassHistogram histogram(partition.class_of, {attribute.ranks, scale, attribute.numbers},
                                   ticker);
    for (const auto& [name, promised] : levels) {
      if (promised == 0) continue;
      const Model& model = *find_model(name);
      if (!model.keeps(promised, model.measure(histogram, parameters, ticker).level)) return false;
    }
  }
  return true;
}

TEST(Promised, ConstraintsAndJudgesSayTheSame) {
  std::mt19937_64 random(81);
  RandomSensitive sensitive(81);
  std::int64_t yes = 0, no = 0;
  for (int round = 0; round < 8000; ++round) {
    const Record n = roll(random, 2, 40);
    std::vector<SensitiveAttribute> attributes;
    for (int a = roll(random, 1, 2); a > 0; --a)
      attributes.push_back(random_attribute(sensitive, n));
    Promises promises;
    const auto some = [&] { return roll(random, 0, 3) == 0; };
    if (some()) promises.p = roll(random, 1, 3);
    if (some()) promises.l = roll(random, 1, 3);
    if (some()) promises.entropy_l = roll(random, 4, 12) / 4.0;
    if (some() && promises.l > 0) promises.c = roll(random, 2, 12) / 4.0;
    if (some()) promises.alpha = roll(random, 4, 10) / 10.0;
    if (some()) promises.t = roll(random, 2, 10) / 10.0;
    const bool numbers = std::all_of(attributes.begin(), attributes.end(),
                                     [](const auto& a) { return !a.numbers.empty(); });
    if (some() && numbers) promises.e = roll(random, 1, 20) / 4.0;
    if (some()) {
      promises.p = roll(random, 1, 3);
      promises.q = roll(random, 1, 20) / 20.0;
      promises.r = roll(random, 0, 20) / 20.0;
      promises.variance_of = roll(random, 0, 1) == 0 ? VarianceOf::rare : VarianceOf::all;
    }
    if (roll(random, 0, 5) == 0) promises.beta = roll(random, 1, 12) / 4.0;
    if (roll(random, 0, 5) == 0) promises.delta = roll(random, 1, 12) / 4.0;
    for (SensitiveAttribute& attribute : attributes) attribute.t = promises.t > 0 ? promises.t : 1;
    const Partition partition = round_robin(in_order(n), roll(random, 1, std::max(1, n / 3)));
    const Constraints constraints = promised_constraints(attributes, promises);
    const auto members = lists(partition);
    const bool allowed = std::all_of(members.begin(), members.end(), [&](const auto& m) {
      return all_allow(constraints, RecordSpan(m));
    });
    ASSERT_EQ(allowed, judges_agree(attributes, promises, partition))
        << "round " << round << ": p " << promises.p << " l " << promises.l << " entropy "
        << promises.entropy_l << " c " << promises.c << " alpha " << promises.alpha << " e "
        << promises.e << " t " << promises.t << " q " << promises.q << " r " << promises.r
        << " beta " << promises.beta << " delta " << promises.delta;
    ++(allowed ? yes : no);
  }
  EXPECT_GT(yes, 1000);
  EXPECT_GT(no, 1000);
}

Promises random_promises(std::mt19937_64& random, bool numbers) {
  Promises promises;
  const auto some = [&] { return roll(random, 0, 2) == 0; };
  if (some()) promises.p = roll(random, 2, 3);
  if (some()) promises.l = roll(random, 2, 3);
  if (some()) promises.entropy_l = roll(random, 5, 9) / 4.0;
  if (some() && promises.l > 0) promises.c = roll(random, 4, 12) / 4.0;
  if (some()) promises.alpha = roll(random, 5, 9) / 10.0;
  if (some()) promises.t = roll(random, 3, 8) / 10.0;
  if (some() && numbers) promises.e = roll(random, 1, 12) / 4.0;
  if (roll(random, 0, 3) == 0) {
    promises.p = roll(random, 2, 3);
    promises.q = roll(random, 2, 10) / 20.0;
    promises.r = roll(random, 1, 12) / 20.0;
    promises.variance_of = roll(random, 0, 1) == 0 ? VarianceOf::rare : VarianceOf::all;
  }
  if (roll(random, 0, 3) == 0) promises.beta = roll(random, 4, 12) / 4.0;
  if (roll(random, 0, 3) == 0) promises.delta = roll(random, 4, 12) / 4.0;
  return promises;
}

TEST(Promised, TheJudgesFindEveryStateOfASearchAsPromised) {
  std::mt19937_64 random(82);
  RandomSensitive sensitive(82);
  std::int64_t searches = 0, states = 0, models = 0;
  for (int round = 0; round < trials(1500); ++round) {
    const Record n = roll(random, 12, 40);
    std::vector<SensitiveAttribute> attributes;
    for (int a = roll(random, 1, 2); a > 0; --a)
      attributes.push_back(random_attribute(sensitive, n));
    const Promises promises =
        random_promises(random, std::all_of(attributes.begin(), attributes.end(),
                                            [](const auto& a) { return !a.numbers.empty(); }));
    for (SensitiveAttribute& attribute : attributes) attribute.t = promises.t > 0 ? promises.t : 1;
    const Constraints constraints = promised_constraints(attributes, promises);
    const Partition start = round_robin(in_order(n), roll(random, 1, n / 3));
    const auto classes = lists(start);
    if (constraints.empty() || !std::all_of(classes.begin(), classes.end(), [&](const auto& m) {
          return all_allow(constraints, RecordSpan(m));
        }))
      continue;
    // Last in the list, so that all others have allowed a change before.
    StateListener listener(n, [&](const Partition& state) {
      ++states;
      EXPECT_TRUE(judges_agree(attributes, promises, state)) << "round " << round;
    });
    std::vector<Constraint*> all = pointers(constraints);
    all.push_back(&listener);
    RefineOptions options;
    options.effort = Effort::thorough;
    options.scale = 0.001;
    options.seed = static_cast<std::uint64_t>(round);
    SilentTicker ticker;
    refine(random_space(random, n, std::vector<Attribute>(2)), start, 2, all, options, ticker);
    ++searches;
    models += static_cast<std::int64_t>(constraints.size());
  }
  EXPECT_GT(searches, trials(300));
  EXPECT_GT(models, 2 * searches);
  EXPECT_GT(states, trials(10000));
}

TEST(Promised, ProtectedValuesCountAsWhatTheyAreLiftedTo) {
  SensitiveAttribute attribute;
  attribute.ranks = {0, 1, 2, 3};
  attribute.lifted = {5, 5, 5, 9};
  Promises promises;
  promises.p = 2;
  const Constraints constraints = promised_constraints({attribute}, promises);
  EXPECT_FALSE(all_allow(constraints, RecordSpan(std::vector<Record>{0, 1, 2})));
  EXPECT_TRUE(all_allow(constraints, RecordSpan(std::vector<Record>{0, 3})));
}

TEST(Promised, RefusesWhatIsOutOfRange) {
  SensitiveAttribute attribute;
  attribute.ranks = {0, 1};
  const auto refused = [&](auto&& set) {
    Promises promises;
    set(promises);
    EXPECT_THROW(promised_constraints({attribute}, promises), Error);
  };
  refused([](Promises& p) { p.entropy_l = 0.5; });
  refused([](Promises& p) { p.c = 2; });  // without l
  refused([](Promises& p) { p.alpha = 1.5; });
  refused([](Promises& p) { p.e = 1; });  // no numbers
  refused([](Promises& p) { p.q = 1.5; });
  refused([](Promises& p) { p.r = 1.5; });
  refused([](Promises& p) {
    p.alpha = std::nan("");
    p.c = std::nan("");
    p.q = -1;
    p.r = 1;
  });
}

TEST(KpqrAnonymity, SaysWhichClassIsWorstAndOfWhat) {
  // 1..4 once each in ten records are rarer than 0.2, and 9 is not. Classes {1,9,9}, {2,3}, {4,9},
  // {9,9,9}: three have a rare value.
  SilentTicker ticker;
  const ClassHistogram histogram(
      {0, 0, 0, 1, 1, 2, 2, 3, 3, 3},
      {{0, 4, 4, 1, 2, 3, 4, 4, 4, 4}, AttributeScale::numeric, {1, 2, 3, 4, 9}}, ticker);
  const KpqrLevel found = kpqr_anonymity(histogram, 0.2, VarianceOf::rare, ticker);
  EXPECT_EQ(found.bound_classes, 3);
  EXPECT_EQ(found.p.level, 2);
  EXPECT_EQ(found.p.worst_class, 0);
  // {2,3} has variance 1/2, 1..4 have 5/3.
  EXPECT_EQ(found.r.level, 0.3);
  EXPECT_EQ(found.r.worst_class, 1);
  const KpqrLevel none = kpqr_anonymity(histogram, 0.1, VarianceOf::rare, ticker);
  EXPECT_EQ(none.bound_classes, 0);
  EXPECT_TRUE(std::isinf(none.p.level) && std::isinf(none.r.level));
  EXPECT_THROW(kpqr_anonymity(histogram, 1.5, VarianceOf::rare, ticker), Error);
}

}  // namespace
}  // namespace anonkit
