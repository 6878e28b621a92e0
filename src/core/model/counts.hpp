#pragma once

#include "model/level.hpp"

namespace anonkit {

/// k-anonymity: every class has at least k records (L. Sweeney: k-anonymity: a model for protecting
/// privacy. Int. J. Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002, Definition 3).
/// The level is the size of the smallest class. O(classes).
Level k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

/// p-sensitivity: every class has at least p distinct values of the sensitive attribute (T. M.
/// Truta, B. Vinay: Privacy protection: p-sensitive k-anonymity property. ICDE Workshops 2006).
/// The level is the fewest distinct values of a class.
///
/// With units, a person may have several values, and p values do not protect persons who share one.
/// So for every value at least p - 1 persons of the class lack it, which p distinct values of
/// records imply. O(distinct values of all classes).
Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker);

/// Distinct l-diversity: every class has at least l distinct values of the sensitive attribute, the
/// simplest reading of "well represented" (A. Machanavajjhala, J. Gehrke, D. Kifer, M.
/// Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. ICDE 2006; so named in N. Li, T.
/// Li, S. Venkatasubramanian: t-closeness. ICDE 2007, Section 2). The level is the fewest distinct
/// values of a class: p-sensitivity under another name, also with units. O(distinct values of all
/// classes).
Level distinct_l_diversity(const ClassHistogram& histogram, Ticker& ticker);

/// (alpha,k)-anonymity: in every class the share of each value of the sensitive attribute is at
/// most alpha (R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (alpha,k)-anonymity: an enhanced
/// k-anonymity model for privacy preserving data publishing. KDD 2006; the general form, in which
/// every value is sensitive). The level is the largest share of a value in a class, in (0,1].
/// k_anonymity judges k. O(distinct values of all classes).
Level alpha_k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
