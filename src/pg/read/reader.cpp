#include "pg/read/reader.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/session.hpp"
#include "pg/read/row_reading.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// An error if values have more digits than a double. Labels would be ambiguous, and values that
/// change places would be rounded.
void require_exact(const Block& block, int j, const char* use) {
  if (!block.exact[j])
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("column \"%s\" contains numbers with too many digits for %s",
                           block.columns[j].name, use),
                    errhint("Round them in a view, to 15 digits at most, or cast them to text.")));
}

/// The rows of the block of quasi-identifiers.
int64 rows_of_values(const Loaded& loaded) {
  return loaded.rows + loaded.population + loaded.domain;
}

/// Reads the hierarchies for recoding and for distances.
void read_hierarchies(const Source& source, Recode recode, Loaded& loaded, MemoryCount memory) {
  loaded.generalised = allocate<Generalised>(source.quasi_identifiers);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    if (recoding(recode).by_record) require_exact(loaded.quasi_identifiers, j, "swapping");
    Generalised& generalised = loaded.generalised[j] = {};
    // A category without a hierarchy is suppressed by an implicit one.
    if (column.hierarchy == nullptr &&
        (!recoding(recode).by_hierarchy || column.number_type != nullptr))
      continue;
    require_exact(loaded.quasi_identifiers, j, "a hierarchy");
    generalised.ranks = ranks_of(loaded.quasi_identifiers, j, rows_of_values(loaded));
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

/// The rows of a population while they are read.
struct PopulationReading {
  RowReading* reading;
  int64 capacity;  ///< of the block, in rows of both relations
};

/// Appends the quasi-identifiers of a record of the population to those of the rows.
void receive_population(TupleTableSlot* slot, void* state) {
  auto& population = *static_cast<PopulationReading*>(state);
  Loaded& loaded = *population.reading->loaded;
  const int64 row = loaded.rows + loaded.population;
  if (row == population.capacity) {
    check_memory(*population.reading);
    population.capacity += population.capacity / 2;
    grow_block(loaded.quasi_identifiers, population.capacity);
  }
  read_block_row(loaded.quasi_identifiers, row, slot);
  ++loaded.population;
}

/// An error unless the population has the quasi-identifiers, with their types.
void check_population_columns(const Source& source, Oid population) {
  require_relation(population);
  Relation relation = open_relation(population);
  require_rows(relation);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    const Form_pg_attribute other =
        TupleDescAttr(descriptor, find_column(descriptor, column.name) - 1);
    if (other->atttypid != column.declared_type)
      ereport(ERROR,
              (errcode(ERRCODE_DATATYPE_MISMATCH),
               errmsg("column \"%s\" of the population has another type", column.name),
               errdetail("It is of type %s, and in the table of type %s.",
                         format_type_be(other->atttypid), format_type_be(column.declared_type))));
  }
  relation_close(relation, NoLock);
}

void read_population(RowReading& reading, const Spec& spec) {
  const Source& source = *reading.source;
  check_population_columns(source, spec.population);
  UserQuery query = begin_user_query();
  add_columns(query, source.columns, source.quasi_identifiers);
  PopulationReading population = {&reading, reading.loaded->capacity};
  for_each_row(end_user_query(query, spec.population), receive_population, &population);
  check_memory(reading);
  reading.loaded->needed_bytes += reading.loaded->population * reading.bytes_per_row;
}

/// Ranks the modelled columns.
void rank_sensitive(const Source& source, Loaded& loaded) {
  settle_block(loaded.sensitive, loaded.rows);
  loaded.ranks = allocate<Ranks>(source.ranked_count());
  for (int a = 0; a < source.ranked_count(); ++a)
    loaded.ranks[a] = ranks_of(loaded.sensitive, a, loaded.rows);
}

/// An error if doubles cannot tell what the promise of e asks for.
void require_spreads(const Source& source, const Loaded& loaded, double e) {
  for (int a = 0; e > 0 && a < source.sensitive_count; ++a)
    require_spread(source.sensitive[a].name, source.sensitive[a].base_type,
                   loaded.sensitive.numbers[a].loss, e);
}

}  // namespace

void finish_reading(RowReading& reading, const Spec& spec) {
  const Source& source = *reading.source;
  Loaded& loaded = *reading.loaded;
  end_reading(reading);
  if (loaded.sketch != nullptr) return;
  if (OidIsValid(spec.population)) read_population(reading, spec);
  settle_block(loaded.quasi_identifiers, rows_of_values(loaded));
  loaded.unit_of = settle_units(reading.units, loaded.rows);
  rank_sensitive(source, loaded);
  require_spreads(source, loaded, spec.options.promises.e);
  if (loaded.rows > 0)
    read_hierarchies(source, spec.options.recode, loaded, {loaded.needed_bytes, nullptr});
  for (int a = 0; a < source.sensitive_count; ++a)
    if (source.sensitive[a].kind == Kind::numeric)
      to_reporting_unit(loaded.ranks[a], source.sensitive[a].base_type);
}

Loaded read_source(const Source& source, const Spec& spec, Spool spool, Excess excess) {
  Loaded loaded;
  RowReading reading = begin_reading(source, spec, spool, excess, loaded);
  for_each_row(reading_query(reading), receive_row, &reading);
  finish_reading(reading, spec);
  return loaded;
}

namespace {

int32 categories_of(const Block& block, int j) {
  return block.dictionaries[j]->size() + (block.null_codes[j] >= 0 ? 1 : 0);
}

/// The weight of a column. Weights apply to squared differences, so a unit enters squared.
double weight_of(const Spec& spec, const SourceColumn& column, int j) {
  const double weight = spec.weights != nullptr ? spec.weights[j] : 1;
  if (spec.options.standardize != Standardize::none || column.number_type == nullptr) return weight;
  const double unit = comparing_unit(column.base_type);
  return weight / (unit * unit);
}

}  // namespace

Table table_of(const Source& source, const Spec& spec, const Loaded& loaded) {
  Table table;
  table.rows = static_cast<Record>(loaded.rows);
  table.population = static_cast<Record>(loaded.population);
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
      column.width = from.width;
      column.deviation = from.spread.deviation;
      column.extent = from.spread.extent;
    } else {
      column.attribute.categories = std::max(categories_of(loaded.quasi_identifiers, j),
                                             static_cast<int32>(from.spread.categories));
    }
    column.told_apart = from.told_apart;
    if (loaded.rows > 0 && loaded.generalised[j].hierarchy != nullptr) {
      column.hierarchy = &loaded.generalised[j].hierarchy->hierarchy();
      column.leaves = loaded.generalised[j].ranks.ranks;
      if (loaded.population > 0) column.population = column.leaves + loaded.rows;
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
