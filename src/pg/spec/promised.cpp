#include "pg/spec/promised.hpp"

#include <cstring>

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

namespace {

/// A model's promise as an adjective.
struct Adjective {
  const char* model;
  const char* format;
};

constexpr Adjective kAdjectives[] = {
    {"k-anonymity", "%g-anonymous"},
    {"k-anonymity of histories", "%g-anonymous by history"},
    {"p-sensitivity", "%g-sensitive"},
    {"extended p-sensitivity", "extended %g-sensitive"},
    {"distinct l-diversity", "%g-diverse"},
    {"entropy l-diversity", "entropy %g-diverse"},
    {"recursive (c,l)-diversity", "recursively diverse with c = %g"},
    {"(alpha,k)-anonymity", "(alpha,k)-anonymous with alpha = %g"},
    {"(k,e)-anonymity", "(k,e)-anonymous with e = %g"},
    {"t-closeness", "%g-close"},
    {"(n,t)-closeness", "(n,t)-close with t = %g"},
    {"(k,p,q,r)-anonymity: p", "(k,p,q,r)-anonymous with p = %g"},
    {"(k,p,q,r)-anonymity: r", "(k,p,q,r)-anonymous with r = %g"},
};

const char* words_of(const PromisedLevel& promised) {
  for (const Adjective& adjective : kAdjectives)
    if (std::strcmp(adjective.model, promised.model->name) == 0)
      return psprintf(adjective.format, promised.level);
  return psprintf("%s of %g", promised.model->name, promised.level);
}

}  // namespace

char* promise_words(const Spec& spec) {
  const PromisedLevels promised = promised_by(spec);
  StringInfoData text;
  initStringInfo(&text);
  const char* last = "";
  for (int i = 0; i < promised.count; ++i) {
    // The levels of t by column may agree.
    const char* words = words_of(promised.levels[i]);
    if (std::strcmp(words, last) != 0)
      appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", words);
    last = words;
  }
  if (text.len > 0 && spec.unit.count > 0) appendStringInfoString(&text, " in persons");
  return text.data;
}

}  // namespace anonkit::pg
