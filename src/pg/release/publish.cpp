// anon_publish, anon_refresh, anon_drop: the life of a release.

#include <cstring>

#include "pg/audit/audit.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release.hpp"
#include "pg/release/release_info.hpp"
#include "pg/release/run.hpp"

extern "C" {
#include "utils/acl.h"
#include "utils/ruleutils.h"
#include "utils/varlena.h"
}

namespace anonkit::pg {
namespace {

/// Places of anon_publish's arguments.
enum Argument { kRelease, kTable, kQi, kK, kMethod, kSensitive, kKeep, kParams, kGrantTo };

char* json_text(Jsonb* json) {
  return JsonbToCString(nullptr, &json->root, VARSIZE(json));
}

/// "name type" of a column of the release, for the query's column definition list.
void append_definition(StringInfo text, const SourceColumn& column) {
  appendStringInfo(text, "%s %s", quote_identifier(column.name),
                   format_type_with_typemod(column.released_type, column.released_typmod));
  if (OidIsValid(column.released_collation) &&
      column.released_collation != get_typcollation(column.released_type))
    appendStringInfo(text, " COLLATE %s", generate_collation_name(column.released_collation));
}

/// The query of the view: a call of anon_release, everything qualified and quoted.
char* release_query(const Source& source, Jsonb* spec, Oid extension_schema) {
  const SourceColumn** columns = released_columns(source);
  StringInfoData names;
  StringInfoData definitions;
  initStringInfo(&names);
  initStringInfo(&definitions);
  for (int i = 0; i < source.count; ++i) {
    appendStringInfo(&names, "%srelease.%s", i > 0 ? ", " : "", quote_identifier(columns[i]->name));
    appendStringInfoString(&definitions, i > 0 ? ", " : "");
    append_definition(&definitions, *columns[i]);
  }
  return psprintf("SELECT %s FROM %s(%s::pg_catalog.regclass, %s::pg_catalog.jsonb) AS release(%s)",
                  names.data,
                  quote_qualified_identifier(get_namespace_name(extension_schema), "anon_release"),
                  quote_literal_cstr(source.qualified_name), quote_literal_cstr(json_text(spec)),
                  definitions.data);
}

/// The schema and name of the release to make; an error if the name is taken.
char* new_release_name(text* name) {
  List* parts = textToQualifiedNameList(name);
  RangeVar* variable = makeRangeVarFromNameList(parts);
  const Oid schema = RangeVarGetCreationNamespace(variable);
  if (OidIsValid(get_relname_relid(variable->relname, schema)))
    ereport(ERROR, (errcode(ERRCODE_DUPLICATE_TABLE),
                    errmsg("relation \"%s\" already exists", variable->relname),
                    errhint("Use anon_refresh to build a release again, or anon_drop first.")));
  return quote_qualified_identifier(get_namespace_name(schema), variable->relname);
}

/// The grantees as a list of quoted roles; every one must exist.
char* grantee_list(ArrayType* roles) {
  Datum* names;
  bool* nulls;
  int count;
  deconstruct_array(roles, TEXTOID, -1, false, TYPALIGN_INT, &names, &nulls, &count);
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < count; ++i) {
    if (nulls[i])
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("grant_to must not contain nulls")));
    const char* name = TextDatumGetCString(names[i]);
    const bool everybody = std::strcmp(name, "public") == 0;
    if (!everybody) get_role_oid(name, false);
    appendStringInfo(&list, "%s%s", i > 0 ? ", " : "",
                     everybody ? "PUBLIC" : quote_identifier(name));
  }
  return list.data;
}

/// A release of a temporary table would go with the session, and nobody would know why.
void require_lasting(const Source& source) {
  if (get_rel_persistence(source.relation) == RELPERSISTENCE_TEMP)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("cannot publish a release of a temporary table or view"),
                    errhint("Copy it into a table first.")));
}

/// Runs the utility command that builds a release, and gives the figures it left.
Figures build(const char* command) {
  forget_latest_release();
  execute(command, SPI_OK_UTILITY);
  const Figures* figures = latest_release();
  if (figures == nullptr) elog(ERROR, "building a release left no figures");
  return *figures;
}

/// Judges what was written, as anybody who reads the release could, and notes the figures at it.
void prove_and_note(Oid release, const Spec& spec, Oid source, const Figures& figures) {
  assert_release(release, spec, source);
  write_note(release, figures);
}

Datum figures_row(FunctionCallInfo fcinfo, const Figures& figures) {
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  Datum values[kFigureCount];
  bool nulls[kFigureCount];
  fill_figures(figures, values, nulls);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  return static_cast<Datum>(0);
}

void require_arguments(FunctionCallInfo fcinfo) {
  static const char* const names[] = {"release",   "tbl",  "qi",     "k",        "method",
                                      "sensitive", "keep", "params", "grant_to", "lower_bound"};
  for (int i = 0; i < PG_NARGS(); ++i)
    if (PG_ARGISNULL(i))
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", names[i])));
}

Datum publish(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Oid extension_schema = get_func_namespace(fcinfo->flinfo->fn_oid);
  Jsonb* json = spec_of_release(fcinfo);
  const Spec spec = read_spec(json);
  const Source source = resolve_source(PG_GETARG_OID(kTable), spec);
  require_lasting(source);
  const char* name = new_release_name(PG_GETARG_TEXT_PP(kRelease));
  const char* grantees = grantee_list(PG_GETARG_ARRAYTYPE_P(kGrantTo));

  const Figures figures = build(psprintf("CREATE MATERIALIZED VIEW %s AS %s", name,
                                         release_query(source, json, extension_schema)));
  const Oid release = DatumGetObjectId(DirectFunctionCall1(regclassin, CStringGetDatum(name)));
  prove_and_note(release, spec, source.relation, figures);
  if (grantees[0] != '\0')
    execute(psprintf("GRANT SELECT ON %s TO %s", name, grantees), SPI_OK_UTILITY);
  figures_row(fcinfo, figures);
  close_session(session);
  return static_cast<Datum>(0);
}

Datum refresh(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const ReleaseQuery query = require_release(release, get_func_namespace(fcinfo->flinfo->fn_oid));
  const Spec spec = read_spec(query.spec);
  const Figures figures =
      build(psprintf("REFRESH MATERIALIZED VIEW %s", qualified_name_of(release)));
  prove_and_note(release, spec, query.source, figures);
  figures_row(fcinfo, figures);
  close_session(session);
  return static_cast<Datum>(0);
}

Datum drop(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  const Session session = open_session();
  require_release(release, get_func_namespace(fcinfo->flinfo->fn_oid));
  execute(psprintf("DROP MATERIALIZED VIEW %s", qualified_name_of(release)), SPI_OK_UTILITY);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_publish) {
  return anonkit::pg::publish(fcinfo);
}
ANONKIT_FUNCTION(anon_refresh) {
  return anonkit::pg::refresh(fcinfo);
}
ANONKIT_FUNCTION(anon_drop) {
  return anonkit::pg::drop(fcinfo);
}
