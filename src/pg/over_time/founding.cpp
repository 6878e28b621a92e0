#include "pg/over_time/founding.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/at.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
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

/// Tightens the promises, since the release's distribution drifts.
Spec with_margin(const Spec& spec) {
  Spec founding = spec;
  Promises& promises = founding.options.promises;
  promises.t *= kDriftMargin;
  if (promises.t_each != nullptr) {
    double* levels = allocate<double>(spec.sensitive.count);
    for (int a = 0; a < spec.sensitive.count; ++a) levels[a] = promises.t_each[a] * kDriftMargin;
    promises.t_each = levels;
  }
  promises.q = std::min(1.0, promises.q / kDriftMargin);
  return founding;
}

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

/// True if so few persons wait that no class can be founded.
bool too_few_wait(const Founding& founding, const Spec& spec) {
  if (founding.memory->version == 1) return false;
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

/// Adds the squared errors of the method's classes by published class.
void add_errors(const Run& run, double* errors) {
  BackendTicker ticker;
  const Table table = table_of(run.source, run.spec, run.loaded);
  const Members& members = run.anonymized->members;
  const Masked centroids = recode(table, members, measured_by(run.spec.options.recode), ticker);
  const std::vector<double> of_class =
      class_errors(table, members, centroids, run.anonymized->scales, ticker);
  for (std::size_t c = 0; c < of_class.size(); ++c)
    errors[run.published_class_of(*members.of(c).begin())] += of_class[c];
}

double* scales_of(const Run& run) {
  double* scales = allocate<double>(run.source.quasi_identifiers);
  for (int j = 0; j < run.source.quasi_identifiers; ++j)
    scales[j] = run.anonymized->scales[static_cast<std::size_t>(j)].scale;
  return scales;
}

int compare_founders(const void* a, const void* b) {
  const auto& x = *static_cast<const Acquaintance*>(a);
  const auto& y = *static_cast<const Acquaintance*>(b);
  return x < y ? -1 : y < x ? 1 : 0;
}

/// The founders of each class whose quasi-identifiers no mean knows yet.
void count_exclusive(const Founding& founding, NewClass* classes) {
  auto* founders = allocate<Acquaintance>(founding.run.loaded.rows);
  std::size_t count = 0;
  for (int64 row = 0; row < founding.run.loaded.rows; ++row) {
    const int32 c = founding.run.published_class_of(row);
    const int32 ordinal = founding.ordinals[row];
    if (c != kNone && founding.standings->roll->met[at(ordinal)].empty())
      founders[count++] = {c, founding.census->holders[ordinal]};
  }
  qsort(founders, count, sizeof *founders, compare_founders);
  const Acquaintance* last = std::unique(founders, founders + count);
  for (const Acquaintance* one = founders; one != last; ++one) ++classes[one->cohort].exclusive;
}

NewClass* classes_of(const Founding& founding) {
  const Run& run = founding.run;
  NewClass* classes = allocate<NewClass>(run.published_classes);
  double* errors = allocate<double>(run.published_classes);
  for (int c = 0; c < run.published_classes; ++c) {
    classes[c] = NewClass();
    errors[c] = 0;
  }
  add_errors(run, errors);
  count_exclusive(founding, classes);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    const int32 c = run.published_class_of(row);
    if (c == kNone) continue;
    const int32 ordinal = founding.ordinals[row];
    ++classes[c].size;
    const int32 since = founding.standings->waiting[ordinal];
    if (since > 0)
      classes[c].waited = std::max(classes[c].waited, founding.memory->version - since);
  }
  for (int c = 0; c < run.published_classes; ++c) classes[c].loss = errors[c] / classes[c].size;
  return classes;
}

/// The number of each accepted class, from the last known one on; 0 for the others.
int64* number_accepted(const Founding& founding, const Spec& spec, Founded& founded) {
  const bool first = founding.memory->version == 1;
  Acceptance acceptance;
  acceptance.means = recoding(spec.options.recode).is_linear;
  acceptance.max_wait = spec.over_time.max_wait;
  acceptance.most_loss = first ? std::numeric_limits<double>::infinity()
                               : spec.over_time.wait_loss * founding.memory->first_loss;
  const NewClass* classes = classes_of(founding);
  int64* numbers = allocate<int64>(founding.run.published_classes);
  founded.sizes = allocate<int64>(founding.run.published_classes);
  double loss = 0;
  for (int c = 0; c < founding.run.published_classes; ++c) {
    const bool accepted = accepts(acceptance, classes[c]);
    numbers[c] = accepted ? founding.memory->classes + founded.classes + 1 : 0;
    loss += classes[c].loss * classes[c].size;
    if (!accepted) continue;
    founded.sizes[founded.classes++] = classes[c].size;
    founded.rows += classes[c].size;
  }
  founded.loss = loss / static_cast<double>(founding.run.loaded.rows);
  return numbers;
}

Datum met_datum(const std::vector<std::int32_t>& met) {
  const auto count = static_cast<int>(met.size());
  Datum* classes = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) classes[i] = Int64GetDatum(met[static_cast<std::size_t>(i)] + 1);
  return PointerGetDatum(
      construct_array(classes, count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

TupleDesc founded_descriptor(const Source& source) {
  TupleDesc descriptor = CreateTemplateTupleDesc(3 + source.quasi_identifiers);
  TupleDescInitEntry(descriptor, 1, "ordinal", INT4OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "class", INT8OID, -1, 0);
  TupleDescInitEntry(descriptor, 3, "met", INT8ARRAYOID, -1, 0);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const auto place = static_cast<AttrNumber>(4 + j);
    TupleDescInitEntry(descriptor, place, psprintf("cell%d", j), source.columns[j].released_type,
                       source.columns[j].released_typmod, 0);
    TupleDescInitEntryCollation(descriptor, place, source.columns[j].released_collation);
  }
  return descriptor;
}

/// Names the accepted rows as the relation anon_founded(ordinal, class, met, cell0, ...). The
/// caller ends the store.
Tuplestorestate* name_founded(const Founding& founding, const int64* numbers, Founded& founded) {
  const Run& run = founding.run;
  const int d = run.source.quasi_identifiers;
  TupleDesc descriptor = founded_descriptor(run.source);
  Tuplestorestate* store = new_store();
  Datum* values = allocate<Datum>(3 + d);
  bool* nulls = allocate<bool>(3 + d);
  nulls[0] = nulls[1] = false;
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int32 c = run.published_class_of(row);
    if (c == kNone || numbers[c] == 0) continue;
    const int32 ordinal = founding.ordinals[row];
    const std::vector<std::int32_t>& met = founding.standings->roll->met[at(ordinal)];
    founded.settled[ordinal] = true;
    values[0] = Int32GetDatum(ordinal);
    values[1] = Int64GetDatum(numbers[c]);
    nulls[2] = met.empty();
    values[2] = nulls[2] ? 0 : met_datum(met);
    std::copy_n(run.cells_of(row), d, values + 3);
    std::copy_n(run.nulls_of(run.cells_of(row)), d, nulls + 3);
    tuplestore_putvalues(store, descriptor, values, nulls);
  }
  name_store("anon_founded", store, descriptor, founded.rows);
  return store;
}

/// Inserts class by class, in the order of the published values, and within a class in the order of
/// the hashes. Without the secret that order reveals nothing. Returns the seal of the rows as the
/// table has them.
PlacesSum insert_places(const Founding& founding, int64 classes) {
  const Source& source = founding.census->source;
  StringInfoData names;
  StringInfoData values;
  initStringInfo(&names);
  initStringInfo(&values);
  for (int i = 0; i < source.count; ++i) {
    appendStringInfo(&names, ", %s", quote_identifier(source.columns[i].name));
    if (i < source.quasi_identifiers)
      appendStringInfo(&values, ", f.cell%d", i);
    else
      appendStringInfo(&values, ", p.c%d", i);
  }
  if (founding.census->key.unit_count > 0) {
    appendStringInfo(&names, ", %s", kUnitColumn);
    appendStringInfoString(&values, ", p.unit");
  }
  const Memory& memory = *founding.memory;
  PlaceReading reading = begin_places(founding.release->places, source, memory,
                                      memory.classes + classes, memory.version);
  for_each_written_row(
      psprintf("INSERT INTO %s AS place (anon_class, anon_person, anon_quasi, anon_met, anon_since,"
               " anon_weight%s) SELECT f.class, p.person, p.quasi, f.met, %d, 1%s"
               " FROM anon_founded AS f JOIN anon_present AS p"
               " ON f.ordinal OPERATOR(pg_catalog.=) p.ordinal ORDER BY f.class, p.person"
               " RETURNING %s",
               qualified_name_of(founding.release->places), names.data, memory.version, values.data,
               place_list(source, founding.census->key, "place")),
      SPI_OK_INSERT_RETURNING, read_place_row, &reading);
  return end_places(reading);
}

/// True if the newcomers form classes.
bool form_classes(Founding& founding, const Spec& spec) {
  if (too_few_wait(founding, spec)) return false;
  Tuplestorestate* newcomers =
      name_waiting(*founding.census, *founding.standings->roll, "anon_newcomers");
  Run& run = founding.run;
  run.started_at = GetCurrentTimestamp();
  run.spec = with_margin(of_places(spec));
  if (founding.memory->version > 1) run.spec.options.scales = founding.memory->scales;
  run.source = newcomers_of(*founding.census, *founding.release);
  if (founding.memory->version > 1)
    run.source.more_rows = psprintf("(SELECT * FROM %s WHERE anon_until IS NULL)",
                                    qualified_name_of(founding.release->places));
  run.loaded = read_source(run.source, run.spec, Spool::columns);
  end_store("anon_newcomers", newcomers);
  settle_rows(founding);
  run.read_at = GetCurrentTimestamp();
  if (founding.memory->version > 1) return finish_run(run);
  require_run(run);
  warn_of_disclosures(run);
  return true;
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
  const int64* numbers = number_accepted(founding, spec, founded);
  founded.figures = figures_of(founding.run);
  founded.scales = scales_of(founding.run);
  if (founded.classes == 0) return founded;
  Tuplestorestate* store = name_founded(founding, numbers, founded);
  founded.sum = insert_places(founding, founded.classes);
  end_store("anon_founded", store);
  return founded;
}

}  // namespace anonkit::pg
