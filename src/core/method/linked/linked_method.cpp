#include "method/linked/linked_method.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "method/linked/group_cells.hpp"
#include "method/linked/group_cuts.hpp"

namespace anonkit {
namespace {

/// Cuts that are measured at each group, out of all proposed.
constexpr std::size_t kMeasuredCuts = 16;
/// Larger groups are represented by a sample of so many persons.
constexpr std::size_t kSampledPersons = 2048;
/// Larger groups are not tried in cells: their root cells lose more than finer events gain.
constexpr std::size_t kLargestInCells = 1536;
/// Pairs of rows of one person that a group in cells may have: those of 1,536 persons with 36 rows
/// each.
constexpr double kMostPairs = 1 << 20;
/// Larger groups are cut by the root's columns in one of the trees: persons in cells share these.
constexpr std::size_t kLargestByRecord = 400;
/// Groups of at most this part of all persons are tasks for threads.
constexpr std::size_t kTasks = 64;

/// A group: persons in a common array, from one place to another.
struct GroupRange {
  std::int32_t* first;
  std::int32_t* last;

  std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

/// A published row of a group in cells.
struct RowInCell {
  std::int32_t table;
  std::int32_t row;
  std::int32_t cell;
};

/// A group of the result.
struct PublishedGroup {
  GroupRange range;
  bool in_cells;                ///< by group_cells.hpp, else with equal trees
  std::vector<RowInCell> rows;  ///< in cells only
};

/// True for promises that trees of different shape can keep. Values are promised for equal trees
/// alone, and so is m = 3: cells lose more there than equal trees do and have n^3 patterns a
/// person.
bool uses_cells(const LinkedPromises& promises) {
  return (promises.m == 1 || promises.m == 2) && !promises.about_values();
}

/// How large groups are cut: by all slots, or by the root's columns as long as they vary.
enum class Tree : std::uint8_t { records, root_first };

/// The groups of some persons; none if they keep the promises neither whole nor cut.
struct Groups {
  std::vector<PublishedGroup> list;
  double loss = 0;
};

/// A group of a tree of cuts. Its sides come after it.
struct CutGroup {
  GroupRange range;
  std::size_t sides[2] = {0, 0};  ///< 0: not cut
  int height = 0;                 ///< at the top of a tree: above the groups that are not cut there

  bool is_cut() const { return sides[0] > 0; }
};

/// Adds the sides of a group of the tree that is cut; null: it is not.
void add_sides(std::vector<CutGroup>& tree, std::size_t place, std::int32_t* middle) {
  if (middle == nullptr) return;
  const GroupRange group = tree[place].range;
  tree[place].sides[0] = tree.size();
  tree.push_back({{group.first, middle}});
  tree[place].sides[1] = tree.size();
  tree.push_back({{middle, group.last}});
}

class GroupSearch {
 public:
  GroupSearch(const AlignedRecords& records, const LinkedPromises& promises, Tree tree,
              Ticker& ticker)
      : records_(records),
        promises_(promises),
        tree_(tree),
        group_(records, promises),
        cells_(records, promises),
        ticker_(ticker) {}

  /// The groups within a group, which reorders its persons. Without recursion, whose depth would be
  /// the number of labels of a column that are cut off one by one.
  Groups solve(const GroupRange& group) {
    std::vector<CutGroup> tree = {{group}};
    for (std::size_t i = 0; i < tree.size(); ++i) add_sides(tree, i, cut(tree[i].range));
    std::vector<Groups> groups(tree.size());
    for (std::size_t i = tree.size(); i-- > 0;)
      groups[i] = tree[i].is_cut() ? joined(tree[i].range, std::move(groups[tree[i].sides[0]]),
                                            std::move(groups[tree[i].sides[1]]))
                                   : alone(tree[i].range);
    return std::move(groups.front());
  }

  /// The groups of both sides of a cut, or the group itself if one side has none, or if it loses
  /// less in cells.
  Groups joined(const GroupRange& group, Groups groups, Groups others) {
    if (groups.list.empty() || others.list.empty()) return alone(group);
    groups.list.insert(groups.list.end(), std::make_move_iterator(others.list.begin()),
                       std::make_move_iterator(others.list.end()));
    groups.loss += others.loss;
    return in_cells(group, std::move(groups));
  }

  Groups alone(const GroupRange& group) {
    const double loss = measure(group);
    if (!group_.keeps_promises(group.first, ticker_)) return {};
    return in_cells(group, {{{group, false, {}}}, loss});
  }

  /// Cuts the group where the loss falls most, and returns the first person of the second side;
  /// null if no cut leaves k persons on either side. A sample of a large group stands for it.
  std::int32_t* cut(const GroupRange& group) {
    if (group.size() < 2 * at(promises_.k)) return nullptr;
    const std::size_t stride = (group.size() + kSampledPersons - 1) / kSampledPersons;
    std::int32_t* middle = nullptr;
    if (tree_ == Tree::root_first && group.size() > kLargestByRecord)
      middle = cut_by_sample(group, stride, true);
    if (middle == nullptr) middle = cut_by_sample(group, stride, false);
    // The best cuts of a sample may all leave too few persons on a side.
    return middle == nullptr && stride > 1 ? cut_by_sample(group, 1, false) : middle;
  }

 private:
  Groups in_cells(const GroupRange& group, Groups groups) {
    if (!uses_cells(promises_) || group.size() > kLargestInCells || pairs_of(group) > kMostPairs)
      return groups;
    const double loss =
        cells_.take(group.first, static_cast<std::int32_t>(group.size()), groups.loss, ticker_);
    if (loss < groups.loss) return {{{group, true, rows_in_cells()}}, loss};
    return groups;
  }

  std::vector<RowInCell> rows_in_cells() const {
    std::vector<RowInCell> rows;
    rows.reserve(cells_.rows().size());
    for (std::size_t i = 0; i < cells_.rows().size(); ++i)
      if (cells_.cells_of_rows()[i] != kNone)
        rows.push_back({cells_.rows()[i].table, cells_.rows()[i].row, cells_.cells_of_rows()[i]});
    return rows;
  }

  /// The pairs of rows of one person.
  double pairs_of(const GroupRange& group) const {
    double pairs = 0;
    for (const std::int32_t* person = group.first; person != group.last; ++person) {
      const SlotRows rows = records_.rows_of(*person);
      const auto n = static_cast<double>(rows.last - rows.first);
      pairs += n * (n - 1) / 2;
    }
    return pairs;
  }

  std::int32_t* cut_by_sample(const GroupRange& group, std::size_t stride, bool by_root) {
    std::vector<std::int32_t> sample;
    for (std::size_t i = 0; i < group.size(); i += stride) sample.push_back(group.first[i]);
    for (const GroupCut& cut : measured_cuts(sample, stride == 1 ? promises_.k : 1, by_root)) {
      std::int32_t* const middle = partition(group, cut);
      if (std::min(middle - group.first, group.last - middle) >= promises_.k) return middle;
    }
    return nullptr;
  }

  double measure(const GroupRange& group) {
    group_.take(group.first, static_cast<std::int32_t>(group.size()), ticker_);
    return group_.loss();
  }

  /// The persons whom the cut holds come first, all in the order that they have.
  std::int32_t* partition(const GroupRange& group, const GroupCut& cut) {
    return std::stable_partition(group.first, group.last, [&](std::int32_t person) {
      ticker_.step(20);
      return cut.holds(records_, person);
    });
  }

  /// The cuts of the root's columns, the best ones first: persons in cells share the root's.
  std::vector<GroupCut> root_cuts(const std::vector<std::int32_t>& persons, std::int32_t k) {
    std::vector<GroupCut> cuts =
        proposed_cuts(records_, group_, persons, k, records_.slots().size() * 64, ticker_);
    const auto others = std::remove_if(cuts.begin(), cuts.end(), [](const GroupCut& cut) {
      return cut.slot != 0 || cut.fall <= 0;
    });
    cuts.erase(others, cuts.end());
    return cuts;
  }

  /// The cuts of a group into sides of k, the best ones first.
  std::vector<GroupCut> measured_cuts(std::vector<std::int32_t> persons, std::int32_t k,
                                      bool by_root) {
    const GroupRange group = {persons.data(), persons.data() + persons.size()};
    measure(group);
    if (by_root) return root_cuts(persons, k);
    std::vector<GroupCut> cuts =
        proposed_cuts(records_, group_, persons, k, kMeasuredCuts, ticker_);
    const std::vector<std::int32_t> order = persons;
    for (GroupCut& cut : cuts) {
      std::copy(order.begin(), order.end(), persons.begin());
      std::int32_t* const middle = partition(group, cut);
      cut.fall = -measure({group.first, middle}) - measure({middle, group.last});
    }
    std::stable_sort(cuts.begin(), cuts.end(),
                     [](const GroupCut& a, const GroupCut& b) { return a.fall > b.fall; });
    return cuts;
  }

  const AlignedRecords& records_;
  LinkedPromises promises_;
  Tree tree_;
  GroupMeasure group_;
  GroupCells cells_;
  Ticker& ticker_;
};

/// Searches of one kind for each of many tasks.
class GroupSearches {
 public:
  GroupSearches(const AlignedRecords& records, const LinkedPromises& promises, Tree tree)
      : records_(records), promises_(promises), tree_(tree) {}

  GroupSearch with(Ticker& ticker) const { return {records_, promises_, tree_, ticker}; }

 private:
  const AlignedRecords& records_;
  LinkedPromises promises_;
  Tree tree_;
};

/// Cuts all groups of a level of the tree, and then their sides.
std::vector<CutGroup> cut_top(const GroupSearches& searches, std::vector<std::int32_t>& persons,
                              int threads, Ticker& ticker) {
  std::vector<CutGroup> top = {{{persons.data(), persons.data() + persons.size()}}};
  for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = top.size()) {
    std::vector<std::int32_t*> middle(end - begin, nullptr);
    run_unreported_tasks(end - begin, threads, ticker, [&](std::size_t i, Ticker& own) {
      const GroupRange& group = top[begin + i].range;
      if (group.size() * kTasks > persons.size()) middle[i] = searches.with(own).cut(group);
    });
    for (std::size_t i = begin; i < end; ++i) add_sides(top, i, middle[i - begin]);
  }
  for (std::size_t i = top.size(); i-- > 0;)
    if (top[i].is_cut())
      top[i].height = 1 + std::max(top[top[i].sides[0]].height, top[top[i].sides[1]].height);
  return top;
}

/// The groups of all persons. The groups of one height share nothing.
Groups all_groups(const GroupSearches& searches, std::vector<std::int32_t>& persons, int threads,
                  Ticker& ticker) {
  const std::vector<CutGroup> top = cut_top(searches, persons, threads, ticker);
  std::vector<Groups> groups(top.size());
  for (int height = 0; height <= top.front().height; ++height) {
    std::vector<std::size_t> level;
    for (std::size_t i = 0; i < top.size(); ++i)
      if (top[i].height == height) level.push_back(i);
    run_tasks(level.size(), threads, ticker, [&](std::size_t place, Ticker& own) {
      const CutGroup& group = top[level[place]];
      GroupSearch search = searches.with(own);
      groups[level[place]] = height == 0
                                 ? search.solve(group.range)
                                 : search.joined(group.range, std::move(groups[group.sides[0]]),
                                                 std::move(groups[group.sides[1]]));
    });
  }
  return std::move(groups.front());
}

/// The rows of a group with equal trees: those in each slot that it publishes are a class.
void add_trees(const AlignedRecords& records, const GroupRange& group, GroupMeasure& measure,
               std::vector<ClassId>& class_of_slot, LinkedClasses& classes, Ticker& ticker) {
  measure.take(group.first, static_cast<std::int32_t>(group.size()), ticker);
  for (const GroupSlot& slot : measure.slots())
    class_of_slot[at(slot.slot)] =
        measure.is_published(slot) ? classes[at(records.slot(slot.slot).table)].classes++ : kNone;
  for (const std::int32_t* person = group.first; person != group.last; ++person)
    for (const SlotRow& row : records.rows_of(*person))
      classes[at(records.slot(row.slot).table)].class_of[at(row.row)] = class_of_slot[at(row.slot)];
}

/// The rows of a group in cells: those of a cell are a class, and so are the root's.
void add_cells(const PublishedGroup& group, LinkedClasses& classes, Ticker& ticker) {
  for (const std::int32_t* person = group.range.first; person != group.range.last; ++person)
    classes.front().class_of[at(*person)] = classes.front().classes;
  ++classes.front().classes;
  std::vector<ClassId> class_of_cell;
  for (const RowInCell& row : group.rows) {
    ticker.step(4);
    if (at(row.cell) >= class_of_cell.size()) class_of_cell.resize(at(row.cell) + 1, kNone);
    ClassId& own = class_of_cell[at(row.cell)];
    if (own == kNone) own = classes[at(row.table)].classes++;
    classes[at(row.table)].class_of[at(row.row)] = own;
  }
}

LinkedClasses classes_of(const AlignedRecords& records, const LinkedPromises& promises,
                         const std::vector<PublishedGroup>& groups, Ticker& ticker) {
  LinkedClasses classes;
  for (const LinkedTable& of : records.linked().tables)
    classes.push_back({std::vector<ClassId>(at(of.table->rows), kNone), 0});
  GroupMeasure measure(records, promises);
  std::vector<ClassId> class_of_slot(records.slots().size());
  for (const PublishedGroup& group : groups)
    if (group.in_cells)
      add_cells(group, classes, ticker);
    else
      add_trees(records, group.range, measure, class_of_slot, classes, ticker);
  return classes;
}

/// The slots of a table: the most siblings under one row, in each slot of the parent, and the most
/// under one person.
double most_slots(const LinkedTables& linked, const LinkedTable& of, double parent_slots) {
  std::vector<std::int32_t> below_row(at(linked.tables[at(of.parent)].table->rows), 0);
  std::vector<std::int32_t> below_person(at(linked.persons), 0);
  std::int32_t most_below_row = 0;
  std::int32_t most_below_person = 0;
  for (std::int32_t row = 0; row < of.table->rows; ++row) {
    const std::int32_t parent = of.parent > 0 ? of.parent_row[row] : kNone;
    if (parent == kNone)
      most_below_person = std::max(most_below_person, ++below_person[at(of.person[row])]);
    else
      most_below_row = std::max(most_below_row, ++below_row[at(parent)]);
  }
  if (of.most_rows > 0) {
    most_below_row = std::min(most_below_row, of.most_rows);
    most_below_person = std::min(most_below_person, of.most_rows);
  }
  return std::min<double>(of.table->rows, parent_slots * most_below_row + most_below_person);
}

/// The pairs of rows of one person, each of which may be a pattern.
double pairs_of_all(const LinkedTables& linked) {
  std::vector<double> rows(at(linked.persons), 0);
  double pairs = 0;
  for (std::size_t t = 1; t < linked.tables.size(); ++t) {
    const LinkedTable& of = linked.tables[t];
    std::vector<std::int32_t> of_table(at(linked.persons), 0);
    for (std::int32_t row = 0; row < of.table->rows; ++row)
      if (++of_table[at(of.person[row])] <= of.most_rows || of.most_rows == 0)
        pairs += ++rows[at(of.person[row])];
  }
  return pairs;
}

double rows_below_root(const LinkedTables& linked) {
  double rows = 0;
  for (std::size_t t = 1; t < linked.tables.size(); ++t) rows += linked.tables[t].table->rows;
  return rows;
}

/// The bytes that a group in cells needs.
double bytes_in_cells(const LinkedTables& linked) {
  const double pairs = std::min(pairs_of_all(linked), kMostPairs);
  // n rows of each person are n (n - 1) / 2 pairs.
  const double rows =
      std::min(rows_below_root(linked), std::sqrt(2.0 * kLargestInCells * pairs) + kLargestInCells);
  std::size_t columns = 0;
  for (const LinkedTable& of : linked.tables) columns = std::max(columns, of.table->columns.size());
  return GroupCells::bytes(pairs, rows, columns, linked.tables.size());
}

/// The other rows of the tables that limits admit, each in a class of its own.
void add_rows_alone(const LinkedTables& linked, LinkedClasses& classes, Ticker& ticker) {
  const AlignedRecords records(linked, ticker);
  for (std::size_t t = 1; t < linked.tables.size(); ++t)
    classes.push_back({std::vector<ClassId>(at(linked.tables[t].table->rows), kNone), 0});
  for (const std::int32_t person : records.order())
    for (const SlotRow& row : records.rows_of(person)) {
      const std::int32_t table = records.slot(row.slot).table;
      if (table > 0) classes[at(table)].class_of[at(row.row)] = classes[at(table)].classes++;
    }
}

/// P(k, 0) is k-anonymity of the root. All other rows are published as they are.
LinkedClasses classes_of_roots(const LinkedTables& linked, LinkedPromises promises, int threads,
                               Ticker& ticker) {
  promises.m = kWholeRecords;
  LinkedClasses classes = linked_classes({{linked.tables.front()}, linked.persons, linked.absent},
                                         promises, threads, ticker);
  add_rows_alone(linked, classes, ticker);
  return classes;
}

}  // namespace

LinkedClasses linked_classes(const LinkedTables& linked, const LinkedPromises& promises,
                             int threads, Ticker& ticker) {
  if (linked.present() < promises.k)
    throw Error(ErrorKind::infeasible, "there are fewer persons than k",
                "There are " + std::to_string(linked.present()) + " persons.");
  if (promises.m == 0 && !promises.about_values())
    return classes_of_roots(linked, promises, threads, ticker);
  ticker.begin("aligning records", 0);
  const AlignedRecords records(linked, ticker);
  ticker.begin("grouping persons", 0);
  std::vector<std::int32_t> persons = records.order();
  Groups groups = all_groups({records, promises, Tree::records}, persons, threads, ticker);
  std::vector<std::int32_t> others = records.order();
  if (uses_cells(promises)) {
    Groups by_root = all_groups({records, promises, Tree::root_first}, others, threads, ticker);
    if (by_root.loss < groups.loss) groups = std::move(by_root);
  }
  if (groups.list.empty())
    throw Error(ErrorKind::infeasible, "no groups of persons keep alpha and l",
                "All persons together do not.", "Promise less, or leave rare values out.");
  return classes_of(records, promises, groups.list, ticker);
}

double linked_method_bytes(const LinkedTables& linked, const LinkedPromises& promises,
                           int threads) {
  // Coordinates twice while they are computed; slots and their cells by person and by row; the
  // sorted rows.
  double bytes = 64.0 * linked.persons;
  double of_thread = 0;
  std::vector<double> slots;
  for (const LinkedTable& of : linked.tables) {
    const auto columns = static_cast<double>(of.table->columns.size());
    bytes += of.table->rows * (64.0 + 20.0 * columns);
    slots.push_back(slots.empty() ? 1 : most_slots(linked, of, slots[at(of.parent)]));
    of_thread += slots.back() * (16.0 + static_cast<double>(sizeof(CellExtent)) * columns);
  }
  if (uses_cells(promises)) {
    bytes += 2.0 * sizeof(RowInCell) * rows_below_root(linked);  // of both trees
    of_thread += bytes_in_cells(linked);
  }
  return bytes + threads * of_thread;
}

}  // namespace anonkit
