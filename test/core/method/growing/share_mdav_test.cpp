#include "method/growing/share_mdav.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fixture/random_sensitive.hpp"
#include "fixture/random_space.hpp"
#include "fixture/trials.hpp"
#include "method/growing/mdav.hpp"
#include "promise/largest_share.hpp"
#include "space/centroid.hpp"

namespace anonkit {
namespace {

/// By scans: from the seed outwards, a record joins unless its value has its share, or missing
/// values need the places left.
class PlainShareMdav {
 public:
  PlainShareMdav(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record size,
                 const ValueLimits& bounds)
      : space_(space), attributes_(attributes), size_(at(size)), bounds_(bounds) {
    for (Record i = 0; i < space.size(); ++i) left_.insert(i);
    partition_.class_of.assign(at(space.size()), kNone);
  }

  Partition run() {
    bool formed = true;
    while (formed && left_.size() >= size_) {
      const Record r = farthest(centroid().data());
      const Record s = farthest(space_.row(r));
      formed = form_class(r);
      if (left_.size() >= size_ && left_.count(s) != 0) formed = form_class(s) || formed;
    }
    number_by_first_record(partition_);
    return partition_;
  }

 private:
  std::vector<double> centroid() const {
    Centroid sum(space_);
    for (const Record i : left_) sum.add(i);
    std::vector<double> point(at(space_.dimension()));
    sum.point(point.data());
    return point;
  }

  Record farthest(const double* x) const {
    std::pair<double, Record> best{-1, kNone};
    for (const Record i : left_)
      if (space_.squared_distance(space_.row(i), x) > best.first)
        best = {space_.squared_distance(space_.row(i), x), i};
    return best.second;
  }

  bool fits(const std::vector<Record>& members, Record next) const {
    for (const SensitiveAttribute& attribute : attributes_) {
      std::map<std::int32_t, Record> counts;
      for (const Record i : members) ++counts[attribute.ranks[at(i)]];
      const Record count = ++counts[attribute.ranks[at(next)]];
      if (static_cast<double>(count) / static_cast<double>(size_) > bounds_.share) return false;
      const std::size_t room = size_ - members.size() - 1;
      if (count > 1 && counts.size() + room < at(bounds_.distinct)) return false;
    }
    return true;
  }

  bool form_class(Record seed) {
    std::vector<std::pair<double, Record>> order;
    for (const Record i : left_)
      order.emplace_back(space_.squared_distance(space_.row(seed), space_.row(i)), i);
    std::sort(order.begin(), order.end());
    std::vector<Record> members;
    for (const auto& [distance, i] : order)
      if (members.size() < size_ && fits(members, i)) members.push_back(i);
    if (members.size() < size_) return false;
    for (const Record i : members) {
      partition_.class_of[at(i)] = partition_.classes;
      left_.erase(i);
    }
    ++partition_.classes;
    return true;
  }

  static std::size_t at(Record i) { return static_cast<std::size_t>(i); }

  const Space& space_;
  const std::vector<SensitiveAttribute>& attributes_;
  std::size_t size_;
  ValueLimits bounds_;
  std::set<Record> left_;
  Partition partition_;
};

TEST(ShareMdav, EqualsThePlainReference) {
  RandomSpaces spaces(7);
  RandomSensitive random(7);
  SilentTicker ticker;
  int formed = 0;
  for (int round = 0; round < trials(3000); ++round) {
    const Record n = random.between(1, round % 10 == 0 ? 120 : 40);
    const Space space = spaces.make(static_cast<Shape>(round % kShapes), n, random.between(1, 4));
    std::vector<SensitiveAttribute> attributes;
    for (int a = random.between(1, 2); a > 0; --a)
      attributes.push_back(random.make(GroundDistance::nominal, n, 1));
    const ValueLimits bounds{random.between(2, 10) / 10.0, random.between(1, 4)};
    const Record size = random.between(std::max(2, bounds.distinct), 8);
    const Partition fast = share_mdav(space, attributes, size, bounds, ticker).value();
    ASSERT_EQ(fast.class_of, PlainShareMdav(space, attributes, size, bounds).run().class_of)
        << "round " << round;
    formed += fast.classes;
  }
  EXPECT_GT(formed, trials(3000));
}

TEST(ShareMdav, ClassesAreMdavsWhereNothingIsPromised) {
  RandomSpaces spaces(8);
  SilentTicker ticker;
  SensitiveAttribute attribute;
  attribute.ranks.assign(60, 0);
  for (int round = 0; round < 50; ++round) {
    const Space space = spaces.make(static_cast<Shape>(round % kShapes), 60, 3);
    const Partition all = mdav(space, 5, ticker);
    Partition some = share_mdav(space, {attribute}, 5, {}, ticker).value();
    number_by_first_record(some);
    EXPECT_EQ(some.classes, all.classes);
  }
}

TEST(ShareMdav, PassesOverAValueThatHasItsShare) {
  // Twelve records in a row, of two values side by side: neighbours would be 'aab'.
  RandomSpaces spaces(9);
  SilentTicker ticker;
  SensitiveAttribute attribute;
  for (int i = 0; i < 12; ++i) attribute.ranks.push_back(i / 2 % 2);
  const Space space = spaces.make(static_cast<Shape>(0), 12, 1);
  const Members members = members_of(share_mdav(space, {attribute}, 2, {0.5, 2}, ticker).value());
  EXPECT_EQ(members.first_of.size(), 7U);
  for (std::size_t c = 0; c + 1 < members.first_of.size(); ++c) {
    const Record a = members.records[static_cast<std::size_t>(members.first_of[c])];
    const Record b = members.records[static_cast<std::size_t>(members.first_of[c]) + 1];
    EXPECT_NE(attribute.ranks[static_cast<std::size_t>(a)],
              attribute.ranks[static_cast<std::size_t>(b)]);
  }
}

TEST(MostAlike, AreTheShareOfTheMembersThoughItIsRounded) {
  for (std::int32_t members = 1; members <= 150; ++members)
    for (std::int32_t most = 0; most <= members; ++most)
      EXPECT_EQ(most_alike(static_cast<double>(most) / members, members), most);
  EXPECT_EQ(most_alike(0.5, 7), 3);
}

}  // namespace
}  // namespace anonkit
