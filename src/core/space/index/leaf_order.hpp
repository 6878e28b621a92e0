#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "space/index/widest_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Brings records into the order of the leaves of a balanced k-d tree (Friedman, Bentley and Finkel
/// 1977): every node is cut at the median of its widest attribute, down to leaves of equal size.
///
/// A cut costs two passes over the node's records, O(n log n) in all: one that finds the median
/// with the help of a sample, one that parts the records without changing the order of those on a
/// side. So memory is walked forwards, and records at the same place are parted by number, which
/// makes the least record of a node a sharp bound. Coordinates are compared in 32 bits, as offsets
/// from one of them: what they cannot tell apart costs nothing but shape.
class LeafOrder {
 public:
  /// Takes the members of a leaf over; record() and row() tell what they are.
  using Sink = std::function<void(std::size_t leaf, const Record* members, std::size_t count)>;

  LeafOrder(const Space& space, Ticker& ticker);

  /// Brings the records, which come in ascending order, into the order of so many leaves, a power
  /// of two, of equal size; hands over one leaf after the other.
  void arrange(std::vector<Record>& records, std::size_t leaves, const Sink& sink);

  Record record(Record member) const {
    return is_nearby() ? names_[static_cast<std::size_t>(member)] : member;
  }
  const double* row(Record member) const {
    return rows_ + static_cast<std::size_t>(member) * dimension_;
  }

 private:
  using Key = std::uint32_t;
  /// A record of a node: its key and, below, its number among the node's records.
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
  const double* rows_;  ///< of the space, or nearby_
  const Sink* sink_ = nullptr;
  std::size_t size_ = 0, leaves_ = 1;
  std::vector<Key> keys_;         ///< of a node's records
  std::vector<Key> sample_;       ///< some of them, sorted
  std::vector<Ordered> between_;  ///< those among which the median is
  std::vector<Record> behind_;    ///< a node's records behind the cut
  std::vector<double> nearby_;    ///< a branch's rows, side by side; its members are their numbers
  std::vector<Record> names_;     ///< and its records
};

}  // namespace anonkit
