#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// Equal rows of a release, in the order of its columns.
struct ReleasedRows {
  const Datum* values;
  const bool* nulls;
  int64 records;
  Fingerprint others;  ///< fingerprint of all values but the masked ones
};
using RowsFunction = void (*)(const ReleasedRows& rows, void* state);

/// The columns of a release.
TupleDesc release_descriptor(const Source& source);

/// Passes the rows of a release to a function: by their masked values, then by the fingerprint of
/// the others. This order depends only on published values, so it reveals nothing about the source.
void put_rows(const Run& run, RowsFunction put, void* state);

/// Adds the rows to a function's result. `state` is its ReturnSetInfo.
void add_to_result(const ReleasedRows& rows, void* state);

}  // namespace anonkit::pg
