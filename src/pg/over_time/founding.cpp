#include "pg/over_time/founding.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/at.hpp"
#include "base/byte_order.hpp"
#include "base/error.hpp"
#include "recode/recoding.hpp"
#include "settling.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/described.hpp"
#include "pg/backend/mac.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/places_table.hpp"
#include "pg/read/fingerprint.hpp"
#include "pg/release/row_guard.hpp"
#include "pg/release/warnings.hpp"

namespace anonkit::pg {
namespace {

/// The inputs of the founding. Plain data.
struct Founding {
  const OverTimeQuery* release;
  const Census* census;
  const Memory* memory;
  const Standings* standings;
  Run run;
  int32* ordinals;  ///< by row of the run: its person
};

int compare_holders(const void* a, const void* b) {
  const uint64 x = *static_cast<const uint64*>(a), y = *static_cast<const uint64*>(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/// Different persons among the rows that wait.
int64 count_waiting_holders(const Founding& founding) {
  const Census& census = *founding.census;
  uint64* holders = allocate<uint64>(census.rows);
  std::size_t count = 0;
  for (int64 i = 0; i < census.rows; ++i)
    if (founding.standings->roll->standing[static_cast<std::size_t>(i)] == Standing::waits)
      holders[count++] = census.holders[i];
  qsort(holders, count, sizeof *holders, compare_holders);
  return std::unique(holders, holders + count) - holders;
}

/// True if no class is founded in this version: it is not one of every so many, or too few persons
/// wait. Neither depends on a value.
bool is_no_founding(const Founding& founding, const Spec& spec) {
  if (founding.memory->version == 1) return false;
  if ((founding.memory->version - 1) % spec.over_time.every != 0) return true;
  const Promises& promises = spec.options.promises;
  const int32 least =
      spec.unit.count == 0 ? spec.options.k : std::max({spec.options.k, promises.p, promises.l});
  return count_waiting_holders(founding) < least;
}

/// The source's waiting persons: its quasi-identifiers, sensitive columns, and the ordinal instead
/// of kept columns. `all`: the census has stored no others.
Source newcomers_of(const Census& census, const OverTimeQuery& release, bool all) {
  const Source& whole = census.source;
  Source source = whole;
  StringInfoData rows;
  initStringInfo(&rows);
  appendStringInfo(&rows, "(SELECT p.ordinal AS anon_ordinal, p.unit AS %s", kUnitColumn);
  for (int i = 0; i < whole.count; ++i)
    appendStringInfo(&rows, ", p.c%d AS %s", i, quote_identifier(whole.columns[i].name));
  appendStringInfo(&rows, " FROM anon_present AS p%s)",
                   all ? ""
                       : " JOIN anon_newcomers AS n"
                         " ON p.ordinal OPERATOR(pg_catalog.=) n.ordinal");
  source.rows = rows.data;
  source.has_tid = false;
  source.unit_relation = release.places;
  source.count = whole.quasi_identifiers + 1;
  source.columns = allocate<SourceColumn>(source.count);
  std::copy_n(whole.columns, whole.quasi_identifiers, source.columns);
  SourceColumn& ordinal = source.columns[whole.quasi_identifiers] = {};
  ordinal.name = pstrdup("anon_ordinal");
  ordinal.role = Role::keep;
  ordinal.declared_type = ordinal.base_type = ordinal.released_type = INT4OID;
  ordinal.released_typmod = -1;
  return source;
}

/// Takes the ordinals from the spool, and breaks ties by the person's hash, which does not depend
/// on the order of the rows.
void settle_rows(Founding& founding) {
  Loaded& loaded = founding.run.loaded;
  founding.ordinals = allocate<int32>(loaded.rows);
  TupleTableSlot* slot = MakeSingleTupleTableSlot(loaded.spool_descriptor, &TTSOpsMinimalTuple);
  for (int64 i = 0; tuplestore_gettupleslot(loaded.spool, true, false, slot); ++i) {
    CHECK_FOR_INTERRUPTS();
    bool null;
    founding.ordinals[i] = DatumGetInt32(slot_getattr(slot, 1, &null));
    loaded.fingerprints[i] = fingerprint_of_hash(founding.census->person(founding.ordinals[i]));
  }
  ExecDropSingleTupleTableSlot(slot);
  tuplestore_end(loaded.spool);
}

double* scales_of(const Run& run) {
  double* scales = allocate<double>(run.source.quasi_identifiers);
  for (int j = 0; j < run.source.quasi_identifiers; ++j)
    scales[j] = run.anonymized->scales[static_cast<std::size_t>(j)].scale;
  return scales;
}

/// The squared error of the classes, on the scales of the run.
double error_of(const Run& run) {
  BackendTicker ticker;
  const std::vector<double> of_class = founding_errors(table_of(run.source, run.spec, run.loaded),
                                                       *run.anonymized, run.spec.options, ticker);
  return std::accumulate(of_class.begin(), of_class.end(), 0.0);
}

/// Numbers the classes from the last known one on.
void count_founded(const Founding& founding, Founded& founded) {
  const Run& run = founding.run;
  founded.classes = run.published_classes;
  founded.sizes = run.published_sizes;
  for (int c = 0; c < run.published_classes; ++c) {
    founded.rows += run.published_sizes[c];
    if (run.withheld[c]) founded.withheld += run.published_sizes[c];
  }
  founded.loss = error_of(run) / static_cast<double>(founded.rows);
}

Datum met_datum(const std::vector<std::int32_t>& met) {
  const auto count = static_cast<int>(met.size());
  Datum* classes = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) classes[i] = Int64GetDatum(met[static_cast<std::size_t>(i)] + 1);
  return PointerGetDatum(
      construct_array(classes, count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/// Columns of the relation anon_founded before the cells and the values.
enum FoundedColumn {
  kFoundedClass,
  kFoundedPerson,
  kFoundedUnit,
  kFoundedQuasi,
  kFoundedMet,
  kFoundedOwn
};

TupleDesc founded_descriptor(const Source& source) {
  TupleDesc descriptor = CreateTemplateTupleDesc(kFoundedOwn + source.count);
  TupleDescInitEntry(descriptor, kFoundedClass + 1, "class", INT8OID, -1, 0);
  TupleDescInitEntry(descriptor, kFoundedPerson + 1, "person", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, kFoundedUnit + 1, "unit", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, kFoundedQuasi + 1, "quasi", BYTEAOID, -1, 0);
  TupleDescInitEntry(descriptor, kFoundedMet + 1, "met", INT8ARRAYOID, -1, 0);
  for (int i = 0; i < source.count; ++i) {
    const SourceColumn& column = source.columns[i];
    const bool is_cell = i < source.quasi_identifiers;
    const auto place = static_cast<AttrNumber>(kFoundedOwn + 1 + i);
    TupleDescInitEntry(descriptor, place, psprintf("c%d", i),
                       is_cell ? column.released_type : column.declared_type,
                       is_cell ? column.released_typmod : -1, 0);
    TupleDescInitEntryCollation(descriptor, place,
                                is_cell ? column.released_collation : column.collation);
  }
  return descriptor;
}

/// By ordinal: the row of the run, or kNone.
int32* rows_of_ordinals(const Founding& founding) {
  int32* rows = allocate<int32>(founding.census->rows);
  std::fill_n(rows, founding.census->rows, kNone);
  for (int64 row = 0; row < founding.run.loaded.rows; ++row)
    rows[founding.ordinals[row]] = static_cast<int32>(row);
  return rows;
}

/// A founder's row of anon_founded, from the row of the census. Sensitive values that are withheld
/// are null: no expression of their type is evaluated.
void fill_founder(const Founding& founding, int64 row, const TupleTableSlot* present, Datum* values,
                  bool* nulls) {
  const Run& run = founding.run;
  const Source& source = founding.census->source;
  const int32 c = run.published_class_of(row);
  const std::vector<std::int32_t>& met = founding.standings->roll->met[at(founding.ordinals[row])];
  std::fill_n(nulls, kFoundedOwn, false);
  values[kFoundedClass] = Int64GetDatum(founding.memory->classes + c + 1);
  values[kFoundedPerson] = present->tts_values[kPresentPerson];
  values[kFoundedUnit] = present->tts_values[kPresentUnit];
  values[kFoundedQuasi] = present->tts_values[kPresentQuasi];
  nulls[kFoundedMet] = met.empty();
  values[kFoundedMet] = met.empty() ? 0 : met_datum(met);
  const int d = source.quasi_identifiers;
  std::copy_n(run.cells_of(row), d, values + kFoundedOwn);
  std::copy_n(run.nulls_of(run.cells_of(row)), d, nulls + kFoundedOwn);
  for (int i = d; i < source.count; ++i) {
    const bool hidden = run.withheld[c] && source.columns[i].role == Role::sensitive;
    values[kFoundedOwn + i] = hidden ? 0 : present->tts_values[kPresentOwn + i];
    nulls[kFoundedOwn + i] = hidden || present->tts_isnull[kPresentOwn + i];
  }
}

/// Names the founders as the relation anon_founded(class, person, unit, quasi, met, c0, ...), where
/// the first c are cells. The caller ends the store.
Tuplestorestate* name_founded(const Founding& founding, Founded& founded) {
  const Census& census = *founding.census;
  TupleDesc descriptor = founded_descriptor(census.source);
  Tuplestorestate* store = new_store();
  const int columns = kFoundedOwn + census.source.count;
  Datum* values = allocate<Datum>(columns);
  bool* nulls = allocate<bool>(columns);
  const int32* rows = rows_of_ordinals(founding);
  TupleTableSlot* present = MakeSingleTupleTableSlot(census.descriptor, &TTSOpsMinimalTuple);
  tuplestore_select_read_pointer(census.store, 0);
  tuplestore_rescan(census.store);
  while (tuplestore_gettupleslot(census.store, true, false, present)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(present);
    const int32 ordinal = DatumGetInt32(present->tts_values[kPresentOrdinal]);
    const int32 row = rows[ordinal];
    if (row == kNone || founding.run.published_class_of(row) == kNone) continue;
    founded.settled[ordinal] = true;
    fill_founder(founding, row, present, values, nulls);
    tuplestore_putvalues(store, descriptor, values, nulls);
  }
  ExecDropSingleTupleTableSlot(present);
  name_store("anon_founded", store, descriptor, founded.rows);
  return store;
}

/// Inserts class by class, in the order of the published values, and within a class in the order of
/// the hashes. Without the secret that order reveals nothing. Returns the seal of the rows as the
/// table has them.
PlacesSum insert_places(const Founding& founding, const Founded& founded) {
  const Census& census = *founding.census;
  StringInfoData names;
  StringInfoData values;
  initStringInfo(&names);
  initStringInfo(&values);
  for (int i = 0; i < census.source.count; ++i) {
    appendStringInfo(&names, ", %s", quote_identifier(census.source.columns[i].name));
    appendStringInfo(&values, ", f.c%d", i);
  }
  if (census.key.unit_count > 0) {
    appendStringInfo(&names, ", %s", kUnitColumn);
    appendStringInfoString(&values, ", f.unit");
  }
  const Memory& memory = *founding.memory;
  PlaceReading reading = begin_places(founding.release->places, census.source, census.key, memory,
                                      memory.classes + founded.classes, memory.version);
  for_each_written_row(
      psprintf("INSERT INTO %s AS place (anon_class, anon_person, anon_quasi, anon_met, anon_since,"
               " anon_weight%s) SELECT f.class, f.person, f.quasi, f.met, %d, 1%s"
               " FROM anon_founded AS f ORDER BY f.class, f.person RETURNING %s",
               described_name_of(founding.release->places), names.data, memory.version, values.data,
               place_list(census.source, census.key, "place")),
      SPI_OK_INSERT_RETURNING, read_place_row, &reading);
  return end_places(reading);
}

/// All who wait, by row of the run.
Waiters waiters_of(const Founding& founding) {
  Waiters waiters;
  for (int64 row = 0; row < founding.run.loaded.rows; ++row) {
    const int32 ordinal = founding.ordinals[row];
    const int32 since = founding.standings->waiting[ordinal];
    waiters.waited.push_back(since > 0 ? founding.memory->version - since : 0);
    waiters.holders.push_back(founding.census->holders[ordinal]);
    waiters.met.push_back(founding.standings->roll->met[at(ordinal)].empty() ? 0 : 1);
  }
  return waiters;
}

Acceptance acceptance_of(const Founding& founding) {
  const Spec& spec = founding.run.spec;
  const bool means = recoding(spec.options.recode).is_linear;
  if (founding.memory->version == 1)
    return {std::numeric_limits<double>::infinity(), spec.over_time.max_wait, means, 0};
  return {spec.over_time.wait_loss * founding.memory->first_loss, spec.over_time.max_wait, means,
          least_together(spec.options, static_cast<std::size_t>(spec.sensitive.count))};
}

/// The coins of this version, by the secret of the release.
Coins coins_of(const Founding& founding) {
  const Memory& memory = *founding.memory;
  const Mac mac = make_mac(memory.secret);
  uint8 hash[kMacBytes];
  uint8 version[sizeof memory.version];
  write_bytes(memory.version, version);
  mac_of(mac, Sealed::coins, version, sizeof version, hash);
  return {holder_of(hash), founding.run.spec.options.transparency.decoys};
}

/// Null if newcomers to a later version cannot keep the promises to persons yet, as when one of
/// them dominates: all of them wait. That depends on quasi-identifiers and presence alone.
std::unique_ptr<Anonymized> settled(const Founding& founding) {
  BackendTicker ticker;
  const Run& run = founding.run;
  try {
    return std::make_unique<Anonymized>(
        settle(table_of(run.source, run.spec, run.loaded), *run.spec.method, run.spec.options,
               waiters_of(founding), acceptance_of(founding), coins_of(founding), ticker));
  } catch (const Error& error) {
    if (error.kind != ErrorKind::infeasible || founding.memory->version == 1) throw;
    return nullptr;
  }
}

void read_newcomers(Founding& founding, const Spec& spec) {
  const Roll& roll = *founding.standings->roll;
  const auto waiting = std::count(roll.standing.begin(), roll.standing.end(), Standing::waits);
  Tuplestorestate* newcomers = name_waiting(*founding.census, roll, "anon_newcomers");
  Run& run = founding.run;
  run.started_at = GetCurrentTimestamp();
  run.spec = of_places(spec);
  if (founding.memory->version > 1) run.spec.options.scales = founding.memory->scales;
  run.source =
      newcomers_of(*founding.census, *founding.release, waiting == founding.census->stored);
  run.loaded = read_source(run.source, run.spec, Spool::columns);
  end_store("anon_newcomers", newcomers);
  settle_rows(founding);
  run.read_at = GetCurrentTimestamp();
}

/// An error if means of the first version tell of persons with rows in several classes. A later
/// version does not found such classes.
void require_exclusive_founders(const Founding& founding) {
  const Run& run = founding.run;
  if (founding.census->key.unit_count == 0 || !recoding(run.spec.options.recode).is_linear) return;
  BackendTicker ticker;
  std::vector<ClassId> class_of;
  for (int64 row = 0; row < run.loaded.rows; ++row) class_of.push_back(run.published_class_of(row));
  const std::vector<std::int32_t> exclusive =
      exclusive_founders(class_of, waiters_of(founding), ticker);
  const auto lacking = std::count_if(exclusive.begin(), exclusive.end(), [](std::int32_t founders) {
    return founders < kLeastExclusive;
  });
  if (lacking == 0) return;
  throw Error(ErrorKind::infeasible, "means would tell of persons with rows in several classes",
              std::to_string(lacking) + " of " + std::to_string(exclusive.size()) +
                  " classes have fewer than two persons without a row in another class.",
              "Publish ranges, with method 'mondrian' or recode => 'range'.");
}

/// Readers take a class without values for one that withholds them, and compare the others with
/// each other: those that break a promise then withhold theirs.
void withhold_as_readers_see(Run& run) {
  if (!run.spec.options.promises.any()) return;
  BackendTicker ticker;
  const Table table = table_of(run.source, run.spec, run.loaded);
  Partition published = {{}, run.published_classes};
  for (int64 row = 0; row < run.loaded.rows; ++row)
    published.class_of.push_back(run.published_class_of(row));
  const Members members = members_of(published);
  std::vector<bool> withheld = classes_without_values(table, members);
  if (std::find(withheld.begin(), withheld.end(), true) == withheld.end()) return;
  withheld = withheld_until_kept(table, members, run.spec.options, std::move(withheld), ticker);
  for (int c = 0; c < run.published_classes; ++c)
    run.withheld[c] = withheld[static_cast<std::size_t>(c)];
}

/// True if somebody founds a class. Whoever is due does, whatever the values.
bool form_classes(Founding& founding, const Spec& spec) {
  if (is_no_founding(founding, spec)) return false;
  read_newcomers(founding, spec);
  Run& run = founding.run;
  if (founding.memory->version == 1 && !spec.options.transparency.wanted) {
    require_run(run);
    require_exclusive_founders(founding);
    withhold_as_readers_see(run);
    warn_of_disclosures(run);
    return true;
  }
  std::unique_ptr<Anonymized> formed = settled(founding);
  if (formed == nullptr || formed->members.records.empty()) return false;
  take_classes(run, std::move(formed));
  if (founding.memory->version == 1) warn_of_disclosures(run);
  return true;
}

/// The first version is refused if no class keeps the promises, and its publisher warned if many do
/// not. Later versions are neither: that would tell of values.
void require_shown(const Run& run, const Founded& founded) {
  constexpr double kMany = 0.1;
  if (founded.withheld == 0) return;
  if (founded.withheld == founded.rows)
    throw Error(ErrorKind::infeasible, "no class keeps the promises on sensitive values",
                "All sensitive values would be withheld.", "Promise less, or take a larger k.");
  const double share = static_cast<double>(founded.withheld) / static_cast<double>(founded.rows);
  if (share <= kMany + run.spec.options.transparency.decoys) return;
  ereport(NOTICE, (errmsg("%.0f %% of the sensitive values are withheld", 100 * share),
                   errdetail("Decoys are %g %% of the classes; the others break a promise.",
                             100 * run.spec.options.transparency.decoys),
                   errhint("A larger k withholds less.")));
}

}  // namespace

Founded found_places(const OverTimeQuery& release, const Census& census, const Memory& memory,
                     const Standings& standings, const Spec& spec) {
  Founding founding = {};
  founding.release = &release;
  founding.census = &census;
  founding.memory = &memory;
  founding.standings = &standings;
  Founded founded = {};
  founded.command = InvalidCommandId;
  founded.settled = allocate<bool>(census.rows);
  std::memset(founded.settled, 0, sizeof(bool) * static_cast<std::size_t>(census.rows));
  if (!form_classes(founding, spec)) return founded;
  count_founded(founding, founded);
  if (memory.version == 1) require_shown(founding.run, founded);
  founded.figures = figures_of(founding.run);
  founded.scales = scales_of(founding.run);
  require_unaltered(release, census.source, census.key);
  Tuplestorestate* store = name_founded(founding, founded);
  founded.command = next_command();
  founded.sum = insert_places(founding, founded);
  end_store("anon_founded", store);
  return founded;
}

}  // namespace anonkit::pg
