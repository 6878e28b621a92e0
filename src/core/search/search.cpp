#include "search/search.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace anonkit {
namespace {

// Work per visited member of a class, in the ticker's units.
constexpr std::int64_t kWorkOfMember = 30;
// The replacement of a relayed record is a neighbour of one of so many members of its class.
constexpr Record kRelayMembers = 16;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Search::Search(const Space& space, const Neighbours& neighbours, const Partition& start, Record k,
               Loss& loss, const std::vector<Constraint*>& constraints, Ticker& ticker)
    : space_(space),
      neighbours_(neighbours),
      classes_(start, ticker),
      k_(k),
      loss_(loss),
      constraints_(constraints),
      ticker_(ticker) {
  // Checked before any id is used: there are at most n/k classes of at least k records.
  for (ClassId c = 0; c < classes_.ids(); ++c)
    if (records(classes_.members(c)) < k)
      throw Error(ErrorKind::infeasible, "the partition to start from has a class below k");
  records_.assign(static_cast<std::size_t>(capacity()), 0);
  drafts_.resize(kMostDrafts);
  loss_.begin(draft_id(drafts_.size()));
  for (Constraint* constraint : constraints_) constraint->begin(capacity());
  for (ClassId c = 0; c < classes_.ids(); ++c) {
    const RecordSpan members = classes_.members(c);
    if (!allowed(members))
      throw Error(ErrorKind::infeasible, "the partition to start from breaks a constraint");
    assign(c, members);
  }
}

// The loss is compared before the constraints, which cost more to ask: most changes are too dear.
bool Search::move(Record i, ClassId to, double limit) {
  const ClassId from = classes_.of(i);
  if (!may_leave(i)) return false;
  const Change leave{from, classes_.members(from), i, kNone};
  const Change enter{to, classes_.members(to), kNone, i};
  count_change();
  const double cost = loss_.delta(leave, enter);
  if (!(cost < limit) || !allowed(leave) || !allowed(enter)) return false;
  announce(leave);
  announce(enter);
  classes_.move(i, to);
  change_ += cost;
  return true;
}

bool Search::swap(Record i, Record j, double limit) {
  return try_swap(i, j, limit, -kInfinity) == Outcome::done;
}

// If one half shows that the swap is too dear, a number that is no less than the limit stands for
// it.
double Search::cost_of_swap(const Change& here, const Change& there, double limit,
                            double least) const {
  if (least == -kInfinity) return loss_.delta(here, there);
  const double other = loss_.delta(there);
  return least + other < limit ? loss_.delta(here) + other : least + other;
}

// Both classes keep their sizes, so a swap works where every class has exactly k records. The loss
// of the class of i changes by `least` at least.
Search::Outcome Search::try_swap(Record i, Record j, double limit, double least) {
  const ClassId a = classes_.of(i), b = classes_.of(j);
  if (!may_swap(i, j)) return Outcome::refused;
  const Change here{a, classes_.members(a), i, j};
  const Change there{b, classes_.members(b), j, i};
  count_change();
  const double cost = cost_of_swap(here, there, limit, least);
  if (!(cost < limit)) return Outcome::too_dear;
  if (!allowed(here) || !allowed(there)) return Outcome::refused;
  announce(here);
  announce(there);
  classes_.swap(i, j);
  change_ += cost;
  return Outcome::done;
}

// Records at one place cost the same, so only the first of them is evaluated if it is too dear.
bool Search::swap_into(Record i, ClassId to, double limit) {
  prefetch(classes_.members(to));
  const double least = least_of_swap(i);
  Record dear = i, skipped = 0;
  bool done = false;
  for (Record z = 0; z < classes_.size(to) && !done; ++z) {
    const Record j = classes_.member(to, z);
    if (alike(dear, j) || alike(i, j)) {
      ++skipped;
      continue;
    }
    const Outcome outcome = try_swap(i, j, limit, least);
    done = outcome == Outcome::done;
    if (outcome == Outcome::too_dear) dear = j;
  }
  if (skipped > 0) count_members(skipped);
  return done;
}

// An ejection chain of length two (Glover 1996): i leaves `home` for `to`, and j leaves a third
// class for `home`. The search for j, which is dear, begins only if the move of i alone would pay.
ClassId Search::relay(Record i, ClassId to, double limit) {
  const ClassId home = classes_.of(i);
  const Change enter{to, classes_.members(to), kNone, i};
  count_change();
  double cost = loss_.delta(enter);
  if (!(cost - gain(i) < limit)) return kNone;
  const Record j = replacement(i, enter, limit, &cost);
  if (j == kNone) return kNone;
  const ClassId from = classes_.of(j);
  announce(Change{home, classes_.members(home), i, j});
  announce(enter);
  announce(Change{from, classes_.members(from), j, kNone});
  classes_.move(i, to);
  classes_.move(j, home);
  change_ += cost;
  return from;
}

// The record whose move into the place of i costs least, or kNone. Takes the cost of the class that
// i enters, and adds that of the two others.
Record Search::replacement(Record i, const Change& enter, double limit, double* cost) {
  const ClassId home = classes_.of(i);
  const RecordSpan members = classes_.members(home);
  const Record* const last = members.begin() + std::min(members.size(), kRelayMembers);
  const Record least = k_ - (records(home) - space_.weight(i));
  const double entered = *cost, bound = entered + least_of_swap(i);
  double best = limit;
  Record found = kNone, dear = i;
  for (const Record* member = members.begin(); member != last; ++member)
    for (int near = 0; *member != i && near < neighbours_.each; ++near) {
      const Record j = neighbours_.of(*member)[near];
      const ClassId from = classes_.of(j);
      if (from == home || from == enter.id || space_.weight(j) < least || !may_leave(j)) continue;
      if (from == classes_.of(dear) && alike(dear, j)) continue;
      const Change here{home, members, i, j}, leave{from, classes_.members(from), j, kNone};
      count_change();
      const double left = loss_.delta(leave);
      const double sum = bound + left < best ? entered + loss_.delta(here) + left : bound + left;
      if (!(sum < best)) {
        dear = j;
      } else if (allowed(enter) && allowed(here) && allowed(leave)) {
        best = sum;
        found = j;
      }
    }
  *cost = best;
  return found;
}

void Search::prefetch(const RecordSpan& members) const {
  for (const Record i : members) {
    __builtin_prefetch(space_.row(i));
    loss_.prefetch(i);
  }
}

double Search::least_of_swap(Record i) const {
  const ClassId home = classes_.of(i);
  return loss_.least_of_swap(Change{home, classes_.members(home), i, kNone});
}

// With the loss L of a class, L(C) - L(C without i). A class of one record loses nothing.
double Search::gain(Record i) const {
  const ClassId home = classes_.of(i);
  if (classes_.size(home) == 1) return 0;
  return -loss_.delta(Change{home, classes_.members(home), i, kNone});
}

// True if the search cannot distinguish the records but by what the constraints know of them.
bool Search::alike(Record i, Record j) const {
  const double *x = space_.row(i), *y = space_.row(j);
  return space_.weight(i) == space_.weight(j) && std::equal(x, x + space_.dimension(), y);
}

// Rehomes one record after another, each where it costs least at that moment. The sum starts with
// what the class itself no longer costs, and must end below the limit; else all records return.
bool Search::dissolve(ClassId c, double limit) {
  const RecordSpan members = classes_.members(c);
  const std::vector<Record> records(members.begin(), members.end());
  double cost = -cost_of(members);
  std::size_t gone = 0;
  while (gone < records.size() && rehome(records[gone], limit - cost, &cost)) ++gone;
  if (gone == records.size() && cost < limit) {
    assign(c, RecordSpan());
    classes_.release(c);
    change_ += cost;
    return true;
  }
  // The class has not announced its own change yet, so only the gains of the others are reverted.
  while (gone > 0) {
    const Record i = records[--gone];
    const ClassId host = classes_.of(i);
    announce(Change{host, classes_.members(host), i, kNone});
    classes_.move(i, c);
  }
  return false;
}

// Losses do not fall when a class grows. So a record whose new class costs more than the rest of
// the limit ends the attempt.
bool Search::rehome(Record i, double limit, double* cost) {
  const ClassId home = classes_.of(i);
  ClassId host = home, seen = home;
  double best = limit;
  for (int at = 0; at < neighbours_.each; ++at) {
    const ClassId to = classes_.of(neighbours_.of(i)[at]);
    if (to == home || to == seen) continue;
    seen = to;
    const Change enter{to, classes_.members(to), kNone, i};
    count_change();
    const double delta = loss_.delta(enter);
    if (!(delta < best) || !allowed(enter)) continue;
    best = delta;
    host = to;
  }
  if (host == home) return false;
  announce(Change{host, classes_.members(host), kNone, i});
  classes_.move(i, host);
  *cost += best;
  return true;
}

Record Search::records(const RecordSpan& members) const {
  Record sum = 0;
  for (const Record i : members) sum += space_.weight(i);
  return sum;
}

// Points of different weights change the numbers of records of both classes.
bool Search::may_swap(Record i, Record j) const {
  if (!space_.weighted()) return true;
  const Record gain = space_.weight(j) - space_.weight(i);
  return records(classes_.of(i)) + gain >= k_ && records(classes_.of(j)) - gain >= k_;
}

void Search::count_change() {
  ++tried_;
  ticker_.step(3 * space_.dimension() + 40);
}

void Search::count_members(std::int64_t members) const {
  asked_ += members;
  ticker_.step(members * kWorkOfMember);
}

double Search::cost_of(const RecordSpan& members) const {
  ticker_.step(members.size() * kWorkOfMember);
  return loss_.cost(members);
}

bool Search::allowed(const Change& change) const {
  count_members(asked_of(change.members.size()));
  return std::all_of(constraints_.begin(), constraints_.end(),
                     [&](const Constraint* c) { return c->allows(change); });
}

bool Search::allowed(const RecordSpan& members) const {
  count_members(asked_of(members.size()));
  return std::all_of(constraints_.begin(), constraints_.end(),
                     [&](const Constraint* c) { return c->allows(members); });
}

// Invariant: loss and constraints have seen the same changes in the same order as `classes_`, which
// still has the members from before the change.
void Search::announce(const Change& change) {
  Record& records = records_[static_cast<std::size_t>(change.id)];
  if (change.out != kNone) records -= space_.weight(change.out);
  if (change.in != kNone) records += space_.weight(change.in);
  loss_.apply(change);
  for (Constraint* constraint : constraints_) constraint->apply(change);
}

void Search::assign(ClassId c, const RecordSpan& members) {
  ticker_.step(members.size() * kWorkOfMember);
  records_[static_cast<std::size_t>(c)] = records(members);
  loss_.assign(c, members);
  for (Constraint* constraint : constraints_) constraint->assign(c, members);
}

// A fresh sum over the classes, for comparison with the sum of changes, whose rounding errors add
// up.
double total_loss(const Loss& loss, const Partition& partition, Ticker& ticker) {
  const Members members = members_of(partition);
  double sum = 0;
  for (const RecordSpan of_class : members) {
    ticker.step(of_class.size() * kWorkOfMember);
    sum += loss.cost(of_class);
  }
  return sum;
}

}  // namespace anonkit
