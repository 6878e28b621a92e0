#include "pg/over_time/census.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"

extern "C" {
#include "utils/queryenvironment.h"
}

namespace anonkit::pg {
namespace {

constexpr int kOwnColumns = 4;

struct Counting {
  Census* census;
  Hasher hasher;
  MemoryContext context;
  Datum* values;
  bool* nulls;
  uint8* person;  ///< bytes of the row's bytea values
  uint8* unit;
  uint8* quasi;
  int64* missing;  ///< nulls by column of the key
};

/// An error for nulls in the key and the unit: such rows are of no known record or person.
void refuse_nulls(const Key& key, const int64* missing) {
  for (int i = 0; i < key.count; ++i)
    if (missing[i] > 0)
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("%s column \"%s\" contains nulls", i < key.named ? "key" : "unit",
                             key.columns[i].name),
                      errdetail("Number of nulls: " INT64_FORMAT ".", missing[i]),
                      errhint("Leave these rows out in a view.")));
}

/// The row's stratum: the numbers that are null in it, as in table/nulls/.
void note_nulls(Census& census, const bool* nulls) {
  uint64* pattern = census.nulls + census.rows * census.null_words;
  std::fill_n(pattern, census.null_words, 0);
  for (int j = 0; j < census.source.quasi_identifiers; ++j)
    if (nulls[j] && census.source.columns[j].kind == Kind::numeric)
      pattern[j / 64] |= UINT64CONST(1) << j % 64;
}

/// A row consists of the key and the source's columns.
void count_row(TupleTableSlot* slot, void* state) {
  auto& counting = *static_cast<Counting*>(state);
  Census& census = *counting.census;
  if (census.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
  if (census.rows == census.capacity) {
    census.capacity += census.capacity / 2;
    resize(census.persons, census.capacity * kPersonBytes);
    resize(census.holders, census.capacity);
    resize(census.nulls, census.capacity * census.null_words);
  }
  bool complete = true;
  for (int i = 0; i < census.key.count; ++i)
    if (slot->tts_isnull[i]) {
      ++counting.missing[i];
      complete = false;
    }
  if (!complete) return;
  hash_person(counting.hasher, census.key, slot->tts_values, counting.person);
  std::memcpy(census.persons + census.rows * kPersonBytes, counting.person, kPersonBytes);
  if (census.key.unit_count > 0)
    hash_unit(counting.hasher, census.key, slot->tts_values, counting.unit);
  else
    std::memcpy(counting.unit, counting.person, kPersonBytes);
  census.holders[census.rows] = holder_of(counting.unit);

  const int first = census.key.count;
  note_nulls(census, slot->tts_isnull + first);
  for (int j = 0; j < census.source.quasi_identifiers; ++j)
    hash_quasi(counting.hasher, counting.unit, j, census.source.columns[j],
               slot->tts_values[first + j], slot->tts_isnull[first + j],
               counting.quasi + j * kQuasiBytes);
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
  TupleDescInitEntry(descriptor, 3, "unit", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, 4, "quasi", BYTEAOID, -1, 0);
  for (int i = 0; i < source.count; ++i) {
    const auto place = static_cast<AttrNumber>(kOwnColumns + i + 1);
    TupleDescInitEntry(descriptor, place, psprintf("c%d", i), source.columns[i].declared_type, -1,
                       0);
    TupleDescInitEntryCollation(descriptor, place, source.columns[i].collation);
  }
  return descriptor;
}

/// Makes a value of the row so many bytes, which are returned.
uint8* add_bytea(Counting& counting, int column, int size) {
  auto* bytes = static_cast<bytea*>(palloc0(static_cast<std::size_t>(VARHDRSZ + size)));
  SET_VARSIZE(bytes, VARHDRSZ + size);
  counting.values[column] = PointerGetDatum(bytes);
  return reinterpret_cast<uint8*>(VARDATA(bytes));
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

Census take_census(const OpenState& open) {
  const Source& source = open.source;
  const Key& key = open.key;
  constexpr int64 kFirstCapacity = 1024;
  Census census = {};
  census.source = source;
  census.key = key;
  census.capacity = kFirstCapacity;
  census.persons = allocate<uint8>(census.capacity * kPersonBytes);
  census.holders = allocate<uint64>(census.capacity);
  census.null_words = (source.quasi_identifiers + 63) / 64;
  census.nulls = allocate<uint64>(census.capacity * census.null_words);
  census.store = new_store();
  census.descriptor = descriptor_of(source);
  Counting counting = {};
  counting.census = &census;
  counting.hasher =
      make_hasher(open.memory.secret, forms_of(key.columns, key.count, open.memory.enums),
                  forms_of(source.columns, source.count, open.memory.enums));
  counting.context = CurrentMemoryContext;
  counting.values = allocate<Datum>(kOwnColumns + source.count);
  counting.nulls = allocate<bool>(kOwnColumns + source.count);
  std::memset(counting.nulls, 0, sizeof(bool) * kOwnColumns);
  counting.missing = allocate<int64>(key.count);
  std::memset(counting.missing, 0, sizeof(int64) * static_cast<std::size_t>(key.count));
  counting.person = add_bytea(counting, 1, kPersonBytes);
  counting.unit = add_bytea(counting, 2, kPersonBytes);
  counting.quasi = add_bytea(counting, 3, source.quasi_identifiers * kQuasiBytes);
  for_each_row(counting_query(source, key), count_row, &counting);
  end_hasher(counting.hasher);
  refuse_nulls(key, counting.missing);
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

void end_store(const char* name, Tuplestorestate* store) {
  if (SPI_unregister_relation(name) != SPI_OK_REL_UNREGISTER)
    elog(ERROR, "could not forget a tuplestore");
  tuplestore_end(store);
}

}  // namespace anonkit::pg
