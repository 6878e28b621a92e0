#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The result rows (measure, attribute, value, explanation) of a function of risk or utility. Plain
/// data.
class FigureRows {
 public:
  /// The result of the current function call, in materialize mode.
  explicit FigureRows(FunctionCallInfo fcinfo);

  /// Adds a row. A value that is unknown (NaN) or beyond the range of a double becomes null, and so
  /// does the attribute of a figure of all columns.
  void add(const char* measure, const char* attribute, double value, const char* explanation) const;

 private:
  ReturnSetInfo* result_;
};

}  // namespace anonkit::pg
