#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// An error if promises contradict each other, or lack columns.
void check_promises(const Spec& spec);

/// An error for a population without a promise about it.
void check_population(const Spec& spec);

/// An error if histories are promised without a unit.
void check_unit(const Spec& spec);

/// An error if (n,t)-closeness has an n without a t.
void check_supersets(const Spec& spec);

/// An error for a threshold of risk without the share of records above it.
void check_threshold(const Spec& spec);

/// An error if there are protected values without the p of p-sensitivity.
void check_protected(const Spec& spec);

/// An error unless a release over time has a key and a method whose classes can be frozen.
void check_over_time(const Spec& spec);

/// True if the same method and options could make a transparent release.
bool can_be_transparent(const Spec& spec);

/// True if the same method and promises could count persons.
bool can_count_persons(const Spec& spec);
/// True if the same method and promises could keep the rows of each person together.
bool can_keep_histories(const Spec& spec);

/// True if the same method and options could promise models of these kinds, too.
bool can_promise(const Spec& spec, unsigned kinds);

/// An error unless the method keeps every promise and accepts the options.
void check_method(const Spec& spec);

/// An error for a seed of the user's beside a secret one, or a secret one beside that of a key.
void check_secret_seed(const Spec& spec);

/// An error unless a release by swapping is of columns of rows, with a secret seed and classes by
/// quasi-identifiers alone.
void check_swap(const Spec& spec);
/// An error for a release by swapping in a function that shows rows beside those of the source.
void refuse_swap(const Spec& spec, const char* what);

/// An error for widths without a grid, and for outward ends without widths, without ranges of
/// classes, or in versions whose classes must stay apart.
void check_outward(const Spec& spec);

/// True if a quasi-identifier has a hierarchy.
bool masks_by_hierarchy(const Spec& spec);

/// True if a name means the j-th quasi-identifier: spelled so, or in other cases where no column of
/// the spec is spelled so.
bool is_quasi_identifier(const Spec& spec, int j, const char* name);

/// An error if a recoding ignores hierarchies of quasi-identifiers: that would be a
/// misunderstanding.
void check_recode(const Spec& spec);

}  // namespace anonkit::pg
