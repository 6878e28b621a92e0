#pragma once

namespace anonkit {

/// The natural logarithm of x > 0, the same on every machine, where the C library's may differ in
/// the last bit. Within a few units of the last place.
double logarithm(double x);

}  // namespace anonkit
