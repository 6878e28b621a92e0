#include "pg/set/set_promises.hpp"

#include <cstring>

#include "pg/spec/json_values.hpp"

namespace anonkit::pg {
namespace {

constexpr const char* kWords[] = {"0", "1", "2", "3", "all"};

}  // namespace

const char* word_of_m(int m) {
  return kWords[m];
}

int m_of_word(const char* word) {
  for (int m = 0; word != nullptr && m <= kLargestM + 1; ++m)
    if (std::strcmp(word, kWords[m]) == 0) return m;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("m must be '0', '1', '2', '3' or 'all'")));
  pg_unreachable();
}

const char* words_of_promises(const SetPromises& promises) {
  StringInfoData words;
  initStringInfo(&words);
  appendStringInfo(&words, "P(%d,%s)", promises.k, word_of_m(promises.m));
  if (promises.alpha <= 1)
    appendStringInfo(&words, ", A(%g,%s)", promises.alpha, word_of_m(promises.m));
  if (promises.l > 0) appendStringInfo(&words, ", linked %d-diversity", promises.l);
  return words.data;
}

void add_promises(JsonObject& json, const SetPromises& promises) {
  json.add("k", static_cast<int64>(promises.k));
  json.add("m", word_of_m(promises.m));
  if (promises.alpha <= 1) json.add("alpha", promises.alpha);
  if (promises.l > 0) json.add("l", static_cast<int64>(promises.l));
}

SetPromises promises_in(Jsonb* json) {
  SetPromises promises = {};
  const JsonbValue* k = value_of_key(json, "k");
  const JsonbValue* m = value_of_key(json, "m");
  const JsonbValue* alpha = value_of_key(json, "alpha");
  const JsonbValue* l = value_of_key(json, "l");
  promises.k = k == nullptr ? 1 : positive_integer("k", *k);
  promises.m = m_of_word(m == nullptr ? nullptr : text_value("m", *m, "a text"));
  promises.alpha = alpha == nullptr ? 2 : from_0_to_1("alpha", *alpha);
  promises.l = l == nullptr ? 0 : positive_integer("l", *l);
  return promises;
}

}  // namespace anonkit::pg
