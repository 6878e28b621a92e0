#pragma once

#include "method/method.hpp"

namespace anonkit {

// pk_clustering.hpp as algorithms of a method: p and k of the options, whose promises include p.

Classification form_enhanced_pk(const Problem& problem, Ticker& ticker);
Classification form_greedy_pk(const Problem& problem, Ticker& ticker);
Classification form_better_pk(const Problem& problem, Ticker& ticker);

}  // namespace anonkit
