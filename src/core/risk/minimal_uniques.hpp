#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "model/row_classes.hpp"

namespace anonkit {

/// Minimal sample uniques: the smallest sets of attributes by which a record is the only one of its
/// kind; a record with one of a few attributes is a special unique (M. J. Elliot, A. M. Manning,
/// R. W. Ford: A computational algorithm for handling the special uniques problem. IJUFKS 10(5),
/// 2002; A. M. Manning, D. J. Haglin, J. A. Keane: A recursive search algorithm for statistical
/// disclosure assessment. DMKD 16, 2008, SUDA2, whose answer this is).
///
/// A record's score is the sum over its minimal uniques, of size s each, of the product of
/// attributes - i for i = s .. largest (and below attributes): the more, the smaller the set.
struct MinimalUniques {
  std::vector<double> scores;                 ///< one a record
  std::vector<std::int64_t> sets_of_size;     ///< minimal uniques by their size; [0] is unused
  std::vector<std::int64_t> records_of_size;  ///< records by the size of their smallest
  std::vector<double> contributions;  ///< of each attribute: the scores of sets that hold it
};

/// All minimal uniques of up to `largest` attributes. A set is unique for a record if and only if
/// it is so in the classes of these attributes, and minimal if no set of one attribute less is, so
/// every set of attributes is looked at once: O(n) each, and n bits.
/// `unit_of` says whose each record is, null if each is somebody else's: records of one person are
/// unique if nobody else's are like them.
MinimalUniques minimal_uniques(const std::vector<CodedColumn>& columns, std::int64_t rows,
                               int largest, Ticker& ticker, const std::int32_t* unit_of = nullptr);

}  // namespace anonkit
