#include "replay_cells.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/at.hpp"
#include "base/random.hpp"
#include "recode/generalisation.hpp"
#include "recode/recoding.hpp"
#include "released_rows.hpp"
#include "suppression.hpp"

namespace anonkit {
namespace {

/// The content of a cell: a number or code, and with a hierarchy its leaf.
struct Content {
  double value;
  std::int32_t leaf;

  bool operator<(const Content& other) const {
    return value < other.value || (value == other.value && leaf < other.leaf);
  }
  bool operator==(const Content& other) const { return value == other.value && leaf == other.leaf; }
};

/// The table with a copy of its quasi-identifiers, which can be replaced.
class Replaceable {
 public:
  explicit Replaceable(const Table& table)
      : table_(table),
        values_(table.values, table.values + at(table.rows) * table.columns.size()),
        leaves_(table.columns.size()) {
    table_.values = values_.data();
    for (std::size_t j = 0; j < leaves_.size(); ++j) {
      if (table.columns[j].hierarchy == nullptr) continue;
      leaves_[j].assign(table.columns[j].leaves, table.columns[j].leaves + table.rows);
      table_.columns[j].leaves = leaves_[j].data();
    }
  }
  Replaceable(const Replaceable&) = delete;
  Replaceable& operator=(const Replaceable&) = delete;

  const Table& table() const { return table_; }
  Content of(Record i, std::size_t j) const {
    return {table_.value(i, j), leaves_[j].empty() ? kNone : leaves_[j][at(i)]};
  }
  void put(Record i, std::size_t j, const Content& content) {
    values_[at(i) * leaves_.size() + j] = content.value;
    if (!leaves_[j].empty()) leaves_[j][at(i)] = content.leaf;
  }

 private:
  Table table_;
  std::vector<double> values_;
  std::vector<std::vector<std::int32_t>> leaves_;
};

/// The contents of all boxes of a target; large classes have fewer for each cell.
constexpr std::size_t kMostContents = std::size_t{1} << 20;

class CellAttack {
 public:
  CellAttack(const Table& table, const Method& method, const Options& options,
             const CellReplayOptions& how, Ticker& ticker)
      : guess_(table),
        method_(method),
        options_(options),
        how_(how),
        random_(how.seed),
        ticker_(ticker),
        anonymized_(anonymize_within_budget(table, method, options, ticker)),
        release_(table, anonymized_, ticker),
        members_(at(anonymized_.partition.classes)) {
    for (const Record row : anonymized_.order) {
      const ClassId c = anonymized_.partition.class_of[at(row)];
      if (c == kNone) continue;
      members_[at(c)].push_back(row);
      published_.push_back(row);
    }
    for (std::size_t j = 0; j < table.columns.size(); ++j) attained_.push_back(attained(j));
  }

  std::vector<ReplayedCells> run() {
    std::vector<ReplayedCells> all;
    const std::size_t d = guess_.table().columns.size();
    for (const std::size_t i : drawn(published_.size() * d, how_.cells))
      all.push_back(cell(published_[i / d], i % d));
    for (const std::size_t i : drawn(published_.size(), how_.persons))
      all.push_back(records(Unknown::person, {published_[i]}));
    for (const std::size_t i : drawn(members_.size(), how_.classes))
      all.push_back(records(Unknown::classmates, members_[i]));
    return all;
  }

 private:
  static std::uint32_t d32(std::size_t count) { return static_cast<std::uint32_t>(count); }

  /// Different numbers below `total`: as many as are wanted, or all.
  std::vector<std::size_t> drawn(std::size_t total, int wanted) {
    std::vector<std::size_t> numbers;
    if (2 * at(wanted) >= total) {
      numbers.resize(total);
      std::iota(numbers.begin(), numbers.end(), 0);
      for (std::size_t i = total; i > 1; --i)
        std::swap(numbers[i - 1], numbers[random_.next() % i]);
      numbers.resize(std::min(total, at(wanted)));
      return numbers;
    }
    for (std::set<std::size_t> used; numbers.size() < at(wanted);)
      if (const std::size_t number = random_.next() % total; used.insert(number).second)
        numbers.push_back(number);
    return numbers;
  }

  /// The contents of a column that occur, ascending: what a category or a leaf can be.
  std::vector<Content> attained(std::size_t j) const {
    std::vector<Content> all;
    ticker_.step(40 * std::int64_t{guess_.table().rows});
    for (Record i = 0; i < guess_.table().rows; ++i)
      if (const Content content = guess_.of(i, j); !is_null(content.value)) all.push_back(content);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  std::size_t cell_of(Record row, std::size_t j) const {
    return at(anonymized_.cells(at(row))) * guess_.table().columns.size() + j;
  }

  /// The values of the box, at most so many, the truth among them.
  std::vector<Content> box_of(Record row, std::size_t j, std::size_t most) const {
    const Column& column = guess_.table().columns[j];
    const Content truth = guess_.of(row, j);
    if (is_null(truth.value)) return {truth};
    std::vector<Content> box = column.attribute.kind == Kind::numeric && column.hierarchy == nullptr
                                   ? numbers_of(row, j, most)
                                   : contents_of(row, j);
    if (box.size() > most) box = evenly(box, most);
    if (std::find(box.begin(), box.end(), truth) == box.end()) box.back() = truth;
    return box;
  }

  /// As many as may be tried, evenly spaced.
  static std::vector<Content> evenly(const std::vector<Content>& all, std::size_t most) {
    std::vector<Content> some;
    for (std::size_t i = 0; i < most; ++i)
      some.push_back(all[i * (all.size() - 1) / std::max<std::size_t>(1, most - 1)]);
    return some;
  }

  std::vector<Content> numbers_of(Record row, std::size_t j, std::size_t most) const {
    ticker_.step(80 * static_cast<std::int64_t>(most));
    const Masked& masked = anonymized_.masked;
    const Rounding& rounding = guess_.table().columns[j].rounding;
    const double truth = guess_.table().value(row, j);
    double low = masked.low[cell_of(row, j)];
    double high = recoding(options_.recode).keeps_type ? low : masked.high[cell_of(row, j)];
    double step = unit_of(rounding);
    if (recoding(options_.recode).keeps_type) {
      const auto size = members_[at(anonymized_.partition.class_of[at(row)])].size();
      const double window = 2 * static_cast<double>(size) * (step > 0 ? step : 1);
      low = truth - window;
      high = truth + window;
    }
    const double places = static_cast<double>(most) - 1;
    if (!(step > 0) || (high - low) / step > places) step = (high - low) / std::max(1.0, places);
    std::set<Content> box{{truth, kNone}};
    for (std::size_t i = 0; step > 0 && i < most; ++i) {
      const double value = round_to(rounding, low + static_cast<double>(i) * step);
      if (value >= low && value <= high) box.insert({value, kNone});
    }
    return {box.begin(), box.end()};
  }

  std::vector<Content> contents_of(Record row, std::size_t j) const {
    std::vector<Content> box;
    ticker_.step(20 * static_cast<std::int64_t>(attained_[j].size()));
    for (const Content& content : attained_[j])
      if (is_in_box(content, row, j)) box.push_back(content);
    return box;
  }

  bool is_in_box(const Content& content, Record row, std::size_t j) const {
    const Masked& masked = anonymized_.masked;
    const std::size_t cell = cell_of(row, j);
    if (!masked.levels.empty() && masked.levels[cell] != kNoLevel)
      return guess_.table().columns[j].hierarchy->group(masked.levels[cell], content.leaf) ==
             static_cast<std::int32_t>(masked.low[cell]);
    if (recoding(options_.recode).keeps_type) return true;
    if (guess_.table().columns[j].attribute.kind == Kind::numeric)
      return content.value >= masked.low[cell] && content.value <= masked.high[cell];
    const std::vector<std::int32_t>& set = masked.sets[cell];
    return std::binary_search(set.begin(), set.end(), static_cast<std::int32_t>(content.value));
  }

  /// True if the class of the row has its published cells with the values as they are guessed.
  bool has_form(Record row) {
    if (!anonymized_.cells_of.empty()) return true;
    const ClassId c = anonymized_.partition.class_of[at(row)];
    Members members;
    members.records = members_[at(c)];
    members.first_of = {0, static_cast<Record>(members.records.size())};
    const Masked cells = published_cells(guess_.table(), members, options_.recode, ticker_);
    const Masked& all = anonymized_.masked;
    const std::size_t d = guess_.table().columns.size();
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t cell = at(c) * d + j;
      const auto same = [](double a, double b) { return a == b || (is_null(a) && is_null(b)); };
      if (!same(cells.low[j], all.low[cell]) ||
          (!all.high.empty() && !same(cells.high[j], all.high[cell])) ||
          (!all.sets.empty() && cells.sets[j] != all.sets[cell]) ||
          (!all.levels.empty() && cells.levels[j] != all.levels[cell]))
        return false;
    }
    return true;
  }

  bool has_code() { return leads_to(release_, guess_.table(), method_, options_, ticker_); }

  ReplayedCells cell(Record row, std::size_t j) {
    ReplayedCells attacked;
    attacked.first = row;
    attacked.column = j;
    const Content truth = guess_.of(row, j);
    for (const Content& content : box_of(row, j, at(how_.values))) {
      guess_.put(row, j, content);
      // Means of classes that became one by rounding are summed anew, to the last digit but one.
      const bool form = content == truth || has_form(row);
      ++attacked.box;
      attacked.form += form ? 1 : 0;
      attacked.code += form && (content == truth || has_code()) ? 1 : 0;
    }
    guess_.put(row, j, truth);
    return attacked;
  }

  /// The values of each of so many cells that memory has room for.
  std::size_t values_of_each(std::size_t cells) const {
    return std::min(at(how_.values), std::max<std::size_t>(2, kMostContents / cells));
  }

  /// Draws values for all cells of the records; the first combination is the truth.
  ReplayedCells records(Unknown unknown, const std::vector<Record>& rows) {
    ReplayedCells attacked{unknown, rows[0], 0, static_cast<Record>(rows.size()), 1, 1, 1};
    const std::size_t d = guess_.table().columns.size();
    std::vector<Content> truth;
    std::vector<std::vector<Content>> boxes;
    for (const Record row : rows)
      for (std::size_t j = 0; j < d; ++j) {
        truth.push_back(guess_.of(row, j));
        boxes.push_back(box_of(row, j, values_of_each(rows.size() * d)));
      }
    // Few combinations have the form of ranges, both of whose ends are attained.
    constexpr int kDrawsOfValue = 200;
    const std::int64_t draws = std::int64_t{kDrawsOfValue} * how_.values;
    for (std::int64_t i = 0; i < draws && attacked.form < how_.values; ++i) {
      ticker_.step(20 * static_cast<std::int64_t>(boxes.size()));
      bool is_truth = true;
      for (std::size_t cell = 0; cell < boxes.size(); ++cell) {
        const Content& drawn = boxes[cell][random_.below(d32(boxes[cell].size()))];
        is_truth = is_truth && drawn == truth[cell];
        guess_.put(rows[cell / d], cell % d, drawn);
      }
      if (is_truth) continue;
      ++attacked.box;
      if (!has_form(rows[0])) continue;
      ++attacked.form;
      attacked.code += has_code() ? 1 : 0;
    }
    for (std::size_t cell = 0; cell < boxes.size(); ++cell)
      guess_.put(rows[cell / d], cell % d, truth[cell]);
    return attacked;
  }

  Replaceable guess_;
  const Method& method_;
  const Options& options_;
  const CellReplayOptions& how_;
  Random random_;
  Ticker& ticker_;
  Anonymized anonymized_;
  ReleasedRows release_;
  std::vector<std::vector<Record>> members_;  ///< by class, in canonical order
  std::vector<Record> published_;
  std::vector<std::vector<Content>> attained_;  ///< by column
};

}  // namespace

std::vector<ReplayedCells> replay_cells(const Table& table, const Method& method,
                                        const Options& options, const CellReplayOptions& how,
                                        Ticker& ticker) {
  return CellAttack(table, method, options, how, ticker).run();
}

std::int64_t replay_cells_bytes(const Table& table) {
  constexpr std::int64_t kReleases = 2;
  // A copy of each cell, its content among those attained, and two in the boxes of a class of all.
  const auto cells = static_cast<std::int64_t>(table.columns.size());
  constexpr std::int64_t kBytesOfCell = sizeof(double) + 4 * sizeof(Content) + 32;
  return kReleases * released_bytes(table) + table.rows * cells * kBytesOfCell +
         static_cast<std::int64_t>(2 * kMostContents * sizeof(Content));
}

}  // namespace anonkit
