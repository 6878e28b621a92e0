#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// A row of the source with its spooled columns. Plain data.
struct SpooledRow {
  int32 row;
  const Datum* values;
  const bool* nulls;
};

/// Passes the spooled rows to a function in the order of their keys, one for each row of the
/// source. Leaves out those with key 0. The spool may be larger than memory; it is gone afterwards.
void for_each_by_key(const Run& run, const int64* keys,
                     void (*receive)(const SpooledRow& row, void* state), void* state);

}  // namespace anonkit::pg
