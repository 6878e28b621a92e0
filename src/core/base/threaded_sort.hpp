#pragma once

// A merge sort in threads.
//
// Phases: sort as many runs as there are threads, then merge pairs of runs until one is left. Every
// merge is divided among all threads. Invariant: the result is sorted as by std::sort; short lists
// are sorted by one thread. Memory: a second list of the items.
//
//   std::vector<Record> order = rows;
//   const auto less = [&](Record a, Record b, Ticker& own) { own.step(1); return x[a] < x[b]; };
//   ThreadedSort sort(order, threads, ticker, less);
//   sort.run();

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/threads.hpp"

namespace anonkit {

/// `less(a, b, ticker)` is called in several threads, each with a ticker of its own.
template <class Item, class Less>
class ThreadedSort {
 public:
  ThreadedSort(std::vector<Item>& items, int threads, Ticker& host, const Less& less)
      : items_(items), threads_(threads), ticker_(host), less_(less) {}

  void run() {
    std::size_t runs = 1;
    while (runs < static_cast<std::size_t>(threads_) && items_.size() / (2 * runs) >= kChunk)
      runs *= 2;
    run_tasks(runs, threads_, ticker_, [&](std::size_t i, Ticker& own) {
      std::sort(items_.begin() + begin_of(i, runs), items_.begin() + begin_of(i + 1, runs),
                [&](const Item& a, const Item& b) { return less_(a, b, own); });
    });
    if (runs > 1) merged_.resize(items_.size());
    for (; runs > 1; runs /= 2) merge_pairs(runs);
  }

 private:
  std::ptrdiff_t begin_of(std::size_t run, std::size_t runs) const {
    return static_cast<std::ptrdiff_t>(items_.size() * run / runs);
  }

  /// Every merge is cut into a piece for each thread.
  void merge_pairs(std::size_t runs) {
    const std::size_t pieces = static_cast<std::size_t>(threads_);
    run_tasks(runs / 2 * pieces, threads_, ticker_, [&](std::size_t i, Ticker& own) {
      merge_piece(2 * (i / pieces), runs, i % pieces, pieces, own);
    });
    items_.swap(merged_);
  }

  /// A piece has its share of the first run, and the elements of the second run that lie between.
  void merge_piece(std::size_t run, std::size_t runs, std::size_t piece, std::size_t pieces,
                   Ticker& ticker) {
    const auto less = [&](const Item& a, const Item& b) { return less_(a, b, ticker); };
    const auto first = items_.begin() + begin_of(run, runs);
    const auto second = items_.begin() + begin_of(run + 1, runs);
    const auto end = items_.begin() + begin_of(run + 2, runs);
    const auto share = [&](std::size_t p) {
      return first + (second - first) * static_cast<std::ptrdiff_t>(p) /
                         static_cast<std::ptrdiff_t>(pieces);
    };
    const auto between = [&](std::size_t p) {
      return p == 0 ? second : p == pieces ? end : std::lower_bound(second, end, *share(p), less);
    };
    const auto low = share(piece), other = between(piece);
    std::merge(low, share(piece + 1), other, between(piece + 1),
               merged_.begin() + (low - items_.begin()) + (other - second), less);
  }

  std::vector<Item>& items_;
  int threads_;
  UnreportedTicker ticker_;
  const Less& less_;
  std::vector<Item> merged_;
};

/// Sorts by less(a, b, ticker), a strict order in which no two items are equal. So the result does
/// not depend on the number of threads. O(n log n); twice the memory of the items with threads.
template <class Item, class Less>
void sort_in_threads(std::vector<Item>& items, int threads, Ticker& ticker, const Less& less) {
  ThreadedSort<Item, Less>(items, threads, ticker, less).run();
}

}  // namespace anonkit
