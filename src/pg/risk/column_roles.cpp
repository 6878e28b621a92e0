// The proposed roles of columns. They are hints: names of columns and counts of values do not tell
// what others know.

#include "pg/read/number_type.hpp"
#include "pg/risk/profile.hpp"

extern "C" {
#include "catalog/pg_collation.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

constexpr char kIdentifierNames[] =
    "(^|_)(ssn|email|e_mail|phone|iban|passport|firstname|lastname|surname|name|mrn|street|address)"
    "($|_)";
constexpr char kSensitiveNames[] =
    "(diagnos|disease|illness|drug|therapy|health|salary|income|wage|debt|religio|politic|ethnic|"
    "crim|sexual)";
/// Names of columns that tell persons apart where a person has several rows.
constexpr char kUnitNames[] = "(^|_)(id|nr|nbr|no|num|number|ssn|mrn|person|patient|client)$";

bool matches(const char* name, const char* pattern) {
  return DatumGetBool(DirectFunctionCall2Coll(texticregexeq, DEFAULT_COLLATION_OID,
                                              CStringGetTextDatum(name),
                                              CStringGetTextDatum(pattern)));
}

bool is_document(Oid type) {
  return type == JSONOID || type == JSONBOID || type == XMLOID || type == BYTEAOID;
}

bool is_category(const ProfiledColumn& column) {
  return !column.as_text &&
         (column.category == TYPCATEGORY_STRING || column.category == TYPCATEGORY_BOOLEAN ||
          column.category == TYPCATEGORY_NETWORK || column.category == TYPCATEGORY_ENUM ||
          column.base_type == UUIDOID);
}

bool can_be_masked(const ProfiledColumn& column) {
  return number_type(column.base_type) != nullptr || is_category(column);
}

/// True if nearly every record has a value of its own.
bool is_nearly_unique(const ProfiledColumn& column, int64 rows) {
  const auto values = static_cast<double>(column.values());
  const bool names_persons = column.category == TYPCATEGORY_STRING ||
                             column.category == TYPCATEGORY_USER || column.base_type == UUIDOID;
  return rows > 1 && column.nulls < rows &&
         values > 0.95 * static_cast<double>(rows - column.nulls) &&
         (names_persons || (is_whole_number(column.base_type) && column.values() == rows));
}

/// A person's number repeats, and what lasts is constant within it. A code may determine others,
/// too, such as a postal code the town: without the name of a number, it must have many values.
bool may_be_unit(const ProfiledColumn& column, int64 rows) {
  constexpr int64 kMostRowsOfAPerson = 5;
  if (column.determined == 0) return false;
  return matches(column.name, kUnitNames) ||
         (column.determined > 1 && column.values() * kMostRowsOfAPerson >= rows);
}

/// The column that determines most others; null without any.
ProfiledColumn* likely_unit(Profile& profile) {
  ProfiledColumn* unit = nullptr;
  for (int j = 0; j < profile.count; ++j) {
    ProfiledColumn& column = profile.columns[j];
    if (may_be_unit(column, profile.rows) &&
        (unit == nullptr || column.determined > unit->determined ||
         (column.determined == unit->determined && column.values() > unit->values())))
      unit = &column;
  }
  return unit;
}

const char* reason_of_quasi_identifier(const ProfiledColumn& column) {
  constexpr int kFewValues = 20;
  if (column.values() <= 1)
    return "it has one value and tells nobody apart: keeping it costs nothing";
  if (is_category(column)) return "a category that others may know";
  if (column.category == TYPCATEGORY_DATETIME)
    return "a date that others may know: the finer, the more it tells apart";
  if (is_whole_number(column.base_type) && column.values() <= kFewValues)
    return "few whole numbers: name it in categories if they are codes without an order";
  return "a number that others may know";
}

void propose_role(ProfiledColumn& column, int64 rows, bool is_unit) {
  constexpr double kLongText = 40;
  const auto propose = [&](ColumnRole role, const char* reason) {
    column.role = role;
    column.reason = reason;
  };
  if (is_document(column.base_type) || column.mean_length > kLongText)
    propose(ColumnRole::free_text, "long texts or documents may say anything: leave it out");
  else if (is_unit)
    propose(
        ColumnRole::unit,
        "it repeats, and other columns are constant within it: name it as unit, so that k counts "
        "persons");
  else if (matches(column.name, kIdentifierNames))
    propose(ColumnRole::identifier, "its name is that of an identifier");
  else if (is_nearly_unique(column, rows))
    propose(ColumnRole::identifier, "nearly every record has a value of its own");
  else if (!can_be_masked(column))
    propose(ColumnRole::other, "its type cannot be masked: leave it out, or cast it in a view");
  else if (matches(column.name, kSensitiveNames))
    propose(ColumnRole::sensitive, "its name is that of a sensitive attribute");
  else
    propose(ColumnRole::quasi_identifier, reason_of_quasi_identifier(column));
}

}  // namespace

void propose_roles(Profile& profile) {
  const ProfiledColumn* unit = likely_unit(profile);
  for (int j = 0; j < profile.count; ++j)
    propose_role(profile.columns[j], profile.rows, &profile.columns[j] == unit);
}

}  // namespace anonkit::pg
