#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "recode/generalisation.hpp"
#include "search/loss/loss.hpp"

namespace anonkit {

/// The normalised certainty penalty of generalised records (Xu et al., Utility-Based Anonymization
/// Using Local Recoding, KDD 2006, section 3), summed over records and weighted attributes. Every
/// record of a class costs what stands for the class costs:
///   range      its share of the domain's extent
///   hierarchy  the share of values under the lowest common ancestor; 0 for a single value
///   set        (different categories - 1) / (categories - 1), as if they were neighbouring ranks
/// A row that stands for several records counts as so many.
///
/// delta costs O(d), and O(log distinct) for each set. The two smallest and the two largest
/// coordinates of a class tell its extremes without any one record; the second ones are looked for
/// again when a change takes them away. Ancestors are found by extremes too: see
/// GeneralisationSpace. Costs are sums of the same terms in the same order whatever was announced
/// before, so they are exactly those of a computation from scratch.
class Ncp final : public Loss {
 public:
  explicit Ncp(const GeneralisationSpace& space);

  void begin(ClassId capacity) override;
  double cost(const RecordSpan& members) const override;
  double delta(const Change& change) const override;
  /// A change of a class's bounds is paid by all its records, so deltas are larger than a squared
  /// error's. Beyond half the changes little is gained.
  Schedule schedule() const override { return {4, 0.2, 0.5}; }
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  struct Count {
    std::int32_t code;
    Record records;
  };
  using Counts = std::vector<Count>;  ///< ascending by code

  // Of a class: blocks of `width_` coordinates.
  enum Block : std::size_t { kLow, kSecondLow, kHigh, kSecondHigh, kBlocks };

  double* bounds(ClassId c) { return bounds_.data() + at(c) * kBlocks * width_; }
  const double* bounds(ClassId c) const { return bounds_.data() + at(c) * kBlocks * width_; }
  const double* row(Record i) const {
    return i == kNone ? nobody_.data() : rows_.data() + at(i) * width_;
  }
  const Counts& counts(ClassId c, std::size_t set) const {
    return counts_[at(c) * sets_.size() + set];
  }
  Counts& counts(ClassId c, std::size_t set) { return counts_[at(c) * sets_.size() + set]; }

  double mass(const RecordSpan& members) const;
  double mass_after(const Change& change) const;
  double cost_after(const Change& change) const;
  double plus_sets(const Change& change, double sum) const;
  void rescan(const Change& change, std::size_t j, double* bounds) const;
  void bound(const RecordSpan& members, double* bounds) const;
  double penalty_of_bounds(const double* low, const double* high) const;

  std::size_t ranges_ = 0;  ///< of the coordinates in a row, padded to a multiple of four
  std::size_t width_ = 0;   ///< ranges and then hierarchies
  std::vector<double> rows_;
  std::vector<double> nobody_;  ///< a row that is equal to nothing and below nothing
  std::vector<const Domain*> trees_;
  std::vector<const Domain*> sets_;
  std::vector<std::int32_t> codes_;  ///< n * sets
  std::vector<Record> weights_;      ///< by row; empty if each is one record

  std::vector<double> bounds_;
  std::vector<double> costs_;
  std::vector<double> masses_;  ///< by class: its records, where rows have weights
  std::vector<Counts> counts_;
};

}  // namespace anonkit
