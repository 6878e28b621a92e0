#include "pg/spec/promised_levels.hpp"

#include <algorithm>
#include <cstring>

#include "promise/promise.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/session.hpp"
#include "pg/spec/json_values.hpp"

namespace anonkit::pg {

namespace {

constexpr char kKAnonymity[] = "k-anonymity";

void add(PromisedLevels& promised, const AskedLevel& level) {
  if (level.level > 0) promised.list[promised.count++] = level;
}

void add_levels(PromisedLevels& promised, const Promise& promise, const Spec& spec) {
  for (const JudgedLevel& level : promise.levels) {
    if (level.model == nullptr) break;
    const Model* model = find_model(level.model);
    if (model->needs == AttributeNeed::with_protected && spec.protected_values.count == 0) continue;
    const int attributes = promise.each_level ? spec.sensitive.count : 1;
    for (int a = 0; a < attributes; ++a)
      add(promised, {model, level.promised(spec.options.promises, static_cast<std::size_t>(a)),
                     promise.each_level ? a : kAnyAttribute, level.adjective});
  }
}

void add_k(PromisedLevels& promised, const char* model, int k, const char* adjective,
           const char* name = nullptr) {
  add(promised, {find_model(model), static_cast<double>(k), kAnyAttribute, adjective, name});
}

/// In words what method aggregate promises: "5^f-anonymous, 2-sensitive against knowledge of sum".
char* words_of_aggregates(const Spec& spec) {
  const AggregateKnowledge& knowledge = spec.options.aggregate;
  const int p = spec.options.promises.p;
  return psprintf("%d^%s-anonymous%s%s against knowledge of %s%s", spec.options.k,
                  knowledge.d > 0 ? "(f,d)" : "f",
                  knowledge.identical ? " by identical intervals" : "",
                  p > 0 ? psprintf(", %d-sensitive", p) : "", aggregate_attribute(knowledge),
                  knowledge.d > 0 ? psprintf(" within %g %%", 100 * knowledge.d) : "");
}

}  // namespace

bool is_swapped(const Spec& spec) {
  return recoding(spec.options.recode).by_record;
}

bool is_of_aggregates(const Spec& spec) {
  return spec.method != nullptr && spec.method->of_aggregates;
}

const char* aggregate_model(const AggregateKnowledge& knowledge) {
  return knowledge.d > 0 ? "k^(f,d)-anonymity" : "k^f-anonymity";
}

const char* aggregate_attribute(const AggregateKnowledge& knowledge) {
  return knowledge.functions == nullptr ? "sum" : comma_list(knowledge.functions, knowledge.count);
}

const char* promise_of_k(const Spec& spec) {
  return is_swapped(spec) ? "probabilistic k-anonymity" : kKAnonymity;
}

PromisedLevels promised_by(const Spec& spec) {
  const Promises& promises = spec.options.promises;
  const auto all_models = static_cast<int>(models().end() - models().begin());
  PromisedLevels promised = {};
  promised.list = allocate<AskedLevel>(all_models + spec.sensitive.count);
  if (promises.c > 0) promised.parameters.l = promises.l;
  promised.parameters.q = promises.q;
  promised.parameters.variance_of = promises.variance_of;
  promised.parameters.n = promises.n;
  promised.parameters.risk_threshold = promises.threshold_of_risk();
  if (is_of_aggregates(spec)) return promised;
  if (spec.options.generalisation.complete)
    add_k(promised, kKAnonymity, spec.options.k,
          is_swapped(spec) ? "probabilistic %g-anonymity" : "%g-anonymous", promise_of_k(spec));
  if (spec.options.unit_rows_together)
    add_k(promised, "k-anonymity of histories", spec.options.k, "%g-anonymous by history");
  for (const Promise* promise : kPromiseTable)
    if (promise->is_made(promises)) add_levels(promised, *promise, spec);
  return promised;
}

bool compares_with_table(const Model& model) {
  for (const Promise* promise : kPromiseTable)
    for (const JudgedLevel& level : promise->levels)
      if (promise->relative && level.model != nullptr && find_model(level.model) == &model)
        return true;
  return false;
}

AskedLevels asked_by(const Spec& spec) {
  const PromisedLevels promised = promised_by(spec);
  AskedLevels all = {allocate<AskedLevel>(spec.asked.count + promised.count), 0};
  std::copy_n(spec.asked.list, spec.asked.count, all.list);
  all.count = spec.asked.count;
  for (int i = 0; i < promised.count; ++i) {
    const AskedLevel& one = promised.list[i];
    for (int j = 0; j < spec.asked.count; ++j)
      if (spec.asked.list[j].model == one.model && spec.asked.list[j].level != one.level)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("different levels of %s are asked for", one.model->name)));
    all.list[all.count++] = one;
  }
  return all;
}

char* promise_words(const Spec& spec) {
  if (is_of_aggregates(spec)) return words_of_aggregates(spec);
  const PromisedLevels promised = promised_by(spec);
  StringInfoData text;
  initStringInfo(&text);
  const char* last = "";
  for (int i = 0; i < promised.count; ++i) {
    // The levels of t by column may agree.
    const AskedLevel& level = promised.list[i];
    const char* words = psprintf(level.adjective, level.level);
    if (spec.over_time.key.count > 0 && compares_with_table(*level.model))
      words = psprintf("%s to the rows founded together", words);
    if (std::strcmp(words, last) != 0)
      appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", words);
    last = words;
  }
  if (text.len > 0 && spec.unit.count > 0) appendStringInfoString(&text, " in persons");
  return text.data;
}

}  // namespace anonkit::pg
