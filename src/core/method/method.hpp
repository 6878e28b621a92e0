#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "constraint/promised.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "search/refine.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// What an algorithm gets: the records, the sensitive attributes whose distribution every class has
/// to keep, and what the user asked for.
struct Problem {
  const Table& table;
  const std::vector<Record>& rows;  ///< of the table, in canonical order: the space's records
  const std::vector<std::size_t>& columns;  ///< of the table: the space's attributes
  const Space& space;
  const std::vector<SensitiveAttribute>& sensitive;
  const Options& options;
  /// When the time for searching is over; see RefineOptions.
  std::function<double()> clock;
  /// The number of records that these are, or are a part of: what a record may cost depends on it.
  Record table_records;
  /// Whose each record is; empty if each is somebody else's. With units k and all promises count
  /// persons.
  std::vector<std::int32_t> units = {};
};

/// Classes, and whether nothing but data and seed decided them.
struct Classification {
  Partition partition;
  bool reproducible = true;
  bool exact = true;  ///< false if a method of least loss had to search among some solutions only
  /// What is published, by a method that recodes as it forms classes: one row of cells for each
  /// class, or for each distinct entry of `cells_of`.
  std::optional<Masked> masked = std::nullopt;
  /// Where records of one class are published differently: of every record its row of `masked`.
  std::vector<std::int32_t> cells_of = {};
  std::int64_t suppressed_cells = 0;  ///< that a method which recodes suppresses on their own
};

/// Classes that an algorithm forms of points, unless records that are alike are to be divided.
template <class Algorithm>
Partition on_points(const Problem& problem, Ticker& ticker, const Algorithm& algorithm) {
  if (problem.options.duplicates == Duplicates::divide) return algorithm(problem.space);
  const Points points = points_of(problem.space, {}, ticker);
  if (!points.fewer()) return algorithm(problem.space);
  return to_records(points, algorithm(space_of(problem.space, points)));
}

/// The points that a search from classes moves: records that are equal in all quasi-identifiers,
/// and in the values that promises tell apart, and are in one class. So no class of the start
/// divides one.
Points points_of_search(const Problem& problem, const Partition& start, Ticker& ticker);

/// Classes of MDAV, of k records or of k units.
Partition mdav_classes(const Problem& problem, Ticker& ticker);

/// The constraints of all that is promised beside k records in a class.
Constraints constraints_of(const Problem& problem);

/// How the search engine is to search for the problem: thoroughly, unless the effort is fast.
RefineOptions search_options(const Problem& problem, Effort effort);

/// Searches on from classes for less loss (SSE, or NCP where ranges or groups of hierarchies are
/// published), keeping k and all promises, which they keep. The effort is not Effort::none.
Classification search_on(const Problem& problem, const Partition& start, Effort effort,
                         Ticker& ticker);

/// The promises beside k-anonymity.
enum PromiseSet : unsigned {
  kPromiseNone = 0,
  kPromiseT = 1,        ///< t-closeness
  kPromiseP = 2,        ///< p-sensitivity, extended too
  kPromiseKpqr = 4,     ///< (k,p,q,r)-anonymity
  kPromiseDiverse = 8,  ///< l-diversity of all kinds, (alpha,k), (k,e)
  kPromiseClasswise =
      kPromiseT | kPromiseP | kPromiseDiverse,  ///< all that full-domain searches know
  kPromiseNt = 16,       ///< (n,t)-closeness, of classes formed in parts; see natural_supersets.hpp
  kPromisePersons = 32,  ///< k and what else is promised, of persons who may have several records
  kPromiseAll = 63,
};

/// An algorithm that forms equivalence classes of at least options.k records each; the caller sees
/// to it that there are that many.
struct Method {
  const char* name;
  Classification (*form)(const Problem& problem, Ticker& ticker);
  /// What the classes keep if it is promised: a sum of PromiseSet.
  unsigned keeps;
  /// Throws Error if the options make no sense for the method; called before any work. May be null.
  void (*check)(const Options& options);
  /// What is published of a class if the user does not say.
  Recode recode = Recode::centroid;
  /// True if k (and p) are promised of the records that an attacker who knows an aggregate of the
  /// quasi-identifiers cannot tell apart, not of classes of equal quasi-identifiers.
  bool of_aggregates = false;
};

/// All methods; the table in method.cpp is the one list of them.
struct Methods {
  const Method* first;
  const Method* last;
  const Method* begin() const { return first; }
  const Method* end() const { return last; }
};
Methods methods();

/// The method of that name, or null.
const Method* find_method(std::string_view name);

}  // namespace anonkit
