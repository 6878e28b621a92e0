#pragma once

#include "method/full_domain/full_domain.hpp"
#include "method/method.hpp"

namespace anonkit {

/// The full-domain searches of recode/lattice/ as methods: every quasi-identifier has a hierarchy,
/// and they say themselves which records and cells are published at which level, and which are
/// suppressed. All throw invalid_parameter if a column has no hierarchy.
Classification form_incognito(const Problem& problem, Ticker& ticker);
Classification form_mingen(const Problem& problem, Ticker& ticker);
Classification form_datafly(const Problem& problem, Ticker& ticker);
Classification form_argus(const Problem& problem, Ticker& ticker);
Classification form_topdown(const Problem& problem, Ticker& ticker);

/// Throws invalid_parameter unless hierarchy levels are to be published, and if a promise is made
/// that mu-Argus without `complete` does not look at.
void check_full_domain(const Options& options);

/// What every generalisation of the records, or every minimal one, would publish: see list_nodes.
std::vector<NodeFigures> list_generalisations(const Problem& problem, bool minimal_only,
                                              Ticker& ticker);

}  // namespace anonkit
