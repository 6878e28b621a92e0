#pragma once

#include <functional>

#include "partition/change.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// The best of two partitions, part by part. The records fall into parts of which each is a union
/// of classes in both partitions, the smallest such; of every part the classes that lose less are
/// taken. So the result never loses more than either, and each of its classes is a class of one of
/// them. (Partition crossover: D. Whitley, D. Hains, A. Howe: Tunneling between optima. GECCO
/// 2009.)
///
/// `loss` is that of a class; the loss of a partition is the sum. Records suppressed in neither.
/// O(n) beside the losses of the classes that differ.
Partition crossover(const Partition& a, const Partition& b,
                    const std::function<double(const RecordSpan&)>& loss);

}  // namespace anonkit
