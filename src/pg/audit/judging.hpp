#pragma once

// The route by which privacy models judge rows: those of a finished relation (audit.cpp), and those
// of a release before they are written (release/verify.cpp).
//
// Phases: the caller describes its rows as Evidence; judge() measures the models in question;
// require_level() compares what they found with a promise. Invariant: models see classes, values
// and persons, and nothing of the method that formed the classes. Memory: 8 bytes per row, with
// persons 12, twice that if values are withheld; and the histogram of one attribute at a time.
//
//   const Evidence evidence = evidence_of(rows);
//   for (const Measured& one : judge(evidence, {&promised, {}, promised.parameters}).list)
//     require_level("the masked records violate", promised.list[0], one, column);

#include <optional>
#include <string>
#include <vector>

#include "pg/read/protected_values.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {

/// Rows as models see them.
struct JudgedRows {
  std::vector<Record> rows;
  std::vector<std::int32_t> class_of;  ///< of each its class, numbered without gaps
  std::vector<std::int32_t> unit_of;   ///< of each its person; empty if nobody has several rows
  std::vector<std::int32_t> classes;   ///< of each such class its number among all
};

/// The rows that are in a class (not kNone) that is `judged`. `unit_of` may be null.
template <class ClassOf>
JudgedRows rows_of_classes(int64 rows, const ClassOf& class_of, const int32* unit_of,
                           const std::vector<bool>& judged) {
  JudgedRows of;
  std::vector<std::int32_t> number(judged.size(), kNone);
  for (std::size_t c = 0; c < judged.size(); ++c) {
    if (!judged[c]) continue;
    number[c] = static_cast<std::int32_t>(of.classes.size());
    of.classes.push_back(static_cast<std::int32_t>(c));
  }
  of.rows.reserve(static_cast<std::size_t>(rows));
  of.class_of.reserve(static_cast<std::size_t>(rows));
  for (int64 row = 0; row < rows; ++row) {
    const int32 c = class_of(row);
    if (c == kNone || !judged[static_cast<std::size_t>(c)]) continue;
    of.rows.push_back(static_cast<Record>(row));
    of.class_of.push_back(number[static_cast<std::size_t>(c)]);
    if (unit_of != nullptr) of.unit_of.push_back(unit_of[row]);
  }
  return of;
}

/// A sensitive column as models see it. Plain data.
struct JudgedColumn {
  const int32* codes;  ///< by row: the rank of its value; null is the last
  AttributeScale scale;
  const double* numbers;                    ///< numeric only: by code, without null
  int32 count;                              ///< of the numbers
  const ColumnHierarchy* hierarchy;         ///< or null
  const ProtectedValues* protected_values;  ///< of the hierarchy, or null
};

/// All that models see of a relation.
struct Evidence {
  JudgedRows all;
  std::optional<JudgedRows> shown;  ///< the rows whose sensitive values readers see, if not all
  std::vector<JudgedColumn> columns;
  /// By class of all rows: the part of the relation that its distributions are compared with;
  /// empty: the relation.
  std::vector<std::int32_t> part_of;
  /// (n,t)-closeness: the natural supersets of the classes, see ModelParameters.
  std::vector<std::vector<std::int32_t>> supersets;
};

/// The models to measure, and the levels by which classes fall short.
struct Question {
  const AskedLevels* promised;  ///< null: every model that applies
  AskedLevels asked;            ///< measured, too
  ModelParameters parameters;
};

/// A requested level, and the classes that fall short of it.
struct Shortfall {
  const AskedLevel* asked = nullptr;
  bool by_class = false;  ///< the model gives each class a level; without, none is counted
  int64 classes = 0;
  int64 members = 0;  ///< of these classes: records, or persons with a unit
};

/// One measurement of a model, for one attribute (kAnyAttribute: none).
struct Measured {
  const Model* model;
  int attribute;
  Level level;  ///< without those by class
  Shortfall shortfall;
};

struct Measurements {
  std::vector<Measured> list;
  std::vector<std::int32_t> class_sizes;  ///< in persons, with a unit
  int64 withheld = 0;                     ///< rows whose sensitive values readers do not see
};

/// Measures the models in question, those of classes alone first. O(rows log rows) per attribute.
Measurements judge(const Evidence& evidence, const Question& question);

/// A promise that rows break.
struct BrokenPromise {
  const char* subject;  ///< and its verb, as "relation \"r\" violates"
  const char* model;
  const char* column;      ///< or null
  const char* aggregates;  ///< that the attacker knows, or null
  Comparison comparison;
  double promised;
  double found;
};

/// The error of every promise that is broken: check_violation with the model, the column, the level
/// promised, its direction and the level found. `cause` follows in the detail.
[[noreturn]] void refuse_broken(const BrokenPromise& broken, const std::string& cause = {});

/// True if a measurement concerns the promise and falls short of it.
bool falls_short(const AskedLevel& promised, const Measured& found);

/// The error above, if a measurement concerns the promise and falls short of it.
void require_level(const char* subject, const AskedLevel& promised, const Measured& found,
                   const char* column, const std::string& cause = {});

}  // namespace anonkit::pg
