// Every model for persons with several records, against its definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "fixture/trials.hpp"
#include "model/dominance.hpp"
#include "model/history_k_anonymity.hpp"
#include "model/joint_values.hpp"
#include "model/kpqr_anonymity.hpp"
#include "model/models.hpp"
#include "model/t_closeness.hpp"
#include "reference/persons.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;
using reference::PersonRecords;

/// Records with class, person and value; the last value may be null.
struct Visits {
  Codes class_of, person_of, value_of;
  std::vector<double> numbers;

  PersonRecords all() const {
    PersonRecords records;
    for (std::size_t i = 0; i < class_of.size(); ++i)
      records.push_back({person_of[i], value_of[i]});
    return records;
  }
  std::vector<PersonRecords> by(const Codes& group_of) const {
    std::vector<PersonRecords> groups;
    for (std::size_t i = 0; i < class_of.size(); ++i) {
      const auto g = static_cast<std::size_t>(group_of[i]);
      if (g >= groups.size()) groups.resize(g + 1);
      groups[g].push_back({person_of[i], value_of[i]});
    }
    return groups;
  }
  ClassHistogram histogram(AttributeScale scale = AttributeScale::numeric) const {
    SilentTicker ticker;
    return ClassHistogram(
        class_of,
        {value_of, scale, scale == AttributeScale::numeric ? numbers : std::vector<double>()},
        ticker, person_of);
  }
};

Visits random_visits(std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) { return static_cast<std::int32_t>(random() % bound); };
  const auto n = static_cast<std::size_t>(1 + below(random() % 4 == 0 ? 90 : 24));
  const auto classes = static_cast<std::size_t>(1 + below(std::min<std::size_t>(n, 5)));
  const auto persons = static_cast<std::size_t>(1 + n / 16 + static_cast<std::size_t>(below(n)));
  const auto values = static_cast<std::size_t>(1 + below(random() % 2 == 0 ? 3 : 12));
  Visits visits;
  for (std::size_t i = 0; i < n; ++i) {
    const auto person = static_cast<std::size_t>(below(persons));
    visits.class_of.push_back(i < classes ? static_cast<std::int32_t>(i) : below(classes));
    visits.person_of.push_back(static_cast<std::int32_t>(person));
    visits.value_of.push_back(below(values));
  }
  double number = below(10);
  for (std::size_t v = static_cast<std::size_t>(below(2)); v < values; ++v)
    visits.numbers.push_back(number += 0.25 + below(4));
  return visits;
}

double level_of(const char* model, const ClassHistogram& histogram,
                const ModelParameters& parameters = {}) {
  SilentTicker ticker;
  return find_model(model)->measure(histogram, parameters, ticker).level;
}

template <class Measure>
double least(const std::vector<PersonRecords>& classes, Measure measure) {
  double level = std::numeric_limits<double>::infinity();
  for (const PersonRecords& one : classes) level = std::min(level, measure(one));
  return level;
}

template <class Measure>
double greatest(const std::vector<PersonRecords>& classes, Measure measure) {
  return -least(classes, [&](const PersonRecords& one) { return -measure(one); });
}

void expect_level(double found, double expected) {
  if (std::isinf(expected))
    ASSERT_EQ(found, expected);
  else
    ASSERT_NEAR(found, expected, 1e-11 * std::max(1.0, expected));
}

TEST(Persons, ModelsEqualTheirDefinitionsOnRandomRelations) {
  std::mt19937_64 random(23);
  for (int round = 0; round < trials(5000) && !::testing::Test::HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const Visits visits = random_visits(random);
    const auto classes = visits.by(visits.class_of);
    const PersonRecords all = visits.all();
    const ClassHistogram numbers = visits.histogram();
    const ClassHistogram names = visits.histogram(AttributeScale::nominal);
    ModelParameters parameters;
    parameters.l = static_cast<std::int32_t>(1 + random() % 4);
    expect_level(level_of("k-anonymity", numbers), least(classes, reference::persons_k));
    expect_level(level_of("p-sensitivity", numbers), least(classes, reference::persons_distinct));
    expect_level(level_of("distinct l-diversity", numbers),
                 least(classes, reference::persons_distinct));
    expect_level(level_of("entropy l-diversity", numbers),
                 least(classes, reference::persons_entropy_l));
    expect_level(level_of("(alpha,k)-anonymity", numbers),
                 greatest(classes, reference::persons_share));
    expect_level(level_of("recursive (c,l)-diversity", numbers, parameters),
                 greatest(classes, [&](const PersonRecords& one) {
                   return reference::persons_recursive_c(one, parameters.l);
                 }));
    expect_level(level_of("(k,e)-anonymity", numbers), least(classes, [&](const auto& one) {
                   return reference::persons_range(one, visits.numbers);
                 }));
    for (const bool ordered : {true, false})
      expect_level(level_of("t-closeness", ordered ? numbers : names),
                   greatest(classes, [&](const PersonRecords& one) {
                     return reference::persons_emd(one, all, all, ordered);
                   }));
    expect_level(level_of("k-anonymity of histories", numbers),
                 reference::histories_k(visits.class_of, visits.person_of));
    expect_level(level_of("dominance", numbers), greatest(classes, reference::persons_dominance));
    const std::vector<std::size_t> candidates = reference::joint_candidates(classes);
    const double single = static_cast<double>(std::count(candidates.begin(), candidates.end(), 1U));
    const double fewest =
        candidates.empty()
            ? numbers.values()
            : static_cast<double>(*std::min_element(candidates.begin(), candidates.end()));
    expect_level(level_of("joint values: fewest", numbers), fewest);
    expect_level(level_of("joint values: single", numbers),
                 candidates.empty() ? 0 : single / static_cast<double>(candidates.size()));
  }
}

TEST(Persons, NtClosenessEqualsItsDefinitionOnRandomRelations) {
  std::mt19937_64 random(29);
  for (int round = 0; round < trials(3000) && !::testing::Test::HasFatalFailure(); ++round) {
    const Visits visits = random_visits(random);
    const auto classes = visits.by(visits.class_of);
    // A random superset for each class.
    std::vector<Codes> supersets(1);
    for (std::size_t c = 0; c < classes.size(); ++c)
      supersets[0].push_back(static_cast<std::int32_t>(c == 0 ? 0 : random() % 2));
    Codes superset_of_record;
    for (const std::int32_t c : visits.class_of)
      superset_of_record.push_back(supersets[0][static_cast<std::size_t>(c)]);
    const auto populations = visits.by(superset_of_record);
    ModelParameters parameters;
    parameters.n = static_cast<std::int32_t>(1 + random() % 6);
    parameters.supersets = &supersets;
    for (const bool ordered : {true, false}) {
      double expected = 0;
      for (std::size_t c = 0; c < classes.size(); ++c) {
        const PersonRecords& mine = populations[static_cast<std::size_t>(supersets[0][c])];
        double nearest = reference::persons_emd(classes[c], visits.all(), visits.all(), ordered);
        if (reference::persons_k(mine) >= parameters.n)
          nearest =
              std::min(nearest, reference::persons_emd(classes[c], mine, visits.all(), ordered));
        expected = std::max(expected, nearest);
      }
      expect_level(
          level_of("(n,t)-closeness",
                   visits.histogram(ordered ? AttributeScale::numeric : AttributeScale::nominal),
                   parameters),
          expected);
    }
  }
}

TEST(Persons, KpqrEqualsItsDefinitionOnRandomRelations) {
  std::mt19937_64 random(31);
  SilentTicker ticker;
  for (int round = 0; round < trials(3000) && !::testing::Test::HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const Visits visits = random_visits(random);
    const PersonRecords all = visits.all();
    const auto weights = reference::weights_of(all);
    const double q = 0.05 + static_cast<double>(random() % 10) / 10 + 0.0123;
    for (const VarianceOf of : {VarianceOf::all, VarianceOf::rare})
      for (const bool named : {false, true}) {
        const std::vector<double>* numbers = named ? nullptr : &visits.numbers;
        std::map<std::int32_t, double> reference_weights;
        const auto rare = [&](std::int32_t v) {
          return weights.at(v) / reference::persons_k(all) < q;
        };
        for (const auto& [value, weight] : weights)
          if (of == VarianceOf::all || rare(value)) reference_weights[value] = weight;
        const double whole = reference::persons_variance(reference_weights, numbers);
        double p = std::numeric_limits<double>::infinity(), r = p;
        std::int32_t bound = 0;
        for (const PersonRecords& one : visits.by(visits.class_of)) {
          if (std::none_of(one.begin(), one.end(),
                           [&](auto& record) { return rare(record.value); }))
            continue;
          ++bound;
          p = std::min(p, reference::persons_distinct(one));
          if (whole > 1e-12)
            r = std::min(r,
                         reference::persons_variance(reference::weights_of(one), numbers) / whole);
        }
        const KpqrLevel found = kpqr_anonymity(
            visits.histogram(named ? AttributeScale::nominal : AttributeScale::numeric), q, of,
            ticker);
        ASSERT_EQ(found.bound_classes, bound);
        expect_level(found.p.level, p);
        if (whole > 1e-12) expect_level(found.r.level, r);
      }
  }
}

TEST(Persons, OneRecordAPersonIsAModelOfRecords) {
  std::mt19937_64 random(37);
  SilentTicker ticker;
  for (int round = 0; round < 500; ++round) {
    Visits visits = random_visits(random);
    std::iota(visits.person_of.begin(), visits.person_of.end(), 0);
    for (const AttributeScale scale :
         {AttributeScale::nominal, AttributeScale::ordinal, AttributeScale::numeric}) {
      const PublishedAttribute attribute = {
          visits.value_of, scale,
          scale == AttributeScale::numeric ? visits.numbers : std::vector<double>()};
      const ClassHistogram rows(visits.class_of, attribute, ticker);
      const ClassHistogram persons = visits.histogram(scale);
      ModelParameters parameters;
      parameters.q = 0.3;
      for (const Model& model : models()) {
        if (model.measure == nullptr) continue;
        if (!model.is_about_classes(false) && !model.is_about(rows, parameters)) continue;
        ASSERT_EQ(model.measure(rows, parameters, ticker).level,
                  model.measure(persons, parameters, ticker).level)
            << model.name;
      }
    }
  }
}

TEST(Persons, SumsBeyond64BitsGiveTheLevelOfRecords) {
  std::mt19937_64 random(38);
  SilentTicker ticker;
  Visits visits;
  for (std::int32_t i = 0; i < 20000; ++i) {
    visits.class_of.push_back(i % 2);
    visits.person_of.push_back(i);
    visits.value_of.push_back(i % 2 * 25 + static_cast<std::int32_t>(random() % 25));
  }
  const PublishedAttribute attribute = {visits.value_of, AttributeScale::ordinal, {}};
  EXPECT_EQ(ordered_t_closeness(visits.histogram(AttributeScale::ordinal), ticker).level,
            ordered_t_closeness({visits.class_of, attribute, ticker}, ticker).level);
}

TEST(Persons, FiveVisitsOfOnePersonAreNobodyElses) {
  Visits visits;
  visits.class_of = {0, 0, 0, 0, 0};
  visits.person_of = {0, 0, 0, 0, 0};
  visits.value_of = {0, 1, 2, 3, 4};
  visits.numbers = {1, 2, 3, 4, 5};
  const ClassHistogram histogram = visits.histogram();
  EXPECT_EQ(level_of("k-anonymity", histogram), 1);
  EXPECT_EQ(level_of("distinct l-diversity", histogram), 1);
  EXPECT_EQ(level_of("entropy l-diversity", histogram), 1);
  EXPECT_EQ(level_of("(alpha,k)-anonymity", histogram), 1);
  EXPECT_EQ(level_of("(k,e)-anonymity", histogram), 0);
  EXPECT_EQ(level_of("t-closeness", histogram), 0);
}

TEST(Persons, WithoutThemNobodyDominates) {
  SilentTicker ticker;
  const ClassHistogram rows({0, 0}, {{0, 1}, AttributeScale::nominal, {}}, ticker);
  EXPECT_THROW(dominance(rows, ticker), Error);
  EXPECT_THROW(history_k_anonymity(rows, ticker), Error);
}

// All have HIV, each with one more diagnosis: six values, five persons, and no doubt.
TEST(Persons, AValueThatAllHaveProtectsNobody) {
  Visits visits;
  for (std::int32_t person = 0; person < 5; ++person)
    for (const std::int32_t value : {0, 1 + person}) {
      visits.class_of.push_back(0);
      visits.person_of.push_back(person);
      visits.value_of.push_back(value);
    }
  const ClassHistogram histogram = visits.histogram(AttributeScale::nominal);
  ModelParameters parameters;
  parameters.l = 2;
  EXPECT_EQ(level_of("p-sensitivity", histogram), 1);
  EXPECT_EQ(level_of("distinct l-diversity", histogram), 1);
  EXPECT_EQ(level_of("entropy l-diversity", histogram), 1);
  EXPECT_TRUE(std::isinf(level_of("recursive (c,l)-diversity", histogram, parameters)));
  EXPECT_EQ(level_of("(alpha,k)-anonymity", histogram), 1);
}

// Persons 0 and 1 lack the value in one class, 2 to 4 in the other; together everybody has it.
TEST(Persons, DiversityOfPersonsIsNotMonotone) {
  Visits visits;
  for (std::int32_t person = 0; person < 5; ++person)
    for (const std::int32_t c : {0, 1}) {
      visits.class_of.push_back(c);
      visits.person_of.push_back(person);
      visits.value_of.push_back((person < 2) == (c == 0) ? 1 + person : 0);
    }
  EXPECT_EQ(level_of("distinct l-diversity", visits.histogram(AttributeScale::nominal)), 3);
  std::fill(visits.class_of.begin(), visits.class_of.end(), 0);
  EXPECT_EQ(level_of("distinct l-diversity", visits.histogram(AttributeScale::nominal)), 1);
}

TEST(Persons, AnyNumberOfRecordsIsSharedExactly) {
  // One person has a value in 7 of 19 records, and another lacks it in all 23.
  Visits visits;
  for (int i = 0; i < 42; ++i) {
    visits.class_of.push_back(i < 19 ? 0 : 1);
    visits.person_of.push_back(i < 19 ? 0 : 1);
    visits.value_of.push_back(i < 7 ? 0 : 1);
  }
  EXPECT_EQ(level_of("t-closeness", visits.histogram(AttributeScale::nominal)), 7.0 / 38);
}

// The least common multiple of 1 to 120 has 50 digits.
TEST(Persons, AMultipleThatNoWeightHoldsIsRounded) {
  Visits visits;
  for (std::int32_t person = 0; person < 120; ++person)
    for (std::int32_t i = 0; i <= person; ++i) {
      visits.class_of.push_back(person % 3);
      visits.person_of.push_back(person);
      visits.value_of.push_back(i * i % 5);
    }
  const auto all = visits.all();
  for (const bool ordered : {true, false})
    EXPECT_NEAR(level_of("t-closeness", visits.histogram(ordered ? AttributeScale::ordinal
                                                                 : AttributeScale::nominal)),
                greatest(visits.by(visits.class_of),
                         [&](const PersonRecords& one) {
                           return reference::persons_emd(one, all, all, ordered);
                         }),
                1e-12);
}

TEST(Persons, JointValuesNeedThem) {
  SilentTicker ticker;
  const PublishedAttribute attribute{{0, 1, 1}, AttributeScale::nominal, {}};
  EXPECT_THROW(joint_values(ClassHistogram({0, 0, 0}, attribute, ticker), ticker), Error);
  EXPECT_NO_THROW(joint_values(ClassHistogram({0, 0, 0}, attribute, ticker, {0, 1, 2}), ticker));
}

/// A host that counts the work done for it, in units of 2^18 steps.
class CountingTicker final : public Ticker {
 public:
  int polls = 0;

 protected:
  void poll() override { ++polls; }
};

// Ten thousand persons of the same class or classes, who have as many different values, were looked
// up in 1.6 billion steps.
TEST(Persons, JointValuesAreCountedOnceForPersonsOfTheSameClasses) {
  constexpr std::int32_t kPersons = 10000;
  for (const std::int32_t classes : {1, 3}) {
    Codes class_of;
    Codes person_of;
    Codes values;
    for (std::int32_t i = 0; i < kPersons * classes; ++i) {
      class_of.push_back(i % classes);
      person_of.push_back(i / classes);
      values.push_back(i / classes);
    }
    CountingTicker ticker;
    const PublishedAttribute attribute{values, AttributeScale::nominal, {}};
    const ClassHistogram histogram(class_of, attribute, ticker, person_of);
    EXPECT_EQ(joint_values(histogram, ticker).level, kPersons);
    EXPECT_EQ(single_joint_values(histogram, ticker).level, 0);
    EXPECT_LT(ticker.polls, 200);
  }
}

}  // namespace
}  // namespace anonkit
