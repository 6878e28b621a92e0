#pragma once

#include <vector>

#include "method/method.hpp"
#include "partition/partition.hpp"
#include "search/starts.hpp"

namespace anonkit {

/// Classes that keep the promises as published. Classes with equal cells, for instance after
/// rounding, are one class to a reader. Every model but (k,p,q,r)-anonymity holds for such a union
/// of records if it holds for its parts. No model need hold for a union in which persons have
/// records in several parts. Unions that the constraints reject are united with other classes
/// (uniting.hpp) until all are allowed, or one class is left. Throws infeasible if that class
/// breaks a promise to persons.
Partition keep_when_published(const Problem& problem, Partition partition, Ticker& ticker);

/// The classes of these records as published: those with equal cells are one.
Partition joined_when_published(const Problem& problem, const std::vector<Record>& records,
                                Partition partition, Ticker& ticker);

/// True if the classes keep the promises as published.
bool are_kept_when_published(const Problem& problem, const Partition& partition, Ticker& ticker);

/// keep_when_published for a search that compares losses; empty if no promise needs it.
AsPublished as_published(const Problem& problem, Ticker& ticker);

}  // namespace anonkit
