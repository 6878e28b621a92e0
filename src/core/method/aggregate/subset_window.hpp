#pragma once

// The guarantee and the loss of a class under all sets of generalised attribute blocks at once, for
// the dynamic program of optimal.hpp.
//
// Phases: enter() computes the tables of a place; clear() starts a class; grow() adds places
// backwards; cheapest() evaluates all sets. Invariant: every table has one entry per set. The kept
// part of f is computed once per record, and its extremes over the class once per added record. So
// the guarantee of a class costs a few operations per set. Memory: 8 * functions * window bytes per
// set.
//
//   for (Record place = 0; place < last; ++place) window.enter(place);
//   for (Record place = last - 1; place >= first; --place) window.grow(place);
//   const CheapestSet best = window.cheapest(first, last, bound);

#include <limits>
#include <vector>

#include "method/aggregate/attribute_blocks.hpp"

namespace anonkit {

/// The NCP of what does not qualify.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The cheapest masking of a class.
struct CheapestSet {
  double ncp;        ///< of one record, summed over the attributes; infinite if no set qualifies
  AttributeSet set;  ///< of blocks
};

/// The classes that end at one place and grow backwards, under every set of blocks.
class SubsetWindow {
 public:
  /// Classes have at most `window` records.
  SubsetWindow(const SortedRecords& records, const AggregateOptions& options,
               const AttributeBlocks& blocks, Record window);

  /// Computes the tables of a place. Only the last `window` places stay available.
  void enter(Record place);

  /// Starts a class without records.
  void clear();
  /// Adds the place before the first one of the class.
  void grow(Record place);
  std::int32_t sensitive_values() const { return sensitive_.distinct(); }

  /// The cheapest set below `bound` that satisfies the guarantee for the class of the places first
  /// .. last-1. All of them must have been added, at least k.
  CheapestSet cheapest(Record first, Record last, double bound);

  std::int64_t work() const { return static_cast<std::int64_t>(sets_ * terms_); }

 private:
  double* kept(Record place, std::size_t f) {
    const auto slot = static_cast<std::size_t>(place % window_);
    return kept_.data() + (slot * terms_ + f) * sets_;
  }
  void refresh_tables();
  void price_out_broken(std::size_t f);
  bool holds_with_spare(Record first, Record last, std::size_t set);
  bool is_part_of_broken(std::size_t set) const;

  const SortedRecords& records_;
  const AggregateOptions& options_;
  const AttributeBlocks& blocks_;
  Record window_;
  std::size_t sets_, terms_;
  ClassConstraint constraint_;

  std::vector<double> kept_;                        ///< window x functions x sets
  std::vector<double> least_kept_, greatest_kept_;  ///< functions x sets, over the class
  std::vector<double> least_, greatest_;            ///< attributes, over the class
  std::vector<double> most_, fewest_;  ///< functions: the attackers' knowledge, over the class
  bool ranges_changed_ = true;
  std::vector<double> ncp_,
      price_;                       ///< by set: its cost, infinite if it breaks the guarantee
  std::vector<double> low_, high_;  ///< functions x sets: generalised part of the interval
  std::vector<double> interval_low_, interval_high_;
  std::vector<std::size_t> broken_;  ///< sets known to break the guarantee
  SensitiveCount sensitive_;
};

}  // namespace anonkit
