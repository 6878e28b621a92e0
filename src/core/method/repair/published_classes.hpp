#pragma once

#include "method/method.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// Classes that keep the promises as they are published. Classes whose cells come out equal, as
/// rounding to a column's type makes them, are one class to a reader. All models but
/// (k,p,q,r)-anonymity hold for such a class if they hold for its parts; under that one, classes
/// that are not allowed when joined are united with others (uniting.hpp) until all are, or one is
/// left.
Partition keep_when_published(const Problem& problem, Partition partition, Ticker& ticker);

}  // namespace anonkit
