#include <cstring>
#include <numeric>

#include "model/models.hpp"
#include "promise/promise.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/settings.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/spec.hpp"
#include "pg/spec/spec_check.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// One key of the written form and the function that reads its value.
struct Rule {
  const char* key;
  void (*read)(const char* key, const JsonbValue& value, Spec& spec);
  bool in_params = false;  ///< params of anon_publish and its relatives may hold it, too
};

/// Adds each member of an object, by its name and value.
template <class Choices, class Add>
void read_members(const char* key, const JsonbValue& value, const char* wanted, Choices& choices,
                  Add add) {
  if (!is_object(value)) wrong_type(key, wanted);
  JsonbContainer* json = value.val.binary.data;
  choices.list = static_cast<decltype(choices.list)>(
      palloc(sizeof(*choices.list) * static_cast<std::size_t>(JsonContainerSize(json) + 1)));
  JsonbIterator* it = JsonbIteratorInit(json);
  JsonbValue column;
  JsonbValue chosen;
  JsonbIteratorToken token;
  while ((token = JsonbIteratorNext(&it, &column, true)) != WJB_DONE) {
    if (token != WJB_KEY) continue;
    JsonbIteratorNext(&it, &chosen, true);
    char* name = text_of(column);
    choices.list[choices.count++] = {name, add(name, chosen)};
  }
}

void read_hierarchies(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of columns and hierarchies", spec.hierarchies,
               [&](const char* column, const JsonbValue& hierarchy) {
                 return read_hierarchy_rule(psprintf("%s.%s", key, column), hierarchy);
               });
}

void read_protected(const char* key, const JsonbValue& value, Spec& spec) {
  const char* const wanted = "an object of sensitive columns and arrays of labels";
  read_members(
      key, value, wanted, spec.protected_values,
      [&](const char*, const JsonbValue& labels) { return names_of(key, labels, wanted); });
}

void read_orders(const char* key, const JsonbValue& value, Spec& spec) {
  const char* const wanted = "an object of columns and arrays of values";
  read_members(key, value, wanted, spec.orders, [&](const char*, const JsonbValue& values) {
    return names_of(key, values, wanted);
  });
}

/// The place of a member of a coarsening.
Numeric& member_of(const char* key, const char* name, Coarsening& coarsening) {
  if (std::strcmp(name, "round") == 0) return coarsening.round;
  if (std::strcmp(name, "bottom") == 0) return coarsening.bottom;
  if (std::strcmp(name, "top") == 0) return coarsening.top;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("unknown member \"%s\" of parameter \"%s\"", name, key),
                  errhint("A coarsening has top, bottom and round.")));
  pg_unreachable();
}

void check_coarsening(const char* key, const Coarsening& coarsening) {
  if (coarsening.round != nullptr && compare_numbers(coarsening.round, int64_to_numeric(0)) <= 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("round of parameter \"%s\" must be above 0", key)));
  if (coarsening.bottom != nullptr && coarsening.top != nullptr &&
      compare_numbers(coarsening.bottom, coarsening.top) > 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("bottom of parameter \"%s\" is above its top", key)));
}

Coarsening read_coarsening(const char* key, const JsonbValue& value) {
  const char* const wanted = "an object of numbers: top, bottom and round";
  if (!is_object(value)) wrong_type(key, wanted);
  Coarsening coarsening = {};
  JsonbIterator* it = JsonbIteratorInit(value.val.binary.data);
  JsonbValue name;
  JsonbValue number;
  JsonbIteratorToken token;
  while ((token = JsonbIteratorNext(&it, &name, true)) != WJB_DONE) {
    if (token != WJB_KEY) continue;
    JsonbIteratorNext(&it, &number, true);
    if (number.type != jbvNumeric) wrong_type(key, wanted);
    member_of(key, text_of(name), coarsening) = number.val.numeric;
  }
  check_coarsening(key, coarsening);
  return coarsening;
}

void read_coarsenings(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of kept columns and coarsenings", spec.coarsenings,
               [&](const char* column, const JsonbValue& coarsening) {
                 return read_coarsening(psprintf("%s.%s", key, column), coarsening);
               });
}

char* list_of_models() {
  StringInfoData list;
  initStringInfo(&list);
  for (const Model& model : models())
    appendStringInfo(&list, "%s%s", list.len > 0 ? "; " : "", model.name);
  return list.data;
}

void read_asked(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of models and levels", spec.asked,
               [&](const char*, const JsonbValue& level) { return finite(key, level); });
  for (int i = 0; i < spec.asked.count; ++i)
    if (find_model(spec.asked.list[i].model) == nullptr)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("unknown model \"%s\"", spec.asked.list[i].model),
                      errhint("The models are: %s.", list_of_models())));
}

/// An array of numbers, one for each of `count` columns.
double* one_for_each(const char* key, JsonbValue value, int count, const char* message,
                     double (*read)(const char*, const JsonbValue&)) {
  const JsonbValue& array = array_of(key, value, "an array of numbers");
  if (elements(array) != count)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message),
             errdetail("The number of values is %d, that of columns %d.", elements(array), count)));
  auto* numbers =
      static_cast<double*>(palloc(sizeof(double) * static_cast<std::size_t>(count + 1)));
  for (int i = 0; i < count; ++i)
    numbers[i] =
        read(key, *getIthJsonbValueFromContainer(array.val.binary.data, static_cast<uint32>(i)));
  return numbers;
}

/// In the order of ParameterDomain.
constexpr double (*kNumberReaders[])(const char* key, const JsonbValue& value) = {
    nullptr, at_least_one, positive, above_0_to_1, from_0_to_1};

void read_parameter(const Parameter& parameter, const JsonbValue& value, Spec& spec) {
  Promises& promises = spec.options.promises;
  const char* key = parameter.key;
  if (parameter.integer != nullptr)
    promises.*parameter.integer = positive_integer(key, value);
  else if (parameter.number != nullptr)
    promises.*parameter.number = kNumberReaders[static_cast<int>(parameter.domain)](key, value);
  else if (parameter.numbers != nullptr)
    promises.*parameter.numbers =
        one_for_each(key, value, spec.sensitive.count,
                     "there must be one t for each sensitive column", above_0_to_1);
  else
    promises.variance_of = static_cast<VarianceOf>(choice(key, value, {"rare", "all"}));
}

/// The weights of compared columns, or of a weighted sum.
void read_weights(const char* key, const JsonbValue& value, Spec& spec) {
  constexpr char message[] = "there must be one weight for each quasi-identifier";
  if (spec.method == nullptr || spec.method->of_aggregates) {
    spec.options.aggregate.weights = one_for_each(key, value, spec.qi.count, message, finite);
    return;
  }
  spec.weights = one_for_each(key, value, spec.qi.count, message, not_negative);
  if (!(std::accumulate(spec.weights, spec.weights + spec.qi.count, 0.0) > 0))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("at least one weight must be above 0")));
}

char* list_of_methods() {
  StringInfoData list;
  initStringInfo(&list);
  for (const Method& method : methods())
    appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", method.name);
  return list.data;
}

void read_method(const char* key, const JsonbValue& value, Spec& spec) {
  if (value.type != jbvString) wrong_type(key, "a text");
  const auto length = static_cast<std::size_t>(value.val.string.len);
  spec.method = find_method({value.val.string.val, length});
  if (spec.method == nullptr)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("unknown method \"%s\"", pnstrdup(value.val.string.val, length)),
                    errhint("The methods are %s.", list_of_methods())));
}

/// By quasi-identifier: how well it identifies.
void read_identifying(const char* key, const JsonbValue& value, Spec& spec) {
  JsonbValue copy = value;
  const JsonbValue& array = array_of(key, copy, "an array of texts");
  if (elements(array) != spec.qi.count)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("it must be said of each quasi-identifier how identifying it is"),
                    errdetail("The number of values is %d, that of columns %d.", elements(array),
                              spec.qi.count)));
  auto* identifying = static_cast<Identifying*>(
      palloc(sizeof(Identifying) * static_cast<std::size_t>(spec.qi.count + 1)));
  for (int i = 0; i < spec.qi.count; ++i)
    identifying[i] = static_cast<Identifying>(
        choice(key, *getIthJsonbValueFromContainer(array.val.binary.data, static_cast<uint32>(i)),
               {"identifying", "more", "most"}));
  spec.options.generalisation.identifying = identifying;
}

/// In reading order: weights are checked against the quasi-identifiers.
constexpr Rule kRules[] = {
    {"method", read_method},
    {"qi", [](const char* key, const JsonbValue& v, Spec& s) { s.qi = names_of(key, v); }},
    {"k",
     [](const char* key, const JsonbValue& v, Spec& s) { s.options.k = positive_integer(key, v); }},
    {"sensitive",
     [](const char* key, const JsonbValue& v, Spec& s) { s.sensitive = names_of(key, v); }, true},
    {"keep", [](const char* key, const JsonbValue& v, Spec& s) { s.keep = names_of(key, v); }},
    {"unit",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.unit = names_of(key, v);
       s.options.counts_units = s.unit.count > 0;
     },
     true},
    {"unit_rows",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.unit_rows_together = choice(key, v, {"apart", "together"}) == 1;
     }},
    {"categories",
     [](const char* key, const JsonbValue& v, Spec& s) { s.categories = names_of(key, v); }, true},
    {"ordered", [](const char* key, const JsonbValue& v, Spec& s) { s.ordered = names_of(key, v); },
     true},
    {"orders", read_orders, true},
    {"coarsen", read_coarsenings, true},
    {"hierarchies", read_hierarchies},
    {"protected", read_protected, true},
    {"asked", read_asked},
    {"weights", read_weights},
    {"algorithm",
     [](const char* key, const JsonbValue& v, Spec& s) {
       if (v.type != jbvString) wrong_type(key, "a text");
       s.options.algorithm = text_of(v);
     }},
    {"k_f", [](const char* key, const JsonbValue& v,
               Spec& s) { s.options.aggregate.k = positive_integer(key, v); }},
    {"functions",
     [](const char* key, const JsonbValue& v, Spec& s) {
       const Names functions = names_of(key, v);
       s.options.aggregate.functions = functions.names;
       s.options.aggregate.count = functions.count;
     },
     true},
    {"d",
     [](const char* key, const JsonbValue& v, Spec& s) { s.options.aggregate.d = finite(key, v); }},
    {"guarantee",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.aggregate.identical = choice(key, v, {"candidates", "identical"}) == 1;
     }},
    {"domain",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.aggregate.common_domain = choice(key, v, {"attribute", "common"}) == 1;
     }},
    {"standardize",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.standardize =
           static_cast<Standardize>(choice(key, v, {"zscore", "range", "none"}));
     }},
    {"recode",
     [](const char* key, const JsonbValue& v, Spec& s) {
       const char* names[std::size(kRecodings)];
       for (std::size_t i = 0; i < std::size(kRecodings); ++i) names[i] = kRecodings[i]->name;
       s.options.recode = static_cast<Recode>(choice(key, v, names));
     }},
    {"nulls",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.nulls = static_cast<Nulls>(choice(key, v, {"error", "stratify"}));
     }},
    {"duplicates",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.duplicates = static_cast<Duplicates>(choice(key, v, {"whole", "divide"}));
     }},
    {"refine",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.refine = static_cast<Effort>(choice(key, v, {"none", "fast", "thorough"}));
     }},
    {"effort",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.effort =
           choice(key, v, {"fast", "thorough"}) == 0 ? Effort::fast : Effort::thorough;
     }},
    {"refine_seconds", [](const char* key, const JsonbValue& v,
                          Spec& s) { s.options.refine_seconds = not_negative(key, v); }},
    {"block_size", [](const char* key, const JsonbValue& v,
                      Spec& s) { s.options.block_size = positive_integer(key, v); }},
    {"gamma",
     [](const char* key, const JsonbValue& v, Spec& s) { s.options.gamma = not_negative(key, v); }},
    {"seed",
     [](const char* key, const JsonbValue& v, Spec& s) {
       if (v.type != jbvNumeric) wrong_type(key, "an integer");
       s.options.seed = static_cast<uint64>(
           DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(v.val.numeric))));
     }},
    {"max_suppression",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.generalisation.max_suppression = from_0_to_1(key, v);
     },
     true},
    {"metric",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.generalisation.metric =
           static_cast<RecodingMetric>(choice(key, v, {"prec", "ncp", "dm", "avg", "entropy"}));
     }},
    {"local_suppression",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.generalisation.local_suppression = truth(key, v);
     }},
    {"identifying", read_identifying},
    {"complete", [](const char* key, const JsonbValue& v,
                    Spec& s) { s.options.generalisation.complete = truth(key, v); }},
    {"target",
     [](const char* key, const JsonbValue& v, Spec& s) {
       if (v.type != jbvString) wrong_type(key, "a column name");
       s.target = pnstrdup(v.val.string.val, static_cast<std::size_t>(v.val.string.len));
     }},
    {"lower_bound",
     [](const char* key, const JsonbValue& v, Spec& s) {
       if (v.type == jbvNumeric) s.options.lower_bound_seconds = positive(key, v);
       s.options.lower_bound = v.type == jbvNumeric || truth(key, v);
     }},
    {"transparent",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.transparency.wanted = truth(key, v);
     },
     true},
    {"decoys",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.transparency.decoys = from_0_to_1(key, v);
       s.decoys_told = true;
     }},
    {"adapt",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.transparency.adapt = from_0_to_1(key, v);
       s.transparency_told = true;
     }},
    {"max_withheld",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.options.transparency.max_withheld = from_0_to_1(key, v);
       s.transparency_told = true;
     }},
    {"withheld", [](const char* key, const JsonbValue& v, Spec& s) { s.withheld = truth(key, v); }},
    {"key",
     [](const char* key, const JsonbValue& v, Spec& s) { s.over_time.key = names_of(key, v); }},
    {"max_wait",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.over_time.max_wait = positive_integer(key, v);
       s.over_time.told = true;
     }},
    {"wait_loss",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.over_time.wait_loss = at_least_one(key, v);
       s.over_time.told = true;
     }},
    {"weight",
     [](const char* key, const JsonbValue& v, Spec& s) {
       s.over_time.weight = truth(key, v);
       s.over_time.told = true;
     }},
};

void require(const void* given, const char* key) {
  if (given == nullptr)
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", key)));
}

template <class Visit>
void for_each_parameter(const Visit& visit) {
  for (const Promise* promise : kPromiseTable)
    for (const Parameter& parameter : promise->parameters)
      if (parameter.key != nullptr) visit(parameter);
}

const Rule* find_rule(const char* key) {
  for (const Rule& rule : kRules)
    if (std::strcmp(rule.key, key) == 0) return &rule;
  return nullptr;
}

bool is_parameter(const char* key) {
  bool found = false;
  for_each_parameter(
      [&](const Parameter& parameter) { found = found || std::strcmp(parameter.key, key) == 0; });
  return found;
}

/// An unknown key is an error, so that no option is ignored silently.
void check_keys(Jsonb* json) {
  JsonbIterator* it = JsonbIteratorInit(&json->root);
  JsonbValue key;
  JsonbIteratorToken token;
  while ((token = JsonbIteratorNext(&it, &key, true)) != WJB_DONE) {
    if (token != WJB_KEY) continue;
    const char* name = text_of(key);
    if (find_rule(name) == nullptr && !is_parameter(name))
      ereport(ERROR,
              (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown parameter \"%s\"", name)));
  }
}

/// The default recoding is the method's, or the labels of the quasi-identifiers' hierarchies.
Recode default_recode(const Spec& spec) {
  return masks_by_hierarchy(spec) && !spec.method->of_aggregates ? Recode::hierarchy
                                                                 : spec.method->recode;
}

/// Null is as good as missing.
const JsonbValue* find(Jsonb* json, const char* key) {
  const JsonbValue* value = value_of_key(json, key);
  return value == nullptr || value->type == jbvNull ? nullptr : value;
}

/// Reads the keys that are present; none is mandatory.
Spec read_rules(Jsonb* json) {
  if (!JB_ROOT_IS_OBJECT(json))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the spec of a release must be a JSON object")));
  check_keys(json);
  Spec spec = {};
  spec.options.threads = thread_count();
  for (const Rule& rule : kRules) {
    const JsonbValue* value = find(json, rule.key);
    if (value != nullptr) rule.read(rule.key, *value, spec);
  }
  for_each_parameter([&](const Parameter& parameter) {
    const JsonbValue* value = find(json, parameter.key);
    if (value != nullptr) read_parameter(parameter, *value, spec);
  });
  if (spec.method != nullptr && find(json, "recode") == nullptr)
    spec.options.recode = default_recode(spec);
  spec.options.aggregate.attributes = spec.qi.count;
  return spec;
}

void require_quasi_identifier(const Spec& spec) {
  require(spec.qi.names, "qi");
  if (spec.qi.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("at least one quasi-identifier is needed")));
}

}  // namespace

bool may_be_in_params(const char* key) {
  const Rule* rule = find_rule(key);
  return rule != nullptr ? rule->in_params : is_parameter(key);
}

Spec read_spec(Jsonb* json) {
  const Spec spec = read_rules(json);
  require_quasi_identifier(spec);
  require(spec.method, "method");
  require(spec.options.k > 0 ? &spec : nullptr, "k");
  check_promises(spec);
  check_unit(spec);
  check_protected(spec);
  check_method(spec);
  check_recode(spec);
  check_over_time(spec);
  return spec;
}

Spec read_audit_spec(Jsonb* json) {
  const Spec spec = read_rules(json);
  require_quasi_identifier(spec);
  check_promises(spec);
  check_unit(spec);
  if (spec.withheld && spec.sensitive.count == 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("withheld needs a sensitive column"),
             errhint("Name one in sensitive.")));
  return spec;
}

Spec read_capacity_spec(Jsonb* json) {
  const Spec spec = read_rules(json);
  require(spec.sensitive.names, "sensitive");
  require(spec.options.promises.p > 0 ? &spec : nullptr, "p");
  check_promises(spec);
  return spec;
}

}  // namespace anonkit::pg
