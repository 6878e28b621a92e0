#include "method/growing/share_mdav.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "method/growing/growing.hpp"
#include "promise/largest_share.hpp"

namespace anonkit {
namespace {

// So many near records per member are looked at before a search of its own for each member.
constexpr Record kNear = 3;
// Where values crowd each other out, searches reject nearly all records. So many rejections per
// record are enough to give up.
constexpr std::int64_t kPatience = 200;

/// The values of an attribute in the class that is formed.
class Tally {
 public:
  Tally(const SensitiveAttribute& attribute, Record size, const ValueLimits& bounds)
      : ranks_(attribute.ranks),
        most_(most_alike(bounds.share, size)),
        missing_(bounds.distinct),
        counts_(at(*std::max_element(ranks_.begin(), ranks_.end())) + 1, 0) {}

  /// True if the record leaves the value within its share, and room for the missing values.
  bool accepts(Record i, Record room) const {
    const Record count = counts_[at(ranks_[at(i)])];
    return count < most_ && (count == 0 || room > missing_);
  }
  void add(Record i) { missing_ -= counts_[at(ranks_[at(i)])]++ == 0 ? 1 : 0; }
  void remove(Record i) { missing_ += --counts_[at(ranks_[at(i)])] == 0 ? 1 : 0; }

 private:
  const std::vector<std::int32_t>& ranks_;
  Record most_;
  Record missing_;  ///< distinct values; negative if there are more than needed
  std::vector<Record> counts_;
};

class ShareMdav {
 public:
  ShareMdav(const Space& space, const std::vector<SensitiveAttribute>& attributes, Record size,
            const ValueLimits& bounds, UnassignedRecords& left)
      : space_(space), size_(size), left_(left) {
    for (const SensitiveAttribute& attribute : attributes)
      tallies_.emplace_back(attribute, size, bounds);
  }

  Record seed() {
    const Record s = pair_.second();
    if (s != kNone && left_.size() >= size_ && !(formed_ && taken(s))) return s;
    if (!formed_ || left_.size() < size_) return kNone;
    gave_up_ = rejected_ / kPatience > space_.size();
    if (gave_up_) return kNone;
    formed_ = false;
    return pair_.first(left_);
  }

  /// Takes no member if the seed completes no class.
  void grow(Record seed) {
    const double* x = space_.row(seed);
    members_.clear();
    left_.index().nearest(x, kNear * size_, near_);
    for (const Neighbour& next : near_)
      if (room() > 0 && accepts(next.record)) add(next);
    while (room() > 0) {
      const Neighbour next = left_.index().nearest(x, [this](Record i) {
        const bool fits = accepts(i) && !taken(i);
        rejected_ += fits ? 0 : 1;
        return fits;
      });
      if (next.record < 0) break;
      add(next);
    }
    for (const Neighbour& member : members_)
      for (Tally& tally : tallies_) tally.remove(member.record);
    if (room() > 0) return;
    left_.take(members_);
    formed_ = true;
  }

  bool gave_up() const { return gave_up_; }

 private:
  Record room() const { return size_ - static_cast<Record>(members_.size()); }
  bool accepts(Record i) const {
    return std::all_of(tallies_.begin(), tallies_.end(),
                       [&](const Tally& tally) { return tally.accepts(i, room()); });
  }
  bool taken(Record i) const {
    return std::any_of(members_.begin(), members_.end(),
                       [&](const Neighbour& member) { return member.record == i; });
  }
  void add(const Neighbour& next) {
    for (Tally& tally : tallies_) tally.add(next.record);
    members_.push_back(next);
  }

  const Space& space_;
  Record size_;
  UnassignedRecords& left_;
  FarthestPair pair_;
  bool formed_ = true;  ///< a class from the last pair
  bool gave_up_ = false;
  std::vector<Tally> tallies_;
  std::vector<Neighbour> near_;
  std::vector<Neighbour> members_;  ///< of the class that is formed
  std::int64_t rejected_ = 0;
};

}  // namespace

std::optional<Partition> share_mdav(const Space& space,
                                    const std::vector<SensitiveAttribute>& attributes, Record size,
                                    const ValueLimits& bounds, Ticker& ticker) {
  ticker.begin("mdav within shares", space.size());
  UnassignedRecords left(space, ticker);
  ShareMdav rule(space, attributes, size, bounds, left);
  grow_classes(left, rule, ticker);
  if (rule.gave_up()) return {};
  return left.partition();
}

}  // namespace anonkit
