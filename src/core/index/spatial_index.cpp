#include "index/spatial_index.hpp"

#include <algorithm>
#include <numeric>

#include "index/metric_kernels.hpp"
#include "index/searches.hpp"
#include "index/select.hpp"
#include "index/widest_attribute.hpp"

namespace anonkit {

namespace {

constexpr std::size_t kLeafCapacity = 16;
// Small trees are searched fast however sparse they are.
constexpr Record kSmallestRebuild = 64;

template <class Value>
bool update(Value& value, Value to) {
  const bool changed = value != to;
  value = to;
  return changed;
}

Neighbour or_none(Neighbour best) {
  if (best.record == kNoRecord) best.record = -1;
  return best;
}

}  // namespace

// ---- building ---------------------------------------------------------------------------------

SpatialIndex::SpatialIndex(const Space& space, Ticker& ticker)
    : space_(&space), ticker_(&ticker), slot_(static_cast<std::size_t>(space.size())) {
  std::vector<Keyed> items(slot_.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i].record = static_cast<Record>(i);
  build(items);
}

SpatialIndex::SpatialIndex(const Space& space, std::vector<Record> records, Ticker& ticker)
    : space_(&space),
      ticker_(&ticker),
      members_(std::move(records)),
      subset_(true),
      slot_(members_.size()) {
  std::vector<Keyed> items(slot_.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i].record = members_[i];
  build(items);
}

SpatialIndex::SpatialIndex(const Space& space, Ticker& ticker, const std::vector<Record>& taken)
    : space_(&space), ticker_(&ticker), for_taking_(true) {
  std::vector<Keyed> items(taken.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i].record = taken[i];
  build(items);
}

SpatialIndex SpatialIndex::for_taking(const Space& space, const std::vector<Record>& records,
                                      Ticker& ticker) {
  return SpatialIndex(space, ticker, records);
}

void SpatialIndex::build(std::vector<Keyed>& items) {
  const auto d = static_cast<std::size_t>(space_->dimension());
  built_ = items.size();
  living_ = static_cast<Record>(built_);
  leaves_ = 1;
  while (leaves_ * kLeafCapacity < built_) leaves_ *= 2;
  // An even number, so that two slots can be handled at once.
  stride_ = ((built_ + leaves_ - 1) / leaves_ + 1) / 2 * 2;
  blocks_.assign(leaves_ * stride_ * d, 0);
  record_at_.assign(leaves_ * stride_, kNoRecord);
  count_.assign(leaves_, 0);
  plan_levels();
  place_origin(items);
  WidestAttribute widest(*space_);
  split(0, leaves_, items, widest);
  for (std::size_t level = 0, nodes = leaves_; level < families_.size(); ++level) {
    for (std::size_t index = 0; index < nodes; ++index) shrink({level, index});
    nodes = (nodes + kSiblings - 1) / kSiblings;
  }
}

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
  first_.assign(families * kSiblings, kNoRecord);
  reach_.assign(families * kSiblings, -kFarAway);
}

/// The mean, as rounding has it. It lies in the middle of the ball that MDAV peels, and towards the
/// tails, from where MDAV asks.
void SpatialIndex::place_origin(const std::vector<Keyed>& items) {
  origin_.assign(static_cast<std::size_t>(space_->dimension()), 0);
  for (const Keyed& item : items)
    for (std::size_t j = 0; j < origin_.size(); ++j) origin_[j] += space_->row(item.record)[j];
  for (double& value : origin_)
    value /= static_cast<double>(std::max<std::size_t>(items.size(), 1));
}

void SpatialIndex::split(std::size_t first_leaf, std::size_t leaves, std::vector<Keyed>& items,
                         WidestAttribute& widest) {
  if (leaves == 1) {
    fill_leaf(first_leaf, items);
    return;
  }
  const std::size_t begin = begin_of(first_leaf), end = begin_of(first_leaf + leaves);
  const std::size_t middle = begin_of(first_leaf + leaves / 2);
  const int attribute =
      widest.among(end - begin, [&](std::size_t i) { return items[begin + i].record; });
  for (std::size_t i = begin; i < end; ++i) items[i].key = space_->row(items[i].record)[attribute];
  // Records at the same place are parted by number, which makes the least record a sharp bound.
  Keyed* const data = items.data();
  select_nth(data + begin, data + middle, data + end, [](const Keyed& a, const Keyed& b) {
    return static_cast<bool>((a.key < b.key) | ((a.key == b.key) & (a.record < b.record)));
  });
  ticker_->step(static_cast<std::int64_t>(end - begin) * 10);
  split(first_leaf, leaves / 2, items, widest);
  split(first_leaf + leaves / 2, leaves / 2, items, widest);
}

void SpatialIndex::fill_leaf(std::size_t leaf, const std::vector<Keyed>& items) {
  const std::size_t begin = begin_of(leaf), end = begin_of(leaf + 1);
  double* block = blocks_.data() + leaf * stride_ * static_cast<std::size_t>(space_->dimension());
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t slot = i - begin;
    const Record record = items[i].record;
    const double* row = space_->row(record);
    for (std::size_t j = 0; j < static_cast<std::size_t>(space_->dimension()); ++j)
      block[j * stride_ + slot] = row[j];
    record_at_[leaf * stride_ + slot] = record;
    if (!for_taking_) slot_[member_of(record)] = static_cast<std::int32_t>(leaf * stride_ + slot);
  }
  count_[leaf] = static_cast<std::int32_t>(end - begin);
}

// ---- membership -------------------------------------------------------------------------------

std::size_t SpatialIndex::member_of(Record i) const {
  if (!subset_) return static_cast<std::size_t>(i);
  return static_cast<std::size_t>(std::lower_bound(members_.begin(), members_.end(), i) -
                                  members_.begin());
}

bool SpatialIndex::contains(Record i) const {
  const std::size_t member = member_of(i);
  if (subset_ && (member >= members_.size() || members_[member] != i)) return false;
  return slot_[member] >= 0;
}

std::vector<Record> SpatialIndex::records() const {
  std::vector<Record> living;
  living.reserve(static_cast<std::size_t>(living_));
  for (std::size_t member = 0; member < slot_.size(); ++member)
    if (slot_[member] >= 0)
      living.push_back(subset_ ? members_[member] : static_cast<Record>(member));
  return living;
}

// ---- searching --------------------------------------------------------------------------------

template <class Kernels, class Search>
void SpatialIndex::descend(const Kernels& kernels, const double* x, Search& search) const {
  struct Pending {
    Neighbour bound;
    Node node;
  };
  // A family for each level at most: 11 levels reach beyond the range of Record.
  Pending pending[11 * kSiblings];
  Pending* end = pending;
  if (living_ > 0) *end++ = {search.loosest(), {families_.size() - 1, 0}};
  while (end != pending) {
    const Pending next = *--end;
    if (!search.improves(next.bound)) continue;
    if (next.node.level == 0) {
      scan_leaf(kernels, x, next.node.index, search);
      continue;
    }
    const std::size_t family = family_below(next.node);
    double bounds[kSiblings];
    search.bounds(kernels, x, boxes_of(family), &reach_[family * kSiblings], bounds);
    Pending* const begin = end;
    for (std::size_t s = 0; s < kSiblings; ++s) {
      const Neighbour bound{bounds[s], first_[family * kSiblings + s]};
      if (bound.record == kNoRecord || !search.improves(bound)) continue;
      // The most promising comes last, to be taken first.
      Pending* at = end++;
      for (; at != begin && search.better(at[-1].bound, bound); --at) *at = at[-1];
      *at = {bound, {next.node.level - 1, next.node.index * kSiblings + s}};
    }
    ticker_->step(kSiblings * space_->dimension());
  }
}

template <class Kernels, class Search>
void SpatialIndex::scan_leaf(const Kernels& kernels, const double* x, std::size_t leaf,
                             Search& search) const {
  double distances[kLeafCapacity];
  const std::int32_t count = count_[leaf];
  kernels.distances(x, block_of(leaf), static_cast<int>(stride_), (count + 1) / 2 * 2, distances);
  const Record* records = record_at_.data() + leaf * stride_;
  for (std::int32_t slot = 0; slot < count; ++slot) {
    const Neighbour candidate{distances[slot], records[slot]};
    if (search.improves(candidate))
      search.offer(candidate, leaf * stride_ + static_cast<std::size_t>(slot));
  }
  ticker_->step(static_cast<std::int64_t>(stride_) * space_->dimension());
}

void SpatialIndex::nearest(const double* x, Record k, std::vector<Neighbour>& out,
                           const Filter& filter) const {
  NearestSearch search(k, out, filter);
  if (k > 0) with_kernels(*space_, [&](const auto& kernels) { descend(kernels, x, search); });
  search.finish();
}

Neighbour SpatialIndex::nearest(const double* x, const Filter& filter) const {
  NearestOneSearch search(filter);
  with_kernels(*space_, [&](const auto& kernels) { descend(kernels, x, search); });
  return or_none(search.best());
}

Neighbour SpatialIndex::farthest(const double* x, const Filter& filter) const {
  const FarthestBound bound(origin_, x, boxes_of(top_family()), &reach_[top_family() * kSiblings]);
  FarthestSearch search(bound, filter);
  with_kernels(*space_, [&](const auto& kernels) { descend(kernels, x, search); });
  return or_none(search.best());
}

void SpatialIndex::distances(const double* x, std::vector<Neighbour>& out) const {
  out.clear();
  out.reserve(static_cast<std::size_t>(living_));
  double distances[kLeafCapacity];
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int32_t count = measure_leaf(leaf, x, distances);
    for (std::int32_t slot = 0; slot < count; ++slot)
      out.push_back({distances[slot], record_at_[leaf * stride_ + static_cast<std::size_t>(slot)]});
  }
  ticker_->step(static_cast<std::int64_t>(leaves_ * stride_) * space_->dimension());
}

// ---- removing ---------------------------------------------------------------------------------

void SpatialIndex::remove(const std::vector<Neighbour>& records) {
  for (const Neighbour& neighbour : records) erase(neighbour.record);
  shrink_touched();
}

void SpatialIndex::remove(Record i) {
  erase(i);
  shrink_touched();
}

Neighbour SpatialIndex::take_nearest(const double* x) {
  NearestPlaceSearch search;
  with_kernels(*space_, [&](const auto& kernels) { descend(kernels, x, search); });
  erase_at(search.place());
  shrink_touched();
  return search.best();
}

void SpatialIndex::erase(Record i) {
  std::int32_t& slot = slot_[member_of(i)];
  const auto at = static_cast<std::size_t>(slot);
  erase_at(at);
  slot_[member_of(record_at_[at])] = static_cast<std::int32_t>(at);
  slot = -1;
}

/// Takes a record out of its leaf's block; the leaf's last record fills the gap.
void SpatialIndex::erase_at(std::size_t at) {
  const std::size_t leaf = at / stride_;
  const std::size_t last = leaf * stride_ + static_cast<std::size_t>(--count_[leaf]);
  double* block = blocks_.data() + leaf * stride_ * static_cast<std::size_t>(space_->dimension());
  const std::size_t to = at - leaf * stride_, from = last - leaf * stride_;
  for (std::size_t j = 0; j < origin_.size(); ++j)
    block[j * stride_ + to] = block[j * stride_ + from];
  record_at_[at] = record_at_[last];
  --living_;
  touched_.push_back(leaf);
}

/// Shrinks the touched leaves and what lies above them, level by level, as far as anything changes.
void SpatialIndex::shrink_touched() {
  ticker_->step(static_cast<std::int64_t>(touched_.size() * stride_) * space_->dimension());
  if (living_ < static_cast<Record>(built_ / sparse()) && living_ >= kSmallestRebuild) {
    touched_.clear();
    rebuild();
    return;
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
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

/// The tree is built anew when one in so many records is left. In few dimensions what has gone
/// leaves whole branches dead, which a search never sees.
std::size_t SpatialIndex::sparse() const {
  return space_->dimension() <= 3 ? 30 : 3;
}

void SpatialIndex::rebuild() {
  std::vector<Keyed> items;
  items.reserve(static_cast<std::size_t>(living_));
  // In the order of the leaves: what is near in space stays near in memory.
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
    for (std::int32_t slot = 0; slot < count_[leaf]; ++slot)
      items.push_back({0, record_at_[leaf * stride_ + static_cast<std::size_t>(slot)]});
  build(items);
}

/// Brings what is known of a node up to date; false if nothing changed.
bool SpatialIndex::shrink(Node node) {
  return node.level == 0 ? shrink_leaf(node.index) : shrink_inner(node);
}

bool SpatialIndex::shrink_leaf(std::size_t leaf) {
  const double* block = block_of(leaf);
  const auto count = static_cast<std::size_t>(count_[leaf]);
  const Record* records = record_at_.data() + leaf * stride_;
  const Node node{0, leaf};
  bool changed = update(first_[place_of(node)],
                        count == 0 ? kNoRecord : *std::min_element(records, records + count));
  // Only farthest searches ask for it.
  if (!for_taking_) changed |= update(reach_[place_of(node)], reach_of_leaf(leaf));
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

bool SpatialIndex::shrink_inner(Node node) {
  const std::size_t below = family_below(node);
  const Record* first = &first_[below * kSiblings];
  const double* reach = &reach_[below * kSiblings];
  bool changed = update(first_[place_of(node)], *std::min_element(first, first + kSiblings));
  changed |= update(reach_[place_of(node)], *std::max_element(reach, reach + kSiblings));
  const double* boxes = boxes_of(below);
  double* box = box_of(node);
  for (int j = 0; j < space_->dimension(); ++j, boxes += 2 * kSiblings, box += 2 * kSiblings) {
    changed |= update(box[0], *std::min_element(boxes, boxes + kSiblings));
    changed |= update(box[kSiblings], *std::max_element(boxes + kSiblings, boxes + 2 * kSiblings));
  }
  return changed;
}

double SpatialIndex::reach_of_leaf(std::size_t leaf) const {
  double distances[kLeafCapacity];
  const std::int32_t count = measure_leaf(leaf, origin_.data(), distances);
  return count == 0 ? -kFarAway : *std::max_element(distances, distances + count);
}

/// The distances from x to the living records of a leaf, which are counted.
std::int32_t SpatialIndex::measure_leaf(std::size_t leaf, const double* x, double* out) const {
  const std::int32_t count = count_[leaf];
  with_kernels(*space_, [&](const auto& kernels) {
    kernels.distances(x, block_of(leaf), static_cast<int>(stride_), (count + 1) / 2 * 2, out);
  });
  return count;
}

}  // namespace anonkit
