#pragma once

#include "partition/method.hpp"

namespace anonkit {

// pk_clustering.hpp as algorithms of a method: p and k of the options, whose promises include p.

Formed form_enhanced_pk(const Problem& problem, Ticker& ticker);
Formed form_greedy_pk(const Problem& problem, Ticker& ticker);
Formed form_better_pk(const Problem& problem, Ticker& ticker);

}  // namespace anonkit
