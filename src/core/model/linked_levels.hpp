#pragma once

// The levels of related tables under the promises of linked releases. All count persons.
//
//   P(k, m)      every pattern of at most m rows that occurs is supported by at least k persons
//   P(k, all)    every whole record belongs to at least k persons (k-anonymity of histories)
//   by counts    every root label with the numbers of rows in the tables does
//   A(alpha, m)  among the supporters of a pattern, at most the share alpha has a row with a value
//   l-diversity  the supporters of a pattern have l values, and l - 1 of them lack any single one
//
// If a column has protected values, both are about these alone: at most the share alpha has a row
// with one, and l - 1 supporters lack it. Other values may be known.
//
// P(k, m) is (k,k^m)-anonymity (Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos 2013) with links;
// A(alpha, m) is the form for persons of the h in (h,k,p)-coherence (Xu, Wang, Fu, Yu 2008).
//
// The least support of a person is the fewest persons who support one of the person's patterns. It
// is the number of candidates that an adversary with the most telling of those facts is left with.
//
// Two passes over all patterns of all persons: one counts, one looks up. If the counts need more
// memory than there is, each pass handles a share of the patterns, by their keys. Each thread
// counts a part of the persons, and the counts are added.
//
//   SilentTicker ticker;
//   LinkedQuestion question;                    // m up to 3, persons below 5
//   linked_levels(tables, question, ticker).by_m[1].alone;  // persons whom one row singles out

#include "model/linked_records.hpp"

namespace anonkit {

struct LinkedQuestion {
  int largest_m = 3;   ///< -1: no levels by m
  std::int32_t k = 5;  ///< persons with fewer candidates are counted
  std::int64_t memory = std::int64_t{1} << 30;
  bool all = true;  ///< also the levels of whole records
  bool counts = true;
  /// Values of sensitive columns are counted by one.
  int threads = 1;
};

/// The levels of the values of a sensitive column.
struct LinkedValueLevel {
  std::size_t table = 0;
  std::size_t column = 0;      ///< among the table's values
  double share = 0;            ///< alpha: the largest share of supporters with the same value
  std::int32_t diversity = 0;  ///< l; 0 if there are no values
  double share_unlinked = 0;   ///< alpha against who does not know which rows belong together
};

/// The levels against the knowledge of up to m rows, of all or of their numbers.
struct LinkedLevel {
  std::int32_t k = 0;                         ///< the least support of a person
  std::int64_t alone = 0;                     ///< persons with a least support of 1
  std::int64_t below = 0;                     ///< persons with one below the k of the question
  std::vector<LinkedValueLevel> values = {};  ///< by sensitive column; none by counts
};

/// Only the levels that were asked for are set.
struct LinkedLevels {
  std::vector<LinkedLevel> by_m;  ///< from 0 to the largest m
  LinkedLevel all;
  LinkedLevel counts;
};

/// The bytes that one person's patterns of up to `largest_m` rows need, at most. No limit of memory
/// can lower them. O(rows) time.
double linked_bytes(const std::vector<JudgedTable>& tables, int largest_m, int threads,
                    Ticker& ticker);

/// Measures tables of at least one person. O(P) time for P patterns, which are up to n^m / m! for a
/// person with n rows, of which equal ones count up to m times.
LinkedLevels linked_levels(const std::vector<JudgedTable>& tables, const LinkedQuestion& question,
                           Ticker& ticker);

}  // namespace anonkit
