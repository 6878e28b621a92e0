#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anonkit {

/// The distance of classes from p-sensitivity: T. M. Truta, A. Campan, P. Meyer: Generating
/// microdata with p-sensitive k-anonymity property. SDM 2007, Definitions 11 and 12. `distinct`
/// holds, for each sensitive attribute, the number of its distinct values in the class; a number
/// above p counts as p. The function does not normalise the weights, which sum to 1 in the paper.

/// Homogeneity Hom(cl): 0 if and only if the class is p-sensitive for every attribute (Property 1).
/// O(attributes).
inline double homogeneity(const std::vector<std::int32_t>& distinct, std::int32_t p,
                          const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i)
    if (distinct[i] < p) sum += (p - distinct[i]) * weights[i];
  return sum;
}

/// Diversity Div(X, cl): the gain of the class by one more record. `is_new(i)` tells if the
/// record's value of the i-th attribute is new to the class. O(attributes).
template <class IsNew>
double diversity(const std::vector<std::int32_t>& distinct, std::int32_t p,
                 const std::vector<double>& weights, IsNew is_new) {
  double sum = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i)
    if (distinct[i] < p && is_new(i)) sum += (p - distinct[i]) * weights[i];
  return sum;
}

}  // namespace anonkit
