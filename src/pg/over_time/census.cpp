#include "pg/over_time/census.hpp"

#include <algorithm>
#include <cstring>

#include "base/record.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/read/value_ranks.hpp"

extern "C" {
#include "utils/queryenvironment.h"
}

namespace anonkit::pg {
namespace {

struct Counting {
  Census* census;
  PlacesRecord* places;
  bool duplicate;  ///< two rows have one key
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

void grow(Census& census) {
  census.capacity += census.capacity / 2;
  resize(census.person_of, census.capacity);
  resize(census.holders, census.capacity);
  resize(census.nulls, census.capacity * census.null_words);
}

bool is_complete(Counting& counting, const bool* nulls) {
  bool complete = true;
  for (int i = 0; i < counting.census->key.count; ++i)
    if (nulls[i]) {
      ++counting.missing[i];
      complete = false;
    }
  return complete;
}

/// The number of the row's person, who has no other row.
int32 note_person(Counting& counting, int32 ordinal) {
  PersonIndex& persons = counting.places->persons;
  const int32 number = number_person(persons, counting.person);
  IndexedPerson& person = persons.persons[number];
  if (person.ordinal != kNone) counting.duplicate = true;
  person.ordinal = ordinal;
  return number;
}

void store_row(Counting& counting, const Datum* values, const bool* nulls) {
  Census& census = *counting.census;
  counting.values[kPresentOrdinal] = Int32GetDatum(static_cast<int32>(census.rows));
  std::copy_n(values, census.source.count, counting.values + kPresentOwn);
  std::copy_n(nulls, census.source.count, counting.nulls + kPresentOwn);
  MemoryContext old = MemoryContextSwitchTo(counting.context);
  tuplestore_putvalues(census.store, census.descriptor, counting.values, counting.nulls);
  MemoryContextSwitchTo(old);
  ++census.stored;
}

/// A row consists of the key and the source's columns.
void count_row(TupleTableSlot* slot, void* state) {
  auto& counting = *static_cast<Counting*>(state);
  Census& census = *counting.census;
  if (census.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
  if (!is_complete(counting, slot->tts_isnull)) return;
  if (census.rows == census.capacity) grow(census);
  const auto ordinal = static_cast<int32>(census.rows);
  hash_person(counting.hasher, census.key, slot->tts_values, counting.person);
  expect_person(counting.places->persons, counting.person);
  if (census.key.unit_count > 0)
    hash_unit(counting.hasher, census.key, slot->tts_values, counting.unit);
  else
    std::memcpy(counting.unit, counting.person, kPersonBytes);
  census.holders[ordinal] = holder_of(counting.unit);
  const Datum* values = slot->tts_values + census.key.count;
  const bool* nulls = slot->tts_isnull + census.key.count;
  note_nulls(census, nulls);
  hash_quasi(counting.hasher, counting.unit,
             {census.source.columns, census.source.quasi_identifiers, values, nulls},
             counting.quasi);
  const int32 person = note_person(counting, ordinal);
  census.person_of[ordinal] = person;
  if (person < counting.places->known)
    meet_row(*counting.places,
             {person, ordinal, counting.unit, counting.quasi, &counting.hasher, values, nulls});
  else
    store_row(counting, values, nulls);
  ++census.rows;
}

TupleDesc descriptor_of(const Source& source) {
  TupleDesc descriptor = CreateTemplateTupleDesc(kPresentOwn + source.count);
  TupleDescInitEntry(descriptor, 1, "ordinal", INT4OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "person", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, 3, "unit", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, 4, "quasi", BYTEAOID, -1, 0);
  for (int i = 0; i < source.count; ++i) {
    const auto place = static_cast<AttrNumber>(kPresentOwn + i + 1);
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
  require_described(source.relation);
  return query.data;
}

void require_unique(const Counting& counting) {
  if (counting.duplicate)
    ereport(ERROR, (errcode(ERRCODE_UNIQUE_VIOLATION), errmsg("the key is not unique"),
                    errdetail("Two rows of the source have equal values in all key columns.")));
}

}  // namespace

Census take_census(const OpenState& open, PlacesRecord& places) {
  const Source& source = open.source;
  const Key& key = open.key;
  Census census = {};
  census.source = source;
  census.key = key;
  census.capacity = kFirstCapacity;
  census.persons = &places.persons;
  census.person_of = allocate<int32>(census.capacity);
  census.holders = allocate<uint64>(census.capacity);
  census.null_words = (source.quasi_identifiers + 63) / 64;
  census.nulls = allocate<uint64>(census.capacity * census.null_words);
  census.store = new_store();
  census.descriptor = descriptor_of(source);
  Counting counting = {};
  counting.census = &census;
  counting.places = &places;
  counting.hasher =
      make_hasher(open.memory.secret, forms_of(key.columns, key.count, open.memory.enums),
                  forms_of(source.columns, source.count, open.memory.enums));
  counting.context = CurrentMemoryContext;
  counting.values = allocate<Datum>(kPresentOwn + source.count);
  counting.nulls = allocate<bool>(kPresentOwn + source.count);
  std::memset(counting.nulls, 0, sizeof(bool) * kPresentOwn);
  counting.missing = allocate<int64>(key.count);
  std::memset(counting.missing, 0, sizeof(int64) * static_cast<std::size_t>(key.count));
  counting.person = add_bytea(counting, kPresentPerson, kPersonBytes);
  counting.unit = add_bytea(counting, kPresentUnit, kPersonBytes);
  counting.quasi = add_bytea(counting, kPresentQuasi, kQuasiBytes);
  for_each_row(counting_query(source, key), count_row, &counting);
  refuse_nulls(key, counting.missing);
  require_unique(counting);
  name_store("anon_present", census.store, census.descriptor, census.stored);
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
