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
// Temperatures, in units of the mean loss of a record after a first descent. What constraints force
// on every record tells nothing about differences, so they call for lower temperatures.
constexpr double kFirstTemperature = 1, kLastTemperature = 0.02;
constexpr double kConstrainedTemperature = 0.25;
// Effort of the annealing: 60,000 a record, but no more than 80 million in all as long as each
// record still gets 200.
constexpr double kAnnealEach = 60000, kAnnealAll = 8e7, kAnnealLeast = 200;
// Below this many records 'fast' may use 50 ms, above only a few times what MDAV needs.
constexpr Record kSmall = 5000;
// After the descent 'fast' has time for a short, cooler annealing up to this many coordinates.
constexpr std::int64_t kQuenchCoordinates = 20000;
constexpr double kQuench = 2e5, kQuenchTemperature = 0.4;
// Up to this many coordinates are compared when neighbours are searched exactly at worst.
constexpr double kExactNeighbours = 2.5e7;

struct Budget {
  int neighbours;
  double descent;  ///< effort
};

double annealing_effort(Record n) {
  return std::min(kAnnealEach * n, std::max(kAnnealAll, kAnnealLeast * n));
}

Budget budget_for(Record n, const RefineOptions& options) {
  const bool small = n < kSmall || options.effort == Effort::thorough;
  return {small ? 10 : 6, (small ? 500.0 : 100.0) * n * options.scale};
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

class Refinement {
 public:
  Refinement(Search& search, const RefineOptions& options, const Budget& budget, bool constrained,
             Ticker& ticker)
      : search_(search),
        options_(options),
        budget_(budget),
        constrained_(constrained),
        ticker_(ticker) {}

  void descend(double mean) {
    anonkit::descend(search_, mean * kTolerance, static_cast<std::int64_t>(budget_.descent),
                     ticker_);
  }

  AnnealResult anneal(double mean, double first, double effort) {
    const double unit = mean * (constrained_ ? kConstrainedTemperature : 1);
    return anonkit::anneal(
        search_,
        {unit * first, unit * kLastTemperature, static_cast<std::int64_t>(effort * options_.scale),
         options_.seed, options_.clock},
        ticker_);
  }

 private:
  Search& search_;
  const RefineOptions& options_;
  const Budget& budget_;
  bool constrained_;
  Ticker& ticker_;
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
  if (n < 2 || !(result.loss_before > 0)) return result;
  const Budget budget = budget_for(n, options);
  const Neighbours near =
      by_class(space, loss, result.loss_before, options.effort)
          ? neighbours_by_class(space, result.partition, budget.neighbours, ticker)
          : neighbours(space, budget.neighbours, ticker);
  Search search(space, near, result.partition, k, loss, constraints);
  Refinement refinement(search, options, budget, !constraints.empty(), ticker);
  const auto mean = [&] { return (result.loss_before + search.change()) / n; };
  refinement.descend(mean());
  keep_better(&result, search, search.classes().class_of(), loss);
  const bool thorough = options.effort == Effort::thorough;
  if (thorough || std::int64_t{n} * space.dimension() <= kQuenchCoordinates) {
    const AnnealResult annealed =
        thorough ? refinement.anneal(mean(), kFirstTemperature, annealing_effort(n))
                 : refinement.anneal(mean(), kQuenchTemperature, kQuench);
    result.reproducible = annealed.reproducible;
    keep_better(&result, search, annealed.best, loss);
    refinement.descend(mean());
    keep_better(&result, search, search.classes().class_of(), loss);
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
