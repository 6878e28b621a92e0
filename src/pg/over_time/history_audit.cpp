// anon_audit_history and anon_assert_history: all versions of a release with a key together.

#include "pg/audit/audit.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/entry.hpp"
#include "pg/over_time/places_reading.hpp"
#include "pg/over_time/places_table.hpp"
#include "pg/over_time/version.hpp"
#include "pg/over_time/view_query.hpp"
#include "pg/spec/json_values.hpp"

namespace anonkit::pg {
namespace {

/// The audit of the places under the models of the release. The first and last version of a place
/// count as quasi-identifiers: an attacker saw the versions in which it was alive.
Spec spec_of_history(Jsonb* released) {
  const Spec spec = read_spec(released);
  JsonObject json;
  const char* versions[] = {kSinceColumn, "anon_until"};
  const char* unit[] = {kUnitColumn};
  json.add_array("qi", text_array(joined(spec.qi, {const_cast<char**>(versions), 2})));
  json.add_array("sensitive", text_array(spec.sensitive));
  if (spec.unit.count > 0) json.add_array("unit", text_array({const_cast<char**>(unit), 1}));
  if (withholds_values(spec)) json.add("withheld", true);
  for (const char* key : {"q", "variance_of", "hierarchies", "protected"}) {
    const JsonbValue* value = value_of_key(released, key);
    if (value != nullptr) json.add_value(key, value);
  }
  Spec history = read_audit_spec(json.finish());
  history.part = kSinceColumn;
  return history;
}

/// The caller names the release, not its state: whatever is attached to that must run as its owner,
/// and the places must be as the last refresh left them.
OwnersWork begin_history_work(Oid relation, OverTimeQuery& release) {
  hold_relation(relation);
  if (!is_over_time(relation, release))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a release with a key", get_rel_name(relation))));
  require_owner(relation);
  const OwnersWork work = begin_owners_work(relation);
  verify_state(release, read_spec(release.spec));
  return work;
}

Datum audit_history(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  OverTimeQuery release;
  const OwnersWork work = begin_history_work(relation, release);
  write_levels(release.places, spec_of_history(release.spec),
               reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  end_owners_work(work);
  close_session(session);
  return static_cast<Datum>(0);
}

/// Measures every promise on the table of all places.
Datum assert_history(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const Session session = open_session();
  OverTimeQuery release;
  const OwnersWork work = begin_history_work(relation, release);
  assert_places(release, read_spec(release.spec));
  end_owners_work(work);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit_history) {
  return anonkit::pg::audit_history(fcinfo);
}
ANONKIT_FUNCTION(anon_assert_history) {
  return anonkit::pg::assert_history(fcinfo);
}
