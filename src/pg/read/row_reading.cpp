#include "pg/read/row_reading.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/coarsened.hpp"
#include "pg/read/fingerprint.hpp"
#include "pg/read/pseudonyms.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {
namespace {

/// The peak memory per row, as measured by bench/sql.sh memory. It covers the numbers as read,
/// standardised and in the index, five thirds of that for ranges or groups, and ranks of columns
/// with hierarchies. It also covers ranks and distributions of modelled columns, classes, the order
/// of the records, the search, a copy of blocks' numbers, and what units, a thorough search,
/// swapping and calibration need.
int64 needed_per_row(const Source& source, const Spec& spec, const Loaded& loaded) {
  constexpr int64 kPerNumber = 3 * sizeof(double), kPerGeneralised = 5 * sizeof(double);
  constexpr int64 kPerHierarchy = 16, kPerSensitive = 100, kPerRow = 80, kPerThorough = 20,
                  kPerUnit = 60, kPerNumberOfBlock = sizeof(double), kPerOwnCell = 64,
                  kPerOwnRow = 100, kPerCalibrated = 50, kPerAggregateCell = 320;
  const Options& options = spec.options;
  int64 bytes = kPerRow + loaded.sensitive.count * kPerSensitive;
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    bytes += recoding(options.recode).keeps_type ? kPerNumber : kPerGeneralised;
    if (source.columns[j].hierarchy != nullptr) bytes += kPerHierarchy;
    if (options.block_size > 0) bytes += kPerNumberOfBlock;
  }
  if (options.refine == Effort::thorough || options.effort == Effort::thorough)
    bytes += kPerThorough;
  if (loaded.tids != nullptr) bytes += static_cast<int64>(sizeof(ItemPointerData));
  if (spec.unit.count > 0) bytes += kPerUnit;
  if (recoding(options.recode).by_record)
    bytes += source.quasi_identifiers * kPerOwnCell + kPerOwnRow;
  if (is_of_aggregates(spec)) bytes += source.quasi_identifiers * kPerAggregateCell;
  if (recoding(options.recode).adjust != nullptr) bytes += kPerCalibrated;
  for (const Fingerprint* each : {loaded.fingerprints, loaded.kept_fingerprints})
    if (each != nullptr) bytes += static_cast<int64>(sizeof(Fingerprint));
  return bytes;
}

int64 needed_bytes(const RowReading& reading) {
  return (reading.loaded->rows + reading.loaded->population) * reading.bytes_per_row;
}

}  // namespace

void check_memory(const RowReading& reading) {
  const int64 rows = reading.loaded->rows + reading.loaded->population;
  MemoryCount memory = {};
  count_memory(memory, needed_bytes(reading),
               psprintf("Reading stopped after " INT64_FORMAT " rows.", rows));
  if (rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
}

namespace {

/// Continues with a sketch of all rows instead of the rows themselves.
void begin_sketch(RowReading& reading) {
  Loaded& loaded = *reading.loaded;
  MemoryContext old = MemoryContextSwitchTo(reading.context);
  loaded.sketch = make_sketch(*reading.source, reading.seed);
  for (int64 row = 0; row < loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    sketch_row(*loaded.sketch, loaded.quasi_identifiers, row);
  }
  loaded.rows = 0;
  loaded.capacity = 1;
  grow_block(loaded.quasi_identifiers, loaded.capacity);
  if (loaded.fingerprints != nullptr) pfree(loaded.fingerprints);
  loaded.fingerprints = nullptr;
  if (loaded.spool != nullptr) tuplestore_end(loaded.spool);
  loaded.spool = nullptr;
  MemoryContextSwitchTo(old);
}

/// True if the rows do not fit and need not.
bool exceeds(const RowReading& reading) {
  return reading.excess == Excess::sketch && needed_bytes(reading) / 1024 > max_memory;
}

void grow(RowReading& reading) {
  Loaded& loaded = *reading.loaded;
  check_memory(reading);
  loaded.capacity += loaded.capacity / 2;
  grow_block(loaded.quasi_identifiers, loaded.capacity);
  grow_block(loaded.sensitive, loaded.capacity);
  grow_units(reading.units, loaded.capacity);
  if (loaded.tids != nullptr) resize(loaded.tids, loaded.capacity);
  if (loaded.fingerprints != nullptr) resize(loaded.fingerprints, loaded.capacity);
  if (loaded.kept_fingerprints != nullptr) resize(loaded.kept_fingerprints, loaded.capacity);
}

/// Adds the fingerprints of a row's spooled values, sensitive or kept ones, in any order of their
/// columns.
void add_fingerprints(const RowReading& reading, const TupleTableSlot* slot, Role role,
                      Fingerprint& sum) {
  for (int i = 0; i < reading.kept; ++i) {
    const SourceColumn& column = reading.source->spooled()[i];
    if (column.role != role) continue;
    const Fingerprint one = fingerprint_of(column.name, slot, reading.first_kept + i);
    for (std::size_t half = 0; half < sum.size(); ++half) sum[half] += one[half];
  }
}

/// The spooled values of a row by their columns' names.
Datum kept_json(const RowReading& reading, const TupleTableSlot* slot) {
  JsonObject json;
  for (int i = 0; i < reading.kept; ++i) {
    const SourceColumn& column = reading.source->spooled()[i];
    const int at = reading.first_kept + i;
    if (slot->tts_isnull[at])
      json.add_null(column.name);
    else
      json.add_cell(column.name, slot->tts_values[at],
                    column.pseudonym ? column.released_type : column.declared_type);
  }
  return JsonbPGetDatum(json.finish());
}

void spool_row(RowReading& reading, TupleTableSlot* slot) {
  Loaded& loaded = *reading.loaded;
  Fingerprint fingerprint = {0, 0};
  add_fingerprints(reading, slot, Role::keep, fingerprint);
  if (loaded.kept_fingerprints != nullptr) loaded.kept_fingerprints[loaded.rows] = fingerprint;
  add_fingerprints(reading, slot, Role::sensitive, fingerprint);
  loaded.fingerprints[loaded.rows] = fingerprint;
  if (loaded.spool == nullptr) return;
  Datum json;
  bool is_null = false;
  if (reading.spool == Spool::json) json = kept_json(reading, slot);
  MemoryContext old = MemoryContextSwitchTo(reading.context);
  if (reading.spool == Spool::json)
    tuplestore_putvalues(loaded.spool, loaded.spool_descriptor, &json, &is_null);
  else
    tuplestore_putvalues(loaded.spool, loaded.spool_descriptor,
                         slot->tts_values + reading.first_kept,
                         slot->tts_isnull + reading.first_kept);
  MemoryContextSwitchTo(old);
}

TupleDesc spool_descriptor_of(const Source& source, Spool spool) {
  if (spool == Spool::json) {
    TupleDesc descriptor = CreateTemplateTupleDesc(1);
    TupleDescInitEntry(descriptor, 1, "kept", JSONBOID, -1, 0);
    return descriptor;
  }
  TupleDesc descriptor = CreateTemplateTupleDesc(source.spooled_count());
  for (int i = 0; i < source.spooled_count(); ++i)
    TupleDescInitEntry(descriptor, static_cast<AttrNumber>(i + 1), nullptr,
                       source.spooled()[i].released_type, source.spooled()[i].released_typmod, 0);
  return descriptor;
}

/// Allocates for a first thousand rows.
Loaded prepare(const Source& source, const Spec& spec, Spool spool) {
  Loaded loaded = {};
  loaded.capacity = kFirstCapacity;
  loaded.quasi_identifiers =
      make_block(source.columns, source.quasi_identifiers, 0, loaded.capacity);
  loaded.sensitive = make_block(source.sensitive, source.ranked_count(), source.quasi_identifiers,
                                loaded.capacity);
  if (source.has_tid && spool == Spool::json)
    loaded.tids = allocate<ItemPointerData>(loaded.capacity);
  if (source.spooled_count() > 0) {
    loaded.fingerprints = allocate<Fingerprint>(loaded.capacity);
    if (spec.options.transparency.wanted)
      loaded.kept_fingerprints = allocate<Fingerprint>(loaded.capacity);
    if (spool == Spool::fingerprints) return loaded;
    loaded.spool = tuplestore_begin_heap(false, false, work_mem);
    loaded.spool_descriptor = spool_descriptor_of(source, spool);
  }
  return loaded;
}

}  // namespace

RowReading begin_reading(const Source& source, const Spec& spec, Spool spool, Excess excess,
                         Loaded& loaded) {
  loaded = prepare(source, spec, spool);
  RowReading reading = {};
  reading.source = &source;
  reading.loaded = &loaded;
  reading.spool = spool;
  reading.excess = excess;
  reading.seed = spec.options.seed;
  reading.context = CurrentMemoryContext;
  reading.bytes_per_row = needed_per_row(source, spec, loaded);
  reading.units = make_units(source.unit_relation, spec.unit, loaded.capacity, nullptr);
  reading.first_unit = source.quasi_identifiers + loaded.sensitive.count;
  reading.tid = reading.first_unit + reading.units.count;
  reading.changes = reading.tid + (loaded.tids != nullptr ? 1 : 0);
  reading.coarsens = changes_expression(source) != nullptr;
  reading.first_original = reading.changes + (reading.coarsens ? 1 : 0);
  reading.first_kept = reading.first_original + count_pseudonyms(source);
  reading.kept = source.spooled_count();
  return reading;
}

void receive_row(TupleTableSlot* slot, void* state) {
  auto& reading = *static_cast<RowReading*>(state);
  Loaded& loaded = *reading.loaded;
  if (loaded.rows == loaded.capacity && loaded.sketch == nullptr) {
    if (exceeds(reading))
      begin_sketch(reading);
    else
      grow(reading);
  }
  read_block_row(loaded.quasi_identifiers, loaded.rows, slot);
  if (loaded.sketch != nullptr) {
    sketch_row(*loaded.sketch, loaded.quasi_identifiers, 0);
    return;
  }
  read_block_row(loaded.sensitive, loaded.rows, slot);
  add_unit(reading.units, loaded.rows, slot, reading.first_unit);
  if (loaded.tids != nullptr)
    loaded.tids[loaded.rows] =
        *reinterpret_cast<ItemPointer>(DatumGetPointer(slot->tts_values[reading.tid]));
  if (reading.coarsens) loaded.coarsened_cells += DatumGetInt32(slot->tts_values[reading.changes]);
  if (reading.first_kept > reading.first_original)
    fill_pseudonyms(*reading.source, slot, reading.first_original, reading.first_kept);
  if (loaded.fingerprints != nullptr) spool_row(reading, slot);
  ++loaded.rows;
}

void end_reading(RowReading& reading) {
  if (reading.loaded->sketch != nullptr) return;
  if (exceeds(reading))
    begin_sketch(reading);
  else
    check_memory(reading);
  reading.loaded->needed_bytes = needed_bytes(reading);
}

void refuse_other_rows() {
  ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                  errmsg("the source returns other rows each time that it is read"),
                  errhint("Copy it into a table first.")));
  pg_unreachable();
}

void add_columns(UserQuery& query, const SourceColumn* columns, int count) {
  for (int j = 0; j < count; ++j) add_column(query, columns[j].name);
}

void add_units(UserQuery& query, const UnitColumns& units) {
  for (int j = 0; j < units.count; ++j) add_column(query, units.names[j]);
}

char* reading_query(const RowReading& reading) {
  const Source& source = *reading.source;
  const Loaded& loaded = *reading.loaded;
  UserQuery query = begin_user_query();
  add_columns(query, source.columns, source.quasi_identifiers);
  for (int j = 0; j < loaded.sensitive.count; ++j)
    add_column(query, loaded.sensitive.columns[j].name);
  add_units(query, reading.units);
  if (loaded.tids != nullptr) add_column(query, "ctid");
  const char* changes = changes_expression(source);
  if (changes != nullptr) add_expression(query, changes);
  for (int j = 0; j < source.spooled_count(); ++j)
    if (source.spooled()[j].pseudonym) add_column(query, source.spooled()[j].name);
  for (int j = 0; j < source.spooled_count(); ++j)
    add_expression(query, published_expression(source.spooled()[j]));
  require_described(source.relation);
  return end_user_query(query, source.rows);
}

}  // namespace anonkit::pg
