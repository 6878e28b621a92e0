#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace anonkit {

/// What went wrong, in terms that the database layer maps to an SQLSTATE.
enum class ErrorKind {
  invalid_parameter,  ///< an argument is outside its domain
  invalid_data,       ///< the data cannot be handled: null, NaN, infinite, empty
  infeasible,         ///< no release can satisfy what is asked
  promise_broken,     ///< the finished release does not satisfy what was promised
  out_of_memory,
  internal,  ///< a defect of anonkit
};

/// The core's only exception type for conditions that a user can meet. The message follows
/// PostgreSQL's style (lower case, no full stop); detail and hint are full sentences. No text ever
/// holds a cell's value.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::string detail = {}, std::string hint = {})
      : std::runtime_error(message), kind(kind), detail(std::move(detail)), hint(std::move(hint)) {}

  ErrorKind kind;
  std::string detail;
  std::string hint;
};

}  // namespace anonkit
