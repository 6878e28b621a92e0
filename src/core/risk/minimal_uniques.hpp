#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "model/row_classes.hpp"

namespace anonkit {

/// Minimal sample uniques: the smallest attribute sets on which a record is unique. A record that
/// is unique on few attributes is a special unique (M. J. Elliot, A. M. Manning, R. W. Ford: A
/// computational algorithm for handling the special uniques problem. IJUFKS 10(5), 2002; A. M.
/// Manning, D. J. Haglin, J. A. Keane: A recursive search algorithm for statistical disclosure
/// assessment. DMKD 16, 2008). The result equals that of their SUDA2.
///
/// A record's score is a sum over its minimal uniques. A set of size s adds the product of
/// attributes - i for i = s .. largest (and below attributes), so smaller sets add more.
struct MinimalUniques {
  std::vector<double> scores;                 ///< by record
  std::vector<std::int64_t> sets_of_size;     ///< minimal uniques by their size; [0] is unused
  std::vector<std::int64_t> records_of_size;  ///< records by the size of their smallest set
  std::vector<double> contributions;  ///< by attribute: the scores of the sets that contain it
};

/// All minimal uniques of up to `largest` attributes. A record is unique on a set if its class by
/// these attributes has no other record. The set is minimal if no set of one attribute less is
/// unique. So each attribute set is evaluated once: O(n) each, and n bits. `unit_of` gives the
/// person of each record, null if each record is a person of its own. A person's records are unique
/// if no other person's records agree with them.
MinimalUniques minimal_uniques(const std::vector<CodedColumn>& columns, std::int64_t rows,
                               int largest, Ticker& ticker, const std::int32_t* unit_of = nullptr);

}  // namespace anonkit
