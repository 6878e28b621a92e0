#include "search/near_classes.hpp"

#include <algorithm>

#include "base/at.hpp"

namespace anonkit {
namespace {

// So many classes at most are formed anew together. More succeed less often, and take longer.
constexpr std::uint32_t kMostClasses = 6;
// Their points at most, or three times k if that is more: the time is their number squared.
constexpr std::int64_t kMostPoints = 60;
// So many points of a class on average, or so many times k. Larger ones are there for a promise,
// which records formed anew seldom keep.
constexpr double kMeanPoints = 15, kMeanOfK = 1.5;
// They need effort for so many sets.
constexpr double kSets = 10;
// Attempts for each class; neighbours are often of one class.
constexpr std::uint32_t kAttempts = 5;

}  // namespace

NearClasses::NearClasses(const Search& search)
    : search_(search), most_points_(std::max(kMostPoints, std::int64_t{3} * search.k())) {}

bool NearClasses::fit_in(double effort) const {
  const double points =
      static_cast<double>(std::min(most_points_, std::int64_t{search_.space().size()}));
  return kSets * points * points / 2 <= effort;
}

bool NearClasses::are_small(ClassId classes) const {
  const double most = classes * std::max(kMeanPoints, kMeanOfK * search_.k());
  return search_.space().size() <= most;
}

bool NearClasses::is_too_large(ClassId c) const {
  return search_.classes().size(c) >= most_points_;
}

const std::vector<ClassId>& NearClasses::around(ClassId first, Random& random) {
  const auto pick = [&](Record bound) {
    return static_cast<Record>(random.below(static_cast<std::uint32_t>(bound)));
  };
  ids_.assign(1, first);
  if (is_too_large(first)) return ids_;
  const Classes& classes = search_.classes();
  const Neighbours& near = search_.neighbours();
  const std::uint32_t wanted = 2 + random.below(kMostClasses - 1);
  points_ = classes.size(first);
  for (std::uint32_t left = kAttempts * wanted; left > 0 && ids_.size() < wanted; --left) {
    const ClassId from = ids_[at(pick(static_cast<Record>(ids_.size())))];
    const Record member = classes.member(from, pick(classes.size(from)));
    add(classes.of(near.of(member)[pick(near.each)]));
  }
  return ids_;
}

void NearClasses::add(ClassId c) {
  const Record size = search_.classes().size(c);
  if (points_ + size > most_points_ || std::find(ids_.begin(), ids_.end(), c) != ids_.end()) return;
  points_ += size;
  ids_.push_back(c);
}

}  // namespace anonkit
