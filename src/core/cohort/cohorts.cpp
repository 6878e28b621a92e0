#include "cohort/cohorts.hpp"

#include <algorithm>
#include <set>

#include "base/at.hpp"

namespace anonkit {
namespace {

bool acquainted(const Register& known, const Acquaintance& one) {
  return std::binary_search(known.acquaintances.begin(), known.acquaintances.end(), one);
}

bool lives_on(const Cohort& cohort) {
  return !cohort.retired && !cohort.withdrawn;
}

void sort_distinct(std::vector<Acquaintance>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Adds the founders of several cohorts, for each of these. The caller's list has meetings with
/// cohorts of earlier nights: two rows that were founded in one night do not name each other.
void add_shared_founders(std::vector<Acquaintance> founders, std::vector<Acquaintance>& list) {
  const auto by_holder = [](const Acquaintance& a, const Acquaintance& b) {
    return std::tie(a.holder, a.cohort) < std::tie(b.holder, b.cohort);
  };
  std::sort(founders.begin(), founders.end(), by_holder);
  for (std::size_t first = 0, next = 0; first < founders.size(); first = next) {
    while (next < founders.size() && founders[next].holder == founders[first].holder) ++next;
    if (next - first > 1)
      list.insert(list.end(), founders.begin() + static_cast<std::ptrdiff_t>(first),
                  founders.begin() + static_cast<std::ptrdiff_t>(next));
  }
}

Standing standing_of(bool has_founded, bool placed) {
  if (placed) return Standing::placed;
  return has_founded ? Standing::outside : Standing::waits;
}

}  // namespace

void count_exclusive(Register& known) {
  std::vector<Acquaintance> founders;
  for (const Place& place : known.places) founders.push_back({place.cohort, place.holder});
  sort_distinct(founders);
  add_shared_founders(founders, known.acquaintances);
  sort_distinct(known.acquaintances);
  for (const Acquaintance& founder : founders) ++known.cohorts[at(founder.cohort)].exclusive;
  for (const Acquaintance& one : known.acquaintances) --known.cohorts[at(one.cohort)].exclusive;
}

Roll call_roll(const Register& known, Ticker& ticker) {
  Roll roll;
  std::vector<char> has_founded(at(known.persons), 0), placed(at(known.persons), 0);
  roll.present.assign(known.cohorts.size(), 0);
  roll.met.resize(at(known.persons));
  for (const Place& place : known.places) {
    ticker.step(20);
    if (place.person == kNone) continue;
    ++roll.present[at(place.cohort)];
    has_founded[at(place.person)] = 1;
    if (!lives_on(known.cohorts[at(place.cohort)])) continue;
    placed[at(place.person)] = 1;
    roll.stale += place.stale ? 1 : 0;
    roll.changed += place.changed ? 1 : 0;
  }
  for (std::size_t person = 0; person < placed.size(); ++person) {
    roll.standing.push_back(standing_of(has_founded[person] != 0, placed[person] != 0));
    if (roll.standing.back() == Standing::outside) ++roll.outside;
  }
  for (std::size_t c = 0; c < known.cohorts.size(); ++c) {
    const bool stays = lives_on(known.cohorts[c]) && roll.present[c] > 0;
    roll.retires.push_back(!known.cohorts[c].retired && !stays ? 1 : 0);
    if (stays) roll.vacant += known.cohorts[c].size - roll.present[c];
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
    roll.standing[person] = Standing::outside;
    ++roll.outside;
  }
}

bool accepts(const Acceptance& acceptance, const NewClass& formed) {
  if (acceptance.means && formed.exclusive < kLeastExclusive) return false;
  return formed.loss <= acceptance.most_loss || formed.waited >= acceptance.max_wait;
}

}  // namespace anonkit
