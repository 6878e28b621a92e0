#include "replay_nights.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "occurring.hpp"
#include "released_rows.hpp"
#include "settling.hpp"

namespace anonkit {
namespace {

/// A copy of some rows of a table.
class SomeRows {
 public:
  SomeRows(const Table& table, const Fingerprint* fingerprints, const std::vector<Record>& rows)
      : table_(table) {
    const std::size_t d = table.columns.size();
    table_.rows = static_cast<Record>(rows.size());
    for (const Record row : rows) {
      const double* cells = table.values + at(row) * d;
      values_.insert(values_.end(), cells, cells + d);
      if (fingerprints != nullptr) fingerprints_.push_back(fingerprints[row]);
    }
    table_.values = values_.data();
    table_.fingerprints = fingerprints != nullptr ? fingerprints_.data() : nullptr;
    ranks_.resize(table.sensitive.size());
    for (std::size_t a = 0; a < ranks_.size(); ++a) take_ranks(a, rows);
    leaves_.resize(d);
    for (std::size_t j = 0; j < d; ++j) {
      if (table.columns[j].leaves == nullptr) continue;
      for (const Record row : rows) leaves_[j].push_back(table.columns[j].leaves[row]);
      table_.columns[j].leaves = leaves_[j].data();
    }
  }
  SomeRows(const SomeRows&) = delete;
  SomeRows& operator=(const SomeRows&) = delete;

  const Table& table() const { return table_; }

 private:
  void take_ranks(std::size_t a, const std::vector<Record>& rows) {
    SensitiveColumn& column = table_.sensitive[a];
    for (const Record row : rows) ranks_[a].push_back(column.ranks[row]);
    column.ranks = ranks_[a].data();
    if (column.nulls == 0) return;
    column.nulls = std::count(ranks_[a].begin(), ranks_[a].end(), column.distinct - 1);
    if (column.nulls == 0) --column.distinct;
  }

  Table table_;
  std::vector<double> values_;
  std::vector<Fingerprint> fingerprints_;
  std::vector<std::vector<std::int32_t>> ranks_;
  std::vector<std::vector<std::int32_t>> leaves_;
};

/// All that a night depends on beside the table.
struct NightState {
  std::vector<std::int32_t> founded;  ///< by row: the night in which it found a class, or 0
  std::vector<double> scales;         ///< of the first version
  double first_loss = 0;              ///< per record

  bool operator==(const NightState& other) const {
    return founded == other.founded && scales == other.scales && first_loss == other.first_loss;
  }
};

class Versions final : public ReplayTarget {
 public:
  Versions(const Table& table, const Fingerprint* fingerprints, const Arrivals& arrivals,
           const Method& method, const Options& options, Ticker& ticker)
      : table_(table),
        fingerprints_(fingerprints),
        arrivals_(arrivals),
        method_(method),
        options_(options),
        ticker_(ticker) {
    truth_.founded.assign(at(table.rows), 0);
    std::int32_t last = 1;
    for (const std::int32_t night : arrivals.night) last = std::max(last, night);
    for (std::int32_t night = 1; night <= last; ++night)
      releases_.push_back(released(table, night, truth_, &classes_));
  }

  std::vector<std::vector<Record>> shown_classes() const override { return classes_; }

  /// Versions before the arrival of a row with another value are the true ones. So are those after
  /// the founding of all such rows, if everything else is as in truth by then.
  bool is_released_from(const Table& table) override {
    const std::vector<Record> changed = changed_rows(table);
    const auto arrival = [&](Record row) { return arrivals_.night[at(row)]; };
    const std::int32_t first =
        arrival(*std::min_element(changed.begin(), changed.end(),
                                  [&](Record a, Record b) { return arrival(a) < arrival(b); }));
    NightState state = truth_until(first - 1);
    for (std::int32_t night = first; night <= static_cast<std::int32_t>(releases_.size());
         ++night) {
      const auto release =
          unless({ErrorKind::infeasible}, [&] { return released(table, night, state, nullptr); });
      if (!release || !(*release == releases_[at(night - 1)])) return false;
      const bool all_founded = std::all_of(changed.begin(), changed.end(),
                                           [&](Record row) { return state.founded[at(row)] != 0; });
      if (all_founded && state == truth_until(night)) return true;
    }
    return true;
  }

 private:
  std::vector<Record> changed_rows(const Table& table) const {
    std::vector<Record> changed;
    for (Record row = 0; row < table.rows; ++row) {
      ticker_.step(4);
      for (std::size_t a = 0; a < table.sensitive.size(); ++a) {
        if (table.sensitive[a].ranks[row] == table_.sensitive[a].ranks[row]) continue;
        changed.push_back(row);
        break;
      }
    }
    return changed;
  }

  NightState truth_until(std::int32_t night) const {
    NightState state = truth_;
    if (night == 0) state = {};
    state.founded = truth_.founded;
    for (std::int32_t& founded : state.founded)
      if (founded > night) founded = 0;
    return state;
  }

  std::vector<Record> waiting_rows(const NightState& state, std::int32_t night) const {
    std::vector<Record> waiting;
    for (std::size_t row = 0; row < state.founded.size(); ++row) {
      ticker_.step(4);
      if (arrivals_.night[row] <= night && state.founded[row] == 0)
        waiting.push_back(static_cast<Record>(row));
    }
    return waiting;
  }

  /// The rows founded in a night, as readers see them; nothing if nobody founds a class. Adds the
  /// classes that show values.
  std::optional<ReleasedRows> released(const Table& table, std::int32_t night, NightState& state,
                                       std::vector<std::vector<Record>>* classes) const {
    const std::vector<Record> waiting = waiting_rows(state, night);
    const bool founds =
        night == 1 || ((night - 1) % arrivals_.every == 0 && waiting.size() >= at(options_.k));
    if (!founds) return std::nullopt;
    const SomeRows rows(table, fingerprints_, waiting);
    const std::optional<Anonymized> formed = night == 1
                                                 ? first_version(rows.table(), state)
                                                 : settled(rows.table(), waiting, night, state);
    if (!formed.has_value() || formed->members.records.empty()) return std::nullopt;
    const std::vector<ClassId>& class_of = formed->partition.class_of;
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (class_of[i] != kNone) state.founded[at(waiting[i])] = night;
    if (classes != nullptr) add_classes(*formed, waiting, *classes);
    return ReleasedRows(rows.table(), *formed, ticker_);
  }

  /// A first version in which all values would be withheld is refused.
  std::optional<Anonymized> first_version(const Table& rows, NightState& state) const {
    std::vector<Record> all(at(rows.rows));
    std::iota(all.begin(), all.end(), 0);
    const Occurring occurring(rows, all);
    Anonymized formed =
        options_.transparency.wanted
            ? settle(rows, method_, options_, waiters_of(all, 1),
                     {std::numeric_limits<double>::infinity(), arrivals_.max_wait, true, 0},
                     coins_of(1), ticker_)
            : anonymize(occurring.table(), method_, options_, ticker_);
    const std::vector<bool>& withheld = formed.withheld;
    if (!withheld.empty() && std::find(withheld.begin(), withheld.end(), false) == withheld.end())
      throw Error(ErrorKind::infeasible, "no class keeps the promises on sensitive values",
                  "All sensitive values would be withheld.", "Promise less, or take a larger k.");
    for (const Scale& scale : formed.scales) state.scales.push_back(scale.scale);
    const std::vector<double> errors = founding_errors(rows, formed, options_, ticker_);
    state.first_loss = std::accumulate(errors.begin(), errors.end(), 0.0) /
                       static_cast<double>(formed.members.records.size());
    return formed;
  }

  std::optional<Anonymized> settled(const Table& rows, const std::vector<Record>& waiting,
                                    std::int32_t night, const NightState& state) const {
    Options options = options_;
    options.scales = state.scales.data();
    return unless({ErrorKind::infeasible}, [&] {
      return settle(rows, method_, options, waiters_of(waiting, night),
                    {arrivals_.wait_loss * state.first_loss, arrivals_.max_wait, true,
                     least_together(options_, table_.sensitive.size())},
                    coins_of(night), ticker_);
    });
  }

  Waiters waiters_of(const std::vector<Record>& waiting, std::int32_t night) const {
    Waiters waiters;
    for (const Record row : waiting) {
      waiters.waited.push_back(night == 1 ? 0 : night - arrivals_.night[at(row)]);
      waiters.holders.push_back(static_cast<std::uint64_t>(row));
    }
    waiters.met.assign(waiting.size(), 0);
    return waiters;
  }

  Coins coins_of(std::int32_t night) const {
    return {mix(mix(options_.seed) + static_cast<std::uint64_t>(night)),
            options_.transparency.decoys};
  }

  static void add_classes(const Anonymized& formed, const std::vector<Record>& waiting,
                          std::vector<std::vector<Record>>& classes) {
    for (const RecordSpan members : formed.members) {
      if (formed.withholds(at(*members.begin()))) continue;
      classes.emplace_back();
      for (const Record i : members) classes.back().push_back(waiting[at(i)]);
    }
  }

  const Table& table_;
  const Fingerprint* fingerprints_;
  const Arrivals& arrivals_;
  const Method& method_;
  const Options& options_;
  Ticker& ticker_;
  NightState truth_;
  std::vector<std::optional<ReleasedRows>> releases_;  ///< by night
  std::vector<std::vector<Record>> classes_;
};

}  // namespace

std::vector<ReplayedClass> replay_nights(const Table& table, const Arrivals& arrivals,
                                         const Method& method, const Options& options,
                                         const ReplayOptions& how, Ticker& ticker) {
  Table values = table;
  values.fingerprints = nullptr;
  Versions versions(values, table.fingerprints, arrivals, method, options, ticker);
  return attack(values, versions, how, ticker);
}

std::int64_t replay_nights_bytes(const Table& table) {
  const auto numbers = static_cast<std::int64_t>(2 * table.columns.size() + table.sensitive.size());
  constexpr std::int64_t kBytesOfRow = sizeof(Fingerprint) + 64;
  return replay_bytes(table) + table.rows * (kBytesOfRow + numbers * std::int64_t{sizeof(double)});
}

}  // namespace anonkit
