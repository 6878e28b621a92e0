#include "pg/over_time/places_reading.hpp"

#include <cstring>

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

/// Positions of the first columns.
enum PlaceValue { kClass, kPerson, kQuasi, kMet, kHolder, kSince, kUntil, kWeight };
static_assert(kWeight + 1 == kPlaceValues);

[[noreturn]] void refuse_row(const PlaceReading& reading) {
  refuse_state(reading.table, "has a row that no refresh wrote");
}

Datum required(const PlaceReading& reading, const TupleTableSlot* slot, int at) {
  if (slot->tts_isnull[at]) refuse_row(reading);
  return slot->tts_values[at];
}

const uint8* hash_at(const PlaceReading& reading, const TupleTableSlot* slot, int at) {
  const varlena* bytes = PG_DETOAST_DATUM_PACKED(required(reading, slot, at));
  if (VARSIZE_ANY_EXHDR(bytes) != kPersonBytes) refuse_row(reading);
  return reinterpret_cast<const uint8*>(VARDATA_ANY(bytes));
}

void read_quasi(const PlaceReading& reading, const TupleTableSlot* slot, PlaceValues& place) {
  const varlena* bytes = PG_DETOAST_DATUM_PACKED(required(reading, slot, kQuasi));
  place.quasi = reinterpret_cast<const uint8*>(VARDATA_ANY(bytes));
  place.quasi_size = static_cast<int>(VARSIZE_ANY_EXHDR(bytes));
  if (place.quasi_size != kQuasiBytes &&
      place.quasi_size != reading.quasi_identifiers * kOldQuasiBytes)
    refuse_row(reading);
}

int64 class_at(const PlaceReading& reading, int64 number) {
  if (number < 1 || number > reading.classes) refuse_row(reading);
  return number - 1;
}

int32 version_at(const PlaceReading& reading, Datum value) {
  const int32 version = DatumGetInt32(value);
  if (version < 1 || version > reading.version) refuse_row(reading);
  return version;
}

void read_met(const PlaceReading& reading, const TupleTableSlot* slot, PlaceValues& place) {
  place.met_count = 0;
  if (slot->tts_isnull[kMet]) return;
  const ArrayType* met = DatumGetArrayTypeP(slot->tts_values[kMet]);
  if (ARR_NDIM(met) != 1 || ARR_HASNULL(met)) refuse_row(reading);
  place.met = reinterpret_cast<const int64*>(ARR_DATA_PTR(met));
  place.met_count = ARR_DIMS(met)[0];
  for (int i = 0; i < place.met_count; ++i) class_at(reading, place.met[i]);
}

/// All places of a class come, go and weigh alike.
void read_life(PlaceReading& reading, const TupleTableSlot* slot, int64 cohort) {
  const int32 until = slot->tts_isnull[kUntil] ? 0 : version_at(reading, slot->tts_values[kUntil]);
  const double weight = DatumGetFloat8(required(reading, slot, kWeight));
  ClassLife& life = reading.lives[cohort];
  if (life.places > 0 && (life.until != until || bits_of(life.weight) != bits_of(weight)))
    refuse_row(reading);
  life.until = until;
  life.weight = weight;
  ++life.places;
  for (int i = reading.quasi_identifiers; i < reading.columns && !life.shows; ++i)
    life.shows = reading.released[i].role == Role::sensitive && !slot->tts_isnull[kPlaceValues + i];
}

void add(PlacesSum& sum, const uint8* mac, bool minus = false) {
  for (int i = 0; i < PlacesSum::kLanes; ++i) {
    uint64 lane = 0;
    for (int byte = sizeof lane; byte > 0; --byte)
      lane = lane << 8 | mac[i * static_cast<int>(sizeof lane) + byte - 1];
    sum.lanes[i] += minus ? 0 - lane : lane;
  }
}

void append_bytes(StringInfo bytes, const uint8* value, int size) {
  appendBinaryStringInfo(bytes, reinterpret_cast<const char*>(value), size);
}

/// Adds all that stays of a place for ever.
void seal_place(PlaceReading& reading, const PlaceValues& place, int32 since,
                const TupleTableSlot* slot) {
  StringInfo bytes = &reading.bytes;
  resetStringInfo(bytes);
  append_number(bytes, static_cast<uint64>(place.cohort));
  append_number(bytes, static_cast<uint64>(since));
  append_bytes(bytes, place.person, kPersonBytes);
  if (reading.units) append_bytes(bytes, place.holder, kPersonBytes);
  append_number(bytes, static_cast<uint64>(place.quasi_size));
  append_bytes(bytes, place.quasi, place.quasi_size);
  append_number(bytes, static_cast<uint64>(place.met_count));
  for (int i = 0; i < place.met_count; ++i) append_number(bytes, static_cast<uint64>(place.met[i]));
  for (int i = 0; i < reading.columns; ++i)
    append_canonical(bytes, reading.forms[i], slot->tts_values[kPlaceValues + i],
                     slot->tts_isnull[kPlaceValues + i]);
  uint8 mac[kMacBytes];
  mac_of(reading.mac, Sealed::place, bytes->data, static_cast<std::size_t>(bytes->len), mac);
  add(reading.sum, mac);
  ++reading.sum.rows;
}

/// Adds or removes what a refresh changes of a class.
void seal_class(const Mac& mac, PlacesSum& sum, int64 cohort, const ClassLife& life, bool minus) {
  const uint64 numbers[] = {static_cast<uint64>(cohort), static_cast<uint64>(life.until),
                            bits_of(life.weight)};
  uint8 bytes[sizeof numbers];
  int at = 0;
  for (uint64 number : numbers)
    for (std::size_t i = 0; i < sizeof number; ++i, number >>= 8)
      bytes[at++] = static_cast<uint8>(number & 0xff);
  uint8 sealed[kMacBytes];
  mac_of(mac, Sealed::cohort, bytes, sizeof bytes, sealed);
  add(sum, sealed, minus);
}

}  // namespace

const char* place_list(const Source& source, const Key& key, const char* alias) {
  StringInfoData list;
  initStringInfo(&list);
  appendStringInfo(&list,
                   "%1$s.anon_class, %1$s.anon_person, %1$s.anon_quasi, %1$s.anon_met, %1$s.%2$s,"
                   " %1$s.anon_since, %1$s.anon_until, %1$s.anon_weight",
                   alias, key.unit_count > 0 ? kUnitColumn : "anon_person");
  for (int i = 0; i < source.count; ++i)
    appendStringInfo(&list, ", %s.%s", alias, quote_identifier(source.columns[i].name));
  return list.data;
}

PlaceReading begin_places(Oid table, const Source& source, const Key& key, const Memory& memory,
                          int64 classes, int32 version) {
  PlaceReading reading = {};
  reading.table = table;
  reading.columns = source.count;
  reading.quasi_identifiers = source.quasi_identifiers;
  reading.units = key.unit_count > 0;
  auto* forms = allocate<ValueForm>(source.count);
  for (int i = 0; i < source.count; ++i)
    forms[i] = form_of(source.columns[i].released_type, source.columns[i].name, memory.enums);
  reading.forms = forms;
  reading.released = source.columns;
  reading.version = version;
  reading.classes = classes;
  reading.lives = allocate<ClassLife>(classes);
  std::fill_n(reading.lives, classes, ClassLife{});
  reading.mac = make_mac(memory.secret);
  initStringInfo(&reading.bytes);
  return reading;
}

PlaceValues read_place_values(PlaceReading& reading, const TupleTableSlot* slot) {
  PlaceValues place = {};
  place.cohort = class_at(reading, DatumGetInt64(required(reading, slot, kClass)));
  place.person = hash_at(reading, slot, kPerson);
  read_quasi(reading, slot, place);
  place.holder = hash_at(reading, slot, kHolder);
  read_met(reading, slot, place);
  read_life(reading, slot, place.cohort);
  seal_place(reading, place, version_at(reading, required(reading, slot, kSince)), slot);
  return place;
}

void read_place_row(TupleTableSlot* slot, void* reading) {
  read_place_values(*static_cast<PlaceReading*>(reading), slot);
}

PlacesSum end_places(PlaceReading& reading) {
  for (int64 cohort = 0; cohort < reading.classes; ++cohort) {
    CHECK_FOR_INTERRUPTS();
    if (reading.lives[cohort].places > 0)
      seal_class(reading.mac, reading.sum, cohort, reading.lives[cohort], false);
  }
  return reading.sum;
}

void change_class(const Mac& mac, PlacesSum& sum, int64 cohort, const ClassLife& from,
                  const ClassLife& to) {
  seal_class(mac, sum, cohort, from, true);
  seal_class(mac, sum, cohort, to, false);
}

PlacesSum joined(const PlacesSum& a, const PlacesSum& b) {
  PlacesSum sum = a;
  sum.rows += b.rows;
  for (int i = 0; i < PlacesSum::kLanes; ++i) sum.lanes[i] += b.lanes[i];
  return sum;
}

void require_sum(Oid table, const Source& source, const PlacesSum& sealed,
                 const PlacesSum& present) {
  if (sealed.rows == present.rows &&
      std::memcmp(sealed.lanes, present.lanes, sizeof sealed.lanes) == 0)
    return;
  const char* fault = "has rows that were added, changed or removed";
  for (int i = 0; i < source.count; ++i)
    if (is_spelt_by_names(source.columns[i].declared_type))
      fault = psprintf("%s, or names in type %s were changed", fault,
                       format_type_be(source.columns[i].declared_type));
  refuse_state(table, fault);
}

PlacesSum read_places(const OverTimeQuery& release, const Source& source, const Key& key,
                      const Memory& memory) {
  PlaceReading reading =
      begin_places(release.places, source, key, memory, memory.classes, memory.version);
  for_each_row(psprintf("SELECT %s FROM %s AS place", place_list(source, key, "place"),
                        described_name_of(release.places)),
               read_place_row, &reading);
  return end_places(reading);
}

void verify_state(const OverTimeQuery& release, const Spec& spec) {
  const OpenState open = open_state(release, spec);
  require_sum(release.places, open.source, open.memory.places,
              read_places(release, open.source, open.key, open.memory));
}

}  // namespace anonkit::pg
