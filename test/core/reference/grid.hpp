#pragma once

// Mondrian on a public grid with coins, straight from the definition (method/mondrian/grid.hpp):
// recursive, on copied lists of records.

#include <algorithm>
#include <vector>

#include "method/mondrian/grid.hpp"

namespace anonkit {

class ReferenceGrid {
 public:
  using Records = std::vector<Record>;

  ReferenceGrid(const std::vector<GridAxis>& axes, Record k, const GridCoins& coins)
      : axes_(axes), k_(static_cast<std::size_t>(k)), coins_(coins) {}

  Partition run(Record records) {
    Records all;
    for (Record i = 0; i < records; ++i) all.push_back(i);
    partition_.class_of.resize(all.size());
    std::vector<GridBox> boxes;
    for (const GridAxis& axis : axes_) boxes.push_back(axis.root());
    cut(all, boxes, {});
    number_by_first_record(partition_);
    return partition_;
  }

 private:
  void cut(const Records& records, const std::vector<GridBox>& boxes, Words path) {
    std::vector<bool> tried(axes_.size());
    for (std::size_t turn = 0; turn < axes_.size(); ++turn) {
      std::size_t widest = axes_.size();
      for (std::size_t j = 0; j < axes_.size(); ++j)
        if (!tried[j] && (widest == axes_.size() ||
                          axes_[j].width(boxes[j]) > axes_[widest].width(boxes[widest])))
          widest = j;
      tried[widest] = true;
      for (int which = 0; which < axes_[widest].cuts(boxes[widest]); ++which)
        if (cut_along(widest, which, records, boxes, path)) return;
    }
    for (const Record i : records)
      partition_.class_of[static_cast<std::size_t>(i)] = partition_.classes;
    ++partition_.classes;
  }

  bool cut_along(std::size_t j, int which, const Records& records,
                 const std::vector<GridBox>& boxes, Words path) {
    std::vector<GridBox> parts;
    axes_[j].children(boxes[j], which, parts);
    std::vector<Records> within(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (const Record i : records)
        if (axes_[j].place(i) >= parts[part].begin && axes_[j].place(i) < parts[part].end)
          within[part].push_back(i);
      if (!within[part].empty() && within[part].size() < k_) return false;
    }
    if (coins_.skips(path, j, which)) return false;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (within[part].empty()) continue;
      std::vector<GridBox> child = boxes;
      child[j] = parts[part];
      cut(within[part], child, coins_.path(path, j, part));
    }
    return true;
  }

  const std::vector<GridAxis>& axes_;
  std::size_t k_;
  const GridCoins& coins_;
  Partition partition_;
};

}  // namespace anonkit
