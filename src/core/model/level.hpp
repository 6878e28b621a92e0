#pragma once

#include <cstdint>
#include <vector>

#include "model/class_histogram.hpp"

namespace anonkit {

/// The level that a relation achieves under a privacy model, and the class that limits it: the
/// first of equally bad classes, by number.
struct Level {
  double level = 0;
  std::int32_t worst_class = 0;
  std::vector<double> by_class = {};  ///< by class: its own level, where the model defines one
};

/// The least of `measure(class)` over the classes, for models whose larger levels protect more.
template <class Measure>
Level least_level(const ClassHistogram& histogram, Ticker& ticker, Measure measure) {
  Level worst{measure(0), 0};
  worst.by_class.reserve(static_cast<std::size_t>(histogram.classes()));
  worst.by_class.push_back(worst.level);
  for (std::int32_t c = 1; c < histogram.classes(); ++c) {
    ticker.step(8 * histogram.entries(c).size());
    const double level = measure(c);
    worst.by_class.push_back(level);
    if (level >= worst.level) continue;
    worst.level = level;
    worst.worst_class = c;
  }
  return worst;
}

/// The greatest of `measure(class)` over the classes, for models whose smaller levels protect more.
template <class Measure>
Level greatest_level(const ClassHistogram& histogram, Ticker& ticker, Measure measure) {
  Level worst = least_level(histogram, ticker, [&](std::int32_t c) { return -measure(c); });
  worst.level = -worst.level;
  for (double& level : worst.by_class) level = -level;
  return worst;
}

}  // namespace anonkit
