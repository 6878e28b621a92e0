#include "settling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "input_checks.hpp"
#include "metric/centroid_loss.hpp"
#include "occurring.hpp"
#include "promise/promise.hpp"
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

/// The options of the division by values: its classes keep t after decoys have left the table.
///
/// Let Q be the distribution of all who are founded tonight, and A that of a share m of them, the
/// decoys. Readers see Q' with Q = (1 - m) Q' + m A, hence Q' - Q = m/(1 - m) (Q - A). An EMD is a
/// norm of the difference: D(Q, Q') = m/(1 - m) D(Q, A). Decoys are classes of this division. If
/// each class is within t' of Q, then so is A, since a norm is convex. So any class is within
/// t' + m/(1 - m) t' = t'/(1 - m) of Q', which is t if t' = (1 - m) t. The bound is attained by a
/// class and decoys on opposite sides of Q. The share m is the expected one, and each person has
/// one row. If there are more decoys, if a value is left to them alone, or if persons have rows in
/// several classes, `withhold` decides: it repeats until no class that is shown breaks t.
class Tightened {
 public:
  Tightened(const Options& asked, std::size_t attributes) : options_(asked) {
    const double share = 1 - asked.transparency.decoys;
    Promises& promises = options_.promises;
    promises.t *= share;
    if (promises.t_each == nullptr) return;
    for (std::size_t a = 0; a < attributes; ++a) t_each_.push_back(share * promises.t_each[a]);
    promises.t_each = t_each_.data();
  }
  Tightened(const Tightened&) = delete;
  Tightened& operator=(const Tightened&) = delete;

  const Options& options() const { return options_; }

 private:
  Options options_;
  std::vector<double> t_each_;
};

/// The classes that are not left out, and their numbers.
Members chosen_classes(const Members& members, const std::vector<bool>& left_out,
                       std::vector<std::size_t>& numbers) {
  Members chosen;
  chosen.first_of = {0};
  for (std::size_t c = 0; c < members.classes(); ++c) {
    if (left_out[c]) continue;
    const RecordSpan rows = members.of(c);
    chosen.records.insert(chosen.records.end(), rows.begin(), rows.end());
    chosen.first_of.push_back(static_cast<Record>(chosen.records.size()));
    numbers.push_back(c);
  }
  return chosen;
}

/// True if one of the rows has a sensitive value. Null is the last rank.
bool has_value(const Table& table, RecordSpan rows) {
  return std::any_of(table.sensitive.begin(), table.sensitive.end(), [&](const SensitiveColumn& a) {
    const std::int32_t values = a.distinct - (a.nulls > 0 ? 1 : 0);
    return std::any_of(rows.begin(), rows.end(), [&](Record row) { return a.ranks[row] < values; });
  });
}

class Settling {
 public:
  Settling(const Table& table, const Method& method, const Options& options, const Waiters& waiters,
           const Acceptance& acceptance, Ticker& ticker)
      : table_(table),
        method_(method),
        blind_method_(method_without_values(method)),
        options_(options),
        blind_options_(blind_options(options, &blind_method_ == &method)),
        blind_table_(without_values(table)),
        waiters_(waiters),
        acceptance_(acceptance),
        ticker_(ticker),
        waiting_(anonymize(blind_table_, blind_method_, blind_options_, ticker)) {}

  Anonymized found(const Coins& coins) {
    std::vector<ClassId> due = accepted(waiting_);
    if (holders_of(due) < acceptance_.least) std::fill(due.begin(), due.end(), kNone);
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
  std::int64_t holders_of(const std::vector<ClassId>& class_of) const;
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
  Ticker& ticker_;
  Anonymized waiting_;  ///< classes of all who wait, by quasi-identifiers alone
};

std::vector<NewClass> Settling::facts_of(const Anonymized& formed) const {
  const std::vector<double> errors = founding_errors(blind_table_, formed, options_, ticker_);
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
  // Methods leave out records that cannot keep a promise only if they are given a larger table.
  const Occurring due_table(table_, rows);
  const Tightened tightened(options_, table_.sensitive.size());
  const auto formed = unless({ErrorKind::infeasible, ErrorKind::invalid_parameter}, [&] {
    return anonymize(due_table.table(), method_, tightened.options(), ticker_, &due_table.counts(),
                     &others);
  });
  return formed ? accepted(*formed) : nobody;
}

/// The different persons whose rows have a class.
std::int64_t Settling::holders_of(const std::vector<ClassId>& class_of) const {
  std::set<std::uint64_t> holders;
  for (std::size_t row = 0; row < class_of.size(); ++row)
    if (class_of[row] != kNone) holders.insert(waiters_.holders[row]);
  return static_cast<std::int64_t>(holders.size());
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
  const std::optional<Anonymized> formed = unless({ErrorKind::infeasible}, [&] {
    return anonymize(blind_table_, blind_method_, blind_options_, ticker_, nullptr, &others);
  });
  if (!formed) return false;
  for (const Record row : rest) class_of[at(row)] = first + formed->partition.class_of[at(row)];
  return true;
}

void Settling::withhold(const Coins& coins) {
  std::vector<bool> withheld = classes_without_values(table_, waiting_.members);
  for (std::size_t c = 0; c < withheld.size(); ++c)
    withheld[c] = withheld[c] || coins.is_decoy(static_cast<ClassId>(c));
  waiting_.withheld =
      withheld_until_kept(table_, waiting_.members, options_, std::move(withheld), ticker_);
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

std::vector<double> founding_errors(const Table& table, const Anonymized& formed,
                                    const Options& options, Ticker& ticker) {
  const Masked centroids = recode(table, formed.members, measured_by(options.recode), ticker);
  return class_errors(table, formed.members, centroids, formed.scales, ticker);
}

/// The persons who found classes together if these promise something about distributions, which
/// are compared with those of all rows founded on the same night.
///
/// A class of s among n rows is n/(n - s) times as far from the other n - s as from all n. With ten
/// classes' worth of persons the promise allows about 10/9 t to the others; a class founded alone
/// would be at distance 0, whatever its values. The n rows stand for the population that they come
/// from: in the ordered distance the expected error is at most 1/(2 sqrt n), since a cumulative
/// share F has the standard error sqrt(F (1 - F)/n). So 1/t^2 rows are within t/2 of it.
std::int32_t least_together(const Options& options, std::size_t attributes) {
  constexpr std::int32_t kClasses = 10;
  const Promises& promises = options.promises;
  if (find_made(promises, relative_rows) == nullptr) return 0;
  double t = promises.t > 0 ? promises.t : 1;
  for (std::size_t a = 0; promises.t_each != nullptr && a < attributes; ++a)
    t = std::min(t, promises.t_each[a]);
  const double of_population = std::ceil(1 / (t * t));
  return std::max(kClasses * options.k,
                  static_cast<std::int32_t>(
                      std::min(of_population, double{std::numeric_limits<std::int32_t>::max()})));
}

std::vector<bool> classes_without_values(const Table& table, const Members& members) {
  std::vector<bool> without;
  for (const RecordSpan rows : members) without.push_back(!has_value(table, rows));
  return without;
}

std::vector<bool> withheld_until_kept(const Table& table, const Members& members,
                                      const Options& options, std::vector<bool> withheld,
                                      Ticker& ticker) {
  for (bool breaks = true; breaks;) {
    std::vector<std::size_t> numbers;
    const Members shown = chosen_classes(members, withheld, numbers);
    if (numbers.empty()) break;
    const Occurring readers_see(table, shown.records);
    const std::vector<bool> broken =
        broken_classes(readers_see.table(), shown, options, &readers_see.counts(), ticker);
    breaks = false;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (broken[i]) breaks = withheld[numbers[i]] = true;
  }
  return withheld;
}

bool Coins::is_decoy(ClassId c) const {
  return share_of(mix(key + mix(static_cast<std::uint64_t>(c) + 1))) < probability;
}

Anonymized settle(const Table& table, const Method& method, const Options& options,
                  const Waiters& waiters, const Acceptance& acceptance, const Coins& coins,
                  Ticker& ticker) {
  // Checks all who wait. A null that is refused on the night when it is due tells of its person.
  check_sensitive(table, options);
  return Settling(table, method, options, waiters, acceptance, ticker).found(coins);
}

}  // namespace anonkit
