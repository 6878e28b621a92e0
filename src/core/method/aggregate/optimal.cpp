#include "method/aggregate/optimal.hpp"

#include "method/aggregate/subset_window.hpp"

namespace anonkit {
namespace {

constexpr std::size_t kMostBlocks = 12;
constexpr std::size_t kMostTable = std::size_t{1} << 23;  // doubles: 64 MB

std::size_t most_blocks(const SortedRecords& records, Record window) {
  std::size_t blocks = kMostBlocks;
  const std::size_t a_set = records.functions() * static_cast<std::size_t>(window);
  while (blocks > 1 && (a_set << blocks) > kMostTable) --blocks;
  return blocks;
}

/// The shortest path from place 0 to every place.
class Path {
 public:
  Path(const SortedRecords& records, const AggregateOptions& options, const MaskedRuns& greedy)
      : options_(options),
        greedy_(greedy),
        shortest_(std::max(options.k, options.p)),
        longest_(2 * shortest_ - 1),
        loss_(static_cast<std::size_t>(records.size()) + 1, kInfinity),
        step_(loss_.size(), 0) {
    loss_[0] = 0;
  }

  Record longest() const { return longest_; }

  void find(SubsetWindow& window, Ticker& ticker) {
    std::size_t next_greedy = 0;
    for (Record last = 1; last < static_cast<Record>(loss_.size()); ++last) {
      window.enter(last - 1);
      if (last >= shortest_) end_classes_at(last, window, ticker);
      if (greedy_[next_greedy].last == last) offer_greedy(next_greedy++);
      ticker.advance(1);
    }
  }

  /// The last class of the path that ends at `last`: its first place, and the greedy's run if it is
  /// one, else null.
  Record first(Record last) const {
    const Record step = step_[static_cast<std::size_t>(last)];
    return step > 0 ? last - step : first_of_greedy(static_cast<std::size_t>(-step - 1));
  }
  const MaskedRun* greedy_run(Record last) const {
    const Record step = step_[static_cast<std::size_t>(last)];
    return step > 0 ? nullptr : &greedy_[static_cast<std::size_t>(-step - 1)];
  }

 private:
  void end_classes_at(Record last, SubsetWindow& window, Ticker& ticker) {
    double& least = loss_[static_cast<std::size_t>(last)];
    // The first place of the best class that ends one place earlier is a good guess. With its loss
    // as a limit, few other first places need evaluation.
    const Record guess = step_[static_cast<std::size_t>(last) - 1] + 1;
    double limit = kInfinity;
    if (guess > shortest_ && guess <= longest_) {
      window.clear();
      for (Record size = 1; size <= guess; ++size) window.grow(last - size);
      limit = loss_with(last, guess, kInfinity, window);
    }
    window.clear();
    for (Record size = 1; size <= std::min(last, longest_); ++size) {
      window.grow(last - size);
      if (size < shortest_) continue;
      ticker.step(4 * window.work());
      const double loss = loss_with(last, size, std::min(least, limit), window);
      if (!(loss < least)) continue;
      least = loss;
      step_[static_cast<std::size_t>(last)] = size;
    }
    ticker.step(2 * window.work() * longest_);
  }

  /// The loss of the best path to `last` whose last class has `size` places, which are in the
  /// window; infinite if it certainly exceeds `limit`.
  double loss_with(Record last, Record size, double limit, SubsetWindow& window) const {
    const Record first = last - size;
    const double before = loss_[static_cast<std::size_t>(first)];
    if (before > limit || before == kInfinity) return kInfinity;
    if (options_.p > 1 && window.sensitive_values() < options_.p) return kInfinity;
    // Slightly more than the rest, so that rounding excludes no path.
    const double left = (limit - before + limit * 0x1p-50) * (1 + 0x1p-40);
    const double bound = left / size + std::numeric_limits<double>::min();
    return before + class_loss(size, window.cheapest(first, last, bound).ncp);
  }

  void offer_greedy(std::size_t run) {
    const auto last = static_cast<std::size_t>(greedy_[run].last);
    const double loss = loss_[static_cast<std::size_t>(first_of_greedy(run))] + greedy_[run].loss;
    if (!(loss < loss_[last])) return;
    loss_[last] = loss;
    step_[last] = -static_cast<Record>(run) - 1;
  }

  Record first_of_greedy(std::size_t run) const { return run == 0 ? 0 : greedy_[run - 1].last; }

  const AggregateOptions& options_;
  const MaskedRuns& greedy_;
  Record shortest_, longest_;
  std::vector<double> loss_;  ///< of the best classes of all earlier places
  std::vector<Record> step_;  ///< size of the last such class; -1 - r for run r of the greedy
};

/// Restores the attributes that need no generalisation, the costliest first.
AttributeSet freed(MaskedClass& masked, AttributeSet set, std::size_t attributes) {
  for (AttributeSet left = set; left != 0;) {
    std::size_t costliest = attributes;
    double most = -1;
    for (std::size_t j = 0; j < attributes; ++j) {
      if (!contains(left, j) || masked.ncp(AttributeSet{1} << j) <= most) continue;
      costliest = j;
      most = masked.ncp(AttributeSet{1} << j);
    }
    left &= ~(AttributeSet{1} << costliest);
    const AttributeSet without = set & ~(AttributeSet{1} << costliest);
    if (masked.holds(without)) set = without;
  }
  return set;
}

AttributeSet cheapest_of_class(SubsetWindow& window, Record first, Record last) {
  window.clear();
  for (Record place = last; place-- > first;) {
    window.enter(place);
    window.grow(place);
  }
  return window.cheapest(first, last, kInfinity).set;
}

}  // namespace

OptimalRuns optimal_runs(const SortedRecords& records, const AggregateOptions& options,
                         const MaskedRuns& greedy, Ticker& ticker) {
  Path path(records, options, greedy);
  const AttributeBlocks blocks =
      attribute_blocks(records, options, greedy, most_blocks(records, path.longest()));
  SubsetWindow window(records, options, blocks, path.longest());
  path.find(window, ticker);

  OptimalRuns best;
  best.exact = blocks.size() == records.attributes();
  MaskedClass masked(records, options);
  for (Record last = records.size(); last > 0; last = path.first(last)) {
    if (const MaskedRun* run = path.greedy_run(last)) {
      best.runs.push_back(*run);
      continue;
    }
    const Record first = path.first(last);
    AttributeSet set = attributes_of(blocks, cheapest_of_class(window, first, last));
    masked.turn_to(first, last);
    if (!best.exact) set = freed(masked, set, records.attributes());
    best.runs.push_back({last, set, class_loss(last - first, masked.ncp(set))});
    ticker.step(window.work() * (last - first));
  }
  std::reverse(best.runs.begin(), best.runs.end());
  return best;
}

}  // namespace anonkit
