// Information on a finished release: its spec, from its query; its figures, from its comment.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "pg/release/release_info.hpp"
#include "pg/release/release_query.hpp"

extern "C" {
#include "access/heapam.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "commands/comment.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kMark[] = "anonkit:";
constexpr char kSentence[] = "Masked by anonkit: ";

// The record is in the comment of the first column, which lists of relations do not show.
constexpr int kSentenceColumn = 0, kRecordColumn = 1;

bool starts_with(const char* line, const char* mark) {
  return std::strncmp(line, mark, std::strlen(mark)) == 0;
}

/// The last line of a comment with the mark, if all lines after it are indented; null without one.
char* find_marked(char* comment, const char* mark) {
  char* found = nullptr;
  for (char* line = comment; line != nullptr;) {
    if (starts_with(line, mark))
      found = line;
    else if (*line != ' ')
      found = nullptr;
    char* end = std::strchr(line, '\n');
    line = end != nullptr ? end + 1 : nullptr;
  }
  return found;
}

/// Writes the text at the end of a comment, in place of the last one with the mark.
void write_marked(Oid relation, int column, const char* mark, const char* marked) {
  char* comment = GetComment(relation, RelationRelationId, column);
  if (char* old = find_marked(comment, mark)) *old = '\0';
  StringInfoData text;
  initStringInfo(&text);
  if (comment != nullptr && comment[0] != '\0') {
    appendStringInfoString(&text, comment);
    if (text.data[text.len - 1] != '\n') appendStringInfoChar(&text, '\n');
  }
  appendStringInfoString(&text, marked);
  CreateComments(relation, RelationRelationId, column, text.data);
}

/// A number in the range of identifiers, or 0, which stands for none.
uint32 read_identifier(const char* text, const char* name) {
  const double number = read_figure(text, name);
  return number >= 1 && number <= PG_UINT32_MAX ? static_cast<uint32>(number) : 0;
}

}  // namespace

Note read_note(Oid relation) {
  Note note = {};
  const char* text = find_marked(GetComment(relation, RelationRelationId, kRecordColumn), kMark);
  note.found = text != nullptr;
  if (!note.found) return note;
  note.figures = read_figures(text);
  const double built = read_figure(text, "built");
  note.built = std::isnan(built) ? 0 : static_cast<TimestampTz>(built);
  note.relation = read_identifier(text, "oid");
  note.rows = read_identifier(text, "xid");
  const double writes = read_figure(text, "writes");
  note.writes = std::isnan(writes) ? -1 : static_cast<int64>(writes);
  return note;
}

void write_note(Oid relation, const Figures& figures, Oid source, const SourceWrites& writes) {
  write_marked(
      relation, kSentenceColumn, kSentence,
      psprintf("%s%.0f rows of %s in %.0f classes of at least %.0f.", kSentence, figures.rows,
               quote_identifier(get_rel_name(source)), figures.classes, figures.smallest_class));
  StringInfoData record;
  initStringInfo(&record);
  appendStringInfo(&record, "%s built=" INT64_FORMAT " oid=%u xid=%u", kMark, GetCurrentTimestamp(),
                   relation, GetCurrentTransactionId());
  if (writes.known) appendStringInfo(&record, " writes=" INT64_FORMAT, writes.rows);
  appendStringInfoChar(&record, '\n');
  write_figures(&record, figures);
  write_marked(relation, kRecordColumn, kMark, record.data);
}

namespace {

bool is_populated(Oid relation) {
  HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(tuple)) return false;
  const bool populated = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->relispopulated;
  ReleaseSysCache(tuple);
  return populated;
}

/// False if a row in the block was written by another transaction. Counts the visible rows.
bool wrote_block(Relation relation, BlockNumber block, TransactionId writer, int64* rows) {
  TableScanDesc scan =
      table_beginscan_strat(relation, GetActiveSnapshot(), 0, nullptr, true, false);
  heap_setscanlimits(scan, block, 1);
  TupleTableSlot* slot = table_slot_create(relation, nullptr);
  bool same = true;
  while (same && table_scan_getnextslot(scan, ForwardScanDirection, slot)) {
    bool is_null;
    const Datum xid = slot_getsysattr(slot, MinTransactionIdAttributeNumber, &is_null);
    same = DatumGetTransactionId(xid) == writer;
    ++*rows;
  }
  ExecDropSingleTupleTableSlot(slot);
  table_endscan(scan);
  return same;
}

/// True if the note describes the present rows. REFRESH rewrites all rows, and REFRESH CONCURRENTLY
/// appends the changed ones, so the first and the last block suffice. VACUUM, also FULL, and
/// CLUSTER keep the writer of a row.
bool wrote_rows(Relation relation, const Note& note) {
  if (relation->rd_rel->relam != HEAP_TABLE_AM_OID || RelationGetRelid(relation) != note.relation)
    return false;
  const BlockNumber blocks = RelationGetNumberOfBlocks(relation);
  int64 rows = 0;
  const bool same = blocks == 0 || (wrote_block(relation, 0, note.rows, &rows) &&
                                    wrote_block(relation, blocks - 1, note.rows, &rows));
  return same && (rows > 0 || note.figures.rows == 0);
}

/// True if the figures describe the present rows. Sets *known to false while another session builds
/// the release: this function does not wait for it, and keeps no lock.
bool is_current(Oid oid, const Note& note, bool* known) {
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
int64 changes_since(const Note& note, Oid relation, Oid source, bool* known) {
  const SourceWrites writes = source_writes(source);
  *known =
      writes.known && note.relation == relation && note.writes >= 0 && writes.rows >= note.writes;
  if (*known && writes.rows == note.writes && writes.emptied)
    return static_cast<int64>(note.figures.rows);
  return writes.rows - note.writes;
}

/// Columns built, current, changes and rebuilt.
void fill_state(const Note& note, Oid relation, Oid source, bool over_time, Datum* values,
                bool* nulls) {
  // Only a refresh writes a version of a release over time.
  bool known = true;
  const bool rebuilt = !over_time && !is_current(relation, note, &known);
  bool counted;
  const int64 changes = changes_since(note, relation, source, &counted);
  values[0] = TimestampTzGetDatum(note.built);
  values[1] = BoolGetDatum(!rebuilt && changes == 0);
  values[2] = Int64GetDatum(changes);
  values[3] = BoolGetDatum(rebuilt);
  nulls[0] = false;
  nulls[1] = !known || (!rebuilt && !counted);
  nulls[2] = !counted;
  nulls[3] = !known;
}

}  // namespace

Datum write_release_info(FunctionCallInfo fcinfo, const ReleaseQuery& release, bool over_time) {
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Oid relation = PG_GETARG_OID(0);
  constexpr int kFirstFigure = 6;
  Datum values[kFirstFigure + kFigureCount];
  bool nulls[kFirstFigure + kFigureCount];
  std::fill(std::begin(nulls), std::end(nulls), true);
  nulls[0] = nulls[1] = false;
  values[0] = ObjectIdGetDatum(release.source);
  values[1] = JsonbPGetDatum(release.spec);
  const Note note = read_note(relation);
  if (note.found && (over_time || is_populated(relation))) {
    fill_state(note, relation, release.source, over_time, values + 2, nulls + 2);
    fill_figures(note.figures, values + kFirstFigure, nulls + kFirstFigure);
  }
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  return static_cast<Datum>(0);
}

Datum release_info(FunctionCallInfo fcinfo) {
  ReleaseQuery release;
  if (read_release(PG_GETARG_OID(0), release)) return write_release_info(fcinfo, release, false);
  InitMaterializedSRF(fcinfo, 0);
  return static_cast<Datum>(0);
}

}  // namespace anonkit::pg
