#pragma once

#include "pg/over_time/state.hpp"

namespace anonkit::pg {

/// The state as bytes, sealed. Numbers are little-endian; texts are UTF-8 behind their length:
///
///   uint32 format, 1
///   secret
///   int32 version, int64 classes, int64 present, float8 first_loss, float8 first_sst
///   int64 places, uint64 sums of places (4)
///   uint32 count, float8 scales
///   columns
///   uint32 count, enum columns: name, uint32 count, labels: first, last
///   float8 percentages not published that the owner was told of: of all, of a stratum
///   int64 count, waiting persons: hash, int32 since
///   HMAC-SHA-256 of all this
bytea* bytes_of_state(const Memory& memory);

/// False unless the bytes are such a state with its seal, and every number is possible.
bool read_state_bytes(const bytea* bytes, Memory& memory);

}  // namespace anonkit::pg
