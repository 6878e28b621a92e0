#pragma once

#include <cstring>

namespace anonkit {

/// Two doubles in one vector register.
using Lanes = double __attribute__((vector_size(16)));

inline Lanes load_lanes(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline void store_lanes(double* to, Lanes lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}

/// The value in the lanes where the condition holds, and 0 elsewhere.
inline Lanes where(decltype(Lanes{} > Lanes{}) condition, double value) {
  return condition ? Lanes{value, value} : Lanes{0, 0};
}

}  // namespace anonkit
