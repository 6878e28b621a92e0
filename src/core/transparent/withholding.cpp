#include "transparent/withholding.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "promise/promise.hpp"
#include "promise/promised.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

/// The coins of classes, by their published cells.
class CellCoins {
 public:
  CellCoins(const Table& table, const Masked& masked, const Options& options)
      : masked_(masked),
        columns_(columns_by_name(table)),
        key_(mix(options.seed + 0x2545f4914f6cdd1dU)),
        decoys_(options.transparency.decoys) {}

  bool is_decoy(std::size_t c) const { return share_of(hash_of(c)) < decoys_; }

 private:
  /// In the order of the columns' names, for any list of them.
  std::uint64_t hash_of(std::size_t c) const {
    std::uint64_t hash = key_;
    const auto add = [&](std::uint64_t bits) { hash = mix(hash + mix(bits + 1)); };
    for (const std::size_t j : columns_) {
      const std::size_t cell = c * columns_.size() + j;
      add(bits_of_cell(masked_.low[cell]));
      if (!masked_.high.empty()) add(bits_of_cell(masked_.high[cell]));
      if (!masked_.levels.empty()) add(static_cast<std::uint64_t>(masked_.levels[cell]));
      if (masked_.sets.empty()) continue;
      for (const std::int32_t code : masked_.sets[cell]) add(static_cast<std::uint64_t>(code));
    }
    return mix(hash);
  }

  const Masked& masked_;
  std::vector<std::size_t> columns_;
  std::uint64_t key_;
  double decoys_;
};

/// The attributes of all rows, in the order of the rows.
std::vector<SensitiveAttribute> attributes_of_rows(const Table& table, const Options& options) {
  std::vector<Record> rows(at(table.rows));
  std::iota(rows.begin(), rows.end(), 0);
  return sensitive_attributes(table, rows, options.promises);
}

}  // namespace

Table without_values(Table table) {
  table.sensitive.clear();
  return table;
}

Options without_promises(Options options) {
  options.promises = only(options.promises, rows_without_values);
  return options;
}

SeenByMethod::SeenByMethod(const Table& all, const Options& asked) : table(all), options(asked) {
  if (!asked.transparency.wanted) return;
  table = without_values(all);
  table.fingerprints = nullptr;
  options = without_promises(asked);
}

void require_undivided(const Table& table, const std::vector<Record>& order,
                       const Partition& partition) {
  for (std::size_t i = 1; i < order.size(); ++i)
    if (partition.class_of[at(order[i - 1])] != partition.class_of[at(order[i])] &&
        equal_quasi_identifiers(table, order[i - 1], order[i]))
      throw Error(ErrorKind::invalid_parameter, "these classes cannot be transparent",
                  "They divide records that are equal in all quasi-identifiers.",
                  "Where nulls are the cause, leave these records out in a view.");
}

std::vector<bool> broken_classes(const Table& table, const Members& members, const Options& options,
                                 const TableCounts* table_counts, Ticker& ticker) {
  std::vector<SensitiveAttribute> attributes = attributes_of_rows(table, options);
  for (std::size_t a = 0; table_counts != nullptr && a < attributes.size(); ++a)
    attributes[a].table_counts = (*table_counts)[a];
  Persons persons;
  if (table.units != nullptr) persons = {{table.units, table.units + table.rows}, options.k};
  const Constraints constraints = promised_constraints(attributes, options.promises, persons);
  std::vector<bool> broken;
  for (const RecordSpan records : members) {
    ticker.step(std::int64_t{100} * records.size());
    broken.push_back(!all_allow(constraints, records));
  }
  return broken;
}

std::vector<bool> united_classes(const std::vector<ClassId>& formed, const Partition& published) {
  std::vector<ClassId> first(at(published.classes), kNone);
  std::vector<bool> united(first.size(), false);
  for (std::size_t i = 0; i < formed.size(); ++i) {
    const ClassId c = published.class_of[i];
    if (c == kNone) continue;
    if (first[at(c)] == kNone) first[at(c)] = formed[i];
    if (first[at(c)] != formed[i]) united[at(c)] = true;
  }
  return united;
}

namespace {

/// True if classes of another size could withhold less.
bool may_adapt(const Options& options) {
  return options.transparency.adapt == 0 && find_made(options.promises, [](const Promise& promise) {
                                              return !promise.limits_are_exact;
                                            }) == nullptr;
}

}  // namespace

std::vector<bool> withheld_classes(const Table& table, const Members& members, const Masked& masked,
                                   const std::vector<bool>& united, const Options& options,
                                   Ticker& ticker) {
  std::vector<bool> withheld(members.classes(), false);
  if (!options.promises.any()) return withheld;
  withheld = broken_classes(table, members, options, nullptr, ticker);
  for (std::size_t c = 0; c < united.size(); ++c) withheld[c] = withheld[c] || united[c];
  if (std::find(withheld.begin(), withheld.end(), false) == withheld.end())
    throw Error(ErrorKind::infeasible, "no class keeps the promises on sensitive values",
                "All sensitive values would be withheld.",
                may_adapt(options) ? "Promise less, take a larger k, or give adapt."
                                   : "Promise less, or take a larger k.");
  const CellCoins coins(table, masked, options);
  for (std::size_t c = 0; c < withheld.size(); ++c) withheld[c] = withheld[c] || coins.is_decoy(c);
  return withheld;
}

}  // namespace anonkit
