#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "search/search.hpp"

namespace anonkit {

/// Random sets of classes that are near each other, for Search::recreate.
class NearClasses {
 public:
  explicit NearClasses(const Search& search);

  /// True if several sets can be formed anew with that effort. The classes of a large k would take
  /// all of it, and more.
  bool fit_in(double effort) const;
  /// True if so many classes are of few points on average.
  bool are_small(ClassId classes) const;

  /// Two to six classes of few records together: the given one, and those that neighbours of random
  /// members lead to. One class alone if none was found.
  const std::vector<ClassId>& around(ClassId first, Random& random);

  /// True if no other class fits beside this one: it cannot be formed anew with others, and to look
  /// at all its members would take longer than it counts.
  bool is_too_large(ClassId c) const;

 private:
  void add(ClassId c);

  const Search& search_;
  std::int64_t most_points_;
  std::int64_t points_ = 0;
  std::vector<ClassId> ids_;
};

}  // namespace anonkit
