#pragma once

// The founding of classes over time: who of those who wait gets a class tonight, and which.
//
//   due      classes of all who wait, by quasi-identifiers alone; those of little loss, or with a
//            member who waited long, are due. Presence, dates and quasi-identifiers decide it
//   divide   the method divides all who are due, with the promises on their values
//   rest     who is left without such a class is put into classes by quasi-identifiers alone
//   withhold a class that breaks a promise, and decoys, never show their sensitive values
//
// Invariants. Who is due is settled: nobody waits on for a value, so waiting tells nothing of it.
// If the options ask for transparency, the due classes are founded as they are. Then values are
// read once, by the last step, which depends on the multiset of a class's values and on coins. So
// an assignment of values that differs by a permutation within the classes that show theirs gives
// the same versions, over any number of refreshes. Memory: a few releases of those who wait.
//
//   // The class of a row that waits on is kNone.
//   const Anonymized founded = settle(table, method, options, waiters, acceptance, coins, ticker);
//   if (founded.members.records.empty()) nobody_is_due();

#include "cohort/cohorts.hpp"
#include "pipeline.hpp"

namespace anonkit {

/// All who wait, by row of the table.
struct Waiters {
  std::vector<std::int32_t> waited;    ///< refreshes since they came
  std::vector<std::uint64_t> holders;  ///< whose the row is
  std::vector<char> met;               ///< 1 if a mean knows quasi-identifiers of the row
};

/// By class, the persons of its rows who have no row in another of these classes, and of whose
/// quasi-identifiers no earlier mean tells. kNone is no class. O(rows log rows).
std::vector<std::int32_t> exclusive_founders(const std::vector<ClassId>& class_of,
                                             const Waiters& waiters, Ticker& ticker);

/// The coins of one refresh. A class is a decoy by its number there, never by what it shows: two
/// classes of equal cells have a coin each.
struct Coins {
  std::uint64_t key = 0;   ///< secret, and another one for each refresh
  double probability = 0;  ///< of a decoy

  bool is_decoy(ClassId c) const;
};

/// The classes without a sensitive value. Readers cannot tell them from classes that withhold
/// theirs. O(rows * attributes).
std::vector<bool> classes_without_values(const Table& table, const Members& members);

/// The classes that withhold their values: those of `withheld`, the classes without values among
/// them, and then those that break a promise, until none of the others does. The others are the
/// table that distributions are relative to, and each pass may take rows from it. At most one pass
/// for each class; one, if no promise is about distributions.
std::vector<bool> withheld_until_kept(const Table& table, const Members& members,
                                      const Options& options, std::vector<bool> withheld,
                                      Ticker& ticker);

/// The fewest persons who found classes together, since promises about distributions need a table
/// to compare with; 0 without such promises.
std::int32_t least_together(const Options& options, std::size_t attributes);

/// The squared error of each class, on the scales of the result.
std::vector<double> founding_errors(const Table& table, const Anonymized& formed,
                                    const Options& options, Ticker& ticker);

/// The classes that are founded; rows that wait on have none. `acceptance.max_wait` counts from the
/// refresh in which somebody came. The fingerprints of the table must not depend on values.
/// Promises about distributions are relative to the rows founded now that show their values. Throws
/// Error like anonymize, but never for values that break a promise. Four runs of the method at
/// most.
Anonymized settle(const Table& table, const Method& method, const Options& options,
                  const Waiters& waiters, const Acceptance& acceptance, const Coins& coins,
                  Ticker& ticker);

}  // namespace anonkit
