#pragma once

#include <cstdint>
#include <vector>

#include "base/record.hpp"

namespace anonkit {

/// Every class has at least so many distinct values.
struct DistinctConstraint {
  std::vector<std::int32_t> values;  ///< by record a code of its value, 0 or more
  std::int32_t distinct = 1;
};

/// Conditions on every class that a lower bound of the loss can use.
struct ImpliedConstraints {
  Record smallest = 1;  ///< no class has fewer records
  std::vector<DistinctConstraint> distinct = {};
};

}  // namespace anonkit
