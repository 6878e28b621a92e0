#include "partition/classes.hpp"

#include <utility>

namespace anonkit {

Classes::Classes(const Partition& partition, Ticker& ticker)
    : class_of_(partition.class_of),
      position_(partition.class_of.size()),
      lists_(static_cast<std::size_t>(partition.classes)) {
  for (std::size_t i = 0; i < class_of_.size(); ++i) {
    ticker.step(50);
    std::vector<Record>& list = lists_[static_cast<std::size_t>(class_of_[i])];
    position_[i] = static_cast<Record>(list.size());
    list.push_back(static_cast<Record>(i));
  }
}

void Classes::move(Record i, ClassId to) {
  const auto at = static_cast<std::size_t>(i);
  std::vector<Record>& source = lists_[static_cast<std::size_t>(class_of_[at])];
  std::vector<Record>& target = lists_[static_cast<std::size_t>(to)];
  const Record last = source.back();
  source[static_cast<std::size_t>(position_[at])] = last;
  position_[static_cast<std::size_t>(last)] = position_[at];
  source.pop_back();
  position_[at] = static_cast<Record>(target.size());
  target.push_back(i);
  class_of_[at] = to;
}

void Classes::swap(Record i, Record j) {
  const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
  lists_[static_cast<std::size_t>(class_of_[a])][static_cast<std::size_t>(position_[a])] = j;
  lists_[static_cast<std::size_t>(class_of_[b])][static_cast<std::size_t>(position_[b])] = i;
  std::swap(class_of_[a], class_of_[b]);
  std::swap(position_[a], position_[b]);
}

ClassId Classes::empty_id() {
  if (free_.empty()) {
    lists_.emplace_back();
    return ids() - 1;
  }
  const ClassId c = free_.back();
  free_.pop_back();
  return c;
}

}  // namespace anonkit
