#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Whether what is promised fits together; raises an error if not. A promise needs columns to be
/// about.
void check_promises(const Spec& spec);

/// An error if histories are promised, and nothing says whose a row is.
void check_unit(const Spec& spec);

/// An error if there is an n of (n,t)-closeness, and no t.
void check_supersets(const Spec& spec);

/// An error if there are protected values, and no p of p-sensitivity that would count them.
void check_protected(const Spec& spec);

/// A release over time needs a key, and a method whose classes can be frozen.
void check_over_time(const Spec& spec);

/// A promise needs a method that keeps it, and that makes sense of the options.
void check_method(const Spec& spec);

}  // namespace anonkit::pg
