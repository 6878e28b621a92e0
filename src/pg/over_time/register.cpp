#include "pg/over_time/register.hpp"

#include <algorithm>
#include <cstring>

#include "base/at.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"

namespace anonkit::pg {
namespace {

/// A place as it was read. Plain data.
struct PlaceRow {
  int64 cohort;
  int32 person;
  bool kept_changed;       ///< a kept value is another one now
  bool sensitive_changed;  ///< a sensitive one
  bool stale;
  uint64 holder;
};

/// A cohort whose mean includes quasi-identifiers of a person who is in another one, too.
struct Meeting {
  int64 cohort;
  uint64 holder;
};

struct Reading {
  PlaceReading values;
  int after;  ///< the position behind the values of a place
  const Census* census;
  const Spec* spec;
  const Memory* memory;
  int sensitive;  ///< columns
  int kept;       ///< columns
  PlaceRow* places;
  int64 count;
  int64 capacity;
  Meeting* meetings;
  int64 meeting_count;
  int64 meeting_capacity;
  const uint8* withdrawn;  ///< a person's hash, or null
  bool* withdraws;         ///< by cohort
  bool losses;             ///< cells and values follow, numbers only
  double sse;
};

/// Positions behind the values of a place: of the person's present row.
enum Present { kOrdinal, kPresentQuasi, kEqualSensitive, kEqualKept, kNumbers };

const uint8* bytes_of(Datum value) {
  return reinterpret_cast<const uint8*>(VARDATA_ANY(PG_DETOAST_DATUM_PACKED(value)));
}

void note_meeting(Reading& reading, int64 cohort, uint64 holder) {
  if (reading.meeting_count == reading.meeting_capacity)
    resize(reading.meetings, reading.meeting_capacity *= 2);
  reading.meetings[reading.meeting_count++] = {cohort, holder};
}

/// The place's own cohort, and those that its founder had met.
void note_meetings(Reading& reading, const PlaceRow& place, const PlaceValues& values) {
  if (values.met_count == 0) return;
  note_meeting(reading, place.cohort, place.holder);
  for (int i = 0; i < values.met_count; ++i) note_meeting(reading, values.met[i] - 1, place.holder);
}

/// The squared error of a place whose person is present, on the first version's scales.
double error_of(const Reading& reading, const TupleTableSlot* slot) {
  double sum = 0;
  for (int j = 0; j < reading.census->source.quasi_identifiers; ++j) {
    const SourceColumn& column = reading.census->source.columns[j];
    const int cell = kPlaceValues + j;
    const int now = reading.after + kNumbers + j;
    const double scale = reading.memory->scales[j];
    if (slot->tts_isnull[cell] || slot->tts_isnull[now] || !(scale > 0)) continue;
    bool finite;
    const double away = (number_of(column.base_type, slot->tts_values[cell], &finite) -
                         number_of(column.base_type, slot->tts_values[now], &finite)) /
                        scale;
    sum += (reading.spec->weights != nullptr ? reading.spec->weights[j] : 1) * away * away;
  }
  return sum;
}

int count_columns(const Source& source, Role role) {
  return static_cast<int>(
      std::count_if(source.columns + source.quasi_identifiers, source.columns + source.count,
                    [role](const SourceColumn& column) { return column.role == role; }));
}

void read_place(TupleTableSlot* slot, void* state) {
  auto& reading = *static_cast<Reading*>(state);
  const PlaceValues values = read_place_values(reading.values, slot);
  if (reading.count == reading.capacity) resize(reading.places, reading.capacity *= 2);
  PlaceRow& place = reading.places[reading.count++];
  place = {values.cohort, kNone, false, false, false, holder_of(values.holder)};
  note_meetings(reading, place, values);
  if (reading.withdrawn != nullptr &&
      std::memcmp(values.person, reading.withdrawn, kPersonBytes) == 0)
    reading.withdraws[values.cohort] = true;
  const int after = reading.after;
  if (slot->tts_isnull[after + kOrdinal]) return;
  place.person = DatumGetInt32(slot->tts_values[after + kOrdinal]);
  const Source& source = reading.census->source;
  place.sensitive_changed =
      DatumGetInt32(slot->tts_values[after + kEqualSensitive]) < reading.sensitive;
  place.kept_changed = DatumGetInt32(slot->tts_values[after + kEqualKept]) < reading.kept;
  place.stale = equal_quasi(values.quasi, bytes_of(slot->tts_values[after + kPresentQuasi]),
                            source.quasi_identifiers) < source.quasi_identifiers;
  if (reading.losses && reading.values.lives[place.cohort].until == 0)
    reading.sse += error_of(reading, slot);
}

/// True if a built-in operator compares exactly this type. A name would resolve to another one
/// where users have made implicit casts.
bool has_own_equality(Oid type) {
  const Oid equal = lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr;
  if (!is_built_in_type(type) || !OidIsValid(equal)) return false;
  Oid left;
  Oid right;
  op_input_types(equal, &left, &right);
  return left == type && right == type;
}

/// 1 if the place publishes the row's present value, by the type's own equality, else by the image.
/// As "character" a cast would cut char(n) to one letter, so its type is written as bpchar.
void append_equal(StringInfo query, const SourceColumn& column, int i) {
  const Oid base = column.base_type;
  const char* name = quote_identifier(column.name);
  if (has_own_equality(base))
    appendStringInfo(query,
                     " + ((place.%1$s::%2$s OPERATOR(pg_catalog.=) p.c%3$d::%2$s) IS TRUE"
                     " OR (place.%1$s IS NULL AND p.c%3$d IS NULL))::pg_catalog.int4",
                     name, format_type_with_typemod(base, -1), i);
  else
    appendStringInfo(query,
                     " + pg_catalog.record_image_eq(ROW(place.%s), ROW(p.c%d))::pg_catalog.int4",
                     name, i);
}

char* places_query(const OverTimeQuery& release, const Census& census, bool losses) {
  const Source& source = census.source;
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfo(&query, "SELECT %s, p.ordinal, p.quasi",
                   place_list(source, census.key, "place"));
  for (const Role role : {Role::sensitive, Role::keep}) {
    appendStringInfoString(&query, ", 0");
    for (int i = source.quasi_identifiers; i < source.count; ++i)
      if (source.columns[i].role == role) append_equal(&query, source.columns[i], i);
  }
  for (int j = 0; losses && j < source.quasi_identifiers; ++j)
    appendStringInfo(&query, ", p.c%d", j);
  appendStringInfo(&query,
                   " FROM %s AS place LEFT JOIN anon_present AS p"
                   " ON place.anon_person OPERATOR(pg_catalog.=) p.person",
                   qualified_name_of(release.places));
  return query.data;
}

/// True for means of numbers: other losses of a place belong to its first version.
bool measures_loss(const Source& source, const Spec& spec, const Memory& memory) {
  if (!recoding(spec.options.recode).is_linear || memory.scale_count == 0) return false;
  for (int j = 0; j < source.quasi_identifiers; ++j)
    if (source.columns[j].number_type == nullptr) return false;
  return true;
}

const Register& register_of(const Reading& reading, const Memory& memory) {
  auto known = std::make_unique<Register>();
  known->persons = static_cast<Record>(reading.census->rows);
  known->cohorts.resize(static_cast<std::size_t>(memory.classes));
  for (int64 i = 0; i < reading.count; ++i) {
    const PlaceRow& row = reading.places[i];
    Cohort& cohort = known->cohorts[static_cast<std::size_t>(row.cohort)];
    ++cohort.size;
    cohort.retired = reading.values.lives[row.cohort].until != 0;
    cohort.withdrawn = reading.withdraws[row.cohort];
    const bool changed =
        row.kept_changed || (row.sensitive_changed && reading.values.lives[row.cohort].shows);
    known->places.push_back(
        {static_cast<std::int32_t>(row.cohort), row.person, changed, row.stale, row.holder});
  }
  known->holder_of.assign(reading.census->holders, reading.census->holders + known->persons);
  for (int64 i = 0; i < reading.meeting_count; ++i)
    known->acquaintances.push_back(
        {static_cast<std::int32_t>(reading.meetings[i].cohort), reading.meetings[i].holder});
  count_exclusive(*known);
  return own_in_context(std::move(known));
}

Roll& roll_of(const Register& known) {
  BackendTicker ticker;
  return own_in_context(std::make_unique<Roll>(call_roll(known, ticker)));
}

/// A row that waits, and a cohort with a place of the same person.
struct UnitMeeting {
  int32 ordinal;
  int32 cohort;
};

struct UnitReading {
  const Census* census;
  UnitMeeting* meetings;
  int64 count;
  int64 capacity;
};

void read_meeting(TupleTableSlot* slot, void* state) {
  enum { kWaiter, kPlaceClass, kThen, kNow };
  auto& reading = *static_cast<UnitReading*>(state);
  if (equal_quasi(bytes_of(slot->tts_values[kThen]), bytes_of(slot->tts_values[kNow]),
                  reading.census->source.quasi_identifiers) == 0)
    return;
  if (reading.count == reading.capacity) resize(reading.meetings, reading.capacity *= 2);
  const int64 cohort = DatumGetInt64(slot->tts_values[kPlaceClass]) - 1;
  reading.meetings[reading.count++] = {DatumGetInt32(slot->tts_values[kWaiter]),
                                       static_cast<int32>(cohort)};
}

/// Other rows of a person may have told means of the quasi-identifiers of a row that waits.
void meet_by_unit(const OverTimeQuery& release, const Census& census, Roll& roll) {
  Tuplestorestate* waiters = name_waiting(census, roll, "anon_waiters");
  UnitReading reading = {&census, allocate<UnitMeeting>(1024), 0, 1024};
  for_each_row(psprintf("SELECT w.ordinal, place.anon_class, place.anon_quasi, p.quasi"
                        " FROM anon_waiters AS w JOIN anon_present AS p"
                        " ON w.ordinal OPERATOR(pg_catalog.=) p.ordinal JOIN %s AS place"
                        " ON place.%s OPERATOR(pg_catalog.=) p.unit",
                        qualified_name_of(release.places), kUnitColumn),
               read_meeting, &reading);
  end_store("anon_waiters", waiters);
  for (int64 i = 0; i < reading.count; ++i) {
    std::vector<std::int32_t>& met = roll.met[at(reading.meetings[i].ordinal)];
    const std::int32_t cohort = reading.meetings[i].cohort;
    if (std::find(met.begin(), met.end(), cohort) == met.end()) met.push_back(cohort);
  }
}

int compare_waiting(const void* person, const void* waiting) {
  return std::memcmp(person, static_cast<const Waiting*>(waiting)->person, kPersonBytes);
}

/// By person of the census: the version since which they wait, or 0.
int32* waiting_since(const Census& census, const Memory& memory) {
  int32* since = allocate<int32>(census.rows);
  for (int64 i = 0; i < census.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    const auto* found = static_cast<const Waiting*>(
        bsearch(census.person(i), memory.waiting, static_cast<std::size_t>(memory.waiting_count),
                sizeof(Waiting), compare_waiting));
    since[i] = found != nullptr ? found->since : 0;
  }
  return since;
}

/// The number of persons with a place or waiting for one.
int64 count_known(const Reading& reading, const int32* waiting) {
  bool* known = allocate<bool>(reading.census->rows);
  for (int64 i = 0; i < reading.census->rows; ++i) known[i] = waiting[i] > 0;
  for (int64 i = 0; i < reading.count; ++i)
    if (reading.places[i].person != kNone) known[reading.places[i].person] = true;
  int64 count = 0;
  for (int64 i = 0; i < reading.census->rows; ++i) count += known[i] ? 1 : 0;
  return count;
}

void count_living(Standings& standings) {
  const Roll& roll = *standings.roll;
  for (std::size_t c = 0; c < standings.known->cohorts.size(); ++c) {
    const Cohort& cohort = standings.known->cohorts[c];
    if (cohort.retired || roll.retires[c] != 0) continue;
    standings.living += roll.present[c];
    if (!standings.lives[c].shows) standings.withheld += cohort.size;
  }
}

}  // namespace

Tuplestorestate* name_waiting(const Census& census, const Roll& roll, const char* name) {
  TupleDesc descriptor = CreateTemplateTupleDesc(1);
  TupleDescInitEntry(descriptor, 1, "ordinal", INT4OID, -1, 0);
  Tuplestorestate* store = new_store();
  int64 count = 0;
  bool null = false;
  for (int64 i = 0; i < census.rows; ++i) {
    if (roll.standing[static_cast<std::size_t>(i)] != Standing::waits) continue;
    Datum ordinal = Int32GetDatum(static_cast<int32>(i));
    tuplestore_putvalues(store, descriptor, &ordinal, &null);
    ++count;
  }
  name_store(name, store, descriptor, count);
  return store;
}

Standings compare_state(const OverTimeQuery& release, const Census& census, const Memory& memory,
                        const Spec& spec, const uint8* withdrawn) {
  Reading reading = {};
  reading.withdrawn = withdrawn;
  reading.withdraws = allocate<bool>(memory.classes);
  std::fill_n(reading.withdraws, memory.classes, false);
  reading.census = &census;
  reading.spec = &spec;
  reading.memory = &memory;
  reading.sensitive = count_columns(census.source, Role::sensitive);
  reading.kept = count_columns(census.source, Role::keep);
  reading.capacity = reading.meeting_capacity = 1024;
  reading.places = allocate<PlaceRow>(reading.capacity);
  reading.meetings = allocate<Meeting>(reading.meeting_capacity);
  reading.losses = measures_loss(census.source, spec, memory);
  reading.values =
      begin_places(release.places, census.source, memory, memory.classes, memory.version);
  reading.after = kPlaceValues + census.source.count;
  const bool counts_units = census.key.unit_count > 0;
  const bool means = recoding(spec.options.recode).is_linear;
  for_each_row(places_query(release, census, reading.losses), read_place, &reading);
  require_sum(release.places, memory.places, end_places(reading.values));

  Standings standings = {};
  standings.waiting = waiting_since(census, memory);
  standings.known_persons = count_known(reading, standings.waiting);
  standings.known = &register_of(reading, memory);
  standings.roll = &roll_of(*standings.known);
  if (means && counts_units) meet_by_unit(release, census, *standings.roll);
  if (means) protect_means(*standings.known, *standings.roll);
  standings.lives = reading.values.lives;
  standings.withdrawn = reading.withdraws;
  for (const Cohort& cohort : standings.known->cohorts)
    if (cohort.withdrawn) standings.withdrawn_rows += cohort.size;
  standings.sse = reading.losses ? reading.sse : kNull;
  count_living(standings);
  return standings;
}

}  // namespace anonkit::pg
