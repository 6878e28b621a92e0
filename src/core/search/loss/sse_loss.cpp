#include "search/loss/sse_loss.hpp"

#include <algorithm>
#include <iterator>

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

double extent(const Space& space, int j) {
  if (space.size() == 0) return 0;
  double least = space.row(0)[j], most = least;
  for (Record i = 1; i < space.size(); ++i) {
    least = std::min(least, space.row(i)[j]);
    most = std::max(most, space.row(i)[j]);
  }
  return most - least;
}

}  // namespace

SseLoss::SseLoss(const Space& space, double least_step)
    : space_(&space), width_(0), numbers_(nullptr), coded_(space) {
  std::vector<int> numeric;
  for (int j = 0; j < space.dimension(); ++j)
    if (space.attribute(j).kind == Kind::numeric) numeric.push_back(j);
  width_ = numeric.size();
  round_to_steps(numeric, least_step);
  if (coded_.empty()) {
    numbers_ = space.size() > 0 ? space.row(0) : nullptr;
    return;
  }
  numbers_copy_.reserve(width_ * static_cast<std::size_t>(space.size()));
  for (Record i = 0; i < space.size(); ++i)
    for (const int j : numeric) numbers_copy_.push_back(space.row(i)[j]);
  numbers_ = numbers_copy_.data();
}

// Steps much finer than the extent of the data hardly change a centroid, but cost a rounding for
// each evaluation.
void SseLoss::round_to_steps(const std::vector<int>& numeric, double least_step) {
  for (const int j : numeric) {
    const PublishedSteps steps = space_->published(j);
    const bool counts = steps.step > 0 && steps.step >= least_step * extent(*space_, j);
    steps_.push_back(counts ? steps : PublishedSteps{});
  }
  if (std::none_of(steps_.begin(), steps_.end(),
                   [](const PublishedSteps& steps) { return steps.step > 0; }))
    steps_.clear();
}

// Empty arrays stand for what every class has alike: no cost of rounding, and its number of records
// as its mass.
void SseLoss::begin(ClassId capacity) {
  const auto classes = static_cast<std::size_t>(capacity);
  means_.assign(classes * width_, 0);
  excess_.assign(rounded() ? classes : 0, 0);
  updates_.assign(classes, 0);
  coded_.begin(capacity);
  masses_.assign(space_->weighted() ? classes : 0, 0);
}

// The sum of w |x - c|^2 over the members x of weight w, with the mean c computed first. The
// shorter sum of w |x|^2 less m |c|^2 would cancel most digits of compact classes far from the
// origin.
double SseLoss::cost(const RecordSpan& members) const {
  if (members.size() == 0) return 0;
  const Change same{0, members};
  // Few columns need no allocation, which would take as long as the sums.
  double of_few[16];
  std::vector<double> of_many(width_ > std::size(of_few) ? width_ : 0);
  double* const mean = of_many.empty() ? of_few : of_many.data();
  center(same, mean);
  double sum = 0, mass = 0;
  for (const Record i : members) {
    sum += space_->weight(i) * squared_distance(point(i), mean, width_);
    mass += space_->weight(i);
  }
  return sum + (rounded() ? excess(mean, mass) : 0) + coded_.cost(members);
}

// m |c' - c|^2, with c' the published step nearest to the mean c: by Steiner's theorem, what the
// class loses about c' beyond its loss about c.
double SseLoss::excess(const double* mean, double mass) const {
  double sum = 0;
  for (std::size_t j = 0; j < width_; ++j) sum += steps_[j].excess(mean[j]);
  return mass * sum;
}

// The mean after the change is c + (b (y - c) - a (x - c)) / (m - a + b), for weight a leaving at x
// and b entering at y.
double SseLoss::excess_delta(const Change& change) const {
  const double before = excess_[static_cast<std::size_t>(change.id)];
  const double after = mass_after(change);
  if (!(after > 0)) return -before;
  const double* c = mean(change.id);
  const double* in = change.in != kNone ? point(change.in) : c;
  const double* out = change.out != kNone ? point(change.out) : c;
  const double enters = change.in != kNone ? space_->weight(change.in) / after : 0;
  const double leaves = change.out != kNone ? space_->weight(change.out) / after : 0;
  double sum = 0;
  for (std::size_t j = 0; j < width_; ++j) {
    sum += steps_[j].excess(c[j] + (in[j] - c[j]) * enters - (out[j] - c[j]) * leaves);
  }
  return after * sum - before;
}

// m - a + b: the records of the class once weight a has left and weight b has entered.
double SseLoss::mass_after(const Change& change) const {
  if (masses_.empty()) return change.size_after();
  double mass = masses_[static_cast<std::size_t>(change.id)];
  if (change.out != kNone) mass -= space_->weight(change.out);
  if (change.in != kNone) mass += space_->weight(change.in);
  return mass;
}

// b |y-c|^2 - a |x-c|^2 - |b(y-c) - a(x-c)|^2 / (m-a+b), in one pass over the attributes.
double SseLoss::weighted_delta(const Change& change) const {
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

double SseLoss::delta(const Change& change) const {
  return unrounded_delta(change) + (rounded() ? excess_delta(change) : 0);
}

double SseLoss::delta(const Change& from, const Change& to) const {
  return unrounded_delta(from, to) + (rounded() ? excess_delta(from) + excess_delta(to) : 0);
}

// The formula for single records: |y-c|^2 - |x-c|^2 - |y-x|^2 / m for an exchange; with a = 0
// the rise m/(m+1) |y-c|^2, with b = 0 the fall m/(m-1) |x-c|^2.
double SseLoss::unrounded_delta(const Change& change) const {
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

// A record that moves or is swapped is in both changes, which saves distances: two remain for a
// move, and the inner product of swap_delta() for a swap.
double SseLoss::unrounded_delta(const Change& from, const Change& to) const {
  if (!masses_.empty() || from.out == kNone || from.out != to.in)
    return unrounded_delta(from) + unrounded_delta(to);
  const double coded = coded_.empty() ? 0 : coded_.delta(from) + coded_.delta(to);
  if (from.in == kNone && to.out == kNone) return coded + move_delta(from.out, from, to);
  return coded + swap_delta(from, to);
}

// The rise in the new class (mean q, size b) less the fall in the old one (mean p, size a): b/(b+1)
// |x-q|^2 - a/(a-1) |x-p|^2.
double SseLoss::move_delta(Record i, const Change& from, const Change& to) const {
  const double a = from.members.size(), b = to.members.size();
  const double gain = a > 1 ? a / (a - 1) * squared_distance(point(i), mean(from.id), width_) : 0;
  return b / (b + 1) * squared_distance(point(i), mean(to.id), width_) - gain;
}

// With u = y - x, x from a class (mean p, size a) for y from another (mean q, size b), the squared
// norms cancel: delta = 2 u.(q - p) - |u|^2 (1/a + 1/b).
double SseLoss::swap_delta(const Change& from, const Change& to) const {
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

// The weighted mean of the members after the change.
void SseLoss::center(const Change& change, double* mean) const {
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

void SseLoss::apply(const Change& change) {
  const auto id = static_cast<std::size_t>(change.id);
  coded_.apply(change);
  const double after = mass_after(change);
  if (!masses_.empty()) masses_[id] = after;
  const Record size = change.size_after();
  // Recomputes often enough that rounding errors stay as small as in one summation.
  if (size > 0 && ++updates_[id] > size) {
    updates_[id] = 0;
    center(change, mean(change.id));
  } else if (size > 0) {
    shift_mean(change, after);
  }
  if (rounded()) excess_[id] = size > 0 ? excess(mean(change.id), after) : 0;
}

// c + (y - x) / m for an exchange of single records; with weights, see excess_delta().
void SseLoss::shift_mean(const Change& change, double after) {
  double* c = mean(change.id);
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

// The state of a class after any history, computed from its members.
void SseLoss::assign(ClassId id, const RecordSpan& members) {
  const Change same{id, members};
  updates_[static_cast<std::size_t>(id)] = 0;
  double mass = 0;
  for (const Record i : members) mass += space_->weight(i);
  if (!masses_.empty()) masses_[static_cast<std::size_t>(id)] = mass;
  coded_.assign(id, members);
  if (members.size() > 0) center(same, mean(id));
  if (rounded())
    excess_[static_cast<std::size_t>(id)] = members.size() > 0 ? excess(mean(id), mass) : 0;
}

}  // namespace anonkit
