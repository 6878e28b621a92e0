#include "model/p_capacity.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace anonkit {
namespace {

/// Condition 2: the p-i most frequent values give a class at most p-i distinct ones, so each class
/// needs i records of other values.
std::int64_t max_clusters(const std::vector<std::int64_t>& cumulated, std::int64_t records,
                          std::int32_t p) {
  if (p < 1) throw Error(ErrorKind::invalid_parameter, "p must be at least 1");
  if (static_cast<std::size_t>(p) > cumulated.size()) return 0;
  std::int64_t least = records / p;
  for (std::int32_t i = 1; i < p; ++i)
    least = std::min(least, (records - cumulated[static_cast<std::size_t>(p - i) - 1]) / i);
  return least;
}

}  // namespace

PCapacity p_capacity(const ClassHistogram& histogram, std::int32_t p, Ticker& ticker) {
  PCapacity capacity;
  capacity.distinct = histogram.values();
  for (std::int32_t v = 0; v < histogram.values(); ++v)
    capacity.frequencies.push_back(histogram.count(v));
  std::sort(capacity.frequencies.begin(), capacity.frequencies.end(),
            [&](std::int64_t a, std::int64_t b) {
              ticker.step(4);
              return a > b;
            });
  std::int64_t sum = 0;
  for (const std::int64_t frequency : capacity.frequencies)
    capacity.cumulated.push_back(sum += frequency);
  capacity.max_clusters = max_clusters(capacity.cumulated, histogram.size(), p);
  return capacity;
}

PCapacity joint_p_capacity(const std::vector<PCapacity>& attributes, std::int32_t p) {
  if (attributes.empty())
    throw Error(ErrorKind::invalid_parameter, "p-sensitivity needs a sensitive attribute");
  PCapacity joint;
  joint.distinct = attributes.front().distinct;
  for (const PCapacity& attribute : attributes)
    joint.distinct = std::min(joint.distinct, attribute.distinct);
  joint.cumulated.assign(static_cast<std::size_t>(joint.distinct), 0);
  for (const PCapacity& attribute : attributes)
    for (std::size_t i = 0; i < joint.cumulated.size(); ++i)
      joint.cumulated[i] = std::max(joint.cumulated[i], attribute.cumulated[i]);
  joint.max_clusters = max_clusters(joint.cumulated, attributes.front().cumulated.back(), p);
  return joint;
}

}  // namespace anonkit
