// anon_propose: the statement of a first release, from the proposed roles of a table's columns.

#include "pg/backend/extension.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/number_type.hpp"
#include "pg/risk/profile.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "utils/fmgroids.h"
}

namespace anonkit::pg {
namespace {

Names columns_with(const Profile& profile, ColumnRole role) {
  Names names = {allocate<char*>(profile.count), 0};
  for (int j = 0; j < profile.count; ++j)
    if (profile.columns[j].role == role) names.names[names.count++] = profile.columns[j].name;
  return names;
}

/// The names as a quoted literal of text[].
char* literal_of(const Names& names) {
  return quote_literal_cstr(OidOutputFunctionCall(F_ARRAY_OUT, PointerGetDatum(text_array(names))));
}

/// Numbers with nulls need a rule; in other columns null is a value.
bool needs_strata(const Profile& profile) {
  for (int j = 0; j < profile.count; ++j) {
    const ProfiledColumn& column = profile.columns[j];
    if (column.is_quasi_identifier() && column.nulls > 0 &&
        number_type(column.base_type) != nullptr)
      return true;
  }
  return false;
}

/// Each class has so many values of a sensitive column, if the column has them.
constexpr int kLeastValues = 2;

bool has_several_values(const Profile& profile, ColumnRole role) {
  for (int j = 0; j < profile.count; ++j)
    if (profile.columns[j].role == role && profile.columns[j].values() < kLeastValues) return false;
  return true;
}

char* statement_for(const Profile& profile, Oid relation, int k) {
  const Names quasi_identifiers = columns_with(profile, ColumnRole::quasi_identifier);
  if (quasi_identifiers.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("no column looks like a quasi-identifier"),
                    errhint("anon_profile has the reasons. Name the columns yourself.")));
  const Names sensitive = columns_with(profile, ColumnRole::sensitive);
  const Names unit = columns_with(profile, ColumnRole::unit);
  StringInfoData statement;
  initStringInfo(&statement);
  appendStringInfoString(&statement, "SELECT * FROM ");
  appendStringInfo(&statement, "%s.anon_publish(%s, %s, %s, %d", extension_schema(),
                   quote_literal_cstr(proposed_release_of(relation)),
                   quote_literal_cstr(qualified_name_of(relation)), literal_of(quasi_identifiers),
                   k);
  if (sensitive.count > 0) {
    appendStringInfo(&statement, ",\n  sensitive => %s", literal_of(sensitive));
    if (has_several_values(profile, ColumnRole::sensitive))
      appendStringInfo(&statement, ", l => %d", kLeastValues);
  }
  if (unit.count > 0) appendStringInfo(&statement, ",\n  unit => %s", literal_of(unit));
  if (needs_strata(profile)) appendStringInfoString(&statement, ",\n  nulls => 'stratify'");
  appendStringInfoString(&statement, ");");
  return statement.data;
}

Datum propose(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const int k = PG_GETARG_INT32(1);
  if (k < 1)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("k must be at least 1")));
  const MemoryContext outer = CurrentMemoryContext;
  const Session session = open_session();
  const char* statement = statement_for(profile_of(relation), relation, k);
  const MemoryContext inner = MemoryContextSwitchTo(outer);
  text* result = cstring_to_text(statement);
  MemoryContextSwitchTo(inner);
  close_session(session);
  PG_RETURN_TEXT_P(result);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_propose) {
  return anonkit::pg::propose(fcinfo);
}
