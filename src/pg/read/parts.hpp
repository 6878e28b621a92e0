#pragma once

// A table that is larger than memory, in parts of neighbouring rows that are read one by one.
//
// Phases: read_parts() learns cuts and scales from the sketch of a reading that kept no rows, reads
// the source again, and writes each row to the store of its part; read_part() loads one.
// Invariants: every row is in one part, equal rows share a part, and so do all rows of a person.
// Cuts and scales depend on the rows, the seed and anonkit.max_memory, not on the order of the
// rows. Memory: work_mem, or 64 kB a part if that is more; the stores are temporary files.
//
//   Parts parts = read_parts(source, spec, loaded);
//   for (int32 part = 0; part < parts.count; ++part) use(read_part(source, spec, parts, part));

#include "pg/read/value_domain.hpp"

namespace anonkit::pg {

/// Plain data, palloc'd.
struct Parts {
  int32 count;
  Spread* spreads;           ///< by quasi-identifier of numbers, of all rows
  Tuplestorestate** stores;  ///< by part: rows of the reading query
  TupleDesc descriptor;      ///< describes these rows
  ValueDomain domain;
};

/// Requires an SPI session. Errors: those of read_source; nulls among numbers, counted in the
/// entire table; configuration_limit_exceeded if parts of that size would have fewer than k rows.
Parts read_parts(const Source& source, const Spec& spec, const Loaded& sketched);

/// Reads a part into the current memory context, as read_source does, and ends its store. An error
/// if it does not fit, as where many rows are equal.
Loaded read_part(const Source& source, const Spec& spec, const Parts& parts, int32 part);

}  // namespace anonkit::pg
