#include "model/class_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/ratio.hpp"

namespace anonkit {
namespace {

/// Bounds of the weight of the relation, and of what is summed of products with it.
constexpr Wide kMostWeight = Wide{1} << 62;
constexpr Wide kMostProduct = Wide{1} << 126;

/// The frequency of each code 0 .. max(codes).
std::vector<std::int32_t> tally(const std::vector<std::int32_t>& codes, Ticker& ticker) {
  if (codes.empty()) throw Error(ErrorKind::invalid_data, "the relation has no records");
  std::vector<std::int32_t> counts;
  for (const std::int32_t code : codes) {
    ticker.step(1);
    if (code < 0) throw Error(ErrorKind::internal, "a record has a negative code");
    const auto at = static_cast<std::size_t>(code);
    if (at >= counts.size()) counts.resize(at + 1);
    ++counts[at];
  }
  return counts;
}

void check_numbers(const PublishedAttribute& attribute, std::size_t codes) {
  if (attribute.scale != AttributeScale::numeric) return;
  const std::vector<double>& numbers = attribute.numbers;
  if (codes > numbers.size() + 1) throw Error(ErrorKind::internal, "a code has no number");
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); })) {
    throw Error(ErrorKind::invalid_data,
                "a numeric sensitive attribute holds NaN or infinite values");
  }
  if (!std::is_sorted(numbers.begin(), numbers.end())) {
    throw Error(ErrorKind::internal, "the numbers of the codes are not ascending");
  }
}

/// By record in the order of values: its class.
std::vector<std::int32_t> order_by_value(const std::vector<std::int32_t>& class_of,
                                         const std::vector<std::int32_t>& code_of,
                                         const std::vector<std::int32_t>& value_of_code,
                                         std::vector<std::int64_t> next, Ticker& ticker) {
  std::vector<std::int32_t> ordered(class_of.size());
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    ticker.step(4);
    const auto value =
        static_cast<std::size_t>(value_of_code[static_cast<std::size_t>(code_of[i])]);
    ordered[static_cast<std::size_t>(next[value]++)] = class_of[i];
  }
  return ordered;
}

/// One person's records with one value, among some records.
struct Holding {
  std::int32_t value;
  std::int32_t unit;
  std::int64_t weight;
};

/// The person and the value of a record.
struct Fact {
  std::int32_t unit;
  std::int32_t value;
  bool operator<(const Fact& other) const {
    return unit != other.unit ? unit < other.unit : value < other.value;
  }
};

/// The persons of some facts, and the weight of each.
struct Shares {
  std::int32_t persons = 0;
  std::int64_t weight = 1;
};

/// The persons, and the least common multiple of their numbers of records. If all persons together
/// would then weigh more than `most`, the greatest weight that fits.
Shares shares_of(const std::vector<Fact>& facts, Wide most) {
  Shares shares;
  Wide multiple = 1;
  for (std::size_t first = 0; first < facts.size(); ++shares.persons) {
    std::size_t last = first;
    while (last < facts.size() && facts[last].unit == facts[first].unit) ++last;
    const auto records = static_cast<std::int64_t>(last - first);
    if (multiple <= most)
      multiple *=
          static_cast<Wide>(records / std::gcd(static_cast<std::int64_t>(multiple), records));
    first = last;
  }
  const Wide fits = std::max<Wide>(most / static_cast<Wide>(shares.persons), 1);
  shares.weight = static_cast<std::int64_t>(std::min(multiple, fits));
  return shares;
}

/// Divides each person's weight among their records. Sorts the facts.
Shares share_weights(std::vector<Fact>& facts, std::vector<Holding>* holdings, Wide most,
                     Ticker& ticker) {
  std::sort(facts.begin(), facts.end());
  holdings->clear();
  const Shares shares = shares_of(facts, most);
  for (auto first = facts.begin(); first != facts.end();) {
    auto last = first;
    while (last != facts.end() && last->unit == first->unit) ++last;
    const auto records = static_cast<Wide>(last - first);
    std::int64_t before = 0;
    for (auto from = first; from != last;) {
      auto to = from;
      while (to != last && to->value == from->value) ++to;
      const auto upto = static_cast<std::int64_t>(static_cast<Wide>(to - first) *
                                                  static_cast<Wide>(shares.weight) / records);
      holdings->push_back({from->value, from->unit, upto - before});
      before = upto;
      from = to;
    }
    ticker.step(16 * (last - first));
    first = last;
  }
  return shares;
}

}  // namespace

std::vector<std::int32_t> class_sizes(const std::vector<std::int32_t>& class_of, Ticker& ticker) {
  std::vector<std::int32_t> sizes = tally(class_of, ticker);
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    throw Error(ErrorKind::internal, "a class has no records");
  }
  return sizes;
}

ClassHistogram::ClassHistogram(const std::vector<std::int32_t>& class_of,
                               const PublishedAttribute& attribute, Ticker& ticker,
                               const std::vector<std::int32_t>& unit_of)
    : sizes_(class_sizes(class_of, ticker)),
      is_protected_(attribute.is_protected),
      scale_(attribute.scale),
      size_(static_cast<std::int32_t>(class_of.size())),
      unit_of_(unit_of) {
  if (attribute.code_of.size() != class_of.size())
    throw Error(ErrorKind::internal, "the sensitive attribute does not have one code a record");
  if (!unit_of.empty() && unit_of.size() != class_of.size())
    throw Error(ErrorKind::internal, "not every record has a unit");
  std::vector<std::int32_t> value_of_code;
  count_values(attribute, value_of_code, ticker);
  if (unit_of.empty() && values() == 1) {
    count_only_value();
    return;
  }
  if (unit_of.empty()) {
    count_by_class(order_by_value(class_of, attribute.code_of, value_of_code, below_, ticker),
                   ticker);
    return;
  }
  class_of_ = class_of;
  for (const std::int32_t code : attribute.code_of)
    value_of_.push_back(value_of_code[static_cast<std::size_t>(code)]);
  count_units(ticker);
}

ClassHistogram::ClassHistogram(const std::vector<std::int32_t>& class_of, Ticker& ticker,
                               const std::vector<std::int32_t>& unit_of)
    : ClassHistogram(class_of,
                     {std::vector<std::int32_t>(class_of.size(), 0), AttributeScale::nominal, {}},
                     ticker, unit_of) {}

ClassHistogram ClassHistogram::united(const std::vector<std::int32_t>& superset_of,
                                      Ticker& ticker) const {
  ClassHistogram result = *this;
  for (std::int32_t& c : result.class_of_) c = superset_of[static_cast<std::size_t>(c)];
  result.sizes_ = class_sizes(result.class_of_, ticker);
  result.count_units(ticker);
  return result;
}

ClassHistogram ClassHistogram::grouped(const std::vector<std::int32_t>& group_of,
                                       Ticker& ticker) const {
  PublishedAttribute attribute;
  for (const std::int32_t v : value_of_)
    attribute.code_of.push_back(group_of[static_cast<std::size_t>(v)]);
  return ClassHistogram(class_of_, attribute, ticker, unit_of_);
}

void ClassHistogram::count_values(const PublishedAttribute& attribute,
                                  std::vector<std::int32_t>& value_of_code, Ticker& ticker) {
  const std::vector<std::int32_t> counts = tally(attribute.code_of, ticker);
  check_numbers(attribute, counts.size());
  value_of_code.resize(counts.size());
  below_.assign(1, 0);
  levels_.resize(attribute.levels.size());
  for (std::size_t code = 0; code < counts.size(); ++code) {
    ticker.step(1);
    if (counts[code] == 0) continue;
    value_of_code[code] = values();
    below_.push_back(below_.back() + counts[code]);
    if (scale_ == AttributeScale::numeric && code < attribute.numbers.size()) {
      numbers_.push_back(attribute.numbers[code]);
    }
    for (std::size_t l = 0; l < levels_.size(); ++l)
      levels_[l].push_back(attribute.levels[l].at(code));
  }
}

/// All records have one value, as where only class sizes matter.
void ClassHistogram::count_only_value() {
  begin_.assign(1, 0);
  for (const std::int32_t size : sizes_) {
    entries_.push_back({0, size, size});
    begin_.push_back(static_cast<std::int32_t>(entries_.size()));
  }
}

void ClassHistogram::count_by_class(const std::vector<std::int32_t>& classes_by_value,
                                    Ticker& ticker) {
  std::vector<std::int32_t> last(sizes_.size(), -1);  // the last value seen in each class
  begin_.assign(sizes_.size() + 1, 0);
  for (std::int32_t v = 0; v < values(); ++v) {
    ticker.step(4 * count(v));
    for (std::int64_t i = below(v); i < below(v + 1); ++i) {
      const auto c = static_cast<std::size_t>(classes_by_value[static_cast<std::size_t>(i)]);
      if (last[c] != v) ++begin_[c + 1];
      last[c] = v;
    }
  }
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];

  entries_.resize(static_cast<std::size_t>(begin_.back()));
  std::fill(last.begin(), last.end(), -1);
  std::vector<std::int32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::int32_t v = 0; v < values(); ++v) {
    ticker.step(8 * count(v));
    for (std::int64_t i = below(v); i < below(v + 1); ++i) {
      const auto c = static_cast<std::size_t>(classes_by_value[static_cast<std::size_t>(i)]);
      if (last[c] != v) entries_[static_cast<std::size_t>(next[c]++)] = {v, 0, 0};
      Entry& entry = entries_[static_cast<std::size_t>(next[c] - 1)];
      entry.weight = ++entry.count;
      last[c] = v;
    }
  }
}

void ClassHistogram::count_units(Ticker& ticker) {
  const std::size_t n = class_of_.size();
  std::vector<Fact> facts;
  std::vector<Holding> holdings;
  for (std::size_t i = 0; i < n; ++i) facts.push_back({unit_of_[i], value_of_[i]});
  const Shares shares = share_weights(facts, &holdings, kMostWeight, ticker);
  size_ = shares.persons;
  member_weight_ = shares.weight;
  std::fill(below_.begin(), below_.end(), 0);
  for (const Holding& one : holdings) below_[static_cast<std::size_t>(one.value) + 1] += one.weight;
  for (std::size_t v = 1; v < below_.size(); ++v) below_[v] += below_[v - 1];

  std::vector<std::int32_t> next(1, 0), records(n);
  for (const std::int32_t size : sizes_) next.push_back(next.back() + size);
  const std::vector<std::int32_t> first = next;
  for (std::size_t i = 0; i < n; ++i)
    records[static_cast<std::size_t>(next[static_cast<std::size_t>(class_of_[i])]++)] =
        static_cast<std::int32_t>(i);

  begin_.assign(1, 0);
  entries_.clear();
  only_unit_.clear();
  member_weights_.assign(sizes_.size(), 1);
  for (std::size_t c = 0; c < sizes_.size(); ++c)
    count_units_of_class(records.cbegin() + first[c], records.cbegin() + first[c + 1], c, ticker);
}

void ClassHistogram::count_units_of_class(std::vector<std::int32_t>::const_iterator first,
                                          std::vector<std::int32_t>::const_iterator last,
                                          std::size_t c, Ticker& ticker) {
  std::vector<Fact> facts;
  std::vector<Holding> holdings;
  for (auto record = first; record != last; ++record) {
    const auto i = static_cast<std::size_t>(*record);
    facts.push_back({unit_of_[i], value_of_[i]});
  }
  // A distance is a sum over the values, times at most twice the height of their tree, of products
  // of a weight of the class and one of the relation.
  const Wide terms = Wide{2} * (static_cast<Wide>(values()) + 1) * (levels_.size() + 1);
  Wide most = std::min(kMostWeight, kMostProduct / static_cast<Wide>(weight()) / terms);
  // (n,t)-closeness also compares classes with unions of classes.
  while (most > 1 && most > kMostProduct / terms / most) most /= 2;
  const Shares shares = share_weights(facts, &holdings, most, ticker);
  sizes_[c] = shares.persons;
  member_weights_[c] = shares.weight;
  std::sort(holdings.begin(), holdings.end(), [](const Holding& a, const Holding& b) {
    return a.value != b.value ? a.value < b.value : a.unit < b.unit;
  });
  for (std::size_t h = 0; h < holdings.size(); ++h) {
    if (h == 0 || holdings[h].value != holdings[h - 1].value) {
      entries_.push_back({holdings[h].value, 0, 0});
      only_unit_.push_back(holdings[h].unit);
    } else {
      only_unit_.back() = -1;
    }
    ++entries_.back().count;
    entries_.back().weight += holdings[h].weight;
  }
  begin_.push_back(static_cast<std::int32_t>(entries_.size()));
}

}  // namespace anonkit
