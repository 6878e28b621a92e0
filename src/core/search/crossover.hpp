#pragma once

#include <functional>

#include "partition/change.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// Partition crossover (D. Whitley, D. Hains, A. Howe: Tunneling between optima. GECCO 2009).
/// Divides the records into the smallest components that are unions of classes in both partitions.
/// From each component it takes the classes of lower loss. So the result never has more loss than
/// either partition, and each of its classes is a class of one of them.
///
/// `loss` is the loss of a class; a partition's loss is the sum. Neither partition suppresses
/// records. O(n) beside the losses of the classes that differ.
Partition crossover(const Partition& a, const Partition& b,
                    const std::function<double(const RecordSpan&)>& loss);

}  // namespace anonkit
