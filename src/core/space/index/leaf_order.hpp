#pragma once

// The construction order of the spatial index: the records, leaf by leaf, of a balanced k-d tree
// (Friedman, Bentley and Finkel 1977). Every node is cut at the median of its widest attribute,
// down to leaves of equal size.
//
// Phases of a cut: a sample narrows the range of the median, and one pass finds it. Another pass
// partitions the records and keeps their order on each side. Invariant: records at equal places are
// divided by number, so the least record of a node is a tight bound. Memory: a few numbers per
// record, and a copy of a branch's rows once it fits into the cache.
//
//   LeafOrder order(space, ticker);
//   order.arrange(records, 8, [&](std::size_t leaf, const Record* members, std::size_t count) {
//     for (std::size_t m = 0; m < count; ++m) put(leaf, order.record(members[m])); });

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "space/index/widest_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Orders records by the leaves of a balanced k-d tree. O(n log n), two sequential passes per cut.
/// Coordinates are compared in 32 bits, as offsets from one of them. Rounding affects only the
/// shape of the tree.
class LeafOrder {
 public:
  /// Receives the members of a leaf; record() and row() map a member to its record and coordinates.
  using Sink = std::function<void(std::size_t leaf, const Record* members, std::size_t count)>;

  LeafOrder(const Space& space, Ticker& ticker);

  /// Reorders `records`, given in ascending order, by `leaves` leaves of equal size, and passes one
  /// leaf after the other to `sink`. `leaves` is a power of two.
  void arrange(std::vector<Record>& records, std::size_t leaves, const Sink& sink);

  Record record(Record member) const {
    return is_nearby() ? names_[static_cast<std::size_t>(member)] : member;
  }
  const double* row(Record member) const {
    return rows_ + static_cast<std::size_t>(member) * dimension_;
  }

 private:
  using Key = std::uint32_t;
  /// A record of a node: its key in the high bits, its number among the node's records in the low
  /// bits.
  using Ordered = std::uint64_t;

  void split(Record* records, std::size_t first_leaf, std::size_t leaves);
  void split_nearby(Record* records, std::size_t first_leaf, std::size_t leaves);
  void part(Record* records, std::size_t count, std::size_t half);
  Ordered median(std::size_t count, std::size_t half);
  std::size_t near_median(std::size_t count, std::size_t half, std::size_t& below);
  std::size_t begin_of(std::size_t leaf) const { return size_ * leaf / leaves_; }
  bool is_nearby() const { return rows_ == nearby_.data(); }

  const Space* space_;
  Ticker* ticker_;
  WidestAttribute widest_;
  std::size_t dimension_;
  const double* rows_;  ///< the space's rows, or nearby_
  const Sink* sink_ = nullptr;
  std::size_t size_ = 0, leaves_ = 1;
  std::vector<Key> keys_;         ///< of a node's records
  std::vector<Key> sample_;       ///< some of keys_, sorted
  std::vector<Ordered> between_;  ///< candidates for the median
  std::vector<Record> behind_;    ///< a node's records behind the cut
  std::vector<double> nearby_;    ///< a branch's rows, contiguous; members index them
  std::vector<Record> names_;     ///< the records of nearby_
};

}  // namespace anonkit
