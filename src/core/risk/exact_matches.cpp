#include "risk/exact_matches.hpp"

#include <vector>

#include "base/at.hpp"
#include "risk/cell_classes.hpp"

namespace anonkit {

ExactMatches exact_matches(const CellsPair& pair, Ticker& ticker) {
  const Grouping grouping = cell_classes({&pair.original, &pair.masked}, ticker);
  std::vector<std::int32_t> originals(at(grouping.classes), 0);
  std::vector<std::int32_t> published(at(grouping.classes), 0);
  for (std::size_t row = 0; row < grouping.class_of.size(); ++row)
    ++(row < at(pair.original.rows) ? originals : published)[at(grouping.class_of[row])];
  ExactMatches found;
  for (std::size_t c = 0; c < originals.size(); ++c) {
    if (originals[c] != 1) continue;
    ++found.uniques;
    if (published[c] == 1) ++found.matched;
    if (published[c] > 0) ++found.found;
  }
  return found;
}

}  // namespace anonkit
