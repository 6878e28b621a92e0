// Information on a finished release: its spec, from its query; its notes; and for its owner its
// figures, runs and state.

#include "pg/release/release_info.hpp"

#include <algorithm>
#include <iterator>

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/release/context.hpp"
#include "pg/release/release_note.hpp"
#include "pg/schedule/listed.hpp"

extern "C" {
#include "access/heapam.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

bool is_populated(Oid relation) {
  HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(tuple)) return false;
  const bool populated = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->relispopulated;
  ReleaseSysCache(tuple);
  return populated;
}

/// False if a row in the block was written by another transaction. Counts the visible rows.
bool wrote_block(Relation relation, BlockNumber block, const RowWriters& writers, int64* rows) {
  TableScanDesc scan =
      table_beginscan_strat(relation, GetActiveSnapshot(), 0, nullptr, true, false);
  heap_setscanlimits(scan, block, 1);
  TupleTableSlot* slot = table_slot_create(relation, nullptr);
  bool same = true;
  while (same && table_scan_getnextslot(scan, ForwardScanDirection, slot)) {
    bool is_null;
    const Datum xid = slot_getsysattr(slot, MinTransactionIdAttributeNumber, &is_null);
    same = writers.has(DatumGetTransactionId(xid));
    ++*rows;
  }
  ExecDropSingleTupleTableSlot(slot);
  table_endscan(scan);
  return same;
}

/// True if the note describes the present rows. REFRESH rewrites all rows, and REFRESH CONCURRENTLY
/// appends the changed ones, so the first and the last block suffice. VACUUM, also FULL, and
/// CLUSTER keep the writer of a row.
bool wrote_rows(Relation relation, const PrivateNote& note) {
  if (relation->rd_rel->relam != HEAP_TABLE_AM_OID || RelationGetRelid(relation) != note.relation)
    return false;
  const BlockNumber blocks = RelationGetNumberOfBlocks(relation);
  int64 rows = 0;
  const bool same = blocks == 0 || (wrote_block(relation, 0, note.writers, &rows) &&
                                    wrote_block(relation, blocks - 1, note.writers, &rows));
  return same && (rows > 0 || note.figures.rows == 0);
}

/// True if the figures describe the present rows. Sets *known to false while another session builds
/// the release: this function does not wait for it, and keeps no lock.
bool is_current(Oid oid, const PrivateNote& note, bool* known) {
  *known = ConditionalLockRelationOid(oid, AccessShareLock);
  if (!*known) return false;
  Relation relation = try_relation_open(oid, NoLock);
  const bool current = relation != nullptr && wrote_rows(relation, note);
  if (relation != nullptr) relation_close(relation, NoLock);
  UnlockRelationOid(oid, AccessShareLock);
  return current;
}

/// The rows written in the source since the note; sets *known to false where statistics do not
/// tell. They have lost count if they are below the note.
int64 changes_since(const PrivateNote& note, Oid relation, const SourceWrites& writes,
                    bool* known) {
  *known =
      writes.known && note.relation == relation && note.writes >= 0 && writes.rows >= note.writes;
  if (*known && writes.rows == note.writes && writes.emptied)
    return static_cast<int64>(note.figures.rows);
  return writes.rows - note.writes;
}

/// The columns of anon_release_info.
enum Place {
  kSource,
  kSpec,
  kBuilt,
  kCurrent,
  kChanges,
  kRebuilt,
  kFigures,
  kOwner = kFigures + kFigureCount,
  kLastSuccess,
  kLastFailure,
  kSchedule,
  kPromises,
  kValidUntil,
  kReviewDue,
  kPlaces
};

/// A row under construction: null where nothing was set. Plain data.
struct Row {
  Datum values[kPlaces];
  bool nulls[kPlaces];

  void set(int place, Datum value) {
    values[place] = value;
    nulls[place] = false;
  }
};

/// A release or a set, as its query describes it. Plain data.
struct Described {
  Oid relation;
  NamedTables sources;
  Jsonb* spec;
  bool is_view;  ///< whose rows only a refresh writes
};

/// Columns current, changes and rebuilt.
void fill_state(const PrivateNote& note, const Described& described, Row& row) {
  bool known = true;
  const bool rebuilt = described.is_view ? false : !is_current(described.relation, note, &known);
  bool counted;
  const int64 changes =
      changes_since(note, described.relation, writes_behind(described.sources), &counted);
  if (known && (rebuilt || counted)) row.set(kCurrent, BoolGetDatum(!rebuilt && changes == 0));
  if (counted) row.set(kChanges, Int64GetDatum(changes));
  if (known) row.set(kRebuilt, BoolGetDatum(rebuilt));
}

/// True if a run has failed since the release was built. Times decide if the note has no number of
/// runs, as before 0.3.0, or if runs were deleted since.
bool failed_since(const PublicNote& note, const PrivateNote& noted, const LastRuns& runs) {
  if (noted.runs >= 0 && noted.runs <= runs.number) return runs.failed > noted.runs;
  return runs.failure > note.built;
}

/// Columns last_success, last_failure and schedule. A failed run makes older rows out of date.
void fill_runs(Oid release, Oid companion, const PublicNote& note, const PrivateNote& noted,
               Row& row) {
  LastRuns runs = {0, 0, DT_NOBEGIN, DT_NOBEGIN};
  if (OidIsValid(companion)) runs = read_last_runs(companion);
  if (runs.success != DT_NOBEGIN) row.set(kLastSuccess, TimestampTzGetDatum(runs.success));
  if (runs.failure != DT_NOBEGIN) row.set(kLastFailure, TimestampTzGetDatum(runs.failure));
  if (note.found && failed_since(note, noted, runs)) row.set(kCurrent, BoolGetDatum(false));
  char* schedule;
  if (read_cron_schedule(release, &schedule)) row.set(kSchedule, CStringGetTextDatum(schedule));
}

/// Columns valid_until and review_due.
void fill_dates(Oid companion, Row& row) {
  const Context context = read_context(companion);
  DateADT date;
  if (context.date_of("valid_until", &date)) row.set(kValidUntil, DateADTGetDatum(date));
  if (context.date_of("review_due", &date)) row.set(kReviewDue, DateADTGetDatum(date));
}

/// The columns that only the owner sees.
void fill_private(const Described& described, const PublicNote& note, Row& row) {
  const Oid companion = find_companion(described.relation);
  const PrivateNote noted = read_private_note(described.relation, companion);
  if (note.found && noted.found) {
    fill_state(noted, described, row);
    fill_figures(noted.figures, row.values + kFigures, row.nulls + kFigures);
  }
  fill_runs(described.relation, companion, note, noted, row);
  fill_dates(companion, row);
  if (OidIsValid(companion)) UnlockRelationOid(companion, AccessShareLock);
}

Datum write_info(FunctionCallInfo fcinfo, const Described& described) {
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Oid owner = owner_of(described.relation);
  Row row = {};
  std::fill(std::begin(row.nulls), std::end(row.nulls), true);
  row.set(kSource, ObjectIdGetDatum(described.sources.tables[0]));
  row.set(kSpec, JsonbPGetDatum(described.spec));
  row.set(kOwner, ObjectIdGetDatum(owner));
  PublicNote note = {};
  if (described.is_view || is_populated(described.relation))
    note = read_public_note(described.relation);
  if (note.found) {
    if (note.built != 0) row.set(kBuilt, TimestampTzGetDatum(note.built));
    fill_figures(note.figures, row.values + kFigures, row.nulls + kFigures);
    if (note.promises != nullptr) row.set(kPromises, CStringGetTextDatum(note.promises));
  }
  if (has_privs_of_role(GetUserId(), owner)) fill_private(described, note, row);
  tuplestore_putvalues(result->setResult, result->setDesc, row.values, row.nulls);
  return static_cast<Datum>(0);
}

}  // namespace

Datum write_release_info(FunctionCallInfo fcinfo, const ReleaseQuery& release, bool over_time) {
  Oid source = release.source;
  return write_info(fcinfo, {PG_GETARG_OID(0), {&source, 1}, release.spec, over_time});
}

Datum write_set_info(FunctionCallInfo fcinfo, const SetQuery& set) {
  return write_info(fcinfo, {set.description, set.sources, described_set(set), true});
}

Datum release_info(FunctionCallInfo fcinfo) {
  ReleaseQuery release;
  if (read_release(PG_GETARG_OID(0), release)) return write_release_info(fcinfo, release, false);
  InitMaterializedSRF(fcinfo, 0);
  return static_cast<Datum>(0);
}

}  // namespace anonkit::pg
