// anon_mdav_class and its relatives: window functions that return the class of a row within its
// partition. Any query can be a source, and plain SQL recodes (partition, class).

#include <cmath>

#include "pipeline.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/number_type.hpp"

extern "C" {
#include "utils/datum.h"
#include "windowapi.h"
}

namespace anonkit::pg {
namespace {

constexpr int kNoArgument = -1;

/// The positions of a window function's arguments; k is the first. One array, the last argument,
/// holds the quasi-identifiers; the long form of each function has scales and small before it.
struct Form {
  const char* method;
  int p = kNoArgument;
  int l = kNoArgument;
  int t = kNoArgument;
  int sensitive = kNoArgument;
};

/// The rows of a partition. Plain data, palloc'd.
struct WindowRows {
  int64 count;
  int columns;
  double* values;  ///< count x columns
  int32* ranks;    ///< of the sensitive values, null last; null without a sensitive argument
  int32 distinct;  ///< ranks, with null's
  int64 nulls;
  Kind kind;
};

/// The window's state for a partition, from its first row to its last.
struct PartitionClasses {
  bool formed;
  int32 class_of[FLEXIBLE_ARRAY_MEMBER];
};

[[noreturn]] void null_argument(const char* name) {
  ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", name)));
  pg_unreachable();
}

/// An argument that is constant over the rows, from the current row: see require_constants.
Datum constant(WindowObject window, int place, const char* name) {
  bool is_null;
  const Datum value = WinGetFuncArgCurrent(window, place, &is_null);
  if (is_null) null_argument(name);
  return value;
}

/// An argument of another row of the partition.
Datum argument_of_row(WindowObject window, int place, int64 row, bool* is_null) {
  bool is_out;
  return WinGetFuncArgInPartition(window, place, static_cast<int>(row), WINDOW_SEEK_HEAD, false,
                                  is_null, &is_out);
}

/// A class of rows with several levels would keep those of the partition's first row alone.
/// Constants and parameters of the query cannot vary.
void require_constants(FunctionCallInfo fcinfo, WindowObject window, int sensitive, int64 rows) {
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit constants", ALLOCSET_SMALL_SIZES);
  for (int place = 0; place < PG_NARGS() - 1; ++place) {
    if (place == sensitive || get_fn_expr_arg_stable(fcinfo->flinfo, place)) continue;
    const Oid type = get_fn_expr_argtype(fcinfo->flinfo, place);
    const TypeCacheEntry* cache = lookup_type_cache(type, 0);
    bool is_null, first_is_null;
    const Datum value = WinGetFuncArgCurrent(window, place, &first_is_null);
    const Datum first = first_is_null ? value : datumCopy(value, cache->typbyval, cache->typlen);
    for (int64 i = 0; i < rows; ++i) {
      CHECK_FOR_INTERRUPTS();
      MemoryContext keep = MemoryContextSwitchTo(scratch);
      const Datum other = argument_of_row(window, place, i, &is_null);
      if (is_null != first_is_null ||
          (!is_null && !datum_image_eq(first, other, cache->typbyval, cache->typlen)))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("only qi and the sensitive value may vary within a partition"),
                        errdetail("Argument %d has several values.", place + 1),
                        errhint("Partition by it, or give all rows the same value.")));
      MemoryContextSwitchTo(keep);
      MemoryContextReset(scratch);
    }
  }
}

/// The numbers of an array, which must be finite and not null.
const double* numbers_of(Datum value, const char* name, int* count) {
  ArrayType* array = DatumGetArrayTypeP(value);
  if (ARR_ELEMTYPE(array) != FLOAT8OID)
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("%s must be of type float8[]", name),
                    errhint("Cast it: ARRAY[...]::float8[].")));
  if (array_contains_nulls(array))
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("%s contains a null", name),
                    errhint("Leave such rows out, or partition by the nulls.")));
  *count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
  const auto* numbers = reinterpret_cast<const double*>(ARR_DATA_PTR(array));
  for (int i = 0; i < *count; ++i)
    if (!std::isfinite(numbers[i]))
      ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                      errmsg("%s contains a value that is not a finite number", name)));
  return numbers;
}

void check_memory(int64 rows, int columns) {
  constexpr int64 kPerRow = 200, kPerNumber = 3 * sizeof(double);
  if (rows * (kPerRow + columns * kPerNumber) / 1024 > max_memory || rows >= INT_MAX)
    refuse_memory(psprintf("The partition has " INT64_FORMAT " rows.", rows),
                  "Raise anonkit.max_memory, or divide the table into smaller blocks.");
}

void read_values(WindowObject window, int place, MemoryContext scratch, WindowRows& rows) {
  for (int64 i = 0; i < rows.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext keep = MemoryContextSwitchTo(scratch);
    bool is_null;
    int columns = 0;
    const Datum value = argument_of_row(window, place, i, &is_null);
    if (is_null) null_argument("qi");
    const double* numbers = numbers_of(value, "qi", &columns);
    MemoryContextSwitchTo(keep);
    if (i == 0) {
      if (columns == 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("qi must name a column")));
      check_memory(rows.count, columns);
      rows.columns = columns;
      rows.values = allocate<double>(rows.count * columns);
    }
    if (columns != rows.columns)
      ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                      errmsg("rows have different numbers of quasi-identifiers")));
    for (int j = 0; j < columns; ++j) rows.values[i * columns + j] = numbers[j];
    MemoryContextReset(scratch);
  }
}

/// The measurement scale of a type, as in a release's sensitive column.
Kind kind_of(Oid type) {
  char category;
  bool preferred;
  if (number_type(type) != nullptr) return Kind::numeric;
  get_type_category_preferred(type, &category, &preferred);
  return category == TYPCATEGORY_ENUM ? Kind::ordinal : Kind::nominal;
}

struct SensitiveOrder {
  FmgrInfo* compare;
  Oid collation;
  const Datum* values;
};

int compare_values(const void* a, const void* b, void* order) {
  CHECK_FOR_INTERRUPTS();
  const auto& by = *static_cast<const SensitiveOrder*>(order);
  return DatumGetInt32(FunctionCall2Coll(by.compare, by.collation,
                                         by.values[*static_cast<const int32*>(a)],
                                         by.values[*static_cast<const int32*>(b)]));
}

/// Ranks the sensitive values by their type's own order.
void read_sensitive(FunctionCallInfo fcinfo, WindowObject window, int place, WindowRows& rows) {
  const Oid type = getBaseType(get_fn_expr_argtype(fcinfo->flinfo, place));
  require_built_in_type("sensitive", type);
  TypeCacheEntry* cache = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
  if (!OidIsValid(cache->cmp_proc_finfo.fn_oid))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
                    errmsg("type %s has no order", format_type_be(type))));
  Datum* values = allocate<Datum>(rows.count);
  int32* sorted = allocate<int32>(rows.count);
  int32 present = 0;
  rows.ranks = allocate<int32>(rows.count);
  for (int64 i = 0; i < rows.count; ++i) {
    bool is_null;
    const Datum value = argument_of_row(window, place, i, &is_null);
    rows.ranks[i] = kNone;
    if (is_null) continue;
    values[i] = datumCopy(value, cache->typbyval, cache->typlen);
    sorted[present++] = static_cast<int32>(i);
  }
  SensitiveOrder order = {&cache->cmp_proc_finfo, PG_GET_COLLATION(), values};
  qsort_arg(sorted, static_cast<std::size_t>(present), sizeof(int32), compare_values, &order);
  for (int32 at = 0; at < present; ++at) {
    if (at > 0 && compare_values(&sorted[at - 1], &sorted[at], &order) != 0) ++rows.distinct;
    rows.ranks[sorted[at]] = rows.distinct;
  }
  if (present > 0) ++rows.distinct;
  rows.nulls = rows.count - present;
  for (int64 i = 0; i < rows.count; ++i)
    if (rows.ranks[i] == kNone) rows.ranks[i] = rows.distinct;
  if (rows.nulls > 0) ++rows.distinct;
  rows.kind = kind_of(type);
}

/// Calls the core. Only this function holds C++ objects.
void form_classes(const WindowRows& rows, const Method& method, const Options& options,
                  int32* class_of) {
  BackendTicker ticker;
  Table table;
  table.rows = static_cast<Record>(rows.count);
  table.values = rows.values;
  table.columns.resize(static_cast<std::size_t>(rows.columns));
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    table.columns[j].name = std::to_string(j + 1);
  if (rows.ranks != nullptr) {
    SensitiveColumn column;
    column.name = "sensitive";
    column.kind = rows.kind;
    column.ranks = rows.ranks;
    column.nulls = rows.nulls;
    column.distinct = rows.distinct;
    table.sensitive.push_back(column);
  }
  const Anonymized result = anonymize(table, method, options, ticker);
  for (std::size_t i = 0; i < result.partition.class_of.size(); ++i)
    class_of[i] = result.partition.class_of[i] + 1;
}

/// The scales that divide the quasi-identifiers, so that partitions agree; null if each partition
/// is standardised separately.
const double* scales_of(WindowObject window, int place, int columns) {
  bool is_null;
  int count = 0;
  const Datum value = WinGetFuncArgCurrent(window, place, &is_null);
  if (is_null) return nullptr;
  const double* scales = numbers_of(value, "scales", &count);
  if (count != columns)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("there must be one scale for each quasi-identifier"),
                    errdetail("The number of scales is %d, that of columns %d.", count, columns)));
  for (int j = 0; j < count; ++j)
    if (!(scales[j] > 0))
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("scales must be above 0")));
  return scales;
}

/// True if a partition of fewer than k rows has class 0, not an error.
bool flags_small(WindowObject window, int place) {
  const char* small = TextDatumGetCString(constant(window, place, "small"));
  if (strcmp(small, "flag") == 0) return true;
  if (strcmp(small, "error") == 0) return false;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("small must be one of error, flag")));
  pg_unreachable();
}

int positive(WindowObject window, int place, const char* name) {
  const int value = DatumGetInt32(constant(window, place, name));
  if (value < 1)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be at least 1", name)));
  return value;
}

/// Reads the promised levels; null means no promise.
void read_promises(WindowObject window, const Form& form, Promises& promises) {
  bool is_null = true;
  if (form.p != kNoArgument) promises.p = positive(window, form.p, "p");
  if (form.l != kNoArgument) {
    WinGetFuncArgCurrent(window, form.l, &is_null);
    if (!is_null) promises.l = positive(window, form.l, "l");
  }
  if (form.t == kNoArgument) return;
  const Datum t = WinGetFuncArgCurrent(window, form.t, &is_null);
  if (is_null) return;
  promises.t = DatumGetFloat8(t);
  if (!(promises.t > 0 && promises.t <= 1))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("t must be above 0 and at most 1")));
}

void form_partition(FunctionCallInfo fcinfo, WindowObject window, const Form& form,
                    PartitionClasses& classes) {
  constexpr int kLongForm = 2;  // scales and small
  int places = 1;
  for (const int place : {form.p, form.l, form.t, form.sensitive})
    if (place != kNoArgument) ++places;
  const bool is_long = PG_NARGS() > places + 1;
  const int qi = is_long ? places + kLongForm : places;

  Options options = {};
  options.k = positive(window, 0, "k");
  options.threads = thread_count();
  WindowRows rows = {};
  rows.count = WinGetPartitionRowCount(window);
  require_constants(fcinfo, window, form.sensitive, rows.count);
  if (rows.count < options.k && is_long && flags_small(window, places + 1)) return;

  const Method& method = *find_method(form.method);
  options.recode = method.recode;
  read_promises(window, form, options.promises);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  read_values(window, qi, scratch, rows);
  if (form.sensitive != kNoArgument) read_sensitive(fcinfo, window, form.sensitive, rows);
  if (is_long) options.scales = scales_of(window, places, rows.columns);
  form_classes(rows, method, options, classes.class_of);
}

/// The body of every window function. The first row of a partition triggers the computation of its
/// classes.
Datum class_of_row(FunctionCallInfo fcinfo, const Form& form) {
  WindowObject window = PG_WINDOW_OBJECT();
  const int64 rows = WinGetPartitionRowCount(window);
  auto& classes = *static_cast<PartitionClasses*>(WinGetPartitionLocalMemory(
      window, offsetof(PartitionClasses, class_of) + sizeof(int32) * static_cast<Size>(rows)));
  if (!classes.formed) {
    MemoryContext context =
        AllocSetContextCreate(CurrentMemoryContext, "anonkit partition", ALLOCSET_DEFAULT_SIZES);
    MemoryContext outer = MemoryContextSwitchTo(context);
    form_partition(fcinfo, window, form, classes);
    MemoryContextSwitchTo(outer);
    MemoryContextDelete(context);
    classes.formed = true;
  }
  return Int32GetDatum(classes.class_of[WinGetCurrentPosition(window)]);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_mdav_class) {
  return anonkit::pg::class_of_row(fcinfo, {"mdav"});
}
ANONKIT_FUNCTION(anon_vmdav_class) {
  return anonkit::pg::class_of_row(fcinfo, {"vmdav"});
}
ANONKIT_FUNCTION(anon_mondrian_class) {
  return anonkit::pg::class_of_row(fcinfo, {"mondrian"});
}
ANONKIT_FUNCTION(anon_microaggregate_class) {
  return anonkit::pg::class_of_row(fcinfo, {"microaggregate"});
}
ANONKIT_FUNCTION(anon_diverse_class) {
  return anonkit::pg::class_of_row(fcinfo, {"microaggregate", -1, 1, 2, 3});
}
ANONKIT_FUNCTION(anon_tclose_class) {
  return anonkit::pg::class_of_row(fcinfo, {"tclose", -1, -1, 1, 2});
}
ANONKIT_FUNCTION(anon_psensitive_class) {
  return anonkit::pg::class_of_row(fcinfo, {"psensitive", 1, -1, -1, 2});
}
