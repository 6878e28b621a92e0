#pragma once

#include "method/aggregate/aggregate.hpp"
#include "method/method.hpp"

namespace anonkit {

/// The functions whose values an attacker may know, by the names and weights that the user gave.
std::vector<AggregateFunction> aggregate_functions(const AggregateKnowledge& knowledge);

AggregateGuarantee guarantee_of(const AggregateKnowledge& knowledge);

/// Method "aggregate" (k^f- and k^(f,d)-anonymity). Throws invalid_parameter for whatever the
/// options alone show to be wrong.
void check_aggregate(const Options& options);

/// Forms the classes and masks the records: of each record a row of ranges of its own.
Classification form_aggregate(const Problem& problem, Ticker& ticker);

}  // namespace anonkit
