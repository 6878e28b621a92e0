#include "table/nulls/strata.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/at.hpp"
#include "base/error.hpp"
#include "table/nulls/null_patterns.hpp"

namespace anonkit {

void refuse_nulls(const std::vector<std::string>& columns, const std::vector<std::int64_t>& nulls,
                  const char* hint) {
  std::string detail, last;
  int count = 0;
  for (std::size_t j = 0; j < nulls.size(); ++j) {
    if (nulls[j] == 0) continue;
    ++count;
    last = '"' + columns[j] + '"';
    detail += detail.empty() ? "Number of nulls: " : ", ";
    detail += last;
    detail += ' ';
    detail += std::to_string(nulls[j]);
  }
  if (count == 0) return;
  throw Error(ErrorKind::invalid_data,
              count == 1 ? "quasi-identifier " + last + " contains nulls"
                         : "quasi-identifiers contain nulls",
              detail + ".", hint);
}

namespace {

/// By column; a category is never null.
std::vector<std::int64_t> null_cells(const Table& table) {
  const std::size_t d = table.columns.size();
  std::vector<std::int64_t> nulls(d, 0);
  for (Record i = 0; i < table.rows; ++i)
    for (std::size_t j = 0; j < d; ++j) nulls[j] += is_null(table.value(i, j)) ? 1 : 0;
  return nulls;
}

/// Canonical indices of the records of one null pattern.
using Places = std::vector<Record>;
using PatternPlaces = std::map<NullPattern, Places, FewerNulls>;

PatternPlaces places_by_pattern(const Table& table, const std::vector<Record>& order,
                                Ticker& ticker) {
  const std::size_t d = table.columns.size();
  PatternPlaces places;
  auto last = places.end();
  for (std::size_t at = 0; at < order.size(); ++at) {
    NullPattern pattern = no_nulls(d);
    for (std::size_t j = 0; j < d; ++j)
      if (is_null(table.value(order[at], j))) set_null(pattern, j);
    if (last == places.end() || last->first != pattern) last = places.try_emplace(pattern).first;
    last->second.push_back(static_cast<Record>(at));
    ticker.step(static_cast<std::int64_t>(d) + 50);
  }
  return places;
}

/// Suppresses the cells of small patterns.
class Blanker {
 public:
  Blanker(const Table& table, const std::vector<Record>& order, const std::vector<Scale>& scales,
          Ticker& ticker)
      : table_(table), order_(order), scales_(scales), ticker_(ticker) {}

  void blank(PatternPlaces& places, std::int64_t k, const StratumRule& rule) {
    std::vector<RecordKind> kinds;
    std::vector<Places> alike;
    if (rule.allows) {
      divide(places, rule, kinds, alike);
      follow(plan_kept_blanking(kinds, rule.allows, k, ticker_).blankings, kinds, alike, places);
      return;
    }
    std::vector<PatternCount> counts;
    for (auto& [pattern, list] : places) {
      counts.push_back({pattern, static_cast<std::int64_t>(list.size())});
      kinds.push_back({pattern, {}, list.front(), counts.back().records});
      alike.push_back(std::move(list));
    }
    std::vector<KindBlanking> blankings;
    for (const Blanking& one : plan_blanking(counts, k, ticker_).blankings)
      blankings.push_back({one.from, one.to, one.records});
    follow(blankings, kinds, alike, places);
  }

 private:
  struct Candidate {
    double loss;
    Record place;
    bool operator<(const Candidate& other) const {
      return loss != other.loss ? loss < other.loss : place < other.place;
    }
  };

  /// The kinds in the order of their first records.
  void divide(const PatternPlaces& places, const StratumRule& rule, std::vector<RecordKind>& kinds,
              std::vector<Places>& alike) {
    for (const auto& [pattern, list] : places) {
      std::map<std::vector<std::int32_t>, std::size_t> kind_of;
      for (const Record place : list) {
        std::vector<std::int32_t> codes;
        for (const std::vector<std::int32_t>& of_attribute : rule.codes)
          codes.push_back(of_attribute[at(place)]);
        const auto [kind, is_new] = kind_of.try_emplace(codes, kinds.size());
        if (is_new) {
          kinds.push_back({pattern, codes, place, 0});
          alike.emplace_back();
        }
        ++kinds[kind->second].records;
        alike[kind->second].push_back(place);
        ticker_.step(100);
      }
    }
  }

  /// Suppresses the cells of the plan, and collects the records of each pattern.
  void follow(const std::vector<KindBlanking>& blankings, const std::vector<RecordKind>& kinds,
              std::vector<Places>& alike, PatternPlaces& places) {
    places.clear();
    const auto add = [&](const NullPattern& pattern, const Places& list) {
      Places& to = places[pattern];
      to.insert(to.end(), list.begin(), list.end());
    };
    if (!blankings.empty())
      for (std::size_t j = 0; j < table_.columns.size(); ++j) means_.push_back(mean_of(j));
    for (const KindBlanking& one : blankings)
      add(one.to,
          take(alike[one.kind], at(one.records), blanked_columns(kinds[one.kind].pattern, one.to)));
    for (std::size_t g = 0; g < kinds.size(); ++g)
      if (!alike[g].empty()) add(kinds[g].pattern, alike[g]);
  }

  std::vector<std::size_t> blanked_columns(const NullPattern& from, const NullPattern& to) const {
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < table_.columns.size(); ++j)
      if (has_null(to, j) && !has_null(from, j)) columns.push_back(j);
    return columns;
  }

  /// Removes and returns the records that lose least if the columns are suppressed.
  Places take(Places& list, std::size_t records, const std::vector<std::size_t>& columns) {
    std::vector<Candidate> candidates;
    candidates.reserve(list.size());
    for (const Record place : list)
      candidates.push_back({loss_of(order_[static_cast<std::size_t>(place)], columns), place});
    ticker_.step(static_cast<std::int64_t>(list.size() * (columns.size() + 20)));
    const auto cut = candidates.begin() + static_cast<std::ptrdiff_t>(records);
    std::nth_element(candidates.begin(), cut, candidates.end());

    Places taken;
    for (auto at = candidates.begin(); at != cut; ++at) taken.push_back(at->place);
    list.clear();
    for (auto at = cut; at != candidates.end(); ++at) list.push_back(at->place);
    return taken;
  }

  /// The loss's estimate of a suppressed cell.
  double mean_of(std::size_t j) {
    std::int64_t count = 0;
    for (const Record i : order_) count += is_null(table_.value(i, j)) ? 0 : 1;
    double mean = 0;
    for (const Record i : order_) {
      const double x = table_.value(i, j);
      if (!is_null(x)) mean += x / static_cast<double>(count);  // a sum that cannot overflow
    }
    ticker_.step(static_cast<std::int64_t>(order_.size()));
    return mean;
  }

  double loss_of(Record i, const std::vector<std::size_t>& columns) const {
    double loss = 0;
    for (const std::size_t j : columns) {
      if (!(scales_[j].scale > 0)) continue;
      const double away = (table_.value(i, j) - means_[j]) / scales_[j].scale;
      loss += table_.columns[j].attribute.weight * away * away;
    }
    return loss;
  }

  const Table& table_;
  const std::vector<Record>& order_;
  const std::vector<Scale>& scales_;
  Ticker& ticker_;
  std::vector<double> means_;  ///< by column
};

Stratum stratum_of(const Table& table, const std::vector<Record>& order, const NullPattern& pattern,
                   Places places) {
  Stratum stratum;
  std::sort(places.begin(), places.end());
  for (const Record place : places) stratum.rows.push_back(order[static_cast<std::size_t>(place)]);
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (!has_null(pattern, j)) stratum.columns.push_back(j);
  return stratum;
}

}  // namespace

void refuse_nulls(const Table& table, const char* hint) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  refuse_nulls(names, null_cells(table), hint);
}

Stratum whole_stratum(const Table& table, const std::vector<Record>& order) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return {order, std::move(columns)};
}

bool has_null_numbers(const Table& table) {
  const std::int64_t cells =
      std::int64_t{table.rows} * static_cast<std::int64_t>(table.columns.size());
  return std::any_of(table.values, table.values + cells, is_null);
}

std::vector<Stratum> strata_of(const Table& table, const std::vector<Record>& order,
                               const std::vector<Scale>& scales, const Options& options,
                               Ticker& ticker, const StratumRule& rule) {
  if (options.nulls == Nulls::error)
    refuse_nulls(table, "Use nulls => 'stratify', or select from a view without them.");

  PatternPlaces places = places_by_pattern(table, order, ticker);
  Blanker(table, order, scales, ticker).blank(places, options.k, rule);
  std::vector<Stratum> strata;
  for (auto& [pattern, list] : places)
    if (!list.empty()) strata.push_back(stratum_of(table, order, pattern, std::move(list)));
  return strata;
}

}  // namespace anonkit
