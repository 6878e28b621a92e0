#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "partition/partition.hpp"
#include "search/refine.hpp"
#include "search/searched_points.hpp"

namespace anonkit {

struct SearchedStarts {
  std::size_t won = 0;  ///< index of the start of the best partition
  Partition partition;
  double loss = 0;
  bool reproducible = true;
};

/// The classes from the reader's view; none if these break a promise.
using AsPublished = std::function<std::optional<Partition>(Partition)>;

/// A search for less loss, with its loss and constraints.
struct StartSearch {
  std::function<double(const RecordSpan&)> loss;  ///< of a class; the losses of classes add up
  std::function<RefineResult(const Partition&, const RefineOptions&)> refine;
  AsPublished published = {};  ///< empty if classes keep promises however rounding joins them
};

/// Searches for less loss from one or more starts. Every start gets the short search of
/// Effort::fast; with that effort, of several starts the best one alone gets its annealing. With
/// Effort::thorough each of the different results gets the long search, up to twelve of few records
/// and six of many. Then crossover.hpp combines the results. Under a time limit only the best
/// result gets it: one long search gets further than several short ones.
///
/// The result never has more loss than any start, nor than the descent from any start. If every
/// result got the long search, it has no more loss than a thorough refine_starts of any single
/// start. All searches have one seed. Losses are those of the classes as published. On large tables
/// Effort::fast searches from two starts only, unless asked for every one. They are the start of
/// least loss, and the one with most classes, which constraints do not force the search to divide.
SearchedStarts refine_starts(std::vector<Partition> starts, const StartSearch& search,
                             const RefineOptions& options);

/// A search for less squared error to the centroid.
struct SseSearch {
  const Space& space;
  Record k;
  std::vector<Constraint*> constraints = {};
  /// See SearchedPoints.
  std::optional<Marks> alike = {};
  AsPublished published = {};
  /// True if classes may divide records that are equal in all coordinates.
  bool divides = false;
};

/// refine_starts for SSE to the centroid. Neighbour lists of records are made once.
SearchedStarts refine_starts(const SseSearch& search, std::vector<Partition> starts,
                             const RefineOptions& options, Ticker& ticker);

}  // namespace anonkit
