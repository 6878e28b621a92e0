#pragma once

#include <cstdint>
#include <vector>

#include "recode/masked.hpp"

namespace anonkit {

/// The mean normalised certainty penalty of the table's cells, 0 .. 1: NCP (Xu et al.,
/// Utility-Based Anonymization Using Local Recoding, KDD 2006, section 3). As a mean it is GCP
/// (Ghinita et al., Fast Data Anonymization with Low Information Loss, VLDB 2007, section 3). A
/// cell costs
///   range      its share of the domain's extent, over all the table's values of the column; of an
///              enum, over the ranks of all its labels
///   hierarchy  its group's share of the values; 0 for a single value
///   set        in a nominal column, (categories in the set - 1) / (all - 1); in an ordinal one,
///              the cost of a range of ranks
/// and 1 if its value is suppressed, alone or with its record, or 0 if its hierarchy has no other
/// value. A null that is published as null costs 0. All attributes count equally, regardless of
/// their weights.
///
/// `cells_of`: by row of the table, its row of `masked`, or kNone. `absent` is the number of rows
/// without cells, fewer than all, that count in the domain alone. NaN if centroids are published.
/// O(rows x columns).
double mean_ncp(const Table& table, const std::vector<std::int32_t>& cells_of, const Masked& masked,
                Ticker& ticker, std::int64_t absent = 0);

}  // namespace anonkit
