#pragma once

// CPU time of this process, one thread, so that other processes matter little.

#include <algorithm>
#include <ctime>
#include <limits>

namespace anonkit {

inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class Job>
double seconds_of(const Job& job) {
  const double start = cpu_seconds();
  job();
  return cpu_seconds() - start;
}

struct Growth {
  double small, large;  ///< seconds
  double times() const { return large / small; }
};

/// The growth of a job's time from n to 10 n records, as the best of some rounds. In each round the
/// small job runs ten times, so that both jobs take about as long. On a shared machine, the best of
/// many short runs would find quiet moments that a long run cannot.
template <class Small, class Large>
Growth growth_to_tenfold(const Small& small, const Large& large, int rounds) {
  constexpr int kTimes = 10;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  Growth best{kNever, kNever};
  for (int round = 0; round < rounds; ++round) {
    const double ten = seconds_of([&] {
      for (int time = 0; time < kTimes; ++time) small();
    });
    best.small = std::min(best.small, ten / kTimes);
    best.large = std::min(best.large, seconds_of(large));
  }
  return best;
}

}  // namespace anonkit
