#include "search/refine.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "error.hpp"
#include "search/annealing.hpp"
#include "search/descent.hpp"
#include "search/neighbours.hpp"
#include "search/search.hpp"
#include "search/sse.hpp"

namespace anonkit {
namespace {

// An improvement below this share of the mean loss of a record is rounding noise.
constexpr double kTolerance = 1e-9;
// What constraints force on every record tells nothing about differences, so they call for lower
// temperatures.
constexpr double kConstrainedTemperature = 0.25;
// Effort of the annealing: 60,000 a record, but no more than 80 million in all as long as each
// record still gets 200.
constexpr double kAnnealEach = 60000, kAnnealAll = 8e7, kAnnealLeast = 200;
// Below this many records 'fast' may use 50 ms, above only a few times what MDAV needs.
constexpr Record kSmall = 5000;
// After the descent 'fast' has time for a short annealing, from this share of the first
// temperature, up to this many coordinates.
constexpr std::int64_t kQuenchCoordinates = 20000;
constexpr double kQuenchEach = 200, kQuenchTemperature = 0.4;
// Up to this many coordinates are compared when neighbours are searched exactly at worst.
constexpr double kExactNeighbours = 2.5e7;

struct Budget {
  int neighbours;
  double descent;  ///< effort
};

// Of n records among all that are searched.
double annealing_effort(Record n, Record whole) {
  return std::min(kAnnealEach * whole, std::max(kAnnealAll, kAnnealLeast * whole)) *
         (static_cast<double>(n) / whole);
}

Budget budget_for(Record n, Record whole, Effort effort) {
  const bool small = whole < kSmall || effort == Effort::thorough;
  return {small ? 10 : 5, (small ? 500.0 : 40.0) * n};
}

// Numbers the classes of the search, whose ids may have gaps.
Partition compact(std::vector<ClassId> class_of, ClassId ids) {
  Partition partition{std::move(class_of), ids};
  number_by_first_record(partition);
  partition.classes = partition.class_of.empty() ? 0
                                                 : 1 + *std::max_element(partition.class_of.begin(),
                                                                         partition.class_of.end());
  return partition;
}

// Takes over the classes found if they are better, on a loss computed afresh.
void keep_better(RefineResult* result, const Search& search, const std::vector<ClassId>& class_of,
                 const Loss& loss) {
  Partition found = compact(class_of, search.classes().ids());
  const double after = total_loss(loss, found);
  if (!(after < result->loss_after)) return;
  result->partition = std::move(found);
  result->loss_after = after;
}

// Neighbours by class save time where the start's classes are compact, not where they were dealt
// to meet a constraint: then they cost about as much as one class of all.
bool by_class(const Space& space, const Loss& loss, double loss_before, Effort effort) {
  const double n = space.size();
  if (effort != Effort::fast || n * n * space.dimension() <= kExactNeighbours) return false;
  std::vector<Record> all(static_cast<std::size_t>(space.size()));
  std::iota(all.begin(), all.end(), 0);
  return loss_before < loss.cost(Group(all)) / 2;
}

// Descents and annealings one after the other; keeps the best of what they found.
class Refinement {
 public:
  Refinement(Search& search, const Loss& loss, const RefineOptions& options, Ticker& ticker,
             RefineResult* result)
      : search_(search), loss_(loss), options_(options), ticker_(ticker), result_(result) {}

  void descend(double effort) {
    if (!anonkit::descend(search_, mean() * kTolerance,
                          static_cast<std::int64_t>(effort * options_.scale), options_.clock,
                          ticker_))
      result_->reproducible = false;
    keep_better(result_, search_, search_.classes().class_of(), loss_);
  }

  /// Starts at a share of the loss's first temperature.
  void anneal(double share, double unit, double effort) {
    const Schedule schedule = loss_.schedule();
    const AnnealResult annealed =
        anonkit::anneal(search_,
                        {mean() * unit * share * schedule.first_temperature,
                         mean() * unit * schedule.last_temperature,
                         static_cast<std::int64_t>(effort * schedule.effort * options_.scale),
                         options_.seed, options_.clock},
                        ticker_);
    if (!annealed.reproducible) result_->reproducible = false;
    keep_better(result_, search_, annealed.best, loss_);
  }

 private:
  // The mean loss of a record, as it is now.
  double mean() const { return (result_->loss_before + search_.change()) / search_.space().size(); }

  Search& search_;
  const Loss& loss_;
  const RefineOptions& options_;
  Ticker& ticker_;
  RefineResult* result_;
};

}  // namespace

RefineResult refine(const Space& space, const Partition& start, Record k, Loss& loss,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker) {
  if (k < 1)
    throw Error(ErrorKind::invalid_parameter, "k is out of range", "k must be at least 1.");
  RefineResult result;
  result.partition = compact(start.class_of, start.classes);
  result.loss_before = result.loss_after = total_loss(loss, result.partition);
  const Record n = space.size();
  const Record whole = std::max(n, options.whole);
  const bool hopeless = n < 2 || !(result.loss_before > 0);
  const Budget budget = budget_for(n, whole, options.effort);
  const Neighbours near =
      hopeless ? Neighbours()
      : by_class(space, loss, result.loss_before, options.effort)
          ? neighbours_by_class(space, result.partition, budget.neighbours, ticker)
          : neighbours(space, budget.neighbours, ticker);
  Search search(space, near, result.partition, k, loss, constraints);
  if (hopeless) return result;
  Refinement refinement(search, loss, options, ticker, &result);
  refinement.descend(budget.descent);
  const double unit = constraints.empty() ? 1 : kConstrainedTemperature;
  if (options.effort == Effort::thorough) {
    refinement.anneal(1, unit, annealing_effort(n, whole));
    refinement.descend(budget.descent);
  } else if (std::int64_t{whole} * space.dimension() <= kQuenchCoordinates) {
    refinement.anneal(kQuenchTemperature, unit, kQuenchEach * n);
    refinement.descend(budget.descent);
  }
  result.tried = search.tried();
  return result;
}

RefineResult refine(const Space& space, const Partition& start, Record k,
                    const std::vector<Constraint*>& constraints, const RefineOptions& options,
                    Ticker& ticker) {
  Sse loss(space);
  return refine(space, start, k, loss, constraints, options, ticker);
}

}  // namespace anonkit
