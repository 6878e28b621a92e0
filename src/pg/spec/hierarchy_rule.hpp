#pragma once

#include "pg/spec/json_values.hpp"
#include "pg/spec/moment.hpp"

namespace anonkit::pg {

// A value generalisation hierarchy is given where it is used, as a JSON object:
//   {"prefix": 5, "step": 1, "mask": "*"}           texts, masked from the end
//   {"range": [5, 10, 20], "origin": 0, "low": 0, "high": 100}
//                                                   numbers, in intervals of these widths
//   {"date": ["month", "year"]}                     dates and timestamps, in units of time
//   {"cuts": [[18, 40, 65], [40]]}                  numbers or times, between the cuts of a level
//   {"table": "public.diagnoses", "columns": ["diagnosis", "organ"]}
//                                                   a row a value, a column a level
// Level 0 is the values; a top level that suppresses them comes by itself.

enum class HierarchyKind : uint8 { prefix, range, date, cuts, table };

/// The number of levels above the values that a hierarchy can have.
constexpr int kMaxLevels = 100;

/// The points at which the intervals of one level begin, ascending.
struct Cuts {
  int count;
  Numeric* numbers;  ///< null where the cuts are moments
  Moment* moments;
};

/// A hierarchy as it was given. Plain data, palloc'd; numbers point into the JSON.
struct HierarchyRule {
  HierarchyKind kind;
  int levels;  ///< above the values, the top included; of a table not known before it is read
  int length;  ///< of a prefix
  int step;
  char* mask;
  Numeric* widths;  ///< of a range, one a level
  Numeric origin;
  Numeric low;  ///< or null
  Numeric high;
  TimeUnit* units;  ///< of dates, one a level
  Cuts* cuts;       ///< one a level
  bool whole;       ///< bounds are whole numbers or days, and suit integers or dates
  Oid table;
  Names columns;  ///< null: all
};

/// Reads a hierarchy; errors name the parameter as `path` and its key. No table is read here.
HierarchyRule* read_hierarchy_rule(const char* path, const JsonbValue& value);
HierarchyRule* read_hierarchy_rule(Jsonb* json);

/// True if labels are intervals, published as values of a range type.
bool has_intervals(const HierarchyRule& rule);

/// An error unless the hierarchy is about values of the type. `column` is named if it is not null.
void check_value_type(const HierarchyRule& rule, const char* column, Oid declared_type);

/// The relation of that name, as the caller's search path has it.
Oid label_table_named(const char* name);

}  // namespace anonkit::pg
