#pragma once

#include "method/method.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// True if ranges or groups of hierarchies are published, so that what a release loses is the
/// normalised certainty penalty.
inline bool generalises(const Options& options) {
  return options.recode != Recode::centroid;
}

/// Method 'mondrian', by the algorithm that options.algorithm names: 'strict' (the first choice),
/// 'relaxed', or 'best': both of them and the cheapest cuts, and the search from there with NCP as
/// its loss.
Classification form_mondrian(const Problem& problem, Ticker& ticker);

/// Throws invalid_parameter for an unknown algorithm.
void check_mondrian(const Options& options);

/// Classes of low NCP that keep all promises: Mondrian with cuts of each kind and, of small tables,
/// MDAV or the other starts that keep them, improved by the search.
Classification form_generalised(const Problem& problem, Effort effort, Ticker& ticker);

/// Searches on from classes for a lower NCP, keeping k and all promises, which they keep.
Classification search_generalised(const Problem& problem, const Partition& start, Effort effort,
                                  Ticker& ticker);

}  // namespace anonkit
