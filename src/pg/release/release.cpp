// anon_release: the query behind every release.

#include "pg/release/release.hpp"

#include "pg/backend/session.hpp"
#include "pg/release/in_parts.hpp"
#include "pg/release/replacement.hpp"
#include "pg/release/secret_seed.hpp"
#include "pg/release/swapped_release.hpp"
#include "pg/release/warnings.hpp"
#include "pg/spec/named_tables.hpp"

namespace anonkit::pg {
namespace {

/// The figures are those of the role that read them, in its transaction. Plain data.
struct Latest {
  Figures figures;
  Oid user;  ///< InvalidOid: there are none
  TimestampTz transaction;
};
Latest latest;

}  // namespace

/// A computed release before its writing. Plain data, owned by a memory context.
struct ComputedRelease {
  Run run;
  PartsRelease* in_parts;  ///< if the table is larger than memory; else null
};

struct PreparedRelease {
  Oid source;
  Jsonb* spec;
  ComputedRelease release;
  bool taken;
  TakenRelease as_taken;
};

namespace {

/// The release that is offered to anon_release, or null.
PreparedRelease* prepared = nullptr;

void forget_prepared(void* gone) {
  if (prepared == gone) prepared = nullptr;
}

/// The release offered for this source and spec, which can be taken once; else null.
PreparedRelease* take_prepared(Oid source, Jsonb* spec) {
  PreparedRelease* found = prepared;
  if (found == nullptr || found->source != source ||
      compareJsonbContainers(&found->spec->root, &spec->root) != 0)
    return nullptr;
  prepared = nullptr;
  return found;
}

/// An error for mu-Argus without `complete`, whose k is unknown beforehand.
void require_promise(const Spec& spec) {
  if (!spec.options.generalisation.complete)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a release must be complete"),
             errdetail("Without complete, method \"argus\" does not promise k."),
             errhint("Leave complete at true. anon_argus and anon_evaluate show the k reached "
                     "without.")));
}

/// The tables that the query names beside its source; the argument is missing without hierarchies
/// by table.
NamedTables tables_argument(FunctionCallInfo fcinfo) {
  if (PG_NARGS() < 3) return {nullptr, 0};
  if (PG_ARGISNULL(2))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("tables must not be null")));
  return named_tables(PG_GETARG_DATUM(2));
}

ComputedRelease begin_release(Oid relation, const Spec& spec) {
  return {begin_run(relation, spec), nullptr};
}

void compute(ComputedRelease& computed) {
  const bool divisible = may_be_in_parts(computed.run.spec, computed.run.source);
  read_rows(computed.run, Spool::columns, divisible ? Excess::sketch : Excess::refuse);
  if (computed.run.loaded.sketch != nullptr) {
    computed.in_parts = form_in_parts(computed.run);
    return;
  }
  warn_of_codes(computed.run);
  require_run(computed.run);
}

Figures put(const ComputedRelease& computed, RowsFunction put_row, void* state) {
  if (computed.in_parts != nullptr) return put_parts(*computed.in_parts, put_row, state);
  put_rows(computed.run, put_row, state);
  report_stages(computed.run);
  return figures_of(computed.run);
}

/// The result of a call that has taken an offered release. Plain data.
struct TakenRows {
  ReturnSetInfo* result;
  RowsDigest* digest;
  MemoryContext scratch;
};

void add_to_both(const ReleasedRows& rows, void* state) {
  const auto& taken = *static_cast<const TakenRows*>(state);
  MemoryContext old = MemoryContextSwitchTo(taken.scratch);
  add_to_digest(*taken.digest, taken.result->setDesc, rows);
  MemoryContextSwitchTo(old);
  MemoryContextReset(taken.scratch);
  add_to_result(rows, taken.result);
}

Figures write_taken(PreparedRelease& taken, ReturnSetInfo* result) {
  TakenRows rows = {
      result, &taken.as_taken.digest,
      AllocSetContextCreate(CurrentMemoryContext, "anonkit digested row", ALLOCSET_DEFAULT_SIZES)};
  taken.as_taken.figures = put(taken.release, add_to_both, &rows);
  taken.taken = true;
  return taken.as_taken.figures;
}

Figures write(const ComputedRelease& computed, PreparedRelease* taken, ReturnSetInfo* result) {
  MemoryContext old = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
  result->setDesc = release_descriptor(computed.run.source);
  MemoryContextSwitchTo(old);
  return taken != nullptr ? write_taken(*taken, result) : put(computed, add_to_result, result);
}

/// The spec with the secret of the release that is being refreshed, or a new one for a query by
/// hand.
Spec with_secret(Spec spec, Oid source, Jsonb* json) {
  if (!spec.secret_seed) return spec;
  const Oid release = release_in_refresh(source, json);
  use_secret(spec, OidIsValid(release) ? secret_of(release) : draw_secret());
  return spec;
}

/// An error if the query defines a column of another length or precision than the source has now:
/// the executor compares types alone, and a plain REFRESH would store values that the column does
/// not admit.
void require_definitions(TupleDesc defined, TupleDesc rows) {
  List* names = NIL;
  for (int i = 0; i < defined->natts; ++i)
    names = lappend(names, makeString(NameStr(TupleDescAttr(defined, i)->attname)));
  require_order(names, rows);
  for (int i = 0; i < defined->natts && i < rows->natts; ++i) {
    const Form_pg_attribute column = TupleDescAttr(defined, i);
    const Form_pg_attribute now = TupleDescAttr(rows, i);
    if (column->atttypmod < 0 || column->atttypid != now->atttypid ||
        column->atttypmod == now->atttypmod)
      continue;
    refuse_type(psprintf("column \"%s\"", NameStr(now->attname)), *column, *now);
  }
}

Datum release(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  if (PG_ARGISNULL(1))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("spec must not be null")));
  InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
  const Session session = open_session();
  Jsonb* json = names_for_tables(PG_GETARG_JSONB_P(1), tables_argument(fcinfo));
  const Spec spec = read_spec(json);
  require_promise(spec);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  PreparedRelease* before = take_prepared(relation, json);
  ComputedRelease computed = before != nullptr
                                 ? before->release
                                 : begin_release(relation, with_secret(spec, relation, json));
  require_definitions(result->expectedDesc, release_descriptor(computed.run.source));
  if (before == nullptr) {
    compute(computed);
    verify_swapped(computed.run);  // nobody will compare the written rows of a plain REFRESH
  }
  const Figures figures = write(computed, before, result);
  latest = {figures, GetUserId(), GetCurrentTransactionStartTimestamp()};
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace

PreparedRelease* prepare_release(Oid source, Jsonb* json, const uint8* secret, Occasion occasion) {
  auto* result = static_cast<PreparedRelease*>(palloc(sizeof(PreparedRelease)));
  Spec spec = read_spec(json);
  require_promise(spec);
  use_secret(spec, secret);
  *result = {source, json, begin_release(source, spec), false, {}};
  compute(result->release);
  if (occasion == Occasion::refresh) return result;
  if (result->release.in_parts != nullptr)
    warn_of_disclosures(*result->release.in_parts);
  else
    warn_of_disclosures(result->release.run);
  return result;
}

bytea* private_classes_of(const PreparedRelease& prepared) {
  return private_classes_of(prepared.release.run);
}

TupleDesc prepared_columns(const PreparedRelease& release) {
  return release_descriptor(release.release.run.source);
}

Figures put_prepared(PreparedRelease& release, RowsFunction put_row, void* state) {
  return put(release.release, put_row, state);
}

void offer_prepared(PreparedRelease& release) {
  auto* callback = static_cast<MemoryContextCallback*>(palloc(sizeof(MemoryContextCallback)));
  *callback = {forget_prepared, &release, nullptr};
  MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
  prepared = &release;
}

const TakenRelease* taken_release(const PreparedRelease& release) {
  return release.taken ? &release.as_taken : nullptr;
}

const Figures* latest_release(Oid user) {
  const bool present = OidIsValid(user) && latest.user == user &&
                       latest.transaction == GetCurrentTransactionStartTimestamp();
  return present ? &latest.figures : nullptr;
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_release) {
  return anonkit::pg::release(fcinfo);
}
