#pragma once

#include "method/method.hpp"

namespace anonkit {

// The algorithms of pk_clustering.hpp as algorithms of a method, with k and p of the options.

Classification form_enhanced_pk(const Problem& problem, Ticker& ticker);
Classification form_greedy_pk(const Problem& problem, Ticker& ticker);
Classification form_better_pk(const Problem& problem, Ticker& ticker);

}  // namespace anonkit
