#pragma once

#include <cstdint>

namespace anonkit {

__extension__ using Wide = unsigned __int128;

/// numerator/denominator, denominator > 0: the nearest double wherever both are below 2^53 in
/// lowest terms. So a level that is 3/20 as a fraction is the same double as the literal 0.15, and
/// passes `level <= 0.15`.
inline double ratio(Wide numerator, Wide denominator) {
  constexpr Wide exact = Wide{1} << 53;
  if (numerator >= exact || denominator >= exact) {
    Wide divisor = denominator;
    for (Wide rest = numerator; rest != 0;) {
      const Wide next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    numerator /= divisor;
    denominator /= divisor;
  }
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

}  // namespace anonkit
