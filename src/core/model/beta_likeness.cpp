#include "model/beta_likeness.hpp"

#include <algorithm>
#include <limits>

#include "base/logarithm.hpp"
#include "base/ratio.hpp"

namespace anonkit {
namespace {

/// (q - p) / p of a value in a class, exact in lowest terms; 0 if its share does not grow.
double gain(const ClassHistogram& histogram, std::int32_t c, const ClassHistogram::Entry& entry) {
  const auto in_class = static_cast<Wide>(entry.weight) * static_cast<Wide>(histogram.weight());
  const auto in_all = static_cast<Wide>(histogram.count(entry.value)) *
                      static_cast<Wide>(histogram.class_weight(c));
  return in_class > in_all ? ratio(in_class - in_all, in_all) : 0;
}

}  // namespace

Level basic_beta_likeness(const ClassHistogram& histogram, Ticker& ticker) {
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    double most = 0;
    for (const ClassHistogram::Entry& entry : histogram.entries(c))
      most = std::max(most, gain(histogram, c, entry));
    return most;
  });
}

Level enhanced_beta_likeness(const ClassHistogram& histogram, Ticker& ticker) {
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    double most = 0;
    for (const ClassHistogram::Entry& entry : histogram.entries(c)) {
      const double found = gain(histogram, c, entry);
      const double p = static_cast<double>(histogram.count(entry.value)) /
                       static_cast<double>(histogram.weight());
      if (found > -logarithm(p)) return std::numeric_limits<double>::infinity();
      most = std::max(most, found);
    }
    return most;
  });
}

}  // namespace anonkit
