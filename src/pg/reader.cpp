#include <cstring>
#include <new>

#include "reader.hpp"

#include "session.hpp"
#include "settings.hpp"

extern "C" {
#include "common/hashfn.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// Stands for a null category while reading.
constexpr int32 kNullMark = -1;

/// The state of reading.
struct Receiver {
  const Source* source;
  Loaded* loaded;
  MemoryContext context;  ///< of what is read
  FmgrInfo* outputs;      ///< one a quasi-identifier: the output function of a category
  int64 bytes_per_row;
  int first_spooled;  ///< place of the first spooled column in the query's result
};

/// Memory that a row will need at the peak of the work: the matrix three times, and what goes
/// along.
int64 needed_per_row(const Source& source, const Loaded& loaded) {
  const int64 matrix = 3 * source.quasi_identifiers * static_cast<int64>(sizeof(double));
  const int64 along =
      6 * static_cast<int64>(sizeof(int32)) +
      (loaded.tids != nullptr ? static_cast<int64>(sizeof(ItemPointerData)) : 0) +
      (loaded.fingerprints != nullptr ? static_cast<int64>(sizeof(Fingerprint)) : 0);
  return matrix + along;
}

void check_memory(const Receiver& receiver) {
  const int64 kilobytes = receiver.loaded->rows * receiver.bytes_per_row / 1024;
  if (kilobytes > max_memory)
    ereport(ERROR,
            (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
             errmsg("anonymization needs more memory than anonkit.max_memory allows"),
             errdetail("Reading stopped after " INT64_FORMAT " rows.", receiver.loaded->rows),
             errhint("Raise anonkit.max_memory, or anonymize a part of the table at a time.")));
  if (receiver.loaded->rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to anonymize")));
}

void grow(Receiver& receiver) {
  Loaded& loaded = *receiver.loaded;
  check_memory(receiver);
  loaded.capacity += loaded.capacity / 2;
  resize(loaded.values, loaded.capacity * receiver.source->quasi_identifiers);
  if (loaded.tids != nullptr) resize(loaded.tids, loaded.capacity);
  if (loaded.fingerprints != nullptr) resize(loaded.fingerprints, loaded.capacity);
}

/// The code of a category; never throws into the executor.
int32 code_of(Dictionary& dictionary, const char* text) noexcept {
  try {
    return dictionary.code(text);
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

double category_value(Receiver& receiver, int j, Datum value, bool is_null) {
  Loaded& loaded = *receiver.loaded;
  if (is_null) return kNullMark;
  const int32 code =
      code_of(*loaded.dictionaries[j], OutputFunctionCall(&receiver.outputs[j], value));
  if (code < 0) ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  return code;
}

double number_value(const SourceColumn& column, Datum value, bool is_null) {
  if (is_null) return kNull;
  bool finite;
  const double number = number_of(column.base_type, value, &finite);
  if (!finite)
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION),
             errmsg("quasi-identifier \"%s\" contains a value that is not a finite number",
                    column.name),
             errhint("Anonymize a view that leaves out NaN and infinite values, or turns them "
                     "into nulls.")));
  return number;
}

/// Carries a fingerprint on over the image of one value. Equal values of equal type have equal
/// images.
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

/// The fingerprint of the spooled values of a row.
Fingerprint fingerprint_of(const TupleTableSlot* slot, int first) {
  Fingerprint fingerprint = {1, 2};
  for (int at = first; at < slot->tts_tupleDescriptor->natts; ++at) {
    Form_pg_attribute attribute = TupleDescAttr(slot->tts_tupleDescriptor, at);
    if (slot->tts_isnull[at])
      add_image(fingerprint, 0, true, 0);
    else
      add_image(fingerprint, slot->tts_values[at], attribute->attbyval, attribute->attlen);
  }
  return fingerprint;
}

void spool_row(Receiver& receiver, TupleTableSlot* slot) {
  Loaded& loaded = *receiver.loaded;
  loaded.fingerprints[loaded.rows] = fingerprint_of(slot, receiver.first_spooled);
  MemoryContext old = MemoryContextSwitchTo(receiver.context);
  tuplestore_putvalues(loaded.spool, loaded.spool_descriptor,
                       slot->tts_values + receiver.first_spooled,
                       slot->tts_isnull + receiver.first_spooled);
  MemoryContextSwitchTo(old);
}

void receive(TupleTableSlot* slot, void* state) {
  auto& receiver = *static_cast<Receiver*>(state);
  const Source& source = *receiver.source;
  Loaded& loaded = *receiver.loaded;
  if (loaded.rows == loaded.capacity) grow(receiver);
  double* row = loaded.values + loaded.rows * source.quasi_identifiers;
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    row[j] = column.number_type != nullptr
                 ? number_value(column, slot->tts_values[j], slot->tts_isnull[j])
                 : category_value(receiver, j, slot->tts_values[j], slot->tts_isnull[j]);
  }
  if (loaded.tids != nullptr)
    loaded.tids[loaded.rows] =
        *reinterpret_cast<ItemPointer>(DatumGetPointer(slot->tts_values[source.quasi_identifiers]));
  if (loaded.spool != nullptr) spool_row(receiver, slot);
  ++loaded.rows;
}

/// The query that reads the source: quasi-identifiers, the tid, what is spooled.
char* reading_query(const Source& source, Spool spool) {
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT ");
  for (int j = 0; j < source.quasi_identifiers; ++j)
    appendStringInfo(&query, "%ssource.%s", j > 0 ? ", " : "",
                     quote_identifier(source.columns[j].name));
  if (source.has_tid && spool == Spool::json) appendStringInfoString(&query, ", source.ctid");
  StringInfoData kept;
  initStringInfo(&kept);
  for (int i = source.quasi_identifiers; i < source.count; ++i)
    appendStringInfo(&kept, "%ssource.%s", i > source.quasi_identifiers ? ", " : "",
                     quote_identifier(source.columns[i].name));
  if (source.spooled_count() > 0)
    appendStringInfo(&query,
                     spool == Spool::columns
                         ? ", %s"
                         : ", (SELECT pg_catalog.to_jsonb(kept) FROM (SELECT %s) AS kept)",
                     kept.data);
  appendStringInfo(&query, " FROM %s AS source", source.qualified_name);
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

/// Puts the labels of an enum into its dictionary in their own order: codes are ranks.
void add_enum_labels(Dictionary& dictionary, Oid type) {
  Datum argument = ObjectIdGetDatum(type);
  Oid argument_type = OIDOID;
  SPI_execute_with_args(
      "SELECT enumlabel FROM pg_catalog.pg_enum WHERE enumtypid OPERATOR(pg_catalog.=) $1"
      " ORDER BY enumsortorder",
      1, &argument_type, &argument, nullptr, true, 0);
  for (uint64 i = 0; i < SPI_processed; ++i)
    if (code_of(dictionary, SPI_getvalue(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1)) < 0)
      ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
}

/// Room for a first thousand rows, and an empty dictionary for every category.
Loaded prepare(const Source& source, Spool spool) {
  constexpr int64 kFirstCapacity = 1024;
  Loaded loaded = {};
  loaded.capacity = kFirstCapacity;
  loaded.values = allocate<double>(loaded.capacity * source.quasi_identifiers);
  if (source.has_tid && spool == Spool::json)
    loaded.tids = allocate<ItemPointerData>(loaded.capacity);
  loaded.dictionaries = allocate<Dictionary*>(source.quasi_identifiers);
  loaded.null_codes = allocate<int32>(source.quasi_identifiers);
  if (source.spooled_count() > 0) {
    loaded.fingerprints = allocate<Fingerprint>(loaded.capacity);
    loaded.spool = tuplestore_begin_heap(false, false, work_mem);
    loaded.spool_descriptor = spool_descriptor_of(source, spool);
  }
  return loaded;
}

void prepare_dictionaries(Receiver& receiver) {
  const Source& source = *receiver.source;
  receiver.outputs = allocate<FmgrInfo>(source.quasi_identifiers);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    receiver.loaded->dictionaries[j] = nullptr;
    receiver.loaded->null_codes[j] = kNullMark;
    if (column.number_type != nullptr) continue;
    receiver.loaded->dictionaries[j] = &own_in_context(std::make_unique<Dictionary>());
    if (column.kind == Kind::ordinal)
      add_enum_labels(*receiver.loaded->dictionaries[j], column.base_type);
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(column.base_type, &output, &is_varlena);
    fmgr_info(output, &receiver.outputs[j]);
  }
}

/// Gives nominal categories codes in the order of their bytes, and null, where there are nulls, the
/// code after the last, so that codes depend on the data only.
void settle_codes(int j, int stride, Kind kind, Loaded& loaded) {
  Dictionary& dictionary = *loaded.dictionaries[j];
  std::vector<std::int32_t> new_codes;
  if (kind == Kind::nominal) new_codes = dictionary.sort();
  for (int64 i = 0; i < loaded.rows; ++i) {
    double& value = loaded.values[i * stride + j];
    if (value == kNullMark)
      value = loaded.null_codes[j] = dictionary.size();
    else if (!new_codes.empty())
      value = new_codes[static_cast<std::size_t>(value)];
  }
}

}  // namespace

Loaded read_source(const Source& source, Spool spool) {
  Loaded loaded = prepare(source, spool);
  Receiver receiver = {};
  receiver.source = &source;
  receiver.loaded = &loaded;
  receiver.context = CurrentMemoryContext;
  receiver.bytes_per_row = needed_per_row(source, loaded);
  receiver.first_spooled = source.quasi_identifiers + (loaded.tids != nullptr ? 1 : 0);
  prepare_dictionaries(receiver);

  for_each_row(reading_query(source, spool), receive, &receiver);
  check_memory(receiver);
  for (int j = 0; j < source.quasi_identifiers; ++j)
    if (loaded.dictionaries[j] != nullptr)
      settle_codes(j, source.quasi_identifiers, source.columns[j].kind, loaded);
  return loaded;
}

Table table_of(const Source& source, const Spec& spec, const Loaded& loaded) {
  Table table;
  table.rows = static_cast<Record>(loaded.rows);
  table.values = loaded.values;
  table.fingerprints = loaded.fingerprints;
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& from = source.columns[j];
    Column column;
    column.name = from.name;
    column.attribute.kind = from.kind;
    column.attribute.weight = spec.weights != nullptr ? spec.weights[j] : 1;
    if (from.number_type != nullptr)
      column.rounding = rounding_of(from.base_type, from.base_typmod);
    else
      column.attribute.categories =
          loaded.dictionaries[j]->size() + (loaded.null_codes[j] != kNullMark ? 1 : 0);
    table.columns.push_back(column);
  }
  return table;
}

}  // namespace anonkit::pg
