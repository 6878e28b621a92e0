// System calls of a backend whose n-th call fails, to test that files, memory and threads may be
// refused at any point. The server of test/t/failing_calls.t starts with this module in LD_PRELOAD.
// WAL and the control file are spared: there the server itself panics.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstring>

extern "C" {
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
PG_MODULE_MAGIC;
}

namespace {

enum Kind { kNone, kOpen, kWrite, kRead, kGrow, kSync, kUnlink, kThread, kMemory };
constexpr const char* kNames[] = {"none", "open",   "write",  "read",  "grow",
                                  "sync", "unlink", "thread", "memory"};

std::atomic<int> armed{kNone};
std::atomic<std::int64_t> calls{0};
std::atomic<std::int64_t> failing{0};  ///< 0: none
std::atomic<bool> onwards{false};      ///< every call from there on fails
std::atomic<int> reason{0};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_spared(const char* path) {
  return std::strstr(path, "pg_wal") != nullptr || std::strstr(path, "pg_xact") != nullptr ||
         std::strstr(path, "/proc/") != nullptr || std::strstr(path, "pg_control") != nullptr ||
         std::strstr(path, "base/") == nullptr;
}

bool is_spared(int file) {
  char link[64], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return true;
  path[size] = '\0';
  return is_spared(path);
}

/// Counts a call; true if it is to fail.
bool fails() {
  const std::int64_t call = ++calls;
  const std::int64_t first = failing;
  if (first == 0 || !(call == first || (onwards && call > first))) return false;
  errno = reason;
  return true;
}
template <class Subject>
bool fails(Kind kind, Subject subject) {
  return armed == kind && !is_spared(subject) && fails();
}

}  // namespace

#define REPLACED extern "C" __attribute__((visibility("default")))

REPLACED int open(const char* path, int flags, ...) {
  static auto* real = next<int(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fails(kOpen, path) ? -1 : real(path, flags, mode);
}
REPLACED ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  static auto* real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return fails(kWrite, file) ? -1 : real(file, bytes, size, at);
}
REPLACED ssize_t pwritev(int file, const iovec* bytes, int count, off_t at) {
  static auto* real = next<ssize_t(int, const iovec*, int, off_t)>("pwritev");
  return fails(kWrite, file) ? -1 : real(file, bytes, count, at);
}
REPLACED ssize_t write(int file, const void* bytes, size_t size) {
  static auto* real = next<ssize_t(int, const void*, size_t)>("write");
  return fails(kWrite, file) ? -1 : real(file, bytes, size);
}
REPLACED ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  static auto* real = next<ssize_t(int, void*, size_t, off_t)>("pread");
  return fails(kRead, file) ? -1 : real(file, bytes, size, at);
}
REPLACED int ftruncate(int file, off_t size) noexcept {
  static auto* real = next<int(int, off_t)>("ftruncate");
  return fails(kGrow, file) ? -1 : real(file, size);
}
REPLACED int posix_fallocate(int file, off_t at, off_t size) {
  static auto* real = next<int(int, off_t, off_t)>("posix_fallocate");
  return fails(kGrow, file) ? reason.load() : real(file, at, size);
}
REPLACED int fsync(int file) {
  static auto* real = next<int(int)>("fsync");
  return fails(kSync, file) ? -1 : real(file);
}
REPLACED int unlink(const char* path) noexcept {
  static auto* real = next<int(const char*)>("unlink");
  return fails(kUnlink, path) ? -1 : real(path);
}
REPLACED int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*),
                            void* argument) noexcept {
  static auto* real =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return armed == kThread && fails() ? EAGAIN : real(thread, how, run, argument);
}

extern "C" void* __libc_malloc(size_t size);
/// The blocks of PostgreSQL's memory contexts, and C++ memory.
REPLACED void* malloc(size_t size) noexcept {
  return armed == kMemory && fails() ? nullptr : __libc_malloc(size);
}

extern "C" {
PG_FUNCTION_INFO_V1(fail_call);

/// fail_call(kind, n, errno, onwards): lets the n-th call of that kind from now fail, or none for
/// 0, and all after it. The number of calls of the kind before since it was called last.
PGDLLEXPORT Datum fail_call(PG_FUNCTION_ARGS) {
  const char* kind = text_to_cstring(PG_GETARG_TEXT_PP(0));
  const std::int64_t counted = calls.exchange(0);
  armed = kNone;
  failing = PG_GETARG_INT64(1);
  reason = PG_GETARG_INT32(2);
  onwards = PG_GETARG_BOOL(3);
  calls = 0;
  for (int i = 0; i <= kMemory; ++i)
    if (std::strcmp(kind, kNames[i]) == 0) armed = i;
  PG_RETURN_INT64(counted);
}
}
