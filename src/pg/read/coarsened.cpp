#include "pg/read/coarsened.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

SourceColumn& coarsened_column(Source& source, TupleDesc descriptor, const char* name) {
  if (SourceColumn* column = find_kept(source, descriptor, name)) return *column;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("column \"%s\" of coarsen is not kept", name),
                  errhint("Only columns of keep are coarsened. A view can do it to others.")));
  pg_unreachable();
}

void require_plain_number(const SourceColumn& column) {
  char category;
  bool preferred;
  get_type_category_preferred(column.base_type, &category, &preferred);
  if (number_type(column.base_type) != nullptr && category == TYPCATEGORY_NUMERIC) return;
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("column \"%s\" of type %s cannot be coarsened", column.name,
                         format_type_be(column.declared_type)),
                  errhint("Numbers can. Truncate dates, or shorten texts, in a view.")));
}

void refuse_unit(TupleDesc descriptor, const SourceColumn& column, const Names& unit) {
  for (int i = 0; i < unit.count; ++i)
    if (find_column(descriptor, unit.names[i]) == column.number)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("column \"%s\" of the unit cannot be coarsened", column.name),
                      errdetail("It identifies the person of a row.")));
}

const char* literal(Numeric number) {
  return psprintf("%s::pg_catalog.numeric", quote_literal_cstr(DatumGetCString(DirectFunctionCall1(
                                                numeric_out, NumericGetDatum(number)))));
}

char* as_decimal(const SourceColumn& column) {
  return psprintf("source.%s::pg_catalog.numeric", quote_identifier(column.name));
}

/// The coarsened value as a decimal number; unspecified for null.
char* coarsened_decimal(const SourceColumn& column) {
  const Coarsening& coarsening = *column.coarsening;
  char* value = as_decimal(column);
  if (coarsening.round != nullptr)
    value = psprintf("pg_catalog.round(%s OPERATOR(pg_catalog./) %s) OPERATOR(pg_catalog.*) %s",
                     value, literal(coarsening.round), literal(coarsening.round));
  if (coarsening.bottom != nullptr)
    value = psprintf("GREATEST(%s, %s)", value, literal(coarsening.bottom));
  if (coarsening.top != nullptr) value = psprintf("LEAST(%s, %s)", value, literal(coarsening.top));
  return value;
}

}  // namespace

SourceColumn* find_kept(const Source& source, TupleDesc descriptor, const char* name) {
  const AttrNumber number = find_column(descriptor, name);
  for (int i = source.quasi_identifiers; i < source.count; ++i)
    if (source.columns[i].number == number && source.columns[i].role == Role::keep)
      return &source.columns[i];
  return nullptr;
}

void choose_coarsenings(Source& source, TupleDesc descriptor, const Spec& spec) {
  for (int i = 0; i < spec.coarsenings.count; ++i) {
    const CoarseningChoice& choice = spec.coarsenings.list[i];
    SourceColumn& column = coarsened_column(source, descriptor, choice.column);
    require_plain_number(column);
    refuse_unit(descriptor, column, spec.unit);
    column.coarsening = &choice.coarsening;
    // A coarser value may violate the constraints of a domain, whose functions are its owner's.
    column.released_type = column.base_type;
    column.released_typmod = column.base_typmod;
  }
}

char* published_expression(const SourceColumn& column) {
  const char* name = quote_identifier(column.name);
  if (column.pseudonym) return psprintf("NULL::pg_catalog.int8 AS %s", name);
  if (column.coarsening == nullptr) return psprintf("source.%s", name);
  return psprintf("CASE WHEN source.%s IS NOT NULL THEN (%s)::%s END AS %s", name,
                  coarsened_decimal(column),
                  format_type_extended(column.released_type, column.released_typmod,
                                       FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY),
                  name);
}

char* changes_expression(const Source& source) {
  StringInfoData sum;
  initStringInfo(&sum);
  for (int i = 0; i < source.spooled_count(); ++i) {
    const SourceColumn& column = source.spooled()[i];
    if (column.coarsening == nullptr) continue;
    appendStringInfo(&sum, "%sCASE WHEN (%s) OPERATOR(pg_catalog.<>) %s THEN 1 ELSE 0 END",
                     sum.len > 0 ? " OPERATOR(pg_catalog.+) " : "", coarsened_decimal(column),
                     as_decimal(column));
  }
  return sum.len > 0 ? sum.data : nullptr;
}

}  // namespace anonkit::pg
