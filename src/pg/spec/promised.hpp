#pragma once

#include "model/models.hpp"

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// What a model promises. Plain data.
struct PromisedLevel {
  const Model* model;
  double level;
  int attribute;  ///< the sensitive column that it is about; kAnyAttribute: each of them
};
constexpr int kAnyAttribute = -1;

/// Several promises. Plain data, palloc'd.
struct PromisedLevels {
  PromisedLevel* levels;
  int count;
  ModelParameters parameters;
};

/// All that a spec promises of classes: what the pipeline verifies on the masked records, and an
/// audit on a finished relation.
PromisedLevels promised_by(const Spec& spec);

}  // namespace anonkit::pg
