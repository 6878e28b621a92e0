#pragma once

// Protected values of sensitive columns of related tables: labels of their hierarchies. Promises on
// values of such a column are about these labels alone.
//
//   const Spec* spec = protected_spec(options);           // null without protected values
//   int32* codes = protected_codes(table, a, ranks, rows, memory);

#include "pg/set/set_reader.hpp"

namespace anonkit::pg {

/// The protected values in a table's options, with the hierarchies of their columns; null without
/// any. Names of tables of labels are looked up in the search path.
const Spec* protected_spec(Jsonb* options);

/// By row the protected value of sensitive column a, negative for others; null if the column has
/// none. `ranks` are settled. Errors: no hierarchy, one that does not fit, unknown labels.
int32* protected_codes(const SetTable& table, int a, const ValueRanks& ranks, int64 rows,
                       MemoryCount* memory);

}  // namespace anonkit::pg
