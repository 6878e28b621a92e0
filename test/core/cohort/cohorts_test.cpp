#include "cohort/cohorts.hpp"
#include "fixture/trials.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "base/random.hpp"

// Random histories of 5 to 40 persons over 3 to 12 versions, refreshed by the rules of the core.

namespace anonkit {
namespace {

constexpr std::int32_t kK = 3;
constexpr int kValues = 4;

/// A row of the source in one version; absent if value < 0.
struct Cell {
  int value = -1;
  int quasi = 0;
};
using Night = std::vector<Cell>;  ///< by person

/// Two rows belong to each holder.
std::uint64_t holder_of(int person) {
  return static_cast<std::uint64_t>(person / 2);
}

struct Seat {
  std::int32_t cohort;
  int person;
  int value;
  int quasi;
  int since;
  int until;
  std::set<int> met;  ///< earlier cohorts whose means include another row of the holder
};

/// A release of one quasi-identifier and one as-is column, kept in memory.
class Release {
 public:
  explicit Release(std::uint64_t seed) : random_(seed) {}

  void refresh(const Night& night) {
    ++version_;
    std::vector<int> present;
    for (int person = 0; person < static_cast<int>(night.size()); ++person)
      if (night[static_cast<std::size_t>(person)].value >= 0) present.push_back(person);
    const Register known = register_of(night, present);
    SilentTicker ticker;
    Roll roll = call_roll(known, ticker);
    meet(present, roll);
    protect_means(known, roll);
    retire(roll);
    found(night, present, roll);
    standing_.clear();
    for (std::size_t i = 0; i < present.size(); ++i) standing_[present[i]] = roll.standing[i];
  }

  const std::vector<Seat>& seats() const { return seats_; }
  int version() const { return version_; }
  std::int32_t cohorts() const { return cohorts_; }
  const std::map<int, Standing>& standing() const { return standing_; }

  /// The readers' view: by version and cohort, the sorted values.
  std::vector<std::map<std::int32_t, std::multiset<int>>> published() const {
    std::vector<std::map<std::int32_t, std::multiset<int>>> versions(
        static_cast<std::size_t>(version_));
    for (const Seat& seat : seats_)
      for (int v = seat.since; v <= version_ && v < seat.until; ++v)
        versions[static_cast<std::size_t>(v - 1)][seat.cohort].insert(seat.value);
    return versions;
  }

 private:
  Register register_of(const Night& night, const std::vector<int>& present) const {
    Register known;
    known.persons = static_cast<Record>(present.size());
    known.cohorts.resize(static_cast<std::size_t>(cohorts_));
    for (const Seat& seat : seats_) {
      Cohort& cohort = known.cohorts[static_cast<std::size_t>(seat.cohort)];
      ++cohort.size;
      cohort.retired = seat.until <= version_;
      Place place;
      place.cohort = seat.cohort;
      place.holder = holder_of(seat.person);
      const auto found = std::find(present.begin(), present.end(), seat.person);
      if (found != present.end()) {
        const Cell& now = night[static_cast<std::size_t>(seat.person)];
        place.person = static_cast<Record>(found - present.begin());
        place.changed = now.value != seat.value;
        place.stale = now.quasi != seat.quasi;
      }
      known.places.push_back(place);
    }
    for (const int person : present) known.holder_of.push_back(holder_of(person));
    for (const Seat& seat : seats_) {
      const std::uint64_t holder = holder_of(seat.person);
      if (!seat.met.empty()) known.acquaintances.push_back({seat.cohort, holder});
      for (const int met : seat.met) known.acquaintances.push_back({met, holder});
    }
    count_exclusive(known);
    return known;
  }

  /// Cohorts whose means include another row of a row's holder, with whatever quasi-identifier.
  void meet(const std::vector<int>& present, Roll& roll) const {
    for (std::size_t i = 0; i < present.size(); ++i)
      for (const Seat& seat : seats_) {
        std::vector<std::int32_t>& met = roll.met[i];
        if (holder_of(seat.person) == holder_of(present[i]) &&
            std::find(met.begin(), met.end(), seat.cohort) == met.end())
          met.push_back(seat.cohort);
      }
  }

  void retire(const Roll& roll) {
    for (Seat& seat : seats_)
      if (roll.retires[static_cast<std::size_t>(seat.cohort)] != 0) seat.until = version_;
  }

  /// Classes of kK or more in random order.
  void found(const Night& night, const std::vector<int>& present, const Roll& roll) {
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < present.size(); ++i)
      if (roll.standing[i] == Standing::waits) waiting.push_back(i);
    for (std::size_t i = waiting.size(); i > 1; --i)
      std::swap(waiting[i - 1], waiting[random_.below(static_cast<std::uint32_t>(i))]);
    std::vector<std::size_t> ends;
    for (std::size_t first = 0; first + kK <= waiting.size(); first = ends.back())
      ends.push_back(waiting.size() - first < 2 * kK ? waiting.size() : first + kK);
    std::map<std::uint64_t, std::set<std::size_t>> tonight;  // by holder, the ends of their classes
    for (std::size_t i = 0; !ends.empty() && i < waiting.size(); ++i)
      tonight[holder_of(present[waiting[i]])].insert(
          *std::upper_bound(ends.begin(), ends.end(), i));
    std::size_t first = 0;
    for (const std::size_t last : ends) {
      NewClass formed;
      std::set<std::uint64_t> holders;
      std::set<std::uint64_t> exclusive;
      for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t holder = holder_of(present[waiting[i]]);
        holders.insert(holder);
        if (roll.met[waiting[i]].empty() && tonight[holder].size() == 1) exclusive.insert(holder);
      }
      formed.exclusive = static_cast<std::int32_t>(exclusive.size());
      if (holders.size() >= kK && accepts(Acceptance{1, 1, true}, formed)) {
        for (std::size_t i = first; i < last; ++i) {
          const int person = present[waiting[i]];
          const Cell& now = night[static_cast<std::size_t>(person)];
          const auto& met = roll.met[waiting[i]];
          seats_.push_back({cohorts_, person, now.value, now.quasi, version_, kNever,
                            std::set<int>(met.begin(), met.end())});
        }
        ++cohorts_;
      }
      first = last;
    }
  }

  static constexpr int kNever = 1000;
  Random random_;
  int version_ = 0;
  std::int32_t cohorts_ = 0;
  std::vector<Seat> seats_;
  std::map<int, Standing> standing_;
};

/// A table of people who arrive, leave, return and change.
class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed), night_(5 + random_.below(36)) {
    for (Cell& cell : night_)
      cell = {random_.below(4) > 0 ? static_cast<int>(random_.below(kValues)) : -1,
              static_cast<int>(random_.below(20))};
    gone_.resize(night_.size());
  }

  const Night& next() {
    for (std::size_t i = 0; i < night_.size(); ++i) {
      Cell& cell = night_[i];
      if (cell.value < 0 && random_.below(6) == 0)
        cell.value = random_.below(2) == 0 ? gone_[i] : static_cast<int>(random_.below(kValues));
      else if (cell.value >= 0 && random_.below(8) == 0)
        gone_[i] = std::exchange(cell.value, -1);
      else if (cell.value >= 0 && random_.below(8) == 0)
        cell.value = static_cast<int>(random_.below(kValues));
      if (random_.below(8) == 0) cell.quasi = static_cast<int>(random_.below(20));
    }
    return night_;
  }
  int versions() { return 3 + static_cast<int>(random_.below(10)); }

 private:
  Random random_;
  Night night_;
  std::vector<int> gone_;
};

Release release_of(std::uint64_t seed) {
  History history(seed);
  Release release(seed + 1);
  const int versions = history.versions();
  for (int v = 0; v < versions; ++v) release.refresh(history.next());
  return release;
}

const Trials kHistories = trials(3000);

TEST(Cohorts, VersionsAreClassesOfTheTableOfPlaces) {
  for (std::uint64_t seed = 0; seed < kHistories; ++seed) {
    const Release release = release_of(seed);
    std::map<std::int32_t, std::set<std::pair<int, int>>> lives;
    std::map<std::int32_t, std::set<int>> founders;
    for (const Seat& seat : release.seats()) {
      lives[seat.cohort].insert({seat.since, seat.until});
      EXPECT_TRUE(founders[seat.cohort].insert(seat.person).second) << "one place in a class";
    }
    for (const auto& [cohort, life] : lives) EXPECT_EQ(life.size(), 1u) << "comes and goes as one";
    for (const auto& [cohort, persons] : founders) {
      std::set<std::uint64_t> holders;
      for (const int person : persons) holders.insert(holder_of(person));
      EXPECT_GE(holders.size(), static_cast<std::size_t>(kK));
    }
  }
}

TEST(Cohorts, WhatAClassPublishesNeverChanges) {
  for (std::uint64_t seed = 0; seed < kHistories; ++seed) {
    std::map<std::int32_t, std::multiset<int>> first;
    for (const auto& version : release_of(seed).published())
      for (const auto& [cohort, values] : version)
        EXPECT_EQ(first.emplace(cohort, values).first->second, values);
  }
}

TEST(Cohorts, APersonHasOnePlaceEver) {
  for (std::uint64_t seed = 0; seed < kHistories; ++seed) {
    std::set<int> placed;
    const Release release = release_of(seed);
    for (const Seat& seat : release.seats()) EXPECT_TRUE(placed.insert(seat.person).second);
  }
}

using Published = std::vector<std::map<std::int32_t, std::multiset<int>>>;

/// People who arrive, leave and return, with one value each.
struct Presence {
  std::vector<Night> nights;  ///< without values, which tests add
  std::vector<int> values;    ///< by person

  Release release(std::uint64_t seed) const {
    Release release(seed);
    for (Night night : nights) {
      for (std::size_t i = 0; i < night.size(); ++i)
        if (night[i].value >= 0) night[i].value = values[i];
      release.refresh(night);
    }
    return release;
  }
};

Presence presence_of(std::uint64_t seed) {
  Random random(seed);
  Presence history;
  Night night(5 + random.below(12));
  for (const Cell& cell : night) {
    static_cast<void>(cell);
    history.values.push_back(static_cast<int>(random.below(kValues)));
  }
  for (int v = 3 + static_cast<int>(random.below(10)); v > 0; --v) {
    for (Cell& cell : night) {
      if (random.below(history.nights.empty() ? 2 : 4) == 0) cell.value = -1 - cell.value;
      if (random.below(8) == 0) cell.quasi = static_cast<int>(random.below(20));
    }
    history.nights.push_back(night);
  }
  return history;
}

/// All worlds that permute a class's values among its founders have the same versions. So every
/// value of its class stays possible for each place, with its share there.
TEST(Cohorts, AllWorldsStayPossible) {
  int worlds = 0;
  for (std::uint64_t seed = 0; seed < trials(400); ++seed) {
    const Presence truth = presence_of(seed);
    const Release release = truth.release(seed);
    const Published seen = release.published();
    for (std::int32_t cohort = 0; cohort < release.cohorts(); ++cohort) {
      std::vector<std::size_t> founders;
      for (const Seat& seat : release.seats())
        if (seat.cohort == cohort) founders.push_back(static_cast<std::size_t>(seat.person));
      std::vector<int> order;
      for (const std::size_t person : founders) order.push_back(truth.values[person]);
      std::sort(order.begin(), order.end());
      do {
        Presence world = truth;
        for (std::size_t i = 0; i < founders.size(); ++i) world.values[founders[i]] = order[i];
        ASSERT_EQ(world.release(seed).published(), seen);
        ++worlds;
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
  EXPECT_GT(worlds, trials(5000));
}

/// Means of founders: a sum over the class of the unknowns of its holders.
TEST(Cohorts, TwoFoundersOfEachClassEnterNoOtherMean) {
  int met = 0;
  for (std::uint64_t seed = 0; seed < kHistories; ++seed) {
    const Release release = release_of(seed);
    std::map<std::uint64_t, std::set<std::int32_t>> entered;
    for (const Seat& seat : release.seats()) entered[holder_of(seat.person)].insert(seat.cohort);
    std::map<std::int32_t, std::set<std::uint64_t>> exclusive;
    for (const Seat& seat : release.seats()) {
      std::set<std::uint64_t>& holders = exclusive[seat.cohort];
      if (entered[holder_of(seat.person)].size() == 1) holders.insert(holder_of(seat.person));
      met += seat.met.empty() ? 0 : 1;
    }
    for (const auto& [cohort, founders] : exclusive) EXPECT_GE(founders.size(), 2u);
  }
  EXPECT_GT(met, trials(100));
}

/// Rows of one night have not met each other, but their means are of one holder.
TEST(Cohorts, AFounderOfTwoClassesOfOneNightIsAloneInNeither) {
  Register known;
  known.cohorts.resize(2);
  for (const std::uint64_t holder : {1, 2, 3, 4})
    known.places.push_back({0, kNone, false, false, holder});
  for (const std::uint64_t holder : {1, 2, 5, 6})
    known.places.push_back({1, kNone, false, false, holder});
  known.persons = 2;
  known.holder_of = {3, 1};
  count_exclusive(known);
  EXPECT_EQ(known.cohorts[0].exclusive, 2);
  EXPECT_EQ(known.cohorts[1].exclusive, 2);
  SilentTicker ticker;
  Roll roll = call_roll(known, ticker);
  roll.met = {{0}, {0, 1}};
  protect_means(known, roll);
  EXPECT_EQ(roll.standing[0], Standing::outside) << "one founder would be left";
  EXPECT_EQ(roll.standing[1], Standing::waits) << "is in both means already";
}

TEST(Cohorts, AClassRetiresWithItsLastFounderWhoIsPresent) {
  for (std::uint64_t seed = 0; seed < trials(300); ++seed) {
    History history(seed);
    Release release(seed);
    for (int v = 1; v <= 8; ++v) {
      const Night& night = history.next();
      release.refresh(night);
      std::map<std::int32_t, bool> living;
      for (const Seat& seat : release.seats())
        if (seat.until > v)
          living[seat.cohort] |= night[static_cast<std::size_t>(seat.person)].value >= 0;
      for (const auto& [cohort, lives] : living) EXPECT_TRUE(lives);
    }
  }
}

Roll roll_of_place(bool changed, bool retired) {
  Register known;
  known.persons = 1;
  known.cohorts = {{5, 5, retired}};
  Place place;
  place.person = 0;
  place.changed = changed;
  known.places = {place};
  SilentTicker ticker;
  return call_roll(known, ticker);
}

TEST(Cohorts, StandingByPresenceAlone) {
  for (const bool changed : {false, true}) {
    EXPECT_EQ(roll_of_place(changed, false).standing.front(), Standing::placed);
    EXPECT_EQ(roll_of_place(changed, true).standing.front(), Standing::outside)
        << "back when the class is gone";
    EXPECT_EQ(roll_of_place(changed, false).changed, changed ? 1 : 0) << "the owner's figure";
    EXPECT_EQ(roll_of_place(changed, false).vacant, 4) << "of five founders one is present";
  }
}

TEST(Cohorts, AcceptedForLittleLossOrAfterALongWait) {
  const Acceptance acceptance{1.5, 14, true};
  NewClass formed;
  formed.size = 5;
  formed.exclusive = 5;
  formed.loss = 1.5;
  EXPECT_TRUE(accepts(acceptance, formed));
  formed.loss = 1.6;
  EXPECT_FALSE(accepts(acceptance, formed));
  formed.waited = 14;
  EXPECT_TRUE(accepts(acceptance, formed));
  formed.exclusive = 2;
  EXPECT_TRUE(accepts(acceptance, formed)) << "two founders cannot be told apart";
  formed.exclusive = 1;
  EXPECT_FALSE(accepts(acceptance, formed)) << "its mean would give one founder away";
  EXPECT_TRUE(accepts({1.5, 14, false}, formed)) << "ranges are no means";
}

}  // namespace
}  // namespace anonkit
