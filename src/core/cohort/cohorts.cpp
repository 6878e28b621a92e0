#include "cohort/cohorts.hpp"

#include <algorithm>
#include <set>

#include "base/at.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kLeastExclusive = 2;

/// The places of one person, summarised.
struct Past {
  bool any = false;
  bool placed = false;   ///< a published place has all current as-is values
  bool lasting = false;  ///< a place has some current as-is value
};

Standing standing_of(const Past& past) {
  if (past.placed) return Standing::placed;
  return past.any && past.lasting ? Standing::withheld : Standing::waits;
}

bool as_published(const Register& known, const Place& place) {
  return place.person != kNone && place.equal_as_is == known.as_is_columns;
}

bool acquainted(const Register& known, const Acquaintance& one) {
  return std::binary_search(known.acquaintances.begin(), known.acquaintances.end(), one);
}

void note(const Register& known, const Place& place, Past& past) {
  past.any = true;
  const bool unchanged = as_published(known, place);
  if (unchanged && !known.cohorts[at(place.cohort)].retired) past.placed = true;
  if (unchanged || place.equal_as_is > 0) past.lasting = true;
}

}  // namespace

void count_exclusive(Register& known) {
  std::vector<Acquaintance> founders;
  for (const Place& place : known.places) founders.push_back({place.cohort, place.holder});
  for (std::vector<Acquaintance>* list : {&founders, &known.acquaintances}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  for (const Acquaintance& founder : founders) ++known.cohorts[at(founder.cohort)].exclusive;
  for (const Acquaintance& one : known.acquaintances) --known.cohorts[at(one.cohort)].exclusive;
}

Roll call_roll(const Register& known, Ticker& ticker) {
  Roll roll;
  std::vector<Past> past(at(known.persons));
  std::vector<std::int32_t> living(known.cohorts.size(), 0);
  roll.present.assign(known.cohorts.size(), 0);
  roll.met.resize(at(known.persons));
  for (const Place& place : known.places) {
    ticker.step(20);
    const bool published = !known.cohorts[at(place.cohort)].retired;
    const bool kept = as_published(known, place);
    if (published && kept) {
      ++living[at(place.cohort)];
      if (place.equal_quasi < known.quasi_identifiers) ++roll.stale;
    }
    if (place.person == kNone) continue;
    ++roll.present[at(place.cohort)];
    note(known, place, past[at(place.person)]);
    if (place.equal_quasi > 0) roll.met[at(place.person)].push_back(place.cohort);
  }
  for (const Past& one : past) {
    roll.standing.push_back(standing_of(one));
    if (roll.standing.back() == Standing::withheld) ++roll.withheld;
  }
  for (std::size_t c = 0; c < known.cohorts.size(); ++c) {
    const bool published = !known.cohorts[c].retired;
    roll.retires.push_back(published && living[c] == 0 ? 1 : 0);
    if (published && living[c] > 0) roll.vacant += known.cohorts[c].size - living[c];
  }
  return roll;
}

void protect_means(const Register& known, Roll& roll) {
  std::vector<std::int32_t> exclusive;
  for (const Cohort& cohort : known.cohorts) exclusive.push_back(cohort.exclusive);
  std::set<Acquaintance> met_again;
  for (std::size_t person = 0; person < roll.standing.size(); ++person) {
    if (roll.standing[person] != Standing::waits) continue;
    std::vector<Acquaintance> fresh;
    bool kept = true;
    for (const std::int32_t cohort : roll.met[person]) {
      const Acquaintance one = {cohort, known.holder_of[person]};
      if (acquainted(known, one) || met_again.count(one) != 0) continue;
      fresh.push_back(one);
      kept = kept && exclusive[at(cohort)] > kLeastExclusive;
    }
    for (const Acquaintance& one : fresh) {
      if (!kept) break;
      --exclusive[at(one.cohort)];
      met_again.insert(one);
    }
    if (kept) continue;
    roll.standing[person] = Standing::withheld;
    ++roll.withheld;
  }
}

bool accepts(const Acceptance& acceptance, const NewClass& formed) {
  if (acceptance.means && formed.exclusive < kLeastExclusive) return false;
  return formed.loss <= acceptance.most_loss || formed.waited >= acceptance.max_wait;
}

}  // namespace anonkit
