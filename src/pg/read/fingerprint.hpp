#pragma once

#include "table/table.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The fingerprint of a value in a row, and of its column's name. Equal values of equal type have
/// equal fingerprints, in every database.
Fingerprint fingerprint_of(const TupleTableSlot* slot, int at);
/// That of a null in a column.
Fingerprint fingerprint_of_null(const char* column);

}  // namespace anonkit::pg
