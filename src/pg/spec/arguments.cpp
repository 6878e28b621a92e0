#include "pg/spec/arguments.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/spec/spec_rules.hpp"

namespace anonkit::pg {
namespace {

[[noreturn]] void refuse_null(const char* name) {
  ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", name)));
  pg_unreachable();
}

/// The greatest integer is no bound that a user would know of.
[[noreturn]] void refuse_number(const char* name, double least, double greatest) {
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           greatest == INT_MAX ? errmsg("%s must be at least %g", name, least)
                               : errmsg("%s must be between %g and %.16g", name, least, greatest)));
  pg_unreachable();
}

}  // namespace

void require_arguments(FunctionCallInfo fcinfo, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (PG_ARGISNULL(argument_place(fcinfo, name))) refuse_null(name);
}

SuppressedCells suppressed_argument(FunctionCallInfo fcinfo) {
  static constexpr char name[] = "suppressed";
  const int place = argument_place(fcinfo, name);
  SuppressedCells suppressed = {};
  if (PG_ARGISNULL(place)) return suppressed;
  JsonbValue value;
  JsonbToJsonbValue(DatumGetJsonbP(PG_GETARG_DATUM(place)), &value);
  read_suppressed(name, value, suppressed);
  return suppressed;
}

Oid optional_relation(FunctionCallInfo fcinfo, const char* name) {
  const int place = argument_place(fcinfo, name);
  if (PG_ARGISNULL(place)) return InvalidOid;
  const Oid relation = PG_GETARG_OID(place);
  require_relation(relation);
  return relation;
}

Oid required_relation(FunctionCallInfo fcinfo, const char* name) {
  const Oid relation = optional_relation(fcinfo, name);
  if (!OidIsValid(relation)) refuse_null(name);
  return relation;
}

Names names_argument(FunctionCallInfo fcinfo, const char* name, int least) {
  const int place = argument_place(fcinfo, name);
  Names names = {nullptr, 0};
  if (PG_ARGISNULL(place) && least == 0) return names;
  if (PG_ARGISNULL(place)) refuse_null(name);
  Datum* elements;
  bool* nulls;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(place), TEXTOID, -1, false, TYPALIGN_INT, &elements,
                    &nulls, &names.count);
  if (names.count < least)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("parameter \"%s\" needs at least one column", name)));
  names.names = allocate<char*>(names.count);
  for (int i = 0; i < names.count; ++i) {
    if (nulls[i])
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("parameter \"%s\" must not contain nulls", name)));
    names.names[i] = TextDatumGetCString(elements[i]);
    for (int j = 0; j < i; ++j)
      if (std::strcmp(names.names[i], names.names[j]) == 0)
        ereport(ERROR,
                (errcode(ERRCODE_DUPLICATE_COLUMN),
                 errmsg("parameter \"%s\" names column \"%s\" twice", name, names.names[i])));
  }
  return names;
}

char* text_argument(FunctionCallInfo fcinfo, const char* name) {
  const int place = argument_place(fcinfo, name);
  return PG_ARGISNULL(place) ? nullptr : TextDatumGetCString(PG_GETARG_DATUM(place));
}

bool truth_argument(FunctionCallInfo fcinfo, const char* name) {
  const int place = argument_place(fcinfo, name);
  return !PG_ARGISNULL(place) && PG_GETARG_BOOL(place);
}

double number_argument(FunctionCallInfo fcinfo, const char* name, double least, double greatest,
                       double missing) {
  const int place = argument_place(fcinfo, name);
  if (PG_ARGISNULL(place)) {
    if (std::isnan(missing)) refuse_null(name);
    return missing;
  }
  double number = 0;
  Oid* types;
  int count;
  get_func_signature(fcinfo->flinfo->fn_oid, &types, &count);
  switch (types[place]) {
    case INT4OID:
      number = PG_GETARG_INT32(place);
      break;
    case INT8OID:
      number = static_cast<double>(PG_GETARG_INT64(place));
      break;
    default:
      number = PG_GETARG_FLOAT8(place);
  }
  if (!(number >= least && number <= greatest)) refuse_number(name, least, greatest);
  return number;
}

int32 count_argument(FunctionCallInfo fcinfo, const char* name, int32 least, int32 greatest) {
  return static_cast<int32>(number_argument(fcinfo, name, least, greatest, NAN));
}

double renamed_argument(FunctionCallInfo fcinfo, const char* name, const char* older, double least,
                        double greatest, double missing, double older_default) {
  const double former = number_argument(fcinfo, older, least, greatest, missing);
  const double number = number_argument(fcinfo, name, least, greatest, former);
  if (former != older_default && number != former)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s and %s, its older name, have different values", name, older)));
  return number;
}

}  // namespace anonkit::pg
