#include "model/kpqr_anonymity.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/tolerance.hpp"

namespace anonkit {
namespace {

using Entry = ClassHistogram::Entry;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class KpqrJudge {
 public:
  KpqrJudge(const ClassHistogram& histogram, double q, VarianceOf variance_of, Ticker& ticker)
      : histogram_(histogram), q_(q) {
    std::vector<Entry> all;
    for (std::int32_t v = 0; v < histogram.values(); ++v) {
      ticker.step(8);
      if (variance_of == VarianceOf::all || rare(v)) all.push_back({v, 0, histogram.count(v)});
    }
    reference_ = variance(all.data(), all.data() + all.size(), histogram.member_weight());
  }

  bool bound(std::int32_t c) const {
    const ClassHistogram::Entries entries = histogram_.entries(c);
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& e) { return rare(e.value); });
  }

  double ratio(std::int32_t c) const {
    const ClassHistogram::Entries entries = histogram_.entries(c);
    if (!(reference_ > 0)) return kInfinity;
    return rounded_level(variance(entries.begin(), entries.end(), histogram_.member_weight(c)) /
                         reference_);
  }

 private:
  bool rare(std::int32_t v) const {
    return static_cast<double>(histogram_.count(v)) / static_cast<double>(histogram_.weight()) < q_;
  }

  double variance(const Entry* first, const Entry* last, std::int64_t unit) const {
    const auto weight = static_cast<double>(unit);
    return histogram_.scale() == AttributeScale::nominal ? spread_of_names(first, last, weight)
                                                         : spread_of_numbers(first, last, weight);
  }

  static double members(const Entry& entry, double weight) {
    return static_cast<double>(entry.weight) / weight;
  }

  /// Null is not a number; in an ordinal attribute it is the last rank.
  bool has_number(std::int32_t v) const {
    return histogram_.scale() == AttributeScale::ordinal ||
           static_cast<std::size_t>(v) < histogram_.numbers().size();
  }
  double number(std::int32_t v) const {
    return histogram_.scale() == AttributeScale::ordinal
               ? v
               : histogram_.numbers()[static_cast<std::size_t>(v)];
  }

  /// The members of some entries; exact for a whole number.
  static double members(const Entry* first, const Entry* last, double weight) {
    std::int64_t sum = 0;
    for (const Entry* e = first; e != last; ++e) sum += e->weight;
    return static_cast<double>(sum) / weight;
  }

  double spread_of_numbers(const Entry* first, const Entry* last, double weight) const {
    if (first != last && !has_number((last - 1)->value)) --last;
    const double size = members(first, last, weight);
    double sum = 0;
    for (const Entry* e = first; e != last; ++e) {
      sum += members(*e, weight) * number(e->value);
    }
    const double mean = sum / size;
    double squares = 0;
    for (const Entry* e = first; e != last; ++e) {
      const double deviation = number(e->value) - mean;
      squares += members(*e, weight) * (deviation * deviation);
    }
    return size > 1 ? squares / (size - 1) : 0;
  }

  double spread_of_names(const Entry* first, const Entry* last, double weight) const {
    const double size = members(first, last, weight);
    double pairs = 0;  // of records with equal values, ordered, each with itself too
    for (const Entry* e = first; e != last; ++e) pairs += members(*e, weight) * members(*e, weight);
    return size > 1 ? (size * size - pairs) / (2 * size) / (size - 1) : 0;
  }

  const ClassHistogram& histogram_;
  double q_;
  double reference_;
};

}  // namespace

KpqrLevel kpqr_anonymity(const ClassHistogram& histogram, double q, VarianceOf variance_of,
                         Ticker& ticker) {
  if (!(q >= 0 && q <= 1)) throw Error(ErrorKind::invalid_parameter, "q must be between 0 and 1");
  const KpqrJudge judge(histogram, q, variance_of, ticker);
  KpqrLevel found;
  found.p = found.r = {kInfinity, 0};
  for (std::int32_t c = 0; c < histogram.classes(); ++c) {
    ticker.step(16 * histogram.entries(c).size());
    if (!judge.bound(c)) continue;
    ++found.bound_classes;
    const double values =
                     std::min(histogram.entries(c).size(), histogram.fewest_without_a_value(c) + 1),
                 ratio = judge.ratio(c);
    if (values < found.p.level) found.p = {values, c};
    // A class with a rare value counts even if its ratio is infinite.
    if (ratio < found.r.level || found.bound_classes == 1) found.r = {ratio, c};
  }
  return found;
}

}  // namespace anonkit
