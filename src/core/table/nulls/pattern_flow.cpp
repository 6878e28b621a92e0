#include "table/nulls/pattern_flow.hpp"

#include <algorithm>

namespace anonkit {

PatternFlow::PatternFlow(const std::vector<NullPattern>& patterns, std::vector<std::int64_t> counts,
                         std::int64_t k)
    : counts_(std::move(counts)),
      held_(patterns.size()),
      k_(k),
      in_(patterns.size()),
      step_(patterns.size()) {
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    nulls_.push_back(null_count(patterns[p]));
    first_arc_.push_back(arcs_.size());
    for (std::size_t q = p; counts_[p] > 0 && q < patterns.size(); ++q) {
      if (!covers(patterns[q], patterns[p])) continue;
      in_[q].push_back(arcs_.size());
      arcs_.push_back({p, q, 0});
    }
  }
  first_arc_.push_back(arcs_.size());
}

bool PatternFlow::solve(const std::vector<PatternStatus>& statuses) {
  if (!place_all(statuses)) return false;
  for (std::size_t q = 0; q < statuses.size(); ++q)
    while (statuses[q] == PatternStatus::kept && held_[q] < k_)
      if (!fill(q, statuses)) return false;
  return true;
}

/// Moves every record to the admissible pattern with the fewest nulls.
bool PatternFlow::place_all(const std::vector<PatternStatus>& statuses) {
  std::fill(held_.begin(), held_.end(), 0);
  for (Arc& arc : arcs_) arc.flow = 0;
  work_ += static_cast<std::int64_t>(arcs_.size());
  for (std::size_t p = 0; p < counts_.size(); ++p) {
    if (counts_[p] == 0) continue;
    std::size_t a = first_arc_[p];
    while (a < first_arc_[p + 1] && statuses[arcs_[a].to] == PatternStatus::emptied) ++a;
    if (a == first_arc_[p + 1]) return false;
    arcs_[a].flow = counts_[p];
    held_[arcs_[a].to] += counts_[p];
  }
  return true;
}

std::int64_t PatternFlow::spare(std::size_t r, PatternStatus status) const {
  return status == PatternStatus::kept ? held_[r] - k_ : held_[r];
}

/// Moves records into q along one augmenting path.
bool PatternFlow::fill(std::size_t q, const std::vector<PatternStatus>& statuses) {
  search_back_from(q);
  const std::size_t none = counts_.size();
  std::size_t best = none;
  for (const std::size_t r : reached_)
    if (r != q && spare(r, statuses[r]) > 0 && (best == none || nulls_[r] > nulls_[best])) best = r;
  if (best == none) return false;

  std::int64_t amount = std::min(k_ - held_[q], spare(best, statuses[best]));
  for (std::size_t r = best; r != q; r = arcs_[step_[r].enter].to)
    amount = std::min(amount, arcs_[step_[r].leave].flow);
  for (std::size_t r = best; r != q; r = arcs_[step_[r].enter].to) {
    arcs_[step_[r].leave].flow -= amount;
    arcs_[step_[r].enter].flow += amount;
  }
  held_[best] -= amount;
  held_[q] += amount;
  return true;
}

/// Finds every pattern from which a chain of moves can bring one more record to q.
void PatternFlow::search_back_from(std::size_t q) {
  pattern_seen_.assign(counts_.size(), 0);
  source_seen_.assign(counts_.size(), 0);
  reached_.assign(1, q);
  pattern_seen_[q] = 1;
  for (std::size_t next = 0; next < reached_.size(); ++next) {
    const std::vector<std::size_t>& into = in_[reached_[next]];
    work_ += static_cast<std::int64_t>(into.size());
    for (const std::size_t enter : into) look_at_source(enter);
  }
}

void PatternFlow::look_at_source(std::size_t enter) {
  const std::size_t p = arcs_[enter].from;
  if (source_seen_[p] != 0) return;
  source_seen_[p] = 1;
  work_ += static_cast<std::int64_t>(first_arc_[p + 1] - first_arc_[p]);
  for (std::size_t leave = first_arc_[p]; leave < first_arc_[p + 1]; ++leave) {
    const std::size_t r = arcs_[leave].to;
    if (arcs_[leave].flow == 0 || pattern_seen_[r] != 0) continue;
    pattern_seen_[r] = 1;
    step_[r] = {leave, enter};
    reached_.push_back(r);
  }
}

std::int64_t PatternFlow::cells() const {
  std::int64_t cells = 0;
  for (std::size_t p = 0; p < counts_.size(); ++p) cells += nulls_[p] * (held_[p] - counts_[p]);
  return cells;
}

std::vector<PatternFlow::Shipment> PatternFlow::shipments() const {
  std::vector<Shipment> shipments;
  for (const Arc& arc : arcs_)
    if (arc.flow > 0) shipments.push_back({arc.from, arc.to, arc.flow});
  return shipments;
}

}  // namespace anonkit
