#pragma once

// The interface between the pipeline and the algorithms that form classes, and the registry of
// these.
//
// Phases: check() rejects impossible options; form() partitions one problem, with its own search;
// search_on() improves any result. Invariants: form() returns classes of at least options.k records
// that keep all promises of Method::keeps. Data and seed alone decide the result, unless a clock
// ended the search. Memory depends on the method.
//
//   const Method* method = find_method("mdav");
//   if (method->check != nullptr) method->check(options);
//   const Classification classes = method->form(problem, ticker);

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promised.hpp"
#include "recode/masked.hpp"
#include "search/refine.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The input of an algorithm: the records, the sensitive attributes of the promises, and the
/// options.
struct Problem {
  const Table& table;
  const std::vector<Record>& rows;  ///< of the table, in canonical order; the space's records
  const std::vector<std::size_t>& columns;  ///< of the table; the space's attributes
  const Space& space;
  const std::vector<SensitiveAttribute>& sensitive;
  const Options& options;
  /// The elapsed share of the time limit; see RefineOptions.
  std::function<double()> clock;
  /// The number of records of the problem, or of the problem that these are a part of. Effort per
  /// record depends on it.
  Record table_records;
  /// By record its person (unit); empty if each record is a person of its own. With units, k and
  /// all promises count persons.
  std::vector<std::int32_t> units = {};
  /// The most threads that work at once on these records: one for each of the parts that threads
  /// share.
  int threads = 1;

  /// True if distributions are those of a larger table, which these records are to be like. Then
  /// even one class of all need not keep a promise, and classes that do not are left out.
  bool is_part() const { return !sensitive.empty() && !sensitive.front().table_counts.empty(); }
};

/// Classes, and whether data and seed alone decided them.
struct Classification {
  Partition partition;
  bool reproducible = true;
  bool exact = true;  ///< false if a method of least loss searched only a part of the solutions
  /// The published cells, from a method that recodes: one row of cells per class, or per distinct
  /// entry of `cells_of`.
  std::optional<Masked> masked = std::nullopt;
  /// If records of a class have different cells: by record, its row of `masked`.
  std::vector<std::int32_t> cells_of = {};
  std::int64_t suppressed_cells = 0;  ///< suppressed singly by a method that recodes
};

/// The numbers of the records, ascending.
std::vector<Record> all_records(const Problem& problem);

/// The members of a class of these records: their number, or that of their persons.
Record count_members(const Problem& problem, const RecordSpan& records);

/// Classes formed on points, so that equal records stay together, unless the options divide them.
template <class Algorithm>
Partition on_points(const Problem& problem, Ticker& ticker, const Algorithm& algorithm) {
  if (problem.options.duplicates == Duplicates::divide) return algorithm(problem.space);
  const Points points = points_of(problem.space, {}, ticker);
  if (!points.fewer()) return algorithm(problem.space);
  return to_records(points, algorithm(space_of(problem.space, points)));
}

/// The codes of records that a search may move as one point (see SearchedPoints): the values that
/// promises are about. None if persons have several records.
std::optional<Marks> alike_in(const Problem& problem);

/// Classes of MDAV, of at least k records or k units. The stretch is for records alone (see mdav).
Partition mdav_classes(const Problem& problem, Ticker& ticker, double stretch = 1);

/// The constraints for all promises beside k.
Constraints constraints_of(const Problem& problem);

/// Algorithm 2 of t-closeness and the clusterings with generalisation can take quadratic time. They
/// are starts up to this many records, where they take some seconds.
constexpr Record kQuadratic = 20000;

/// True if the options ask for the algorithm that competes with all others of its method.
bool is_best(const Options& options);

/// The search options for the problem: thorough, unless the effort is fast. Every start is tried
/// by a thorough search, by algorithm 'best', and of few records.
RefineOptions search_options(const Problem& problem, Effort effort);

/// Continues from feasible classes towards less loss (NCP if ranges or groups of hierarchies are
/// published, else SSE) and keeps k and all promises. The effort must not be Effort::none; `scale`
/// multiplies it.
Classification search_on(const Problem& problem, const Partition& start, Effort effort,
                         Ticker& ticker, double scale = 1);

/// An algorithm that forms classes of at least options.k records each; the caller ensures that
/// there are that many.
struct Method {
  const char* name;
  Classification (*form)(const Problem& problem, Ticker& ticker);
  /// The promises that the classes can keep: a sum of PromiseSet.
  unsigned keeps;
  /// Throws Error for invalid options, before any work. May be null.
  void (*check)(const Options& options);
  /// The default recoding.
  Recode recode = Recode::centroid;
  /// True if k (and p) concern the records that an attacker with knowledge of an aggregate cannot
  /// distinguish, instead of classes of equal quasi-identifiers.
  bool of_aggregates = false;
  /// True if classes of blocks of neighbours serve as classes of the table; see blocks.hpp.
  bool by_blocks = false;
  /// True if form() ends with a search for less loss, of the effort that the options say. Algorithm
  /// 'best' of the others does so, too.
  bool searches = false;
};

/// All methods. The table in method.cpp is their only list.
struct Methods {
  const Method* first;
  const Method* last;
  const Method* begin() const { return first; }
  const Method* end() const { return last; }
};
Methods methods();

/// The method of that name, or null. O(methods).
const Method* find_method(std::string_view name);

/// True if records with nulls in numbers may form strata (Nulls::stratify). Levels of a column and
/// aggregates of a record concern all records and columns at once, and so do the boxes of a grid.
bool can_stratify(const Method& method, const Options& options);

}  // namespace anonkit
