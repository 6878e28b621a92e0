#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A figure of anon_risk, anon_linkage, anon_infer or anon_utility.
struct Figure {
  const char* measure;
  const char* attribute;  ///< null: all columns
  double value;           ///< NaN: unknown
  const char* explanation;
};

/// Figures in their order. Plain data, palloc'd.
struct Figures {
  Figure* list;
  int count;
  int capacity;

  /// Adds a figure. A value beyond the range of a double is unknown. Texts are not copied.
  void add(const char* measure, const char* attribute, double value, const char* explanation);
  /// The value of a figure; NaN without one.
  double find(const char* measure, const char* attribute = nullptr) const;
};

/// The result rows (measure, attribute, value, explanation) of a function. Plain data.
class FigureRows {
 public:
  /// The result of the current function call, in materialize mode.
  explicit FigureRows(FunctionCallInfo fcinfo);

  /// Adds the figures as rows, unknown values as null.
  void put(const Figures& figures) const;

 private:
  ReturnSetInfo* result_;
};

}  // namespace anonkit::pg
