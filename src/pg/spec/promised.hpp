#pragma once

#include "model/models.hpp"

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// A promised level of a model. Plain data.
struct PromisedLevel {
  const Model* model;
  double level;
  int attribute;                    ///< the sensitive column; kAnyAttribute: each of them
  bool relative = false;            ///< the model compares classes with the relation
  const char* adjective = nullptr;  ///< of a release that keeps it, with %g for the level
};
constexpr int kAnyAttribute = -1;

/// Several promises. Plain data, palloc'd.
struct PromisedLevels {
  PromisedLevel* levels;
  int count;
  ModelParameters parameters;
};

/// All promises of a spec about classes. The pipeline verifies them on the masked records, and an
/// audit on a finished relation.
PromisedLevels promised_by(const Spec& spec);

/// The promises in words: "5-anonymous, 3-diverse". Empty without any.
char* promise_words(const Spec& spec);

}  // namespace anonkit::pg
