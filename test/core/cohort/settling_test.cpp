// Small histories under every assignment of values: what an adversary learns who knows the code,
// all quasi-identifiers and who is present.

#include "settling.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "reference/simulate.hpp"

namespace anonkit {
namespace {

using reference::Assignment;
using reference::SimulatedRelease;

/// The decision on who founds a class.
enum class Rule {
  waits_for_values,  ///< the rule of version 0.2.0: whoever finds no class that keeps the promise
                     ///< waits
  settles,
  transparent,
};

/// Persons who are present, and everybody's quasi-identifier.
struct Attendance {
  std::vector<std::vector<bool>> nights;   ///< by night and person
  std::vector<double> quasi;               ///< NaN is null
  std::vector<std::uint64_t> holder = {};  ///< by person; empty: themselves

  std::size_t persons() const { return quasi.size(); }
  std::uint64_t holder_of(std::size_t person) const {
    return holder.empty() ? person : holder[person];
  }
};

struct FoundedClass {
  double cell;
  std::vector<int> values;  ///< sorted; empty: withheld
  int size;
  int since;
  bool retired = false;
};

/// A release over time in memory, by the rules of the core.
class History {
 public:
  History(const Attendance& attendance, const Assignment& values, const Options& options, Rule rule,
          const Acceptance& acceptance, std::uint64_t secret)
      : attendance_(attendance),
        values_(values),
        options_(options),
        rule_(rule),
        acceptance_(acceptance),
        secret_(secret),
        since_(attendance.persons(), 0),
        cohort_of_(attendance.persons(), -1) {
    for (const std::vector<bool>& night : attendance.nights) refresh(night);
  }

  const std::vector<FoundedClass>& classes() const { return classes_; }
  /// By person: the night in which they founded a class, or 0.
  std::vector<int> founded() const {
    std::vector<int> nights;
    for (const std::int32_t c : cohort_of_)
      nights.push_back(c < 0 ? 0 : classes_[static_cast<std::size_t>(c)].since);
    return nights;
  }
  std::int32_t cohort_of(std::size_t person) const { return cohort_of_[person]; }

  /// The rows of all versions, and the class of each person who is shown with a value.
  SimulatedRelease seen() const {
    SimulatedRelease release;
    release.rows = rows_;
    std::sort(release.rows.begin(), release.rows.end());
    for (const std::int32_t c : cohort_of_)
      release.class_of.push_back(c < 0 || classes_[static_cast<std::size_t>(c)].values.empty() ? -1
                                                                                               : c);
    return release;
  }

 private:
  void refresh(const std::vector<bool>& present) {
    ++version_;
    Register known;
    std::vector<std::size_t> persons;
    for (std::size_t person = 0; person < present.size(); ++person)
      if (present[person]) persons.push_back(person);
    known.persons = static_cast<Record>(persons.size());
    for (const FoundedClass& one : classes_)
      known.cohorts.push_back({one.size, one.size, one.retired});
    for (std::size_t person = 0; person < present.size(); ++person) {
      if (cohort_of_[person] < 0) continue;
      Place place;
      place.cohort = cohort_of_[person];
      const auto found = std::find(persons.begin(), persons.end(), person);
      if (found != persons.end()) place.person = static_cast<Record>(found - persons.begin());
      known.places.push_back(place);
    }
    SilentTicker ticker;
    const Roll roll = call_roll(known, ticker);
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < persons.size(); ++i)
      if (roll.standing[i] == Standing::waits) waiting.push_back(persons[i]);
    for (std::size_t person = 0; person < present.size(); ++person) {
      const bool waits = std::find(waiting.begin(), waiting.end(), person) != waiting.end();
      since_[person] = !waits ? 0 : since_[person] == 0 ? version_ : since_[person];
    }
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (roll.retires[c] != 0) classes_[c].retired = true;
    found(waiting);
    show(roll);
  }

  void found(const std::vector<std::size_t>& waiting) {
    std::set<std::uint64_t> holders;
    for (const std::size_t person : waiting) holders.insert(attendance_.holder_of(person));
    if (holders.size() < static_cast<std::size_t>(options_.k)) return;
    OwnedTable owned = table_of({0});
    owned.values.clear();
    std::vector<std::vector<std::int32_t>> ranks(1);
    std::vector<std::int32_t> units;
    std::map<std::uint64_t, std::size_t> numbers;
    Waiters waiters;
    for (const std::size_t person : waiting) {
      owned.values.push_back(attendance_.quasi[person]);
      owned.fingerprints.push_back({mix(secret_ + person), person});
      ranks[0].push_back(values_[person]);
      const auto [unit, added] = numbers.emplace(attendance_.holder_of(person), numbers.size());
      units.push_back(static_cast<std::int32_t>(unit->second));
      waiters.waited.push_back(version_ - since_[person]);
      waiters.holders.push_back(attendance_.holder_of(person));
      waiters.met.push_back(0);
    }
    Table table = owned.view();
    add_sensitive(table, ranks);
    if (!attendance_.holder.empty()) table.units = units.data();
    const Anonymized made = formed(table, waiters);
    for (std::size_t c = 0; c + 1 < made.members.first_of.size(); ++c) {
      FoundedClass one = {made.masked.low[c], {}, 0, version_};
      for (Record i = made.members.first_of[c]; i < made.members.first_of[c + 1]; ++i) {
        const auto row =
            static_cast<std::size_t>(made.members.records[static_cast<std::size_t>(i)]);
        cohort_of_[waiting[row]] = static_cast<std::int32_t>(classes_.size());
        ++one.size;
        if (!made.withholds(row)) one.values.push_back(values_[waiting[row]]);
      }
      std::sort(one.values.begin(), one.values.end());
      classes_.push_back(std::move(one));
    }
  }

  Anonymized formed(const Table& table, const Waiters& waiters) const {
    SilentTicker ticker;
    const Method& method = *find_method("microaggregate");
    Options options = options_;
    options.counts_units = table.units != nullptr;
    options.transparency.wanted = rule_ == Rule::transparent;
    if (rule_ != Rule::waits_for_values)
      return settle(
          table, method, options, waiters, acceptance_,
          {mix(secret_ + static_cast<std::uint64_t>(version_)), options.transparency.decoys},
          ticker);
    try {
      Anonymized all = anonymize(table, method, options, ticker);
      return all;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::infeasible);
      Anonymized nobody;
      nobody.members.first_of = {0};
      return nobody;
    }
  }

  void show(const Roll& roll) {
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const FoundedClass& one = classes_[c];
      if (one.retired) continue;
      const double weight =
          c < roll.present.size() ? static_cast<double>(roll.present[c]) / one.size : 1;
      for (std::size_t i = 0; i < static_cast<std::size_t>(one.size); ++i)
        rows_.push_back({static_cast<double>(version_), is_null(one.cell) ? -1e9 : one.cell, weight,
                         one.values.empty() ? -1.0 : one.values[i]});
    }
  }

  const Attendance& attendance_;
  const Assignment& values_;
  const Options& options_;
  Rule rule_;
  Acceptance acceptance_;
  std::uint64_t secret_;
  int version_ = 0;
  std::vector<int> since_;
  std::vector<std::int32_t> cohort_of_;
  std::vector<FoundedClass> classes_;
  std::vector<std::vector<double>> rows_;
};

Acceptance all_due() {
  return {std::numeric_limits<double>::infinity(), 1, true};
}

reference::Excess learned(const Attendance& attendance, const Assignment& values,
                          const Options& options, Rule rule, const Acceptance& acceptance,
                          int secrets) {
  return reference::simulate(values, secrets, [&](const Assignment& assignment, int secret) {
    return History(attendance, assignment, options, rule, acceptance,
                   static_cast<std::uint64_t>(secret))
        .seen();
  });
}

Options diverse(std::int32_t k, std::int32_t l, double decoys = 0) {
  Options options;
  options.k = k;
  options.promises.l = l;
  options.transparency.decoys = decoys;
  return options;
}

/// Eight people who come one a night and stay.
Attendance one_a_night() {
  Attendance attendance;
  for (std::size_t night = 0; night < 8; ++night) {
    attendance.nights.emplace_back(8, false);
    for (std::size_t person = 0; person <= night; ++person) attendance.nights.back()[person] = true;
    attendance.quasi.push_back(static_cast<double>(night));
  }
  return attendance;
}

/// People who come, leave and return.
Attendance random_attendance(Random& random, std::size_t persons, std::size_t nights) {
  Attendance attendance;
  std::vector<bool> present(persons);
  for (std::size_t i = 0; i < persons; ++i) {
    present[i] = random.below(3) == 0;
    attendance.quasi.push_back(random.below(6));
  }
  for (std::size_t night = 0; night < nights; ++night) {
    for (std::size_t i = 0; i < persons; ++i)
      if (random.below(present[i] ? 6 : 3) == 0) present[i] = !present[i];
    attendance.nights.push_back(present);
  }
  return attendance;
}

Assignment random_values(Random& random, std::size_t persons, std::uint32_t values) {
  Assignment assignment;
  for (std::size_t i = 0; i < persons; ++i)
    assignment.push_back(static_cast<int>(random.below(values)));
  return assignment;
}

/// Five neighbours who found no class under l = 2 were all alike, so the sixth was known, too.
TEST(Settling, NobodyWaitsForAValue) {
  for (const std::int32_t k : {5, 3}) {
    const Attendance attendance = one_a_night();
    const Assignment values = {0, 0, 0, 0, 0, 0, 1, 1};
    const auto judged = [&](Rule rule) {
      return learned(attendance, values, diverse(k, 2), rule, all_due(), 1);
    };
    const reference::Excess before = judged(Rule::waits_for_values);
    EXPECT_GT(10 * before.determined, before.worlds_published) << "the counter-test";
    for (const Rule rule : {Rule::settles, Rule::transparent}) {
      const reference::Excess now = judged(rule);
      EXPECT_EQ(now.of_quasi_identifiers, 0);
      EXPECT_EQ(now.of_other_classes, 0);
      EXPECT_EQ(now.determined, 0);
      EXPECT_GT(now.published, 0);
    }
  }
}

/// The theorem of transparent releases over time, by its definition: every assignment of values and
/// every coin, for people who come, leave and return.
TEST(Settling, TransparentVersionsTellFrequenciesAlone) {
  std::int64_t published = 0;
  for (std::uint64_t seed = 0; seed < trials(40); ++seed) {
    Random random(seed);
    const std::size_t persons = 6 + random.below(3);
    const Attendance attendance = random_attendance(random, persons, 4 + random.below(6));
    const Assignment values = random_values(random, persons, 2 + random.below(2));
    Options options = diverse(2 + static_cast<std::int32_t>(random.below(2)), 2, 0.4);
    if (random.below(3) == 0) options.promises = {}, options.promises.alpha = 0.5;
    const Acceptance acceptance = {random.below(2) == 0 ? 0.3 : 100,
                                   1 + static_cast<std::int32_t>(random.below(3)), true};
    const reference::Excess excess =
        learned(attendance, values, options, Rule::transparent, acceptance, 3);
    EXPECT_EQ(excess.of_quasi_identifiers, 0) << seed;
    EXPECT_EQ(excess.of_other_classes, 0) << seed;
    published += excess.published;
  }
  EXPECT_GT(published, trials(200));
}

/// The night in which a person is settled is a function of presence and quasi-identifiers.
TEST(Settling, WhoIsSettledDoesNotDependOnValues) {
  int founded = 0;
  int differs_today = 0;
  for (std::uint64_t seed = 0; seed < trials(150); ++seed) {
    Random random(seed);
    const std::size_t persons = 8 + random.below(20);
    Attendance attendance = random_attendance(random, persons, 4 + random.below(6));
    const bool units = random.below(3) == 0;
    for (std::size_t i = 0; units && i < persons; ++i) attendance.holder.push_back(i / 2);
    Options options = diverse(2 + static_cast<std::int32_t>(random.below(3)), 2, 0.1);
    if (!units && random.below(3) == 0) {
      options.nulls = Nulls::stratify;
      for (double& cell : attendance.quasi)
        if (random.below(3) == 0) cell = kNull;
    }
    if (random.below(3) == 0) options.promises.alpha = 0.5;
    const Acceptance acceptance = {random.below(2) == 0 ? 0.3 : 100,
                                   1 + static_cast<std::int32_t>(random.below(3)), true};
    for (const Rule rule : {Rule::settles, Rule::transparent, Rule::waits_for_values}) {
      std::set<std::vector<int>> nights;
      for (int draw = 0; draw < 5; ++draw) {
        const Assignment values = random_values(random, persons, 2 + random.below(2));
        const History history(attendance, values, options, rule, acceptance, 7);
        nights.insert(history.founded());
        founded += static_cast<int>(history.classes().size());
      }
      if (rule == Rule::waits_for_values)
        differs_today += nights.size() > 1 ? 1 : 0;
      else
        EXPECT_EQ(nights.size(), 1u) << seed;
    }
  }
  EXPECT_GT(founded, 500);
  EXPECT_GT(differs_today, 10) << "the counter-test";
}

TEST(Settling, ClassesHaveKPersonsAndKeepTheirPromiseOrWithhold) {
  int withheld = 0;
  int shown = 0;
  for (std::uint64_t seed = 0; seed < trials(200); ++seed) {
    Random random(seed);
    const std::size_t persons = 8 + random.below(20);
    Attendance attendance = random_attendance(random, persons, 6);
    const bool units = random.below(3) == 0;
    for (std::size_t i = 0; units && i < persons; ++i) attendance.holder.push_back(i / 2);
    const Options options = diverse(3, 2);
    const Assignment values = random_values(random, persons, 2);
    const Rule rule = random.below(2) == 0 ? Rule::settles : Rule::transparent;
    const History history(attendance, values, options, rule, all_due(), seed);
    std::vector<std::set<std::uint64_t>> founders(history.classes().size());
    for (std::size_t person = 0; person < persons; ++person)
      if (history.cohort_of(person) >= 0)
        founders[static_cast<std::size_t>(history.cohort_of(person))].insert(
            attendance.holder_of(person));
    for (std::size_t c = 0; c < founders.size(); ++c) {
      EXPECT_GE(founders[c].size(), 3u);
      const std::vector<int>& shows = history.classes()[c].values;
      EXPECT_TRUE(shows.empty() || shows.front() != shows.back()) << "two values";
      ++(shows.empty() ? withheld : shown);
    }
  }
  EXPECT_GT(withheld, trials(20));
  EXPECT_GT(shown, trials(200));
}

/// Rows of one person founded in one night may be in several classes. Two persons of each class
/// have rows in no other, in whatever night.
TEST(Settling, TwoFoundersOfEachClassEnterNoOtherMean) {
  int several = 0;
  for (std::uint64_t seed = 0; seed < trials(300); ++seed) {
    Random random(seed);
    const std::size_t persons = 10 + random.below(24);
    Attendance attendance = random_attendance(random, persons, 1);
    const std::uint32_t rows = 1 + random.below(3);
    for (std::size_t i = 0; i < persons; ++i) attendance.holder.push_back(i / rows);
    Acceptance acceptance = all_due();
    acceptance.means = true;
    const History history(attendance, random_values(random, persons, 2), diverse(3, 2),
                          Rule::settles, acceptance, seed);
    std::map<std::uint64_t, std::set<std::int32_t>> classes_of;
    for (std::size_t person = 0; person < persons; ++person)
      if (history.cohort_of(person) >= 0)
        classes_of[attendance.holder_of(person)].insert(history.cohort_of(person));
    std::vector<int> exclusive(history.classes().size(), 0);
    for (const auto& [holder, classes] : classes_of) {
      if (classes.size() == 1) ++exclusive[static_cast<std::size_t>(*classes.begin())];
      several += classes.size() > 1 ? 1 : 0;
    }
    for (const int founders : exclusive) EXPECT_GE(founders, 2) << seed;
  }
  EXPECT_GT(several, 0);
}

/// Classes by values that lose too much are not founded. The others still are: where all newcomers
/// had classes by quasi-identifiers alone, far more values would be withheld.
TEST(Settling, AClassThatIsNotAcceptedLeavesTheOthers) {
  int by_values = 0;
  int by_quasi_identifiers = 0;
  Acceptance acceptance = all_due();
  acceptance.most_loss = 0.5;
  acceptance.means = true;
  for (std::uint64_t seed = 0; seed < trials(300); ++seed) {
    Random random(seed);
    const std::size_t persons = 20 + random.below(20);
    const Attendance attendance = random_attendance(random, persons, 3);
    const Assignment values = random_values(random, persons, 2);
    const auto withheld = [&](Rule rule) {
      const History history(attendance, values, diverse(3, 2), rule, acceptance, seed);
      return static_cast<int>(
          std::count_if(history.classes().begin(), history.classes().end(),
                        [](const FoundedClass& one) { return one.values.empty(); }));
    };
    by_values += withheld(Rule::settles);
    by_quasi_identifiers += withheld(Rule::transparent);
  }
  EXPECT_LT(6 * by_values, by_quasi_identifiers);
}

/// At scale: values are exchanged within the classes that show them, and the versions stay the
/// same.
TEST(Settling, ShuffledValuesGiveTheSameThirtyVersions) {
  for (std::uint64_t seed = 0; seed < trials(4); ++seed) {
    Random random(seed);
    const std::size_t persons = 200;
    const Attendance attendance = random_attendance(random, persons, 30);
    Assignment values = random_values(random, persons, 4);
    const Options options = diverse(4, 2, 0.05);
    const Acceptance acceptance = {2, 5, true};
    const auto released = [&](Rule rule) {
      return History(attendance, values, options, rule, acceptance, seed);
    };
    const History first = released(Rule::transparent);
    const auto before = first.seen().rows;
    const auto today = released(Rule::waits_for_values).seen().rows;
    for (std::size_t c = 0; c < first.classes().size(); ++c) {
      if (first.classes()[c].values.empty()) continue;
      std::vector<std::size_t> founders;
      for (std::size_t person = 0; person < persons; ++person)
        if (first.cohort_of(person) == static_cast<std::int32_t>(c)) founders.push_back(person);
      for (std::size_t i = founders.size(); i > 1; --i)
        std::swap(values[founders[i - 1]],
                  values[founders[random.below(static_cast<std::uint32_t>(i))]]);
    }
    EXPECT_EQ(released(Rule::transparent).seen().rows, before);
    EXPECT_NE(released(Rule::waits_for_values).seen().rows, today) << "the counter-test";
  }
}

/// A class founded tonight does not share the coin of an equal one of another night.
TEST(Settling, CoinsAreOfNumbersAndHaveTheirProbability) {
  int decoys = 0;
  for (ClassId c = 0; c < 20000; ++c) decoys += Coins{99, 0.05}.is_decoy(c) ? 1 : 0;
  EXPECT_NEAR(decoys, 1000, 150);
  EXPECT_FALSE((Coins{99, 0}.is_decoy(3)));
}

TEST(Founding, TogetherTheyAreTenClassesOrEnoughForAPopulation) {
  Options options;
  options.k = 2;
  EXPECT_EQ(least_together(options, 2), 0);
  options.promises.t = 0.5;
  EXPECT_EQ(least_together(options, 2), 20);
  options.promises.t = 0.1;  // within 0.05 of it
  EXPECT_EQ(least_together(options, 2), 100);
  const double each[] = {0.5, 0.2};
  options.promises.t = 0;
  options.promises.t_each = each;
  EXPECT_EQ(least_together(options, 2), 25);
}

}  // namespace
}  // namespace anonkit
