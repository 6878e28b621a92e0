#include "search/loss/sse.hpp"

#include <algorithm>

namespace anonkit {
namespace {

// Four running sums, so that additions need not wait for each other.
double squared_distance(const double* x, const double* y, std::size_t d) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t j = 0;
  for (; j + 4 <= d; j += 4) {
    const double a = x[j] - y[j], b = x[j + 1] - y[j + 1];
    const double c = x[j + 2] - y[j + 2], e = x[j + 3] - y[j + 3];
    s0 += a * a;
    s1 += b * b;
    s2 += c * c;
    s3 += e * e;
  }
  for (; j < d; ++j) s0 += (x[j] - y[j]) * (x[j] - y[j]);
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

Sse::Sse(const Space& space) : space_(&space), width_(0), numbers_(nullptr), coded_(space) {
  if (coded_.empty()) {
    width_ = static_cast<std::size_t>(space.dimension());
    numbers_ = space.size() > 0 ? space.row(0) : nullptr;
    return;
  }
  std::vector<int> numeric;
  for (int j = 0; j < space.dimension(); ++j)
    if (space.attribute(j).kind == Kind::numeric) numeric.push_back(j);
  width_ = numeric.size();
  numbers_copy_.reserve(width_ * static_cast<std::size_t>(space.size()));
  for (Record i = 0; i < space.size(); ++i)
    for (const int j : numeric) numbers_copy_.push_back(space.row(i)[j]);
  numbers_ = numbers_copy_.data();
}

void Sse::begin(ClassId capacity) {
  const auto classes = static_cast<std::size_t>(capacity);
  means_.assign(classes * width_, 0);
  updates_.assign(classes, 0);
  coded_.begin(capacity);
  masses_.assign(space_->weighted() ? classes : 0, 0);
}

double Sse::cost(const RecordSpan& members) const {
  if (members.size() == 0) return 0;
  const Change same{0, members};
  std::vector<double> mean(width_);
  center(same, mean.data());
  double sum = 0;
  for (const Record i : members)
    sum += space_->weight(i) * squared_distance(point(i), mean.data(), width_);
  return sum + coded_.cost(members);
}

double Sse::mass_after(const Change& change) const {
  if (masses_.empty()) return change.size_after();
  double mass = masses_[static_cast<std::size_t>(change.id)];
  if (change.out != kNone) mass -= space_->weight(change.out);
  if (change.in != kNone) mass += space_->weight(change.in);
  return mass;
}

double Sse::weighted_delta(const Change& change) const {
  const double after = mass_after(change);
  const double* c = mean(change.id);
  const double* x = change.out != kNone ? point(change.out) : c;
  const double* y = change.in != kNone ? point(change.in) : c;
  const double a = change.out != kNone ? space_->weight(change.out) : 0;
  const double b = change.in != kNone ? space_->weight(change.in) : 0;
  double in = 0, out = 0, shift = 0;
  for (std::size_t j = 0; j < width_; ++j) {
    const double to = y[j] - c[j], from = x[j] - c[j], step = b * to - a * from;
    in += to * to;
    out += from * from;
    shift += step * step;
  }
  return b * in - a * out - (after > 0 ? shift / after : 0);
}

double Sse::delta(const Change& change) const {
  if (!masses_.empty()) return coded_.delta(change) + weighted_delta(change);
  const double m = change.members.size();
  const double* c = mean(change.id);
  const double* out = change.out != kNone ? point(change.out) : nullptr;
  const double* in = change.in != kNone ? point(change.in) : nullptr;
  double sum = coded_.delta(change);
  if (in && out) {
    return sum + squared_distance(in, c, width_) - squared_distance(out, c, width_) -
           squared_distance(in, out, width_) / m;
  }
  if (in) sum += m / (m + 1) * squared_distance(in, c, width_);
  if (out && m > 1) sum -= m / (m - 1) * squared_distance(out, c, width_);
  return sum;
}

double Sse::delta(const Change& from, const Change& to) const {
  if (!masses_.empty() || from.out == kNone || from.out != to.in) return delta(from) + delta(to);
  const double coded = coded_.empty() ? 0 : coded_.delta(from) + coded_.delta(to);
  if (from.in == kNone && to.out == kNone) return coded + move_delta(from.out, from, to);
  return coded + swap_delta(from, to);
}

double Sse::move_delta(Record i, const Change& from, const Change& to) const {
  const double a = from.members.size(), b = to.members.size();
  const double gain = a > 1 ? a / (a - 1) * squared_distance(point(i), mean(from.id), width_) : 0;
  return b / (b + 1) * squared_distance(point(i), mean(to.id), width_) - gain;
}

// With u = y - x, x from a class (mean p, size a) for y from another (mean q, size b), the squared
// norms cancel: delta = 2 u.(q - p) - |u|^2 (1/a + 1/b).
double Sse::swap_delta(const Change& from, const Change& to) const {
  const double* x = point(from.out);
  const double* y = point(from.in);
  const double* p = mean(from.id);
  const double* q = mean(to.id);
  double d0 = 0, d1 = 0, u0 = 0, u1 = 0;
  std::size_t j = 0;
  for (; j + 2 <= width_; j += 2) {
    const double a = y[j] - x[j], b = y[j + 1] - x[j + 1];
    d0 += a * (q[j] - p[j]);
    d1 += b * (q[j + 1] - p[j + 1]);
    u0 += a * a;
    u1 += b * b;
  }
  if (j < width_) {
    const double a = y[j] - x[j];
    d0 += a * (q[j] - p[j]);
    u0 += a * a;
  }
  const double sizes = 1.0 / from.members.size() + 1.0 / to.members.size();
  return 2 * (d0 + d1) - (u0 + u1) * sizes;
}

void Sse::center(const Change& change, double* mean) const {
  std::fill(mean, mean + width_, 0.0);
  double mass = 0;
  for_each_after(change, [&](Record i) {
    const double* x = point(i);
    const double weight = space_->weight(i);
    mass += weight;
    for (std::size_t j = 0; j < width_; ++j) mean[j] += weight * x[j];
  });
  for (std::size_t j = 0; j < width_; ++j) mean[j] /= mass;
}

void Sse::apply(const Change& change) {
  const auto id = static_cast<std::size_t>(change.id);
  coded_.apply(change);
  const double after = mass_after(change);
  if (!masses_.empty()) masses_[id] = after;
  const Record size = change.size_after();
  if (size == 0) return;
  double* c = mean(change.id);
  // Recomputes often enough that rounding errors stay as small as in one summation.
  if (++updates_[id] > size) {
    updates_[id] = 0;
    center(change, c);
    return;
  }
  const double* in = change.in != kNone ? point(change.in) : c;
  const double* out = change.out != kNone ? point(change.out) : c;
  if (masses_.empty()) {
    const double share = 1.0 / after;
    for (std::size_t j = 0; j < width_; ++j) c[j] += (in[j] - out[j]) * share;
    return;
  }
  const double enters = change.in != kNone ? space_->weight(change.in) / after : 0;
  const double leaves = change.out != kNone ? space_->weight(change.out) / after : 0;
  for (std::size_t j = 0; j < width_; ++j)
    c[j] += (in[j] - c[j]) * enters - (out[j] - c[j]) * leaves;
}

void Sse::assign(ClassId id, const RecordSpan& members) {
  const Change same{id, members};
  updates_[static_cast<std::size_t>(id)] = 0;
  if (!masses_.empty()) {
    double& mass = masses_[static_cast<std::size_t>(id)] = 0;
    for (const Record i : members) mass += space_->weight(i);
  }
  coded_.assign(id, members);
  if (members.size() > 0) center(same, mean(id));
}

}  // namespace anonkit
