// The judge of releases over time: the knowledge of an attacker who keeps all versions. It shares
// no code with the extension, and does not know how a release was made.
//
//   judge --k 5 [--l 3] [--alpha 0.34] [--no-means] [--units] < versions.tsv
//
// A line is a published row of tab-separated fields: version, person, class (the published cells as
// one text), value (the kept columns), and exact quasi-identifiers. These are empty if the person
// is absent. Without the person, which links rows to people, only the first half would be possible.
// With --units a person is 'holder/row': several rows belong to one holder, k counts holders, and
// equal quasi-identifiers of a holder are one unknown.
//
// Public half, on the versions alone: the rows that appeared, disappeared or stayed between any two
// versions are k-anonymous and satisfy the models.
//
// Secret half. A place is a person with one value. A statement is a class of a version: it says
// that these places have these values in some order.
//   histories   places with equal (version, class) histories; fewer than k are too few
//   candidates  a value stays possible for a place if some order allows it: an edge of a perfect
//               matching or on an alternating cycle, until a fixpoint; fewer than l are too few.
//               Repeated with 1, 5 and 20 % of the values known: the others must not become
//               clearer than by each place's first statement alone
//   means       each published mean is a linear equation of quasi-identifiers; Gaussian elimination
//               modulo a prime; a solved unknown is a failure
//
// The last line is SAFE, or NOT SAFE with the reason; the exit status agrees.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "equations.hpp"

namespace {

struct Promises {
  int k = 2;
  int l = 1;
  double alpha = 1;
  bool means = true;
  bool units = false;
};

struct Row {
  int version;
  std::string person, cells, value;
  std::vector<std::string> quasi;
};

/// A class of a version, by the numbers of its places.
using Statement = std::vector<int>;

/// The input, with places and values by number.
struct Versions {
  std::vector<Row> rows;
  std::vector<int> place_of;                              ///< by row
  std::vector<std::string> values;                        ///< by number
  std::vector<int> value_of;                              ///< by place
  std::vector<std::string> holder_of;                     ///< by place
  std::vector<std::vector<std::pair<int, int>>> history;  ///< by place
  std::vector<Statement> statements;                      ///< distinct
  std::vector<int> statement_row;                         ///< by statement: its first row
};

struct Verdict {
  std::vector<std::string> reasons;

  void require(bool kept, const std::string& reason) {
    if (!kept) reasons.push_back(reason);
  }
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// The person of a row. With units it is the text before the stroke.
std::string holder(const std::string& person, bool units) {
  return units ? person.substr(0, person.find('/')) : person;
}

Versions read_versions(std::istream& in, bool units) {
  Versions all;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields = split(line);
    if (fields.size() < 4) continue;
    all.rows.push_back({std::atoi(fields[0].c_str()),
                        fields[1],
                        fields[2],
                        fields[3],
                        {fields.begin() + 4, fields.end()}});
  }
  std::stable_sort(all.rows.begin(), all.rows.end(),
                   [](const Row& a, const Row& b) { return a.version < b.version; });
  std::map<std::pair<std::string, std::string>, int> places;
  std::map<std::string, int> values;
  for (const Row& row : all.rows) {
    const auto value = values.emplace(row.value, static_cast<int>(values.size()));
    if (value.second) all.values.push_back(row.value);
    const auto place =
        places.emplace(std::make_pair(row.person, row.value), static_cast<int>(places.size()));
    if (place.second) {
      all.value_of.push_back(value.first->second);
      all.holder_of.push_back(holder(row.person, units));
    }
    all.place_of.push_back(place.first->second);
  }
  return all;
}

/// Fills the statements and the histories.
void link(Versions& all) {
  std::map<std::pair<int, std::string>, Statement> classes;
  std::map<std::pair<int, std::string>, int> first_row;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const std::pair<int, std::string> key(all.rows[i].version, all.rows[i].cells);
    classes[key].push_back(all.place_of[i]);
    first_row.emplace(key, static_cast<int>(i));
  }
  all.history.resize(all.value_of.size());
  std::set<Statement> seen;
  int number = 0;
  for (auto& [key, members] : classes) {
    std::sort(members.begin(), members.end());
    for (const int place : members)
      all.history[static_cast<std::size_t>(place)].push_back({key.first, number});
    ++number;
    if (!seen.insert(members).second) continue;
    all.statements.push_back(members);
    all.statement_row.push_back(first_row[key]);
  }
}

// ---- public half --------------------------------------------------------------------------------

using Counts = std::map<std::string, std::map<std::string, int>>;  ///< class -> value -> rows

std::map<int, Counts> counts_of(const Versions& all) {
  std::map<int, Counts> versions;
  for (const Row& row : all.rows) ++versions[row.version][row.cells][row.value];
  return versions;
}

bool keeps(const std::map<std::string, int>& group, const Promises& promises) {
  int size = 0, largest = 0, distinct = 0;
  for (const auto& [value, count] : group) {
    size += count;
    largest = std::max(largest, count);
    distinct += count > 0 ? 1 : 0;
  }
  return size == 0 ||
         (size >= promises.k && distinct >= promises.l && largest <= promises.alpha * size + 1e-9);
}

/// The number of groups of rows that appeared (1), disappeared (-1) or stayed (0) and break a
/// promise.
int broken(const Counts& a, const Counts& b, int which, const Promises& promises) {
  int groups = 0;
  const Counts& from = which < 0 ? a : b;
  const Counts& other = which < 0 ? b : a;
  for (const auto& [cells, values] : from) {
    std::map<std::string, int> group;
    const auto beside = other.find(cells);
    for (const auto& [value, count] : values) {
      int there = 0;
      if (beside != other.end()) {
        const auto found = beside->second.find(value);
        if (found != beside->second.end()) there = found->second;
      }
      group[value] = which == 0 ? std::min(count, there) : std::max(0, count - there);
    }
    groups += keeps(group, promises) ? 0 : 1;
  }
  return groups;
}

void judge_public(const Versions& all, const Promises& promises, Verdict& verdict) {
  const auto versions = counts_of(all);
  int groups = 0, own = 0;
  for (auto a = versions.begin(); a != versions.end(); ++a) {
    for (const auto& [cells, values] : a->second) own += keeps(values, promises) ? 0 : 1;
    for (auto b = std::next(a); b != versions.end(); ++b)
      for (const int which : {-1, 0, 1}) groups += broken(a->second, b->second, which, promises);
  }
  std::cout << "public: " << versions.size() << " versions, " << own
            << " classes that break a promise, " << groups
            << " groups between two versions that do\n";
  verdict.require(own == 0, "a version breaks its promise");
  verdict.require(groups == 0, "what changed between two versions breaks the promise");
}

// ---- secret half --------------------------------------------------------------------------------

void judge_histories(const Versions& all, const Promises& promises, Verdict& verdict) {
  std::map<std::vector<std::pair<int, int>>, std::vector<std::string>> same;
  for (std::size_t place = 0; place < all.history.size(); ++place)
    same[all.history[place]].push_back(all.holder_of[place]);
  int few = 0;
  for (const auto& [history, holders] : same) {
    const std::set<std::string> persons(holders.begin(), holders.end());
    if (static_cast<int>(persons.size()) < promises.k) few += static_cast<int>(holders.size());
  }
  std::cout << "histories: " << few << " of " << all.history.size() << " places with fewer than "
            << promises.k << "\n";
  verdict.require(few == 0, "histories of fewer than k");
}

/// The possible values of each place, and the statements about it.
class Candidates {
 public:
  Candidates(const Versions& all, const std::vector<Statement>& statements)
      : all_(all),
        statements_(statements),
        possible_(all.value_of.size()),
        about_(all.value_of.size()) {
    for (std::size_t s = 0; s < statements.size(); ++s) {
      std::set<int> values;
      for (const int place : statements[s]) values.insert(value(place));
      for (const int place : statements[s]) {
        about_[at(place)].push_back(s);
        restrict_to(place, values);
      }
    }
  }

  void know(int place) { possible_[at(place)] = {value(place)}; }

  /// Runs to a fixpoint.
  void propagate() {
    std::vector<char> queued(statements_.size(), 1);
    std::vector<std::size_t> queue(statements_.size());
    for (std::size_t s = 0; s < queue.size(); ++s) queue[s] = s;
    while (!queue.empty()) {
      const std::size_t s = queue.back();
      queue.pop_back();
      queued[s] = 0;
      for (const int changed : look_at(statements_[s]))
        for (const std::size_t other : about_[at(changed)])
          if (!queued[other]) {
            queued[other] = 1;
            queue.push_back(other);
          }
    }
  }

  std::size_t left(int place) const { return possible_[at(place)].size(); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int value(int place) const { return all_.value_of[at(place)]; }

  void restrict_to(int place, const std::set<int>& values) {
    std::set<int>& possible = possible_[at(place)];
    if (about_[at(place)].size() == 1) {
      possible = values;
      return;
    }
    std::set<int> both;
    std::set_intersection(possible.begin(), possible.end(), values.begin(), values.end(),
                          std::inserter(both, both.begin()));
    possible = both;
  }

  /// The truth is a perfect matching. A place of value v may have w if values can pass from w back
  /// to v, each to a place that may have it. Returns the places that lost a candidate.
  std::vector<int> look_at(const Statement& members) {
    std::map<int, std::set<int>> next;
    for (const int place : members)
      for (const int w : possible_[at(place)]) next[value(place)].insert(w);
    std::map<int, std::set<int>> reach;
    for (const auto& [v, direct] : next) {
      std::vector<int> stack(direct.begin(), direct.end());
      std::set<int>& reached = reach[v];
      while (!stack.empty()) {
        const int w = stack.back();
        stack.pop_back();
        if (!reached.insert(w).second) continue;
        const auto further = next.find(w);
        if (further != next.end())
          stack.insert(stack.end(), further->second.begin(), further->second.end());
      }
    }
    std::vector<int> changed;
    for (const int place : members) {
      std::set<int> kept;
      for (const int w : possible_[at(place)])
        if (w == value(place) || (reach.count(w) != 0 && reach[w].count(value(place)) != 0))
          kept.insert(w);
      if (kept.size() == possible_[at(place)].size()) continue;
      possible_[at(place)] = kept;
      changed.push_back(place);
    }
    return changed;
  }

  const Versions& all_;
  const std::vector<Statement>& statements_;
  std::vector<std::set<int>> possible_;
  std::vector<std::vector<std::size_t>> about_;
};

/// A reproducible number that looks random.
std::uint64_t scattered(std::uint64_t i) {
  i = (i + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

/// Places with a certain value, in per cent of those unknown before.
double learned(const Versions& all, const std::vector<Statement>& statements, int known_percent) {
  Candidates candidates(all, statements);
  const auto places = static_cast<int>(all.value_of.size());
  const auto known = [&](int place) {
    return static_cast<int>(scattered(static_cast<std::uint64_t>(place)) % 100) < known_percent;
  };
  for (int place = 0; place < places; ++place)
    if (known(place)) candidates.know(place);
  candidates.propagate();
  int certain = 0, others = 0;
  for (int place = 0; place < places; ++place) {
    if (known(place)) continue;
    ++others;
    certain += candidates.left(place) == 1 ? 1 : 0;
  }
  return others == 0 ? 0 : 100.0 * certain / others;
}

/// The statements that are the first about one of their places.
std::vector<Statement> first_statements(const Versions& all) {
  std::vector<char> seen(all.value_of.size(), 0);
  std::vector<Statement> first;
  for (const Statement& statement : all.statements) {
    bool fresh = false;
    for (const int place : statement) {
      fresh = fresh || !seen[static_cast<std::size_t>(place)];
      seen[static_cast<std::size_t>(place)] = 1;
    }
    if (fresh) first.push_back(statement);
  }
  return first;
}

void judge_candidates(const Versions& all, const Promises& promises, Verdict& verdict) {
  Candidates candidates(all, all.statements);
  candidates.propagate();
  int few = 0, certain = 0;
  for (int place = 0; place < static_cast<int>(all.value_of.size()); ++place) {
    few += candidates.left(place) < static_cast<std::size_t>(promises.l) ? 1 : 0;
    certain += candidates.left(place) == 1 ? 1 : 0;
  }
  std::cout << "candidates: " << certain << " of " << all.value_of.size() << " values certain, "
            << few << " places with fewer than " << promises.l << " candidates\n";
  verdict.require(few == 0, "fewer than l candidates");
  const std::vector<Statement> first = first_statements(all);
  for (const int percent : {1, 5, 20}) {
    const double of_all = learned(all, all.statements, percent);
    const double of_one = learned(all, first, percent);
    std::cout << "with " << percent << " % known: " << of_all << " % of the others learned, "
              << of_one << " % from one statement each\n";
    verdict.require(of_all <= of_one + 1e-9,
                    "values known beforehand give away others from version to version");
  }
}

/// The number of exact quasi-identifiers of column j that the means of all versions reveal. A
/// person's value enters a class's mean as of the class's first appearance with these members.
int solved_of(const Versions& all, std::size_t j) {
  std::map<std::pair<int, std::string>, const Row*> row_of;  // by place and cells: the first row
  for (std::size_t i = 0; i < all.rows.size(); ++i)
    row_of.emplace(std::make_pair(all.place_of[i], all.rows[i].cells), &all.rows[i]);
  std::map<std::pair<std::string, std::string>, int> unknowns;  // by person and exact value
  std::vector<std::vector<int>> equations;
  for (std::size_t s = 0; s < all.statements.size(); ++s) {
    const std::string& cells = all.rows[static_cast<std::size_t>(all.statement_row[s])].cells;
    std::vector<int> ones;
    for (const int place : all.statements[s]) {
      const Row& row = *row_of.at({place, cells});
      if (j >= row.quasi.size()) break;
      ones.push_back(
          unknowns
              .emplace(std::make_pair(all.holder_of[static_cast<std::size_t>(place)], row.quasi[j]),
                       static_cast<int>(unknowns.size()))
              .first->second);
    }
    if (ones.size() == all.statements[s].size()) equations.push_back(ones);
  }
  return count_solved(equations, unknowns.size());
}

void judge_means(const Versions& all, Verdict& verdict) {
  std::size_t columns = 0;
  for (const Row& row : all.rows) columns = std::max(columns, row.quasi.size());
  int solved = 0;
  for (std::size_t j = 0; j < columns; ++j) solved += solved_of(all, j);
  std::cout << "means: " << solved << " exact quasi-identifiers solved\n";
  verdict.require(solved == 0, "means that give away exact quasi-identifiers");
}

}  // namespace

int main(int argc, char** argv) {
  Promises promises;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--no-means") promises.means = false;
    if (option == "--units") promises.units = true;
    if (i + 1 == argc) continue;
    if (option == "--k")
      promises.k = std::atoi(argv[++i]);
    else if (option == "--l")
      promises.l = std::atoi(argv[++i]);
    else if (option == "--alpha")
      promises.alpha = std::atof(argv[++i]);
  }
  std::ios::sync_with_stdio(false);
  Versions all = read_versions(std::cin, promises.units);
  if (all.rows.empty()) {
    std::cout << "NOT SAFE: nothing to judge\n";
    return 2;
  }
  link(all);
  Verdict verdict;
  judge_public(all, promises, verdict);
  judge_histories(all, promises, verdict);
  judge_candidates(all, promises, verdict);
  if (promises.means) judge_means(all, verdict);
  if (verdict.reasons.empty()) {
    std::cout << "SAFE\n";
    return 0;
  }
  std::cout << "NOT SAFE: ";
  for (std::size_t i = 0; i < verdict.reasons.size(); ++i)
    std::cout << (i > 0 ? "; " : "") << verdict.reasons[i];
  std::cout << "\n";
  return 1;
}
