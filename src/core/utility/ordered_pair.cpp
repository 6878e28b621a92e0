#include "utility/ordered_pair.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

template <class T>
int order_of_two(T a, T b) {
  return (b < a) - (a < b);
}

int compare_cells_of(const CellColumn& column, std::int32_t a, std::int32_t b) {
  if (!column.numeric()) return order_of_two(column.codes[a], column.codes[b]);
  const int order = order_of_two(column.low[a], column.low[b]);
  return order != 0 ? order : order_of_two(column.high[a], column.high[b]);
}

const double* weights_of(const Cells& cells) {
  return cells.columns.empty() ? nullptr : cells.columns[0].weights;
}

/// The rows by their cells, then by their weights, then by their images if there are any.
std::vector<std::int32_t> order_of_rows(const Cells& cells, const std::vector<std::int32_t>& image,
                                        Ticker& ticker) {
  const double* weights = weights_of(cells);
  const auto work = 4 + 2 * static_cast<std::int64_t>(cells.columns.size());
  std::vector<std::int32_t> order(at(cells.rows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(work);
    for (const CellColumn& column : cells.columns) {
      const int by_cells = compare_cells_of(column, a, b);
      if (by_cells != 0) return by_cells < 0;
    }
    if (weights != nullptr && weights[a] != weights[b]) return weights[a] < weights[b];
    return !image.empty() && image[at(a)] < image[at(b)];
  });
  return order;
}

template <class T>
const T* copy_in_order(const T* from, const std::vector<std::int32_t>& order,
                       std::vector<std::vector<T>>& owner) {
  if (from == nullptr) return nullptr;
  std::vector<T> copy;
  copy.reserve(order.size());
  for (const std::int32_t row : order) copy.push_back(from[row]);
  owner.push_back(std::move(copy));
  return owner.back().data();
}

}  // namespace

Cells OrderedPair::copied(const Cells& cells, const std::vector<std::int32_t>& order) {
  Cells copy;
  copy.rows = cells.rows;
  for (const CellColumn& from : cells.columns) {
    CellColumn column;
    column.low = copy_in_order(from.low, order, numbers_);
    column.high = from.high == from.low ? column.low : copy_in_order(from.high, order, numbers_);
    column.codes = copy_in_order(from.codes, order, codes_);
    column.categories = from.categories;
    copy.columns.push_back(column);
  }
  return copy;
}

OrderedPair::OrderedPair(const CellsPair& pair, Ticker& ticker) {
  const std::vector<std::int32_t> masked = order_of_rows(pair.masked, {}, ticker);
  std::vector<std::int32_t> image;
  if (!pair.image.empty()) {
    std::vector<std::int32_t> place(masked.size());
    for (std::size_t i = 0; i < masked.size(); ++i)
      place[at(masked[i])] = static_cast<std::int32_t>(i);
    for (const std::int32_t row : pair.image) image.push_back(row < 0 ? -1 : place[at(row)]);
  }
  const std::vector<std::int32_t> original = order_of_rows(pair.original, image, ticker);
  pair_.original = copied(pair.original, original);
  pair_.masked = copied(pair.masked, masked);
  weights_[0] = copy_in_order(weights_of(pair.original), original, numbers_);
  weights_[1] = copy_in_order(weights_of(pair.masked), masked, numbers_);
  if (!image.empty())
    for (const std::int32_t row : original) pair_.image.push_back(image[at(row)]);
}

}  // namespace anonkit
