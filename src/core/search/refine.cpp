#include "search/refine.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "error.hpp"
#include "search/annealing.hpp"
#include "search/descent.hpp"
#include "search/neighbours.hpp"
#include "search/search.hpp"
#include "search/sse.hpp"

namespace anonkit {
namespace {
double env(const char* name, double def) { return getenv(name) ? atof(getenv(name)) : def; }

constexpr int kNeighbours = 10;
// Changes that the descent may try, for each record.
constexpr double kDescent = 500;
// Moves of the annealing: 25,000 a record, but no more than 40 million in all as long as each
// record still gets 200.
constexpr double kMovesEach = 25000, kMovesAll = 4e7, kMovesLeast = 200;
// Temperatures, in units of the start's mean loss of a record.
constexpr double kFirstTemperature = 1, kLastTemperature = 0.02;
// An improvement below this share of the mean loss of a record is rounding noise.
constexpr double kTolerance = 1e-9;

std::int64_t annealing_moves(Record n, double scale) {
  const double all = std::min(kMovesEach * n, std::max(kMovesAll, kMovesLeast * n));
  return static_cast<std::int64_t>(all * scale);
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
  const double mean = result.loss_before / n;
  const Neighbours near = getenv("EX")?neighbours(space, int(env("M",10)), ticker):neighbours_by_class(space, result.partition, int(env("M",10)), ticker);
  Search search(space, near, result.partition, k, loss, constraints);
  if (options.effort == Effort::thorough) {
    descend(search, mean * kTolerance, static_cast<std::int64_t>(env("BUDGET",500) * n * options.scale), ticker);
    const double mean = (result.loss_before + search.change()) / n;
    if(getenv("V"))printf("descent %.4f\n",mean/result.loss_before*n);
    const AnnealResult annealed =
        anneal(search,
               {mean * env("T0",1), mean * env("T1",.02),
                annealing_moves(n, options.scale), options.seed, options.clock},
               ticker);
    result.reproducible = annealed.reproducible;
    keep_better(&result, search, annealed.best, loss);
  }
  if (options.effort == Effort::fast && getenv("Q")) {
    descend(search, mean * kTolerance, static_cast<std::int64_t>(env("BUDGET",500) * n * options.scale), ticker);
    const AnnealResult annealed =
        anneal(search,
               {mean * env("QT", 0.1), mean * env("QE",0.02),
                std::int64_t(env("Q",200)*n), options.seed, options.clock},
               ticker);
    keep_better(&result, search, annealed.best, loss);
  }
  descend(search, mean * kTolerance, static_cast<std::int64_t>(env("BUDGET",500) * n * options.scale),
          ticker);
  keep_better(&result, search, search.classes().class_of(), loss);
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
