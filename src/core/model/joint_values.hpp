#pragma once

#include "model/level.hpp"

namespace anonkit {

/// Joint values: what the classes of a person tell together. A value that lasts, such as a chronic
/// diagnosis, is in all classes of its person. So for an attacker who knows them, only the values
/// common to all these classes are candidates. Both levels concern the persons with a value that
/// lasts: one that they have in each of their classes. No promise about single classes bounds them.
///
/// The level is the fewest such candidates of a person; the relation's distinct values if no value
/// lasts. Throws invalid_parameter without units. O(n log n) for persons of one class, and for each
/// different set of classes the distinct values of the smallest one times log n.
Level joint_values(const ClassHistogram& histogram, Ticker& ticker);

/// The share of these persons with a single candidate; 0 if no value lasts.
Level single_joint_values(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
