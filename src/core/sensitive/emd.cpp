#include "sensitive/emd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace anonkit {
namespace {

/// Visits each distinct value of a class with its number of records.
template <class Visit>
void each_value(const Emd::Sorted& values, Visit visit) {
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::find_if(first, values.end(), [&](auto v) { return v != *first; });
    visit(*first, last - first);
    first = last;
  }
}

template <class Visit>
void each_value(const Emd::Runs& runs, Visit visit) {
  for (const Emd::Run& run : runs) visit(run.rank, std::int64_t{run.count});
}

}  // namespace

// The ranks in ascending order are the inverse of the distribution function: they answer
// last_at_most() by one look-up instead of a binary search.
Emd::Emd(SensitiveAttribute attribute) : attribute_(std::move(attribute)) {
  prepare(counts_of_table(attribute_));
  if (attribute_.table_counts.empty() && attribute_.distance == GroundDistance::ordered &&
      !all_distinct_)
    quantile_ = ascending(attribute_.ranks);
}

Emd::Emd(SensitiveAttribute attribute, const std::vector<std::int64_t>& records)
    : attribute_(std::move(attribute)) {
  prepare(records);
}

// A distance is a fraction with the denominator s * unit(): n times m-1 for the ordered distance, n
// for the nominal, n times the height of the tree for the hierarchical. Costs are the numerators,
// exact in 128 bits.
void Emd::prepare(const std::vector<std::int64_t>& records) {
  if (!(attribute_.t >= 0 && attribute_.t <= 1))
    throw Error(ErrorKind::invalid_parameter, "t is out of range", "t must be between 0 and 1.");
  n_ = std::accumulate(records.begin(), records.end(), std::int64_t{0});
  values_ = static_cast<std::int64_t>(records.size());
  all_distinct_ =
      std::all_of(records.begin(), records.end(), [](auto count) { return count == 1; });
  if (!all_distinct_) add_up(records);
  switch (attribute_.distance) {
    case GroundDistance::ordered:
      unit_ = n_ * std::max<std::int64_t>(values_ - 1, 1);
      break;
    case GroundDistance::nominal:
      unit_ = n_;
      break;
    case GroundDistance::hierarchical:
      plant();
      break;
  }
}

// upto(r) is G_r, the number of records below rank r, and area(r) the sum of G_1 .. G_r, so that
// the sum of G over any run of ranks is one difference.
void Emd::add_up(const std::vector<std::int64_t>& records) {
  prefixes_.resize(records.size() + 1);
  for (std::size_t r = 0; r < records.size(); ++r) {
    prefixes_[r + 1].upto = prefixes_[r].upto + records[r];
    prefixes_[r + 1].area = prefixes_[r].area + prefixes_[r + 1].upto;
  }
}

// Checks the taxonomy and counts the table's records below each node.
void Emd::plant() {
  const auto& [parent, height] = attribute_.taxonomy;
  const std::size_t nodes = parent.size(), values = static_cast<std::size_t>(values_);
  bool tree = height.size() == nodes && nodes >= values;
  std::int64_t roots = 0, top = 0;
  for (std::size_t v = 0; tree && v < nodes; ++v) {
    const auto above = static_cast<std::size_t>(parent[v]);
    roots += parent[v] == -1;
    top = std::max<std::int64_t>(top, height[v]);
    // Heights rise towards the root, which excludes cycles.
    tree = (v < values ? height[v] == 0 : height[v] > 0) &&
           (parent[v] == -1 || (above >= values && above < nodes && height[above] > height[v]));
  }
  if (!tree || roots != 1)
    throw Error(ErrorKind::invalid_parameter,
                "the hierarchy of a sensitive attribute is not a tree over its values",
                "It needs one root, and heights that rise from 0 at the values to the root.");
  unit_ = n_ * std::max<std::int64_t>(top, 1);
  tallies_.assign(nodes, Tally());
  for (std::size_t v = 0; v < values; ++v)
    for (auto node = static_cast<std::int32_t>(v); node >= 0;
         node = parent[static_cast<std::size_t>(node)])
      tallies_[static_cast<std::size_t>(node)].table += records_of(static_cast<std::int32_t>(v));
}

// The number of records of a class that is given by counts.
std::int64_t Emd::size_of(const Runs& runs) {
  std::int64_t size = 0;
  for (const Run& run : runs) size += run.count;
  return size;
}

template <class Values>
Emd::Wide Emd::cost_of(const Values& values, std::int64_t size) const {
  switch (attribute_.distance) {
    case GroundDistance::ordered:
      return ordered_cost(values, size);
    case GroundDistance::nominal:
      return nominal_cost(values, size);
    case GroundDistance::hierarchical:
      return hierarchical_cost(values, size);
  }
  return 0;
}

template Emd::Wide Emd::cost_of(const Sorted& values, std::int64_t size) const;
template Emd::Wide Emd::cost_of(const Runs& runs, std::int64_t size) const;

// Formula (1/(m-1)) sum over i < m of |C_i/s - G_i/n|, times s * n * (m-1). C_i and G_i are the
// numbers of records with one of the i lowest values, among s in the class and n in the table.
template <class Values>
Emd::Wide Emd::ordered_cost(const Values& values, std::int64_t size) const {
  const auto last = static_cast<std::int32_t>(values_) - 1;
  Wide sum = 0;
  std::int32_t from = 1;
  std::int64_t seen = 0;
  each_value(values, [&](std::int32_t rank, std::int64_t count) {
    sum += gap(seen, size, from, rank);
    from = rank + 1;
    seen += count;
  });
  return from <= last ? sum + gap(size, size, from, last) : sum;
}

// The sum of |n C - s G_i| for i = from .. to, where C is constant and G_i ascends through n C / s.
Emd::Wide Emd::gap(std::int64_t seen, std::int64_t size, std::int32_t from, std::int32_t to) const {
  if (from > to) return 0;
  const std::int64_t level = n_ * seen;
  std::int32_t cut = to;  // the last i with s G_i <= n C
  if (size * upto(to) > level) {
    cut = size * upto(from) > level ? from - 1 : last_at_most(level, size);
  }
  const std::int64_t above = area(cut) - area(from - 1), below = area(to) - area(cut);
  return static_cast<Wide>(level) * ((cut - from + 1) - (to - cut)) +
         static_cast<Wide>(size) * (below - above);
}

// The last i with s G_i <= level.
std::int32_t Emd::last_at_most(std::int64_t level, std::int64_t size) const {
  const std::int64_t records = level / size;
  if (all_distinct_) return static_cast<std::int32_t>(std::min(records, values_));
  if (!quantile_.empty()) return quantile_[static_cast<std::size_t>(records)];
  const auto beyond =
      std::partition_point(prefixes_.begin(), prefixes_.end(),
                           [&](const Prefix& prefix) { return prefix.upto <= records; });
  return static_cast<std::int32_t>(beyond - prefixes_.begin()) - 1;
}

// The class's excess of one value, times s * n.
Emd::Wide Emd::surplus(std::int64_t count, std::int64_t size, std::int32_t value) const {
  return std::max<std::int64_t>(0, n_ * count - size * records_of(value));
}

// Half the sum of |c_v/s - g_v/n| equals the sum of its positive terms, which all belong to values
// of the class; times s * n.
template <class Values>
Emd::Wide Emd::nominal_cost(const Values& values, std::int64_t size) const {
  Wide sum = 0;
  each_value(values,
             [&](std::int32_t rank, std::int64_t count) { sum += surplus(count, size, rank); });
  return sum;
}

// A node without members of the class has no surplus below it, so only the paths from the members
// to the root count. With e the node's surplus minus its deficit, the sum of its children's
// deficits is the sum of their surpluses minus e.
template <class Values>
Emd::Wide Emd::hierarchical_cost(const Values& values, std::int64_t size) const {
  const std::vector<std::int32_t>& parent = attribute_.taxonomy.parent;
  const std::vector<std::int32_t>& height = attribute_.taxonomy.height;
  touched_.clear();
  each_value(values, [&](std::int32_t rank, std::int64_t count) {
    for (std::int32_t v = rank; v >= 0; v = parent[static_cast<std::size_t>(v)]) {
      std::int64_t& members = tallies_[static_cast<std::size_t>(v)].members;
      if (members == 0) touched_.push_back(v);
      members += count;
    }
  });
  const auto extra = [&](const Tally& tally) {
    return static_cast<Wide>(n_) * tally.members - static_cast<Wide>(size) * tally.table;
  };
  for (const std::int32_t v : touched_) {
    const std::int32_t above = parent[static_cast<std::size_t>(v)];
    const Wide e = extra(tallies_[static_cast<std::size_t>(v)]);
    if (above >= 0 && e > 0) tallies_[static_cast<std::size_t>(above)].surplus += e;
  }
  Wide sum = 0;
  for (const std::int32_t v : touched_) {
    Tally& tally = tallies_[static_cast<std::size_t>(v)];
    sum +=
        height[static_cast<std::size_t>(v)] * std::min(tally.surplus, tally.surplus - extra(tally));
    tally.members = 0;
    tally.surplus = 0;
  }
  return sum;
}

Emd::Wide Emd::exchanged(const Sorted& values, Wide cost, std::int32_t out, std::int32_t in) const {
  if (out == in) return cost;
  if (attribute_.distance == GroundDistance::ordered)
    return ordered_exchanged(values, cost, out, in);
  if (attribute_.distance == GroundDistance::hierarchical) {
    Sorted after = values;
    exchange(&after, out, in);
    return hierarchical_cost(after, size_of(after));
  }
  const auto size = static_cast<std::int64_t>(values.size());
  const auto count = [&](std::int32_t v) {
    const auto range = std::equal_range(values.begin(), values.end(), v);
    return range.second - range.first;
  };
  const auto less = count(out), more = count(in);
  return cost + surplus(less - 1, size, out) - surplus(less, size, out) +
         surplus(more + 1, size, in) - surplus(more, size, in);
}

// The class's cumulative distribution changes only between the two values, by one record.
Emd::Wide Emd::ordered_exchanged(const Sorted& values, Wide cost, std::int32_t out,
                                 std::int32_t in) const {
  const auto size = static_cast<std::int64_t>(values.size());
  const std::int32_t low = std::min(out, in), high = std::max(out, in);
  const int step = out < in ? -1 : 1;
  auto at = std::upper_bound(values.begin(), values.end(), low);
  for (std::int32_t from = low + 1; from <= high;) {
    const std::int64_t seen = at - values.begin();
    const std::int32_t to = at == values.end() ? high : std::min(*at, high);
    cost += gap(seen + step, size, from, to) - gap(seen, size, from, to);
    from = std::max(from, to + 1);
    if (at != values.end()) ++at;
  }
  return cost;
}

void Emd::exchanges(const Sorted& values, Wide cost, std::int32_t in,
                    std::vector<Wide>* costs) const {
  costs->resize(values.size());
  if (attribute_.distance != GroundDistance::ordered) {
    for (std::size_t j = 0; j < values.size(); ++j)
      (*costs)[j] = j > 0 && values[j] == values[j - 1] ? (*costs)[j - 1]
                                                        : exchanged(values, cost, values[j], in);
    return;
  }
  // Outwards from `in`: the farther the leaving value, the longer the run that changes.
  const auto size = static_cast<std::int64_t>(values.size());
  const auto value = [&](std::int64_t j) { return values[static_cast<std::size_t>(j)]; };
  const std::int64_t place = std::lower_bound(values.begin(), values.end(), in) - values.begin();
  Wide changed = cost;
  std::int32_t edge = in;
  for (std::int64_t j = place - 1; j >= 0; --j) {
    changed += gap(j, size, value(j) + 1, edge) - gap(j + 1, size, value(j) + 1, edge);
    edge = value(j);
    (*costs)[static_cast<std::size_t>(j)] = changed;
  }
  changed = cost;
  edge = in;
  for (std::int64_t j = place; j < size; ++j) {
    changed += gap(j + 1, size, edge + 1, value(j)) - gap(j, size, edge + 1, value(j));
    edge = value(j);
    (*costs)[static_cast<std::size_t>(j)] = changed;
  }
}

// Away from t by more than rounding, the quotient decides. Near t, the fraction in lowest terms is
// rounded once, as the decimal t was: 3/20 equals 0.15, whatever multiple of both terms the sizes
// of class and table make of it. Euclid's algorithm reduces it.
bool Emd::within(Wide cost, std::int64_t size) const {
  const double rough = distance(cost, size);
  if (std::fabs(rough - attribute_.t) > 1e-14) return rough <= attribute_.t;
  Wide numerator = cost, denominator = static_cast<Wide>(unit_) * size, divisor = denominator;
  for (Wide rest = numerator; rest != 0;) {
    const Wide next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  numerator /= divisor;
  denominator /= divisor;
  return static_cast<double>(numerator) / static_cast<double>(denominator) <= attribute_.t;
}

// Binary search, and a shift of the values between both places: O(s), and short where values are
// near.
void exchange(Emd::Sorted* values, std::int32_t out, std::int32_t in) {
  if (out == in) return;
  const auto place = [&](std::int32_t r) {
    return std::lower_bound(values->begin(), values->end(), r);
  };
  if (out < 0) {
    values->insert(place(in), in);
  } else if (in < 0) {
    values->erase(place(out));
  } else {
    // Shifts only the values between the two.
    auto hole = place(out);
    for (; hole + 1 != values->end() && *(hole + 1) < in; ++hole) *hole = *(hole + 1);
    for (; hole != values->begin() && *(hole - 1) > in; --hole) *hole = *(hole - 1);
    *hole = in;
  }
}

}  // namespace anonkit
