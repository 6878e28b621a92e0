#pragma once

// Releases over time by frozen cohorts: the decisions of a refresh about existing classes.
//
// The published cells of a class never change, and a class appears and disappears as a unit. So all
// versions of a release follow from one table of places. A promise that holds for that table holds
// over all versions together. A place is a row followed over the versions. A cohort is a class of
// places that were founded together, by as many persons.
//
// Phases of a refresh:
//   register   lists the places on record and the persons who are present now
//   call_roll  decides which persons have a place, which wait for one, and which cohorts retire
//   settle     decides who is due and forms their classes (settling.hpp)
//
// Invariants. All of it depends on presence, dates and quasi-identifiers, and on no value: an
// adversary who knows these could compute it. A place shows its person as of its founding. It keeps
// its cells when its person leaves or changes. A person who ever founded a cohort founds no other.
// A cohort without a founder who is present retires. Where rows have the same person, at least two
// founders of each cohort enter no other mean, with whatever quasi-identifiers: those may follow
// from the ones known, as an age does from the date. So no system of means can be solved for one
// founder. Memory is linear in places and persons.
//
// If several rows belong to one person, places and present persons are rows, and the person is
// their holder. Then k holders found a cohort, and means concern holders.
//
//   Roll roll = call_roll(known, ticker);
//   if (acceptance.means) protect_means(known, roll);  // after it is known whom rows have met
//   if (accepts(acceptance, new_class)) found(new_class);  // the caller writes the cohort

#include <cstdint>
#include <tuple>
#include <vector>

#include "base/record.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A place at the start of a refresh.
struct Place {
  std::int32_t cohort = 0;
  Record person = kNone;     ///< among those present; kNone if absent
  bool changed = false;      ///< a value that it shows is another one now
  bool stale = false;        ///< a quasi-identifier has changed since its founding
  std::uint64_t holder = 0;  ///< owner of the row, also if the person is absent
};

/// A founder of a cohort whose values entered another cohort's mean as well.
struct Acquaintance {
  std::int32_t cohort = 0;
  std::uint64_t holder = 0;

  bool operator<(const Acquaintance& other) const {
    return std::tie(cohort, holder) < std::tie(other.cohort, other.holder);
  }
  bool operator==(const Acquaintance& other) const {
    return cohort == other.cohort && holder == other.holder;
  }
};

/// A class of places at the start of a refresh.
struct Cohort {
  std::int32_t size = 0;
  std::int32_t exclusive = 0;  ///< founders who entered no other mean: count_exclusive
  bool retired = false;
  bool withdrawn = false;  ///< to retire now, whoever is present
};

/// All that is known before a refresh.
struct Register {
  Record persons = 0;  ///< present now
  std::vector<Cohort> cohorts;
  std::vector<Place> places;
  std::vector<std::uint64_t> holder_of;     ///< of each person
  std::vector<Acquaintance> acquaintances;  ///< sorted, each once
};

/// Counts the founders of each cohort who entered no other mean. Sorts `acquaintances` and removes
/// its duplicates. O(places log places).
void count_exclusive(Register& known);

/// The standing of a person who is present.
enum class Standing : std::uint8_t {
  waits,    ///< never had a place, and may found one
  placed,   ///< has a place that is published
  outside,  ///< may not found a place: the cohort has retired, or a mean would give a founder away
};

/// The outcome of a roll call.
struct Roll {
  std::vector<Standing> standing;     ///< of each person
  std::vector<std::int32_t> present;  ///< by cohort: founders who are in the table
  std::vector<char> retires;          ///< by cohort: 1 if it retires now
  /// By person: the cohorts whose means include another row of the same holder. The caller fills
  /// it.
  std::vector<std::vector<std::int32_t>> met;
  /// Published places. Their person is absent (vacant), or present: and has quasi-identifiers
  /// (stale) or values (changed) other than those of the founding. `changed` is for the owner
  /// alone.
  std::int64_t vacant = 0;
  std::int64_t stale = 0;
  std::int64_t changed = 0;
  std::int64_t outside = 0;  ///< persons
};

/// Compares the places with the persons who are present. O(places + persons). Invariant: all but
/// `stale` and `changed` depend on presence alone.
Roll call_roll(const Register& known, Ticker& ticker);

/// Withholds each person whose return would leave a cohort with fewer than two founders whose
/// quasi-identifiers enter no other mean. Only needed where means are published. O(persons log
/// persons).
void protect_means(const Register& known, Roll& roll);

/// A class of waiting persons that the method proposes.
struct NewClass {
  std::int32_t size = 0;
  std::int32_t exclusive = 0;  ///< members whose quasi-identifiers enter no mean yet
  double loss = 0;             ///< mean squared error per record, on the scales of the first
                               ///< version
  std::int32_t waited = 0;     ///< the longest wait of a member, in refreshes
};

/// Founders of each cohort who enter no other mean, at least.
constexpr std::int32_t kLeastExclusive = 2;

/// Conditions for a class to become a cohort.
struct Acceptance {
  double most_loss = 0;       ///< per record
  std::int32_t max_wait = 0;  ///< refreshes after which the loss no longer counts
  bool means = true;          ///< true if centroids are published
  std::int32_t least = 0;     ///< persons in accepted classes without whom nobody is founded
};

/// True if the class may become a cohort now. O(1).
bool accepts(const Acceptance& acceptance, const NewClass& formed);

}  // namespace anonkit
