#include "table/nulls/blanking_search.hpp"

#include <algorithm>

namespace anonkit {

BlankingSearch::BlankingSearch(const std::vector<NullPattern>& patterns,
                               std::vector<std::int64_t> counts, std::int64_t k,
                               std::int64_t effort, Ticker& ticker)
    : flow_(patterns, std::move(counts), k),
      fates_(patterns.size(), PatternStatus::undecided),
      k_(k),
      effort_(effort),
      ticker_(ticker) {}

void BlankingSearch::run(const std::vector<char>& kept) {
  for (std::size_t q = 0; q < fates_.size(); ++q)
    fates_[q] = kept[q] != 0 ? PatternStatus::kept : PatternStatus::emptied;
  if (improves()) keep_best();
  // Half of the effort, so that the rest is left for branch and bound.
  const std::int64_t effort = effort_;
  effort_ = effort / 2;
  while (descend_once()) {
  }
  effort_ = effort;
  std::fill(fates_.begin(), fates_.end(), PatternStatus::undecided);
  complete_ = true;
  branch();
}

/// True if the statuses allow a cheaper plan than the best known one.
bool BlankingSearch::improves() {
  if (flow_.work() > effort_) {
    complete_ = false;
    return false;
  }
  const std::int64_t before = flow_.work();
  const bool possible = flow_.solve(fates_);
  ticker_.step(flow_.work() - before);
  return possible && (best_cells_ < 0 || flow_.cells() < best_cells_);
}

void BlankingSearch::keep_best() {
  best_cells_ = flow_.cells();
  best_ = flow_.shipments();
}

/// Reverses each single decision whose reversal is cheaper; false if none is.
bool BlankingSearch::descend_once() {
  bool improved = false;
  for (PatternStatus& status : fates_) {
    const PatternStatus before = status;
    status = before == PatternStatus::kept ? PatternStatus::emptied : PatternStatus::kept;
    if (improves()) {
      keep_best();
      improved = true;
    } else {
      status = before;
    }
  }
  return improved;
}

/// The undecided pattern farthest from both 0 and k records; the number of patterns without one.
std::size_t BlankingSearch::doubtful_pattern() const {
  std::size_t doubtful = fates_.size();
  std::int64_t most = 0;
  for (std::size_t q = 0; q < fates_.size(); ++q) {
    if (fates_[q] != PatternStatus::undecided) continue;
    const std::int64_t doubt = std::min(flow_.held(q), k_ - flow_.held(q));
    if (doubt <= most) continue;
    most = doubt;
    doubtful = q;
  }
  return doubtful;
}

void BlankingSearch::branch() {
  // Undecided patterns may hold any number, so the cost bounds all nodes below.
  if (!improves()) return;
  const std::size_t q = doubtful_pattern();
  if (q == fates_.size()) {
    keep_best();
    return;
  }
  const bool keep_first = 2 * flow_.held(q) >= k_;
  for (const bool keep : {keep_first, !keep_first}) {
    fates_[q] = keep ? PatternStatus::kept : PatternStatus::emptied;
    branch();
  }
  fates_[q] = PatternStatus::undecided;
}

}  // namespace anonkit
