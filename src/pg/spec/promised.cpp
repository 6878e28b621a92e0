#include "pg/spec/promised.hpp"

#include <cstring>

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
