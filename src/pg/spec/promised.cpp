#include "pg/spec/promised.hpp"

#include "pg/backend/session.hpp"

namespace anonkit::pg {

namespace {

/// Adds the promise of a model by its name in models.cpp.
void promise(PromisedLevels& promised, const char* model, double level,
             int attribute = kAnyAttribute) {
  promised.levels[promised.count++] = {find_model(model), level, attribute};
}

}  // namespace

PromisedLevels promised_by(const Spec& spec) {
  const Promises& promises = spec.options.promises;
  const auto all_models = static_cast<int>(models().end() - models().begin());
  PromisedLevels promised = {};
  promised.levels = allocate<PromisedLevel>(all_models + spec.sensitive.count);
  if (spec.options.k > 0 && spec.options.generalisation.complete)
    promise(promised, "k-anonymity", spec.options.k);
  if (spec.options.k > 0 && spec.options.unit_rows_together)
    promise(promised, "k-anonymity of histories", spec.options.k);
  if (promises.p > 0 && !promises.kpqr()) promise(promised, "p-sensitivity", promises.p);
  if (promises.p > 0 && spec.protected_values.count > 0)
    promise(promised, "extended p-sensitivity", promises.p);
  if (promises.c > 0) {
    promised.parameters.l = promises.l;
    promise(promised, "recursive (c,l)-diversity", promises.c);
  } else if (promises.l > 0) {
    promise(promised, "distinct l-diversity", promises.l);
  }
  if (promises.entropy_l > 0) promise(promised, "entropy l-diversity", promises.entropy_l);
  if (promises.alpha > 0) promise(promised, "(alpha,k)-anonymity", promises.alpha);
  if (promises.e > 0) promise(promised, "(k,e)-anonymity", promises.e);
  if (promises.kpqr()) {
    promised.parameters.q = promises.q;
    promised.parameters.variance_of = promises.variance_of;
    if (promises.p > 0) promise(promised, "(k,p,q,r)-anonymity: p", promises.p);
    if (promises.r > 0) promise(promised, "(k,p,q,r)-anonymity: r", promises.r);
  }
  for (int a = 0; promises.t_close() && a < spec.sensitive.count; ++a)
    promise(promised, promises.n > 0 ? "(n,t)-closeness" : "t-closeness",
            promises.t_of(static_cast<std::size_t>(a)), a);
  promised.parameters.n = promises.n;
  return promised;
}

}  // namespace anonkit::pg
