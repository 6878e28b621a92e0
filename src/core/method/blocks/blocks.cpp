#include "method/blocks/blocks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "method/blocks/block_tree.hpp"
#include "method/blocks/borders.hpp"
#include "method/blocks/part_problem.hpp"
#include "method/mondrian/mondrian_method.hpp"
#include "method/repair/merging.hpp"

namespace anonkit {
namespace {

// From this many records on, the default method divides them into blocks of that size. Above
// kFewWithCategories there are no nested class sizes, and cuts between categories gain: near
// records differ in few of them, and blocks of one set of categories lose less than the entire
// table.
constexpr Record kLarge = 250000, kFewWithCategories = 100000, kBlock = 62500;
// Fewer classes of k records would have most of their neighbours in other blocks.
constexpr Record kClassesOfBlock = 250;
// Numbers are cut if so many records are distinct. Near records are few and far where two of five
// are, so that such blocks lose half more than the entire table; 2 % more if all are.
constexpr double kDistinct = 0.75;
// The share of a time limit for the blocks; the borders have the rest.
constexpr double kBlocksShare = 0.7;

/// Divides the rest of a limited time among tasks, of which `threads` run at once.
class SharedTime {
 public:
  SharedTime(const std::function<double()>& clock, double until, std::size_t tasks, int threads)
      : clock_(clock), begin_(clock ? clock() : 0), until_(until) {
    at_once_ = static_cast<std::size_t>(std::max(1, threads));
    turns_ = (tasks + at_once_ - 1) / at_once_;
  }

  /// The clock of a task that begins now; time that earlier tasks left is its own, too.
  std::function<double()> clock_of(std::size_t task) const {
    if (!clock_) return {};
    const double begin = clock_();
    const std::size_t turn = task / at_once_ + 1;
    const double end =
        begin_ + (until_ - begin_) * static_cast<double>(turn) / static_cast<double>(turns_);
    return [clock = clock_, begin, end] {
      return begin < end ? (clock() - begin) / (end - begin) : 1;
    };
  }

 private:
  const std::function<double()>& clock_;
  double begin_;
  double until_;
  std::size_t at_once_ = 1, turns_ = 1;
};

/// Some blocks that are partitioned together, and their classes once these keep all promises.
struct Part {
  BlockRange blocks;
  std::vector<Record> records = {};
  std::optional<Classification> formed = std::nullopt;
};

/// The option beside which records are not divided into blocks, or null.
const char* divides_in_its_own_way(const Options& options) {
  return options.promises.n > 0           ? "n"
         : options.unit_rows_together     ? "unit_rows"
         : options.transparency.adapt > 0 ? "adapt"
                                          : nullptr;
}

bool has_few_equals(const Space& space, Ticker& ticker) {
  const Points points = points_of(space, {}, ticker);
  return static_cast<double>(points.first.size()) >= kDistinct * space.size();
}

std::int32_t count_units(const Problem& problem) {
  std::vector<std::int32_t> units = problem.units;
  std::sort(units.begin(), units.end());
  return static_cast<std::int32_t>(std::unique(units.begin(), units.end()) - units.begin());
}

/// The classes of a part; none if it has too few records, or if they break a promise.
std::optional<Classification> try_to_form(const Problem& part, const FormProblem& form,
                                          Ticker& ticker) {
  const Record k = part.options.k;
  if (part.space.size() < k || (!part.units.empty() && count_units(part) < k)) return {};
  std::optional<Classification> formed =
      unless({ErrorKind::infeasible}, [&] { return form(part, ticker); });
  if (formed && !all_allow(constraints_of(part), formed->partition, ticker)) return {};
  return formed;
}

class BlockWork {
 public:
  BlockWork(const Problem& whole, const BlockDivision& division, const FormProblem& form,
            Ticker& ticker)
      : whole_(whole),
        form_(form),
        ticker_(ticker),
        table_counts_(table_counts_of(whole)),
        tree_(whole.space, division.block_size, division.attributes, whole.options.seed,
              whole.options.threads, ticker) {
    for (std::int32_t block = 0; block < tree_.blocks(); ++block)
      parts_.push_back({{block, block + 1}});
  }

  /// Partitions the blocks; false if only all of them together keep the promises.
  bool form_parts() {
    while (parts_.size() > 1) {
      form_missing();
      if (std::all_of(parts_.begin(), parts_.end(), is_formed)) return true;
      merge_failed();
    }
    return false;
  }

  /// Numbered part by part; search_borders() numbers anew.
  Classification joined() const {
    Classification all;
    all.partition.class_of.resize(at(whole_.space.size()));
    for (const Part& part : parts_) {
      const Partition& own = part.formed->partition;
      for (std::size_t i = 0; i < part.records.size(); ++i)
        all.partition.class_of[at(part.records[i])] = all.partition.classes + own.class_of[i];
      all.partition.classes += own.classes;
      all.reproducible = all.reproducible && part.formed->reproducible;
    }
    return all;
  }

  /// Searches over the classes next to each cut.
  void search_borders(Classification& formed) {
    const Members members = members_of(formed.partition);
    std::vector<BlockRange> ranges;
    for (const Part& part : parts_) ranges.push_back(part.blocks);
    std::vector<std::vector<ClassId>> borders =
        classes_at_cuts(whole_.space, members, tree_, ranges, whole_.options.threads, ticker_);
    borders.erase(
        std::remove_if(borders.begin(), borders.end(),
                       [](const std::vector<ClassId>& at_cut) { return at_cut.size() < 2; }),
        borders.end());
    std::stable_sort(borders.begin(), borders.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<Border> found(borders.size());
    const SharedTime time(whole_.clock, 1, borders.size(), whole_.options.threads);
    ticker_.begin("improving classes across borders", static_cast<std::int64_t>(borders.size()));
    run_tasks(borders.size(), whole_.options.threads, ticker_, [&](std::size_t i, Ticker& own) {
      found[i] = search_border(borders[i], members, time.clock_of(i), own);
    });
    for (const Border& border : found) apply(border, formed);
    number_by_first_record(formed.partition);
  }

 private:
  /// Records next to a cut, and their classes after the search.
  struct Border {
    std::vector<Record> records;
    Classification searched;
  };

  static bool is_formed(const Part& part) { return part.formed.has_value(); }

  void form_missing() {
    std::vector<Part*> missing;
    for (Part& part : parts_)
      if (!is_formed(part)) missing.push_back(&part);
    // The largest first: then no thread is left alone with a large one.
    std::stable_sort(missing.begin(), missing.end(), [&](const Part* a, const Part* b) {
      return tree_.size(a->blocks) > tree_.size(b->blocks);
    });
    const SharedTime time(whole_.clock, kBlocksShare, missing.size(), whole_.options.threads);
    ticker_.begin("forming classes of blocks", static_cast<std::int64_t>(missing.size()));
    run_tasks(missing.size(), whole_.options.threads, ticker_, [&](std::size_t i, Ticker& own) {
      Part& part = *missing[i];
      part.records = tree_.records(part.blocks);
      const PartProblem posed(whole_, part.records, table_counts_, time.clock_of(i));
      part.formed = try_to_form(posed.problem(), form_, own);
    });
  }

  /// Replaces parts without classes, and their siblings, by the nodes above them.
  void merge_failed() {
    std::vector<BlockRange> merged;
    for (const Part& part : parts_)
      if (!is_formed(part)) merged.push_back(tree_.parent(part.blocks));
    for (const BlockRange& range : merged) {
      const auto inside = [&](const Part& part) { return range.contains(part.blocks); };
      const auto first = std::find_if(parts_.begin(), parts_.end(), inside);
      if (first == parts_.end() || first->blocks == range) continue;
      *first = {range};
      parts_.erase(std::remove_if(first + 1, parts_.end(), inside), parts_.end());
    }
  }

  Border search_border(const std::vector<ClassId>& classes, const Members& members,
                       std::function<double()> clock, Ticker& ticker) const {
    std::vector<std::pair<Record, ClassId>> placed;
    for (std::size_t c = 0; c < classes.size(); ++c)
      for (const Record i : members.of(at(classes[c])))
        placed.emplace_back(i, static_cast<ClassId>(c));
    std::sort(placed.begin(), placed.end());
    Border border;
    Partition start;
    start.classes = static_cast<ClassId>(classes.size());
    for (const auto& [record, c] : placed) {
      border.records.push_back(record);
      start.class_of.push_back(c);
    }
    number_by_first_record(start);
    const PartProblem posed(whole_, border.records, table_counts_, std::move(clock));
    border.searched = search_on(posed.problem(), start, Effort::fast, ticker);
    return border;
  }

  /// Classes of a border get numbers of their own; classes without records disappear at the end.
  static void apply(const Border& border, Classification& formed) {
    const Partition& own = border.searched.partition;
    for (std::size_t i = 0; i < border.records.size(); ++i)
      formed.partition.class_of[at(border.records[i])] = formed.partition.classes + own.class_of[i];
    formed.partition.classes += own.classes;
    formed.reproducible = formed.reproducible && border.searched.reproducible;
  }

  const Problem& whole_;
  const FormProblem& form_;
  Ticker& ticker_;
  const TableCounts table_counts_;
  const BlockTree tree_;
  std::vector<Part> parts_;
};

}  // namespace

void check_blocks(const Method& method, const Options& options) {
  if (options.block_size == 0) return;
  if (options.block_size < options.k)
    throw Error(ErrorKind::invalid_parameter, "block_size is less than k",
                "A block is divided into classes of k records.", "Choose some thousand times k.");
  if (!method.by_blocks)
    throw Error(ErrorKind::invalid_parameter,
                "method \"" + std::string(method.name) + "\" does not work by blocks", "",
                "Use method 'microaggregate', 'mdav', 'vmdav' or 'tclose', or omit block_size.");
  const char* beside = divides_in_its_own_way(options);
  if (beside != nullptr)
    throw Error(ErrorKind::invalid_parameter,
                std::string("block_size cannot be combined with ") + beside,
                "It divides the records in its own way.", "Omit one of the two.");
}

bool may_divide(const Method& method, const Options& options) {
  return method.by_blocks && std::string_view(method.name) == "microaggregate" &&
         options.effort == Effort::fast && options.refine == Effort::none;
}

BlockDivision division_of(const Problem& problem, const Method& method, Ticker& ticker) {
  const Options& options = problem.options;
  if (options.block_size > 0) return {options.block_size};
  const Space& space = problem.space;
  const bool of_categories = !space.euclidean();
  if (!may_divide(method, options) || generalises(options) || !problem.units.empty() ||
      divides_in_its_own_way(options) != nullptr || space.dimension() == 1 ||
      space.size() < (of_categories ? kFewWithCategories + 1 : kLarge))
    return {};
  if (!of_categories && options.promises.any()) return {};
  const bool of_numbers = space.numeric() || has_few_equals(space, ticker);
  if (!of_categories && !of_numbers) return {};
  const Record least = std::min(space.size() / kClassesOfBlock, options.k) * kClassesOfBlock;
  return {std::max(kBlock, least), of_numbers ? CutAttributes::all : CutAttributes::nominal};
}

Classification form_in_blocks(const Problem& whole, const BlockDivision& division,
                              const FormProblem& form, Ticker& ticker) {
  BlockWork work(whole, division, form, ticker);
  if (!work.form_parts()) return form(whole, ticker);
  Classification formed = work.joined();
  work.search_borders(formed);
  return formed;
}

}  // namespace anonkit
