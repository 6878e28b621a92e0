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

  /// Two to six classes of few records together: the given one, and those that neighbours of random
  /// members lead to. One class alone if none was found.
  const std::vector<ClassId>& around(ClassId first, Random& random);

 private:
  void add(ClassId c);

  const Search& search_;
  std::int64_t most_records_;
  std::int64_t records_ = 0;
  std::vector<ClassId> ids_;
};

}  // namespace anonkit
