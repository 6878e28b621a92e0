#pragma once

// Kept columns published as pseudonyms: numbers of 63 bits from an HMAC under a secret that is
// drawn with the source and never stored. So equal values have equal pseudonyms within a release,
// nothing of their order remains, and no two releases or versions have pseudonyms in common.
//
// Pseudonyms are made while rows are read: neither a table of them nor a second reading is needed,
// and rows are ordered by pseudonyms as by any published value. Among n values, two share a
// pseudonym with a probability below n * n / 2^64.

#include "pg/read/source.hpp"

namespace anonkit::pg {

/// Marks the columns of spec.pseudonym and draws the secret. Errors: a column that is not kept, is
/// named twice or coarsened, or whose equal values may have different texts.
void choose_pseudonyms(Source& source, TupleDesc descriptor, const Spec& spec);

int count_pseudonyms(const Source& source);

/// Writes the pseudonyms of a row's values, which begin at `original`, to the columns that begin at
/// `kept`. Null stays null.
void fill_pseudonyms(const Source& source, TupleTableSlot* slot, int original, int kept);

}  // namespace anonkit::pg
