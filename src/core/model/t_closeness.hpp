#pragma once

#include "model/level.hpp"

namespace anonkit {

/// t-closeness: in every class the distribution P of the sensitive attribute is within t of its
/// distribution Q in the relation. The distance is the earth mover's, EMD(P,Q) (N. Li, T. Li, S.
/// Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007; Section
/// 2.2 of J. Soria-Comas, J. Domingo-Ferrer, D. Sanchez, S. Martinez: t-closeness through
/// microaggregation. IEEE TKDE 27(11), 2015). The level is the largest EMD of a class, in [0,1].
///
/// The EMD of a class of s records, among n, is a fraction over s*n*(m-1) or 2*s*n, for m distinct
/// values. Integers sum its numerator exactly, and one division of the reduced fraction ends the
/// computation (see ratio.hpp). So a class whose EMD is exactly t is t-close.

/// t-closeness by the EMD that fits the attribute: hierarchical if it has a hierarchy
/// (hierarchical_t_closeness.hpp), else ordered if it is ordinal or numeric, else nominal.
Level t_closeness(const ClassHistogram& histogram, Ticker& ticker);

/// Ordered distance: from the i-th to the j-th distinct value |i-j|/(m-1), so that
///   EMD(P,Q) = 1/(m-1) * sum over i = 1..m of |(p_1 - q_1) + ... + (p_i - q_i)|; 0 if m = 1.
/// Null, if it occurs, is the last value. O(m + d log m) for d distinct values of all classes.
Level ordered_t_closeness(const ClassHistogram& histogram, Ticker& ticker);

/// Equal distance: 1 between any two values, so that EMD(P,Q) = 1/2 * sum of |p_i - q_i|. O(d).
Level nominal_t_closeness(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
