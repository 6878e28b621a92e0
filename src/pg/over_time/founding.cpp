#include "pg/over_time/founding.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/at.hpp"
#include "base/error.hpp"
#include "recode/recoding.hpp"
#include "settling.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/mac.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/warnings.hpp"

namespace anonkit::pg {
namespace {

constexpr int kFoundedColumns = 4;

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
/// of kept columns.
Source newcomers_of(const Census& census, const OverTimeQuery& release) {
  const Source& whole = census.source;
  Source source = whole;
  StringInfoData rows;
  initStringInfo(&rows);
  appendStringInfo(&rows, "(SELECT p.ordinal AS anon_ordinal, p.unit AS %s", kUnitColumn);
  for (int i = 0; i < whole.count; ++i)
    appendStringInfo(&rows, ", p.c%d AS %s", i, quote_identifier(whole.columns[i].name));
  appendStringInfoString(&rows,
                         " FROM anon_present AS p JOIN anon_newcomers AS n"
                         " ON p.ordinal OPERATOR(pg_catalog.=) n.ordinal)");
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
    bool null;
    founding.ordinals[i] = DatumGetInt32(slot_getattr(slot, 1, &null));
    std::memcpy(&loaded.fingerprints[i], founding.census->person(founding.ordinals[i]),
                sizeof(Fingerprint));
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

TupleDesc founded_descriptor(const Source& source) {
  TupleDesc descriptor = CreateTemplateTupleDesc(kFoundedColumns + source.quasi_identifiers);
  TupleDescInitEntry(descriptor, 1, "ordinal", INT4OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "class", INT8OID, -1, 0);
  TupleDescInitEntry(descriptor, 3, "met", INT8ARRAYOID, -1, 0);
  TupleDescInitEntry(descriptor, 4, "shown", INT4OID, -1, 0);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const auto place = static_cast<AttrNumber>(kFoundedColumns + 1 + j);
    TupleDescInitEntry(descriptor, place, psprintf("cell%d", j), source.columns[j].released_type,
                       source.columns[j].released_typmod, 0);
    TupleDescInitEntryCollation(descriptor, place, source.columns[j].released_collation);
  }
  return descriptor;
}

/// Names the founders as the relation anon_founded(ordinal, class, met, shown, cell0, ...): `shown`
/// is the ordinal, or null if the sensitive values are withheld. The caller ends the store.
Tuplestorestate* name_founded(const Founding& founding, Founded& founded) {
  const Run& run = founding.run;
  const int d = run.source.quasi_identifiers;
  TupleDesc descriptor = founded_descriptor(run.source);
  Tuplestorestate* store = new_store();
  Datum* values = allocate<Datum>(kFoundedColumns + d);
  bool* nulls = allocate<bool>(kFoundedColumns + d);
  nulls[0] = nulls[1] = false;
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int32 c = run.published_class_of(row);
    if (c == kNone) continue;
    const int32 ordinal = founding.ordinals[row];
    const std::vector<std::int32_t>& met = founding.standings->roll->met[at(ordinal)];
    founded.settled[ordinal] = true;
    values[0] = values[3] = Int32GetDatum(ordinal);
    values[1] = Int64GetDatum(founding.memory->classes + c + 1);
    nulls[2] = met.empty();
    values[2] = nulls[2] ? 0 : met_datum(met);
    nulls[3] = run.withheld[c];
    std::copy_n(run.cells_of(row), d, values + kFoundedColumns);
    std::copy_n(run.nulls_of(run.cells_of(row)), d, nulls + kFoundedColumns);
    tuplestore_putvalues(store, descriptor, values, nulls);
  }
  name_store("anon_founded", store, descriptor, founded.rows);
  return store;
}

/// Inserts class by class, in the order of the published values, and within a class in the order of
/// the hashes. Without the secret that order reveals nothing. Values that are withheld find no row
/// in the outer join, so no expression of their type is evaluated. Returns the seal of the rows as
/// the table has them.
PlacesSum insert_places(const Founding& founding, const Founded& founded) {
  const Source& source = founding.census->source;
  const bool withholds = founded.withheld > 0;
  StringInfoData names;
  StringInfoData values;
  initStringInfo(&names);
  initStringInfo(&values);
  for (int i = 0; i < source.count; ++i) {
    appendStringInfo(&names, ", %s", quote_identifier(source.columns[i].name));
    if (i < source.quasi_identifiers)
      appendStringInfo(&values, ", f.cell%d", i);
    else
      appendStringInfo(&values, ", %s.c%d",
                       withholds && source.columns[i].role == Role::sensitive ? "s" : "p", i);
  }
  if (founding.census->key.unit_count > 0) {
    appendStringInfo(&names, ", %s", kUnitColumn);
    appendStringInfoString(&values, ", p.unit");
  }
  const Memory& memory = *founding.memory;
  PlaceReading reading = begin_places(founding.release->places, source, memory,
                                      memory.classes + founded.classes, memory.version);
  for_each_written_row(
      psprintf("INSERT INTO %s AS place (anon_class, anon_person, anon_quasi, anon_met, anon_since,"
               " anon_weight%s) SELECT f.class, p.person, p.quasi, f.met, %d, 1%s"
               " FROM anon_founded AS f JOIN anon_present AS p"
               " ON f.ordinal OPERATOR(pg_catalog.=) p.ordinal%s ORDER BY f.class, p.person"
               " RETURNING %s",
               qualified_name_of(founding.release->places), names.data, memory.version, values.data,
               withholds
                   ? " LEFT JOIN anon_present AS s ON f.shown OPERATOR(pg_catalog.=) s.ordinal"
                   : "",
               place_list(source, founding.census->key, "place")),
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
  mac_of(mac, Sealed::coins, &memory.version, sizeof memory.version, hash);
  end_mac(mac);
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
  Tuplestorestate* newcomers =
      name_waiting(*founding.census, *founding.standings->roll, "anon_newcomers");
  Run& run = founding.run;
  run.started_at = GetCurrentTimestamp();
  run.spec = of_places(spec);
  if (founding.memory->version > 1) run.spec.options.scales = founding.memory->scales;
  run.source = newcomers_of(*founding.census, *founding.release);
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

/// True if somebody founds a class. Whoever is due does, whatever the values.
bool form_classes(Founding& founding, const Spec& spec) {
  if (is_no_founding(founding, spec)) return false;
  read_newcomers(founding, spec);
  Run& run = founding.run;
  if (founding.memory->version == 1 && !spec.options.transparency.wanted) {
    require_run(run);
    require_exclusive_founders(founding);
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
  founded.settled = allocate<bool>(census.rows);
  std::memset(founded.settled, 0, sizeof(bool) * static_cast<std::size_t>(census.rows));
  if (!form_classes(founding, spec)) return founded;
  count_founded(founding, founded);
  if (memory.version == 1) require_shown(founding.run, founded);
  founded.figures = figures_of(founding.run);
  founded.scales = scales_of(founding.run);
  Tuplestorestate* store = name_founded(founding, founded);
  founded.sum = insert_places(founding, founded);
  end_store("anon_founded", store);
  return founded;
}

}  // namespace anonkit::pg
