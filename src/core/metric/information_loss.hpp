#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The information loss IL of classes that are generalised as a whole: T. M. Truta, A. Campan, P.
/// Meyer: Generating microdata with p-sensitive k-anonymity property. SDM 2007, Definitions 9
/// and 10.
struct InformationLoss {
  double total = 0;
  /// The loss of a record: 0 if nothing is generalised, the number of columns if everything is to
  /// the top.
  double mean = 0;
};

/// IL of the classes of `members` (lists of rows of the table; a suppressed one is in none), each
/// published as ranges of numbers and of ordered categories, and as lowest common ancestors in the
/// columns' hierarchies; a nominal column without a hierarchy has a flat one. A cell that is null
/// for some records of a class only is blanked for all, which costs as much as the top. O(rows *
/// columns * height).
InformationLoss information_loss(const Table& table, const Members& members, Ticker& ticker);

/// The information loss of cells that are published at levels of their columns' hierarchies, which
/// may be above the lowest common ancestors. O(classes * columns).
InformationLoss information_loss_of_levels(const Table& table, const Members& members,
                                           const std::vector<std::int32_t>& levels, Ticker& ticker);

}  // namespace anonkit
