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

bool protects_means(const std::vector<std::int32_t>& exclusive) {
  return std::all_of(exclusive.begin(), exclusive.end(),
                     [](std::int32_t founders) { return founders >= kLeastExclusive; });
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
  bool can_be_founded(const std::vector<ClassId>& class_of) const;
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
  const std::vector<std::int32_t> exclusive =
      exclusive_founders(formed.partition.class_of, waiters_, ticker_);
  std::vector<NewClass> facts(errors.size());
  for (std::size_t c = 0; c < facts.size(); ++c) {
    const RecordSpan rows = formed.members.of(c);
    for (const Record row : rows) {
      ticker_.step(20);
      facts[c].waited = std::max(facts[c].waited, waiters_.waited[at(row)]);
    }
    facts[c].size = static_cast<std::int32_t>(rows.size());
    facts[c].exclusive = exclusive[c];
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
/// due have one. If one of them cannot be founded, the classes that made them due are.
std::vector<ClassId> Settling::divided(const std::vector<ClassId>& due) const {
  std::vector<ClassId> class_of = by_values(due);
  return settle_rest(due, class_of) && can_be_founded(class_of) ? class_of : due;
}

/// True if two founders of each class enter no other mean, and if all classes keep the promises to
/// persons, which rows that joined their neighbours may break.
bool Settling::can_be_founded(const std::vector<ClassId>& class_of) const {
  Partition founded = {class_of, 1 + *std::max_element(class_of.begin(), class_of.end())};
  number_by_first_record(founded);  // classes that were not accepted leave gaps
  if (acceptance_.means && !protects_means(exclusive_founders(founded.class_of, waiters_, ticker_)))
    return false;
  const std::vector<bool> broken =
      broken_classes(blind_table_, members_of(founded), blind_options_, nullptr, ticker_);
  return std::find(broken.begin(), broken.end(), true) == broken.end();
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

/// Adds classes of those who are due and have none. False if they have none that keeps the promises
/// to persons.
bool Settling::settle_rest(const std::vector<ClassId>& due, std::vector<ClassId>& class_of) const {
  std::map<std::vector<bool>, std::vector<Record>> strata;
  for (const Record row : without_class(due, class_of)) strata[nulls_around(row)].push_back(row);
  for (const auto& [nulls, rest] : strata)
    if (!are_enough(rest)) join_neighbours(rest, class_of);
  const std::vector<Record> rest = without_class(due, class_of);
  if (rest.empty()) return true;
  const std::vector<Record> others = others_than(rest, table_.rows);
  const ClassId first = 1 + *std::max_element(class_of.begin(), class_of.end());
  try {
    const Anonymized formed =
        anonymize(blind_table_, blind_method_, blind_options_, ticker_, nullptr, &others);
    for (const Record row : rest) class_of[at(row)] = first + formed.partition.class_of[at(row)];
  } catch (const Error& error) {
    if (error.kind != ErrorKind::infeasible) throw;
    return false;
  }
  return true;
}

void Settling::withhold(const Coins& coins) {
  waiting_.withheld = broken_classes(table_, waiting_.members, options_, &table_counts_, ticker_);
  for (std::size_t c = 0; c < waiting_.withheld.size(); ++c)
    if (coins.is_decoy(static_cast<ClassId>(c))) waiting_.withheld[c] = true;
}

}  // namespace

std::vector<std::int32_t> exclusive_founders(const std::vector<ClassId>& class_of,
                                             const Waiters& waiters, Ticker& ticker) {
  struct Founder {
    std::uint64_t holder;
    ClassId c;
    bool met;
  };
  std::vector<Founder> founders;
  ClassId classes = 0;
  for (std::size_t row = 0; row < class_of.size(); ++row) {
    ticker.step(20);
    if (class_of[row] == kNone) continue;
    classes = std::max(classes, class_of[row] + 1);
    founders.push_back({waiters.holders[row], class_of[row], waiters.met[row] != 0});
  }
  std::sort(founders.begin(), founders.end(),
            [](const Founder& a, const Founder& b) { return a.holder < b.holder; });
  std::vector<std::int32_t> exclusive(at(classes), 0);
  for (std::size_t first = 0, next = 0; first < founders.size(); first = next) {
    ticker.step(8);
    bool alone = true;
    for (; next < founders.size() && founders[next].holder == founders[first].holder; ++next)
      alone = alone && !founders[next].met && founders[next].c == founders[first].c;
    if (alone) ++exclusive[at(founders[first].c)];
  }
  return exclusive;
}

bool Coins::is_decoy(ClassId c) const {
  return share_of(mix(key + mix(static_cast<std::uint64_t>(c) + 1))) < probability;
}

Anonymized settle(const Table& table, const Method& method, const Options& options,
                  const Waiters& waiters, const Acceptance& acceptance, const Coins& coins,
                  Ticker& ticker, const TableCounts* table_counts) {
  return Settling(table, method, options, waiters, acceptance, table_counts, ticker).found(coins);
}

}  // namespace anonkit
