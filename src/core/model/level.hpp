#pragma once

#include <cstdint>

#include "model/class_histogram.hpp"

namespace anonkit {

/// What a relation achieves under a privacy model, and the class that keeps it from more: the first
/// one in the numbering of the classes where several are equally bad.
struct Level {
  double level = 0;
  std::int32_t worst_class = 0;
};

/// The least of `measure(class)` over the classes: for models where larger levels protect more.
template <class Measure>
Level least_level(const ClassHistogram& histogram, Ticker& ticker, Measure measure) {
  Level worst{measure(0), 0};
  for (std::int32_t c = 1; c < histogram.classes(); ++c) {
    ticker.step(8 * histogram.entries(c).size());
    const double level = measure(c);
    if (level < worst.level) worst = {level, c};
  }
  return worst;
}

/// The greatest of `measure(class)` over the classes: for models where smaller levels protect more.
template <class Measure>
Level greatest_level(const ClassHistogram& histogram, Ticker& ticker, Measure measure) {
  const Level worst = least_level(histogram, ticker, [&](std::int32_t c) { return -measure(c); });
  return {-worst.level, worst.worst_class};
}

}  // namespace anonkit
