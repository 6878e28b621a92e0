#pragma once

#include <vector>

#include "space/space.hpp"

namespace anonkit {

/// Chooses the attribute along which a node of the spatial index is cut at the median. It has the
/// largest variance in an evenly spaced sample. The choice costs O(d). It affects the shape of the
/// tree only, never an answer.
class WidestAttribute {
 public:
  explicit WidestAttribute(const Space& space) : space_(&space) {}

  /// The widest attribute of `count` records; row_at(i) gives the i-th record's coordinates.
  template <class RowAt>
  int among(std::size_t count, const RowAt& row_at) {
    sample_.clear();
    const std::size_t step = count / kSample + 1;
    for (std::size_t i = 0; i < count; i += step) sample_.push_back(row_at(i));
    const int widest = widest_of_sample();
    if (widest >= 0) return widest;
    // All sampled records are equal: look for an attribute in which some other record differs.
    for (std::size_t i = 0; i < count; ++i)
      for (int j = 0; j < space_->dimension(); ++j)
        if (row_at(i)[j] != sample_.front()[j]) return j;
    return 0;
  }

  /// The sample of the last answer: evenly spaced records, or all if they were few.
  const std::vector<const double*>& sample() const { return sample_; }

 private:
  static constexpr std::size_t kSample = 48;

  int widest_of_sample();
  double numeric_variance(int j) const;
  double nominal_variance(int j);

  const Space* space_;
  std::vector<const double*> sample_;
  std::vector<double> codes_;
};

}  // namespace anonkit
