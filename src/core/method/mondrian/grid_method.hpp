#pragma once

#include "method/method.hpp"

namespace anonkit {

/// Mondrian on a public grid, with coins (grid.hpp), as a method that recodes: it publishes its
/// boxes.
Classification form_grid(const Problem& problem, Ticker& ticker);

/// True if the options name the algorithm, whose coins are secret.
bool cuts_by_grid(const Options& options);

/// Throws invalid_parameter for options under which the grid's theorem does not hold: all that lets
/// classes depend on more than the numbers of records in boxes.
void check_grid(const Options& options);

}  // namespace anonkit
