#pragma once

#include <cstddef>
#include <cstdint>

namespace anonkit {

/// A hash of bytes that is equal on every machine: Bob Jenkins's lookup3, as PostgreSQL's
/// hash_bytes_extended computes it on machines whose numbers have their lowest byte first. That
/// function has other results elsewhere. It withstands nobody who chooses the bytes. O(size).
std::uint64_t hash_of_bytes(const void* bytes, std::size_t size, std::uint64_t seed);

}  // namespace anonkit
