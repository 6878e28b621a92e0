#include "pg/over_time/register.hpp"

#include <algorithm>
#include <cstring>

#include "base/at.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

const Register& register_of(const PlacesRecord& places, const Census& census) {
  auto known = std::make_unique<Register>();
  known->persons = static_cast<Record>(census.rows);
  known->cohorts.resize(static_cast<std::size_t>(places.values.classes));
  known->places.reserve(static_cast<std::size_t>(places.count));
  for (int64 i = 0; i < places.count; ++i) {
    const PlaceRow& row = places.row(i);
    Cohort& cohort = known->cohorts[at(row.cohort)];
    ++cohort.size;
    cohort.retired = places.values.lives[row.cohort].until != 0;
    cohort.withdrawn = places.withdraws[row.cohort];
    known->places.push_back(
        {row.cohort, row.person, row.kept_changed || row.sensitive_changed, row.stale, row.holder});
  }
  known->holder_of.assign(census.holders, census.holders + known->persons);
  for (int64 i = 0; i < places.meeting_count; ++i)
    known->acquaintances.push_back(
        {static_cast<std::int32_t>(places.meetings[i].cohort), places.meetings[i].holder});
  if (census.key.unit_count > 0) count_exclusive(*known);
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
  UnitMeeting* meetings;
  int64 count;
  int64 capacity;
};

void read_meeting(TupleTableSlot* slot, void* state) {
  enum { kWaiter, kPlaceClass };
  auto& reading = *static_cast<UnitReading*>(state);
  if (reading.count == reading.capacity) resize(reading.meetings, reading.capacity *= 2);
  const int64 cohort = DatumGetInt64(slot->tts_values[kPlaceClass]) - 1;
  reading.meetings[reading.count++] = {DatumGetInt32(slot->tts_values[kWaiter]),
                                       static_cast<int32>(cohort)};
}

/// Other rows of the person of a row that waits have entered means, with quasi-identifiers that may
/// tell of this row's, whether equal or not.
void meet_by_unit(const OverTimeQuery& release, const Census& census, Roll& roll) {
  Tuplestorestate* waiters = name_waiting(census, roll, "anon_waiters");
  UnitReading reading = {allocate<UnitMeeting>(1024), 0, 1024};
  for_each_row(psprintf("SELECT w.ordinal, place.anon_class"
                        " FROM anon_waiters AS w JOIN anon_present AS p"
                        " ON w.ordinal OPERATOR(pg_catalog.=) p.ordinal JOIN %s AS place"
                        " ON place.%s OPERATOR(pg_catalog.=) p.unit",
                        described_name_of(release.places), kUnitColumn),
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

/// By person of the census: the version since which they wait, or 0. Persons with a place do not.
int32* waiting_since(const Census& census, const PlacesRecord& places, const Memory& memory) {
  int32* since = allocate<int32>(census.rows);
  for (int64 i = 0; i < census.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    since[i] = 0;
    if (census.person_of[i] < places.known) continue;
    const auto* found = static_cast<const Waiting*>(
        bsearch(census.person(i), memory.waiting, static_cast<std::size_t>(memory.waiting_count),
                sizeof(Waiting), compare_waiting));
    if (found != nullptr) since[i] = found->since;
  }
  return since;
}

/// The number of persons with a place or waiting for one.
int64 count_known(const Census& census, const PlacesRecord& places, const int32* waiting) {
  int64 count = 0;
  for (int64 i = 0; i < census.rows; ++i)
    count += census.person_of[i] < places.known || waiting[i] > 0 ? 1 : 0;
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
                        const Spec& spec, PlacesRecord& places) {
  Standings standings = {};
  standings.waiting = waiting_since(census, places, memory);
  standings.known_persons = count_known(census, places, standings.waiting);
  standings.known = &register_of(places, census);
  standings.roll = &roll_of(*standings.known);
  const bool means = recoding(spec.options.recode).is_linear;
  if (means && census.key.unit_count > 0) {
    meet_by_unit(release, census, *standings.roll);
    protect_means(*standings.known, *standings.roll);
  }
  standings.lives = places.values.lives;
  standings.withdrawn = places.withdraws;
  for (const Cohort& cohort : standings.known->cohorts)
    if (cohort.withdrawn) standings.withdrawn_rows += cohort.size;
  standings.sse = places.losses ? places.sse : kNull;
  count_living(standings);
  return standings;
}

}  // namespace anonkit::pg
