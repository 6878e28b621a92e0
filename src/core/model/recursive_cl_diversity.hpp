#pragma once

#include "model/level.hpp"

namespace anonkit {

/// Recursive (c,l)-diversity: r_1 < c (r_l + r_(l+1) + ... + r_m) in every class, where r_i is the
/// number of records of the class's i-th most frequent value (A. Machanavajjhala et al.:
/// l-diversity. ICDE 2006, Section 4). The paper on (k,p,q,r)-anonymity prints r_1 where that sum
/// starts at r_l.
///
/// The level, for the given l >= 1, is the greatest r_1 / (r_l + ... + r_m) of a class. The
/// relation is (c,l)-diverse for every c above the level, but not for c equal to it. The level is
/// infinite if a class has fewer than l distinct values, since no c then holds. With units r_i
/// counts persons, and the level is also infinite if fewer than l - 1 persons lack a value. Throws
/// invalid_parameter if l < 1. O(distinct values of all classes).
Level recursive_cl_diversity(const ClassHistogram& histogram, std::int32_t l, Ticker& ticker);

}  // namespace anonkit
