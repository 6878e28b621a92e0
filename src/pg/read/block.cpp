#include <algorithm>
#include <cstring>
#include <new>

#include "pg/read/block.hpp"

#include "base/error.hpp"
#include "table/label_order.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/value_text.hpp"

namespace anonkit::pg {
namespace {

/// Represents a null category during reading.
constexpr int32 kNullMark = -1;
constexpr int64 kFirstCodes = 64;

/// The code of a category; never throws into the executor.
int32 code_of(Dictionary& dictionary, std::string_view text) noexcept {
  try {
    return dictionary.code(text);
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

/// The text that identifies a category, independent of settings for numbers and dates and of the
/// padding of char(n). A release holds the texts themselves where a type has no equality, so the
/// value's own type decides.
char* text_of_category(Block& block, int j, Datum value, Oid type) {
  const SourceColumn& column = block.columns[j];
  if (type == TEXTOID) return TextDatumGetCString(value);
  if (column.as_text && number_type(column.base_type) != nullptr)
    return value_text(column.base_type, value);
  char* text = OutputFunctionCall(&block.outputs[j], value);
  if (column.base_type == BPCHAROID)
    text[bpchartruelen(text, static_cast<int>(std::strlen(text)))] = '\0';
  return text;
}

/// True for a column without an order whose values may be equal though their texts differ.
bool joins_equal(const SourceColumn& column) {
  return column.role == Role::sensitive && column.kind == Kind::nominal && !column.told_apart;
}

/// The declaration of the column, as far as its values depend on it.
FormData_pg_attribute declaration_of(const SourceColumn& column) {
  FormData_pg_attribute attribute = {};
  namestrcpy(&attribute.attname, column.name);
  attribute.atttypid = column.declared_type;
  attribute.atttypmod = column.declared_type == column.base_type ? column.base_typmod : -1;
  attribute.attcollation = column.collation;
  get_typlenbyval(column.declared_type, &attribute.attlen, &attribute.attbyval);
  return attribute;
}

/// The column as ranks of its distinct texts' values.
ValueRanks make_equals(const SourceColumn& column) {
  const FormData_pg_attribute attribute = declaration_of(column);
  return make_value_ranks(&attribute, kFirstCodes, nullptr);
}

double category_value(Block& block, int j, Datum value, bool is_null, Oid type) {
  if (is_null) return kNullMark;
  Dictionary& dictionary = *block.dictionaries[j];
  const int32 known = dictionary.size();
  const int32 code = category_code(dictionary, text_of_category(block, j, value, type));
  if (code == known && joins_equal(block.columns[j])) {
    ValueRanks& equals = block.equals[j];
    if (code == equals.capacity) grow_ranks(equals, 2 * equals.capacity);
    add_value(equals, code, value, false);
  }
  return code;
}

double number_value(Block& block, int j, Datum value, bool is_null) {
  const SourceColumn& column = block.columns[j];
  if (is_null) return kNull;
  bool finite;
  const double number = number_of(column.base_type, value, &finite);
  if (!finite)
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION),
             errmsg("column \"%s\" contains a value that is not a finite number", column.name),
             errhint("Anonymize a view that leaves out NaN and infinite values, or turns them "
                     "into nulls.")));
  if (column.role == Role::sensitive)
    note_number(block.numbers[j], value, number);
  else if (block.exact[j] && may_lose_digits(column.base_type, column.base_typmod))
    block.exact[j] = is_exact(column.base_type, value, number);
  return number;
}

/// Adds the labels of an enum to its dictionary in their own order, so that codes are ranks.
void add_enum_labels(Dictionary& dictionary, Oid type) {
  Datum argument = ObjectIdGetDatum(type);
  Oid argument_type = OIDOID;
  SPI_execute_with_args(
      "SELECT enumlabel FROM pg_catalog.pg_enum WHERE enumtypid OPERATOR(pg_catalog.=) $1"
      " ORDER BY enumsortorder",
      1, &argument_type, &argument, nullptr, true, 0);
  for (uint64 i = 0; i < SPI_processed; ++i)
    category_code(dictionary, SPI_getvalue(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1));
}

/// Values of a list are ranks by their places in it.
void add_listed(Dictionary& dictionary, const SourceColumn& column) {
  const Names& values = *column.values_in_order;
  for (int i = 0; i < values.count; ++i)
    if (category_code(dictionary, values.names[i]) != i)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("the order of column \"%s\" names a value twice", column.name)));
}

void prepare_category(Block& block, int j) {
  const SourceColumn& column = block.columns[j];
  block.dictionaries[j] = &own_in_context(std::make_unique<Dictionary>());
  if (column.order == CategoryOrder::list)
    add_listed(*block.dictionaries[j], column);
  else if (column.kind == Kind::ordinal && column.order == CategoryOrder::own)
    add_enum_labels(*block.dictionaries[j], column.base_type);
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(column.base_type, &output, &is_varlena);
  fmgr_info(output, &block.outputs[j]);
  if (joins_equal(column)) block.equals[j] = make_equals(column);
}

/// An error unless every value has a place in the requested order.
void check_order(const SourceColumn& column, const Dictionary& dictionary) {
  const bool listed = column.order == CategoryOrder::list;
  int without = listed ? dictionary.size() - column.values_in_order->count : 0;
  for (int32 code = 0; column.order == CategoryOrder::numbers && code < dictionary.size(); ++code)
    without += numbers_of_label(dictionary.text(code)).empty() ? 1 : 0;
  if (without == 0) return;
  throw Error(
      ErrorKind::invalid_data,
      std::string("column \"") + column.name + "\" has values without a place in its order",
      "Distinct values without one: " + std::to_string(without) + ".",
      listed ? "List every value in orders, or make the others null in a view."
             : "Labels need a number. List the labels in orders, or make others null in a view.");
}

/// The new codes of categories that are not read in their order; else empty.
std::vector<std::int32_t> sort_categories(const SourceColumn& column, Dictionary& dictionary,
                                          Ticker& ticker) {
  if (column.order == CategoryOrder::numbers) return dictionary.sort(ticker, precedes_by_numbers);
  if (column.kind == Kind::nominal) return dictionary.sort(ticker);
  return {};
}

/// Codes of equal values become the least of them.
void join_equal(const ValueRanks& equals, std::vector<std::int32_t>& codes) {
  std::vector<std::int32_t> least(static_cast<std::size_t>(equals.distinct), PG_INT32_MAX);
  const auto least_of = [&](std::size_t code) -> std::int32_t& {
    return least[static_cast<std::size_t>(equals.codes[code])];
  };
  for (std::size_t code = 0; code < codes.size(); ++code)
    least_of(code) = std::min(least_of(code), codes[code]);
  for (std::size_t code = 0; code < codes.size(); ++code) codes[code] = least_of(code);
}

void settle_column(Block& block, int j, int64 rows) {
  Dictionary& dictionary = *block.dictionaries[j];
  const bool joins = joins_equal(block.columns[j]);
  if (joins) settle_ranks(block.equals[j], dictionary.size());
  BackendTicker ticker;
  check_order(block.columns[j], dictionary);
  std::vector<std::int32_t> new_codes = sort_categories(block.columns[j], dictionary, ticker);
  if (joins) join_equal(block.equals[j], new_codes);
  for (int64 i = 0; i < rows; ++i) {
    ticker.step(10);
    double& value = block.value(i, j);
    if (value == kNullMark)
      value = block.null_codes[j] = dictionary.size();
    else if (!new_codes.empty())
      value = new_codes[static_cast<std::size_t>(value)];
  }
}

}  // namespace

int32 category_code(Dictionary& dictionary, std::string_view text) {
  const int32 code = code_of(dictionary, text);
  if (code < 0) ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  return code;
}

Block make_block(const SourceColumn* columns, int count, int first, int64 capacity) {
  Block block = {columns,
                 count,
                 first,
                 allocate<double>(capacity * count),
                 allocate<Dictionary*>(count),
                 allocate<int32>(count),
                 allocate<FmgrInfo>(count),
                 allocate<bool>(count),
                 allocate<ValueRanks>(count),
                 allocate<ExactNumbers>(count)};
  for (int j = 0; j < count; ++j) {
    block.dictionaries[j] = nullptr;
    block.null_codes[j] = kNullMark;
    block.exact[j] = true;
    block.numbers[j] = {};
    if (columns[j].number_type == nullptr)
      prepare_category(block, j);
    else if (columns[j].role == Role::sensitive)
      block.numbers[j] = exact_numbers(declaration_of(columns[j]));
  }
  return block;
}

void grow_block(Block& block, int64 capacity) {
  resize(block.values, capacity * block.count);
}

void read_block_row(Block& block, int64 row, const TupleTableSlot* slot) {
  for (int j = 0; j < block.count; ++j) {
    const int at = block.first + j;
    const Datum value = slot->tts_values[at];
    const bool is_null = slot->tts_isnull[at];
    const Oid type = TupleDescAttr(slot->tts_tupleDescriptor, at)->atttypid;
    block.value(row, j) = block.columns[j].number_type != nullptr
                              ? number_value(block, j, value, is_null)
                              : category_value(block, j, value, is_null, type);
  }
}

void set_category(Block& block, int64 row, int j, const std::string* text) {
  block.value(row, j) = text == nullptr ? kNullMark : category_code(*block.dictionaries[j], *text);
}

void settle_block(Block& block, int64 rows) {
  for (int j = 0; j < block.count; ++j)
    if (block.dictionaries[j] != nullptr)
      settle_column(block, j, rows);
    else
      require_apart(block.numbers[j]);
}

Ranks ranks_of(const Block& block, int j, int64 rows) {
  Ranks ranks = {allocate<int32>(rows), allocate<double>(rows), 0, 0};
  const auto null_at = [&](double value) {
    return is_null(value) ||
           (block.null_codes[j] != kNullMark && value == static_cast<double>(block.null_codes[j]));
  };
  double* end = ranks.values;
  for (int64 i = 0; i < rows; ++i)
    if (!null_at(block.value(i, j))) *end++ = block.value(i, j);
  ranks.nulls = rows - (end - ranks.values);
  std::sort(ranks.values, end, [](double a, double b) {
    CHECK_FOR_INTERRUPTS();  // no C++ object is alive here
    return a < b;
  });
  end = std::unique(ranks.values, end);
  ranks.distinct = static_cast<int32>(end - ranks.values);
  for (int64 i = 0; i < rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    const double value = block.value(i, j);
    ranks.ranks[i] =
        null_at(value)
            ? ranks.distinct
            : static_cast<int32>(std::lower_bound(ranks.values, end, value) - ranks.values);
  }
  return ranks;
}

}  // namespace anonkit::pg
