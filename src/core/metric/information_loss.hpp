#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The information loss IL of classes with one generalised tuple each: T. M. Truta, A. Campan, P.
/// Meyer: Generating microdata with p-sensitive k-anonymity property. SDM 2007, Definitions 9 and
/// 10.
struct InformationLoss {
  double total = 0;
  /// The loss per record: 0 without generalisation, the number of columns if every cell is at the
  /// top.
  double mean = 0;
};

/// IL of the classes of `members` (lists of rows of the table, without suppressed rows). Numbers
/// and ordered categories are published as ranges, columns with hierarchies as lowest common
/// ancestors. A nominal column without a hierarchy has a flat one. A cell that is null for only
/// some records of a class is suppressed for all, at the cost of the top. O(rows * columns *
/// height).
InformationLoss information_loss(const Table& table, const Members& members, Ticker& ticker);

/// The information loss of the cells of a method that recodes: levels of hierarchies, which may be
/// above the lowest common ancestors, or boxes of a grid, which may be larger than the extent of
/// the values. O(classes * columns).
InformationLoss information_loss_of_cells(const Table& table, const Members& members,
                                          const Masked& masked, Ticker& ticker);

}  // namespace anonkit
