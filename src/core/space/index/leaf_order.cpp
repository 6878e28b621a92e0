#include "space/index/leaf_order.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "space/index/select.hpp"

namespace anonkit {

namespace {

/// The number of coordinates that fit into the cache.
constexpr std::size_t kNearby = std::size_t{1} << 14;

/// For many records, the median is sought within this margin around its position in a sample.
constexpr std::size_t kMany = 2048, kMargin = 6;

/// Maps a 32-bit float to an integer of the same order.
std::uint32_t ordered_bits(float number) {
  std::uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  constexpr std::uint32_t kSign = 0x80000000U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

}  // namespace

// Rows are read from the space until a branch fits into the cache, where a copy replaces them.
LeafOrder::LeafOrder(const Space& space, Ticker& ticker)
    : space_(&space),
      ticker_(&ticker),
      widest_(space),
      dimension_(static_cast<std::size_t>(space.dimension())),
      rows_(space.row(0)) {}

// Recursion over the levels of the tree; each halves the leaves and, up to one, the records.
void LeafOrder::arrange(std::vector<Record>& records, std::size_t leaves, const Sink& sink) {
  sink_ = &sink;
  size_ = records.size();
  leaves_ = leaves;
  keys_.resize(size_);
  between_.resize(size_);
  // The branch-free partition writes each record to both sides, one place beyond the result.
  behind_.resize(size_ / 2 + 2);
  split(records.data(), 0, leaves);
}

// Leaf number l has the records from n l / leaves to n (l+1) / leaves, so sizes differ by one at
// most. Each call passes the leaves of one node, from left to right.
void LeafOrder::split(Record* records, std::size_t first_leaf, std::size_t leaves) {
  const std::size_t count = begin_of(first_leaf + leaves) - begin_of(first_leaf);
  if (leaves == 1) {
    (*sink_)(first_leaf, records, count);
    return;
  }
  if (!is_nearby() && count * dimension_ <= kNearby) {
    split_nearby(records, first_leaf, leaves);
    return;
  }
  const std::size_t half = begin_of(first_leaf + leaves / 2) - begin_of(first_leaf);
  part(records, count, half);
  ticker_->step(static_cast<std::int64_t>(count) * 8);
  split(records, first_leaf, leaves / 2);
  split(records + half, first_leaf + leaves / 2, leaves / 2);
}

/// Like split, after copying the branch's rows to contiguous memory for all cuts below.
void LeafOrder::split_nearby(Record* records, std::size_t first_leaf, std::size_t leaves) {
  const std::size_t count = begin_of(first_leaf + leaves) - begin_of(first_leaf);
  names_.assign(records, records + count);
  nearby_.resize(std::max(count * dimension_, kNearby));
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(space_->row(names_[i]), dimension_, nearby_.data() + i * dimension_);
  std::iota(records, records + count, 0);
  rows_ = nearby_.data();
  split(records, first_leaf, leaves);
  rows_ = space_->row(0);
}

/// Moves the `half` records that come first along the widest attribute to the front.
void LeafOrder::part(Record* records, std::size_t count, std::size_t half) {
  const int j = widest_.among(count, [&](std::size_t i) { return row(records[i]); });
  const double middle = row(records[count / 2])[j];
  const auto key_of = [&](const double* at) {
    return ordered_bits(static_cast<float>(at[j] - middle));
  };
  sample_.clear();
  for (const double* at : widest_.sample()) sample_.push_back(key_of(at));
  // Records sorted by an attribute, like a table in canonical order, stay sorted in all parts and
  // need no partitioning. A few records out of order are harmless.
  if (sample_.front() < sample_.back() && std::is_sorted(sample_.begin(), sample_.end())) return;
  for (std::size_t i = 0; i < count; ++i) keys_[i] = key_of(row(records[i]));
  const Ordered cut = median(count, half);
  // Free of branches, because the side of a record is unpredictable.
  std::size_t before = 0;
  const auto put = [&](std::size_t i, bool is_before) {
    const Record record = records[i];
    records[before] = record;
    behind_[i - before] = record;
    before += static_cast<std::size_t>(is_before);
  };
  const auto key = static_cast<Key>(cut >> 32);
  const auto place = static_cast<std::size_t>(cut & 0xffffffffU);
  for (std::size_t i = 0; i < place; ++i) put(i, keys_[i] <= key);
  for (std::size_t i = place; i < count; ++i) put(i, keys_[i] < key);
  std::copy_n(behind_.data(), count - half, records + half);
}

/// The first record behind the cut.
LeafOrder::Ordered LeafOrder::median(std::size_t count, std::size_t half) {
  std::size_t below = 0;
  const std::size_t among = count < kMany ? count : near_median(count, half, below);
  Ordered* const first = between_.data();
  if (among == count)
    for (std::size_t i = 0; i < count; ++i) first[i] = Ordered{keys_[i]} << 32 | i;
  select_nth(first, first + (half - below), first + among);
  return first[half - below];
}

/// Copies the records around the median to between_ and returns their number, or `count` if the
/// median is not among them. The place of the median in a sample of 48 has a standard deviation of
/// sqrt(48)/2 = 3.5, so it is mostly within the margin; a miss costs a selection among all (as in
/// Floyd, Rivest: Expected time bounds for selection, 1975).
std::size_t LeafOrder::near_median(std::size_t count, std::size_t half, std::size_t& below) {
  std::sort(sample_.begin(), sample_.end());
  const std::size_t place = half * sample_.size() / count;
  const Key low = sample_[place - kMargin], high = sample_[place + kMargin];
  std::size_t between = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Key key = keys_[i];
    between_[between] = Ordered{key} << 32 | i;
    below += static_cast<std::size_t>(key < low);
    between += static_cast<std::size_t>((key >= low) & (key <= high));
  }
  if (below <= half && half < below + between) return between;
  below = 0;
  return count;
}

}  // namespace anonkit
