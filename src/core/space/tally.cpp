#include "space/tally.hpp"

#include <algorithm>

namespace anonkit {

Tally::Tally(std::int32_t codes, Of of) : of_(of) {
  while (leaves_ < static_cast<std::size_t>(codes)) leaves_ *= 2;
  tree_.assign(2 * leaves_, 0);
}

void Tally::add(std::int32_t code, std::int32_t records) {
  std::size_t node = leaves_ + static_cast<std::size_t>(code);
  tree_[node] += records;
  if (of_ == Of::median) {
    while ((node /= 2) > 1) tree_[node] += records;
    return;
  }
  while ((node /= 2) > 0) {
    const std::int32_t most = std::max(tree_[2 * node], tree_[2 * node + 1]);
    if (tree_[node] == most) return;
    tree_[node] = most;
  }
}

std::int32_t Tally::code_of_record(std::int32_t number) const {
  std::size_t node = 1;
  while (node < leaves_) {
    node *= 2;
    if (tree_[node] < number) number -= tree_[node++];
  }
  return static_cast<std::int32_t>(node - leaves_);
}

std::int32_t Tally::most_frequent() const {
  std::size_t node = 1;
  while (node < leaves_) {
    node *= 2;
    if (tree_[node] < tree_[node + 1]) ++node;
  }
  return static_cast<std::int32_t>(node - leaves_);
}

}  // namespace anonkit
