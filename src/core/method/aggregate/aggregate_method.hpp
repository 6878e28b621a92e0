#pragma once

#include "method/aggregate/aggregate.hpp"
#include "method/method.hpp"

namespace anonkit {

/// The functions that an attacker may know, by the user's names and weights.
std::vector<AggregateFunction> aggregate_functions(const AggregateKnowledge& knowledge);

/// The guarantee that the options promise.
AggregateGuarantee guarantee_of(const AggregateKnowledge& knowledge);

/// Checks the options of method "aggregate" (k^f- and k^(f,d)-anonymity). Throws invalid_parameter
/// for errors that do not depend on the data.
void check_aggregate(const Options& options);

/// Forms the classes and masks the records: a row of ranges for each record.
Classification form_aggregate(const Problem& problem, Ticker& ticker);

}  // namespace anonkit
