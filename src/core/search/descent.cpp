#include "search/descent.hpp"

#include <algorithm>
#include <vector>

#include "base/at.hpp"

namespace anonkit {
namespace {

constexpr Record kClockInterval = 1024;  // records or classes
// This many unsuccessful visits of records cost as much as one evaluated change.
constexpr std::int64_t kLooksOfTry = 2;

class Descent {
 public:
  Descent(Search& search, double tolerance, std::int64_t budget,
          const std::function<double()>& clock, Ticker& ticker)
      : search_(search),
        neighbours_(search.neighbours()),
        tolerance_(tolerance),
        last_(search.effort() + budget),
        timer_(clock),
        ticker_(ticker),
        checked_(static_cast<std::size_t>(search.space().size()), 0),
        changed_(static_cast<std::size_t>(search.capacity()), 0) {}

  bool run(DescentOrder order) {
    ticker_.begin("improving classes", last_ - search_.effort());
    look_at_clock();
    if (order == DescentOrder::classes_first) sweep_classes();
    while (!spent() && (sweep_records() || sweep_classes())) {
    }
    return !expired_;
  }

 private:
  // Budgets are in changes, not in seconds, so a descent without a clock depends on its arguments
  // alone.
  bool spent() const { return expired_ || search_.effort() + looks_ / kLooksOfTry >= last_; }
  void look_at_clock() { expired_ = expired_ || (timer_ && timer_() >= 1); }

  // Visits each record until none of its changes helps. A visit in vain costs little, but not
  // nothing: looks_ makes the budget end a descent that only looks.
  bool sweep_records() {
    bool improved = false;
    const auto n = static_cast<Record>(checked_.size());
    for (Record i = 0; i < n && !spent(); ++i) {
      if (i % kClockInterval == 0) look_at_clock();
      const std::int64_t before = search_.effort();
      while (improve(i) && !spent()) improved = true;
      const std::int64_t effort = search_.effort() - before;
      ticker_.step(10);
      ticker_.advance(effort);
    }
    return improved;
  }

  // Makes the first helpful change among those that bring the record to a neighbour's class.
  // Changes evaluated since the last update of both classes are skipped. So are records without
  // which their class loses as much: a swap helps only if the other record's class gains.
  bool improve(Record i) {
    const ClassId home = search_.classes().of(i);
    hosts_.clear();
    const std::int32_t seen = checked_[at(i)];
    for (int m = 0; m < neighbours_.each; ++m) {
      const ClassId to = search_.classes().of(neighbours_.of(i)[m]);
      if (to == home || (changed(home) <= seen && changed(to) <= seen)) continue;
      if (std::find(hosts_.begin(), hosts_.end(), to) == hosts_.end()) hosts_.push_back(to);
    }
    checked_[at(i)] = clock_;
    ++looks_;
    if (hosts_.empty() || search_.gain(i) <= tolerance_) return false;
    for (const ClassId to : hosts_) {
      ClassId third = home;
      if (!enter(i, to, &third)) continue;
      changed_[at(home)] = changed_[at(to)] = changed_[at(third)] = ++clock_;
      return true;
    }
    return false;
  }

  // Times are numbers of changes. A change between two classes need not be evaluated again before
  // one of them has changed.
  std::int32_t changed(ClassId c) const { return std::max(all_changed_, changed_[at(c)]); }

  // Sets the third class if the change concerns one.
  bool enter(Record i, ClassId to, ClassId* third) {
    if (search_.move(i, to, -tolerance_) || search_.swap_into(i, to, -tolerance_)) return true;
    const ClassId from = search_.relay(i, to, -tolerance_);
    if (from != kNone) *third = from;
    return from != kNone;
  }

  // Splits and dissolutions are rare, and change the classes of many records at once. After one,
  // every record is worth another visit, whichever its class: `all_changed_` stands for all
  // classes.
  bool sweep_classes() {
    bool improved = false;
    for (ClassId c = 0; c < search_.classes().ids() && !spent(); ++c) {
      const Record size = search_.classes().size(c);
      if (c % kClockInterval == 0) look_at_clock();
      if (size == 0) continue;
      ticker_.step(10);
      if (search_.split(c, -tolerance_) || search_.dissolve(c, -tolerance_)) {
        improved = true;
        all_changed_ = ++clock_;
      }
    }
    return improved;
  }

  Search& search_;
  const Neighbours& neighbours_;
  double tolerance_;
  std::int64_t last_;
  std::int64_t looks_ = 0;
  const std::function<double()>& timer_;
  bool expired_ = false;
  Ticker& ticker_;
  std::int32_t clock_ = 1;
  std::int32_t all_changed_ = 1;       ///< the time of the last split or dissolution
  std::vector<std::int32_t> checked_;  ///< by record: the time of its last visit
  std::vector<std::int32_t> changed_;  ///< by class: the time of its last change
  std::vector<ClassId> hosts_;
};

}  // namespace

bool descend(Search& search, DescentOrder order, double tolerance, std::int64_t budget,
             const std::function<double()>& clock, Ticker& ticker) {
  return Descent(search, tolerance, budget, clock, ticker).run(order);
}

}  // namespace anonkit
