#pragma once

// A pair of relations whose rows are in the order of their values.
//
// A sum of doubles depends on the order of its terms in its last digits, and a database returns
// rows in any order. The figures of this copy are functions of the rows as a multiset: equal rows
// add equal terms.
//
//   OrderedPair ordered(pair, 1, ticker);
//   const Moments moments = moments_of(ordered.weighted().original, ticker);

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

class OrderedPair {
 public:
  /// Orders each relation by its columns, then by its weights. Original records that agree in all
  /// of them are in the order of their images. O(n log n d); 16 bytes a number, 4 a category, and
  /// 20 a row.
  OrderedPair(const CellsPair& pair, int threads, Ticker& ticker);
  OrderedPair(const OrderedPair&) = delete;
  OrderedPair& operator=(const OrderedPair&) = delete;

  /// The records, each of weight 1.
  CellsPair& records() { return weigh(nullptr, nullptr); }
  /// The records with the weights of the pair.
  CellsPair& weighted() { return weigh(weights_[0], weights_[1]); }

 private:
  CellsPair& weigh(const double* original, const double* masked) {
    pair_.original.weigh(original);
    pair_.masked.weigh(masked);
    return pair_;
  }
  /// The rows of `cells` in that order.
  Cells copied(const Cells& cells, const std::vector<std::int32_t>& order);

  CellsPair pair_;
  const double* weights_[2] = {nullptr, nullptr};
  std::vector<std::vector<double>> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
};

}  // namespace anonkit
