#include "settling.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "metric/centroid_loss.hpp"
#include "recode/recoding.hpp"
#include "transparent/withholding.hpp"

namespace anonkit {
namespace {

/// Methods of a promise have no classes without it.
const Method& method_without_values(const Method& method) {
  return (method.keeps & kPromiseTransparent) != 0 ? method : *find_method("microaggregate");
}

Options blind_options(const Options& asked, bool same_method) {
  Options options = without_promises(asked);
  options.transparency = {};
  if (!same_method) options.algorithm = nullptr;
  return options;
}

/// Promises about the values of a class need no larger table, but methods leave out records that
/// cannot keep a promise only if there is one.
TableCounts counts_of(const Table& table) {
  TableCounts counts;
  for (const SensitiveColumn& column : table.sensitive)
    counts.push_back(value_counts(column, table.rows));
  return counts;
}

class Settling {
 public:
  Settling(const Table& table, const Method& method, const Options& options, const Waiters& waiters,
           const Acceptance& acceptance, const TableCounts* table_counts, Ticker& ticker)
      : table_(table),
        method_(method),
        blind_method_(method_without_values(method)),
        options_(options),
        blind_options_(blind_options(options, &blind_method_ == &method)),
        blind_table_(without_values(table)),
        waiters_(waiters),
        acceptance_(acceptance),
        table_counts_(table_counts != nullptr ? *table_counts : counts_of(table)),
        ticker_(ticker),
        waiting_(anonymize(blind_table_, blind_method_, blind_options_, ticker)) {}

  Anonymized found(const Coins& coins) {
    const std::vector<ClassId> due = accepted(waiting_);
    const bool divides = options_.promises.any() && !options_.transparency.wanted;
    replace_classes(blind_table_, blind_options_, divides ? divided(due) : due, waiting_, ticker_);
    if (options_.promises.any() && !waiting_.members.records.empty()) withhold(coins);
    return std::move(waiting_);
  }

 private:
  std::vector<NewClass> facts_of(const Anonymized& formed) const;
  std::vector<ClassId> accepted(const Anonymized& formed) const;
  std::vector<ClassId> divided(const std::vector<ClassId>& due) const;
  std::vector<ClassId> by_values(const std::vector<ClassId>& due) const;
  bool settle_rest(const std::vector<ClassId>& due, std::vector<ClassId>& class_of) const;
  void join_neighbours(const std::vector<Record>& rest, std::vector<ClassId>& class_of) const;
  std::vector<bool> nulls_around(Record row) const;
  bool are_enough(const std::vector<Record>& rows) const;
  void withhold(const Coins& coins);

  const Table& table_;
  const Method& method_;
  const Method& blind_method_;
  const Options& options_;
  const Options blind_options_;
  const Table blind_table_;
  const Waiters& waiters_;
  const Acceptance& acceptance_;
  const TableCounts table_counts_;
  Ticker& ticker_;
  Anonymized waiting_;  ///< classes of all who wait, by quasi-identifiers alone
};

std::vector<NewClass> Settling::facts_of(const Anonymized& formed) const {
  const Masked centroids =
      recode(blind_table_, formed.members, measured_by(options_.recode), ticker_);
  const std::vector<double> errors =
      class_errors(blind_table_, formed.members, centroids, formed.scales, ticker_);
  std::vector<NewClass> facts(errors.size());
  for (std::size_t c = 0; c < facts.size(); ++c) {
    std::set<std::uint64_t> exclusive;
    const RecordSpan rows = formed.members.of(c);
    for (const Record row : rows) {
      ticker_.step(20);
      facts[c].waited = std::max(facts[c].waited, waiters_.waited[at(row)]);
      if (waiters_.met[at(row)] == 0) exclusive.insert(waiters_.holders[at(row)]);
    }
    facts[c].size = static_cast<std::int32_t>(rows.size());
    facts[c].exclusive = static_cast<std::int32_t>(exclusive.size());
    facts[c].loss = errors[c] / static_cast<double>(rows.size());
  }
  return facts;
}

/// By row its class, or kNone if that is not accepted.
std::vector<ClassId> Settling::accepted(const Anonymized& formed) const {
  const std::vector<NewClass> facts = facts_of(formed);
  std::vector<ClassId> class_of = formed.partition.class_of;
  for (ClassId& c : class_of)
    if (c != kNone && !accepts(acceptance_, facts[at(c)])) c = kNone;
  return class_of;
}

/// Classes by values as far as there are any, and by quasi-identifiers for the rest. All who are
/// due have one.
std::vector<ClassId> Settling::divided(const std::vector<ClassId>& due) const {
  std::vector<ClassId> class_of = by_values(due);
  return settle_rest(due, class_of) ? class_of : due;
}

/// The rows that are due and have no class yet.
std::vector<Record> without_class(const std::vector<ClassId>& due,
                                  const std::vector<ClassId>& class_of) {
  std::vector<Record> rows;
  for (std::size_t row = 0; row < due.size(); ++row)
    if (due[row] != kNone && class_of[row] == kNone) rows.push_back(static_cast<Record>(row));
  return rows;
}

/// All rows but these, which are ascending.
std::vector<Record> others_than(const std::vector<Record>& rows, Record count) {
  std::vector<Record> others;
  for (Record row = 0; row < count; ++row)
    if (!std::binary_search(rows.begin(), rows.end(), row)) others.push_back(row);
  return others;
}

/// The method's classes of those who are due that keep all promises and are accepted.
std::vector<ClassId> Settling::by_values(const std::vector<ClassId>& due) const {
  std::vector<ClassId> nobody(due.size(), kNone);
  const std::vector<Record> rows = without_class(due, nobody);
  if (rows.empty()) return nobody;
  const std::vector<Record> others = others_than(rows, table_.rows);
  try {
    return accepted(anonymize(table_, method_, options_, ticker_, &table_counts_, &others));
  } catch (const Error& error) {
    if (error.kind != ErrorKind::infeasible && error.kind != ErrorKind::invalid_parameter) throw;
    return nobody;
  }
}

/// True if as many different persons have these rows as a class needs.
bool Settling::are_enough(const std::vector<Record>& rows) const {
  std::set<std::uint64_t> holders;
  for (const Record row : rows) holders.insert(waiters_.holders[at(row)]);
  return holders.size() >= static_cast<std::size_t>(options_.k);
}

/// The columns that are null in the row's class by quasi-identifiers. Null strata are not mixed.
std::vector<bool> Settling::nulls_around(Record row) const {
  const std::size_t d = blind_table_.columns.size();
  std::vector<bool> nulls(d);
  for (std::size_t j = 0; j < d; ++j)
    nulls[j] = is_null(waiting_.masked.low[at(waiting_.cells(at(row))) * d + j]);
  return nulls;
}

/// Fewer than k persons cannot have a class of their own. Each joins the class that most of its
/// class by quasi-identifiers are in: that has k persons, so some of them have one.
void Settling::join_neighbours(const std::vector<Record>& rest,
                               std::vector<ClassId>& class_of) const {
  const std::vector<ClassId> before = class_of;
  for (const Record row : rest) {
    std::map<ClassId, int> neighbours;
    for (const Record other : waiting_.members.of(at(waiting_.partition.class_of[at(row)])))
      if (before[at(other)] != kNone) ++neighbours[before[at(other)]];
    const auto most =
        std::max_element(neighbours.begin(), neighbours.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != neighbours.end()) class_of[at(row)] = most->first;
  }
}

/// False if means forbid one of the classes. Then none of them is founded.
bool Settling::settle_rest(const std::vector<ClassId>& due, std::vector<ClassId>& class_of) const {
  std::map<std::vector<bool>, std::vector<Record>> strata;
  for (const Record row : without_class(due, class_of)) strata[nulls_around(row)].push_back(row);
  for (const auto& [nulls, rest] : strata)
    if (!are_enough(rest)) join_neighbours(rest, class_of);
  const std::vector<Record> rest = without_class(due, class_of);
  if (rest.empty()) return true;
  const std::vector<Record> others = others_than(rest, table_.rows);
  const Anonymized formed =
      anonymize(blind_table_, blind_method_, blind_options_, ticker_, nullptr, &others);
  const std::vector<NewClass> facts = facts_of(formed);
  if (acceptance_.means && std::any_of(facts.begin(), facts.end(), [](const NewClass& one) {
        return one.exclusive < kLeastExclusive;
      }))
    return false;
  const ClassId first = 1 + *std::max_element(class_of.begin(), class_of.end());
  for (const Record row : rest) class_of[at(row)] = first + formed.partition.class_of[at(row)];
  return true;
}

void Settling::withhold(const Coins& coins) {
  waiting_.withheld = broken_classes(table_, waiting_.members, options_, &table_counts_, ticker_);
  for (std::size_t c = 0; c < waiting_.withheld.size(); ++c)
    if (coins.is_decoy(static_cast<ClassId>(c))) waiting_.withheld[c] = true;
}

}  // namespace

bool Coins::is_decoy(ClassId c) const {
  return share_of(mix(key + mix(static_cast<std::uint64_t>(c) + 1))) < probability;
}

Anonymized settle(const Table& table, const Method& method, const Options& options,
                  const Waiters& waiters, const Acceptance& acceptance, const Coins& coins,
                  Ticker& ticker, const TableCounts* table_counts) {
  return Settling(table, method, options, waiters, acceptance, table_counts, ticker).found(coins);
}

}  // namespace anonkit
