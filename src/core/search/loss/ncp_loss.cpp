#include "search/loss/ncp_loss.hpp"

#include <algorithm>
#include <limits>

#include "base/lanes.hpp"

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The smallest coordinate of a class after `out` leaves and `in` enters; NaN stands for no record.
/// If two records share the smallest one, the second smallest is equal to it, so ties need no
/// count.
template <class Number>
Number lower(Number in, Number out, Number low, Number second_low) {
  const Number left = out == low ? second_low : low;
  return in < left ? in : left;
}
template <class Number>
Number upper(Number in, Number out, Number high, Number second_high) {
  const Number left = out == high ? second_high : high;
  return in > left ? in : left;
}

/// Updates the two smallest and the two largest coordinates.
void widen(double x, double& low, double& second_low, double& high, double& second_high) {
  if (x < low) {
    second_low = low;
    low = x;
  } else if (x < second_low) {
    second_low = x;
  }
  if (x > high) {
    second_high = high;
    high = x;
  } else if (x > second_high) {
    second_high = x;
  }
}

// Tables of more values would leave the processor's cache, and of fewer records take longer than
// they save.
constexpr std::int32_t kMostTabled = 128;
// The bits of a word.
constexpr std::int32_t kFewCategories = 64;

std::uint64_t bit_of(std::int32_t code) {
  return code < 0 ? 0 : std::uint64_t{1} << code;
}

}  // namespace

NcpLoss::Tree::Tree(const Domain& domain, Record records) : domain_(&domain) {
  const std::int32_t values = domain.values;
  if (values > std::min(kMostTabled, records)) return;
  for (std::int32_t low = 0; low < values; ++low)
    for (std::int32_t high = 0; high < values; ++high)
      table_.push_back(low <= high ? domain.weight * domain.penalty(low, high) : 0);
}

NcpLoss::Set::Set(const Domain& domain) : domain_(&domain) {
  if (domain.values > kFewCategories) return;
  for (std::int32_t distinct = 0; distinct <= domain.values; ++distinct)
    table_.push_back(domain.weight * domain.penalty_of_set(at(distinct)));
}

// A category is new if no record has it, and gone if its only record leaves.
std::size_t NcpLoss::Held::distinct_after(std::int32_t in, std::int32_t out) const {
  if (in == out) return distinct_;
  const std::size_t gains = (bit_of(in) & ~any_) != 0, loses = (bit_of(out) & ~many_) != 0;
  return distinct_ + gains - loses;
}

void NcpLoss::Held::add(std::int32_t code) {
  const std::uint64_t bit = bit_of(code);
  if ((any_ & bit) == 0) ++distinct_;
  many_ |= any_ & bit;
  any_ |= bit;
}

void NcpLoss::Held::remove(std::int32_t code, int others) {
  const std::uint64_t bit = bit_of(code);
  if (others < 2) many_ &= ~bit;
  if (others > 0) return;
  any_ &= ~bit;
  --distinct_;
}

template <class List>
auto NcpLoss::Counts::place(List& of_codes, std::int32_t code) {
  return std::lower_bound(of_codes.begin(), of_codes.end(), code,
                          [](const Count& count, std::int32_t c) { return count.code < c; });
}

Record NcpLoss::Counts::records(std::int32_t code) const {
  const auto found = place(of_codes_, code);
  return found != of_codes_.end() && found->code == code ? found->records : 0;
}

std::size_t NcpLoss::Counts::distinct_after(std::int32_t in, std::int32_t out) const {
  if (in == out) return distinct();
  const std::size_t gains = in >= 0 && records(in) == 0, loses = out >= 0 && records(out) == 1;
  return distinct() + gains - loses;
}

void NcpLoss::Counts::add(std::int32_t code) {
  const auto found = place(of_codes_, code);
  if (found != of_codes_.end() && found->code == code)
    ++found->records;
  else
    of_codes_.insert(found, {code, 1});
}

void NcpLoss::Counts::remove(std::int32_t code) {
  const auto found = place(of_codes_, code);
  if (--found->records == 0) of_codes_.erase(found);
}

// A row has the weighted coordinates of ranges, then those of hierarchies, which are positions
// among the leaves. Zeros fill up the ranges to whole vector registers; their extents are 0.
NcpLoss::NcpLoss(const GeneralisationSpace& space) : weights_(space.weights()) {
  std::vector<int> ranges, trees, sets;
  for (int j = 0; j < space.dimension(); ++j) {
    const Domain& domain = space.domain(j);
    switch (domain.by) {
      case Generalise::range:
        ranges.push_back(j);
        break;
      case Generalise::hierarchy:
        trees.push_back(j);
        trees_.emplace_back(domain, space.size());
        break;
      case Generalise::set:
        sets.push_back(j);
        sets_.emplace_back(domain);
        break;
    }
  }
  ranges_ = (ranges.size() + 3) / 4 * 4;
  width_ = ranges_ + trees.size();
  nobody_.assign(width_, std::numeric_limits<double>::quiet_NaN());
  rows_.reserve(at(space.size()) * width_);
  for (Record i = 0; i < space.size(); ++i) {
    const double* row = space.row(i);
    for (const int j : ranges) rows_.push_back(row[j] * space.domain(j).weight);
    rows_.resize(at(i) * width_ + ranges_, 0);
    for (const int j : trees) rows_.push_back(row[j]);
    for (const int j : sets) codes_.push_back(static_cast<std::int32_t>(row[j]));
  }
}

// A class without records has bounds of 0 and no cost; assign() or apply() give it others.
void NcpLoss::begin(ClassId capacity) {
  bounds_.assign(at(capacity) * kBlocks * width_, 0);
  costs_.assign(at(capacity), 0);
  masses_.assign(weights_.empty() ? 0 : at(capacity), 0);
  held_.assign(at(capacity) * sets_.size(), {});
  counts_.assign(at(capacity) * sets_.size(), {});
}

// The penalty of one record: the sum of weighted extents, and of the shares of values below the
// common ancestors. Coordinates of ranges are multiplied by their weights once, in the constructor,
// and four sums make the order of additions that of cost_after().
double NcpLoss::penalty_of_bounds(const double* low, const double* high) const {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (std::size_t j = 0; j < ranges_; j += 4) {
    s0 += high[j] - low[j];
    s1 += high[j + 1] - low[j + 1];
    s2 += high[j + 2] - low[j + 2];
    s3 += high[j + 3] - low[j + 3];
  }
  double sum = (s0 + s1) + (s2 + s3);
  for (std::size_t j = ranges_; j < width_; ++j) {
    sum += trees_[j - ranges_].penalty(low[j], high[j]);
  }
  return sum;
}

// Records count by weight. In an unweighted space each row is one record.
double NcpLoss::mass(const RecordSpan& members) const {
  if (weights_.empty()) return members.size();
  double mass = 0;
  for (const Record i : members) mass += weights_[at(i)];
  return mass;
}

// The factor of the class's penalty after the change.
double NcpLoss::mass_after(const Change& change) const {
  if (weights_.empty()) return change.size_after();
  return masses_[at(change.id)] - (change.out != kNone ? weights_[at(change.out)] : 0) +
         (change.in != kNone ? weights_[at(change.in)] : 0);
}

// m * (sum over j of w(j) * NCP(j)): every record of the class has the class's cells.
double NcpLoss::cost(const RecordSpan& members) const {
  if (members.size() == 0) return 0;
  std::vector<double> own(kBlocks * width_);
  bound(members, own.data());
  double sum = penalty_of_bounds(own.data() + kLow * width_, own.data() + kHigh * width_);
  for (std::size_t s = 0; s < sets_.size(); ++s)
    sum += sets_[s].penalty(sets_[s].of_few() ? held_by(members, s).distinct()
                                              : counts_of(members, s).distinct());
  return mass(members) * sum;
}

// Costs are stored, so a delta is one evaluation. A stored cost has the bits of a fresh one, since
// the same terms are added in the same order.
double NcpLoss::delta(const Change& change) const {
  return cost_after(change) - costs_[at(change.id)];
}

// A record that enters narrows no extent, and counts for one at least. Sums and products of no
// lesser numbers are no less after rounding, too: the bound holds to the last bit.
double NcpLoss::least_of_swap(const Change& leave) const {
  const double before = costs_[at(leave.id)];
  if (leave.size_after() == 0) return -before;
  return (mass_after(leave) + 1) * penalty_after(leave) - before;
}

// The extremes without `out` are the second ones where `out` has the first; then `in` may widen
// them. Comparisons with NaN are false, so nobody leaves or enters without a branch. Two lanes of
// two sums add up as penalty_of_bounds() does, bit by bit.
double NcpLoss::penalty_after(const Change& change) const {
  const double* in = row(change.in);
  const double* out = row(change.out);
  const double* low = bounds(change.id);
  const double* second_low = low + kSecondLow * width_;
  const double* high = low + kHigh * width_;
  const double* second_high = low + kSecondHigh * width_;
  Lanes even{}, odd{};
  for (std::size_t j = 0; j < ranges_; j += 4) {
    even += upper(load_lanes(in + j), load_lanes(out + j), load_lanes(high + j),
                  load_lanes(second_high + j)) -
            lower(load_lanes(in + j), load_lanes(out + j), load_lanes(low + j),
                  load_lanes(second_low + j));
    const std::size_t i = j + 2;
    odd += upper(load_lanes(in + i), load_lanes(out + i), load_lanes(high + i),
                 load_lanes(second_high + i)) -
           lower(load_lanes(in + i), load_lanes(out + i), load_lanes(low + i),
                 load_lanes(second_low + i));
  }
  double sum = (even[0] + even[1]) + (odd[0] + odd[1]);
  for (std::size_t j = ranges_; j < width_; ++j) {
    sum += trees_[j - ranges_].penalty(lower(in[j], out[j], low[j], second_low[j]),
                                       upper(in[j], out[j], high[j], second_high[j]));
  }
  return sets_.empty() ? sum : plus_sets(change, sum);
}

double NcpLoss::cost_after(const Change& change) const {
  const double size = mass_after(change);
  return size == 0 ? 0 : size * penalty_after(change);
}

double NcpLoss::plus_sets(const Change& change, double sum) const {
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const std::int32_t in = code(change.in, s), out = code(change.out, s);
    const std::size_t place = place_of(change.id, s);
    sum += sets_[s].penalty(sets_[s].of_few() ? held_[place].distinct_after(in, out)
                                              : counts_[place].distinct_after(in, out));
  }
  return sum;
}

NcpLoss::Held NcpLoss::held_by(const RecordSpan& members, std::size_t set) const {
  Held held;
  for (const Record i : members) held.add(code(i, set));
  return held;
}

// Sorted codes are added at the end.
NcpLoss::Counts NcpLoss::counts_of(const RecordSpan& members, std::size_t set) const {
  std::vector<std::int32_t> codes;
  for (const Record i : members) codes.push_back(code(i, set));
  std::sort(codes.begin(), codes.end());
  Counts counts;
  for (const std::int32_t code : codes) counts.add(code);
  return counts;
}

// The two smallest and two largest coordinates, equal ones counted as often as they occur.
void NcpLoss::bound(const RecordSpan& members, double* bounds) const {
  double* low = bounds;
  double* second_low = bounds + kSecondLow * width_;
  double* high = bounds + kHigh * width_;
  double* second_high = bounds + kSecondHigh * width_;
  std::fill(low, low + 2 * width_, kInfinity);
  std::fill(high, high + 2 * width_, -kInfinity);
  for (const Record i : members) prefetch(i);
  for (const Record i : members) {
    const double* x = row(i);
    for (std::size_t j = 0; j < width_; ++j)
      widen(x[j], low[j], second_low[j], high[j], second_high[j]);
  }
}

// Ends early if two records hold the previous extremes: ties are common.
void NcpLoss::rescan(const Change& change, std::size_t j, double* bounds) const {
  const double old_low = bounds[j], old_high = bounds[kHigh * width_ + j];
  double low = kInfinity, second_low = kInfinity, high = -kInfinity, second_high = -kInfinity;
  for (const Record i : change.members) {
    if (i == change.out) continue;
    widen(row(i)[j], low, second_low, high, second_high);
    if (second_low == old_low && second_high == old_high) break;
  }
  bounds[j] = low;
  bounds[kSecondLow * width_ + j] = second_low;
  bounds[kHigh * width_ + j] = high;
  bounds[kSecondHigh * width_ + j] = second_high;
}

// Only a record among the two lowest or highest can change them by leaving; then they are searched
// for again. Records that enter widen them without a look at the others.
void NcpLoss::apply(const Change& change) {
  costs_[at(change.id)] = cost_after(change);
  if (!masses_.empty()) masses_[at(change.id)] = mass_after(change);
  double* low = bounds(change.id);
  double* second_low = low + kSecondLow * width_;
  double* high = low + kHigh * width_;
  double* second_high = low + kSecondHigh * width_;
  const double* out = row(change.out);
  const double* in = row(change.in);
  for (std::size_t j = 0; j < width_; ++j) {
    if (in[j] == out[j]) continue;
    if (out[j] <= second_low[j] || out[j] >= second_high[j]) rescan(change, j, low);
    widen(in[j], low[j], second_low[j], high[j], second_high[j]);
  }
  for (std::size_t s = 0; s < sets_.size(); ++s)
    sets_[s].of_few() ? apply_to_held(change, s) : apply_to_counts(change, s);
}

// Ends early if two other records have the category that leaves: ties are common.
void NcpLoss::apply_to_held(const Change& change, std::size_t set) {
  const std::int32_t in = code(change.in, set), out = code(change.out, set);
  if (in == out) return;
  Held& held = held_[place_of(change.id, set)];
  if (out >= 0) {
    int others = 0;
    for (const Record i : change.members) {
      if (i != change.out && code(i, set) == out) ++others;
      if (others == 2) break;
    }
    held.remove(out, others);
  }
  if (in >= 0) held.add(in);
}

void NcpLoss::apply_to_counts(const Change& change, std::size_t set) {
  Counts& counts = counts_[place_of(change.id, set)];
  if (change.out != kNone) counts.remove(code(change.out, set));
  if (change.in != kNone) counts.add(code(change.in, set));
}

// Starts from the members alone; a class has the same state after any history.
void NcpLoss::assign(ClassId id, const RecordSpan& members) {
  costs_[at(id)] = cost(members);
  if (!masses_.empty()) masses_[at(id)] = mass(members);
  bound(members, bounds(id));
  for (std::size_t s = 0; s < sets_.size(); ++s)
    if (sets_[s].of_few())
      held_[place_of(id, s)] = held_by(members, s);
    else
      counts_[place_of(id, s)] = counts_of(members, s);
}

}  // namespace anonkit
