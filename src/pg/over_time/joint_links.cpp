#include "pg/over_time/joint_links.hpp"

#include <map>
#include <utility>

#include "base/at.hpp"
#include "model/joint_releases.hpp"
#include "model/row_classes.hpp"

namespace anonkit::pg {
namespace {

/// Numbers the rows that agree in some columns of the link.
Numbers numbers_of(const JointRows& rows, int first, int count, Ticker& ticker) {
  std::vector<CodedColumn> columns;
  for (int i = first; i < first + count; ++i)
    columns.push_back({rows.link[i].ranks.codes, rows.link[i].ranks.distinct});
  Numbers numbers(static_cast<std::size_t>(rows.count));
  std::vector<std::int32_t*> number_of(columns.size(), nullptr);
  number_of.back() = numbers.data();
  number_classes(columns, rows.count, number_of, ticker);
  return numbers;
}

/// By record its person. A row that has left is linked to other rows of its person by the release.
Numbers units_of(const JointRows& rows, const Linked& linked, const Numbers& unit, Ticker& ticker) {
  Numbers unit_of(at(linked.records), 0);
  std::map<std::pair<std::int32_t, std::uint64_t>, std::int32_t> unit_of_gone;
  const auto person = [&rows](std::size_t row) {
    return std::pair(rows.release[row], rows.holder[row]);
  };
  std::int32_t further = -1;  // below the numbers of units
  for (std::size_t row = 0; row < unit.size(); ++row)
    if (rows.gone[row]) unit_of_gone.emplace(person(row), --further);
  for (std::size_t row = 0; row < unit.size(); ++row) {
    ticker.step(8);
    if (rows.gone[row]) continue;
    unit_of[at(linked.record_of[row])] = unit[row];
    const auto gone = unit_of_gone.find(person(row));
    if (gone != unit_of_gone.end()) gone->second = unit[row];
  }
  for (std::size_t row = 0; row < unit.size(); ++row)
    if (rows.gone[row]) unit_of[at(linked.record_of[row])] = unit_of_gone.at(person(row));
  return unit_of;
}

}  // namespace

Linked link_records(const JointRows& rows, Ticker& ticker) {
  Linked linked;
  const Numbers number = numbers_of(rows, 0, rows.key_count, ticker);
  Numbers record_of_number(number.size(), kNowhere);
  linked.record_of.assign(number.size(), kNowhere);
  for (std::size_t row = 0; row < number.size(); ++row) {
    ticker.step(8);
    if (rows.gone[row]) continue;
    std::int32_t& record = record_of_number[at(number[row])];
    if (record == kNowhere) record = linked.linked++;
    linked.record_of[row] = record;
  }
  linked.records = linked.linked;
  for (std::int32_t& record : linked.record_of)
    if (record == kNowhere) record = linked.records++;
  if (rows.link_count == rows.key_count) return linked;
  const Numbers unit = numbers_of(rows, rows.key_count, rows.link_count - rows.key_count, ticker);
  linked.unit_of = units_of(rows, linked, unit, ticker);
  return linked;
}

}  // namespace anonkit::pg
