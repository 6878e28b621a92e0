#pragma once

#include "model/models.hpp"

#include "spec.hpp"

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

/// No promise yet, and room for one of every model beside one for each sensitive column.
PromisedLevels no_promise(int sensitive);

/// Adds the promise of a model by its name in models.cpp.
void promise(PromisedLevels& promised, const char* model, double level,
             int attribute = kAnyAttribute);

/// All that a release of this spec promises: what the pipeline verifies on the masked records, and
/// the audit on the finished view.
PromisedLevels promised_by(const Spec& spec);

}  // namespace anonkit::pg
