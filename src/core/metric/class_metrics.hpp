#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// Loss measures that depend on class sizes alone.
struct ClassMetrics {
  std::int64_t records = 0;  ///< in the classes, without the suppressed ones
  std::int32_t classes = 0;
  std::int32_t smallest = 0;
  std::int32_t largest = 0;
  double mean = 0;  ///< records / classes

  /// Discernibility DM: every record costs the size of its class, every suppressed record the size
  /// of the table, records + suppressed (R. J. Bayardo, R. Agrawal: Data privacy through optimal
  /// k-anonymization. ICDE 2005; Formula (2) of the paper on EnhancedPKClustering).
  std::int64_t discernibility = 0;

  /// Normalised average class size AVG = records / (classes * k). 1 is the optimum under
  /// k-anonymity (K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity.
  /// ICDE 2006; Formula (3) of the paper on EnhancedPKClustering).
  double normalized_average = 0;
};

/// Adds a class to metrics whose other members finish_metrics() sets.
void add_class(ClassMetrics& metrics, std::int32_t size) noexcept;

/// Completes the metrics after the last class. Throws like class_metrics.
void finish_metrics(ClassMetrics& metrics, std::int32_t k, std::int64_t suppressed);

/// Measures classes of the given sizes. Throws invalid_parameter if k < 1 or suppressed < 0, and
/// invalid_data without a class or with an empty one. O(classes).
ClassMetrics class_metrics(const std::vector<std::int32_t>& sizes, std::int32_t k,
                           std::int64_t suppressed, Ticker& ticker);

}  // namespace anonkit
