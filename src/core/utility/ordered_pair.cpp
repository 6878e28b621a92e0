#include "utility/ordered_pair.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/threads.hpp"

namespace anonkit {
namespace {

const double* weights_of(const Cells& cells) {
  return cells.columns.empty() ? nullptr : cells.columns[0].weights;
}

/// Compares rows by their cells, then by their weights.
int compare_rows(const Cells& cells, std::int32_t a, std::int32_t b) {
  for (const CellColumn& column : cells.columns) {
    const int order = column.compare(a, b);
    if (order != 0) return order;
  }
  const double* weights = weights_of(cells);
  return weights == nullptr ? 0 : order_of(weights[a], weights[b]);
}

/// The rows by their cells and weights. Those that agree in all are in any order.
std::vector<std::int32_t> order_of_rows(const Cells& cells, Ticker& ticker) {
  const auto work = 4 + 2 * static_cast<std::int64_t>(cells.columns.size());
  std::vector<std::int32_t> order(at(cells.rows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(work);
    return compare_rows(cells, a, b) < 0;
  });
  return order;
}

/// Orders neighbours that agree in all by their images.
void order_equal_by_image(const Cells& cells, const std::vector<std::int32_t>& image,
                          std::vector<std::int32_t>& order, Ticker& ticker) {
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(begin, order.end(), [&](std::int32_t row) {
      ticker.step(8);
      return compare_rows(cells, *begin, row) != 0;
    });
    std::sort(begin, end, [&](std::int32_t a, std::int32_t b) {
      ticker.step(2);
      return image[at(a)] < image[at(b)];
    });
    begin = end;
  }
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

OrderedPair::OrderedPair(const CellsPair& pair, int threads, Ticker& ticker) {
  std::vector<std::int32_t> original, masked;
  run_unreported_tasks(2, threads, ticker, [&](std::size_t relation, Ticker& own) {
    if (relation == 0)
      original = order_of_rows(pair.original, own);
    else
      masked = order_of_rows(pair.masked, own);
  });
  std::vector<std::int32_t> image;
  if (!pair.image.empty()) {
    std::vector<std::int32_t> place(masked.size());
    for (std::size_t i = 0; i < masked.size(); ++i)
      place[at(masked[i])] = static_cast<std::int32_t>(i);
    for (const std::int32_t row : pair.image) image.push_back(row < 0 ? -1 : place[at(row)]);
    order_equal_by_image(pair.original, image, original, ticker);
  }
  pair_.original = copied(pair.original, original);
  pair_.masked = copied(pair.masked, masked);
  weights_[0] = copy_in_order(weights_of(pair.original), original, numbers_);
  weights_[1] = copy_in_order(weights_of(pair.masked), masked, numbers_);
  if (!image.empty())
    for (const std::int32_t row : original) pair_.image.push_back(image[at(row)]);
}

}  // namespace anonkit
