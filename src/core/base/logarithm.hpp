#pragma once

namespace anonkit {

/// The natural logarithm of x > 0, bit-identical on every machine: the C library's may differ in
/// the last bit. The error is a few units in the last place. O(1).
double logarithm(double x);

}  // namespace anonkit
