#include "pg/over_time/census.hpp"

#include <cstring>

#include "pg/backend/session.hpp"

extern "C" {
#include "utils/queryenvironment.h"
}

namespace anonkit::pg {
namespace {

constexpr int kOwnColumns = 3;

struct Counting {
  Census* census;
  Hasher hasher;
  MemoryContext context;
  Datum* values;
  bool* nulls;
  uint8* quasi;  ///< a bytea's bytes
};

void refuse_null(const SourceColumn& column) {
  ereport(ERROR, (errcode(ERRCODE_NOT_NULL_VIOLATION),
                  errmsg("key column \"%s\" contains nulls", column.name)));
}

/// A row consists of the key and the source's columns.
void count_row(TupleTableSlot* slot, void* state) {
  auto& counting = *static_cast<Counting*>(state);
  Census& census = *counting.census;
  if (census.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
  if (census.rows == census.capacity)
    resize(census.persons, (census.capacity += census.capacity / 2) * kPersonBytes);
  for (int i = 0; i < census.key.count; ++i)
    if (slot->tts_isnull[i]) refuse_null(census.key.columns[i]);
  uint8* person = census.persons + census.rows * kPersonBytes;
  hash_person(counting.hasher, census.key, slot->tts_values, person);

  const int first = census.key.count;
  auto* person_value = reinterpret_cast<bytea*>(DatumGetPointer(counting.values[1]));
  std::memcpy(VARDATA(person_value), person, kPersonBytes);
  for (int j = 0; j < census.source.quasi_identifiers; ++j)
    hash_quasi(counting.hasher, person, j, census.source.columns[j], slot->tts_values[first + j],
               slot->tts_isnull[first + j], counting.quasi + j * kQuasiBytes);
  counting.values[0] = Int32GetDatum(static_cast<int32>(census.rows));
  for (int i = 0; i < census.source.count; ++i) {
    counting.values[kOwnColumns + i] = slot->tts_values[first + i];
    counting.nulls[kOwnColumns + i] = slot->tts_isnull[first + i];
  }
  MemoryContext old = MemoryContextSwitchTo(counting.context);
  tuplestore_putvalues(census.store, census.descriptor, counting.values, counting.nulls);
  MemoryContextSwitchTo(old);
  ++census.rows;
}

TupleDesc descriptor_of(const Source& source) {
  TupleDesc descriptor = CreateTemplateTupleDesc(kOwnColumns + source.count);
  TupleDescInitEntry(descriptor, 1, "ordinal", INT4OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "person", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, 3, "quasi", BYTEAOID, -1, 0);
  for (int i = 0; i < source.count; ++i) {
    const auto place = static_cast<AttrNumber>(kOwnColumns + i + 1);
    TupleDescInitEntry(descriptor, place, psprintf("c%d", i), source.columns[i].declared_type, -1,
                       0);
    TupleDescInitEntryCollation(descriptor, place, source.columns[i].collation);
  }
  return descriptor;
}

Datum empty_bytea(int size) {
  auto* bytes = static_cast<bytea*>(palloc0(static_cast<std::size_t>(VARHDRSZ + size)));
  SET_VARSIZE(bytes, VARHDRSZ + size);
  return PointerGetDatum(bytes);
}

char* counting_query(const Source& source, const Key& key) {
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT ");
  for (int i = 0; i < key.count; ++i)
    appendStringInfo(&query, "%ssource.%s", i > 0 ? ", " : "",
                     quote_identifier(key.columns[i].name));
  for (int i = 0; i < source.count; ++i)
    appendStringInfo(&query, ", source.%s", quote_identifier(source.columns[i].name));
  appendStringInfo(&query, " FROM %s AS source", source.qualified_name);
  return query.data;
}

int compare_persons(const void* a, const void* b) {
  return std::memcmp(*static_cast<const uint8* const*>(a), *static_cast<const uint8* const*>(b),
                     kPersonBytes);
}

void require_unique(const Census& census) {
  const uint8** sorted = allocate<const uint8*>(census.rows);
  for (int64 i = 0; i < census.rows; ++i) sorted[i] = census.person(i);
  qsort(sorted, static_cast<std::size_t>(census.rows), sizeof *sorted, compare_persons);
  for (int64 i = 1; i < census.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (compare_persons(&sorted[i - 1], &sorted[i]) == 0)
      ereport(ERROR, (errcode(ERRCODE_UNIQUE_VIOLATION), errmsg("the key is not unique"),
                      errdetail("Two rows of the source have equal values in all key columns.")));
  }
  pfree(sorted);
}

}  // namespace

Census take_census(const Source& source, const Key& key, const uint8* secret) {
  constexpr int64 kFirstCapacity = 1024;
  Census census = {};
  census.source = source;
  census.key = key;
  census.capacity = kFirstCapacity;
  census.persons = allocate<uint8>(census.capacity * kPersonBytes);
  census.store = new_store();
  census.descriptor = descriptor_of(source);
  Counting counting = {};
  counting.census = &census;
  counting.hasher = make_hasher(secret);
  counting.context = CurrentMemoryContext;
  counting.values = allocate<Datum>(kOwnColumns + source.count);
  counting.nulls = allocate<bool>(kOwnColumns + source.count);
  std::memset(counting.nulls, 0, sizeof(bool) * kOwnColumns);
  counting.values[1] = empty_bytea(kPersonBytes);
  counting.values[2] = empty_bytea(source.quasi_identifiers * kQuasiBytes);
  counting.quasi = reinterpret_cast<uint8*>(
      VARDATA(reinterpret_cast<bytea*>(DatumGetPointer(counting.values[2]))));
  for_each_row(counting_query(source, key), count_row, &counting);
  end_hasher(counting.hasher);
  require_unique(census);
  name_store("anon_present", census.store, census.descriptor, census.rows);
  return census;
}

Tuplestorestate* new_store() {
  return tuplestore_begin_heap(true, false, work_mem);
}

void name_store(const char* name, Tuplestorestate* store, TupleDesc descriptor, int64 rows) {
  auto* named = static_cast<EphemeralNamedRelation>(palloc0(sizeof(EphemeralNamedRelationData)));
  named->md.name = pstrdup(name);
  named->md.reliddesc = InvalidOid;
  named->md.tupdesc = descriptor;
  named->md.enrtype = ENR_NAMED_TUPLESTORE;
  named->md.enrtuples = static_cast<double>(rows);
  named->reldata = store;
  if (SPI_register_relation(named) != SPI_OK_REL_REGISTER)
    elog(ERROR, "could not name a tuplestore");
}

}  // namespace anonkit::pg
