// The replay of arrivals, compared with every arrangement of each class over all nights.

#include "replay_nights.hpp"

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
#include "settling.hpp"

namespace anonkit {
namespace {

using reference::Assignment;

enum class NightRule {
  waits_for_values,  ///< version 0.2.0: newcomers who find no class that keeps the promise wait
  settles,           ///< and transparent ones, if the options ask for it
};

struct NightCase {
  std::vector<double> quasi;
  Assignment values;
  Arrivals arrivals;
  Options options;

  OwnedTable owned(const std::vector<std::size_t>& persons) const {
    OwnedTable table = table_of({0});
    table.values.clear();
    for (const std::size_t person : persons) {
      table.values.push_back(quasi[person]);
      table.fingerprints.push_back({mix(77 + person), person});
    }
    return table;
  }
};

/// All nights as readers see them, and the class of each person.
struct SeenNights {
  std::vector<std::vector<double>> rows;  ///< sorted: night, cell, value
  std::vector<int> class_of;              ///< by person; -1: none, or withheld
  bool published = true;
};

/// Night after night by the definition, without a memory of the truth. Nobody leaves.
SeenNights all_nights(const NightCase& c, const Assignment& values, NightRule rule) {
  SilentTicker ticker;
  const Method& method = *find_method("microaggregate");
  SeenNights seen;
  seen.class_of.assign(values.size(), -1);
  std::vector<bool> founded(values.size(), false);
  std::vector<double> scales;
  double first_loss = 0;
  int classes = 0;
  const int last = *std::max_element(c.arrivals.night.begin(), c.arrivals.night.end());
  for (int night = 1; night <= last; ++night) {
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (c.arrivals.night[i] <= night && !founded[i]) waiting.push_back(i);
    if (night > 1 && ((night - 1) % c.arrivals.every != 0 ||
                      waiting.size() < static_cast<std::size_t>(c.options.k)))
      continue;
    const OwnedTable owned = c.owned(waiting);
    // The values that occur tonight, numbered from 0.
    std::set<int> occurring;
    for (const std::size_t i : waiting) occurring.insert(values[i]);
    std::vector<std::vector<std::int32_t>> ranks(1);
    Waiters waiters;
    for (const std::size_t i : waiting) {
      ranks[0].push_back(
          static_cast<std::int32_t>(std::distance(occurring.begin(), occurring.find(values[i]))));
      waiters.waited.push_back(night == 1 ? 0 : night - c.arrivals.night[i]);
      waiters.holders.push_back(i);
      waiters.met.push_back(0);
    }
    Table table = owned.view();
    add_sensitive(table, ranks);
    Options options = c.options;
    if (night > 1) options.scales = scales.data();
    const bool plain =
        rule == NightRule::waits_for_values || (night == 1 && !options.transparency.wanted);
    const Acceptance acceptance = {
        night == 1 ? std::numeric_limits<double>::infinity() : c.arrivals.wait_loss * first_loss,
        c.arrivals.max_wait, true, night == 1 ? 0 : least_together(options, 1)};
    Anonymized made;
    try {
      made = plain ? anonymize(table, method, options, ticker)
                   : settle(table, method, options, waiters, acceptance,
                            {mix(mix(options.seed) + static_cast<std::uint64_t>(night)),
                             options.transparency.decoys},
                            ticker);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::infeasible);
      if (night > 1) continue;
      seen.published = false;
      return seen;
    }
    bool shows = false;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const ClassId own = made.partition.class_of[i];
      if (own == kNone) continue;
      founded[waiting[i]] = true;
      const bool withheld = made.withholds(i);
      shows = shows || !withheld;
      if (!withheld) seen.class_of[waiting[i]] = classes + own;
      seen.rows.push_back({static_cast<double>(night),
                           made.masked.low[static_cast<std::size_t>(own)],
                           withheld ? -1.0 : values[waiting[i]]});
    }
    classes += made.partition.classes;
    if (night > 1) continue;
    seen.published = shows;
    if (!shows) return seen;
    for (const Scale& scale : made.scales) scales.push_back(scale.scale);
    for (const double error : founding_errors(table, made, options, ticker)) first_loss += error;
    first_loss /= static_cast<double>(waiting.size());
  }
  std::sort(seen.rows.begin(), seen.rows.end());
  return seen;
}

/// By class: its attack by every arrangement.
std::map<Record, ReplayedClass> brute_force(const NightCase& c, NightRule rule) {
  const SeenNights truth = all_nights(c, c.values, rule);
  std::map<int, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < c.values.size(); ++i)
    if (truth.class_of[i] >= 0) classes[truth.class_of[i]].push_back(i);
  std::map<Record, ReplayedClass> attacks;
  for (const auto& [number, persons] : classes) {
    Assignment own;
    for (const std::size_t i : persons) own.push_back(c.values[i]);
    ReplayedClass attacked;
    attacked.size = static_cast<Record>(persons.size());
    std::vector<Assignment> consistent;
    for (const Assignment& arrangement : reference::all_assignments(own)) {
      ++attacked.tried;
      Assignment world = c.values;
      for (std::size_t i = 0; i < persons.size(); ++i) world[persons[i]] = arrangement[i];
      if (all_nights(c, world, rule).rows == truth.rows) consistent.push_back(arrangement);
    }
    if (attacked.tried == 1) continue;
    attacked.consistent = static_cast<int>(consistent.size());
    for (std::size_t i = 0; i < persons.size(); ++i) {
      const auto alike = std::count(own.begin(), own.end(), own[i]);
      const auto right = std::count_if(consistent.begin(), consistent.end(),
                                       [&](const Assignment& one) { return one[i] == own[i]; });
      attacked.belief_before +=
          static_cast<double>(alike) / attacked.size / static_cast<double>(persons.size());
      attacked.belief_after +=
          static_cast<double>(right) / attacked.consistent / static_cast<double>(persons.size());
      ++attacked.undetermined_before;
      attacked.determined += right == attacked.consistent ? 1 : 0;
    }
    for (const std::size_t i : persons) attacks[static_cast<Record>(i)] = attacked;
  }
  return attacks;
}

std::vector<std::size_t> everybody(const NightCase& c) {
  std::vector<std::size_t> persons(c.values.size());
  for (std::size_t i = 0; i < persons.size(); ++i) persons[i] = i;
  return persons;
}

/// All classes, all arrangements.
std::vector<ReplayedClass> replayed(const NightCase& c) {
  SilentTicker ticker;
  const OwnedTable owned = c.owned(everybody(c));
  const std::vector<std::vector<std::int32_t>> ranks = {{c.values.begin(), c.values.end()}};
  Table table = owned.view();
  add_sensitive(table, ranks);
  return replay_nights(table, c.arrivals, *find_method("microaggregate"), c.options,
                       {100, 100000, 1}, ticker);
}

/// 6 to 8 persons over 4 to 9 nights, k or more of them in the first.
NightCase random_case(Random& random, bool transparent) {
  NightCase c;
  const std::size_t persons = 6 + random.below(3);
  const std::uint32_t nights = 4 + random.below(6);
  c.options.k = 2 + static_cast<std::int32_t>(random.below(2));
  if (random.below(3) == 0)
    c.options.promises.alpha = 0.5;
  else
    c.options.promises.l = 2 + static_cast<std::int32_t>(random.below(c.options.k - 1 > 1 ? 2 : 1));
  c.options.transparency.wanted = transparent;
  c.options.transparency.decoys = random.below(2) == 0 ? 0 : 0.3;
  c.options.seed = random.below(1000);
  c.arrivals.max_wait = 1 + static_cast<std::int32_t>(random.below(4));
  c.arrivals.wait_loss = 1 + random.below(5);
  c.arrivals.every = 1 + static_cast<std::int32_t>(random.below(2));
  const std::size_t at_first = static_cast<std::size_t>(c.options.k) + random.below(3);
  for (std::size_t i = 0; i < persons; ++i) {
    c.quasi.push_back(random.below(6));
    c.values.push_back(static_cast<int>(random.below(3)));
    c.arrivals.night.push_back(i < at_first ? 1
                                            : 1 + static_cast<std::int32_t>(random.below(nights)));
  }
  return c;
}

bool is_published(const NightCase& c) {
  return all_nights(c, c.values, NightRule::settles).published;
}

TEST(ReplayNights, EqualsEveryArrangementOfEachClass) {
  int attacks = 0, excess = 0;
  for (std::uint64_t seed = 0; seed < trials(600); ++seed) {
    Random random(seed);
    const NightCase c = random_case(random, random.below(3) == 0);
    if (!is_published(c)) continue;
    const std::map<Record, ReplayedClass> expected = brute_force(c, NightRule::settles);
    std::size_t persons = 0;
    for (const ReplayedClass& attacked : replayed(c)) {
      const auto found = expected.find(attacked.first);
      ASSERT_NE(found, expected.end()) << seed;
      EXPECT_EQ(attacked.size, found->second.size) << seed;
      EXPECT_EQ(attacked.tried, found->second.tried) << seed;
      EXPECT_EQ(attacked.consistent, found->second.consistent) << seed;
      EXPECT_NEAR(attacked.belief_before, found->second.belief_before, 1e-12) << seed;
      EXPECT_NEAR(attacked.belief_after, found->second.belief_after, 1e-12) << seed;
      EXPECT_EQ(attacked.determined, found->second.determined) << seed;
      persons += static_cast<std::size_t>(attacked.size);
      excess += attacked.consistent < attacked.tried ? 1 : 0;
      ++attacks;
    }
    EXPECT_EQ(persons, expected.size()) << seed;
  }
  EXPECT_GT(attacks, trials(150));
  EXPECT_GT(excess, trials(5)) << "what each night tells as a release of its own";
}

TEST(ReplayNights, TransparentVersionsTellFrequenciesAlone) {
  int attacks = 0;
  for (std::uint64_t seed = 0; seed < trials(600); ++seed) {
    Random random(seed);
    const NightCase c = random_case(random, true);
    if (!is_published(c)) continue;
    for (const ReplayedClass& attacked : replayed(c)) {
      EXPECT_EQ(attacked.consistent, attacked.tried) << seed;
      EXPECT_NEAR(attacked.belief_after, attacked.belief_before, 1e-12) << seed;
      EXPECT_EQ(attacked.determined, 0) << seed;
      ++attacks;
    }
  }
  EXPECT_GT(attacks, trials(150));
}

/// Three persons on the first night, then one a night.
NightCase trickle(Random& random) {
  NightCase c;
  c.options.k = 3;
  c.options.promises.l = 2;
  c.options.transparency.decoys = 0;
  c.arrivals.max_wait = 1;
  for (int i = 0; i < 8; ++i) {
    c.quasi.push_back(i);
    c.values.push_back(static_cast<int>(random.below(2)));
    c.arrivals.night.push_back(i < 3 ? 1 : i - 1);
  }
  c.values[0] = 0, c.values[1] = 1;
  return c;
}

/// The rule of version 0.2.0, under the same attack.
class WaitsForValues final : public ReplayTarget {
 public:
  explicit WaitsForValues(const NightCase& c) : c_(c), truth_(seen(c.values)) {}

  std::vector<std::vector<Record>> shown_classes() const override {
    std::map<int, std::vector<Record>> classes;
    for (std::size_t i = 0; i < truth_.class_of.size(); ++i)
      if (truth_.class_of[i] >= 0) classes[truth_.class_of[i]].push_back(static_cast<Record>(i));
    std::vector<std::vector<Record>> list;
    for (const auto& [number, persons] : classes) list.push_back(persons);
    return list;
  }
  bool is_released_from(const Table& table) override {
    const std::int32_t* ranks = table.sensitive[0].ranks;
    return seen(Assignment(ranks, ranks + table.rows)).rows == truth_.rows;
  }

 private:
  SeenNights seen(const Assignment& values) const {
    return all_nights(c_, values, NightRule::waits_for_values);
  }

  const NightCase& c_;
  const SeenNights truth_;
};

/// A night that founds one class tells nothing beyond it. Under the rule of 0.2.0 the late persons
/// of a class are known, since the early ones were alike.
TEST(ReplayNights, NobodyWaitsForAValue) {
  int attacks = 0;
  Record before = 0, determined = 0;
  for (std::uint64_t seed = 0; seed < trials(60); ++seed) {
    Random random(seed);
    const NightCase c = trickle(random);
    for (const ReplayedClass& attacked : replayed(c)) {
      EXPECT_EQ(attacked.consistent, attacked.tried) << seed;
      EXPECT_EQ(attacked.determined, 0) << seed;
      ++attacks;
    }
    SilentTicker ticker;
    const OwnedTable owned = c.owned(everybody(c));
    const std::vector<std::vector<std::int32_t>> ranks = {{c.values.begin(), c.values.end()}};
    Table table = owned.view();
    table.fingerprints = nullptr;
    add_sensitive(table, ranks);
    WaitsForValues today(c);
    for (const ReplayedClass& attacked : attack(table, today, {100, 100000, 1}, ticker)) {
      before += attacked.undetermined_before;
      determined += attacked.determined;
    }
  }
  EXPECT_GT(attacks, trials(60));
  EXPECT_GT(10 * determined, before) << "the counter-test";
}

/// In one night the search looks at values, and the replay shows it.
TEST(ReplayNights, AFirstNightOfSeveralClassesIsARelease) {
  Record determined = 0;
  for (std::uint64_t seed = 0; seed < 60 && determined == 0; ++seed) {
    Random random(seed);
    NightCase c = trickle(random);
    std::fill(c.arrivals.night.begin(), c.arrivals.night.end(), 1);
    if (!is_published(c)) continue;
    for (const ReplayedClass& attacked : replayed(c)) determined += attacked.determined;
  }
  EXPECT_GT(determined, 0);
}

/// Six persons on the first night and two on the second, whose values are numbers. One rank may be
/// that of null.
std::vector<ReplayedClass> replayed_numbers(const Promises& promises, const Assignment& values,
                                            std::int32_t null_rank, bool transparent = false) {
  NightCase c;
  c.options.k = 2;
  c.options.promises = promises;
  c.options.transparency.wanted = transparent;
  c.quasi = {0, 1, 2, 3, 4, 5, 1, 2};
  c.values = values;
  c.arrivals.night = {1, 1, 1, 1, 1, 1, 2, 2};
  c.arrivals.max_wait = 1;
  SilentTicker ticker;
  const OwnedTable owned = c.owned(everybody(c));
  const std::vector<std::vector<std::int32_t>> ranks = {{values.begin(), values.end()}};
  const std::vector<double> numbers = {10, 20, 30};
  Table table = owned.view();
  add_sensitive(table, ranks);
  SensitiveColumn& column = table.sensitive[0];
  column.kind = Kind::numeric;
  column.numbers = numbers.data();
  column.nulls = std::count(values.begin(), values.end(), null_rank);
  return replay_nights(table, c.arrivals, *find_method("microaggregate"), c.options,
                       {100, 100000, 1}, ticker);
}

TEST(ReplayNights, NumbersWithoutNullsMayBePromisedToBeClose) {
  Promises promises;
  promises.t = 1;
  EXPECT_FALSE(replayed_numbers(promises, {0, 1, 2, 0, 1, 2, 0, 2}, kNone).empty());
}

TEST(ReplayNights, ANullIsOneMoreValueOfTheNightOnWhichItComes) {
  Promises promises;
  promises.l = 2;
  for (const Assignment& values :
       {Assignment{0, 1, 0, 1, 0, 2, 0, 1}, Assignment{0, 1, 0, 1, 0, 1, 0, 2}}) {
    const std::vector<ReplayedClass> plain = replayed_numbers(promises, values, kNone);
    const std::vector<ReplayedClass> with_null = replayed_numbers(promises, values, 2);
    ASSERT_EQ(with_null.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(with_null[i].tried, plain[i].tried);
      EXPECT_EQ(with_null[i].consistent, plain[i].consistent);
    }
  }
}

TEST(ReplayNights, AFirstVersionThatShowsNoValueIsRefused) {
  Promises promises;
  promises.l = 2;
  EXPECT_THROW(replayed_numbers(promises, {0, 0, 0, 0, 0, 0, 0, 1}, kNone, true), Error);
}

}  // namespace
}  // namespace anonkit
