#include "space/index/widest_attribute.hpp"

#include <algorithm>

namespace anonkit {

/// -1 if the sampled records are all equal.
int WidestAttribute::widest_of_sample() {
  int widest = -1;
  double largest = 0;
  for (int j = 0; j < space_->dimension(); ++j) {
    const bool nominal = space_->attribute(j).kind == Kind::nominal;
    const double variance = nominal ? nominal_variance(j) : numeric_variance(j);
    if (variance > largest) {
      largest = variance;
      widest = j;
    }
  }
  return widest;
}

// (S2 - S1^2 / n) / n, with S1 and S2 the sums of the differences and of their squares.
double WidestAttribute::numeric_variance(int j) const {
  // Differences from the first value keep all digits if values are nearly equal.
  const double first = sample_.front()[j];
  double sum = 0, squares = 0;
  for (const double* row : sample_) {
    const double difference = row[j] - first;
    sum += difference;
    squares += difference * difference;
  }
  const auto size = static_cast<double>(sample_.size());
  return (squares - sum * sum / size) / size;
}

/// Half the mean squared distance of two sampled records: their variance.
double WidestAttribute::nominal_variance(int j) {
  codes_.clear();
  for (const double* row : sample_) codes_.push_back(row[j]);
  std::sort(codes_.begin(), codes_.end());
  const auto total = static_cast<double>(codes_.size());
  double alike = 0;
  for (auto from = codes_.begin(); from != codes_.end();) {
    const auto to = std::upper_bound(from, codes_.end(), *from);
    const double share = static_cast<double>(to - from) / total;
    alike += share * share;
    from = to;
  }
  return space_->mismatch(j) * (1 - alike) / 2;
}

}  // namespace anonkit
