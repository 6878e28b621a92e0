#pragma once

#include "pg/read/exact_numbers.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The conversion of a column's values to two numbers. Plain data.
struct NumberColumn {
  char* name;
  Oid type;               ///< of a number, or of a range's ends
  TypeCacheEntry* range;  ///< null for numbers
  ExactNumbers* exact;    ///< the numbers that were read, of keep_numbers; or null
};

/// The base type of a column's numbers or of the ends of its ranges; InvalidOid for other columns.
Oid number_or_end_type(Oid declared_type);
/// An error (datatype_mismatch) if the column holds neither numbers nor ranges of numbers.
NumberColumn number_column(Form_pg_attribute attribute);
/// Keeps the numbers that are read from a column without ranges, for settle_number_cells.
void keep_numbers(NumberColumn& column, Form_pg_attribute attribute);
/// The least and the greatest number of a cell. Errors (data_exception): a null, no finite number,
/// an empty or unbounded range.
void read_number_cell(const NumberColumn& column, Datum value, bool is_null, double* low,
                      double* high);
/// As read_number_cell of a value, but an end that a range lacks is NaN.
void read_open_cell(const NumberColumn& column, Datum value, double* low, double* high);
/// The greatest number that a range without an upper end may contain: the last one of a discrete
/// type, NaN for others.
double greatest_member(const NumberColumn& column);
/// After the last cell. An error (data_exception) if two different numbers that were kept share a
/// double.
void settle_number_cells(const NumberColumn& column);

/// False for a value that read_open_cell would reject.
bool is_open_cell(const NumberColumn& column, Datum value);
/// As read_number_cell, but false for a cell that it would reject.
bool find_number_cell(const NumberColumn& column, Datum value, bool is_null, double* low,
                      double* high);

/// Columns of numbers or of ranges of numbers, as an attacker reads them. Plain data, palloc'd.
struct PublishedNumbers {
  int64 rows;
  int64 capacity;
  int attributes;
  double* low;   ///< rows x attributes; a number v is [v, v]
  double* high;  ///< a discrete range's last member, else its upper end
  int32* codes;  ///< one per row: the rank of the sensitive column's value; null without one
};

/// Reads the columns, and the ranks of a sensitive one (null: none). Errors: a column of another
/// type (datatype_mismatch); a null, an empty or an unbounded range (data_exception, with the
/// column).
PublishedNumbers read_published_numbers(Oid relation, const Names& columns, const char* sensitive);

}  // namespace anonkit::pg
