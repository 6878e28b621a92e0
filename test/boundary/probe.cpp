// SQL functions that end in every way possible for C++ code, to test the boundary.

#include <sys/resource.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/eigen.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "pg/backend/attempt.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/boundary.hpp"
#include "pg/backend/settings.hpp"

extern "C" {
#include "access/xact.h"
PG_MODULE_MAGIC;
}

namespace anonkit::pg {
int progress_interval = 0;
bool show_progress = false;
int max_memory = 0;
}  // namespace anonkit::pg

namespace {

using anonkit::Error;
using anonkit::ErrorKind;
using anonkit::pg::attempt;
using anonkit::pg::BackendTicker;
using anonkit::pg::call_backend;
using anonkit::pg::own_in_context;

int live = 0;

/// Counts objects that were constructed and not destroyed; owns memory, like real objects.
struct Counted {
  Counted() { ++live; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live; }
  std::string memory = std::string(1000, 'x');
};

/// Owned memory that threads read: the server ends if it is freed meanwhile.
struct Shared {
  Shared() = default;
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    if (readers > 0) std::abort();
  }
  std::atomic<int> readers{0};
};

/// A thread that reads.
class Reading {
 public:
  explicit Reading(Shared& shared) : shared_(shared) { ++shared_.readers; }
  ~Reading() { --shared_.readers; }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  Shared& shared_;
};

[[noreturn]] void throw_kind(ErrorKind kind) {
  throw Error(kind, "the message", "The detail.", "The hint.");
}

double outside_of_a_matrix(Eigen::Index at) {
  const anonkit::Matrix matrix = anonkit::Matrix::Zero(2, 2);
  return matrix(at, at);
}

void throw_what(const std::string& what) {
  const Counted counted;
  if (what == "bad_alloc") throw std::bad_alloc();
  if (what == "new") std::string().reserve(std::string().max_size());
  if (what == "int") throw 42;
  if (what == "runtime_error") throw std::runtime_error("what it says");
  if (what == "eigen_assert") outside_of_a_matrix(static_cast<Eigen::Index>(what.size()));
  if (what == "invalid_parameter") throw_kind(ErrorKind::invalid_parameter);
  if (what == "invalid_data") throw_kind(ErrorKind::invalid_data);
  if (what == "infeasible") throw_kind(ErrorKind::infeasible);
  if (what == "promise_broken") throw_kind(ErrorKind::promise_broken);
  if (what == "out_of_memory") throw_kind(ErrorKind::out_of_memory);
  if (what == "internal") throw_kind(ErrorKind::internal);
  if (what == "percent") throw Error(ErrorKind::internal, "%s %n", "%d", "%%");
  std::string letters;
  for (int i = 0; i < 2000; ++i) letters += "\xc3\xa9";
  if (what == "long") throw Error(ErrorKind::internal, letters, letters, letters);
}

/// Calls the backend below `depth` C++ frames.
void call_deep_down(const char* command, int depth) {
  const Counted counted;
  if (depth > 0) return call_deep_down(command, depth - 1);
  call_backend([command] {
    SPI_connect();
    SPI_execute(command, false, 0);
    SPI_finish();
  });
}

/// Exhausts memory during its lifetime: it uses up the current context, and the process gets no
/// more.
class Exhausted {
 public:
  Exhausted()
      : outer_(CurrentMemoryContext),
        spent_(AllocSetContextCreate(outer_, "probe without memory", ALLOCSET_SMALL_SIZES)) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit none = before_;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    MemoryContextSwitchTo(spent_);
    for (std::size_t size = 1 << 22; size >= 16; size /= 2)
      while (MemoryContextAllocExtended(spent_, size, MCXT_ALLOC_NO_OOM) != nullptr) {
      }
  }
  Exhausted(const Exhausted&) = delete;
  Exhausted& operator=(const Exhausted&) = delete;
  ~Exhausted() {
    setrlimit(RLIMIT_AS, &before_);
    MemoryContextSwitchTo(outer_);
    MemoryContextDelete(spent_);
  }

 private:
  MemoryContext outer_;
  MemoryContext spent_;
  rlimit before_;
};

/// Work for `attempt`, and its end.
struct Attempted {
  const char* how;
  std::optional<Exhausted> exhausted;  ///< until the end of the probe
};

/// Raises an error whose text is longer than all memory that is left.
void raise_without_memory(std::optional<Exhausted>& exhausted) {
  MemoryContext context = CurrentMemoryContext;
  char* text = static_cast<char*>(palloc0(1 << 20));
  std::memset(text, 'x', (1 << 20) - 1);
  PG_TRY();
  { ereport(ERROR, (errcode(ERRCODE_RAISE_EXCEPTION), errmsg("%s", text))); }
  PG_CATCH();
  {
    MemoryContextSwitchTo(context);
    exhausted.emplace();
    PG_RE_THROW();
  }
  PG_END_TRY();
}

void write_and_end(void* state) {
  auto& work = *static_cast<Attempted*>(state);
  SPI_connect();
  SPI_execute("INSERT INTO checked VALUES (1)", false, 0);
  SPI_finish();
  if (std::strcmp(work.how, "backend error") == 0)
    ereport(ERROR, (errcode(ERRCODE_RAISE_EXCEPTION), errmsg("after writing")));
  if (std::strcmp(work.how, "exhausted") == 0) raise_without_memory(work.exhausted);
  throw_what(work.how);
}

char* text_argument(FunctionCallInfo fcinfo, int i) {
  return text_to_cstring(PG_GETARG_TEXT_PP(i));
}

}  // namespace

ANONKIT_FUNCTION(probe_throw) {
  const char* what = text_argument(fcinfo, 0);
  throw_what(what);
  PG_RETURN_VOID();
}

/// Raises backend errors below C++ frames.
ANONKIT_FUNCTION(probe_call) {
  const char* command = text_argument(fcinfo, 0);
  call_deep_down(command, PG_GETARG_INT32(1));
  PG_RETURN_VOID();
}

/// A C++ handler must not swallow a backend error, but may clean up.
ANONKIT_FUNCTION(probe_rethrow) {
  const char* command = text_argument(fcinfo, 0);
  try {
    call_deep_down(command, 3);
  } catch (...) {
    throw;
  }
  PG_RETURN_VOID();
}

/// Raises a backend error without memory for it.
ANONKIT_FUNCTION(probe_exhausted) {
  const Counted counted;
  const Exhausted exhausted;
  call_backend([] { ereport(ERROR, (errcode(ERRCODE_RAISE_EXCEPTION), errmsg("no memory"))); });
  PG_RETURN_VOID();
}

/// Attempts work that writes a row and ends as `how` says. The end, and the subtransactions that
/// are left.
ANONKIT_FUNCTION(probe_attempt) {
  Attempted work = {text_argument(fcinfo, 0), {}};
  const int level = GetCurrentTransactionNestLevel();
  ErrorData* error = nullptr;
  call_backend([&] { error = attempt(write_and_end, &work); });
  const int left = GetCurrentTransactionNestLevel() - level;
  char* end = error == nullptr ? pstrdup("no error")
                               : psprintf("%s; %s", unpack_sql_state(error->sqlerrcode),
                                          anonkit::pg::public_message(*error));
  PG_RETURN_TEXT_P(cstring_to_text(psprintf("%s; %d", end, left)));
}

/// The depth of subtransactions.
ANONKIT_FUNCTION(probe_depth) {
  PG_RETURN_INT32(GetCurrentTransactionNestLevel());
}

/// Owned objects: `how` names the subsequent event.
ANONKIT_FUNCTION(probe_own) {
  const char* how = text_argument(fcinfo, 0);
  Counted& owned = own_in_context(std::make_unique<Counted>());
  if (std::strcmp(how, "backend error") == 0)
    ereport(ERROR, (errcode(ERRCODE_RAISE_EXCEPTION), errmsg("after owning")));
  if (std::strcmp(how, "exception") == 0) throw std::runtime_error("after owning");
  PG_RETURN_INT32(static_cast<int>(owned.memory.size()));
}

/// A loop of the core with `milliseconds` of work, unless a cancel ends it.
ANONKIT_FUNCTION(probe_loop) {
  const double milliseconds = PG_GETARG_FLOAT8(0);
  BackendTicker ticker;
  const Counted counted;
  volatile double sum = 0;
  ticker.begin("probing", static_cast<std::int64_t>(milliseconds));
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(milliseconds * 1000); ++i) {
    for (int j = 0; j < 1000; ++j) sum = sum + j;
    ticker.step(1000);
    if (i % 1000 == 999) ticker.advance(1);
  }
  PG_RETURN_VOID();
}

/// Two threads that work until the call is ended.
ANONKIT_FUNCTION(probe_threads) {
  Shared& shared = own_in_context(std::make_unique<Shared>());
  BackendTicker ticker;
  anonkit::run_unreported_tasks(2, 2, ticker, [&](std::size_t, anonkit::Ticker& own) {
    const Reading reading(shared);
    for (;;) own.step(1);
  });
  PG_RETURN_VOID();
}

ANONKIT_FUNCTION(probe_live) {
  PG_RETURN_INT32(live);
}
