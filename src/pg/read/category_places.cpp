#include "pg/read/category_places.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "pg/backend/session.hpp"
#include "pg/read/hierarchies.hpp"

namespace anonkit::pg {
namespace {

/// The hierarchy over the block's codes, in their order; null without one.
const ColumnHierarchy* hierarchy_of_codes(const SourceColumn& column, const Block& block, int j) {
  if (column.hierarchy == nullptr) return nullptr;
  const int32 count = block.dictionaries[j]->size();
  Ranks codes = {nullptr, allocate<double>(count), count, 0};
  std::iota(codes.values, codes.values + count, 0.0);
  MemoryCount memory = {};
  return read_hierarchy(column, block, j, codes, memory);
}

/// The order of two codes by their labels, the coarsest first; 0 if all are the same.
int compare_labels(const ColumnHierarchy& tree, int32 a, int32 b) {
  for (std::int32_t level = tree.hierarchy().height() - 1; level > 0; --level) {
    const int order = std::strcmp(tree.label(level, tree.hierarchy().group(level, a)),
                                  tree.label(level, tree.hierarchy().group(level, b)));
    if (order != 0) return order;
  }
  return 0;
}

}  // namespace

double* category_places(const SourceColumn& column, const Block& block, int j,
                        const int64* records) {
  const ColumnHierarchy* tree = hierarchy_of_codes(column, block, j);
  const Dictionary& texts = *block.dictionaries[j];
  double* places = allocate<double>(texts.size() + 1);
  std::vector<int32> order(static_cast<std::size_t>(texts.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32 a, int32 b) {
    const int by_label = tree != nullptr ? compare_labels(*tree, a, b) : 0;
    if (by_label != 0) return by_label < 0;
    if (tree == nullptr && records[a] != records[b]) return records[a] > records[b];
    return texts.text(a) < texts.text(b);
  });
  for (std::size_t place = 0; place < order.size(); ++place)
    places[order[place]] = static_cast<double>(place);
  places[texts.size()] = static_cast<double>(texts.size());
  return places;
}

}  // namespace anonkit::pg
