#pragma once

#include "model/level.hpp"

namespace anonkit {

/// (k,e)-anonymity: in every class the range of the numeric sensitive attribute is at least e (Q.
/// Zhang, N. Koudas, D. Srivastava, T. Yu: Aggregate query answering on anonymized tables. ICDE
/// 2007). The paper's k, the number of distinct values of a class, is p-sensitivity.
///
/// The level is the smallest difference between the greatest and the least number of a class, in
/// the attribute's own unit. Nulls are not numbers and widen no range; the range of a class of
/// nulls is 0. Throws invalid_parameter if the attribute is not numeric. O(classes).
Level k_e_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
