#include "search/annealing.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "search/cooling.hpp"
#include "search/near_classes.hpp"

namespace anonkit {
namespace {

constexpr int kSteps = 1000;
// Shares, in 1024 proposals, of dissolutions and (where no other change applies) of splits. Either
// costs as much as a hundred swaps.
constexpr std::uint64_t kDissolve = 5, kSplit = 50;
// The share of near classes formed anew, as long as they take less than a quarter of the effort.
constexpr std::uint64_t kRecreate = 8;
constexpr std::int64_t kOfEffort = 4;
// These bits of a draw are all 0 for a relay in the place of a swap: one in eight.
constexpr std::uint64_t kRelayBits = 7;
// Dissolutions are judged at a lower temperature: a hot search would dissolve many classes that it
// cannot form again.
constexpr double kDissolveLimit = 0.2;
// Classes that the cheapest records formed anew seldom lose more, unless all of them are poor ones.
constexpr double kRecreateLimit = 0.01;
// Ruin and recreate begins with the class that loses most of so many.
constexpr int kContestants = 4;
// The effort of looking for classes near another one.
constexpr std::int64_t kLook = 4;
// The search for neighbours and other preparations before the first step do not count as lateness.
constexpr double kPreparation = 0.1;

class Annealing {
 public:
  Annealing(Search& search, const AnnealPlan& plan, Ticker& ticker)
      : search_(search),
        classes_(search.classes()),
        neighbours_(search.neighbours()),
        near_classes_(search),
        random_(plan.seed),
        draws_(plan.draws),
        relays_(plan.relays),
        recreates_(near_classes_.fit_in(static_cast<double>(plan.moves))),
        ticker_(ticker) {}

  // One temperature. Proposals without a change count as effort, so that the loop ends where all
  // neighbours of all records share a class.
  void run(double temperature, std::int64_t effort) {
    const std::int64_t until = search_.effort() + effort - owed_;
    idle_ = 0;
    while (search_.effort() + idle_ < until) {
      if (draws_ == Draws::classes)
        propose_classes(temperature);
      else
        propose(temperature);
      ticker_.step(10);
    }
    // One set formed anew may take the effort of several temperatures: the next ones have less.
    if (draws_ == Draws::classes)
      owed_ = std::max(std::int64_t{0}, search_.effort() + idle_ - until - effort);
    ticker_.advance(effort);
  }

 private:
  // Two draws serve all choices: their high and low halves are independent.
  void propose(double temperature) {
    const std::uint64_t bits = random_.next(), more = random_.next();
    const auto i = static_cast<Record>(pick(bits >> 32, search_.space().size()));
    const Record near = neighbours_.of(i)[pick(more >> 32, neighbours_.each)];
    const double limit = temperature * threshold_.draw(bits);
    const std::uint64_t dice = bits >> 12 & 1023;
    const ClassId home = classes_.of(i), to = classes_.of(near);
    if (home == to) {
      ++idle_;
      if (dice < kSplit) search_.split(home, limit);
    } else if (dice < kDissolve) {
      search_.dissolve(home, limit * kDissolveLimit);
    } else if (recreates_ && dice < kDissolve + kRecreate &&
               kOfEffort * recreated_ <= search_.effort()) {
      const std::int64_t before = search_.effort();
      recreate_around(home, limit * kRecreateLimit);
      recreated_ += search_.effort() - before;
    } else if (search_.may_leave(i) && (bits >> 22 & 1)) {
      search_.move(i, to, limit);
    } else if (relays_ && (bits >> 23 & kRelayBits) == 0) {
      search_.relay(i, to, limit);
    } else {
      search_.swap(i, classes_.member(to, pick(more & 0xffffffff, classes_.size(to))), limit);
    }
  }

  void propose_classes(double temperature) {
    ClassId worst = kNone;
    double most = 0;
    for (int more = 0; more < kContestants; ++more) {
      const ClassId one = class_of_any();
      if (near_classes_.is_too_large(one)) continue;
      const double loss = search_.mean_loss(one);
      if (worst != kNone && !(loss > most)) continue;
      worst = one;
      most = loss;
    }
    if (worst == kNone)
      idle_ += kLook;
    else
      recreate_around(worst, temperature * threshold_.draw(random_.next()));
  }

  ClassId class_of_any() {
    return classes_.of(static_cast<Record>(pick(random_.next() >> 32, search_.space().size())));
  }

  void recreate_around(ClassId home, double limit) {
    const std::vector<ClassId>& ids = near_classes_.around(home, random_);
    idle_ += kLook;
    if (ids.size() > 1) search_.recreate(ids, random_, limit);
  }

  // Multiplies by the bound and keeps the high bits, with no division (Lemire 2019); the bias is
  // below bound / 2^32.
  static std::int32_t pick(std::uint64_t bits32, std::int32_t bound) {
    return static_cast<std::int32_t>(Random::scale(bits32, static_cast<std::uint32_t>(bound)));
  }

  Search& search_;
  const Classes& classes_;
  const Neighbours& neighbours_;
  NearClasses near_classes_;
  Random random_;
  Draws draws_;
  bool relays_;
  Threshold threshold_;
  std::int64_t idle_ = 0;  ///< proposals without a change to evaluate
  bool recreates_;
  std::int64_t recreated_ = 0;  ///< the effort of classes formed anew
  std::int64_t owed_ = 0;       ///< effort beyond twice a temperature's share
  Ticker& ticker_;
};

}  // namespace

// Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) in kSteps temperatures with equal shares
// of the moves. Behind its time, it skips temperatures rather than end hot. The result is the best
// state at the end of a temperature; the last one need not be it.
AnnealResult anneal(Search& search, const AnnealPlan& plan, Ticker& ticker) {
  ticker.begin("annealing", plan.moves);
  AnnealResult result{search.classes().class_of(), true};
  const Cooling cooling(plan.first_temperature, plan.last_temperature, kSteps);
  const double start = search.change();
  double best = start;
  Annealing annealing(search, plan, ticker);
  for (int step = 0; step < kSteps; ++step) {
    const double gone = plan.clock ? (plan.clock() - kPreparation) / (1 - kPreparation) : 0;
    if (gone > static_cast<double>(step) / kSteps) {
      result.reproducible = false;
      step = static_cast<int>(std::min(gone, 1.0) * kSteps);
      if (step >= kSteps) break;
    }
    annealing.run(cooling.at(step), plan.moves * (step + 1) / kSteps - plan.moves * step / kSteps);
    if (search.change() < best) {
      best = search.change();
      result.best = search.classes().class_of();
    }
  }
  return result;
}

}  // namespace anonkit
