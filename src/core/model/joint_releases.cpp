#include "model/joint_releases.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "model/row_classes.hpp"
#include "model/stored_versions.hpp"

namespace anonkit {
namespace {

std::int32_t classes_of(const std::vector<std::int32_t>& class_of) {
  return class_of.empty() ? 0 : 1 + *std::max_element(class_of.begin(), class_of.end());
}

/// The rows of the releases as those of versions, whose classes are numbered across all.
std::vector<StoredRow> rows_of(const ByRelease& class_of, const ByRelease* value_of,
                               Ticker& ticker) {
  std::vector<StoredRow> rows;
  std::int32_t first_class = 0;
  for (std::size_t release = 0; release < class_of.size(); ++release) {
    for (std::size_t person = 0; person < class_of[release].size(); ++person) {
      ticker.step(8);
      const std::int32_t c = class_of[release][person];
      const std::int32_t value = value_of != nullptr ? (*value_of)[release][person] : 0;
      if (c == kNowhere || value == kNowhere) continue;
      rows.push_back({static_cast<std::int32_t>(release), static_cast<std::int32_t>(person),
                      first_class + c, value});
    }
    first_class += classes_of(class_of[release]);
  }
  return rows;
}

/// Numbers from 0 without gaps, for judges that expect every class to have a row.
void close_gaps(std::vector<StoredRow>& rows, std::int32_t StoredRow::*member, Ticker& ticker) {
  std::int32_t largest = kNowhere;
  for (const StoredRow& row : rows) {
    ticker.step(4);
    largest = std::max(largest, row.*member);
  }
  std::vector<std::int32_t> number(at(largest + 1), kNowhere);
  for (const StoredRow& row : rows) number[at(row.*member)] = 0;
  std::int32_t next = 0;
  for (std::int32_t& used : number)
    if (used != kNowhere) used = next++;
  for (StoredRow& row : rows) {
    ticker.step(4);
    row.*member = number[at(row.*member)];
  }
}

}  // namespace

std::vector<std::int32_t> joint_classes(const ByRelease& class_of, std::int64_t persons,
                                        Ticker& ticker) {
  std::vector<std::int32_t> joint(static_cast<std::size_t>(persons), 0);
  ByRelease codes;
  std::vector<CodedColumn> columns;
  for (const std::vector<std::int32_t>& classes : class_of) {
    ticker.step(4 * persons);
    const std::int32_t outside = classes_of(classes);
    codes.emplace_back(classes.begin(), classes.begin() + persons);
    std::replace(codes.back().begin(), codes.back().end(), kNowhere, outside);
    columns.push_back({nullptr, outside + 1});
  }
  for (std::size_t release = 0; release < codes.size(); ++release)
    columns[release].codes = codes[release].data();
  std::vector<std::int32_t*> numbers(columns.size(), nullptr);
  if (columns.empty()) return joint;
  numbers.back() = joint.data();
  number_classes(columns, persons, numbers, ticker);
  return joint;
}

RemainingValues remaining_values(const ByRelease& class_of, const ByRelease& value_of,
                                 Ticker& ticker) {
  std::vector<StoredRow> rows = rows_of(class_of, &value_of, ticker);
  RemainingValues remaining;
  if (rows.empty()) return remaining;
  close_gaps(rows, &StoredRow::class_id, ticker);
  close_gaps(rows, &StoredRow::person, ticker);
  const Intersection found = intersect_versions(rows, ticker, 0);
  remaining.places = found.places;
  remaining.fewest = found.fewest_candidates;
  remaining.determined = found.certain;
  return remaining;
}

std::int64_t solved_persons(const ByRelease& class_of, Ticker& ticker) {
  std::vector<StoredRow> rows = rows_of(class_of, nullptr, ticker);
  if (rows.empty()) return 0;
  close_gaps(rows, &StoredRow::class_id, ticker);
  close_gaps(rows, &StoredRow::person, ticker);
  return intersect_versions(rows, ticker).solved;
}

}  // namespace anonkit
