#pragma once

// The boundary between C++ and the backend.
//
// Two ways of ending a function must never meet: a C++ exception must not leave a C function, and
// the backend's longjmp must not pass over a C++ object with a destructor. So
//   - every SQL function is declared by ANONKIT_FUNCTION, which turns whatever exception leaves its
//     body into an ERROR, after all C++ frames are gone;
//   - a body holds only plain data while it calls the backend, and calls the core with guarded
//     pointers to that data;
//   - the core calls the backend only through call_backend, which turns a backend error into an
//     exception that carries it whole, SQLSTATE and hint included;
//   - a C++ result that must outlive its scope is owned by a memory context (own_in_context).

#include <memory>
#include <type_traits>
#include <utility>

#include "pg/backend/pg.hpp"

namespace anonkit::pg {

/// A backend error on its way through C++ frames. The error itself stays where the backend keeps
/// it: a copy would need memory, which may be what is missing. So C++ code must let it pass.
struct BackendError {};

/// What an exception said, in plain data.
struct Failure {
  bool backend;  ///< a backend error, whose text the backend keeps
  int sqlstate;
  char message[512];
  char detail[1024];
  char hint[512];
};

using Body = Datum (*)(FunctionCallInfo);

/// Runs the body of an SQL function; any exception becomes an ERROR: anonkit::Error keeps its kind,
/// message, detail and hint; a backend error is thrown again as it was; bad_alloc is 53200;
/// anything else is XX000.
Datum enter(FunctionCallInfo fcinfo, Body body);

/// Calls the backend from within C++ frames. `call` must not create objects with destructors.
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

/// Hands a C++ object to the current memory context, which deletes it when the context goes, be it
/// after success or after an error. The reference stays good as long as the context.
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
