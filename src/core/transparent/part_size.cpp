#include "transparent/part_size.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "promise/largest_share.hpp"

namespace anonkit {
namespace {

using Weights = std::vector<double>;

/// The largest part computed. In larger ones shares are near those of the set.
constexpr Record kLargeParts = 1000;

/// The frequencies of the values that occur in the set, ascending, so that sums do not depend on
/// the order of the records.
std::vector<Record> counts_of(const std::vector<std::int32_t>& codes, const RecordSpan& set) {
  std::vector<std::int32_t> values;
  values.reserve(at(set.size()));
  for (const Record i : set) values.push_back(codes[at(i)]);
  std::sort(values.begin(), values.end());
  std::vector<Record> counts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] != values[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

/// Draws from a set of n records, up to `most` of them. Numbers of subsets are scaled by
/// (most / (3 n))^size, which cancels in probabilities and keeps them within the range of doubles.
class Draws {
 public:
  Draws(Record n, Record most) : n_(n), most_(most), all_(subsets(n)) {}

  /// The scaled numbers of subsets of 0, 1, ... most of some records.
  Weights subsets(Record records) const {
    Weights weights(at(most_) + 1, 0);
    weights[0] = 1;
    const double scale = most_ / (3.0 * n_);
    for (Record size = 1; size <= std::min(most_, records); ++size)
      weights[at(size)] = weights[at(size) - 1] * scale * (records - size + 1) / size;
    return weights;
  }

  double all(Record size) const { return all_[at(size)]; }
  Record most() const { return most_; }

 private:
  Record n_;
  Record most_;
  Weights all_;
};

/// By size of the part the probability of fewer than `distinct` values.
Weights too_few_values(const Draws& draws, const std::vector<Record>& counts, std::int32_t distinct,
                       Ticker& ticker) {
  const Record most = draws.most();
  // By number of distinct values and size: the scaled number of subsets.
  std::vector<Weights> found(at(distinct), Weights(at(most) + 1, 0));
  found[0][0] = 1;
  for (const Record count : counts) {
    const Weights own = draws.subsets(count);
    const Record taken = std::min(count, most);
    ticker.step(std::int64_t{distinct} * most * taken);
    for (std::int32_t j = distinct - 1; j > 0; --j)
      for (Record size = most; size > 0; --size)
        for (Record some = 1; some <= std::min(taken, size); ++some)
          found[at(j)][at(size)] += found[at(j) - 1][at(size - some)] * own[at(some)];
  }
  Weights failing(at(most) + 1, 0);
  for (Record size = 1; size <= most; ++size)
    for (const Weights& of_number : found)
      failing[at(size)] += of_number[at(size)] / draws.all(size);
  return failing;
}

/// By size of the part the expected number of values that are too frequent.
Weights too_frequent(const Draws& draws, const std::vector<Record>& counts, Record n, double alpha,
                     Ticker& ticker) {
  Weights failing(at(draws.most()) + 1, 0);
  for (const Record count : counts) {
    const Weights own = draws.subsets(count), others = draws.subsets(n - count);
    for (Record size = 1; size <= draws.most(); ++size) {
      const Record first = most_alike(alpha, size) + 1;
      ticker.step(4 * std::max(size - first, 0));
      for (Record some = first; some <= std::min(size, count); ++some)
        failing[at(size)] += own[at(some)] * others[at(size - some)] / draws.all(size);
    }
  }
  return failing;
}

}  // namespace

PartSize::PartSize(const std::vector<SensitiveAttribute>& attributes, const Promises& promises,
                   Record k, double share)
    : k_(k), share_(share) {
  const ValueLimits of_values = limits_of(
      promises, [](const Promise& promise) { return promise.limits_are_exact && !promise.lifted; });
  const ValueLimits of_lifted = limits_of(
      promises, [](const Promise& promise) { return promise.limits_are_exact && promise.lifted; });
  for (const SensitiveAttribute& attribute : attributes) {
    limits_.push_back({attribute.ranks, of_values});
    limits_.push_back({counted_codes(attribute), of_lifted});
  }
}

Record PartSize::of(const RecordSpan& set, Ticker& ticker) const {
  const Record half = set.size() / 2;
  if (k_ > kLargeParts) return k_;
  std::vector<std::vector<Record>> counts;
  for (const LimitedCodes& limited : limits_) counts.push_back(counts_of(limited.codes, set));
  ticker.step(std::int64_t{50} * set.size());
  for (Record most = std::min(2 * k_, half); most >= k_; most = std::min(2 * most, half)) {
    const Draws draws(set.size(), most);
    Weights failing(at(most) + 1, 0);
    const auto add = [&](const Weights& some) {
      for (std::size_t size = 0; size < failing.size(); ++size) failing[size] += some[size];
    };
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      if (limits_[i].limits.distinct > 1)
        add(too_few_values(draws, counts[i], limits_[i].limits.distinct, ticker));
      if (limits_[i].limits.share < 1)
        add(too_frequent(draws, counts[i], set.size(), limits_[i].limits.share, ticker));
    }
    for (Record size = k_; size <= most; ++size)
      if (failing[at(size)] <= share_) return size;
    if (most == half || most > kLargeParts) break;
  }
  return half + 1;
}

}  // namespace anonkit
