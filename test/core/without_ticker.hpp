#pragma once

// The preparing steps of the pipeline, for tests that nobody interrupts.

#include <vector>

#include "data/canonical_order.hpp"
#include "data/standardize.hpp"
#include "metric/centroid_loss.hpp"
#include "recode/masked.hpp"
#include "ticker.hpp"

namespace anonkit {

inline std::vector<Record> canonical_order(const Table& table) {
  SilentTicker ticker;
  return canonical_order(table, ticker);
}

inline std::vector<Scale> scales_of(const Table& table, const std::vector<Record>& order,
                                    Standardize standardize) {
  SilentTicker ticker;
  return scales_of(table, order, standardize, ticker);
}

inline Space space_of(const Table& table, const std::vector<Record>& rows,
                      const std::vector<std::size_t>& columns, const std::vector<Scale>& scales) {
  SilentTicker ticker;
  return space_of(table, rows, columns, scales, ticker);
}

inline Masked recode(const Table& table, const Members& members, Recode how) {
  SilentTicker ticker;
  return recode(table, members, how, ticker);
}

inline CentroidLoss centroid_loss(const Table& table, const Members& members,
                                  const Masked& centroids, const std::vector<Record>& order,
                                  const std::vector<Scale>& scales) {
  SilentTicker ticker;
  return centroid_loss(table, members, centroids, order, scales, ticker);
}

}  // namespace anonkit
