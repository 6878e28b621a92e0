#pragma once

#include "promise/promise.hpp"

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// An option of a spec: its key in the written form, and the function that reads its value. The
/// parameters of promises have no rules: they are in the core's table.
struct Rule {
  const char* key;
  void (*read)(const char* key, const JsonbValue& value, Spec& spec);
};

struct Rules {
  const Rule* first;
  const Rule* last;

  const Rule* begin() const { return first; }
  const Rule* end() const { return last; }
};

/// The options of options.def, in its order, in which they are read.
Rules spec_rules();

/// Calls `visit` for each parameter of each promise.
template <class Visit>
void for_each_parameter(const Visit& visit) {
  for (const Promise* promise : kPromiseTable)
    for (const Parameter& parameter : promise->parameters)
      if (parameter.key != nullptr) visit(parameter);
}

/// True for an option, or a parameter of a promise.
bool is_option(const char* key);
/// True for an option that states a promise, which judges can measure.
bool is_promised(const char* key);
/// True for an older name of an option.
bool is_former_name(const char* name);
/// The options under their present names. An error if an option has different values under two.
Jsonb* with_present_names(Jsonb* options);

[[noreturn]] void refuse_unknown_option(const char* key);
[[noreturn]] void refuse_two_values(const char* key);

/// Reads the texts of suppressed cells, by column.
void read_suppressed(const char* key, const JsonbValue& value, SuppressedCells& suppressed);

/// Reads the value of a parameter of a promise.
void read_parameter(const Parameter& parameter, const JsonbValue& value, Spec& spec);

}  // namespace anonkit::pg
