#include "search/starts.hpp"

#include <algorithm>
#include <utility>

#include "search/clock.hpp"
#include "search/crossover.hpp"
#include "search/loss/sse_loss.hpp"

namespace anonkit {
namespace {

// The largest number of long searches. Few records allow one from every start: a start that seems
// poor after its short search can still lead to the least loss.
constexpr std::size_t kLongSearches = 12, kLongSearchesOfMany = 6;
// The number of results that a fast search of few records anneals. Crossing two of them takes .3 %
// off the loss of some tables, in one and a half times the time.
constexpr std::size_t kAnnealedOfFew = 2;
// The share of the short searches in a time limit.
constexpr double kShortShare = 0.2;

struct Candidate {
  std::size_t start;
  Partition partition;
  double loss;
};

// Invariant: a candidate's loss is that of its partition as readers see it, and never rises. So the
// best candidate never has more loss than any start.
class StartsSearch {
 public:
  StartsSearch(const StartSearch& search, const RefineOptions& options, Record records)
      : search_(search),
        options_(options),
        few_(options.effort_records(records) <= kEveryStart),
        quenched_(options.effort_records(records) <= kMostQuenched),
        every_(few_ || options.every_start || options.effort == Effort::thorough) {}

  SearchedStarts run(std::vector<Partition> starts) {
    take(std::move(starts));
    search_briefly();
    if (options_.effort == Effort::thorough) search_leaders();
    Candidate& best = candidates_.front();
    return {best.start, std::move(best.partition), best.loss, reproducible_};
  }

 private:
  // Equal starts count once. Those that break a promise as published count if there are no others.
  void take(std::vector<Partition> starts) {
    for (std::size_t at = 0; at < starts.size(); ++at) {
      if (!search_.published) {
        take(at, std::move(starts[at]));
      } else if (std::optional<Partition> kept = search_.published(starts[at])) {
        take(at, std::move(*kept));
      }
    }
    for (std::size_t at = 0; at < starts.size() && candidates_.empty(); ++at)
      take(at, std::move(starts[at]));
    sort();
    if (every_ || candidates_.size() < 3) return;
    const auto finest = std::max_element(candidates_.begin() + 1, candidates_.end(),
                                         [](const Candidate& a, const Candidate& b) {
                                           return a.partition.classes < b.partition.classes;
                                         });
    std::swap(candidates_[1], *finest);
    candidates_.resize(2);
  }

  void take(std::size_t at, Partition start) {
    number_by_first_record(start);
    if (known(start)) return;
    const double loss = loss_of(start);
    candidates_.push_back({at, std::move(start), loss});
  }

  bool known(const Partition& partition) const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
      return other.partition.class_of == partition.class_of;
    });
  }

  // Short searches that met in the same classes would only repeat one long search.
  void drop_repeated() {
    std::vector<Candidate> all = std::move(candidates_);
    candidates_.clear();
    for (Candidate& one : all)
      if (!known(one.partition)) candidates_.push_back(std::move(one));
  }

  // The starts share the time evenly, each with a clock that reads 1 at the end of its part.
  void search_briefly() {
    RefineOptions brief = options_;
    brief.effort = Effort::fast;
    const bool fast = options_.effort == Effort::fast;
    const double share = fast ? 1 : kShortShare;
    const bool best_again = fast && quenched_ && candidates_.size() > 1;
    // A long search of 20,000 records under t-closeness lost 10.0 % from a descent's classes, and
    // 12.9 % from annealed ones.
    brief.quench = !best_again && (fast || few_);
    const std::size_t annealed = few_ ? kAnnealedOfFew : 1;
    const double count =
        static_cast<double>(candidates_.size()) + (best_again ? static_cast<double>(annealed) : 0);
    double place = 0;
    const auto search = [&](Candidate& candidate) {
      brief.clock = part_of(options_.clock, share * place / count, share * (place + 1) / count);
      improve(candidate, brief);
      ++place;
    };
    for (Candidate& candidate : candidates_) search(candidate);
    sort();
    if (!best_again) return;
    brief.quench = true;
    drop_repeated();
    for (std::size_t at = 0; at < std::min(annealed, candidates_.size()); ++at)
      search(candidates_[at]);
    sort();
    cross_over();
  }

  // Long searches from the best results alone: the short search's loss predicts the long one's, and
  // the number of long searches bounds the time.
  void search_leaders() {
    drop_repeated();
    // Under a time limit, one long search gets further than several short ones.
    const std::size_t most = options_.clock ? 1 : few_ ? kLongSearches : kLongSearchesOfMany;
    const std::size_t leaders = std::min(most, candidates_.size());
    RefineOptions each = options_;
    each.clock = part_of(options_.clock, kShortShare, 1);
    for (std::size_t at = 0; at < leaders; ++at) improve(candidates_[at], each);
    sort();
    cross_over();
  }

  // Combines the best partition with components that other partitions solved better.
  void cross_over() {
    Partition combined = candidates_.front().partition;
    for (std::size_t at = 1; at < candidates_.size(); ++at)
      combined = crossover(combined, candidates_[at].partition, search_.loss);
    keep_better(candidates_.front(), std::move(combined));
  }

  // The sum over classes in the order of their numbers, which depends on the partition alone.
  double loss_of(const Partition& partition) const {
    const Members members = members_of(partition);
    double sum = 0;
    for (const RecordSpan of_class : members) sum += search_.loss(of_class);
    return sum;
  }

  void improve(Candidate& candidate, const RefineOptions& options) {
    RefineResult found = search_.refine(candidate.partition, options);
    reproducible_ = reproducible_ && found.reproducible;
    keep_better(candidate, std::move(found.partition));
  }

  // The search's own loss leaves out effects that readers may see: fine rounding, and united
  // classes.
  void keep_better(Candidate& candidate, Partition found) const {
    std::optional<Partition> kept =
        search_.published ? search_.published(std::move(found)) : std::move(found);
    if (!kept) return;
    const double loss = loss_of(*kept);
    if (!(loss < candidate.loss)) return;
    candidate.partition = std::move(*kept);
    candidate.loss = loss;
  }

  void sort() {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.loss < b.loss; });
  }

  const StartSearch& search_;
  const RefineOptions& options_;
  bool few_, quenched_, every_;
  std::vector<Candidate> candidates_;  ///< the best first
  bool reproducible_ = true;
};

}  // namespace

SearchedStarts refine_starts(std::vector<Partition> starts, const StartSearch& search,
                             const RefineOptions& options) {
  const auto records = static_cast<Record>(starts.front().class_of.size());
  return StartsSearch(search, options, records).run(std::move(starts));
}

namespace {

RefineResult refine_points(const SseSearch& search, Equals equals, const Partition& start,
                           const RefineOptions& how, Ticker& ticker, SearchNeighbours& near) {
  const SearchedPoints points(search.space, start, search.alike, search.constraints, how.effort,
                              ticker, equals);
  if (!points.fewer())
    return refine(search.space, start, search.k, search.constraints, how, ticker, &near);
  RefineResult found =
      refine(space_of(search.space, points.points()), to_points(points.points(), start), search.k,
             points.constraints(), how, ticker);
  found.partition = to_records(points.points(), found.partition);
  return found;
}

// Equal records that may be divided move together first, and then apart. Where most records have an
// equal, what moves together depends on the start so much that they move apart before it, too.
std::vector<Equals> passes_of(const SseSearch& search, Ticker& ticker) {
  if (!search.divides || !search.alike || !search.alike->empty()) return {Equals::together};
  const std::size_t points = points_of(search.space, {}, ticker).first.size();
  const auto records = static_cast<std::size_t>(search.space.size());
  if (points == records) return {Equals::together};
  if (records < 2 * points) return {Equals::together, Equals::apart};
  return {Equals::apart, Equals::together, Equals::apart};
}

// The passes share the time evenly.
RefineResult refine_in_passes(const SseSearch& search, const std::vector<Equals>& passes,
                              const Partition& start, const RefineOptions& how, Ticker& ticker,
                              SearchNeighbours& near) {
  RefineResult result;
  result.partition = start;
  RefineOptions each = how;
  const auto count = static_cast<double>(passes.size());
  for (std::size_t at = 0; at < passes.size(); ++at) {
    const auto place = static_cast<double>(at);
    each.clock = part_of(how.clock, place / count, (place + 1) / count);
    RefineResult found = refine_points(search, passes[at], result.partition, each, ticker, near);
    if (at > 0) found.loss_before = result.loss_before;
    found.tried += result.tried;
    found.reproducible = found.reproducible && result.reproducible;
    result = std::move(found);
  }
  return result;
}

}  // namespace

SearchedStarts refine_starts(const SseSearch& search, std::vector<Partition> starts,
                             const RefineOptions& options, Ticker& ticker) {
  const SseLoss loss(search.space);
  SearchNeighbours near;
  const std::vector<Equals> passes = passes_of(search, ticker);
  const StartSearch of_records{[&](const RecordSpan& members) {
                                 ticker.step(std::int64_t{30} * members.size());
                                 return loss.cost(members);
                               },
                               [&](const Partition& start, const RefineOptions& how) {
                                 return refine_in_passes(search, passes, start, how, ticker, near);
                               },
                               search.published};
  return refine_starts(std::move(starts), of_records, options);
}

}  // namespace anonkit
