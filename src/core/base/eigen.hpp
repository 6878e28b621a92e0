#pragma once

// All uses of Eigen include it through this header. A failed assertion becomes an exception (and
// then an ERROR) and never aborts the server process.

#include "base/error.hpp"

#define eigen_assert(condition)                                       \
  do {                                                                \
    if (!(condition))                                                 \
      throw ::anonkit::Error(::anonkit::ErrorKind::internal,          \
                             "matrix assertion failed: " #condition); \
  } while (false)

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace anonkit {

/// One row a record.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace anonkit
