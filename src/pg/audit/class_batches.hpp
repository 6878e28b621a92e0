#pragma once

#include "pg/backend/boundary.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The blocks that a relation has stored; 0 for a view.
BlockNumber count_blocks(Oid relation);

/// The blocks of rows that an audit holds in memory well within anonkit.max_memory.
BlockNumber blocks_of_batch();

/// Conditions in SQL that divide the stored rows of a relation into batches of whole runs of equal
/// quasi-identifiers, each of about blocks_of_batch() blocks. Where equal rows are stored one after
/// another, as those of a release are, no batch divides a class. Requires an SPI session; reads
/// some rows a batch.
List* class_batches(Oid relation, const Names& qi);

}  // namespace anonkit::pg
