#include "search/refine.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "search/annealing.hpp"
#include "search/clock.hpp"
#include "search/descent.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/near_classes.hpp"
#include "search/neighbours.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

// Improvements below this share of the mean loss per record are rounding noise.
constexpr double kNoise = 1e-9;
// Constraints raise the loss of all records alike, and so the temperature. This factor corrects for
// that.
constexpr double kConstrainedTemperature = 0.25;
// Effort of the annealing: 60,000 per record, and at most 80 million in all unless that leaves less
// than 200 per record.
constexpr double kAnnealEach = 60000, kAnnealAll = 8e7, kAnnealLeast = 200;
// Below this many records the effort of a fast descent is the same for any number.
constexpr Record kSmall = 5000;
// Effort of a descent per record. On very large tables 'fast' visits each record little more than
// once, which yields most of the gain; on large ones three times as often. More dimensions allow
// more time, since MDAV takes longer.
constexpr double kDescendEach = 500, kDescendEachOfMany = 6, kDescendEachDimension = 2;
constexpr double kDescendTimes = 3;
constexpr int kMostDimensions = 16;
// Where categories make distances coarse, MDAV's classes are far from a local optimum, and
// dissolving them first loses more than moving their records first, for this share of the descent.
constexpr double kRecordsShare = 0.3;
// The effort of a descent of 'fast' on a small table, in 50 ms.
constexpr double kFastEffort = 5e5;
// The quench is a short annealing that starts at this share of the first temperature. Its effort
// takes about as long as the fast search of 5,000 records without it. It rises with the records up
// to 10,000 of them. With an effort of 4.2 million, 100,000 records of two columns would take four
// times as long as without it, and lose only half a percent less.
constexpr double kQuenchEach = 2000, kQuenchAll = 1.2e6, kQuenchOfMany = 30, kQuenchMost = 1.5e6;
constexpr double kQuenchTemperature = 0.8;
// Ruin and recreate begins at this share of the mean loss and ends at the other.
constexpr double kRecreateTemperature = 0.02, kRecreateLast = 1e-4;
// Classes of more records on average lose less by a longer descent, in a fast search of many.
constexpr Record kRecreateMean = 10;
// The share of the annealing in a limited time that ruin and recreate shares with it.
constexpr double kAnnealShare = 0.6;
// The effort of the descent after a fast ruin and recreate, as a multiple of that before it.
constexpr double kDescendAgain = 0.6;
// The search does not see steps of published means that are finer, as a share of a column's extent.
// They add less than a millionth of the column's variance.
constexpr double kLeastStep = 1.0 / 4096;
// Neighbours of a record, most for a thorough search, or where constraints rule many out: the more
// there are, the fewer records a limited effort reaches. Those of many records need not be the
// nearest. Lists that are stretched so (see neighbours.hpp) take half of the time or less, and lead
// to the same loss.
constexpr int kMostNeighbours = 10, kNeighboursOfFew = 7, kNeighbours = 5, kNeighboursOfMany = 4;
constexpr double kStretch = 1.5, kStretchOfMany = 4;
constexpr int kFewDimensions = 10;

double annealing_effort(Record n) {
  return std::min(kAnnealEach * n, std::max(kAnnealAll, kAnnealLeast * n));
}

double quench_effort(Record n) {
  return std::min({kQuenchEach * n, kQuenchAll + kQuenchOfMany * n, kQuenchMost});
}

// Renumbers the classes of the search, whose ids may have gaps.
Partition compact(std::vector<ClassId> class_of, ClassId ids) {
  Partition partition{std::move(class_of), ids};
  number_by_first_record(partition);
  return partition;
}

// Keeps the classes found if they are better, by a loss computed afresh.
void keep_better(RefineResult* result, const Search& search, const std::vector<ClassId>& class_of,
                 const Loss& loss, Ticker& ticker) {
  Partition found = compact(class_of, search.classes().ids());
  const double after = total_loss(loss, found, ticker);
  if (!(after < result->loss_after)) return;
  result->partition = std::move(found);
  result->loss_after = after;
}

// True if every class has equal rows, so that each of them loses the least that it can. The loss of
// such classes may be above 0 by rounding, and a search would spend all its effort on it.
bool have_equal_rows(const Space& space, const Partition& partition, Ticker& ticker) {
  std::vector<Record> first(static_cast<std::size_t>(partition.classes), kNone);
  for (Record i = 0; i < space.size(); ++i) {
    ticker.step(space.dimension());
    const ClassId id = partition.class_of[static_cast<std::size_t>(i)];
    if (id == kNone) continue;
    Record& of_class = first[static_cast<std::size_t>(id)];
    if (of_class == kNone) of_class = i;
    if (!std::equal(space.row(i), space.row(i) + space.dimension(), space.row(of_class)))
      return false;
  }
  return true;
}

// A part's points are as many of the whole's as their records are of all records.
Neighbours neighbours_of(const Space& space, bool constrained, const RefineOptions& options,
                         Ticker& ticker) {
  const double share = static_cast<double>(space.size()) / space.records();
  const double whole = share * options.effort_records(space.records());
  const bool few = whole < kSmall;
  if (options.effort == Effort::thorough || (few && constrained))
    return neighbours(space, kMostNeighbours, ticker, options.threads);
  if (few) return neighbours(space, kNeighboursOfFew, ticker, options.threads);
  const bool many = whole > kMostQuenched;
  return neighbours(space, many ? kNeighboursOfMany : kNeighbours, ticker, options.threads,
                    many || space.dimension() > kFewDimensions ? kStretchOfMany : kStretch);
}

// Alternates descents and annealings, and keeps the best result.
class Refinement {
 public:
  Refinement(Search& search, const Loss& loss, const RefineOptions& options, Ticker& ticker,
             RefineResult* result)
      : search_(search),
        loss_(loss),
        options_(options),
        ticker_(ticker),
        result_(result),
        loss_before_(result->loss_after),
        n_(search.space().records()),
        whole_(options.effort_records(n_)),
        dimension_(search.space().dimension()) {}

  void anneal_thoroughly() {
    descend(kDescendEach * n_);
    anneal(1, annealing_effort(whole_) * share(), part_of(options_.clock, 0, kAnnealShare));
    descend(kDescendEach * n_);
  }

  /// From the best classes so far; an annealing ends elsewhere.
  void recreate_thoroughly() {
    const Schedule schedule = loss_.schedule();
    recreate(annealing_effort(whole_) * share() * schedule.effort * schedule.recreate,
             part_of(options_.clock, kAnnealShare, 1));
    descend(kDescendEach * n_);
  }

  void run_fast() {
    const double all = descent_effort();
    const bool coarse = whole_ <= kMostQuenched && has_categories();
    if (coarse) descend(all * kRecordsShare, DescentOrder::records_first);
    descend(coarse ? all * (1 - kRecordsShare) : all);
    if (whole_ > kMostQuenched || !options_.quench) return;
    anneal(kQuenchTemperature, quench_effort(whole_) * share(), options_.clock);
    const double again = whole_ < kSmall ? 0 : all * loss_.schedule().recreate_many;
    const bool recreated = again > 0 && n_ <= kRecreateMean * result_->partition.classes &&
                           recreate(again, options_.clock);
    descend(all * kDescendAgain + (recreated ? 0 : again));
  }

 private:
  /// Effort of a first descent of 'fast'.
  double descent_effort() const {
    if (whole_ < kSmall) return kFastEffort * share();
    const double each =
        kDescendEachOfMany + kDescendEachDimension * std::min(kMostDimensions, dimension_);
    return each * n_ * (whole_ <= kMostQuenched ? kDescendTimes : 1);
  }

  bool has_categories() const {
    for (int j = 0; j < dimension_; ++j)
      if (search_.space().attribute(j).kind == Kind::nominal) return true;
    return false;
  }

  void descend(double effort) {
    descend(effort, options_.effort == Effort::fast ? DescentOrder::classes_first
                                                    : DescentOrder::records_first);
  }

  void descend(double effort, DescentOrder order) {
    if (is_finished()) return;
    if (!anonkit::descend(search_, order, mean() * kNoise,
                          static_cast<std::int64_t>(effort * options_.scale), options_.clock,
                          ticker_))
      result_->reproducible = false;
    keep_better(result_, search_, search_.classes().class_of(), loss_, ticker_);
  }

  /// Starts at a share of the loss's first temperature.
  void anneal(double share, double effort, const std::function<double()>& clock) {
    if (is_finished()) return;
    const Schedule schedule = loss_.schedule();
    run({mean() * unit() * share * schedule.first_temperature,
         mean() * unit() * schedule.last_temperature,
         static_cast<std::int64_t>(effort * schedule.effort * options_.scale), options_.seed, clock,
         options_.relays && options_.effort == Effort::thorough});
  }

  /// False if classes are so large that few sets of them could be formed anew.
  bool recreate(double effort, const std::function<double()>& clock) {
    if (is_finished()) return false;
    const NearClasses near(search_);
    if (!near.fit_in(effort * options_.scale) || !near.are_small(result_->partition.classes))
      return false;
    run({mean() * unit() * kRecreateTemperature, mean() * unit() * kRecreateLast,
         static_cast<std::int64_t>(effort * options_.scale), options_.seed, clock, false,
         Draws::classes});
    return true;
  }

  void run(const AnnealPlan& plan) {
    const AnnealResult annealed = anonkit::anneal(search_, plan, ticker_);
    if (!annealed.reproducible) result_->reproducible = false;
    keep_better(result_, search_, annealed.best, loss_, ticker_);
  }

  /// True if nothing is left to gain.
  bool is_finished() { return have_equal_rows(search_.space(), result_->partition, ticker_); }

  double unit() const { return search_.constrained() ? kConstrainedTemperature : 1; }

  /// The share of these records in the problem.
  double share() const { return static_cast<double>(n_) / whole_; }

  // The current mean loss per record or point, the unit of a move.
  double mean() const { return (loss_before_ + search_.change()) / search_.space().size(); }

  Search& search_;
  const Loss& loss_;
  const RefineOptions& options_;
  Ticker& ticker_;
  RefineResult* result_;
  double loss_before_;  ///< this search
  Record n_;            ///< records
  Record whole_;        ///< the problem's records, which may be more
  int dimension_;
};

}  // namespace

RefineResult refine(const Space& space, const Partition& start, Record k, Loss& loss,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker, SearchNeighbours* shared) {
  if (k < 1)
    throw Error(ErrorKind::invalid_parameter, "k is out of range", "k must be at least 1.");
  RefineResult result;
  result.partition = compact(start.class_of, start.classes);
  result.loss_before = result.loss_after = total_loss(loss, result.partition, ticker);
  const Record n = space.size();
  const bool hopeless =
      n < 2 || !(result.loss_before > 0) || have_equal_rows(space, result.partition, ticker);
  SearchNeighbours own;
  if (shared == nullptr) shared = &own;
  Neighbours& near = options.effort == Effort::fast ? shared->fast : shared->thorough;
  if (!hopeless && near.each == 0)
    near = neighbours_of(space, !constraints.empty(), options, ticker);
  Search search(space, near, result.partition, k, loss, constraints, ticker);
  if (hopeless) return result;
  Refinement refinement(search, loss, options, ticker, &result);
  if (options.effort == Effort::fast) {
    refinement.run_fast();
  } else {
    refinement.anneal_thoroughly();
    Search again(space, near, result.partition, k, loss, constraints, ticker);
    Refinement(again, loss, options, ticker, &result).recreate_thoroughly();
    result.tried = again.tried();
  }
  result.tried += search.tried();
  return result;
}

RefineResult refine(const Space& space, const Partition& start, Record k,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker, SearchNeighbours* shared) {
  SseLoss loss(space, kLeastStep);
  return refine(space, start, k, loss, constraints, options, ticker, shared);
}

}  // namespace anonkit
