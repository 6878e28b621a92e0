#pragma once

// The boundary between C++ and the backend.
//
// Two ways of leaving a function must never meet. A C++ exception must not leave a C function, and
// the backend's longjmp must not skip a C++ object with a destructor. Four rules ensure that:
//   - ANONKIT_FUNCTION declares every SQL function. It turns any exception of the body into an
//     ERROR, after all C++ frames are gone.
//   - A body holds only plain data while it calls the backend, and calls the core with guarded
//     pointers to that data.
//   - The core calls the backend only through call_backend. It turns a backend error into an
//     exception, and leaves the error intact, with its SQLSTATE and hint.
//   - A memory context owns a C++ result that outlives its scope (own_in_context).
//
//   ANONKIT_FUNCTION(anon_example) {
//     const Oid relation = relation_argument(fcinfo);  // plain data only
//     PG_RETURN_INT32(rows_of(relation)); }

#include <memory>
#include <type_traits>
#include <utility>

#include "pg/backend/pg.hpp"

namespace anonkit::pg {

/// Marks a backend error on its way through C++ frames. The backend keeps the error itself: a copy
/// would need memory, whose lack may be the error. So C++ code must let this exception pass.
struct BackendError {};

/// The contents of an exception, as plain data.
struct Failure {
  bool backend;  ///< a backend error, whose text is in the backend
  int sqlstate;
  char message[512];
  char detail[1024];
  char hint[512];
};

using Body = Datum (*)(FunctionCallInfo);

/// Runs the body of an SQL function and turns any exception into an ERROR. anonkit::Error keeps its
/// kind, message, detail and hint. A backend error is rethrown unchanged; bad_alloc becomes 53200,
/// and any other exception XX000.
Datum enter(FunctionCallInfo fcinfo, Body body);

/// Calls the backend from C++ frames. `call` must not create objects with destructors.
template <class Call>
void call_backend(Call&& call) {
  MemoryContext context = CurrentMemoryContext;
  volatile bool failed = false;
  PG_TRY();
  { call(); }
  PG_CATCH();
  {
    MemoryContextSwitchTo(context);
    failed = true;
  }
  PG_END_TRY();
  if (failed) throw BackendError{};
}

/// Moves a C++ object to the current memory context, which deletes it at its reset, after success
/// or error. The reference is valid until then.
template <class T>
T& own_in_context(std::unique_ptr<T> object) {
  MemoryContextCallback* callback = nullptr;
  call_backend([&] {
    callback = static_cast<MemoryContextCallback*>(palloc(sizeof(MemoryContextCallback)));
    callback->func = [](void* owned) { delete static_cast<T*>(owned); };
    callback->arg = object.get();
    MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
  });
  return *object.release();
}

}  // namespace anonkit::pg

/// Declares the SQL-callable function `name`; its body follows as a block that may use `fcinfo`.
#define ANONKIT_FUNCTION(name)                        \
  static Datum name##_body(FunctionCallInfo fcinfo);  \
  extern "C" {                                        \
  PG_FUNCTION_INFO_V1(name);                          \
  PGDLLEXPORT Datum name(PG_FUNCTION_ARGS) {          \
    return ::anonkit::pg::enter(fcinfo, name##_body); \
  }                                                   \
  }                                                   \
  static Datum name##_body([[maybe_unused]] FunctionCallInfo fcinfo)
