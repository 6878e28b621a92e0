#include "method/psensitive_microaggregation.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "method/repair/shrinking_list.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"
#include "space/index/spatial_index.hpp"

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
  void close(const std::vector<Record>& members) {
    for (const Record i : members) in_class[at(codes[at(i)])] = 0;
    distinct = 0;
  }
};

class PsensitiveMicroaggregation {
 public:
  PsensitiveMicroaggregation(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                             Record k, std::int32_t p, std::uint64_t seed, Ticker& ticker)
      : space_(space),
        k_(k),
        p_(p),
        random_(seed),
        ticker_(ticker),
        index_(space, ticker),
        left_(space.size()) {
    for (const SensitiveAttribute& attribute : attributes) values_.emplace_back(attribute);
    partition_.class_of.assign(at(space.size()), kNone);
    for (Record i = 0; i < space.size(); ++i) left_.add(i);
  }

  Partition run() {
    if (!can_form_a_class())
      throw Error(ErrorKind::infeasible, "a sensitive column has fewer than p distinct values");
    while (can_form_a_class()) form_class();
    if (left_.size() > 0) join_nearest();
    number_by_first_record(partition_);
    return std::move(partition_);
  }

 private:
  bool can_form_a_class() const {
    return left_.size() >= k_ &&
           std::all_of(values_.begin(), values_.end(),
                       [&](const Values& values) { return values.distinct_left >= p_; });
  }

  void form_class() {
    members_.clear();
    const Record first = left_.pick(random_);
    const double* x = space_.row(first);
    take(first);
    index_.remove(first);
    for (;;) {
      const auto contributes = [&](Record i) {
        return std::any_of(values_.begin(), values_.end(), [&](const Values& values) {
          return values.distinct < p_ && values.is_new(i);
        });
      };
      if (std::all_of(values_.begin(), values_.end(),
                      [&](const Values& values) { return values.distinct >= p_; }))
        break;
      const Record next = index_.nearest(x, contributes).record;
      take(next);
      index_.remove(next);
    }
    const auto size = static_cast<Record>(members_.size());
    if (size < k_) {
      index_.nearest(x, k_ - size, nearest_);
      for (const Neighbour& next : nearest_) take(next.record);
      index_.remove(nearest_);
    }
    for (Values& values : values_) values.close(members_);
    ticker_.advance(static_cast<std::int64_t>(members_.size()));
    ++partition_.classes;
  }

  void take(Record i) {
    for (Values& values : values_) values.take(i);
    left_.remove(i);
    members_.push_back(i);
    partition_.class_of[at(i)] = partition_.classes;
  }

  void join_nearest() {
    const Members members = members_of(partition_);
    CentroidIndex centroids(space_, partition_.classes, ticker_);
    Centroid centroid(space_);
    std::vector<double> point(at(space_.dimension()));
    for (ClassId c = 0; c < partition_.classes; ++c) {
      const Record first = members.begin[at(c)], last = members.begin[at(c) + 1];
      for (Record i = first; i < last; ++i) centroid.add(members.records[at(i)]);
      centroid.point(point.data());
      for (Record i = first; i < last; ++i) centroid.remove(members.records[at(i)]);
      centroids.add(c, point.data());
      ticker_.step(std::int64_t{last - first} * (10 + space_.dimension()));
    }
    for (ClassId& c : partition_.class_of) {
      const auto i = static_cast<Record>(&c - partition_.class_of.data());
      if (c == kNone) c = centroids.nearest(space_.row(i), -1);
    }
  }

  const Space& space_;
  Record k_;
  std::int32_t p_;
  Random random_;
  Ticker& ticker_;
  SpatialIndex index_;
  std::vector<Values> values_;
  ShrinkingList left_;
  std::vector<Record> members_;  ///< of the current class
  std::vector<Neighbour> nearest_;
  Partition partition_;
};

}  // namespace

Partition psensitive_microaggregation(const Space& space,
                                      const std::vector<SensitiveAttribute>& attributes, Record k,
                                      std::int32_t p, std::uint64_t seed, Ticker& ticker) {
  ticker.begin("p-sensitive microaggregation", space.size());
  return PsensitiveMicroaggregation(space, attributes, k, p, seed, ticker).run();
}

}  // namespace anonkit
