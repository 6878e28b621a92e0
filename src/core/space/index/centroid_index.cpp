#include "space/index/centroid_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {
namespace {

constexpr std::size_t kLeaf = 8;
constexpr std::size_t kShortestList = 64;

}  // namespace

CentroidIndex::CentroidIndex(const Space& space, ClassId classes, Ticker& ticker)
    : space_(space),
      ticker_(ticker),
      width_(static_cast<std::size_t>(space.dimension())),
      points_(at(classes) * width_),
      where_(at(classes), Where::nowhere) {}

void CentroidIndex::add(ClassId c, const double* point) {
  std::copy(point, point + width_, points_.begin() + static_cast<std::ptrdiff_t>(at(c) * width_));
  where_[at(c)] = Where::list;
  list_.push_back(c);
  ++living_;
}

void CentroidIndex::remove(ClassId c) {
  if (where_[at(c)] == Where::list) {
    list_.erase(std::find(list_.begin(), list_.end(), c));
  } else {
    ++gone_;
  }
  where_[at(c)] = Where::nowhere;
  --living_;
}

ClassId CentroidIndex::nearest(const double* x, ClassId except) {
  search_all(x, 1, except);
  return best_.found.empty() ? -1 : best_.found.front().second;
}

std::vector<ClassId> CentroidIndex::nearest(const double* x, std::size_t count, ClassId except) {
  search_all(x, count, except);
  std::vector<ClassId> classes;
  for (const auto& entry : best_.found) classes.push_back(entry.second);
  return classes;
}

void CentroidIndex::search_all(const double* x, std::size_t count, ClassId except) {
  const double root = std::sqrt(static_cast<double>(living_));
  if (list_.size() > kShortestList + static_cast<std::size_t>(8 * root) ||
      (gone_ > kShortestList && 2 * gone_ > order_.size()))
    rebuild();
  best_.count = count;
  best_.found.clear();
  for (const ClassId c : list_) consider(c, x, except);
  ticker_.step(static_cast<std::int64_t>(list_.size() * width_));
  if (!nodes_.empty()) search(0, x, except);
}

void CentroidIndex::consider(ClassId c, const double* x, ClassId except) {
  if (c == except) return;
  const std::pair<double, ClassId> here{space_.squared_distance(point(c), x), c};
  auto& found = best_.found;
  if (found.size() == best_.count && !(here < found.back())) return;
  if (found.size() == best_.count) found.pop_back();
  found.insert(std::lower_bound(found.begin(), found.end(), here), here);
}

void CentroidIndex::search(std::size_t node, const double* x, ClassId except) {
  const Node& here = nodes_[node];
  ticker_.step(static_cast<std::int64_t>(4 * width_));
  if (here.left == 0) {
    for (std::size_t p = here.first; p < here.last; ++p)
      if (where_[at(order_[p])] == Where::tree) consider(order_[p], x, except);
    return;
  }
  const double left = bound(here.left, x), right = bound(here.right, x);
  const bool swap = right < left;
  // A box at the greatest distance found may contain a lower class at that distance.
  if (best_.in_reach(std::min(left, right))) search(swap ? here.right : here.left, x, except);
  if (best_.in_reach(std::max(left, right))) search(swap ? here.left : here.right, x, except);
}

// Sums in the order of Space::squared_distance. Rounding is monotone, so no computed distance to a
// point of the box is less.
double CentroidIndex::bound(std::size_t node, const double* x) const {
  const double* low = boxes_.data() + node * 2 * width_;
  const double* high = low + width_;
  double sum = 0;
  for (std::size_t j = 0; j < width_; ++j) {
    const double outside = std::max(std::max(low[j] - x[j], x[j] - high[j]), 0.0);
    if (space_.attribute(static_cast<int>(j)).kind == Kind::nominal) {
      sum += outside > 0 ? space_.mismatch(static_cast<int>(j)) : 0;
    } else {
      sum += outside * outside;
    }
  }
  return sum;
}

void CentroidIndex::rebuild() {
  order_.clear();
  list_.clear();
  nodes_.clear();
  boxes_.clear();
  gone_ = 0;
  for (std::size_t c = 0; c < where_.size(); ++c) {
    if (where_[c] == Where::nowhere) continue;
    where_[c] = Where::tree;
    order_.push_back(static_cast<ClassId>(c));
  }
  if (!order_.empty()) build(0, order_.size());
}

std::size_t CentroidIndex::build(std::size_t first, std::size_t last) {
  const std::size_t node = nodes_.size();
  ticker_.step(static_cast<std::int64_t>((last - first) * width_ * 4));
  nodes_.push_back({first, last});
  boxes_.resize(boxes_.size() + 2 * width_);
  double* box = boxes_.data() + node * 2 * width_;
  for (std::size_t j = 0; j < width_; ++j) {
    box[j] = std::numeric_limits<double>::infinity();
    box[width_ + j] = -box[j];
    for (std::size_t p = first; p < last; ++p) {
      box[j] = std::min(box[j], point(order_[p])[j]);
      box[width_ + j] = std::max(box[width_ + j], point(order_[p])[j]);
    }
  }
  if (last - first <= kLeaf) return node;
  const int j = widest(box);
  const std::size_t middle = first + (last - first) / 2;
  const auto position = [&](std::size_t p) {
    return order_.begin() + static_cast<std::ptrdiff_t>(p);
  };
  std::nth_element(position(first), position(middle), position(last), [&](ClassId a, ClassId b) {
    const double x = point(a)[j], y = point(b)[j];
    return x < y || (x == y && a < b);
  });
  const std::size_t left = build(first, middle), right = build(middle, last);
  nodes_[node].left = left;
  nodes_[node].right = right;
  return node;
}

int CentroidIndex::widest(const double* box) const {
  int best = 0;
  double extent = -1;
  for (int j = 0; j < space_.dimension(); ++j) {
    const double width = box[width_ + static_cast<std::size_t>(j)] - box[j];
    const double here = space_.attribute(j).kind != Kind::nominal ? width * width
                        : width > 0                               ? space_.mismatch(j)
                                                                  : 0;
    if (here > extent) {
      extent = here;
      best = j;
    }
  }
  return best;
}

}  // namespace anonkit
