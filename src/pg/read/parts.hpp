#pragma once

// A table that is larger than memory, in parts of neighbouring rows that are read one by one.
//
// Phases: read_parts() learns cuts and scales from the sample of a reading that kept no rows, reads
// the source again, and writes each row to the store of its part; read_part() loads one.
// Invariants: every row is in one part, and equal rows share a part. Cuts and scales depend on the
// rows, the seed and anonkit.max_memory, not on the order of the rows. Memory: work_mem, or 64 kB a
// part if that is more; the stores are temporary files.
//
//   Parts parts = read_parts(source, spec, loaded);
//   for (int32 part = 0; part < parts.count; ++part) use(read_part(source, spec, parts, part));

#include "pg/read/reader.hpp"

namespace anonkit::pg {

/// Plain data, palloc'd.
struct Parts {
  int32 count;
  double* scales;            ///< by quasi-identifier, for all parts
  Tuplestorestate** stores;  ///< by part: rows of the reading query
  TupleDesc descriptor;      ///< describes these rows
};

/// Requires an SPI session. Errors: those of read_source; nulls, counted in the entire table;
/// configuration_limit_exceeded if parts of that size would have fewer than k rows.
Parts read_parts(const Source& source, const Spec& spec, const Loaded& sampled);

/// Reads a part into the current memory context, as read_source does, and ends its store. An error
/// if it does not fit, as where many rows are equal.
Loaded read_part(const Source& source, const Spec& spec, const Parts& parts, int32 part);

}  // namespace anonkit::pg
