#include "pg/spec/spec.hpp"

#include "method/mondrian/grid_method.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/json_build.hpp"
#include "pg/backend/settings.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/needs.hpp"
#include "pg/spec/spec_check.hpp"
#include "pg/spec/spec_rules.hpp"

namespace anonkit::pg {
namespace {

/// A mean is close to the values of a person who has most of its rows.
constexpr double kUsualDominance = 0.5;

void require(const void* given, const char* key) {
  if (given == nullptr)
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", key)));
}

/// An unknown key is an error, so that no option is ignored silently.
void check_keys(Jsonb* json) {
  JsonbIterator* it = JsonbIteratorInit(&json->root);
  char* key;
  JsonbValue value;
  while (next_member(&it, &key, &value))
    if (!is_option(key)) refuse_unknown_option(key);
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
  json = with_present_names(json);
  check_keys(json);
  Spec spec = {};
  spec.options.threads = thread_count();
  for (const Rule& rule : spec_rules()) {
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
  if (!spec.secret_seed_told)
    spec.secret_seed = cuts_by_grid(spec.options) || recoding(spec.options.recode).by_record;
  spec.population_columns = spec.qi;
  return spec;
}

void require_quasi_identifier(const Spec& spec) {
  require(spec.qi.names, "qi");
  if (spec.qi.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("at least one quasi-identifier is needed")));
}

}  // namespace

void check_values(Jsonb* json) {
  read_rules(json);
}

Jsonb* with_usual_promises(Jsonb* options) {
  const Spec spec = read_rules(options);
  if (spec.method == nullptr || spec.unit.count == 0 || spec.options.k < 2 ||
      (spec.method->keeps & kPromisePersons) == 0 || !recoding(spec.options.recode).keeps_type ||
      find(options, kDominance.parameters[0].key) != nullptr)
    return options;
  JsonObject usual;
  usual.add(kDominance.parameters[0].key, kUsualDominance);
  return joined(options, usual.finish());
}

Spec read_spec(Jsonb* json) {
  const Spec spec = read_rules(json);
  require_quasi_identifier(spec);
  require(spec.method, "method");
  require(spec.options.k > 0 ? &spec : nullptr, "k");
  check_promises(spec);
  check_population(spec);
  check_unit(spec);
  check_protected(spec);
  check_over_time(spec);
  check_swap(spec);
  check_method(spec);
  check_recode(spec);
  check_secret_seed(spec);
  check_outward(spec);
  return spec;
}

Spec read_audit_spec(Jsonb* json) {
  const Spec spec = read_rules(json);
  require_quasi_identifier(spec);
  check_promises(spec);
  check_unit(spec);
  if (spec.withheld && spec.sensitive.count == 0) refuse_without("withheld", kNeedsSensitive);
  return spec;
}

Spec read_table_spec(Jsonb* json) {
  Spec spec = read_rules(json);
  spec.options.recode = Recode::hierarchy;
  spec.rank_all_sensitive = true;
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
