#include "constraint/t_closeness.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"

namespace anonkit {

TCloseness::TCloseness(std::vector<std::int32_t> ranks, GroundDistance distance, double t)
    : ranks_(std::move(ranks)),
      distance_(distance),
      t_(t),
      n_(static_cast<std::int64_t>(ranks_.size())),
      quantile_(ranks_) {
  if (!(t >= 0 && t <= 1))
    throw Error(ErrorKind::invalid_parameter, "t is out of range", "t must be between 0 and 1.");
  std::sort(quantile_.begin(), quantile_.end());
  const std::int32_t m = quantile_.empty() ? 0 : quantile_.back() + 1;
  unit_ = distance == GroundDistance::ordered ? n_ * std::max(m - 1, 1) : n_;
  upto_.assign(static_cast<std::size_t>(m) + 1, 0);
  for (const std::int32_t r : ranks_) ++upto_[static_cast<std::size_t>(r) + 1];
  area_.assign(upto_.size(), 0);
  for (std::size_t r = 1; r < upto_.size(); ++r) {
    upto_[r] += upto_[r - 1];
    area_[r] = area_[r - 1] + upto_[r];
  }
}

void TCloseness::begin(ClassId capacity) {
  values_.assign(static_cast<std::size_t>(capacity), Sorted());
  emds_.assign(static_cast<std::size_t>(capacity), 0);
}

bool TCloseness::allows(const Group& members) const {
  sort_values(members, &scratch_);
  return within(emd(scratch_), scratch_.size());
}

bool TCloseness::allows(const Change& change) const {
  const std::int32_t out = rank(change.out), in = rank(change.in);
  if (out == in) return true;
  const auto id = static_cast<std::size_t>(change.id);
  if (out >= 0 && in >= 0 && distance_ == GroundDistance::ordered)
    return within(emds_[id] + ordered_swap(values_[id], out, in), values_[id].size());
  scratch_ = values_[id];
  exchange(&scratch_, out, in);
  return within(emd(scratch_), scratch_.size());
}

void TCloseness::apply(const Change& change) {
  const auto id = static_cast<std::size_t>(change.id);
  exchange(&values_[id], rank(change.out), rank(change.in));
  emds_[id] = emd(values_[id]);
}

void TCloseness::assign(ClassId id, const Group& members) {
  const auto at = static_cast<std::size_t>(id);
  sort_values(members, &values_[at]);
  emds_[at] = emd(values_[at]);
}

void TCloseness::sort_values(const Group& members, Sorted* values) const {
  values->clear();
  for (const Record i : members) values->push_back(rank(i));
  std::sort(values->begin(), values->end());
}

void TCloseness::exchange(Sorted* values, std::int32_t out, std::int32_t in) {
  if (out == in) return;
  const auto place = [&](std::int32_t r) {
    return std::lower_bound(values->begin(), values->end(), r);
  };
  if (out < 0) {
    values->insert(place(in), in);
  } else if (in < 0) {
    values->erase(place(out));
  } else {
    // Shifts only what lies between the two.
    auto hole = place(out);
    for (; hole + 1 != values->end() && *(hole + 1) < in; ++hole) *hole = *(hole + 1);
    for (; hole != values->begin() && *(hole - 1) > in; --hole) *hole = *(hole - 1);
    *hole = in;
  }
}

bool TCloseness::within(Wide emd, std::size_t size) const {
  const Wide scale = static_cast<Wide>(unit_) * static_cast<std::int64_t>(size);
  return static_cast<double>(emd) / static_cast<double>(scale) <= t_;
}

TCloseness::Wide TCloseness::emd(const Sorted& values) const {
  return distance_ == GroundDistance::ordered ? ordered_emd(values) : nominal_emd(values);
}

// Formula (1/(m-1)) sum over i < m of |C_i/s - G_i/n|, times s * n * (m-1): C_i and G_i are how
// many of the class's s and of the table's n records have one of the i lowest values.
TCloseness::Wide TCloseness::ordered_emd(const Sorted& values) const {
  const auto size = static_cast<std::int64_t>(values.size());
  const auto last = static_cast<std::int32_t>(upto_.size()) - 2;
  Wide sum = 0;
  std::int32_t from = 1;
  for (std::int64_t seen = 0; seen < size; ++seen) {
    const std::int32_t to = values[static_cast<std::size_t>(seen)];
    if (to < from) continue;
    sum += gap(seen, size, from, to);
    from = to + 1;
  }
  return from <= last ? sum + gap(size, size, from, last) : sum;
}

// The difference that a swap makes: C_i falls by one for the i above `out` up to `in`, or rises by
// one for those above `in` up to `out`; all else stays.
TCloseness::Wide TCloseness::ordered_swap(const Sorted& values, std::int32_t out,
                                          std::int32_t in) const {
  const auto size = static_cast<std::int64_t>(values.size());
  const std::int32_t low = std::min(out, in), high = std::max(out, in);
  const std::int64_t step = out < in ? -1 : 1;
  auto next = std::upper_bound(values.begin(), values.end(), low);
  Wide sum = 0;
  for (std::int32_t from = low + 1; from <= high;) {
    const std::int64_t seen = next - values.begin();
    const std::int32_t to = next != values.end() ? std::min(*next, high) : high;
    if (to >= from) sum += gap(seen + step, size, from, to) - gap(seen, size, from, to);
    from = std::max(from, to + 1);
    if (next != values.end()) ++next;
  }
  return sum;
}

// The sum of |n C - s G_i| for i = from .. to, where C is constant and G_i ascends through n C / s.
TCloseness::Wide TCloseness::gap(std::int64_t seen, std::int64_t size, std::int32_t from,
                                 std::int32_t to) const {
  const std::int64_t level = n_ * seen;
  std::int32_t cut = to;  // the last i with s G_i <= n C
  if (size * upto_[static_cast<std::size_t>(to)] > level) {
    cut = size * upto_[static_cast<std::size_t>(from)] > level
              ? from - 1
              : quantile_[static_cast<std::size_t>(level / size)];
  }
  const auto area = [&](std::int32_t r) { return area_[static_cast<std::size_t>(r)]; };
  const std::int64_t above = area(cut) - area(from - 1), below = area(to) - area(cut);
  return static_cast<Wide>(level) * ((cut - from + 1) - (to - cut)) +
         static_cast<Wide>(size) * (below - above);
}

// Half the sum of |c_v/s - g_v/n| is the sum of its positive terms, all of values in the class;
// times s * n.
TCloseness::Wide TCloseness::nominal_emd(const Sorted& values) const {
  const auto size = static_cast<std::int64_t>(values.size());
  Wide sum = 0;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::find_if(first, values.end(), [&](auto v) { return v != *first; });
    const auto v = static_cast<std::size_t>(*first);
    const std::int64_t surplus = n_ * (last - first) - size * (upto_[v + 1] - upto_[v]);
    if (surplus > 0) sum += surplus;
    first = last;
  }
  return sum;
}

}  // namespace anonkit
