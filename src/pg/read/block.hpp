#pragma once

#include <string>
#include <string_view>

#include "table/dictionary.hpp"
#include "table/table.hpp"

#include "pg/read/exact_numbers.hpp"
#include "pg/read/source.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// Columns of the source that enter the core, as a matrix of numbers and codes. Plain data,
/// palloc'd, except the dictionaries, which the memory context owns.
struct Block {
  const SourceColumn* columns;
  int count;
  int first;                  ///< position of the first column in the reading query's result
  double* values;             ///< rows x count; null is NaN; categories are codes
  Dictionary** dictionaries;  ///< one a column; null for numbers
  int32* null_codes;          ///< one a column: the code of null, or -1 without nulls
  FmgrInfo* outputs;          ///< one a column: the output function of a category
  bool* exact;                ///< one a column: doubles equal all its values, of quasi-identifiers
  ValueRanks* equals;         ///< one a column: the values of codes whose texts may be equal values
  ExactNumbers* numbers;      ///< one a column: of sensitive numbers

  double& value(int64 row, int j) const { return values[row * count + j]; }
};

/// An empty block with room for `capacity` rows, in the current memory context. Requires an SPI
/// session, to look up the labels of enums.
Block make_block(const SourceColumn* columns, int count, int first, int64 capacity);

void grow_block(Block& block, int64 capacity);

/// Adds the values of one row. An error if a number is NaN or infinite.
void read_block_row(Block& block, int64 row, const TupleTableSlot* slot);

/// Sets a cell of a row that was not read to a category, or to null.
void set_category(Block& block, int64 row, int j, const std::string* text);

/// Finishes the codes after the last row, so that they depend on the data only. Nominal categories
/// get codes in the order of their bytes, and null, if it occurs, the code after the last.
/// Sensitive values that are equal by their type, such as the intervals 24:00:00 and 1 day, share a
/// code.
void settle_block(Block& block, int64 rows);

/// The code of a category or label. An error if memory runs out.
int32 category_code(Dictionary& dictionary, std::string_view text);

/// A column's values as ranks among the distinct ones. Plain data.
struct Ranks {
  int32* ranks;    ///< one per row, from 0; null is last
  double* values;  ///< the distinct values, ascending
  int32 distinct;  ///< without null
  int64 nulls;
};

Ranks ranks_of(const Block& block, int j, int64 rows);

}  // namespace anonkit::pg
