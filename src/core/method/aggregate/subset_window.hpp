#pragma once

#include <vector>

#include "method/aggregate/attribute_blocks.hpp"

namespace anonkit {

/// The cheapest way to mask a class.
struct CheapestSet {
  double ncp;        ///< of one record, summed over the attributes; infinite if there is none
  AttributeSet set;  ///< of blocks
};

/// Masks, in all possible ways at once, the classes that end at one place and grow backwards. Every
/// table below has one entry for each set of generalised blocks; the kept part of f is made once
/// for each record (enter), its extremes over the class once for each record that joins (grow), and
/// with them the guarantee of a whole class costs a few operations a set.
///
/// 8 * functions * window bytes for each set.
class SubsetWindow {
 public:
  /// Classes will have at most `window` records.
  SubsetWindow(const SortedRecords& records, const AggregateOptions& options,
               const AttributeBlocks& blocks, Record window);

  /// Makes the tables of a place known; the last `window` places entered are remembered.
  void enter(Record place);

  /// Begins a class without records.
  void clear();
  /// Adds a place, the one before the class's first.
  void grow(Record place);
  std::int32_t sensitive_values() const { return sensitive_.distinct(); }

  /// The cheapest set below `bound` that keeps the guarantee for the class of the places
  /// first .. last-1, which have been added, at least k of them.
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
  ClassGuarantee guarantee_;

  std::vector<double> kept_;                        ///< window x functions x sets
  std::vector<double> least_kept_, greatest_kept_;  ///< functions x sets, over the class
  std::vector<double> least_, greatest_;            ///< attributes, over the class
  std::vector<double> most_, fewest_;  ///< functions: what attackers know, over the class
  bool ranges_changed_ = true;
  std::vector<double> ncp_,
      price_;  ///< sets; the price of one that breaks the guarantee is infinite
  std::vector<double> low_, high_;  ///< functions x sets: generalised part of the interval
  std::vector<double> interval_low_, interval_high_;
  std::vector<std::size_t> broken_;  ///< sets that were found to break the guarantee
  SensitiveCount sensitive_;
};

}  // namespace anonkit
