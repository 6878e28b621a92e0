#include "pg/report/function_call.hpp"

#include <algorithm>
#include <cmath>

#include "pg/backend/extension.hpp"
#include "pg/backend/session.hpp"

namespace anonkit::pg {

Arguments& Arguments::add(Oid type, Datum value, bool is_null) {
  if (count_ == kMost) elog(ERROR, "too many arguments");
  types_[count_] = type;
  values_[count_] = value;
  nulls_[count_] = is_null ? 'n' : ' ';
  ++count_;
  return *this;
}

Arguments& Arguments::relation(Oid oid) {
  return add(REGCLASSOID, ObjectIdGetDatum(oid), !OidIsValid(oid));
}

Arguments& Arguments::schema(Oid oid) {
  return add(REGNAMESPACEOID, ObjectIdGetDatum(oid), false);
}

Arguments& Arguments::names(const Names& names) {
  return add(TEXTARRAYOID, PointerGetDatum(text_array(names)), false);
}

Arguments& Arguments::names_or_null(const Names& list) {
  return list.count > 0 ? names(list) : null(TEXTARRAYOID);
}

Arguments& Arguments::numbers(const double* list, int count) {
  Datum* elements = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) elements[i] = Float8GetDatum(list[i]);
  return add(FLOAT8ARRAYOID,
             PointerGetDatum(construct_array(elements, count, FLOAT8OID, sizeof(float8),
                                             FLOAT8PASSBYVAL, TYPALIGN_DOUBLE)),
             false);
}

Arguments& Arguments::words(const char* text) {
  return add(TEXTOID, text != nullptr ? CStringGetTextDatum(text) : 0, text == nullptr);
}

Arguments& Arguments::json(Jsonb* json) {
  return add(JSONBOID, json != nullptr ? JsonbPGetDatum(json) : 0, json == nullptr);
}

Arguments& Arguments::number(double number) {
  return add(FLOAT8OID, Float8GetDatum(number), std::isnan(number));
}

Arguments& Arguments::integer(int32 number) {
  return add(INT4OID, Int32GetDatum(number), false);
}

Arguments& Arguments::truth(bool value) {
  return add(BOOLOID, BoolGetDatum(value), false);
}

Arguments& Arguments::null(Oid type) {
  return add(type, 0, true);
}

Rows Arguments::ask(const char* query) const {
  Oid* types = const_cast<Oid*>(types_);
  Datum* values = const_cast<Datum*>(values_);
  const int result = SPI_execute_with_args(query, count_, types, values, nulls_, true, 0);
  if (result != SPI_OK_SELECT) elog(ERROR, "query failed: %s", SPI_result_code_string(result));
  Rows rows = {nullptr, static_cast<int>(SPI_processed)};
  rows.cells = allocate<char**>(rows.count);
  SPITupleTable* table = SPI_tuptable;
  for (int i = 0; i < rows.count; ++i) {
    rows.cells[i] = allocate<char*>(table->tupdesc->natts);
    for (int j = 0; j < table->tupdesc->natts; ++j)
      rows.cells[i][j] = SPI_getvalue(table->vals[i], table->tupdesc, j + 1);
  }
  SPI_freetuptable(table);
  return rows;
}

bool Arguments::are_all_of(Oid function) const {
  Oid* types = nullptr;
  int count = 0;
  get_func_signature(function, &types, &count);
  return count == count_ && std::equal(types, types + count, types_);
}

Rows call(const char* name, const Arguments& arguments, const char* columns) {
  const Oid function = extension_function(name);
  if (!OidIsValid(function) || !arguments.are_all_of(function))
    elog(ERROR, "wrong arguments of function \"%s\"", name);
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfo(&query, "SELECT %s FROM %s.%s(", columns, extension_schema(), name);
  for (int i = 0; i < arguments.count(); ++i)
    appendStringInfo(&query, "%s$%d", i > 0 ? ", " : "", i + 1);
  appendStringInfoString(&query, ") AS f");
  return arguments.ask(query.data);
}

Figures call_figures(const char* function, const Arguments& arguments) {
  const Rows rows = call(function, arguments, "f.measure, f.attribute, f.value, f.explanation");
  Figures figures = {};
  for (int i = 0; i < rows.count; ++i)
    figures.add(rows.cells[i][0], rows.cells[i][1], number_in(rows.cells[i][2]), rows.cells[i][3]);
  return figures;
}

double number_in(const char* text) {
  return text == nullptr ? NAN : std::strtod(text, nullptr);
}

}  // namespace anonkit::pg
