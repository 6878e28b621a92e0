// anon_blocks and anon_block: cuts that divide a table into blocks of neighbouring rows, and the
// block of a row. The cuts are a value, in this form:
//
//   {"qi": ["age", "weight"],
//    "cuts": {"column": "age", "at": 37.5, "below": 1, "above": {"column": "weight", ...}}}

#include <cmath>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "space/block_cuts.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/decimal.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/source.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "nodes/primnodes.h"
#include "utils/datum.h"
}

namespace anonkit::pg {
namespace {

/// The least number of sampled points for a block.
constexpr int64 kPointsOfBlock = 10;

// ---- anon_blocks

/// The columns whose values are cut. Plain data.
struct CutColumns {
  int count;
  const char** names;
  Oid* types;
};

/// Receives the rows. Plain data; a memory context owns the sample.
struct Sampling {
  CutColumns columns;
  PointSample* sample;
  double* point;
};

void check_number(const char* name, Oid type) {
  const NumberType* number = number_type(type);
  if (number == nullptr || number->range == DATERANGEOID || number->range == TSRANGEOID ||
      number->range == TSTZRANGEOID)
    ereport(ERROR,
            (errcode(ERRCODE_DATATYPE_MISMATCH),
             errmsg("column \"%s\" cannot be cut into blocks", name),
             errdetail("Its values are not numbers."),
             errhint("Convert it to a number in a view, as anon_block takes it: birth_date - date "
                     "'2000-01-01'.")));
}

/// Looks up the columns named in an array of texts.
CutColumns cut_columns(Oid oid, ArrayType* qi) {
  Datum* names;
  bool* nulls;
  CutColumns columns = {};
  deconstruct_array(qi, TEXTOID, -1, false, TYPALIGN_INT, &names, &nulls, &columns.count);
  if (columns.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("qi must name a column")));
  columns.names = allocate<const char*>(columns.count);
  columns.types = allocate<Oid>(columns.count);
  Relation relation = open_relation(oid);
  require_rows(relation);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int j = 0; j < columns.count; ++j) {
    if (nulls[j])
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("qi must not contain nulls")));
    const int number = find_column(descriptor, TextDatumGetCString(names[j]));
    Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
    columns.names[j] = pstrdup(NameStr(attribute->attname));
    columns.types[j] = getBaseType(attribute->atttypid);
    check_number(columns.names[j], columns.types[j]);
    for (int before = 0; before < j; ++before)
      if (std::strcmp(columns.names[before], columns.names[j]) == 0)
        ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                        errmsg("quasi-identifier \"%s\" is named twice", columns.names[j])));
  }
  relation_close(relation, NoLock);
  return columns;
}

/// Adds a row to the sample, unless a value is null or not finite.
void take(TupleTableSlot* slot, void* state) {
  auto& sampling = *static_cast<Sampling*>(state);
  for (int j = 0; j < sampling.columns.count; ++j) {
    if (slot->tts_isnull[j]) return;
    bool finite = true;
    sampling.point[j] = number_of(sampling.columns.types[j], slot->tts_values[j], &finite);
    if (!finite) return;
  }
  sampling.sample->add(sampling.point);
}

const char* query_of(Oid relation, const CutColumns& columns) {
  UserQuery query = begin_user_query();
  for (int j = 0; j < columns.count; ++j) add_column(query, columns.names[j]);
  return end_user_query(query, relation);
}

PointSample& new_sample(int columns, int32 size, int64 seed) {
  return own_in_context(std::make_unique<PointSample>(static_cast<std::size_t>(columns),
                                                      static_cast<std::size_t>(size),
                                                      static_cast<std::uint64_t>(seed)));
}

/// Calls the core. The current memory context owns the result.
const BlockCuts& learn(PointSample& sample, int64 block_size) {
  const std::int64_t blocks = (sample.records() + block_size - 1) / block_size;
  const CountedPoints points = sample.take();
  const auto needed = blocks * kPointsOfBlock;
  if (!sample.complete() && static_cast<std::int64_t>(points.size()) < needed)
    throw Error(
        ErrorKind::invalid_parameter, "sample is too small for blocks of that size",
        "A block needs at least " + std::to_string(kPointsOfBlock) + " sampled points.",
        "Give a sample of at least " + std::to_string(needed) + ", or a larger block_size.");
  BackendTicker ticker;
  return own_in_context(std::make_unique<BlockCuts>(learn_blocks(points, blocks, ticker)));
}

/// Adds a node: the number of a block, or an object with a cut.
void add_node(JsonObject& json, const char* key, const CutColumns& columns, const BlockCuts& blocks,
              BlockNode node) {
  check_stack_depth();
  if (node > 0) {
    json.add(key, int64{node});
    return;
  }
  const BlockNode position = ~node;
  const BlockCut& cut = blocks.cuts[static_cast<std::size_t>(position)];
  JsonObject object;
  object.add("column", columns.names[cut.column]);
  object.add("at", cut.at);
  add_node(object, "below", columns, blocks, cut.below);
  add_node(object, "above", columns, blocks, cut.above);
  json.add(key, object.finish());
}

/// Reads the relation. The current memory context owns the sample.
PointSample& sample_of(Oid relation, const CutColumns& columns, int32 size, int64 seed) {
  MemoryCount memory = {};
  count_memory(memory, PointSample::bytes(static_cast<std::size_t>(columns.count),
                                          static_cast<std::size_t>(size)));
  Sampling sampling = {columns, &new_sample(columns.count, size, seed),
                       allocate<double>(columns.count)};
  for_each_row(query_of(relation, columns), take, &sampling);
  return *sampling.sample;
}

Jsonb* blocks_json(const CutColumns& columns, const BlockCuts& blocks) {
  Datum* names = allocate<Datum>(columns.count);
  for (int j = 0; j < columns.count; ++j) names[j] = CStringGetTextDatum(columns.names[j]);
  JsonObject object;
  object.add_array("qi", construct_array(names, columns.count, TEXTOID, -1, false, TYPALIGN_INT));
  add_node(object, "cuts", columns, blocks, blocks.root);
  return object.finish();
}

Datum blocks(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  require_arguments(fcinfo, {"qi", "block_size", "sample", "seed"});
  const int32 block_size = count_argument(fcinfo, "block_size", 1);
  const int32 size = count_argument(fcinfo, "sample", 1);
  const Session session = open_session();
  const CutColumns columns = cut_columns(relation, PG_GETARG_ARRAYTYPE_P(1));
  PointSample& sample = sample_of(relation, columns, size, PG_GETARG_INT64(4));
  const Jsonb* json = blocks_json(columns, learn(sample, block_size));
  MemoryContext inner = MemoryContextSwitchTo(session.outer);
  const Datum result = datumCopy(JsonbPGetDatum(json), false, -1);
  MemoryContextSwitchTo(inner);
  close_session(session);
  return result;
}

// ---- anon_block

/// The cuts of the last call, which the next call of the same expression most likely repeats. Plain
/// data in a memory context of its own.
struct KnownCuts {
  bool constant;          ///< the argument is a constant of the query
  struct varlena* image;  ///< the argument as it came, possibly a pointer to a stored value
  int columns;
  BlockNode root;
  BlockCut* cuts;
  double* point;  ///< space for a row's values
};

/// Reads the JSON of cuts.
struct CutsReader {
  Names columns;
  BlockCut* cuts;
  int32 count;
  int32 capacity;
};

[[noreturn]] void refuse_cuts(const char* detail) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("cuts must be a value of anon_blocks"), errdetail("%s", detail)));
  pg_unreachable();
}

JsonbValue& member(JsonbContainer* object, const char* key) {
  JsonbValue* value =
      getKeyJsonValueFromContainer(object, key, static_cast<int>(std::strlen(key)), nullptr);
  if (value == nullptr) refuse_cuts(psprintf("It lacks a member \"%s\".", key));
  return *value;
}

int32 column_of(const CutsReader& reader, const JsonbValue& name) {
  if (name.type != jbvString) refuse_cuts("A column is not a name.");
  const char* text = text_of(name);
  for (int32 j = 0; j < reader.columns.count; ++j)
    if (std::strcmp(reader.columns.names[j], text) == 0) return j;
  refuse_cuts("A cut is at a column that \"qi\" does not name.");
}

double place_of(const JsonbValue& at) {
  if (at.type != jbvNumeric) refuse_cuts("A cut is not at a number.");
  const double place = number("at", at);
  if (!std::isfinite(place)) refuse_cuts("A cut is not at a finite number.");
  return place;
}

BlockNode read_node(CutsReader& reader, JsonbValue& json) {
  check_stack_depth();
  if (json.type == jbvNumeric) return positive_integer("cuts", json);
  if (!is_object(json)) refuse_cuts("A node is neither a cut nor the number of a block.");
  JsonbContainer* object = json.val.binary.data;
  if (reader.count == reader.capacity) resize(reader.cuts, reader.capacity *= 2);
  const int32 position = reader.count++;
  const int32 column = column_of(reader, member(object, "column"));
  const double at = place_of(member(object, "at"));
  const BlockNode below = read_node(reader, member(object, "below"));
  const BlockNode above = read_node(reader, member(object, "above"));
  reader.cuts[position] = {at, column, below, above};
  return ~position;
}

void read_cuts(Jsonb* json, KnownCuts& known) {
  if (!JB_ROOT_IS_OBJECT(json)) refuse_cuts("It is not an object.");
  CutsReader reader = {};
  reader.capacity = 64;
  reader.cuts = allocate<BlockCut>(reader.capacity);
  reader.columns = names_of("qi", member(&json->root, "qi"));
  known.root = read_node(reader, member(&json->root, "cuts"));
  known.cuts = reader.cuts;
  known.columns = reader.columns.count;
  known.point = allocate<double>(known.columns);
}

bool is_constant(const FmgrInfo* function, int place) {
  if (function->fn_expr == nullptr || !IsA(function->fn_expr, FuncExpr)) return false;
  const List* arguments = reinterpret_cast<FuncExpr*>(function->fn_expr)->args;
  return place < list_length(arguments) && IsA(list_nth(arguments, place), Const);
}

bool is_known(const KnownCuts& known, const struct varlena* image) {
  return known.constant || (VARSIZE_ANY(known.image) == VARSIZE_ANY(image) &&
                            std::memcmp(known.image, image, VARSIZE_ANY(image)) == 0);
}

/// The cuts of the first argument. Parses them once for equal arguments in a row. The images of
/// large stored values are pointers, so the comparison is short.
const KnownCuts& cuts_of(FunctionCallInfo fcinfo) {
  auto* known = static_cast<KnownCuts*>(fcinfo->flinfo->fn_extra);
  auto* image = reinterpret_cast<struct varlena*>(PG_GETARG_POINTER(0));
  if (known != nullptr && is_known(*known, image)) return *known;
  fcinfo->flinfo->fn_extra = nullptr;
  if (known != nullptr) MemoryContextDelete(GetMemoryChunkContext(known));
  MemoryContext context =
      AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "anonkit cuts", ALLOCSET_SMALL_SIZES);
  MemoryContext outer = MemoryContextSwitchTo(context);
  known = allocate<KnownCuts>(1);
  known->constant = is_constant(fcinfo->flinfo, 0);
  known->image = static_cast<struct varlena*>(palloc(VARSIZE_ANY(image)));
  std::memcpy(known->image, image, VARSIZE_ANY(image));
  read_cuts(DatumGetJsonbP(PointerGetDatum(image)), *known);
  MemoryContextSwitchTo(outer);
  fcinfo->flinfo->fn_extra = known;
  return *known;
}

/// The block of the row. Nulls, like NaN, come after all numbers.
Datum block(FunctionCallInfo fcinfo) {
  const KnownCuts& known = cuts_of(fcinfo);
  ArrayType* row = PG_GETARG_ARRAYTYPE_P(1);
  const int columns = ArrayGetNItems(ARR_NDIM(row), ARR_DIMS(row));
  if (columns != known.columns)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("there must be one value for each column of the cuts"),
             errdetail("The number of values is %d, that of columns %d.", columns, known.columns)));
  const auto* values = reinterpret_cast<const double*>(ARR_DATA_PTR(row));
  const bits8* present = ARR_NULLBITMAP(row);
  for (int j = 0; j < columns; ++j)
    known.point[j] = present == nullptr || (present[j / 8] >> j % 8 & 1) != 0 ? *values++ : kNull;
  return Int32GetDatum(block_of(known.cuts, known.root, known.point));
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_blocks) {
  return anonkit::pg::blocks(fcinfo);
}
ANONKIT_FUNCTION(anon_block) {
  return anonkit::pg::block(fcinfo);
}
