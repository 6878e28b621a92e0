// Search::recreate: ruin and recreate (Schrimpf et al., Record Breaking Optimization Results Using
// the Ruin and Recreate Principle, J. Comput. Phys. 2000).

#include <algorithm>
#include <utility>

#include "search/search.hpp"

namespace anonkit {

// Many records are alike, and a random order of theirs leads to other classes each time. A draft
// loses no less when it grows, so the attempt ends where the drafts have lost as much as may be.
bool Search::recreate(const std::vector<ClassId>& ids, Random& random, double limit) {
  loose_.clear();
  double cost = 0;
  for (const ClassId c : ids) {
    const RecordSpan members = classes_.members(c);
    loose_.insert(loose_.end(), members.begin(), members.end());
    cost -= cost_of(members);
  }
  shuffle(loose_, random);
  std::size_t drafts = 0;
  while (cost < limit && drafts < kMostDrafts && grow_draft(drafts, &cost)) ++drafts;
  if (drafts == 0) return false;
  while (cost < limit && !loose_.empty()) join_draft(drafts, &cost);
  if (!(cost < limit)) return false;
  for (std::size_t d = 0; constrained() && d < drafts; ++d)
    if (!allowed(RecordSpan(drafts_[d]))) return false;
  take_drafts(ids, drafts);
  change_ += cost;
  return true;
}

// From the last loose record on, until the draft may be a class. If the records do not suffice,
// they are loose again.
bool Search::grow_draft(std::size_t draft, double* cost) {
  std::vector<Record>& members = drafts_[draft];
  members.clear();
  if (records(RecordSpan(loose_)) < k_) return false;
  members.push_back(loose_.back());
  loose_.pop_back();
  const ClassId id = draft_id(draft);
  loss_.assign(id, RecordSpan(members));
  double grown = cost_of(RecordSpan(members));
  Record weight = space_.weight(members.front());
  while (weight < k_ || (constrained() && !allowed(RecordSpan(members)))) {
    if (loose_.empty()) {
      loose_.swap(members);
      return false;
    }
    double best = 0;
    std::size_t next = loose_.size();
    for (std::size_t at = 0; at < loose_.size(); ++at) {
      count_change();
      const double delta = loss_.delta(Change{id, RecordSpan(members), kNone, loose_[at]});
      if (next < loose_.size() && !(delta < best)) continue;
      best = delta;
      next = at;
    }
    std::swap(loose_[next], loose_.back());
    enter_draft(draft);
    weight += space_.weight(members.back());
    grown += best;
  }
  *cost += grown;
  return true;
}

// The last loose record joins the draft where it costs least.
void Search::join_draft(std::size_t drafts, double* cost) {
  double best = 0;
  std::size_t host = drafts;
  for (std::size_t d = 0; d < drafts; ++d) {
    count_change();
    const Change enter{draft_id(d), RecordSpan(drafts_[d]), kNone, loose_.back()};
    const double delta = loss_.delta(enter);
    if (host < drafts && !(delta < best)) continue;
    best = delta;
    host = d;
  }
  enter_draft(host);
  *cost += best;
}

void Search::enter_draft(std::size_t draft) {
  std::vector<Record>& members = drafts_[draft];
  loss_.apply(Change{draft_id(draft), RecordSpan(members), kNone, loose_.back()});
  members.push_back(loose_.back());
  loose_.pop_back();
}

// The drafts take the ids of the classes, and further ids or fewer.
void Search::take_drafts(std::vector<ClassId> ids, std::size_t drafts) {
  for (std::size_t d = 0; d < drafts; ++d) {
    if (d == ids.size()) ids.push_back(classes_.empty_id());
    for (const Record i : drafts_[d]) classes_.move(i, ids[d]);
  }
  for (const ClassId c : ids) {
    assign(c, classes_.members(c));
    if (classes_.size(c) == 0) classes_.release(c);
  }
}

}  // namespace anonkit
