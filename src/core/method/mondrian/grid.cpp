#include "method/mondrian/grid.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/random.hpp"
#include "partition/record_range.hpp"

namespace anonkit {
namespace {

/// A question about a box: the coins of an attribute's cuts, then the paths to its parts.
Words asked_of(Words box, std::size_t attribute, std::size_t question) {
  box[0] ^= (std::uint64_t{attribute} << 32) | question;
  return box;
}

class Grid {
 public:
  Grid(const std::vector<GridAxis>& axes, Record records, Record k, const GridCoins& coins,
       Ticker& ticker)
      : axes_(axes),
        k_(k),
        coins_(coins),
        ticker_(ticker),
        records_(at(records)),
        sorted_(at(records)) {
    std::iota(records_.begin(), records_.end(), 0);
  }

  GridClasses run() {
    classes_.partition.class_of.resize(records_.size());
    Open all{{0, static_cast<Record>(records_.size())}, {}, {}};
    for (const GridAxis& axis : axes_) all.boxes.push_back(axis.root());
    open_.push_back(std::move(all));
    while (!open_.empty()) {
      const Open box = std::move(open_.back());
      open_.pop_back();
      if (!cut(box)) close(box);
    }
    number_boxes();
    return std::move(classes_);
  }

 private:
  struct Open {
    RecordRange records;
    Words path;
    std::vector<GridBox> boxes;  ///< by attribute
  };

  bool cut(const Open& box) {
    for (const std::size_t j : by_width(box.boxes))
      for (int cut = 0; cut < axes_[j].cuts(box.boxes[j]); ++cut) {
        if (!is_admissible(box, j, cut) || coins_.skips(box.path, j, cut)) continue;
        divide(box, j);
        return true;
      }
    return false;
  }

  /// The attributes whose boxes can be cut, the widest first.
  const std::vector<std::size_t>& by_width(const std::vector<GridBox>& boxes) {
    order_.clear();
    for (std::size_t j = 0; j < axes_.size(); ++j)
      if (axes_[j].cuts(boxes[j]) > 0) order_.push_back(j);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return axes_[a].width(boxes[a]) > axes_[b].width(boxes[b]);
    });
    return order_;
  }

  /// Leaves the parts and their numbers of records.
  bool is_admissible(const Open& box, std::size_t j, int cut) {
    axes_[j].children(box.boxes[j], cut, parts_);
    counts_.assign(parts_.size(), 0);
    ticker_.step(4 * std::int64_t{box.records.size()} + static_cast<std::int64_t>(parts_.size()));
    for (Record i = box.records.begin; i < box.records.end; ++i) ++counts_[part_of(j, i)];
    return std::all_of(counts_.begin(), counts_.end(),
                       [&](Record count) { return count == 0 || count >= k_; });
  }

  std::size_t part_of(std::size_t j, Record position) const {
    const std::int64_t place = axes_[j].place(records_[at(position)]);
    if (parts_.size() == 2) return place < parts_[1].begin ? 0 : 1;
    const auto after = std::upper_bound(
        parts_.begin(), parts_.end(), place,
        [](std::int64_t searched, const GridBox& part) { return searched < part.begin; });
    return static_cast<std::size_t>(after - parts_.begin()) - 1;
  }

  /// Sorts the records by part; the parts with records are open.
  void divide(const Open& box, std::size_t j) {
    std::vector<Record> begins{box.records.begin};
    for (const Record count : counts_) begins.push_back(begins.back() + count);
    std::vector<Record> next = begins;
    ticker_.step(8 * std::int64_t{box.records.size()});
    for (Record from = box.records.begin; from < box.records.end; ++from)
      sorted_[at(next[part_of(j, from)]++)] = records_[at(from)];
    std::copy(sorted_.begin() + box.records.begin, sorted_.begin() + box.records.end,
              records_.begin() + box.records.begin);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      if (counts_[part] == 0) continue;
      Open child{{begins[part], begins[part + 1]}, coins_.path(box.path, j, part), box.boxes};
      child.boxes[j] = parts_[part];
      open_.push_back(std::move(child));
    }
  }

  void close(const Open& box) {
    ticker_.advance(box.records.size());
    for (Record i = box.records.begin; i < box.records.end; ++i)
      classes_.partition.class_of[at(records_[at(i)])] = classes_.partition.classes;
    ++classes_.partition.classes;
    classes_.boxes.insert(classes_.boxes.end(), box.boxes.begin(), box.boxes.end());
  }

  /// Numbers the classes by their first records, and sorts the boxes alike.
  void number_boxes() {
    const std::vector<ClassId> before = classes_.partition.class_of;
    number_by_first_record(classes_.partition);
    std::vector<GridBox> boxes;
    boxes.reserve(classes_.boxes.size());
    ClassId seen = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (classes_.partition.class_of[i] < seen) continue;
      const auto first =
          classes_.boxes.begin() + static_cast<std::ptrdiff_t>(at(before[i]) * axes_.size());
      boxes.insert(boxes.end(), first, first + static_cast<std::ptrdiff_t>(axes_.size()));
      ++seen;
    }
    classes_.boxes = std::move(boxes);
  }

  const std::vector<GridAxis>& axes_;
  Record k_;
  const GridCoins& coins_;
  Ticker& ticker_;
  std::vector<Record> records_;  ///< those of a box are together
  std::vector<Record> sorted_;
  std::vector<Open> open_;
  std::vector<std::size_t> order_;
  std::vector<GridBox> parts_;
  std::vector<Record> counts_;
  GridClasses classes_;
};

}  // namespace

bool SecretCoins::skips(const Words& box, std::size_t attribute, int cut) const {
  return share_of(random_.of(asked_of(box, attribute, static_cast<std::size_t>(cut)))[0]) < skip_;
}

Words SecretCoins::path(const Words& box, std::size_t attribute, std::size_t part) const {
  return random_.of(asked_of(box, attribute, GridAxis::kMostCuts + part));
}

// A sum of blocks, so that the order of records does not matter.
std::array<std::uint8_t, KeyedRandom::kKeyBytes> coins_key(const std::uint8_t* secret,
                                                           const std::vector<GridAxis>& axes,
                                                           Record records, Ticker& ticker) {
  const KeyedRandom random(secret);
  Words sum{};
  for (Record i = 0; i < records; ++i) {
    ticker.step(100 + 4 * static_cast<std::int64_t>(axes.size()));
    Words record{1, 2};
    for (const GridAxis& axis : axes) {
      const auto place = static_cast<std::uint64_t>(axis.place(i));
      record = {mix(record[0] + place), mix(record[1] ^ (place + 0x9e3779b97f4a7c15U))};
    }
    const Words block = random.of(record);
    sum = {sum[0] + block[0], sum[1] + block[1]};
  }
  std::array<std::uint8_t, KeyedRandom::kKeyBytes> key{};
  for (std::size_t half = 0; half < 2; ++half) {
    const Words block = random.of({sum[0], sum[1] ^ half});
    for (std::size_t i = 0; i < 16; ++i)
      key[16 * half + i] = static_cast<std::uint8_t>(block[i / 8] >> (8 * (i % 8)));
  }
  return key;
}

GridClasses cut_grid(const std::vector<GridAxis>& axes, Record records, Record k,
                     const GridCoins& coins, Ticker& ticker) {
  return Grid(axes, records, k, coins, ticker).run();
}

}  // namespace anonkit
