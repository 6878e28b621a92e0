#include "pg/over_time/places_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/byte_hash.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"

extern "C" {
#include "common/hashfn.h"
}

namespace anonkit::pg {
namespace {

constexpr int64 kFirstPlaces = 1024;

void note_meeting(PlacesRecord& places, int64 cohort, uint64 holder) {
  if (places.meeting_count == places.meeting_capacity)
    resize(places.meetings, places.meeting_capacity *= 2);
  places.meetings[places.meeting_count++] = {cohort, holder};
}

/// The place's own cohort, and those that its founder had met.
void note_meetings(PlacesRecord& places, const PlaceRow& place, const PlaceValues& values) {
  if (values.met_count == 0) return;
  note_meeting(places, place.cohort, place.holder);
  for (int i = 0; i < values.met_count; ++i) note_meeting(places, values.met[i] - 1, place.holder);
}

/// True if a built-in operator compares exactly this type.
bool has_own_equality(Oid type) {
  const Oid equal = lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr;
  if (!is_built_in_type(type) || !OidIsValid(equal)) return false;
  Oid left;
  Oid right;
  op_input_types(equal, &left, &right);
  return left == type && right == type;
}

/// By column of the source: the hash that agrees with the type's own equality, else null.
FmgrInfo** hash_functions(const Source& source) {
  auto** functions = allocate<FmgrInfo*>(source.count);
  for (int i = 0; i < source.count; ++i) {
    const Oid type = source.columns[i].base_type;
    functions[i] = nullptr;
    if (!has_own_equality(type)) continue;
    TypeCacheEntry* entry = lookup_type_cache(type, TYPECACHE_HASH_EXTENDED_PROC_FINFO);
    if (!OidIsValid(entry->hash_extended_proc_finfo.fn_oid)) continue;
    functions[i] = static_cast<FmgrInfo*>(palloc(sizeof(FmgrInfo)));
    fmgr_info_copy(functions[i], &entry->hash_extended_proc_finfo, CurrentMemoryContext);
  }
  return functions;
}

uint64 hash_value(PlacesRecord& places, const ValueForm* forms, int i, Datum value) {
  if (places.hash_functions[i] != nullptr)
    return DatumGetUInt64(FunctionCall2Coll(
        places.hash_functions[i], places.source->columns[i].collation, value, UInt64GetDatum(0)));
  resetStringInfo(&places.bytes);
  append_canonical(&places.bytes, forms[i], value, false);
  return hash_of_bytes(places.bytes.data, static_cast<std::size_t>(places.bytes.len), 0);
}

/// The hash of null. Types hash 0, NaN or infinity to 0.
constexpr uint64 kNullHash = 0x9e3779b97f4a7c15;

/// A hash of the values of a role: equal values, by the type's own equality or else by the image,
/// have equal hashes. It need not withstand anybody, since it decides of a figure for the owner
/// alone. A second look at places whose hash differs would be one more scan in the statistics that
/// everybody reads, and so would tell that some value has changed.
uint64 hash_values(PlacesRecord& places, const ValueForm* forms, Role role, const Datum* values,
                   const bool* nulls) {
  uint64 hash = 0;
  const Source& source = *places.source;
  for (int i = source.quasi_identifiers; i < source.count; ++i)
    if (source.columns[i].role == role)
      hash = hash_combine64(hash, nulls[i] ? kNullHash : hash_value(places, forms, i, values[i]));
  return hash;
}

double number_or_nan(const SourceColumn& column, Datum value, bool is_null) {
  bool finite;
  return is_null ? std::nan("") : number_of(column.base_type, value, &finite);
}

void grow_places(PlacesRecord& places) {
  places.capacity *= 2;
  resize(places.rows, places.capacity * static_cast<int64>(places.width));
}

/// Links a place with its person's other ones.
void link_place(PlacesRecord& places, const uint8* person) {
  const int32 number = number_person(places.persons, person);
  IndexedPerson& known = places.persons.persons[number];  // they may have moved
  places.row(places.count).next = known.place;
  known.place = static_cast<int32>(places.count);
}

void read_place(TupleTableSlot* slot, void* state) {
  auto& places = *static_cast<PlacesRecord*>(state);
  if (places.count >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
  const PlaceValues values = read_place_values(places.values, slot);
  if (places.count == places.capacity) grow_places(places);
  PlaceRow& place = places.row(places.count) = {};
  place.cohort = static_cast<int32>(values.cohort);
  place.person = kNone;
  place.holder = holder_of(values.holder);
  place.old_quasi = values.quasi_size != kQuasiBytes;
  if (place.old_quasi)
    hash_of_old_quasi(values.quasi, static_cast<std::size_t>(values.quasi_size), place.quasi);
  else
    std::memcpy(place.quasi, values.quasi, kQuasiBytes);
  const Datum* released = slot->tts_values + kPlaceValues;
  const bool* nulls = slot->tts_isnull + kPlaceValues;
  place.sensitive = hash_values(places, places.values.forms, Role::sensitive, released, nulls);
  place.kept = hash_values(places, places.values.forms, Role::keep, released, nulls);
  const int d = places.source->quasi_identifiers;
  for (int j = 0; places.losses && j < d; ++j)
    places.cells(places.count)[j] = number_or_nan(places.source->columns[j], released[j], nulls[j]);
  link_place(places, values.person);
  note_meetings(places, place, values);
  if (places.withdrawn != nullptr &&
      std::memcmp(values.person, places.withdrawn, kPersonBytes) == 0)
    places.withdraws[values.cohort] = true;
  ++places.count;
}

/// The squared error of a place whose person is present, on the first version's scales.
double error_of_place(const PlacesRecord& places, int64 place, const MetRow& row) {
  double sum = 0;
  for (int j = 0; j < places.source->quasi_identifiers; ++j) {
    const double scale = places.scales[j];
    const double cell = places.cells(place)[j];
    if (std::isnan(cell) || row.nulls[j] || !(scale > 0)) continue;
    const double away =
        (cell - number_or_nan(places.source->columns[j], row.values[j], false)) / scale;
    sum += (places.weights != nullptr ? places.weights[j] : 1) * away * away;
  }
  return sum;
}

/// True for means of numbers: other losses of a place belong to its first version.
bool measures_loss(const Source& source, const Spec& spec, const Memory& memory) {
  if (!recoding(spec.options.recode).is_linear || memory.scale_count == 0) return false;
  for (int j = 0; j < source.quasi_identifiers; ++j)
    if (source.columns[j].number_type == nullptr) return false;
  return true;
}

}  // namespace

PlacesRecord read_record(const OverTimeQuery& release, const OpenState& open, const Spec& spec,
                         const uint8* withdrawn) {
  const Memory& memory = open.memory;
  PlacesRecord places = {};
  places.source = &open.source;
  places.withdrawn = withdrawn;
  places.withdraws = allocate<bool>(memory.classes);
  std::fill_n(places.withdraws, memory.classes, false);
  places.capacity = places.meeting_capacity = kFirstPlaces;
  places.meetings = allocate<Meeting>(places.meeting_capacity);
  places.losses = measures_loss(open.source, spec, memory);
  places.width =
      sizeof(PlaceRow) +
      (places.losses ? sizeof(double) * static_cast<std::size_t>(open.source.quasi_identifiers)
                     : 0);
  places.rows = allocate<uint8>(places.capacity * static_cast<int64>(places.width));
  places.scales = memory.scales;
  places.weights = spec.weights;
  places.persons = make_person_index();
  places.hash_functions = hash_functions(open.source);
  initStringInfo(&places.bytes);
  places.values =
      begin_places(release.places, open.source, open.key, memory, memory.classes, memory.version);
  for_each_row(psprintf("SELECT %s FROM %s AS place", place_list(open.source, open.key, "place"),
                        described_name_of(release.places)),
               read_place, &places);
  require_sum(release.places, open.source, memory.places, end_places(places.values));
  places.known = places.persons.count;
  return places;
}

void meet_row(PlacesRecord& places, const MetRow& row) {
  const uint64 sensitive =
      hash_values(places, row.hasher->source, Role::sensitive, row.values, row.nulls);
  const uint64 kept = hash_values(places, row.hasher->source, Role::keep, row.values, row.nulls);
  const Source& source = *places.source;
  for (int32 i = places.persons.persons[row.known].place; i != kNone; i = places.row(i).next) {
    PlaceRow& place = places.row(i);
    place.person = row.ordinal;
    uint8 old[kQuasiBytes];
    if (place.old_quasi)
      hash_old_quasi(*row.hasher, row.unit,
                     {source.columns, source.quasi_identifiers, row.values, row.nulls}, old);
    place.stale = std::memcmp(place.quasi, place.old_quasi ? old : row.quasi, kQuasiBytes) != 0;
    const ClassLife& life = places.values.lives[place.cohort];
    place.sensitive_changed = life.shows && place.sensitive != sensitive;
    place.kept_changed = place.kept != kept;
    if (places.losses && life.until == 0) places.sse += error_of_place(places, i, row);
  }
}

}  // namespace anonkit::pg
