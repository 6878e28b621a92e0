#pragma once

// Releases over time by frozen cohorts: what a refresh does with the classes that it finds.
//
// What is published of a class never changes, and a class comes and goes as a whole. So all
// versions of a release can be computed from one table of places, and every promise that holds for
// that table holds over all versions together. A place is a row followed over the versions; a
// cohort is a class of places that were founded together, by as many persons.
//
//   register what the database knows of places and of the persons who are present now
//   call_roll    tells who keeps a place, who waits for one, and which cohorts retire
//   the method   forms classes of those who wait
//   found        tells which of these classes become cohorts
//
// Rules. A person has one place ever while any as-is value lasts; a new one only after all of them
// have changed. A place whose person is gone, or has another as-is value, stays as it is. A cohort
// without a living member retires. Two founders at least of each cohort enter no other mean with
// the same quasi-identifiers, so no system of means can be solved for one of them.

#include <cstdint>
#include <vector>

#include "base/record.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A place as a refresh finds it.
struct Place {
  std::int32_t cohort = 0;
  Record person = kNone;         ///< among those present; kNone if gone
  std::int32_t equal_as_is = 0;  ///< as-is columns whose value is what the place publishes
  std::int32_t equal_quasi = 0;  ///< quasi-identifiers as they were when the place was founded
};

/// A class of places as a refresh finds it.
struct Cohort {
  std::int32_t size = 0;
  /// Founders whose quasi-identifiers no other cohort has averaged.
  std::int32_t exclusive = 0;
  bool retired = false;
};

/// Everything that is known before a refresh.
struct Register {
  Record persons = 0;  ///< present now
  std::int32_t as_is_columns = 0;
  std::int32_t quasi_identifiers = 0;
  std::vector<Cohort> cohorts;
  std::vector<Place> places;
};

/// What becomes of a person who is present.
enum class Standing : std::uint8_t {
  waits,     ///< has no place, and may found one
  placed,    ///< has a place that publishes all as-is values as they are
  withheld,  ///< may not found a place: an as-is value is, or was, published in another one
};

/// The outcome of a roll call.
struct Roll {
  std::vector<Standing> standing;     ///< of each person
  std::vector<std::int32_t> present;  ///< of each cohort: founders who are in the table
  std::vector<char> retires;          ///< of each cohort: 1 if it retires now
  /// Of each person the cohorts whose means know some of the person's quasi-identifiers already.
  std::vector<std::vector<std::int32_t>> met;
  std::int64_t vacant = 0;  ///< published places whose person is gone or has changed
  std::int64_t stale = 0;   ///< published places with other quasi-identifiers by now
  std::int64_t withheld = 0;
};

/// Compares the places with the persons who are present. O(places + persons).
/// Invariant: `standing` depends on a person's own row and places alone.
Roll call_roll(const Register& known, Ticker& ticker);

/// Withholds each person whose return would leave a cohort with fewer than two founders whose
/// quasi-identifiers no other mean has. For means only. O(persons).
void protect_means(const Register& known, Roll& roll);

/// A class that the method formed of persons who wait.
struct NewClass {
  std::int32_t size = 0;
  std::int32_t exclusive = 0;  ///< members whose quasi-identifiers no mean knows
  double loss = 0;             ///< squared error of a record, on the scales of the first version
  std::int32_t waited = 0;     ///< refreshes that its most patient member waited
};

/// What a class must satisfy to become a cohort.
struct Acceptance {
  double most_loss = 0;       ///< of a record
  std::int32_t max_wait = 0;  ///< refreshes after which the loss does not matter
  bool means = true;          ///< centroids are published
};

/// True if the class may become a cohort now.
bool accepts(const Acceptance& acceptance, const NewClass& formed);

}  // namespace anonkit
