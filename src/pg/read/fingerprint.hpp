#pragma once

#include "table/table.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The fingerprint of the value at a place in a row, and of its column's name, which the slot does
/// not know if the plan is parallel. Equal values of equal type have equal fingerprints, in every
/// database, under any settings, and on every machine whose numbers have their lowest byte first;
/// on others, too, but for arrays, ranges and jsonb.
Fingerprint fingerprint_of(const char* column, const TupleTableSlot* slot, int at);
/// That of a null in a column.
Fingerprint fingerprint_of_null(const char* column);
/// The fingerprint that the first bytes of a cryptographic hash are.
Fingerprint fingerprint_of_hash(const uint8* hash);
/// That of a row by the images of its values, in this database alone.
Fingerprint fingerprint_of_row(TupleDesc columns, const Datum* values, const bool* nulls);

}  // namespace anonkit::pg
