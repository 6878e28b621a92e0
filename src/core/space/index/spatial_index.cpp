#include "space/index/spatial_index.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "space/index/leaf_order.hpp"
#include "space/index/metric_kernels.hpp"
#include "space/index/searches.hpp"

namespace anonkit {

namespace {

// Small trees are fast even if they are sparse.
constexpr Record kSmallestRebuild = 64;

template <class Value>
bool update(Value& value, Value to) {
  const bool changed = value != to;
  value = to;
  return changed;
}

}  // namespace

// ---- building ---------------------------------------------------------------------------------

SpatialIndex::SpatialIndex(const Space& space, Ticker& ticker) : space_(&space), ticker_(&ticker) {
  std::vector<Record> records(static_cast<std::size_t>(space.size()));
  std::iota(records.begin(), records.end(), 0);
  build(std::move(records));
}

SpatialIndex::SpatialIndex(const Space& space, const std::vector<Record>& records, Ticker& ticker)
    : space_(&space), ticker_(&ticker) {
  build(records);
}

// A complete tree of 2^h leaves of at most 16 records, without pointers: a node's place follows
// from its level and index. Leaves store coordinates attribute by attribute, so that one
// instruction handles the same attribute of several records.
void SpatialIndex::build(std::vector<Record> records) {
  const auto d = static_cast<std::size_t>(space_->dimension());
  built_ = records.size();
  living_ = static_cast<Record>(built_);
  leaves_ = 1;
  while (leaves_ * kLeafCapacity < built_) leaves_ *= 2;
  // An even number, so that two slots fit one vector register.
  stride_ = ((built_ + leaves_ - 1) / leaves_ + 1) / 2 * 2;
  blocks_.assign(leaves_ * stride_ * d, 0);
  record_at_.assign(leaves_ * stride_, kAfterAll);
  count_.assign(leaves_, 0);
  plan_levels();
  LeafOrder order(*space_, *ticker_);
  order.arrange(records, leaves_, [&](std::size_t leaf, const Record* members, std::size_t count) {
    fill_leaf(leaf, order, members, count);
  });
  bottom_up([&](Node node) { shrink(node); });
}

template <class Work>
void SpatialIndex::bottom_up(const Work& work) {
  for (std::size_t level = 0, nodes = leaves_; level < families_.size(); ++level) {
    for (std::size_t index = 0; index < nodes; ++index) {
      work(Node{level, index});
      ticker_->step(2 * kSiblings * space_->dimension());
    }
    nodes = (nodes + kSiblings - 1) / kSiblings;
  }
}

// Eight nodes of a level form a family, whose boxes are stored together: one visit of a parent
// bounds all of them. Empty boxes (low above high) are infinitely far away, so they need no test.
void SpatialIndex::plan_levels() {
  const auto d = static_cast<std::size_t>(space_->dimension());
  families_.clear();
  std::size_t families = 0;
  for (std::size_t nodes = leaves_;;) {
    families_.push_back(families);
    const std::size_t parents = (nodes + kSiblings - 1) / kSiblings;
    families += parents;
    if (nodes == 1) break;
    nodes = parents;
  }
  boxes_.resize(families * 2 * kSiblings * d);
  for (auto at = boxes_.begin(); at != boxes_.end(); at += 2 * kSiblings) {
    std::fill(at, at + kSiblings, kFarAway);
    std::fill(at + kSiblings, at + 2 * kSiblings, -kFarAway);
  }
  first_.assign(families * kSiblings, kAfterAll);
  reach_.assign(centre_.empty() ? 0 : families * kSiblings, -kFarAway);
}

// Transposes the members' rows: block[j * stride + slot] is attribute j of the record in that slot.
void SpatialIndex::fill_leaf(std::size_t leaf, const LeafOrder& order, const Record* members,
                             std::size_t count) {
  const auto d = static_cast<std::size_t>(space_->dimension());
  double* block = blocks_.data() + leaf * stride_ * d;
  for (std::size_t slot = 0; slot < count; ++slot) {
    const double* row = order.row(members[slot]);
    for (std::size_t j = 0; j < d; ++j) block[j * stride_ + slot] = row[j];
    record_at_[leaf * stride_ + slot] = order.record(members[slot]);
  }
  count_[leaf] = static_cast<std::int32_t>(count);
}

// ---- searching --------------------------------------------------------------------------------

std::vector<Record> SpatialIndex::records() const {
  std::vector<Record> living = records_by_leaf();
  std::sort(living.begin(), living.end());
  return living;
}

std::vector<Record> SpatialIndex::records_by_leaf() const {
  std::vector<Record> living;
  living.reserve(static_cast<std::size_t>(living_));
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const auto begin = record_at_.begin() + static_cast<std::ptrdiff_t>(leaf * stride_);
    living.insert(living.end(), begin, begin + count_[leaf]);
  }
  return living;
}

// Branch and bound, depth first. Invariant: every record that could improve the result is in a node
// on the stack or has been offered. A node is skipped if no point of its box, at the least record
// that it has, would improve the result; so ties go to the lower record as in a full scan.
/// Returns the work done, in boxes and records visited.
template <class Kernels, class Search>
std::int64_t SpatialIndex::descend(const Kernels& kernels, const double* x, Search& search,
                                   Ticker& ticker) const {
  // Without initial values, so that a large array costs nothing.
  struct Pending {
    double distance;
    Record first;
    std::int32_t level;
    std::size_t index;

    Neighbour bound() const { return {distance, first}; }
  };
  // At most one family per level: 11 levels exceed the range of Record. One entry is spare.
  Pending pending[11 * kSiblings + 1];
  Pending* end = pending;
  std::int64_t work = 0;
  if (living_ > 0)
    *end++ = {search.kLoosest, -1, static_cast<std::int32_t>(families_.size()) - 1, 0};
  while (end != pending) {
    const Pending next = *--end;
    if (!search.improves(next.bound())) continue;
    if (next.level == 0) {
      scan_leaf(kernels, x, next.index, search, ticker);
      work += static_cast<std::int64_t>(stride_);
      continue;
    }
    const std::size_t family = family_below({static_cast<std::size_t>(next.level), next.index});
    double bounds[kSiblings];
    search.bounds(kernels, x, boxes_of(family), reach_.data() + family * kSiblings, bounds);
    Pending* const begin = end;
    Pending* best = end;
    for (std::size_t s = 0; s < kSiblings; ++s) {
      const Pending one{bounds[s], first_[family * kSiblings + s], next.level - 1,
                        next.index * kSiblings + s};
      const bool promising = one.first != kAfterAll && search.improves(one.bound());
      // Puts the most promising node last, which is visited first. In few dimensions the others are
      // rarely visited, so sorting them would not pay.
      if constexpr (Kernels::kFewDimensions) {
        *end = one;
        best = promising && search.better(one.bound(), best->bound()) ? end : best;
        end += static_cast<std::ptrdiff_t>(promising);
      } else if (promising) {
        Pending* at = end++;
        for (; at != begin && search.better(at[-1].bound(), one.bound()); --at) *at = at[-1];
        *at = one;
      }
    }
    if (Kernels::kFewDimensions && end != begin) std::swap(*best, end[-1]);
    work += kSiblings;
    ticker.step(kSiblings * space_->dimension());
  }
  return work;
}

// Computes the distances of a whole leaf, an even number of them, and offers what improves.
template <class Kernels, class Search>
void SpatialIndex::scan_leaf(const Kernels& kernels, const double* x, std::size_t leaf,
                             Search& search, Ticker& ticker) const {
  double distances[kLeafCapacity];
  const std::int32_t count = count_[leaf];
  kernels.distances(x, block_of(leaf), static_cast<int>(stride_), (count + 1) / 2 * 2, distances);
  const Record* records = record_at_.data() + leaf * stride_;
  for (std::int32_t slot = 0; slot < count; ++slot) {
    const Neighbour candidate{distances[slot], records[slot], place_at(leaf, slot)};
    if (search.improves(candidate)) search.offer(candidate);
  }
  ticker.step(static_cast<std::int64_t>(stride_) * space_->dimension());
}

template <class Search>
std::int64_t SpatialIndex::search_with(Search& search, const double* x, Ticker& ticker) const {
  return with_kernels(*space_,
                      [&](const auto& kernels) { return descend(kernels, x, search, ticker); });
}

/// Searches, and leaves what it finds where the search keeps it.
template <class Search>
void SpatialIndex::collect(Search search, const double* x, Record wanted, Ticker& ticker) const {
  if (wanted > 0) search_with(search, x, ticker);
  search.finish();
}

void SpatialIndex::nearest(const double* x, Record k, std::vector<Neighbour>& out,
                           const Filter& filter) const {
  if (k == 1) {
    const Neighbour one = nearest(x, filter);
    out.assign(one.record < 0 ? 0 : 1, one);
    return;
  }
  collect(NearestSearch(k, out, filter), x, k, *ticker_);
}

void SpatialIndex::near(const double* x, Record k, double stretch, std::vector<Neighbour>& out,
                        Ticker& ticker) const {
  const Filter all;
  collect(ApproximateNearestSearch(k, stretch, out, all), x, k, ticker);
}

void SpatialIndex::nearest_weighing(const double* x, Record records,
                                    std::vector<Neighbour>& out) const {
  if (!space_->weighted()) {
    nearest(x, records, out);
    return;
  }
  collect(NearestWeighingSearch(*space_, records, out), x, records, *ticker_);
}

void SpatialIndex::nearest_tied(const double* x, Record records, double within,
                                std::vector<Neighbour>& out, Ticker& ticker) const {
  collect(NearestTiedSearch(*space_, records, within, out), x, records, ticker);
}

Neighbour SpatialIndex::nearest(const double* x, const Filter& filter) const {
  NearestOneSearch search(filter);
  search_with(search, x, *ticker_);
  Neighbour best = search.best();
  if (best.record == kAfterAll) best.record = -1;
  return best;
}

Neighbour SpatialIndex::farthest(const double* x, const Neighbour& than, double stretch) const {
  Neighbour best = than;
  search_farthest(x, stretch, best);
  return best;
}

// With reach R of a node about a centre c, no record of it is farther from x than R + |x - c|. A
// measurement visits n records, and comes after searches that visited 2n, so it adds half of their
// cost at most.
Neighbour SpatialIndex::farthest_from_centre(const double* x, const Neighbour& than,
                                             double stretch) {
  if (centre_.empty() || spent_ >= 2 * std::int64_t{living_}) measure_reach(x);
  Neighbour best = than;
  spent_ += search_farthest(x, stretch, best);
  return best;
}

/// Returns the work done.
std::int64_t SpatialIndex::search_farthest(const double* x, double stretch, Neighbour& best) const {
  const FarthestBound bound = bound_from(x);
  FarthestSearch search(bound, best, stretch);
  const std::int64_t work = search_with(search, x, *ticker_);
  best = search.best();
  return work;
}

FarthestBound SpatialIndex::bound_from(const double* x) const {
  if (centre_.empty() || living_ == 0) return {};
  return {*space_, centre_.data(), x, reach_[families_.back() * kSiblings]};
}

// Any centre gives valid bounds. They are tight while queries stay near it.
void SpatialIndex::measure_reach(const double* centre) {
  centre_.assign(centre, centre + space_->dimension());
  reach_.assign(first_.size(), -kFarAway);
  bottom_up([&](Node node) { reach_[position_of(node)] = reach_of(node); });
  spent_ = 0;
}

double SpatialIndex::reach_of(Node node) const {
  return node.level == 0 ? reach_of_leaf(node.index) : reach_of_inner(node);
}

// Distances are computed in pairs; the last one of an odd number is of an unused slot and ignored.
double SpatialIndex::reach_of_leaf(std::size_t leaf) const {
  double distances[kLeafCapacity];
  const std::int32_t count = count_[leaf];
  if (count == 0) return -kFarAway;
  with_kernels(*space_, [&](const auto& kernels) {
    kernels.distances(centre_.data(), block_of(leaf), static_cast<int>(stride_),
                      (count + 1) / 2 * 2, distances);
  });
  return *std::max_element(distances, distances + count);
}

// The largest reach of the children, as far as they have records.
double SpatialIndex::reach_of_inner(Node node) const {
  const double* reach = &reach_[family_below(node) * kSiblings];
  return *std::max_element(reach, reach + kSiblings);
}

// ---- removing ---------------------------------------------------------------------------------

void SpatialIndex::remove(const std::vector<Neighbour>& records) {
  for (const Neighbour& record : records) leave(record);
  erase_leaving();
}

void SpatialIndex::remove(const Neighbour& record) {
  leave(record);
  erase_leaving();
}

void SpatialIndex::read(const Neighbour& record, double* out) const {
  const auto d = static_cast<std::size_t>(space_->dimension());
  if (!is_at(record)) {
    std::copy_n(space_->row(record.record), d, out);
    return;
  }
  const double* block = block_of(leaf_of(record.place)) + slot_of(record.place);
  for (std::size_t j = 0; j < d; ++j) out[j] = block[j * stride_];
}

void SpatialIndex::leave(const Neighbour& record) {
  if (is_at(record)) {
    leaving_.push_back(record.place);
    return;
  }
  if (place_of_.empty()) look_up_places();
  leaving_.push_back(place_of_[static_cast<std::size_t>(record.record)]);
}

// The place that a search reported may be outdated by a removal or a rebuild; the record there
// tells.
bool SpatialIndex::is_at(const Neighbour& record) const {
  if (record.place < 0) return false;
  const std::size_t leaf = leaf_of(record.place), slot = slot_of(record.place);
  return leaf < leaves_ && static_cast<std::int32_t>(slot) < count_[leaf] &&
         record_at_[leaf * stride_ + slot] == record.record;
}

// Most removals follow a search, which reports the place. So this table is made only if one does
// not.
void SpatialIndex::look_up_places() {
  place_of_.assign(static_cast<std::size_t>(space_->size()), -1);
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
    for (std::int32_t slot = 0; slot < count_[leaf]; ++slot) {
      const Record record = record_at_[leaf * stride_ + static_cast<std::size_t>(slot)];
      place_of_[static_cast<std::size_t>(record)] = place_at(leaf, slot);
    }
  ticker_->step(4 * std::int64_t{living_});
}

void SpatialIndex::erase_leaving() {
  // A leaf's last record fills the gap, so positions are erased from the highest down.
  std::sort(leaving_.begin(), leaving_.end(), std::greater<>());
  for (const std::int32_t place : leaving_) erase(place);
  leaving_.clear();
  shrink_touched();
}

/// Removes a record from its leaf's block; the leaf's last record fills the gap.
void SpatialIndex::erase(std::int32_t place) {
  const std::size_t leaf = leaf_of(place), slot = slot_of(place);
  const auto last = static_cast<std::size_t>(--count_[leaf]);
  double* block = blocks_.data() + leaf * stride_ * static_cast<std::size_t>(space_->dimension());
  for (int j = 0; j < space_->dimension(); ++j, block += stride_) block[slot] = block[last];
  Record* records = record_at_.data() + leaf * stride_;
  records[slot] = records[last];
  if (!place_of_.empty()) place_of_[static_cast<std::size_t>(records[slot])] = place;
  --living_;
  if (touched_.empty() || touched_.back() != leaf) touched_.push_back(leaf);
}

/// Shrinks the touched leaves and the nodes above them, level by level, as long as a node changes.
void SpatialIndex::shrink_touched() {
  ticker_->step(static_cast<std::int64_t>(touched_.size() * stride_) * space_->dimension());
  if (living_ < static_cast<Record>(built_ / sparse()) && living_ >= kSmallestRebuild) {
    touched_.clear();
    rebuild();
    return;
  }
  for (std::size_t level = 0; level < families_.size() && !touched_.empty(); ++level) {
    std::size_t kept = 0;
    for (const std::size_t index : touched_) {
      if (!shrink({level, index})) continue;
      if (kept == 0 || touched_[kept - 1] != index / kSiblings)
        touched_[kept++] = index / kSiblings;
    }
    touched_.resize(kept);
  }
  touched_.clear();
}

/// The tree is rebuilt when one in this many records is left. In few dimensions removals empty
/// entire branches, which searches skip.
std::size_t SpatialIndex::sparse() const {
  return space_->dimension() <= 3 ? 30 : 3;
}

// The living records in ascending order give the tree that a new index of them would have.
void SpatialIndex::rebuild() {
  build(records());
  if (!place_of_.empty()) look_up_places();
}

/// Updates a node's box, least record and reach; false if nothing changed.
bool SpatialIndex::shrink(Node node) {
  return node.level == 0 ? shrink_leaf(node.index) : shrink_inner(node);
}

// Recomputes the box, the least record and the reach from the records that are left: O(16 d).
bool SpatialIndex::shrink_leaf(std::size_t leaf) {
  const double* block = block_of(leaf);
  const auto count = static_cast<std::size_t>(count_[leaf]);
  const Record* records = record_at_.data() + leaf * stride_;
  const Node node{0, leaf};
  bool changed = update(first_[position_of(node)],
                        count == 0 ? kAfterAll : *std::min_element(records, records + count));
  if (!centre_.empty()) changed |= update(reach_[position_of(node)], reach_of_leaf(leaf));
  double* box = box_of(node);
  for (int j = 0; j < space_->dimension(); ++j, block += stride_, box += 2 * kSiblings) {
    double low = kFarAway, high = -kFarAway;
    for (std::size_t slot = 0; slot < count; ++slot) {
      low = std::min(low, block[slot]);
      high = std::max(high, block[slot]);
    }
    changed |= update(box[0], low);
    changed |= update(box[kSiblings], high);
  }
  return changed;
}

// The tight box of the boxes below. If it stays, no node above changes, and the shrinking ends
// there.
bool SpatialIndex::shrink_inner(Node node) {
  const std::size_t below = family_below(node);
  const Record* first = &first_[below * kSiblings];
  bool changed = update(first_[position_of(node)], *std::min_element(first, first + kSiblings));
  if (!centre_.empty()) changed |= update(reach_[position_of(node)], reach_of_inner(node));
  const double* boxes = boxes_of(below);
  double* box = box_of(node);
  for (int j = 0; j < space_->dimension(); ++j, boxes += 2 * kSiblings, box += 2 * kSiblings) {
    changed |= update(box[0], *std::min_element(boxes, boxes + kSiblings));
    changed |= update(box[kSiblings], *std::max_element(boxes + kSiblings, boxes + 2 * kSiblings));
  }
  return changed;
}

}  // namespace anonkit
