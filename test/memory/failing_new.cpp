// An operator new whose n-th call fails, to test that memory may end at any point. The server of
// test/t/memory.t starts with this module in LD_PRELOAD.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

extern "C" {
#include "postgres.h"

#include "fmgr.h"
PG_MODULE_MAGIC;
}

namespace {

// Threads of the core count, too.
std::atomic<std::int64_t> calls{0};
std::atomic<std::int64_t> failing{0};  ///< 0: none

void* allocate(std::size_t size) {
  if (++calls == failing) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

EXPORTED void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}

EXPORTED void operator delete(void* memory) noexcept {
  std::free(memory);
}

EXPORTED void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

extern "C" {
PG_FUNCTION_INFO_V1(fail_new);

/// Lets the n-th call from now fail, or none for 0. The number of calls since it was called last.
PGDLLEXPORT Datum fail_new(PG_FUNCTION_ARGS) {
  failing = PG_GETARG_INT64(0);
  PG_RETURN_INT64(calls.exchange(0));
}
}
