#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace anonkit {

/// The kind of an error, which the database layer maps to an SQLSTATE.
enum class ErrorKind {
  invalid_parameter,  ///< an argument is outside its domain
  invalid_data,       ///< the data cannot be handled: null, NaN, infinite, empty
  infeasible,         ///< no release can satisfy the request
  promise_broken,     ///< the finished release breaks a promise
  out_of_memory,
  internal,  ///< a defect of anonkit
};

/// The core's only exception type for conditions that a user can meet. Messages follow PostgreSQL's
/// style (lower case, no full stop); detail and hint are full sentences. No text ever contains a
/// cell's value.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::string detail = {}, std::string hint = {})
      : std::runtime_error(message), kind(kind), detail(std::move(detail)), hint(std::move(hint)) {}

  ErrorKind kind;
  std::string detail;
  std::string hint;
};

/// The result of an attempt; none if it ends with an error of one of these kinds.
template <class Attempt>
auto unless(std::initializer_list<ErrorKind> kinds, const Attempt& attempt)
    -> std::optional<decltype(attempt())> {
  try {
    return attempt();
  } catch (const Error& error) {
    if (std::find(kinds.begin(), kinds.end(), error.kind) == kinds.end()) throw;
    return std::nullopt;
  }
}

}  // namespace anonkit
