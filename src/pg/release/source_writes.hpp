#pragma once

#include "pg/spec/named_tables.hpp"

namespace anonkit::pg {

/// The rows that were ever inserted, updated or deleted in the tables behind a source, as the
/// server's statistics count them. Views are followed to their tables, partitioned tables to their
/// partitions. The statistics lag behind other sessions by some seconds, count rolled-back work,
/// and restart after a crash. Plain data.
struct SourceWrites {
  bool known;    ///< false for foreign and distributed tables, and on a standby
  int64 rows;    ///< this session's own included
  bool emptied;  ///< the statistics know of rows written, and of none that is left
};

/// Reads the statistics. It takes no lock on the tables and needs no right on them.
SourceWrites source_writes(Oid source);
/// The sum of several sources.
SourceWrites writes_behind(const NamedTables& sources);

}  // namespace anonkit::pg
