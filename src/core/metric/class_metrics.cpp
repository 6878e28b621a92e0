#include "metric/class_metrics.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace anonkit {

void add_class(ClassMetrics& metrics, std::int32_t size) noexcept {
  metrics.smallest = metrics.classes == 0 ? size : std::min(metrics.smallest, size);
  metrics.largest = std::max(metrics.largest, size);
  ++metrics.classes;
  metrics.records += size;
  metrics.discernibility += std::int64_t{size} * size;
}

void finish_metrics(ClassMetrics& metrics, std::int32_t k, std::int64_t suppressed) {
  if (k < 1) throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  if (suppressed < 0) {
    throw Error(ErrorKind::invalid_parameter,
                "the number of suppressed records must not be negative");
  }
  if (metrics.classes == 0) throw Error(ErrorKind::invalid_data, "the relation has no records");
  if (metrics.smallest < 1) throw Error(ErrorKind::invalid_data, "a class has no records");
  metrics.discernibility += suppressed * (metrics.records + suppressed);
  const auto records = static_cast<double>(metrics.records);
  metrics.mean = records / metrics.classes;
  metrics.normalized_average = records / (static_cast<double>(metrics.classes) * k);
}

ClassMetrics class_metrics(const std::vector<std::int32_t>& sizes, std::int32_t k,
                           std::int64_t suppressed, Ticker& ticker) {
  ClassMetrics metrics;
  for (const std::int32_t size : sizes) {
    ticker.step(1);
    add_class(metrics, size);
  }
  finish_metrics(metrics, k, suppressed);
  return metrics;
}

}  // namespace anonkit
