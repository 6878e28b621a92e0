#include "method/growing/psensitive_microaggregation.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "method/growing/growing.hpp"
#include "method/repair/shrinking_list.hpp"

namespace anonkit {
namespace {

/// The values of one attribute as p-sensitivity counts them.
struct Values {
  std::vector<std::int32_t> codes;     ///< by record
  std::vector<std::int32_t> left;      ///< by code: records without a class
  std::vector<std::int32_t> in_class;  ///< by code: records of the current class
  std::int32_t distinct_left = 0;
  std::int32_t distinct = 0;  ///< of the class

  explicit Values(const SensitiveAttribute& attribute) : codes(counted_codes(attribute)) {
    const std::int32_t most = *std::max_element(codes.begin(), codes.end());
    left.assign(at(most) + 1, 0);
    in_class.assign(at(most) + 1, 0);
    for (const std::int32_t code : codes) distinct_left += left[at(code)]++ == 0;
  }

  void take(Record i) {
    const std::size_t code = at(codes[at(i)]);
    distinct_left -= --left[code] == 0;
    distinct += in_class[code]++ == 0;
  }
  bool is_new(Record i) const { return in_class[at(codes[at(i)])] == 0; }
  void close(const RecordSpan& members) {
    for (const Record i : members) in_class[at(codes[at(i)])] = 0;
    distinct = 0;
  }
};

class PsensitiveMicroaggregation {
 public:
  PsensitiveMicroaggregation(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                             Record k, std::int32_t p, std::uint64_t seed, UnassignedRecords& left)
      : space_(space), k_(k), p_(p), random_(seed), left_(left), choice_(space.size()) {
    for (const SensitiveAttribute& attribute : attributes) values_.emplace_back(attribute);
    for (Record i = 0; i < space.size(); ++i) choice_.add(i);
    left.keep_centroid();  // it is never asked for
  }

  bool can_form_a_class() const {
    return choice_.size() >= k_ &&
           std::all_of(values_.begin(), values_.end(),
                       [&](const Values& values) { return values.distinct_left >= p_; });
  }

  Record seed() { return can_form_a_class() ? choice_.pick(random_) : kNone; }

  void grow(Record seed) {
    const double* x = space_.row(seed);
    take({{0, seed}});
    const auto contributes = [&](Record i) {
      return std::any_of(values_.begin(), values_.end(), [&](const Values& values) {
        return values.distinct < p_ && values.is_new(i);
      });
    };
    while (std::any_of(values_.begin(), values_.end(),
                       [&](const Values& values) { return values.distinct < p_; }))
      take({left_.index().nearest(x, contributes)});
    if (left_.members().size() < k_) {
      left_.index().nearest(x, k_ - left_.members().size(), nearest_);
      take(nearest_);
    }
    for (Values& values : values_) values.close(left_.members());
  }

 private:
  void take(const std::vector<Neighbour>& members) {
    for (const Neighbour& member : members) {
      for (Values& values : values_) values.take(member.record);
      choice_.remove(member.record);
    }
    left_.take(members);
  }

  const Space& space_;
  Record k_;
  std::int32_t p_;
  Random random_;
  UnassignedRecords& left_;
  std::vector<Values> values_;
  ShrinkingList choice_;  ///< of the records left
  std::vector<Neighbour> nearest_;
};

}  // namespace

Partition psensitive_microaggregation(const Space& space,
                                      const std::vector<SensitiveAttribute>& attributes, Record k,
                                      std::int32_t p, std::uint64_t seed, Ticker& ticker) {
  ticker.begin("p-sensitive microaggregation", space.size());
  UnassignedRecords left(space, ticker);
  PsensitiveMicroaggregation rule(space, attributes, k, p, seed, left);
  if (!rule.can_form_a_class())
    throw Error(ErrorKind::infeasible, "a sensitive column has fewer than p distinct values");
  grow_classes(left, rule, ticker);
  Partition partition = left.formed();
  join_nearest(space, left.index().records(), kUnlimited, partition, ticker);
  return partition;
}

}  // namespace anonkit
