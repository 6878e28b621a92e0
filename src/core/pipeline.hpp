#pragma once

#include "metric/centroid_loss.hpp"
#include "options.hpp"
#include "partition/method.hpp"
#include "recode/masked.hpp"
#include "ticker.hpp"

namespace anonkit {

/// What the core makes of a table. Rows are the table's, in the order in which they were read.
struct Anonymized {
  std::vector<Record> order;  ///< the row of each canonical index
  Partition partition;        ///< of rows; classes are numbered by their first canonical index
  Members members;            ///< rows of each class, in canonical order
  Masked masked;
  CentroidLoss loss;
  std::int64_t blanked = 0;    ///< numeric cells made null (nulls => 'stratify')
  double lower_bound = kNull;  ///< certified: no classes of k records within the strata have a
                               ///< lower SSE; null if not asked
  bool reproducible = true;    ///< false if the clock ended the search
};

/// prepare -> partition -> mask: everything between reading and verifying.
/// Throws Error: k is not within 1 .. rows, no rows, nulls that the options do not allow.
Anonymized anonymize(const Table& table, const Method& method, const Options& options,
                     Ticker& ticker);

}  // namespace anonkit
