#include "replay.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "released_rows.hpp"
#include "suppression.hpp"

namespace anonkit {
namespace {

/// The sensitive values of a record, one rank per column.
using Values = std::vector<std::int32_t>;
/// An assignment of values to the persons of a class, in the order of its rows.
using Arrangement = std::vector<Values>;

/// The table with a copy of its sensitive values, which can be rearranged.
class Rearranged {
 public:
  explicit Rearranged(const Table& table) : table_(table) {
    for (std::size_t a = 0; a < table.sensitive.size(); ++a) {
      const std::int32_t* ranks = table.sensitive[a].ranks;
      ranks_.emplace_back(ranks, ranks + table.rows);
    }
    for (std::size_t a = 0; a < ranks_.size(); ++a) table_.sensitive[a].ranks = ranks_[a].data();
    if (table.fingerprints == nullptr) return;
    fingerprints_.assign(table.fingerprints, table.fingerprints + table.rows);
    table_.fingerprints = fingerprints_.data();
    for (Record i = 0; i < table.rows; ++i)
      fingerprint_of_.emplace(values_of(i), table.fingerprints[i]);
  }

  const Table& table() const { return table_; }

  Arrangement of(const std::vector<Record>& rows) const {
    Arrangement arrangement;
    for (const Record i : rows) arrangement.push_back(values_of(i));
    return arrangement;
  }

  void arrange(const std::vector<Record>& rows, const Arrangement& arrangement) {
    for (std::size_t person = 0; person < rows.size(); ++person) {
      const std::size_t row = at(rows[person]);
      for (std::size_t a = 0; a < ranks_.size(); ++a) ranks_[a][row] = arrangement[person][a];
      if (!fingerprints_.empty())
        fingerprints_[row] = fingerprint_of_.find(arrangement[person])->second;
    }
  }

 private:
  Values values_of(Record i) const {
    Values values;
    for (const auto& ranks : ranks_) values.push_back(ranks[at(i)]);
    return values;
  }

  Table table_;
  std::vector<std::vector<std::int32_t>> ranks_;
  // Fingerprints cover the sensitive values, the only other columns kept.
  std::vector<Fingerprint> fingerprints_;
  std::map<Values, Fingerprint> fingerprint_of_;
};

/// The true arrangement first, then others: all of them in ascending order if there are at most
/// `most`, else distinct random ones.
std::vector<Arrangement> arrangements_of(const Arrangement& truth, int most, Random& random,
                                         Ticker& ticker) {
  const std::int64_t work = 50 * static_cast<std::int64_t>(truth.size());
  std::vector<Arrangement> all;
  Arrangement next = truth;
  std::sort(next.begin(), next.end());
  do {
    ticker.step(work);
    all.push_back(next);
  } while (static_cast<int>(all.size()) <= most && std::next_permutation(next.begin(), next.end()));
  if (static_cast<int>(all.size()) <= most) {
    std::iter_swap(all.begin(), std::find(all.begin(), all.end(), truth));
    return all;
  }
  std::set<Arrangement> drawn = {truth};
  while (static_cast<int>(drawn.size()) < most) {
    ticker.step(work);
    shuffle(next, random);
    drawn.insert(next);
  }
  drawn.erase(truth);
  all.assign(1, truth);
  all.insert(all.end(), drawn.begin(), drawn.end());
  return all;
}

/// The knowledge about the class's persons from the frequencies of its values.
void measure_before(const Arrangement& truth, ReplayedClass& attacked) {
  std::map<Values, std::int64_t> frequency;
  for (const Values& own : truth) ++frequency[own];
  for (const Values& own : truth) {
    const std::int64_t alike = frequency[own];
    attacked.belief_before += static_cast<double>(alike);
    if (alike < attacked.size) ++attacked.undetermined_before;
  }
  attacked.belief_before /= static_cast<double>(attacked.size) * attacked.size;
}

/// How many different arrangements of these values there are.
double arrangements_in_all(Arrangement values) {
  std::sort(values.begin(), values.end());
  double number = 1, alike = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    alike = i > 0 && values[i] == values[i - 1] ? alike + 1 : 1;
    number *= static_cast<double>(i + 1) / alike;
  }
  return number;
}

/// Refuses more arrangements than memory has room for: those that are tried, and those kept.
void require_memory(const Arrangement& truth, const ReplayOptions& how) {
  constexpr double kBytesOfPerson = sizeof(Values) + 16, kBytesOfValue = sizeof(std::int32_t);
  const double of_one = static_cast<double>(truth.size()) *
                        (kBytesOfPerson + kBytesOfValue * static_cast<double>(truth[0].size()));
  const double tried = std::min<double>(how.arrangements, arrangements_in_all(truth));
  if (2 * tried * of_one <= static_cast<double>(how.most_bytes)) return;
  throw Error(ErrorKind::out_of_memory, "the arrangements of a class need too much memory", {},
              "Try fewer arrangements, or raise anonkit.max_memory.");
}

/// The knowledge from the consistent arrangements, the truth and some of the others that were
/// tried. Where those are a sample, each stands for many; the truth stands for itself.
void measure_after(const Arrangement& truth, const std::vector<Arrangement>& others,
                   ReplayedClass& attacked, Ticker& ticker) {
  const double all = arrangements_in_all(truth);
  const double weight = all > 1 ? (attacked.tried - 1) / (all - 1) : 1;
  for (std::size_t person = 0; person < truth.size(); ++person) {
    ticker.step(8 * static_cast<std::int64_t>(others.size()));
    const auto right = std::count_if(
        others.begin(), others.end(),
        [&](const Arrangement& arrangement) { return arrangement[person] == truth[person]; });
    attacked.belief_after += weight + static_cast<double>(right);
    if (right == static_cast<std::ptrdiff_t>(others.size())) ++attacked.determined;
  }
  attacked.belief_after /= (weight + static_cast<double>(others.size())) * attacked.size;
  // The replay determines only persons that were undetermined before.
  attacked.determined -= attacked.size - attacked.undetermined_before;
}

class Attack {
 public:
  Attack(const Table& table, ReplayTarget& target, const ReplayOptions& how, Ticker& ticker)
      : guess_(table), target_(target), how_(how), random_(how.seed), ticker_(ticker) {}

  std::vector<ReplayedClass> run() {
    std::vector<std::vector<Record>> classes = target_.shown_classes();
    classes.erase(std::remove_if(classes.begin(), classes.end(),
                                 [&](const std::vector<Record>& rows) { return !is_open(rows); }),
                  classes.end());
    shuffle(classes, random_);
    classes.resize(std::min(classes.size(), at(how_.classes)));
    std::vector<ReplayedClass> replayed;
    for (const std::vector<Record>& rows : classes) replayed.push_back(run(rows));
    return replayed;
  }

 private:
  ReplayedClass run(const std::vector<Record>& rows) {
    const Arrangement truth = guess_.of(rows);
    ReplayedClass attacked;
    attacked.first = rows.front();
    attacked.size = static_cast<Record>(rows.size());
    measure_before(truth, attacked);
    require_memory(truth, how_);
    std::vector<Arrangement> others;
    const std::vector<Arrangement> all =
        arrangements_of(truth, how_.arrangements, random_, ticker_);
    for (std::size_t i = 1; i < all.size(); ++i) {
      guess_.arrange(rows, all[i]);
      if (target_.is_released_from(guess_.table())) others.push_back(all[i]);
    }
    guess_.arrange(rows, truth);
    attacked.tried = static_cast<int>(all.size());
    attacked.consistent = 1 + static_cast<int>(others.size());
    measure_after(truth, others, attacked, ticker_);
    return attacked;
  }

  /// True if the class has several sensitive values.
  bool is_open(const std::vector<Record>& rows) const {
    const Arrangement values = guess_.of(rows);
    return !values.empty() && std::any_of(values.begin(), values.end(), [&](const Values& other) {
      return other != values.front();
    });
  }

  Rearranged guess_;
  ReplayTarget& target_;
  const ReplayOptions& how_;
  Random random_;
  Ticker& ticker_;
};

/// A release of the whole table.
class SingleRelease final : public ReplayTarget {
 public:
  SingleRelease(const Table& table, const Method& method, const Options& options, Ticker& ticker)
      : method_(method),
        options_(options),
        ticker_(ticker),
        anonymized_(anonymize_within_budget(table, method, options, ticker)),
        release_(table, anonymized_, ticker) {}

  std::vector<std::vector<Record>> shown_classes() const override {
    std::vector<std::vector<Record>> classes(at(anonymized_.partition.classes));
    for (const Record row : anonymized_.order) {
      const ClassId c = anonymized_.partition.class_of[at(row)];
      if (c != kNone && !anonymized_.withholds(at(row))) classes[at(c)].push_back(row);
    }
    return classes;
  }

  bool is_released_from(const Table& table) override {
    return leads_to(release_, table, method_, options_, ticker_);
  }

 private:
  const Method& method_;
  const Options& options_;
  Ticker& ticker_;
  Anonymized anonymized_;
  ReleasedRows release_;
};

}  // namespace

std::vector<ReplayedClass> attack(const Table& table, ReplayTarget& target,
                                  const ReplayOptions& how, Ticker& ticker) {
  return Attack(table, target, how, ticker).run();
}

std::vector<ReplayedClass> replay(const Table& table, const Method& method, const Options& options,
                                  const ReplayOptions& how, Ticker& ticker) {
  SingleRelease release(table, method, options, ticker);
  return attack(table, release, how, ticker);
}

std::int64_t replay_bytes(const Table& table) {
  // Rearranged has a copy of the ranks and fingerprints.
  constexpr std::int64_t kReleases = 2;
  const std::int64_t of_copy =
      static_cast<std::int64_t>(table.sensitive.size() * sizeof(std::int32_t)) +
      (table.fingerprints != nullptr ? 2 * std::int64_t{sizeof(Fingerprint)} : 0);
  return kReleases * released_bytes(table) + table.rows * of_copy;
}

}  // namespace anonkit
