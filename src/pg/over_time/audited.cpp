// The entry points of anon_audit and anon_assert, which complete the call by the columns of a
// release.

#include "base/error.hpp"
#include "recode/recoding.hpp"

#include "pg/audit/audit.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/view_query.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {
namespace {

/// The spec of a release, in its present column names.
Spec spec_of_audited(Oid relation) {
  ReleaseQuery release;
  if (!read_any_release(relation, release))
    ereport(ERROR,
            (errcode(ERRCODE_WRONG_OBJECT_TYPE),
             errmsg("\"%s\" is not a release", get_rel_name(relation)),
             errdetail("Only a release knows its quasi-identifiers and sensitive columns."),
             errhint("Name the columns in qi, and those that models are about in sensitive.")));
  const Spec spec = read_spec(release.spec);
  return as_released(spec, resolve_source(release.source, spec), relation);
}

void add_names(JsonObject& json, const char* key, const Names& names) {
  if (names.count > 0) json.add_array(key, text_array(names));
}

/// The arguments of the call, completed by the columns of the release. An empty list of sensitive
/// columns, the default, counts as missing.
Jsonb* with_columns_of(const Spec& release, Jsonb* arguments) {
  JsonObject json;
  add_names(json, "qi", release.qi);
  add_names(json, "sensitive", release.sensitive);
  if (keeps_unit(release)) add_names(json, "unit", release.unit);
  add_names(json, "categories", release.categories);
  if (OidIsValid(release.population)) json.add("population", qualified_name_of(release.population));
  const JsonbValue* sensitive = value_of_key(arguments, "sensitive");
  if (sensitive != nullptr && sensitive->type == jbvBinary &&
      JsonContainerSize(sensitive->val.binary.data) == 0)
    arguments = without(arguments, "sensitive");
  return joined(json.finish(), arguments);
}

/// The aggregate of a release that names none.
constexpr const char* kSum[] = {"sum"};

/// The relations that the release's options name, unless the call names others. The caller has not
/// named them, so they are read as the owner.
void take_relations(const Spec& release, Oid owner, bool names_population, Spec& spec) {
  if (spec.hierarchies.count == 0) {
    spec.hierarchies = release.hierarchies;
    for (int i = 0; i < spec.hierarchies.count; ++i)
      spec.hierarchies.list[i].hierarchy->named_by = owner;
  }
  if (!names_population && OidIsValid(release.population)) {
    spec.population = release.population;
    spec.population_named_by = owner;
  }
  spec.population_columns = release.population_columns;
}

/// Takes distances, withheld values and aggregates from the release, unless the call has others.
void take_measures(const Spec& release, Spec& spec) {
  if (recoding(release.options.recode).by_hierarchy) spec.options.recode = release.options.recode;
  spec.withheld = spec.withheld || withholds_values(release);
  AggregateKnowledge& knowledge = spec.options.aggregate;
  if (!release.method->of_aggregates || knowledge.functions != nullptr) return;
  const int32 k = knowledge.k;
  knowledge = release.options.aggregate;
  knowledge.k = k;
  if (knowledge.functions != nullptr) return;
  knowledge.functions = kSum;
  knowledge.count = 1;
}

/// Takes the parameters of models that the release promises.
void take_parameters(const Spec& release, Spec& spec) {
  const Promises& promised = release.options.promises;
  Promises& asked = spec.options.promises;
  if (asked.q == 0 && promised.kpqr()) {
    asked.q = promised.q;
    asked.variance_of = promised.variance_of;
  }
  if (asked.n == 0) asked.n = promised.n;
  if (spec.protected_values.count == 0) spec.protected_values = release.protected_values;
}

enum class Purpose : uint8 { audit, assertion };

Spec spec_of_call(FunctionCallInfo fcinfo, Oid relation, Purpose purpose) {
  Jsonb* arguments = spec_of_audit(fcinfo);
  const bool describes = value_of_key(arguments, "qi") != nullptr;
  const Spec release = describes ? Spec{} : spec_of_audited(relation);
  Spec spec = read_audit_spec(describes ? arguments : with_columns_of(release, arguments));
  if (purpose == Purpose::audit) spec.asked = asked_by(spec);
  if (describes) return spec;
  const bool names_population = value_of_key(arguments, "population") != nullptr;
  take_relations(release, owner_of(relation), names_population, spec);
  take_measures(release, spec);
  if (purpose == Purpose::audit) take_parameters(release, spec);
  return spec;
}

Datum audit(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  audit_relation(fcinfo, relation, spec_of_call(fcinfo, relation, Purpose::audit));
  close_session(session);
  return static_cast<Datum>(0);
}

/// True for a release by swapping, whose rows say nothing about its promise.
bool has_private_classes(Oid relation) {
  ReleaseQuery release;
  if (!read_any_release(relation, release)) return false;
  return is_swapped(read_spec(release.spec));
}

Datum assert_levels(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const Session session = open_session();
  const Spec spec = spec_of_call(fcinfo, relation, Purpose::assertion);
  const bool is_private = has_private_classes(relation);
  try {
    assert_relation(fcinfo, relation, spec);
  } catch (Error& broken) {
    if (is_private && broken.kind == ErrorKind::promise_broken && broken.hint.empty())
      broken.hint = "anon_assert_swap verifies the promise of a release by swapping.";
    throw;
  }
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit) {
  return anonkit::pg::audit(fcinfo);
}
ANONKIT_FUNCTION(anon_assert) {
  return anonkit::pg::assert_levels(fcinfo);
}
