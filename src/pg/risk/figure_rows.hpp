#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The rows (measure, attribute, value, explanation) of a function of risk or utility. Plain data.
class FigureRows {
 public:
  /// The result of the function that is being called, in materialize mode.
  explicit FigureRows(FunctionCallInfo fcinfo);

  /// A value that nobody can know (NaN) is null; so is the attribute of a figure of all columns.
  void add(const char* measure, const char* attribute, double value, const char* explanation) const;

 private:
  ReturnSetInfo* result_;
};

}  // namespace anonkit::pg
