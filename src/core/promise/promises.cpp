#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

// Above the rounding of the models' own limits.
constexpr double kMargin = 1e-9;

bool is_in(ParameterDomain domain, double value) {
  if (domain == ParameterDomain::positive_integer || domain == ParameterDomain::at_least_one)
    return value >= 1;
  return value > 0 && (value <= 1 || domain == ParameterDomain::positive);
}

}  // namespace

double Parameter::value(const Promises& promises) const {
  if (integer != nullptr) return promises.*integer;
  return number != nullptr ? promises.*number : 0;
}

unsigned kinds_of(const Promises& promises) {
  unsigned kinds = kPromiseNone;
  for (const Promise* promise : kPromiseTable)
    if (promise->is_made(promises)) kinds |= promise->kind;
  return kinds;
}

Promises only(Promises promises, RowChoice rows) {
  for (const Promise* promise : kPromiseTable) {
    if (rows(*promise)) continue;
    for (const Parameter& parameter : promise->parameters) {
      if (parameter.integer != nullptr) promises.*parameter.integer = 0;
      if (parameter.number != nullptr) promises.*parameter.number = 0;
      if (parameter.numbers != nullptr) promises.*parameter.numbers = nullptr;
      if (parameter.least != nullptr) promises.*parameter.least = 0;
    }
  }
  return promises;
}

std::int32_t least_members(double implied_values) {
  return static_cast<std::int32_t>(std::ceil(std::min(implied_values, 1e9) - kMargin));
}

std::int32_t least_values(const Promises& promises, RowChoice rows) {
  double least = 1;
  for (const Promise* promise : kPromiseTable)
    if (promise->implied_values != nullptr && rows(*promise) && promise->is_made(promises))
      least = std::max(least, promise->implied_values(promises));
  return least_members(least);
}

ValueLimits limits_of(const Promises& promises, RowChoice rows) {
  ValueLimits all;
  for (const Promise* promise : kPromiseTable) {
    if (promise->limits == nullptr || !rows(*promise) || !promise->is_made(promises)) continue;
    const ValueLimits limits = promise->limits(promises);
    all.share = std::min(all.share, limits.share);
    all.distinct = std::max(all.distinct, limits.distinct);
  }
  return all;
}

void check_parameters(const Promises& promises) {
  for (const Promise* promise : kPromiseTable) {
    for (const Parameter& parameter : promise->parameters) {
      const double value = parameter.value(promises);
      const double least = parameter.least != nullptr ? promises.*parameter.least : 0;
      if ((value != 0 && !is_in(parameter.domain, value)) ||
          !(least >= 0 && least <= std::max(value, 0.0)))
        throw Error(ErrorKind::invalid_parameter, std::string(parameter.key) + " is out of range");
    }
    if (promise->lacks == nullptr || !promise->is_made(promises)) continue;
    if (const char* missing = promise->lacks(promises))
      throw Error(ErrorKind::invalid_parameter, std::string(promise->name) + " needs " + missing);
  }
}

}  // namespace anonkit
