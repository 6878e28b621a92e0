#pragma once

#include "pg/spec/json_values.hpp"
#include "pg/spec/moment.hpp"

namespace anonkit::pg {

// Value generalisation hierarchies as users write them: JSON objects in the arguments of a
// function.
//   {"prefix": 5, "step": 1, "mask": "*"}           texts, masked from the end
//   {"range": [5, 10, 20], "origin": 0, "low": 0, "high": 100}
//                                                   numbers, in intervals of these widths
//   {"date": ["month", "year"]}                     dates and timestamps, in units of time
//   {"cuts": [[18, 40, 65], [40]]}                  numbers or times, between the cuts of a level
//   {"table": "public.diagnoses", "columns": ["diagnosis", "organ"]}
//                                                   one row per value, one column per level
// Level 0 holds the values; a top level that suppresses them is implicit.
//
// Phases: read_hierarchy_rule() checks the object alone; check_value_type() compares it with a
// column; a Labeller (read/hierarchy/labeller.hpp) then labels values. Invariant: a rule is plain
// data in the current memory context, and its numbers point into the JSON.
//
//   const HierarchyRule* rule = read_hierarchy_rule(json);
//   check_value_type(*rule, "age", INT4OID);  // an error for texts
//   const bool ranges = has_intervals(*rule);

enum class HierarchyKind : uint8 { prefix, range, date, cuts, table };

/// The largest number of levels above the values.
constexpr int kMaxLevels = 100;

/// The points where the intervals of one level begin, ascending.
struct Cuts {
  int count;
  Numeric* numbers;  ///< null if the cuts are moments
  Moment* moments;
};

/// A hierarchy as the user gave it. Plain data, palloc'd; numbers point into the JSON.
struct HierarchyRule {
  HierarchyKind kind;
  int levels;  ///< above the values, with the top; for a table, set when it is read
  int length;  ///< of a prefix
  int step;
  char* mask;
  Numeric* widths;  ///< of a range, one a level
  Numeric origin;
  Numeric low;  ///< or null
  Numeric high;
  TimeUnit* units;  ///< of dates, one a level
  Cuts* cuts;       ///< one a level
  bool whole;       ///< bounds are integers or days, and suit integers or dates
  Oid table;
  Oid named_by;   ///< the owner of the release whose options name the table, or InvalidOid
  Names columns;  ///< null: all
};

/// Reads a hierarchy without reading tables. Errors name the parameter as `path` and its key.
HierarchyRule* read_hierarchy_rule(const char* path, const JsonbValue& value);
HierarchyRule* read_hierarchy_rule(Jsonb* json);

/// True if labels are intervals, published as values of a range type.
bool has_intervals(const HierarchyRule& rule);

/// An error unless the hierarchy applies to values of the type. The error names `column`, unless
/// null.
void check_value_type(const HierarchyRule& rule, const char* column, Oid declared_type);

}  // namespace anonkit::pg
