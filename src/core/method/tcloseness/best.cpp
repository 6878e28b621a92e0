#include "method/tcloseness/best.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "method/growing/mdav.hpp"
#include "method/method.hpp"
#include "method/repair/uniting.hpp"
#include "promise/promised.hpp"
#include "search/starts.hpp"
#include "space/points.hpp"

namespace anonkit {
namespace {

// One record in so many takes part in the choice of that start, and at least so many in all, and so
// many times k.
constexpr Record kSampled = 20, kSmallestSample = 1000, kSampledClasses = 50;

/// Every so many records, in canonical order, with their sensitive values.
struct Sample {
  Space space;
  std::vector<SensitiveAttribute> attributes;
};

Sample sample_of(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                 Record stride) {
  std::vector<Record> rows;
  for (Record i = 0; i < space.size(); i += stride) rows.push_back(i);
  Sample sample{space.of_rows(rows, {}), attributes};
  for (SensitiveAttribute& attribute : sample.attributes) {
    const std::vector<std::int32_t>& all = attribute.ranks;
    attribute.values = std::max(attribute.values, 1 + *std::max_element(all.begin(), all.end()));
    std::vector<std::int32_t> ranks;
    for (const Record i : rows) ranks.push_back(all[at(i)]);
    attribute.ranks = std::move(ranks);
  }
  return sample;
}

class BestOf {
 public:
  BestOf(const Space& space, const std::vector<SensitiveAttribute>& attributes,
         const TClosenessOptions& options, Ticker& ticker)
      : space_(space), attributes_(attributes), options_(options), ticker_(ticker) {
    Promises promises;
    promises.t = 1;  // each attribute has its own t
    constraints_ = promised_constraints(attributes, promises);
  }

  TClosenessClasses run() {
    const Record records = options_.search.effort_records(space_.size());
    if (!options_.search.every_start) {
      start_from_winner();
    } else {
      start_from(TClosenessAlgorithm::t_first);
      start_from(TClosenessAlgorithm::merge);
      start_from(TClosenessAlgorithm::sabre);
      if (records <= kQuadratic) start_from(TClosenessAlgorithm::k_first);
      const Points points = points_of(space_, {}, ticker_);
      if (points.fewer()) start_from(points);
    }
    return search(options_.search);
  }

 private:
  void start_from_winner() {
    const TClosenessAlgorithm winner = winner_on_sample();
    const Points points = points_of(space_, {}, ticker_);
    if (winner == TClosenessAlgorithm::merge && many_share(points))
      start_from(points);
    else
      start_from(winner);
  }

  TClosenessAlgorithm winner_on_sample() const {
    const Record n = space_.size();
    const Record size = std::max({kSmallestSample, n / kSampled, kSampledClasses * options_.k});
    const Sample sample = sample_of(space_, attributes_, std::max(1, n / size));
    BestOf race(sample.space, sample.attributes, options_, ticker_);
    race.start_from(TClosenessAlgorithm::merge);
    race.start_from(TClosenessAlgorithm::t_first);
    race.start_from(TClosenessAlgorithm::sabre);
    RefineOptions brief = options_.search;
    brief.clock = {};
    return race.search(brief).start;
  }

  void start_from(TClosenessAlgorithm algorithm) {
    TClosenessOptions how = options_;
    how.algorithm = algorithm;
    starts_.push_back(tcloseness(space_, attributes_, how, ticker_));
  }

  /// Algorithm 1 on entire points, with a repair that unites fewer classes.
  void start_from(const Points& points) {
    TClosenessClasses classes;
    classes.start = TClosenessAlgorithm::merge;
    const double stretch = stretch_of_start(options_.search.effort_records(space_.size()));
    classes.partition = unite_until_allowed(
        space_, to_records(points, mdav(space_of(space_, points), options_.k, ticker_, stretch)),
        constraints_, ticker_);
    starts_.push_back(std::move(classes));
  }

  TClosenessClasses search(const RefineOptions& how) {
    std::vector<Partition> partitions;
    for (TClosenessClasses& start : starts_) partitions.push_back(std::move(start.partition));
    SearchedStarts found =
        refine_starts({space_, options_.k, pointers(constraints_), marks_of(attributes_)},
                      std::move(partitions), how, ticker_);
    TClosenessClasses best = std::move(starts_[found.won]);
    best.partition = std::move(found.partition);
    best.reproducible = found.reproducible;
    return best;
  }

  const Space& space_;
  const std::vector<SensitiveAttribute>& attributes_;
  const TClosenessOptions& options_;
  Ticker& ticker_;
  Constraints constraints_;
  std::vector<TClosenessClasses> starts_;
};

}  // namespace

TClosenessClasses best_of(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                          const TClosenessOptions& options, Ticker& ticker) {
  return BestOf(space, attributes, options, ticker).run();
}

}  // namespace anonkit
