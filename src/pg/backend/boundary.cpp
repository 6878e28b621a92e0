#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>

#include "base/error.hpp"

#include "pg/backend/boundary.hpp"
#include "pg/backend/catalog_version.hpp"
#include "pg/backend/error_explanation.hpp"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace anonkit::pg {
namespace {

int sqlstate_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_parameter:
      return ERRCODE_INVALID_PARAMETER_VALUE;
    case ErrorKind::invalid_data:
      return ERRCODE_DATA_EXCEPTION;
    case ErrorKind::infeasible:
      return ERRCODE_INVALID_PARAMETER_VALUE;
    case ErrorKind::promise_broken:
      return ERRCODE_CHECK_VIOLATION;
    case ErrorKind::out_of_memory:
      return ERRCODE_OUT_OF_MEMORY;
    case ErrorKind::internal:
      return ERRCODE_INTERNAL_ERROR;
  }
  return ERRCODE_INTERNAL_ERROR;
}

void describe(Failure& failure, int sqlstate, const char* message, const char* detail = "",
              const char* hint = "") {
  failure.sqlstate = sqlstate;
  strlcpy(failure.message, message, sizeof failure.message);
  strlcpy(failure.detail, detail, sizeof failure.detail);
  strlcpy(failure.hint, hint, sizeof failure.hint);
}

/// Runs the body and describes any exception. All C++ frames are gone when it returns.
bool run(FunctionCallInfo fcinfo, Body body, Datum& result, Failure& failure) noexcept {
  try {
    result = body(fcinfo);
    return true;
  } catch (const BackendError&) {
    failure.backend = true;
  } catch (const Error& e) {
    describe(failure, sqlstate_of(e.kind), e.what(), e.detail.c_str(), e.hint.c_str());
  } catch (const std::bad_alloc&) {
    describe(failure, ERRCODE_OUT_OF_MEMORY, "out of memory",
             "The anonymization core could not allocate memory.");
  } catch (const std::exception& e) {
    describe(failure, ERRCODE_INTERNAL_ERROR, "unexpected exception in the anonymization core",
             e.what());
  } catch (...) {
    describe(failure, ERRCODE_INTERNAL_ERROR, "unknown exception in the anonymization core");
  }
  return false;
}

/// Drops the rest of a multibyte character at the end of a truncated text.
void drop_partial_letter(char* text) {
  const int length = static_cast<int>(std::strlen(text));
  text[pg_mbcliplen(text, length, length)] = '\0';
}

[[noreturn]] void raise(Failure& failure) {
  if (failure.backend) PG_RE_THROW();
  for (char* text : {failure.message, failure.detail, failure.hint}) drop_partial_letter(text);
  ereport(ERROR, (errcode(failure.sqlstate), errmsg("%s", failure.message),
                  failure.detail[0] != '\0' ? errdetail("%s", failure.detail) : 0,
                  failure.hint[0] != '\0' ? errhint("%s", failure.hint) : 0));
  pg_unreachable();
}

}  // namespace

void (*explain_error)() = nullptr;

Datum enter(FunctionCallInfo fcinfo, Body body) {
  require_current_catalog(fcinfo);
  Datum result = 0;
  Failure failure;
  failure.backend = false;
  PG_TRY();
  {
    if (!run(fcinfo, body, result, failure)) raise(failure);
  }
  PG_CATCH();
  {
    if (explain_error != nullptr) explain_error();
    PG_RE_THROW();
  }
  PG_END_TRY();
  return result;
}

}  // namespace anonkit::pg
