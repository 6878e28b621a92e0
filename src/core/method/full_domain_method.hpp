#pragma once

#include "method/full_domain/full_domain.hpp"
#include "method/method.hpp"

namespace anonkit {

/// The full-domain searches of method/full_domain/ as methods. Every quasi-identifier has a
/// hierarchy, and the methods decide the level of every cell and the suppressed records and cells.
/// All throw invalid_parameter if a column has no hierarchy.
Classification form_incognito(const Problem& problem, Ticker& ticker);
Classification form_mingen(const Problem& problem, Ticker& ticker);
Classification form_datafly(const Problem& problem, Ticker& ticker);
Classification form_argus(const Problem& problem, Ticker& ticker);
Classification form_topdown(const Problem& problem, Ticker& ticker);

/// Throws invalid_parameter unless hierarchy levels are published, and for promises that mu-Argus
/// without `complete` does not consider.
void check_full_domain(const Options& options);

/// The figures of every generalisation of the records, or of every minimal one: see list_nodes.
std::vector<NodeFigures> list_generalisations(const Problem& problem, bool minimal_only,
                                              Ticker& ticker);

}  // namespace anonkit
