#include "pg/spec/promised.hpp"

#include "promise/promise.hpp"

#include "pg/backend/session.hpp"

namespace anonkit::pg {

namespace {

void add(PromisedLevels& promised, const char* model, double level, int attribute = kAnyAttribute,
         bool relative = false) {
  if (level > 0)
    promised.levels[promised.count++] = {find_model(model), level, attribute, relative};
}

void add_levels(PromisedLevels& promised, const Promise& promise, const Spec& spec) {
  for (const JudgedLevel& level : promise.levels) {
    if (level.model == nullptr) break;
    if (find_model(level.model)->needs == AttributeNeed::with_protected &&
        spec.protected_values.count == 0)
      continue;
    const int attributes = promise.each_level ? spec.sensitive.count : 1;
    for (int a = 0; a < attributes; ++a)
      add(promised, level.model, level.promised(spec.options.promises, static_cast<std::size_t>(a)),
          promise.each_level ? a : kAnyAttribute, promise.relative);
  }
}

}  // namespace

PromisedLevels promised_by(const Spec& spec) {
  const Promises& promises = spec.options.promises;
  const auto all_models = static_cast<int>(models().end() - models().begin());
  PromisedLevels promised = {};
  promised.levels = allocate<PromisedLevel>(all_models + spec.sensitive.count);
  if (spec.options.generalisation.complete) add(promised, "k-anonymity", spec.options.k);
  if (spec.options.unit_rows_together) add(promised, "k-anonymity of histories", spec.options.k);
  for (const Promise* promise : kPromiseTable)
    if (promise->is_made(promises)) add_levels(promised, *promise, spec);
  if (promises.c > 0) promised.parameters.l = promises.l;
  promised.parameters.q = promises.q;
  promised.parameters.variance_of = promises.variance_of;
  promised.parameters.n = promises.n;
  return promised;
}

}  // namespace anonkit::pg
