#include "partition/partition.hpp"

namespace anonkit {

void number_by_first_record(Partition& partition) {
  std::vector<ClassId> number(static_cast<std::size_t>(partition.classes), -1);
  ClassId next = 0;
  for (ClassId& c : partition.class_of) {
    if (c == kNone) continue;
    ClassId& to = number[static_cast<std::size_t>(c)];
    if (to < 0) to = next++;
    c = to;
  }
  partition.classes = next;
}

void add_classes(Partition& partition, const Partition& of_others) {
  for (std::size_t i = 0; i < of_others.class_of.size(); ++i)
    if (of_others.class_of[i] != kNone)
      partition.class_of[i] = partition.classes + of_others.class_of[i];
  partition.classes += of_others.classes;
}

void set_classes(Partition& partition, const std::vector<std::vector<Record>>& lists) {
  partition.classes = 0;
  for (const std::vector<Record>& records : lists) {
    for (const Record i : records)
      partition.class_of[static_cast<std::size_t>(i)] = partition.classes;
    partition.classes += records.empty() ? 0 : 1;
  }
}

Members members_of(const Partition& partition) {
  Members members;
  members.first_of.assign(static_cast<std::size_t>(partition.classes) + 1, 0);
  for (const ClassId c : partition.class_of)
    if (c != kNone) ++members.first_of[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 1; c < members.first_of.size(); ++c)
    members.first_of[c] += members.first_of[c - 1];
  members.records.resize(static_cast<std::size_t>(members.first_of.back()));
  std::vector<Record> next(members.first_of.begin(), members.first_of.end() - 1);
  for (std::size_t i = 0; i < partition.class_of.size(); ++i) {
    if (partition.class_of[i] == kNone) continue;
    Record& at = next[static_cast<std::size_t>(partition.class_of[i])];
    members.records[static_cast<std::size_t>(at++)] = static_cast<Record>(i);
  }
  return members;
}

}  // namespace anonkit
