#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Several promises. Plain data, palloc'd.
struct PromisedLevels : AskedLevels {
  ModelParameters parameters;
};

/// True for a release by swapping, whose classes are private.
bool is_swapped(const Spec& spec);

/// True for a release of method aggregate, whose k is that of records with a known aggregate.
bool is_of_aggregates(const Spec& spec);
/// "k^f-anonymity", or "k^(f,d)-anonymity" if d is above 0.
const char* aggregate_model(const AggregateKnowledge& knowledge);
/// The names of the functions, separated by commas.
const char* aggregate_attribute(const AggregateKnowledge& knowledge);

/// The name of the promise that k makes: k-anonymity, or probabilistic k-anonymity by swapping.
const char* promise_of_k(const Spec& spec);

/// All promises of a spec about classes, none for one of aggregates. The pipeline verifies them on
/// the masked records, and an audit on a finished relation.
PromisedLevels promised_by(const Spec& spec);

/// True if the model compares the distribution of a class with that of a table.
bool compares_with_table(const Model& model);

/// All levels that an audit is asked about: by model in `asked`, or by the options of a promise. An
/// error if both ask for different levels of a model.
AskedLevels asked_by(const Spec& spec);

/// The promises in words: "5-anonymous, 3-diverse". Empty without any.
char* promise_words(const Spec& spec);

}  // namespace anonkit::pg
