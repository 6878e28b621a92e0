#pragma once

#include <vector>

#include "data/space.hpp"

namespace anonkit {

/// The direction along which a node of the spatial index is cut at the median: the attribute of
/// largest variance, or the principal axis where the attributes are so correlated that it is much
/// longer (McNames 2001, principal axis tree). Estimated on an evenly spaced sample, so a choice
/// costs O(d). It decides the shape of the tree only, never an answer.
class SplitDirection {
 public:
  explicit SplitDirection(const Space& space);

  /// Chooses for `count` records; record_at(i) is the i-th of them.
  template <class RecordAt>
  void choose(std::size_t count, const RecordAt& record_at) {
    sample_.clear();
    const std::size_t step = count / kSample + 1;
    for (std::size_t i = 0; i < count; i += step) sample_.push_back(space_->row(record_at(i)));
    if (choose_from_sample()) return;
    // All sampled records are alike: look for an attribute in which some record is not.
    for (std::size_t i = 0; i < count; ++i)
      if (differs_from_sample(space_->row(record_at(i)))) return;
  }

  /// The coordinate of a record in the chosen direction.
  double coordinate(const double* row) const;

 private:
  static constexpr std::size_t kSample = 64;

  bool choose_from_sample();
  bool differs_from_sample(const double* row);
  double numeric_variance(int j) const;
  double nominal_variance(int j);
  double principal_axis(std::size_t start);

  const Space* space_;
  std::vector<const double*> sample_;
  std::vector<double> codes_;
  std::vector<double> mean_, axis_, product_;
  bool oblique_ = false;  ///< along axis_, else along attribute_
  std::size_t attribute_ = 0;
};

}  // namespace anonkit
