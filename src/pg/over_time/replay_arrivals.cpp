// anon_replay: a release, or the versions of one with a key, whose rows come refresh by refresh.

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"
#include "replay_nights.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/look/replay_rows.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/read/fingerprint.hpp"
#include "pg/read/reader.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

constexpr uint64 kMostRefreshes = 10000;

/// A table whose rows come over time. Plain data.
struct ArrivalReading {
  Spec spec;
  Key key;
  Source source;  ///< kept columns: the arrivals, then the key's
  Loaded loaded;
  int32* night;  ///< by row, from 1
};

/// An error for releases over time that the replay does not cover.
void require_replayable_arrivals(const Spec& spec) {
  require_replayable(spec);
  if (spec.over_time.key.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("arrivals need a key"),
                    errhint("Name the columns by which a record is known again in key.")));
  if (spec.unit.count > 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("arrivals cannot be replayed with a unit")));
}

SourceColumn kept_column(const SourceColumn& named) {
  SourceColumn column = named;
  column.role = Role::keep;
  column.released_type = column.declared_type;
  column.released_typmod = -1;
  return column;
}

SourceColumn arrival_column(Oid relation_oid, const char* name) {
  Relation relation = open_relation(relation_oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  SourceColumn column = {};
  column.number = find_column(descriptor, name);
  Form_pg_attribute attribute = TupleDescAttr(descriptor, column.number - 1);
  column.name = pstrdup(NameStr(attribute->attname));
  column.declared_type = attribute->atttypid;
  column.base_type = getBaseType(attribute->atttypid);
  relation_close(relation, NoLock);
  switch (column.base_type) {
    case INT2OID:
    case INT4OID:
    case INT8OID:
    case DATEOID:
      return kept_column(column);
    default:
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("column \"%s\" of type %s cannot number refreshes", column.name,
                             format_type_be(column.declared_type)),
                      errhint("Use integers or dates.")));
  }
  pg_unreachable();
}

/// The source with the arrivals and the key in place of kept columns.
Source source_of_arrivals(Oid relation, const char* arrivals, const Spec& spec, const Key& key) {
  const Source whole = resolve_source(relation, spec);
  Source source = whole;
  source.count = whole.quasi_identifiers + 1 + key.count;
  source.columns = allocate<SourceColumn>(source.count);
  std::copy_n(whole.columns, whole.quasi_identifiers, source.columns);
  source.columns[whole.quasi_identifiers] = arrival_column(relation, arrivals);
  for (int i = 0; i < key.count; ++i)
    source.columns[whole.quasi_identifiers + 1 + i] = kept_column(key.columns[i]);
  return source;
}

int64 arrival_of(Oid type, Datum value) {
  switch (type) {
    case INT2OID:
      return DatumGetInt16(value);
    case INT8OID:
      return DatumGetInt64(value);
    default:
      return DatumGetInt32(value);  // of dates, too
  }
}

int compare_fingerprints(const void* a, const void* b) {
  return std::memcmp(a, b, sizeof(Fingerprint));
}

void require_unique_rows(const Loaded& loaded) {
  const auto rows = static_cast<std::size_t>(loaded.rows);
  auto* sorted = allocate<Fingerprint>(loaded.rows);
  std::copy_n(loaded.fingerprints, rows, sorted);
  qsort(sorted, rows, sizeof *sorted, compare_fingerprints);
  for (std::size_t i = 1; i < rows; ++i)
    if (compare_fingerprints(&sorted[i - 1], &sorted[i]) == 0)
      ereport(ERROR, (errcode(ERRCODE_UNIQUE_VIOLATION), errmsg("the key is not unique"),
                      errdetail("Two rows have equal values in all key columns.")));
  pfree(sorted);
}

/// Numbers the refreshes from 1.
void number_nights(ArrivalReading& reading, const int64* arrivals) {
  const int64 rows = reading.loaded.rows;
  if (rows == 0) return;
  const int64 first = *std::min_element(arrivals, arrivals + rows);
  const int64 last = *std::max_element(arrivals, arrivals + rows);
  if (static_cast<uint64>(last) - static_cast<uint64>(first) >= kMostRefreshes)
    ereport(ERROR,
            (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
             errmsg("arrivals are of more than %d refreshes", static_cast<int>(kMostRefreshes)),
             errhint("Number the refreshes from 1 in a view.")));
  reading.night = allocate<int32>(rows);
  for (int64 i = 0; i < rows; ++i) reading.night[i] = static_cast<int32>(arrivals[i] - first + 1);
}

/// Takes arrivals and keys from the spool. Equal rows are ordered by a hash of the key, as in a
/// release, whose secret the seed stands for.
void settle_arrivals(ArrivalReading& reading) {
  Loaded& loaded = reading.loaded;
  uint8 secret[kSecretBytes] = {};
  write_bytes(reading.spec.options.seed, secret);
  const Hasher hasher = make_hasher(
      secret,
      forms_of(reading.key.columns, reading.key.count, present_labels(reading.source, reading.key)),
      nullptr);
  const SourceColumn* kept = reading.source.spooled();
  int64* arrivals = allocate<int64>(loaded.rows);
  TupleTableSlot* slot = MakeSingleTupleTableSlot(loaded.spool_descriptor, &TTSOpsMinimalTuple);
  for (int64 i = 0; tuplestore_gettupleslot(loaded.spool, true, false, slot); ++i) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    for (int j = 0; j < reading.source.spooled_count(); ++j)
      if (slot->tts_isnull[j])
        ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                        errmsg("column \"%s\" contains nulls", kept[j].name),
                        errhint("Leave these rows out in a view.")));
    arrivals[i] = arrival_of(kept[0].base_type, slot->tts_values[0]);
    uint8 person[kPersonBytes];
    hash_person(hasher, reading.key, slot->tts_values + 1, person);
    loaded.fingerprints[i] = fingerprint_of_hash(person);
  }
  ExecDropSingleTupleTableSlot(slot);
  tuplestore_end(loaded.spool);
  require_unique_rows(loaded);
  number_nights(reading, arrivals);
}

const std::vector<ReplayedClass>& replayed_nights_of(const ArrivalReading& reading,
                                                     ReplayOptions how) {
  BackendTicker ticker;
  const Spec& spec = reading.spec;
  const Table table = table_of(reading.source, spec, reading.loaded);
  MemoryCount memory = {reading.loaded.needed_bytes, kFewerRows};
  const std::int64_t bytes = replay_nights_bytes(table);
  call_backend([&] { count_memory(memory, bytes); });
  how.most_bytes = int64{max_memory} * 1024 - memory.bytes;
  const Arrivals arrivals = {{reading.night, reading.night + reading.loaded.rows},
                             spec.over_time.max_wait,
                             spec.over_time.wait_loss,
                             spec.over_time.every};
  return own_in_context(std::make_unique<std::vector<ReplayedClass>>(
      replay_nights(table, arrivals, *spec.method, spec.options, how, ticker)));
}

Datum replay_over_time(FunctionCallInfo fcinfo, const char* arrivals) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  ArrivalReading reading = {};
  reading.spec = read_spec(spec_of_release(fcinfo));
  const ReplayOptions how = replay_options_of(fcinfo, reading.spec.options);
  require_replayable_arrivals(reading.spec);
  reading.spec.rank_all_sensitive = true;
  reading.key = resolve_key(relation, reading.spec);
  reading.source = source_of_arrivals(relation, arrivals, reading.spec, reading.key);
  reading.loaded = read_source(reading.source, reading.spec, Spool::columns);
  settle_arrivals(reading);
  write_replayed(replayed_nights_of(reading, how), fcinfo);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_replay) {
  const char* arrivals = anonkit::pg::text_argument(fcinfo, "arrivals");
  return arrivals != nullptr ? anonkit::pg::replay_over_time(fcinfo, arrivals)
                             : anonkit::pg::replay_release(fcinfo);
}
