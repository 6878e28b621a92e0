#include <cstring>

#include "pg/read/coarsened.hpp"
#include "pg/read/reader.hpp"

#include "pg/backend/session.hpp"
#include "pg/read/units.hpp"

extern "C" {
#include "common/hashfn.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// The state of the reading.
struct Receiver {
  const Source* source;
  Loaded* loaded;
  MemoryContext context;  ///< of the result
  int64 bytes_per_row;
  UnitColumns units;
  int first_unit;  ///< position of the unit's first column in the query's result
  int tid;         ///< position of the tid
  int changes;     ///< position of the number of coarsened cells
  bool coarsens;   ///< there is such a number
  int first_kept;  ///< position of the first kept column
  int kept;        ///< columns
};

/// The peak memory per row, as measured by bench/sql.sh memory. It covers the numbers as read,
/// standardised and in the index, twice that for ranges or groups, and ranks of columns with
/// hierarchies. It also covers ranks and distributions of modelled columns, classes, the order of
/// the records, the search, and a copy of blocks' numbers.
int64 needed_per_row(const Source& source, const Spec& spec, const Loaded& loaded) {
  constexpr int64 kPerNumber = 3 * sizeof(double), kPerGeneralised = 5 * sizeof(double);
  constexpr int64 kPerHierarchy = 16, kPerSensitive = 100, kPerRow = 80, kPerThorough = 20,
                  kPerUnit = 60, kPerNumberOfBlock = sizeof(double);
  const Options& options = spec.options;
  int64 bytes = kPerRow + loaded.sensitive.count * kPerSensitive;
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    bytes += options.recode == Recode::centroid ? kPerNumber : kPerGeneralised;
    if (source.columns[j].hierarchy != nullptr) bytes += kPerHierarchy;
    if (options.block_size > 0) bytes += kPerNumberOfBlock;
  }
  if (options.refine == Effort::thorough || options.effort == Effort::thorough)
    bytes += kPerThorough;
  if (loaded.tids != nullptr) bytes += static_cast<int64>(sizeof(ItemPointerData));
  if (spec.unit.count > 0) bytes += kPerUnit;
  for (const Fingerprint* each : {loaded.fingerprints, loaded.kept_fingerprints})
    if (each != nullptr) bytes += static_cast<int64>(sizeof(Fingerprint));
  return bytes;
}

void check_memory(const Receiver& receiver) {
  const int64 rows = receiver.loaded->rows;
  MemoryCount memory = {};
  count_memory(memory, rows * receiver.bytes_per_row,
               psprintf("Reading stopped after " INT64_FORMAT " rows.", rows));
  if (rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
}

void grow(Receiver& receiver) {
  Loaded& loaded = *receiver.loaded;
  check_memory(receiver);
  loaded.capacity += loaded.capacity / 2;
  grow_block(loaded.quasi_identifiers, loaded.capacity);
  grow_block(loaded.sensitive, loaded.capacity);
  grow_units(receiver.units, loaded.capacity);
  if (loaded.tids != nullptr) resize(loaded.tids, loaded.capacity);
  if (loaded.fingerprints != nullptr) resize(loaded.fingerprints, loaded.capacity);
  if (loaded.kept_fingerprints != nullptr) resize(loaded.kept_fingerprints, loaded.capacity);
}

/// Extends a fingerprint by the image of one value. Equal values of equal type have equal images.
void add_image(Fingerprint& fingerprint, Datum value, bool by_value, int length) {
  const void* bytes = &value;
  std::size_t size = sizeof value;
  if (!by_value) {
    bytes = DatumGetPointer(value);
    size = static_cast<std::size_t>(length);
    if (length == -1) {
      const varlena* packed = PG_DETOAST_DATUM_PACKED(value);
      bytes = VARDATA_ANY(packed);
      size = VARSIZE_ANY_EXHDR(packed);
    } else if (length == -2) {
      size = std::strlen(DatumGetCString(value));
    }
  }
  for (uint64_t& half : fingerprint)
    half =
        hash_bytes_extended(static_cast<const unsigned char*>(bytes), static_cast<int>(size), half);
}

/// True if the image of such a value contains OIDs, which differ between databases. This concerns
/// types of users (enums, composite types, arrays of either), except domains over built-in types.
bool holds_oids(Oid type) {
  if (type >= FirstNormalObjectId) type = getBaseType(type);
  return type >= FirstNormalObjectId || type == RECORDOID;
}

Datum as_text(Oid type, Datum value) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(type, &output, &is_varlena);
  return CStringGetTextDatum(OidOutputFunctionCall(output, value));
}

/// The fingerprint of one value of a column of that name.
Fingerprint fingerprint_of(const TupleTableSlot* slot, int at) {
  Form_pg_attribute attribute = TupleDescAttr(slot->tts_tupleDescriptor, at);
  Fingerprint fingerprint = {1, 2};
  add_image(fingerprint, NameGetDatum(&attribute->attname), false, -2);
  const Datum value = slot->tts_values[at];
  if (slot->tts_isnull[at])
    for (uint64_t& half : fingerprint) half = ~half;
  else if (holds_oids(attribute->atttypid))
    add_image(fingerprint, as_text(attribute->atttypid, value), false, -1);
  else
    add_image(fingerprint, value, attribute->attbyval, attribute->attlen);
  return fingerprint;
}

/// Adds the fingerprints of a row's spooled values, sensitive or kept ones, in any order of their
/// columns.
void add_fingerprints(const Receiver& receiver, const TupleTableSlot* slot, Role role,
                      Fingerprint& sum) {
  for (int i = 0; i < receiver.kept; ++i) {
    if (receiver.source->spooled()[i].role != role) continue;
    const Fingerprint one = fingerprint_of(slot, receiver.first_kept + i);
    for (std::size_t half = 0; half < sum.size(); ++half) sum[half] += one[half];
  }
}

void spool_row(Receiver& receiver, TupleTableSlot* slot) {
  Loaded& loaded = *receiver.loaded;
  Fingerprint fingerprint = {0, 0};
  add_fingerprints(receiver, slot, Role::keep, fingerprint);
  if (loaded.kept_fingerprints != nullptr) loaded.kept_fingerprints[loaded.rows] = fingerprint;
  add_fingerprints(receiver, slot, Role::sensitive, fingerprint);
  loaded.fingerprints[loaded.rows] = fingerprint;
  if (loaded.spool == nullptr) return;
  const int first_spooled = slot->tts_tupleDescriptor->natts - loaded.spool_descriptor->natts;
  MemoryContext old = MemoryContextSwitchTo(receiver.context);
  tuplestore_putvalues(loaded.spool, loaded.spool_descriptor, slot->tts_values + first_spooled,
                       slot->tts_isnull + first_spooled);
  MemoryContextSwitchTo(old);
}

void receive(TupleTableSlot* slot, void* state) {
  auto& receiver = *static_cast<Receiver*>(state);
  Loaded& loaded = *receiver.loaded;
  if (loaded.rows == loaded.capacity) grow(receiver);
  read_block_row(loaded.quasi_identifiers, loaded.rows, slot);
  read_block_row(loaded.sensitive, loaded.rows, slot);
  add_unit(receiver.units, loaded.rows, slot, receiver.first_unit);
  if (loaded.tids != nullptr)
    loaded.tids[loaded.rows] =
        *reinterpret_cast<ItemPointer>(DatumGetPointer(slot->tts_values[receiver.tid]));
  if (receiver.coarsens)
    loaded.coarsened_cells += DatumGetInt32(slot->tts_values[receiver.changes]);
  if (loaded.fingerprints != nullptr) spool_row(receiver, slot);
  ++loaded.rows;
}

void append_columns(StringInfo query, const SourceColumn* columns, int count) {
  for (int j = 0; j < count; ++j)
    appendStringInfo(query, "%ssource.%s", j > 0 ? ", " : "", quote_identifier(columns[j].name));
}

void append_units(StringInfo query, const UnitColumns& units) {
  for (int j = 0; j < units.count; ++j)
    appendStringInfo(query, ", source.%s", quote_identifier(units.names[j]));
}

/// The query that reads the source: both blocks, the unit, the tid, the kept columns, and one jsonb
/// of these for a look.
char* reading_query(const Source& source, const Loaded& loaded, const UnitColumns& units,
                    Spool spool) {
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT ");
  append_columns(&query, source.columns, source.quasi_identifiers);
  for (int j = 0; j < loaded.sensitive.count; ++j)
    appendStringInfo(&query, ", source.%s", quote_identifier(loaded.sensitive.columns[j].name));
  append_units(&query, units);
  if (loaded.tids != nullptr) appendStringInfoString(&query, ", source.ctid");
  StringInfoData kept;
  initStringInfo(&kept);
  for (int j = 0; j < source.spooled_count(); ++j)
    appendStringInfo(&kept, "%s%s", j > 0 ? ", " : "", published_expression(source.spooled()[j]));
  const char* changes = changes_expression(source);
  if (changes != nullptr) appendStringInfo(&query, ", %s", changes);
  if (source.spooled_count() > 0) {
    appendStringInfo(&query, ", %s", kept.data);
    if (spool == Spool::json)
      appendStringInfo(&query, ", (SELECT pg_catalog.to_jsonb(kept.*) FROM (SELECT %s) AS kept)",
                       kept.data);
  }
  appendStringInfo(&query, " FROM %s AS source", source.rows);
  return query.data;
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
  constexpr int64 kFirstCapacity = 1024;
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

/// An error if values have more digits than a double: their labels would be ambiguous.
void require_exact(const Block& block, int j) {
  if (!block.exact[j])
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("column \"%s\" contains numbers with too many digits for a hierarchy",
                           block.columns[j].name),
                    errhint("Round them in a view, to 15 digits at most, or cast them to text.")));
}

/// Reads the hierarchies for recoding and for distances.
void read_hierarchies(const Source& source, Recode recode, Loaded& loaded, MemoryCount memory) {
  loaded.generalised = allocate<Generalised>(source.quasi_identifiers);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    Generalised& generalised = loaded.generalised[j] = {};
    // A category without a hierarchy is suppressed by an implicit one.
    if (column.hierarchy == nullptr &&
        (recode != Recode::hierarchy || column.number_type != nullptr))
      continue;
    require_exact(loaded.quasi_identifiers, j);
    generalised.ranks = ranks_of(loaded.quasi_identifiers, j, loaded.rows);
    generalised.hierarchy =
        read_hierarchy(column, loaded.quasi_identifiers, j, generalised.ranks, memory);
  }
  loaded.sensitive_hierarchies = allocate<const ColumnHierarchy*>(source.sensitive_count);
  loaded.protected_values = allocate<const ProtectedValues*>(source.sensitive_count);
  for (int a = 0; a < source.sensitive_count; ++a) {
    const SourceColumn& column = source.sensitive[a];
    loaded.sensitive_hierarchies[a] =
        column.hierarchy == nullptr
            ? nullptr
            : read_hierarchy(column, loaded.sensitive, a, loaded.ranks[a], memory);
    loaded.protected_values[a] = column.protected_labels == nullptr
                                     ? nullptr
                                     : read_protected(column.name, loaded.sensitive_hierarchies[a],
                                                      *column.protected_labels);
  }
}

/// Converts to the unit of audits, in which a range is promised.
void to_reporting_unit(Ranks& ranks, Oid type) {
  const double unit = reporting_unit(type);
  for (int v = 0; v < ranks.distinct; ++v) ranks.values[v] /= unit;
}

}  // namespace

namespace {

/// Appends the sensitive values and units of the larger table to those of the rows.
void receive_more(TupleTableSlot* slot, void* state) {
  auto& receiver = *static_cast<Receiver*>(state);
  Loaded& loaded = *receiver.loaded;
  const int64 row = loaded.rows + loaded.more_rows++;
  if (row == loaded.capacity) {
    loaded.capacity += loaded.capacity / 2;
    grow_block(loaded.sensitive, loaded.capacity);
    grow_units(receiver.units, loaded.capacity);
  }
  read_block_row(loaded.sensitive, row, slot);
  add_unit(receiver.units, row, slot, loaded.sensitive.count);
}

void read_more(Receiver& receiver) {
  const Source& source = *receiver.source;
  Loaded& loaded = *receiver.loaded;
  if (source.more_rows == nullptr || source.ranked_count() == 0) return;
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT ");
  append_columns(&query, source.sensitive, source.ranked_count());
  append_units(&query, receiver.units);
  appendStringInfo(&query, " FROM %s AS source", source.more_rows);
  const int first = loaded.sensitive.first;
  loaded.sensitive.first = 0;
  for_each_row(query.data, receive_more, &receiver);
  loaded.sensitive.first = first;
}

/// The frequency of each value in the rows and the larger table together.
int64* count_all(const Ranks& ranks, int64 rows) {
  const int64 values = ranks.distinct + (ranks.nulls > 0 ? 1 : 0);
  int64* counts = allocate<int64>(values);
  std::memset(counts, 0, sizeof(int64) * static_cast<std::size_t>(values));
  for (int64 row = 0; row < rows; ++row) ++counts[ranks.ranks[row]];
  return counts;
}

/// Ranks the modelled columns among all rows read.
void rank_sensitive(const Source& source, Loaded& loaded) {
  const int64 rows = loaded.rows + loaded.more_rows;
  settle_block(loaded.sensitive, rows);
  loaded.ranks = allocate<Ranks>(source.ranked_count());
  loaded.table_counts = allocate<int64*>(source.ranked_count());
  for (int a = 0; a < source.ranked_count(); ++a) {
    loaded.ranks[a] = ranks_of(loaded.sensitive, a, rows);
    loaded.table_counts[a] =
        source.more_rows == nullptr ? nullptr : count_all(loaded.ranks[a], rows);
  }
}

}  // namespace

Loaded read_source(const Source& source, const Spec& spec, Spool spool) {
  Loaded loaded = prepare(source, spec, spool);
  Receiver receiver = {};
  receiver.source = &source;
  receiver.loaded = &loaded;
  receiver.context = CurrentMemoryContext;
  receiver.bytes_per_row = needed_per_row(source, spec, loaded);
  receiver.units = make_units(source.unit_relation, spec.unit, loaded.capacity);
  receiver.first_unit = source.quasi_identifiers + loaded.sensitive.count;
  receiver.tid = receiver.first_unit + receiver.units.count;
  receiver.changes = receiver.tid + (loaded.tids != nullptr ? 1 : 0);
  receiver.coarsens = changes_expression(source) != nullptr;
  receiver.first_kept = receiver.changes + (receiver.coarsens ? 1 : 0);
  receiver.kept = source.spooled_count();
  for_each_row(reading_query(source, loaded, receiver.units, spool), receive, &receiver);
  check_memory(receiver);
  settle_block(loaded.quasi_identifiers, loaded.rows);
  read_more(receiver);
  loaded.unit_of = settle_units(receiver.units, loaded.rows + loaded.more_rows);
  rank_sensitive(source, loaded);
  if (loaded.rows > 0)
    read_hierarchies(source, spec.options.recode, loaded, {loaded.rows * receiver.bytes_per_row});
  for (int a = 0; a < source.sensitive_count; ++a)
    if (source.sensitive[a].kind == Kind::numeric)
      to_reporting_unit(loaded.ranks[a], source.sensitive[a].base_type);
  return loaded;
}

namespace {

int32 categories_of(const Block& block, int j) {
  return block.dictionaries[j]->size() + (block.null_codes[j] >= 0 ? 1 : 0);
}

/// The weight of a column. Weights apply to squared differences, so a unit enters squared.
double weight_of(const Spec& spec, const SourceColumn& column, int j) {
  const double weight = spec.weights != nullptr ? spec.weights[j] : 1;
  if (spec.options.standardize != Standardize::none) return weight;
  const double unit = comparing_unit(column.base_type);
  return weight / (unit * unit);
}

}  // namespace

Table table_of(const Source& source, const Spec& spec, const Loaded& loaded) {
  Table table;
  table.rows = static_cast<Record>(loaded.rows);
  table.values = loaded.quasi_identifiers.values;
  table.fingerprints = loaded.fingerprints;
  table.units = loaded.unit_of;
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& from = source.columns[j];
    Column column;
    column.name = from.name;
    column.attribute.kind = from.kind;
    column.attribute.weight = weight_of(spec, from, j);
    if (from.number_type != nullptr) {
      column.rounding = rounding_of(from.base_type, from.base_typmod);
    } else {
      column.attribute.categories = categories_of(loaded.quasi_identifiers, j);
    }
    column.told_apart = from.told_apart;
    if (loaded.rows > 0 && loaded.generalised[j].hierarchy != nullptr) {
      column.hierarchy = &loaded.generalised[j].hierarchy->hierarchy();
      column.leaves = loaded.generalised[j].ranks.ranks;
    }
    table.columns.push_back(column);
  }
  for (int a = 0; a < source.sensitive_count; ++a) {
    const Ranks& ranks = loaded.ranks[a];
    SensitiveColumn column;
    column.name = source.sensitive[a].name;
    column.kind = source.sensitive[a].kind;
    column.ranks = ranks.ranks;
    column.nulls = ranks.nulls;
    column.distinct = ranks.distinct + (ranks.nulls > 0 ? 1 : 0);
    if (column.kind == Kind::numeric) column.numbers = ranks.values;
    if (loaded.rows > 0 && loaded.sensitive_hierarchies[a] != nullptr)
      column.hierarchy = &loaded.sensitive_hierarchies[a]->hierarchy();
    if (loaded.rows > 0 && loaded.protected_values[a] != nullptr)
      column.lifted = loaded.protected_values[a]->lifted.data();
    table.sensitive.push_back(column);
  }
  if (source.has_target) table.labels = loaded.ranks[source.sensitive_count].ranks;
  return table;
}

}  // namespace anonkit::pg
