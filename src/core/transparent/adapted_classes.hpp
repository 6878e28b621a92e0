#pragma once

#include <functional>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Forms classes of at least k of the listed records, which are ascending, by quasi-identifiers
/// alone; no class divides records that are equal in them. Returns the class of each listed record.
using FormClasses = std::function<Partition(const std::vector<Record>& records, Record k)>;

/// Classes that are likely to keep promises on values, formed without a look at their assignment to
/// records.
///
/// Classes of all records are formed, each of g at least. That is the size at which a random part
/// of the records breaks a promise with the probability `share`. Then the records are cut in two
/// between these classes, where that leaves the least SSE. Cuts are along an attribute, along the
/// main axis, or by the distance from the record farthest from the centroid. Each part has its own
/// g, and is cut again. A small part whose g differs has its classes formed anew. A part too small
/// for a cut is one class. So where neighbours resemble each other, classes stay united that would
/// fail alone.
///
/// Transparent: a set is divided by its quasi-identifiers and its values as a multiset. If values
/// change hands within final classes, every set on the way is a union of them. So it keeps its
/// multiset and is divided as before.
///
/// O(n d log^2 n) for n records of d attributes, beside PartSize for each set, and the classes of
/// all records and of small sets.
Partition adapted_classes(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                          const Promises& promises, Record k, double share, const FormClasses& form,
                          Ticker& ticker);

}  // namespace anonkit
