#pragma once

// Calls of the extension's own functions, and other queries, with typed parameters.
//
// Phases: Arguments collects parameters; call() and ask() run one query under the caller's rights
// and return its rows as texts. Invariant: a function is found by its exact argument types in the
// extension's schema. Memory: texts in the current memory context.
//
//   const auto release = Arguments().relation(oid);
//   const Rows rows = call("anon_release_info", release, "f.source, f.built");
//   for (int i = 0; i < rows.count; ++i) write(rows.cells[i][0]);

#include "pg/risk/figure_list.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The rows of a query as texts; null is a null pointer. Plain data, palloc'd.
struct Rows {
  char*** cells;
  int count;
};

/// The parameters of a query, each with its exact type. Plain data.
class Arguments {
 public:
  Arguments& relation(Oid oid);  ///< InvalidOid is null
  Arguments& schema(Oid oid);
  Arguments& names(const Names& names);
  Arguments& names_or_null(const Names& names);  ///< an empty list is null
  Arguments& numbers(const double* list, int count);
  Arguments& words(const char* text);  ///< may be null
  Arguments& json(Jsonb* json);        ///< may be null
  Arguments& number(double number);    ///< NaN is null
  Arguments& integer(int32 number);
  Arguments& truth(bool value);
  Arguments& null(Oid type);

  int count() const { return count_; }
  bool are_all_of(Oid function) const;  ///< in number and types
  Rows ask(const char* query) const;

 private:
  Arguments& add(Oid type, Datum value, bool is_null);

  static constexpr int kMost = 24;
  int count_ = 0;
  Oid types_[kMost] = {};
  Datum values_[kMost] = {};
  char nulls_[kMost] = {};
};

/// Calls a set-returning function of the extension with the caller's rights. All arguments must be
/// given, else an error: no other function of that name can be called instead.
Rows call(const char* name, const Arguments& arguments, const char* columns);

/// The figures of anon_risk or a like function.
Figures call_figures(const char* function, const Arguments& arguments);

/// The number in a query's output; NaN for null.
double number_in(const char* text);

}  // namespace anonkit::pg
