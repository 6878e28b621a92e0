#include "method/mondrian/cut.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Record kAll = std::numeric_limits<Record>::max();
// Above this size 'cheapest' cuts at the median: sorting by every attribute takes long and hardly
// lowers the final loss.
constexpr Record kSorted = 1 << 14;

}  // namespace

Rows::Rows(const GeneralisationSpace& space)
    : dimension_(static_cast<std::size_t>(space.dimension())),
      coordinates_(space.row(0),
                   space.row(0) + static_cast<std::size_t>(space.size()) * dimension_),
      records_(static_cast<std::size_t>(space.size())) {
  std::iota(records_.begin(), records_.end(), 0);
}

void Rows::swap(Record a, Record b) {
  std::swap_ranges(row(a), row(a) + dimension_, row(b));
  std::swap(records_[static_cast<std::size_t>(a)], records_[static_cast<std::size_t>(b)]);
}

CutChooser::CutChooser(Rows& rows, const GeneralisationSpace& space, Record k, MondrianCut how,
                       Ticker& ticker)
    : rows_(rows), space_(space), k_(k), how_(how), ticker_(ticker), sides_(2) {}

void CutChooser::clear(Box& box) const {
  box.low.assign(static_cast<std::size_t>(space_.dimension()), kInfinity);
  box.high.assign(static_cast<std::size_t>(space_.dimension()), -kInfinity);
  box.records = 0;
}

void CutChooser::take(Box& box, const double* row) {
  double* low = box.low.data();
  double* high = box.high.data();
  for (std::size_t j = 0; j < box.low.size(); ++j) {
    low[j] = row[j] < low[j] ? row[j] : low[j];
    high[j] = row[j] > high[j] ? row[j] : high[j];
  }
  ++box.records;
}

/// The total penalty of all records in the box.
double CutChooser::penalty(const Box& box) const {
  double sum = 0;
  for (int j = 0; j < space_.dimension(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    sum += space_.domain(j).weight * space_.domain(j).penalty(box.low[at], box.high[at]);
  }
  return sum * box.records;
}

const std::vector<Cut>& CutChooser::cuts(const RecordRange& part) {
  cuts_.clear();
  clear(box_);
  for (Record at = part.begin; at < part.end; ++at) take(box_, rows_.row(at));
  ticker_.step(4 * std::int64_t{part.size()} * space_.dimension());
  for (int j = 0; j < space_.dimension(); ++j)
    if (box_.low[static_cast<std::size_t>(j)] < box_.high[static_cast<std::size_t>(j)])
      propose(part, j);
  std::stable_sort(cuts_.begin(), cuts_.end(),
                   [](const Cut& a, const Cut& b) { return a.cost < b.cost; });
  return cuts_;
}

void CutChooser::propose(const RecordRange& part, int j) {
  if (space_.domain(j).by == Generalise::hierarchy) {
    if (how_ != MondrianCut::strict) return propose_child(part, j);
    Cut cut{j, 0, 0, 0, true};
    cut.cost = price_children(cut, part);
    if (cut.cost < kInfinity) cuts_.push_back(cut);
    return;
  }
  if (how_ == MondrianCut::relaxed) return propose_half(part, j);
  if (how_ == MondrianCut::cheapest && part.size() <= kSorted) propose_cheapest(part, j);
  propose_median(part, j);
}

/// The boundary beside the median that leaves k records; the more balanced one if both do.
void CutChooser::propose_median(const RecordRange& part, int j) {
  values_.clear();
  for (Record at = part.begin; at < part.end; ++at) values_.push_back(rows_.row(at)[j]);
  const auto middle = values_.begin() + (part.size() - 1) / 2;
  std::nth_element(values_.begin(), middle, values_.end());
  const double median = *middle;
  Record below = 0, upto = 0;
  double next_below = -kInfinity;
  for (const double x : values_) {
    upto += x <= median ? 1 : 0;
    below += x < median ? 1 : 0;
    next_below = x < median && x > next_below ? x : next_below;
  }
  ticker_.step(30 * std::int64_t{part.size()});
  const auto least = [&](Record first) { return std::min(first, part.size() - first); };
  if (std::max(least(upto), least(below)) < k_) return;
  Cut cut{j, -kInfinity, least(upto) >= least(below) ? median : next_below, kAll};
  cut.cost = price(cut, part);
  cuts_.push_back(cut);
}

void CutChooser::propose_half(const RecordRange& part, int j) {
  sorted_.clear();
  for (Record at = part.begin; at < part.end; ++at)
    sorted_.emplace_back(rows_.row(at)[j], rows_.records()[at]);
  const auto middle = sorted_.begin() + part.size() / 2 - 1;
  std::nth_element(sorted_.begin(), middle, sorted_.end());
  ticker_.step(30 * std::int64_t{part.size()});
  Cut cut{j, -kInfinity, middle->first, middle->second};
  cut.cost = price(cut, part);
  cuts_.push_back(cut);
}

void CutChooser::propose_cheapest(const RecordRange& part, int j) {
  sorted_.clear();
  for (Record at = part.begin; at < part.end; ++at) sorted_.emplace_back(rows_.row(at)[j], at);
  std::sort(sorted_.begin(), sorted_.end());
  ticker_.step(20 * std::int64_t{part.size()} * (space_.dimension() + 4));
  Box& box = sides_[0];
  clear(box);
  heads_.clear();
  for (const auto& [x, at] : sorted_) {
    take(box, rows_.row(at));
    heads_.push_back(penalty(box));
  }
  clear(box);
  Cut best{j, -kInfinity, 0, kAll};
  best.cost = kInfinity;
  for (std::size_t at = sorted_.size() - 1; at >= static_cast<std::size_t>(k_); --at) {
    take(box, rows_.row(sorted_[at].second));
    if (box.records < k_ || !(sorted_[at - 1].first < sorted_[at].first)) continue;
    const double cost = heads_[at - 1] + penalty(box);
    if (!(cost < best.cost)) continue;
    best.cost = cost;
    best.to = sorted_[at - 1].first;
  }
  if (best.cost < kInfinity) cuts_.push_back(best);
}

std::int32_t CutChooser::child(int j, double coordinate) const {
  const Domain& domain = space_.domain(j);
  const auto leaf = [&](double at) { return domain.leaf[static_cast<std::size_t>(at)]; };
  const std::int32_t level = domain.hierarchy->common_level(
      leaf(box_.low[static_cast<std::size_t>(j)]), leaf(box_.high[static_cast<std::size_t>(j)]));
  return domain.hierarchy->group(level - 1, leaf(coordinate));
}

/// Separates the child with the least cost among those that leave k on both sides.
void CutChooser::propose_child(const RecordRange& part, int j) {
  sorted_.clear();
  for (Record at = part.begin; at < part.end; ++at) sorted_.emplace_back(rows_.row(at)[j], at);
  std::sort(sorted_.begin(), sorted_.end());
  ticker_.step(20 * std::int64_t{part.size()});
  Cut best{j, 0, 0, kAll};
  best.cost = kInfinity;
  for (std::size_t from = 0, to = 0; from < sorted_.size(); from = to) {
    const std::int32_t own = child(j, sorted_[from].first);
    while (to < sorted_.size() && child(j, sorted_[to].first) == own) ++to;
    const auto size = static_cast<Record>(to - from);
    if (size < k_ || part.size() - size < k_) continue;
    Cut cut{j, sorted_[from].first, sorted_[to - 1].first, kAll};
    cut.cost = price(cut, part);
    if (cut.cost < best.cost) best = cut;
  }
  if (best.cost < kInfinity) cuts_.push_back(best);
}

bool CutChooser::in_first(const Cut& cut, Record at) const {
  const double x = rows_.row(at)[cut.attribute];
  return x >= cut.from && (x < cut.to || (x == cut.to && rows_.records()[at] <= cut.last));
}

double CutChooser::price(const Cut& cut, const RecordRange& part) {
  clear(sides_[0]);
  clear(sides_[1]);
  for (Record at = part.begin; at < part.end; ++at)
    take(sides_[in_first(cut, at) ? 0 : 1], rows_.row(at));
  ticker_.step(4 * std::int64_t{part.size()} * space_.dimension());
  return penalty(sides_[0]) + penalty(sides_[1]);
}

/// Infinite if a child has fewer than k records.
double CutChooser::price_children(const Cut& cut, const RecordRange& part) {
  const Domain& domain = space_.domain(cut.attribute);
  std::vector<Box> boxes(static_cast<std::size_t>(domain.values));
  ticker_.step(8 * std::int64_t{part.size()} * space_.dimension());
  for (Record at = part.begin; at < part.end; ++at) {
    Box& box = boxes[static_cast<std::size_t>(child(cut.attribute, rows_.row(at)[cut.attribute]))];
    if (box.low.empty()) clear(box);
    take(box, rows_.row(at));
  }
  double sum = 0;
  for (const Box& box : boxes) {
    if (box.low.empty()) continue;
    if (box.records < k_) return kInfinity;
    sum += penalty(box);
  }
  return sum;
}

void CutChooser::apply(const Cut& cut, const RecordRange& part, std::vector<RecordRange>& parts) {
  parts.clear();
  Record begin = part.begin;
  ticker_.step(4 * std::int64_t{part.size()} * space_.dimension());
  while (begin < part.end) {
    const std::int32_t own =
        cut.children ? child(cut.attribute, rows_.row(begin)[cut.attribute]) : 0;
    Record middle = begin;
    for (Record at = begin; at < part.end; ++at) {
      const bool first = cut.children    ? child(cut.attribute, rows_.row(at)[cut.attribute]) == own
                         : parts.empty() ? in_first(cut, at)
                                         : true;
      if (first) rows_.swap(at, middle++);
    }
    parts.push_back({begin, middle});
    begin = middle;
  }
}

}  // namespace anonkit
