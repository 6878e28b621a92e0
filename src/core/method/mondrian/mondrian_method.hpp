#pragma once

#include "method/method.hpp"
#include "partition/partition.hpp"
#include "recode/recoding.hpp"

namespace anonkit {

/// True if ranges or groups of hierarchies are published, so that the loss is the normalised
/// certainty penalty.
inline bool generalises(const Options& options) {
  return !recoding(options.recode).keeps_type;
}

/// Method 'mondrian', by the algorithm of options.algorithm. 'strict' is the default, then
/// 'relaxed'. 'best' starts the search, with NCP as its loss, from both of them and from the
/// cheapest cuts.
Classification form_mondrian(const Problem& problem, Ticker& ticker);

/// Throws invalid_parameter for an unknown algorithm.
void check_mondrian(const Options& options);

/// Classes of low NCP that keep all promises. The starts are Mondrian with cuts of each kind and,
/// on small tables, MDAV or the other feasible starts; the search improves them.
Classification form_generalised(const Problem& problem, Effort effort, Ticker& ticker);

/// Continues from feasible classes towards lower NCP and keeps k and all promises.
Classification search_generalised(const Problem& problem, const Partition& start,
                                  const RefineOptions& how, Ticker& ticker);

}  // namespace anonkit
