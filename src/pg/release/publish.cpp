// anon_publish, anon_refresh, anon_drop of a release without a key: a materialized view.

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "pg/audit/audit.hpp"
#include "pg/backend/being_refreshed.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/other_readers.hpp"
#include "pg/release/publish.hpp"
#include "pg/release/release.hpp"
#include "pg/release/release_note.hpp"
#include "pg/release/release_query.hpp"
#include "pg/release/replacement.hpp"
#include "pg/release/secret_seed.hpp"
#include "pg/release/swapped_release.hpp"
#include "pg/release/warnings.hpp"
#include "pg/schedule/listed.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/spec_check.hpp"

extern "C" {
#include "access/xact.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/varlena.h"
}

namespace anonkit::pg {
namespace {

/// Sets the schema and the name of the release. An error if the name exists, or the caller may not
/// create objects in the schema.
void find_place(text* name, Publication& wanted) {
  List* parts = textToQualifiedNameList(name);
  RangeVar* variable = makeRangeVarFromNameList(parts);
  wanted.schema = RangeVarGetAndCheckCreationNamespace(variable, NoLock, nullptr);
  wanted.name = variable->relname;
  if (isAnyTempNamespace(wanted.schema))
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("a release cannot be temporary"),
                    errhint("Name a schema, or see anon_microaggregate and its siblings, which "
                            "return rows.")));
  if (OidIsValid(wanted.relation()))
    ereport(ERROR, (errcode(ERRCODE_DUPLICATE_TABLE),
                    errmsg("relation \"%s\" already exists", variable->relname),
                    errhint("Use anon_refresh to build a release again, or anon_drop first.")));
}

/// Sets the grantees, all of which must exist.
void read_grantees(ArrayType* roles, Publication& wanted) {
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
    wanted.grantee_oids =
        lappend_oid(wanted.grantee_oids, everybody ? ACL_ID_PUBLIC : get_role_oid(name, false));
    appendStringInfo(&list, "%s%s", i > 0 ? ", " : "",
                     everybody ? "PUBLIC" : quote_identifier(name));
  }
  wanted.grantees = list.data;
}

/// An error for a temporary relation: its release would disappear with the session.
void require_lasting(Oid relation) {
  if (get_rel_persistence(relation) == RELPERSISTENCE_TEMP)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("cannot publish a release of a temporary table or view"),
                    errhint("Copy it into a table first.")));
}

/// Runs the utility command that merges a prepared release into its old rows, under the active
/// snapshot.
TakenRelease merge(Oid release, PreparedRelease& prepared) {
  offer_prepared(prepared);
  HiddenRows hidden;
  begin_hiding_rows(hidden);
  execute_under_snapshot(
      psprintf("REFRESH MATERIALIZED VIEW CONCURRENTLY %s", qualified_name_of(release)),
      SPI_OK_UTILITY);
  end_hiding_rows(hidden);
  const TakenRelease* taken = taken_release(prepared);
  if (taken == nullptr) elog(ERROR, "a refresh has not taken the release that was offered");
  return *taken;
}

/// A release and the source that it is made of.
struct Built {
  Oid release;
  Spec spec;
  Oid source;
  SourceWrites writes;
  const uint8* secret;  ///< with secret_seed
  bytea* classes;       ///< private ones, or null
};

/// Judges the rows of a relation from a reader's view of the release, and notes its figures.
/// Requires the owner's work, because it may read the source again and run the owner's code.
void prove_and_note(Oid rows, const Built& built, const Figures& figures, Occasion occasion) {
  const Source source = resolve_source(built.source, built.spec);
  const Spec released = as_released(built.spec, source, built.release);
  if (occasion == Occasion::publish && built.spec.secret_seed)
    keep_secret(built.release, built.secret);
  if (built.classes != nullptr) {
    keep_private_classes(built.release, built.classes);
    assert_swapped({rows, built.release}, built.source, built.spec, true);
  } else {
    assert_release({rows, built.release}, released, {built.source, built.spec.qi}, occasion);
  }
  if (occasion == Occasion::publish) warn_of_unique_values(rows, source, built.spec);
  // Rows that a merge has left as they were have the writers that they had.
  const bool merged = rows == built.release;
  const RowWriters writers = merged ? writers_of(rows) : RowWriters{};
  write_note(built.release, built.spec, figures, built.writes, merged ? &writers : nullptr);
}

/// Writes the new rows into the release and judges them there.
Figures merge_and_prove(const Built& built, PreparedRelease& prepared) {
  const Oid owner = owner_of(built.release);
  const TakenRelease taken = merge(built.release, prepared);
  // An event trigger that has given the release away must not choose as whom the source's code
  // runs.
  const OwnersWork work = begin_work_as(owner);
  require_digest(built.release, taken.digest);
  prove_and_note(built.release, built, taken.figures, Occasion::refresh);
  end_owners_work(work);
  return taken.figures;
}

/// Writes and judges the new rows beside the old ones, if any, and then replaces these: readers do
/// not wait for either.
Figures replace_after_proof(const Built& built, PreparedRelease& prepared, Occasion occasion) {
  const OwnersWork work = begin_owners_work(built.release);
  const Replacement rows = write_replacement(built.release, prepared);
  prove_and_note(rows.table, built, rows.figures, occasion);
  replace_rows(built.release, rows);
  end_owners_work(work);
  return rows.figures;
}

}  // namespace

void lock_source(Oid source) {
  LockRelationOid(source, AccessShareLock);
  if (get_rel_relkind(source) != RELKIND_VIEW) return;
  SPIPlanPtr plan = SPI_prepare(psprintf("SELECT FROM %s", qualified_name_of(source)), 0, nullptr);
  if (plan == nullptr) elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
  SPI_freeplan(plan);
}

namespace {

/// A number of four digits: more would be read by nobody, and anon_release_info has them. Sums of
/// squares of classes are whole numbers.
double rounded(double number) {
  if (number == std::floor(number)) return number;
  return std::strtod(psprintf("%.4g", number), nullptr);
}

}  // namespace

Datum return_figures(FunctionCallInfo fcinfo, Made (*make)(FunctionCallInfo fcinfo)) {
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  Made made = make(fcinfo);
  for (const FigureField& field : kFigureFields)
    if (field.type == FigureType::number && std::isfinite(made.figures.*field.member))
      made.figures.*field.member = rounded(made.figures.*field.member);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  Datum values[kFigureCount + 1];
  bool nulls[kFigureCount + 1] = {};
  values[0] = CStringGetTextDatum(psprintf("kept: %s", read_sentence(made.release)));
  fill_figures(made.figures, values + 1, nulls + 1);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  close_session(session);
  return static_cast<Datum>(0);
}

Publication read_publication(FunctionCallInfo fcinfo, const Spec& spec) {
  require_arguments(fcinfo, {"release", "tbl", "method", "sensitive", "keep", "params", "grant_to",
                             "lower_bound"});
  Publication wanted = {};
  wanted.source = resolve_source(required_relation(fcinfo, "tbl"), spec);
  require_lasting(wanted.source.relation);
  find_place(PG_GETARG_TEXT_PP(argument_place(fcinfo, "release")), wanted);
  read_grantees(PG_GETARG_ARRAYTYPE_P(argument_place(fcinfo, "grant_to")), wanted);
  return wanted;
}

void require_newer_snapshot(Oid release, const char* subject) {
  if (!IsolationUsesXactSnapshot()) return;
  const Oid companion = await_companion(release);
  if ((get_rel_relkind(release) != RELKIND_MATVIEW || has_present_rows(release)) &&
      (!OidIsValid(companion) || sees_companion_row(companion, "figures", 0)))
    return;
  ereport(ERROR, (errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
                  errmsg("%s was built after this transaction began", subject),
                  errdetail("The transaction would replace its rows with older ones."),
                  errhint("Refresh it in a new transaction.")));
}

void warn_of_replay(const Spec& spec) {
  if (!spec.options.promises.any() || spec.options.transparency.wanted) return;
  ereport(NOTICE,
          (errmsg("promises on sensitive values are weaker against an attacker who knows "
                  "how anonkit works"),
           errdetail("Method \"%s\" looks at sensitive values when it forms classes.",
                     spec.method->name),
           errhint("%s", can_be_transparent(spec)
                             ? "anon_replay measures it, and transparent => true prevents it."
                             : "anon_replay measures it. Other methods or promises can be "
                               "transparent, which prevents it.")));
}

void grant_select(const Publication& made) {
  warn_of_default_privileges(made.relation(), made.grantee_oids);
  if (made.grantees[0] != '\0')
    execute(psprintf("GRANT SELECT ON %s TO %s", made.quoted(), made.grantees), SPI_OK_UTILITY);
}

Figures publish_view(FunctionCallInfo fcinfo, Oid* made) {
  Jsonb* json = spec_of_release(fcinfo);
  const Spec spec = read_spec(json);
  const Publication wanted = read_publication(fcinfo, spec);
  NamedTables tables = {};
  Jsonb* placed = places_for_tables(json, tables);
  for (int i = 0; i < tables.count; ++i) require_lasting(tables.tables[i]);

  const OwnSettings settings = begin_own_settings();
  lock_source(wanted.source.relation);
  const SourceWrites writes = source_writes(wanted.source.relation);
  // Builds and proves the release on one state of its source.
  PushActiveSnapshot(GetTransactionSnapshot());
  const OwnersWork work = begin_work_as(GetUserId());
  const uint8* secret = spec.secret_seed ? draw_secret() : nullptr;
  PreparedRelease* prepared = prepare_release(
      wanted.source.relation, names_for_tables(placed, tables), secret, Occasion::publish);
  end_owners_work(work);
  warn_of_refused_nulls(wanted.source, spec);
  execute_under_snapshot(psprintf("CREATE MATERIALIZED VIEW %s AS %s WITH NO DATA", wanted.quoted(),
                                  release_query(wanted.source, placed, tables)),
                         SPI_OK_UTILITY);
  // The snapshot shall see the view.
  CommandCounterIncrement();
  UpdateActiveSnapshotCommandId();
  const Oid release = made_relation(wanted.name, wanted.schema);
  const Figures figures = replace_after_proof(
      {release, spec, wanted.source.relation, writes, secret, private_classes_of(*prepared)},
      *prepared, Occasion::publish);
  PopActiveSnapshot();
  warn_of_replay(spec);
  warn_of_public_seed(spec);
  warn_of_swap(spec);
  grant_select(wanted);
  *made = made_relation(wanted.name, wanted.schema);
  const List* private_tables = list_make1_oid(find_companion(*made));
  require_left(private_tables);
  warn_of_publications(wanted.schema, private_tables);
  end_own_settings(settings);
  return figures;
}

Figures refresh_view(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  const bool concurrently = PG_NARGS() > 1 && !PG_ARGISNULL(1) && PG_GETARG_BOOL(1);
  // Readers continue until the new rows are written and proved.
  const ReleaseQuery query = lock_release(release, ExclusiveLock, require_maintainer);
  begin_refresh(release, "release", get_rel_name(release));
  const OwnSettings settings = begin_own_settings();
  lock_source(query.source);
  Built built = {release, read_spec(query.spec), query.source, source_writes(query.source), nullptr,
                 nullptr};
  // Taken after the locks, so that the release has all that was committed while this session
  // waited.
  PushActiveSnapshot(GetTransactionSnapshot());
  require_newer_snapshot(release, psprintf("release \"%s\"", get_rel_name(release)));
  const OwnersWork work = begin_owners_work(release);
  require_types(release, release_descriptor(resolve_source(query.source, built.spec)));
  if (built.spec.secret_seed) built.secret = secret_of(release);
  PreparedRelease* prepared =
      prepare_release(query.source, query.spec, built.secret, Occasion::refresh);
  built.classes = private_classes_of(*prepared);
  end_owners_work(work);
  const Figures figures = concurrently ? merge_and_prove(built, *prepared)
                                       : replace_after_proof(built, *prepared, Occasion::refresh);
  PopActiveSnapshot();
  end_own_settings(settings);
  return figures;
}

Datum drop_view(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  const Session session = open_session();
  lock_release(release, AccessExclusiveLock, require_owner);
  unschedule_quietly(release);
  tie_companion(release);
  execute(psprintf("DROP MATERIALIZED VIEW %s", qualified_name_of(release)), SPI_OK_UTILITY);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace anonkit::pg
