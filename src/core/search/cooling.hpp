#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// The acceptance rule of simulated annealing (Metropolis et al. 1953): a change of cost delta is
/// accepted with probability exp(-delta/T), that is if delta < T * -ln(u) for a uniform u. A table
/// holds the logarithms of 4096 evenly spaced u. A limit is therefore one lookup, drawn before the
/// evaluation of the change.
class Threshold {
 public:
  Threshold();
  /// -ln(u), where the lowest 12 bits choose u.
  double draw(std::uint64_t bits) const { return table_[bits & (kEntries - 1)]; }

 private:
  static constexpr std::uint64_t kEntries = 4096;
  std::vector<double> table_;
};

/// Geometric cooling from `first` to `last` in two or more equal steps.
class Cooling {
 public:
  Cooling(double first, double last, int steps);
  double at(int step) const { return temperatures_[static_cast<std::size_t>(step)]; }

 private:
  std::vector<double> temperatures_;
};

}  // namespace anonkit
