#pragma once

#include "method/method.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// Classes that keep the promises as they are published. Classes whose cells come out equal, as
/// rounding to a column's type makes them, are one class to a reader. All models but
/// (k,p,q,r)-anonymity hold for such a class of records if they hold for its parts; none need hold
/// for a class of persons who are in several parts. Classes that are not allowed when joined are
/// united with others (uniting.hpp) until all are, or one is left. Throws infeasible if that one is
/// not allowed to persons.
Partition keep_when_published(const Problem& problem, Partition partition, Ticker& ticker);

}  // namespace anonkit
