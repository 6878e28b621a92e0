#include "space/index/centroid_index.hpp"

#include <algorithm>
#include <limits>

namespace anonkit {
namespace {

constexpr std::size_t kLeaf = 8;
// The tree is built again after this many changes, or as many as half its classes.
constexpr std::size_t kFewChanges = 64;

}  // namespace

CentroidIndex::CentroidIndex(const Space& space, ClassId classes, Ticker& ticker)
    : space_(space),
      ticker_(ticker),
      width_(static_cast<std::size_t>(space.dimension())),
      points_(at(classes) * width_),
      leaf_of_(at(classes), kNowhere),
      next_(at(classes), -1) {}

// While the tree is stale, additions only wait: the next search builds it again with all of them.
void CentroidIndex::add(ClassId c, const double* point) {
  std::copy(point, point + width_, points_.begin() + static_cast<std::ptrdiff_t>(at(c) * width_));
  if (is_stale())
    leaf_of_[at(c)] = kWaiting;
  else
    insert(c);
}

// Boxes stay as they are, which keeps bounds valid, only looser.
void CentroidIndex::remove(ClassId c) {
  const std::int32_t leaf = leaf_of_[at(c)];
  leaf_of_[at(c)] = kNowhere;
  if (leaf < 0) return;
  ++changes_;
  ClassId* link = &nodes_[at(leaf)].first;
  while (*link != c) link = &next_[at(*link)];
  *link = next_[at(c)];
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

// The best candidates are kept in a member, so a search allocates nothing after the first ones.
void CentroidIndex::search_all(const double* x, std::size_t count, ClassId except) {
  if (is_stale()) rebuild();
  best_.count = count;
  best_.found.clear();
  if (!nodes_.empty()) search(0, x, except);
}

// Keeps the list sorted by distance and then by class, the order of the answers.
void CentroidIndex::consider(ClassId c, const double* x, ClassId except) {
  if (c == except) return;
  const std::pair<double, ClassId> here{space_.squared_distance(point(c), x), c};
  auto& found = best_.found;
  if (found.size() == best_.count && !(here < found.back())) return;
  if (found.size() == best_.count) found.pop_back();
  found.insert(std::lower_bound(found.begin(), found.end(), here), here);
}

// Visits the nearer child first: its classes shrink the distance that the other one has to beat.
void CentroidIndex::search(std::size_t node, const double* x, ClassId except) {
  const Node& here = nodes_[node];
  ticker_.step(static_cast<std::int64_t>(4 * width_));
  if (here.left == 0) {
    for (ClassId c = here.first; c >= 0; c = next_[at(c)]) consider(c, x, except);
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

// Puts a class into the leaf whose boxes grow least, from the root on.
void CentroidIndex::insert(ClassId c) {
  ++changes_;
  const double* x = point(c);
  std::size_t node = 0;
  for (;; node = bound(nodes_[node].right, x) < bound(nodes_[node].left, x) ? nodes_[node].right
                                                                            : nodes_[node].left) {
    ticker_.step(static_cast<std::int64_t>(4 * width_));
    double* box = boxes_.data() + node * 2 * width_;
    for (std::size_t j = 0; j < width_; ++j) {
      box[j] = std::min(box[j], x[j]);
      box[width_ + j] = std::max(box[width_ + j], x[j]);
    }
    if (nodes_[node].left == 0) break;
  }
  link(c, node);
}

// The classes of a leaf are a linked list through next_, without memory of their own.
void CentroidIndex::link(ClassId c, std::size_t leaf) {
  leaf_of_[at(c)] = static_cast<std::int32_t>(leaf);
  next_[at(c)] = nodes_[leaf].first;
  nodes_[leaf].first = c;
}

// A rebuild costs O(N log N) and comes after a number of changes in proportion to N, so each change
// pays O(log N) of it.
bool CentroidIndex::is_stale() const {
  return nodes_.empty() || changes_ > kFewChanges + built_ / 2;
}

void CentroidIndex::rebuild() {
  order_.clear();
  nodes_.clear();
  boxes_.clear();
  changes_ = 0;
  for (std::size_t c = 0; c < leaf_of_.size(); ++c)
    if (leaf_of_[c] != kNowhere) order_.push_back(static_cast<ClassId>(c));
  built_ = order_.size();
  if (!order_.empty()) build(0, order_.size());
}

// The tight box of the classes, and a cut at the median of the attribute in which that is widest.
std::size_t CentroidIndex::build(std::size_t first, std::size_t last) {
  const std::size_t node = nodes_.size();
  ticker_.step(static_cast<std::int64_t>((last - first) * width_ * 4));
  nodes_.emplace_back();
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
  if (last - first <= kLeaf) {
    while (last > first) link(order_[--last], node);
    return node;
  }
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

// Squared extents make attributes comparable: the largest squared distance that one contributes. A
// nominal attribute contributes that of a mismatch.
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
