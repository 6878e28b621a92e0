#include "metric/class_metrics.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace anonkit {

ClassMetrics class_metrics(const std::vector<std::int32_t>& sizes, std::int32_t k,
                           std::int64_t suppressed, Ticker& ticker) {
  if (k < 1) throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  if (suppressed < 0) {
    throw Error(ErrorKind::invalid_parameter,
                "the number of suppressed records must not be negative");
  }
  if (sizes.empty()) throw Error(ErrorKind::invalid_data, "the relation has no records");
  ClassMetrics metrics;
  metrics.classes = static_cast<std::int32_t>(sizes.size());
  metrics.smallest = sizes.front();
  for (const std::int64_t size : sizes) {
    ticker.step(1);
    metrics.records += size;
    metrics.discernibility += size * size;
    metrics.smallest = std::min(metrics.smallest, static_cast<std::int32_t>(size));
    metrics.largest = std::max(metrics.largest, static_cast<std::int32_t>(size));
  }
  if (metrics.smallest < 1) throw Error(ErrorKind::invalid_data, "a class has no records");
  metrics.discernibility += suppressed * (metrics.records + suppressed);
  const auto records = static_cast<double>(metrics.records);
  metrics.mean = records / metrics.classes;
  metrics.normalized_average = records / (static_cast<double>(metrics.classes) * k);
  return metrics;
}

}  // namespace anonkit
