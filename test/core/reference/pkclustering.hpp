#pragma once

// Plain EnhancedPKClustering and GreedyPKClustering, straight from the pseudo-code (Truta, Campan,
// Meyer 2007, section 3.2; Campan, Truta, Miller, Sinca 2007). Each step recomputes everything from
// the records of a cluster. Ties: the first cluster, then the first record.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"
#include "table/table.hpp"

namespace anonkit {

class ReferencePk {
 public:
  using Records = std::vector<Record>;
  using Clusters = std::vector<Records>;

  ReferencePk(const Table& table, const std::vector<Record>& rows,
              const std::vector<SensitiveAttribute>& sensitive, int k, int p,
              std::vector<double> weights = {})
      : table_(table), rows_(rows), k_(static_cast<std::size_t>(k)), p_(p), w_(std::move(weights)) {
    w_.resize(sensitive.size(), 1);
    for (const SensitiveAttribute& attribute : sensitive) {
      s_.push_back(attribute.ranks);
      if (!attribute.lifted.empty())
        for (std::int32_t& code : s_.back()) code = attribute.lifted[at(code)];
    }
  }

  /// Definition 9, without |cl|.
  double loss(const Records& cl) const {
    double sum = 0;
    for (std::size_t j = 0; !cl.empty() && j < table_.columns.size(); ++j) {
      const Column& column = table_.columns[j];
      if (column.hierarchy == nullptr && column.attribute.kind != Kind::nominal)
        sum += range(cl, j) == 0 ? 0 : range(cl, j) / range(everybody(), j);
      else
        sum += height(cl, j);
    }
    return sum;
  }
  double il(const Records& cl) const { return static_cast<double>(cl.size()) * loss(cl); }

  /// Definition 11.
  double div(Record x, const Records& cl) const {
    double sum = 0;
    for (std::size_t i = 0; i < s_.size(); ++i)
      sum += (y(with(cl, x), i) - y(cl, i)) * (p_ - y(cl, i)) * w_[i];
    return sum;
  }
  /// Definition 12.
  double hom(const Records& cl) const {
    double sum = 0;
    for (std::size_t i = 0; i < s_.size(); ++i) sum += (p_ - y(cl, i)) * w_[i];
    return sum;
  }

  /// Condition 2 for one attribute.
  int max_clusters(std::size_t i) const {
    int least = std::numeric_limits<int>::max();
    for (int x = 1; x <= p_; ++x) least = std::min(least, (n() - cf(i, p_ - x)) / x);
    return least;
  }

  Clusters enhanced() const {
    std::size_t hardest = 0;
    for (std::size_t i = 1; i < s_.size(); ++i)
      if (max_clusters(i) < max_clusters(hardest)) hardest = i;
    const int most = max_clusters(hardest);
    int i_value = 1;
    while ((n() - cf(hardest, p_ - i_value)) / i_value != most) ++i_value;
    const Clusters sec = classes(hardest);
    Clusters s(at(most));
    Records t = split(sec, i_value, s);
    for (int j = p_ - i_value; j >= 1; --j) {
      Records aux_sec = sec[at(j - 1)];
      std::vector<std::size_t> aux_s(s.size());
      for (std::size_t c = 0; c < s.size(); ++c) aux_s[c] = c;
      while (!aux_s.empty() && !aux_sec.empty()) {
        const auto [tuple, cl] = best_match(aux_sec, s, aux_s);
        s[cl].push_back(tuple);
        remove(aux_sec, tuple);
        aux_s.erase(std::find(aux_s.begin(), aux_s.end(), cl));
      }
      t.insert(t.end(), aux_sec.begin(), aux_sec.end());
    }
    std::stable_sort(s.begin(), s.end(),
                     [&](const Records& a, const Records& b) { return hom(a) < hom(b); });
    std::size_t h = 0;
    while (h < s.size()) {
      if (hom(s[h]) == 0) {
        ++h;
        continue;
      }
      std::sort(t.begin(), t.end());
      std::optional<Record> tuple;
      if (!t.empty()) tuple = best_match(t, s, {h}).first;
      if (tuple && div(*tuple, s[h]) > 0) {
        s[h].push_back(*tuple);
        remove(t, *tuple);
      } else {
        t.insert(t.end(), s.back().begin(), s.back().end());
        s.pop_back();
      }
    }
    return reach_k(std::move(s), std::move(t));
  }

  Clusters greedy() const {
    Records left = everybody();
    Clusters s;
    Record seed = 0;
    while (left.size() >= k_) {
      Record farthest = left.front();
      for (const Record r : left)
        if (loss({seed, r}) > loss({seed, farthest})) farthest = r;
      seed = farthest;
      Records cl = {seed};
      remove(left, seed);
      while (!left.empty() && (hom(cl) > 0 || cl.size() < k_)) {
        const Record r = best_match(left, {cl}, {0}).first;
        if (hom(cl) > 0 && div(r, cl) == 0) break;
        cl.push_back(r);
        remove(left, r);
      }
      if (hom(cl) > 0 || cl.size() < k_) {
        left.insert(left.end(), cl.begin(), cl.end());
        break;
      }
      s.push_back(cl);
    }
    disperse(left, s);
    return s;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int n() const { return static_cast<int>(rows_.size()); }
  Records everybody() const {
    Records all;
    for (Record i = 0; i < n(); ++i) all.push_back(i);
    return all;
  }
  static Records with(Records cl, Record x) {
    cl.push_back(x);
    return cl;
  }
  static void remove(Records& records, Record x) {
    records.erase(std::find(records.begin(), records.end(), x));
  }
  int y(const Records& cl, std::size_t i) const {
    std::set<std::int32_t> values;
    for (const Record x : cl) values.insert(s_[i][at(x)]);
    return std::min(static_cast<int>(values.size()), p_);
  }

  double range(const Records& cl, std::size_t j) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Record x : cl) {
      low = std::min(low, table_.value(rows_[at(x)], j));
      high = std::max(high, table_.value(rows_[at(x)], j));
    }
    return high - low;
  }

  /// The height of the lowest common ancestor over that of the hierarchy.
  double height(const Records& cl, std::size_t j) const {
    const Column& column = table_.columns[j];
    if (column.hierarchy == nullptr) {
      const double first = table_.value(rows_[at(cl.front())], j);
      return std::all_of(cl.begin(), cl.end(),
                         [&](Record x) { return table_.value(rows_[at(x)], j) == first; })
                 ? 0
                 : 1;
    }
    int level = 0;
    const auto one_group = [&] {
      std::set<std::int32_t> groups;
      for (const Record x : cl)
        groups.insert(column.hierarchy->group(level, column.leaves[rows_[at(x)]]));
      return groups.size() == 1;
    };
    while (!one_group()) ++level;
    return static_cast<double>(level) / column.hierarchy->height();
  }

  /// SEC in descending order of size, ties to the lower value.
  Clusters classes(std::size_t i) const {
    std::map<std::int32_t, Records> by_value;
    for (const Record x : everybody()) by_value[s_[i][at(x)]].push_back(x);
    Clusters sec;
    for (const auto& entry : by_value) sec.push_back(entry.second);
    std::stable_sort(sec.begin(), sec.end(),
                     [](const Records& a, const Records& b) { return a.size() > b.size(); });
    return sec;
  }
  int cf(std::size_t i, int values) const {
    const Clusters sec = classes(i);
    int sum = 0;
    for (int v = 0; v < values; ++v) sum += static_cast<int>(sec[at(v)].size());
    return sum;
  }

  std::pair<Record, std::size_t> best_match(const Records& aux_sec, const Clusters& s,
                                            const std::vector<std::size_t>& aux_s) const {
    std::pair<Record, std::size_t> best{-1, 0};
    double most = 0, least = 0;
    for (const std::size_t c : aux_s) {
      for (const Record t : aux_sec) {
        const double d = div(t, s[c]), more = il(with(s[c], t)) - il(s[c]);
        if (best.first >= 0 && (d < most || (d == most && more >= least))) continue;
        best = {t, c};
        most = d;
        least = more;
      }
    }
    return best;
  }

  /// Returns E.
  Records split(const Clusters& sec, int i_value, Clusters& s) const {
    Records e;
    std::size_t i = 0;
    for (int j = static_cast<int>(sec.size()); j >= p_ - i_value + 1; --j) {
      Records aux_sec = sec[at(j - 1)];
      while (!aux_sec.empty()) {
        if (s[i].size() == at(i_value)) {
          e.insert(e.end(), aux_sec.begin(), aux_sec.end());
          break;
        }
        const Record t = best_match(aux_sec, s, {i}).first;
        remove(aux_sec, t);
        s[i].push_back(t);
        i = (i + 1) % s.size();
      }
    }
    return e;
  }

  Clusters reach_k(Clusters s, Records t) const {
    std::stable_sort(s.begin(), s.end(),
                     [](const Records& a, const Records& b) { return a.size() > b.size(); });
    std::size_t u = 0, rest = t.size();
    for (const Records& cl : s) {
      if (cl.size() >= k_)
        ++u;
      else
        rest += cl.size();
    }
    const std::size_t v = std::min(s.size(), u + rest / k_);
    for (std::size_t c = v; c < s.size(); ++c) t.insert(t.end(), s[c].begin(), s[c].end());
    s.resize(v);
    std::sort(t.begin(), t.end());
    for (Records& cl : s) {
      while (cl.size() < k_) {
        Record best = t.front();
        for (const Record x : t)
          if (il(with(cl, x)) < il(with(cl, best))) best = x;
        cl.push_back(best);
        remove(t, best);
      }
    }
    disperse(t, s);
    return s;
  }

  void disperse(Records t, Clusters& s) const {
    std::sort(t.begin(), t.end());
    for (const Record x : t) {
      std::size_t best = 0;
      const auto more = [&](std::size_t c) { return il(with(s[c], x)) - il(s[c]); };
      for (std::size_t c = 1; c < s.size(); ++c)
        if (more(c) < more(best)) best = c;
      s[best].push_back(x);
    }
  }

  const Table& table_;
  const std::vector<Record>& rows_;
  std::size_t k_;
  int p_;
  std::vector<double> w_;
  std::vector<std::vector<std::int32_t>> s_;
};

}  // namespace anonkit
