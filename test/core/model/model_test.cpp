#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "base/error.hpp"
#include "base/ratio.hpp"
#include "model/counts.hpp"
#include "model/entropy_l_diversity.hpp"
#include "model/k_e_anonymity.hpp"
#include "model/models.hpp"
#include "model/recursive_cl_diversity.hpp"
#include "model/t_closeness.hpp"
#include "reference/models.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

ClassHistogram nominal(const Codes& class_of, const Codes& codes) {
  SilentTicker ticker;
  return ClassHistogram(class_of, {codes, AttributeScale::nominal, {}}, ticker);
}

ClassHistogram numeric(const Codes& class_of, const Codes& codes, std::vector<double> numbers) {
  SilentTicker ticker;
  return ClassHistogram(class_of, {codes, AttributeScale::numeric, std::move(numbers)}, ticker);
}

double level_of(const char* model, const ClassHistogram& histogram, std::int32_t l = 2) {
  SilentTicker ticker;
  ModelParameters parameters;
  parameters.l = l;
  return find_model(model)->measure(histogram, parameters, ticker).level;
}

ErrorKind kind_of_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind;
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::out_of_memory;
}

// The salaries, in thousands, of Li, Li and Venkatasubramanian (ICDE 2007): nine patients in three
// classes.
const Codes kLiClasses = {0, 0, 0, 1, 1, 1, 2, 2, 2};
const std::vector<double> kSalaries = {3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST(TCloseness, SalaryExampleOfLiLiVenkatasubramanian) {
  // {3k,4k,5k}: 0.375, the worst of its table.
  SilentTicker ticker;
  const Level first =
      ordered_t_closeness(numeric(kLiClasses, {0, 1, 2, 3, 5, 8, 4, 6, 7}, kSalaries), ticker);
  EXPECT_EQ(first.level, 0.375);
  EXPECT_EQ(first.worst_class, 0);
  // {6k,8k,11k}: 0.167; the other six salaries, in one class, are nearer.
  const Level second = ordered_t_closeness(
      numeric({1, 1, 1, 0, 1, 0, 1, 1, 0}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, kSalaries), ticker);
  EXPECT_EQ(second.level, 1.0 / 6);
  EXPECT_EQ(second.worst_class, 0);
}

TEST(TCloseness, ReleaseOfLiLiVenkatasubramanianIsClose) {
  // Table 5: {3k,5k,9k}, {6k,11k,8k}, {4k,7k,10k} has 0.167-closeness with respect to salary.
  const double level =
      level_of("t-closeness", numeric(kLiClasses, {0, 2, 6, 3, 8, 5, 1, 4, 7}, kSalaries));
  EXPECT_EQ(level, 1.0 / 6);
}

TEST(TCloseness, BoundsOfPropositions1And2AreMet) {
  // n = 20 distinct values in classes of 4, one from each fifth. If all lie in the middle of their
  // fifths, the EMD is (n+k)(n-k)/(4n(n-1)k); if all lie at the lower end, it is (n-k)/(2(n-1)k).
  Codes codes(20), classes(20);
  for (std::int32_t i = 0; i < 20; ++i) {
    codes[static_cast<std::size_t>(i)] = i;
    classes[static_cast<std::size_t>(i)] = i % 5 == 2 ? 0 : 1;
  }
  SilentTicker ticker;
  const ClassHistogram middle = nominal(classes, codes);
  EXPECT_EQ(ordered_t_closeness(middle, ticker).level, 24.0 * 16 / (4 * 20 * 19 * 4));
  for (std::int32_t i = 0; i < 20; ++i) classes[static_cast<std::size_t>(i)] = i % 5;
  EXPECT_EQ(ordered_t_closeness(nominal(classes, codes), ticker).level, 16.0 / (2 * 19 * 4));
}

TEST(TCloseness, AnEmdThatEqualsTPasses) {
  // Classes of 20 records, `ones` of which have the second of two values, in a relation with equal
  // counts of both. The EMD is |ones/20 - 1/2| for both distances, times 10^5 records.
  SilentTicker ticker;
  const double t[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5};
  for (int ones = 11; ones <= 20; ++ones) {
    Codes classes, codes;
    for (std::int32_t i = 0; i < 100000; ++i) {
      classes.push_back(i / 50000);
      codes.push_back((i % 20 < ones) == (i < 50000));
    }
    const ClassHistogram histogram = nominal(classes, codes);
    EXPECT_EQ(ordered_t_closeness(histogram, ticker).level, t[ones - 11]);
    EXPECT_EQ(nominal_t_closeness(histogram, ticker).level, t[ones - 11]);
  }
}

TEST(TCloseness, FractionsBeyondDoublesAreTakenInLowestTerms) {
  // Without the reduction, the numerator, the denominator and the quotient would each be rounded.
  std::mt19937_64 random(3);
  for (int round = 0; round < 1000; ++round) {
    const Wide huge = Wide{random()} << (random() % 30);
    ASSERT_EQ(ratio(3 * huge, 20 * huge), 0.15);
    ASSERT_EQ(ratio(7 * huge, 10 * huge), 0.7);
    ASSERT_EQ(ratio(0, huge), 0);
    ASSERT_EQ(ratio(huge, huge), 1);
  }
}

TEST(TCloseness, RunsOfManyValuesAreExact) {
  // The i-th of m values occurs once, in class i modulo 10. For class 0, the difference of the
  // cumulative shares after value i is (9 - i modulo 10) / m: 45/m for every ten values.
  constexpr std::int32_t m = 1000000;
  Codes classes, codes;
  for (std::int32_t i = 0; i < m; ++i) {
    codes.push_back(i);
    classes.push_back(i % 10);
  }
  SilentTicker ticker;
  const Level level = ordered_t_closeness(nominal(classes, codes), ticker);
  EXPECT_EQ(level.level, 4.5 / (m - 1));
  EXPECT_EQ(level.worst_class, 0);
}

TEST(TCloseness, NominalIsHalfTheL1Distance) {
  // P = (1, 0, 0), Q = (1/2, 1/4, 1/4)
  EXPECT_EQ(level_of("t-closeness", nominal({0, 0, 1, 1}, {0, 0, 1, 2})), 0.5);
  // In the ordered distance, the mass of 1/2 moves one or two of two steps: (1/4)(1/2) + (1/4)(1).
  SilentTicker ticker;
  EXPECT_EQ(ordered_t_closeness(nominal({0, 0, 1, 1}, {0, 0, 1, 2}), ticker).level, 0.375);
}

TEST(TCloseness, TheScaleOfTheAttributeChoosesTheDistance) {
  SilentTicker ticker;
  const Codes classes = {0, 0, 1, 1}, codes = {0, 0, 1, 2};
  const ClassHistogram ordinal(classes, {codes, AttributeScale::ordinal, {}}, ticker);
  EXPECT_EQ(level_of("t-closeness", ordinal), 0.375);
  EXPECT_EQ(level_of("t-closeness", numeric(classes, codes, {1, 2, 3})), 0.375);
}

TEST(LDiversity, InpatientExampleOfMachanavajjhala) {
  // Figure 3 of the paper on l-diversity: 3-diverse; 0 heart disease, 1 viral infection, 2 cancer.
  const Codes classes = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  const ClassHistogram diverse = nominal(classes, {0, 1, 2, 2, 2, 0, 1, 1, 0, 1, 2, 2});
  EXPECT_EQ(level_of("distinct l-diversity", diverse), 3);
  EXPECT_EQ(level_of("p-sensitivity", diverse), 3);
  // The paper: this table is entropy 2.8-diverse. Entropy of (1/2,1/4,1/4) is 1.5 bits: 2^1.5.
  EXPECT_NEAR(level_of("entropy l-diversity", diverse), 2 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(level_of("(alpha,k)-anonymity", diverse), 0.5);
  // Figure 2, 4-anonymous: its last class has only cancer.
  const ClassHistogram anonymous = nominal(classes, {0, 0, 1, 1, 2, 0, 1, 1, 2, 2, 2, 2});
  SilentTicker ticker;
  EXPECT_EQ(distinct_l_diversity(anonymous, ticker).level, 1);
  EXPECT_EQ(distinct_l_diversity(anonymous, ticker).worst_class, 2);
  EXPECT_EQ(entropy_l_diversity(anonymous, ticker).level, 1);
}

TEST(LDiversity, EqualSharesGiveWholeEntropyLevels) {
  SilentTicker ticker;
  for (std::int32_t l = 1; l <= 300; ++l) {
    for (const std::int32_t each : {1, 3, 7}) {
      Codes codes;
      for (std::int32_t i = 0; i < l * each; ++i) codes.push_back(i % l);
      const Codes classes(codes.size(), 0);
      ASSERT_EQ(entropy_l_diversity(nominal(classes, codes), ticker).level, l) << each;
    }
  }
  // Unequal shares may have 2 bits as well: 1/2 and four times 1/8.
  const ClassHistogram unequal = nominal(Codes(8, 0), {0, 0, 0, 0, 1, 2, 3, 4});
  EXPECT_EQ(entropy_l_diversity(unequal, ticker).level, 4);
}

TEST(LDiversity, AMillionDistinctValues) {
  Codes codes(1000000);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int32_t>(i);
  SilentTicker ticker;
  EXPECT_EQ(entropy_l_diversity(nominal(Codes(codes.size(), 0), codes), ticker).level, 1000000);
}

// Half of the values have two records, and half have three.
TEST(LDiversity, EntropyOfManyValuesHasAllDigits) {
  constexpr std::int32_t kPairs = 50000;
  Codes codes;
  for (std::int32_t v = 0; v < 2 * kPairs; ++v) codes.insert(codes.end(), v % 2 == 0 ? 2U : 3U, v);
  SilentTicker ticker;
  const double level = entropy_l_diversity(nominal(Codes(codes.size(), 0), codes), ticker).level;
  const long double of_pair = (2 * std::log(2.0L) + 3 * std::log(3.0L)) / 5;
  const auto entropy = static_cast<double>(std::log(5.0L * kPairs) - of_pair);
  EXPECT_NEAR(std::log(level), entropy, 4e-15);
}

TEST(LDiversity, RecursiveLevelIsTheLeastCThatJustFails) {
  // Counts 5, 3, 2, 1: l=1: 5/11, l=2: 5/6, l=3: 5/3, l=4: 5/1, l=5: no c holds.
  const ClassHistogram histogram = nominal(Codes(11, 0), {4, 4, 4, 4, 4, 0, 0, 0, 2, 2, 7});
  const double expected[] = {5.0 / 11, 5.0 / 6, 5.0 / 3, 5,
                             std::numeric_limits<double>::infinity()};
  for (int l = 1; l <= 5; ++l) {
    EXPECT_EQ(level_of("recursive (c,l)-diversity", histogram, l), expected[l - 1]) << l;
  }
  const Model& model = *find_model("recursive (c,l)-diversity");
  EXPECT_FALSE(model.keeps(5, 5));  // r_1 < c (r_l + ...) is strict
  EXPECT_TRUE(model.keeps(5.01, 5));
}

TEST(KEAnonymity, IsTheSmallestRange) {
  const std::vector<double> numbers = {-2.5, 0, 10, 100};
  SilentTicker ticker;
  const Level level = k_e_anonymity(numeric({0, 0, 1, 1, 1}, {0, 3, 2, 0, 2}, numbers), ticker);
  EXPECT_EQ(level.level, 12.5);
  EXPECT_EQ(level.worst_class, 1);
}

TEST(KEAnonymity, NullIsNoNumber) {
  const std::vector<double> numbers = {1, 4, 9};  // code 3 is null
  EXPECT_EQ(level_of("(k,e)-anonymity", numeric({0, 0, 0}, {0, 1, 3}, numbers)), 3);
  EXPECT_EQ(level_of("(k,e)-anonymity", numeric({0, 0, 1, 1}, {0, 2, 3, 3}, numbers)), 0);
  EXPECT_EQ(level_of("(k,e)-anonymity", numeric({0, 0}, {0, 0}, {})), 0);
}

TEST(KEAnonymity, NeedsNumbers) {
  const ClassHistogram histogram = nominal({0, 0}, {0, 1});
  EXPECT_EQ(kind_of_error([&] { level_of("(k,e)-anonymity", histogram); }),
            ErrorKind::invalid_parameter);
}

TEST(ClassHistogram, ValuesAreTheCodesThatOccur) {
  // An enum of six labels, three of them in use: m = 3 for the ordered distance, not 6.
  const ClassHistogram sparse = nominal({0, 1, 0, 1}, {5, 1, 1, 3});
  const ClassHistogram dense = nominal({0, 1, 0, 1}, {2, 0, 0, 1});
  EXPECT_EQ(sparse.values(), 3);
  EXPECT_EQ(sparse.count(0), 2);
  SilentTicker ticker;
  EXPECT_EQ(ordered_t_closeness(sparse, ticker).level, ordered_t_closeness(dense, ticker).level);
}

TEST(ClassHistogram, RefusesWhatIsNoRelation) {
  SilentTicker ticker;
  EXPECT_EQ(kind_of_error([&] { ClassHistogram({}, ticker); }), ErrorKind::invalid_data);
  EXPECT_EQ(kind_of_error([] { nominal({}, {}); }), ErrorKind::invalid_data);
  EXPECT_EQ(kind_of_error([] { nominal({0, 2}, {0, 0}); }), ErrorKind::internal);
  EXPECT_EQ(kind_of_error([] { nominal({0, -1}, {0, 0}); }), ErrorKind::internal);
  EXPECT_EQ(kind_of_error([] { nominal({0, 0}, {0}); }), ErrorKind::internal);
  EXPECT_EQ(kind_of_error([] { numeric({0, 0}, {0, 2}, {1}); }), ErrorKind::internal);
  EXPECT_EQ(kind_of_error([] { numeric({0, 0}, {0, 1}, {2, 1}); }), ErrorKind::internal);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(kind_of_error([&] { numeric({0, 0}, {0, 1}, {1, bad}); }), ErrorKind::invalid_data);
  }
}

TEST(Models, OneClassOneValue) {
  const ClassHistogram histogram = numeric({0, 0, 0}, {0, 0, 0}, {7});
  EXPECT_EQ(level_of("k-anonymity", histogram), 3);
  EXPECT_EQ(level_of("p-sensitivity", histogram), 1);
  EXPECT_EQ(level_of("entropy l-diversity", histogram), 1);
  EXPECT_EQ(level_of("recursive (c,l)-diversity", histogram),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(level_of("(alpha,k)-anonymity", histogram), 1);
  EXPECT_EQ(level_of("(k,e)-anonymity", histogram), 0);
  EXPECT_EQ(level_of("t-closeness", histogram), 0);
}

TEST(Models, OneRecordAClass) {
  const ClassHistogram histogram = numeric({0, 1, 2, 3}, {0, 1, 2, 3}, {1, 2, 3, 4});
  EXPECT_EQ(level_of("k-anonymity", histogram), 1);
  EXPECT_EQ(level_of("distinct l-diversity", histogram), 1);
  EXPECT_EQ(level_of("(alpha,k)-anonymity", histogram), 1);
  EXPECT_EQ(level_of("t-closeness", histogram), 0.5);  // (3/4 + 2/4 + 1/4) / 3
}

TEST(Models, KAnonymityNeedsNoAttribute) {
  SilentTicker ticker;
  const Level level = k_anonymity(ClassHistogram({0, 1, 1, 2, 0, 0, 2}, ticker), ticker);
  EXPECT_EQ(level.level, 2);
  EXPECT_EQ(level.worst_class, 1);
}

TEST(Models, TheTableKnowsNamesAndDirections) {
  EXPECT_EQ(find_model("k"), nullptr);
  EXPECT_EQ(find_model("k-map")->needs, AttributeNeed::elsewhere);
  EXPECT_EQ(find_model("k-anonymity")->needs, AttributeNeed::none);
  EXPECT_EQ(find_model("(k,e)-anonymity")->needs, AttributeNeed::numeric);
  const ClassHistogram histogram = nominal({0, 0}, {0, 1});
  for (const char* model : {"k-anonymity", "(k,e)-anonymity", "extended p-sensitivity",
                            "(n,t)-closeness", "(k,p,q,r)-anonymity: p"})
    EXPECT_FALSE(find_model(model)->is_about(histogram, {})) << model;
  EXPECT_TRUE(find_model("p-sensitivity")->is_about(histogram, {}));
  EXPECT_TRUE(find_model("k-anonymity")->keeps(5, 5));
  EXPECT_FALSE(find_model("k-anonymity")->keeps(5, 4));
  EXPECT_TRUE(find_model("t-closeness")->keeps(0.15, 0.15));
  EXPECT_FALSE(find_model("t-closeness")->keeps(0.15, 0.16));
  for (const Model& model : models()) EXPECT_EQ(find_model(model.name), &model);
}

struct Relation {
  Codes class_of;
  Codes code_of;
  std::vector<double> numbers;
};

/// n records, every class with at least one, codes with ties and gaps; the last code may be null.
Relation random_relation(std::mt19937_64& random, std::size_t n) {
  const auto below = [&](std::size_t bound) { return static_cast<std::int32_t>(random() % bound); };
  const auto classes = static_cast<std::size_t>(1 + below(std::min<std::size_t>(n, 6)));
  const auto codes = static_cast<std::size_t>(1 + below(random() % 2 == 0 ? 4 : 2 * n));
  Relation relation;
  for (std::size_t i = 0; i < n; ++i) {
    relation.class_of.push_back(i < classes ? static_cast<std::int32_t>(i) : below(classes));
    relation.code_of.push_back(below(codes));
  }
  double number = below(10);
  for (std::size_t v = static_cast<std::size_t>(below(2)); v < codes; ++v) {
    relation.numbers.push_back(number);
    number += below(4) / 4.0;
  }
  return relation;
}

void expect_worst(const Level& found, const std::vector<double>& by_class, bool largest) {
  const double worst = largest ? *std::max_element(by_class.begin(), by_class.end())
                               : *std::min_element(by_class.begin(), by_class.end());
  if (std::isinf(worst)) {
    ASSERT_EQ(found.level, worst);
  } else {
    ASSERT_NEAR(found.level, worst, 1e-12 * std::max(1.0, worst));
    ASSERT_NEAR(by_class[static_cast<std::size_t>(found.worst_class)], worst,
                1e-12 * std::max(1.0, worst));
  }
}

TEST(Models, EqualTheirDefinitionsOnRandomRelations) {
  std::mt19937_64 random(7);
  SilentTicker ticker;
  for (int round = 0; round < 5000; ++round) {
    const Relation r = random_relation(random, 1 + random() % 40);
    const ClassHistogram histogram = numeric(r.class_of, r.code_of, r.numbers);
    const auto l = static_cast<std::int32_t>(1 + random() % 4);
    std::vector<double> size, distinct, entropy, c, share, range, ordered, equal;
    for (const Codes& members : reference::codes_by_class(r.class_of, r.code_of)) {
      size.push_back(static_cast<double>(members.size()));
      distinct.push_back(reference::distinct(members));
      entropy.push_back(reference::entropy_l(members));
      c.push_back(reference::recursive_c(members, l));
      share.push_back(reference::largest_share(members));
      range.push_back(reference::range(members, r.numbers));
      ordered.push_back(reference::ordered_emd(members, r.code_of));
      equal.push_back(reference::nominal_emd(members, r.code_of));
    }
    SCOPED_TRACE(round);
    expect_worst(k_anonymity(histogram, ticker), size, false);
    expect_worst(p_sensitivity(histogram, ticker), distinct, false);
    expect_worst(distinct_l_diversity(histogram, ticker), distinct, false);
    expect_worst(entropy_l_diversity(histogram, ticker), entropy, false);
    expect_worst(recursive_cl_diversity(histogram, l, ticker), c, true);
    expect_worst(alpha_k_anonymity(histogram, ticker), share, true);
    expect_worst(k_e_anonymity(histogram, ticker), range, false);
    expect_worst(ordered_t_closeness(histogram, ticker), ordered, true);
    expect_worst(nominal_t_closeness(histogram, ticker), equal, true);
    if (HasFatalFailure()) return;
  }
}

TEST(TCloseness, IsTheLeastCostOfATransport) {
  std::mt19937_64 random(11);
  SilentTicker ticker;
  for (int round = 0; round < 200; ++round) {
    // Classes {0..size-1} and the rest of n records, with size*n <= 8 grains.
    const std::size_t n = 2 + random() % 3;
    const std::size_t size = n == 4 ? 1 + random() % 2 : 1 + random() % (n - 1);
    Codes classes(n, 1), codes(n);
    std::fill(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(size), 0);
    for (std::int32_t& code : codes) code = static_cast<std::int32_t>(random() % n);
    // The models report only the worst class. If the second class is small enough too, the
    // reference is the worse of both; otherwise the first one is a lower bound.
    const std::vector<Codes> members = reference::codes_by_class(classes, codes);
    const ClassHistogram histogram = nominal(classes, codes);
    for (const bool ordered : {true, false}) {
      const double found = (ordered ? ordered_t_closeness(histogram, ticker)
                                    : nominal_t_closeness(histogram, ticker))
                               .level;
      const double first = reference::transport(members[0], codes, ordered);
      if (members[1].size() * n <= 8) {
        ASSERT_NEAR(found, std::max(first, reference::transport(members[1], codes, ordered)),
                    1e-12);
      } else {
        ASSERT_GE(found, first - 1e-12);
      }
    }
  }
}

TEST(Models, DirectionsHaveWords) {
  EXPECT_STREQ(words_of(Comparison::at_least), "at least");
  EXPECT_STREQ(words_of(Comparison::at_most), "at most");
  EXPECT_STREQ(words_of(Comparison::less_than), "less than");
}

}  // namespace
}  // namespace anonkit
