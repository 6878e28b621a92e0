// Search::split: a class becomes two, cut across its longest extent.
//
// An annealing tries to split the same large classes again and again, mostly in vain. The costs of
// the cuts and the answers of the constraints depend on the class's records alone. So they are kept
// as long as the class has the same records in the same order, since sums in another order differ
// in the last digits. A split by what is kept counts the same effort: budgets and results do not
// depend on it.

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

// The cuts of smaller classes are evaluated as soon as looked up.
constexpr Record kKeptFrom = 64;

bool has_members(const std::vector<Record>& kept, const RecordSpan& members) {
  return std::equal(kept.begin(), kept.end(), members.begin(), members.end());
}

}  // namespace

// Takes the cut where the two parts lose least together, each of k records at least.
bool Search::split(ClassId c, double limit) {
  const RecordSpan members = classes_.members(c);
  if (records(c) < 2 * k_) return false;
  count_members(members.size());
  std::vector<Record> order;
  Cuts own;
  Cuts& cuts = members.size() < kKeptFrom ? own : cuts_[c];
  if (!has_members(cuts.members, members)) evaluate_cuts(c, order, cuts);
  double best = limit;
  Record cut = 0;
  for (Cut& one : cuts.cuts) {
    count_change();
    if (!(one.cost < best) || !allowed(c, one, order)) continue;
    best = one.cost;
    cut = one.head;
  }
  if (cut == 0) return false;
  if (order.empty()) order_along_extent(c, order);
  cuts_.erase(c);
  const ClassId fresh = classes_.empty_id();
  for (std::size_t i = at(cut); i < order.size(); ++i) classes_.move(order[i], fresh);
  assign(c, classes_.members(c));
  assign(fresh, classes_.members(fresh));
  change_ += best;
  return true;
}

// Every cut has L(head) + L(tail) - L(class) as its cost. A few cuts are enough: the records next
// to a cut move on their own later.
void Search::evaluate_cuts(ClassId c, std::vector<Record>& order, Cuts& cuts) const {
  const RecordSpan members = classes_.members(c);
  const Record size = members.size(), whole = records(c);
  order_along_extent(c, order);
  cuts.members.assign(members.begin(), members.end());
  cuts.cuts.clear();
  const double before = cost_of(members);
  const Record stride = std::max<Record>(1, (whole - 2 * k_) / 4);
  Record before_cut = 0, next = k_;
  for (Record head = 1; head < size; ++head) {
    before_cut += space_.weight(order[at(head) - 1]);
    if (before_cut > whole - k_) break;
    if (before_cut < next) continue;
    next = before_cut + stride;
    const double parts = cost_of(RecordSpan(order.data(), head)) +
                         cost_of(RecordSpan(order.data() + head, size - head));
    cuts.cuts.push_back({head, parts - before, Verdict::unasked});
  }
}

// Asks the constraints once for a class; `order` is made if they are asked.
bool Search::allowed(ClassId c, Cut& cut, std::vector<Record>& order) {
  const Record tail = classes_.size(c) - cut.head;
  if (cut.verdict != Verdict::unasked) {
    asked_ += asked_of(cut.head) + (cut.verdict == Verdict::head_refused ? 0 : asked_of(tail));
    return cut.verdict == Verdict::allowed;
  }
  if (order.empty()) order_along_extent(c, order);
  if (!allowed(RecordSpan(order.data(), cut.head)))
    cut.verdict = Verdict::head_refused;
  else if (!allowed(RecordSpan(order.data() + cut.head, tail)))
    cut.verdict = Verdict::tail_refused;
  else
    cut.verdict = Verdict::allowed;
  return cut.verdict == Verdict::allowed;
}

// The difference of squared distances to two points r and s is linear along the line through them:
// |x-r|^2 - |x-s|^2 = 2 (s-r).x + constant. So no projection needs to be computed.
// Orders a class along the line from the record farthest from its first one to the record farthest
// from that.
void Search::order_along_extent(ClassId c, std::vector<Record>& records) const {
  const RecordSpan members = classes_.members(c);
  const auto farthest = [&](Record from) {
    Record best = from;
    double distance = -1;
    for (const Record i : members) {
      const double d = space_.squared_distance(space_.row(from), space_.row(i));
      if (d > distance || (d == distance && i < best)) {
        distance = d;
        best = i;
      }
    }
    return best;
  };
  const Record r = farthest(*std::min_element(members.begin(), members.end()));
  const Record s = farthest(r);
  std::vector<std::pair<double, Record>> order;
  for (const Record i : members) {
    order.emplace_back(space_.squared_distance(space_.row(i), space_.row(r)) -
                           space_.squared_distance(space_.row(i), space_.row(s)),
                       i);
  }
  std::sort(order.begin(), order.end());
  for (const auto& entry : order) records.push_back(entry.second);
}

}  // namespace anonkit
