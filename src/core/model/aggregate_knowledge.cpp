#include "model/aggregate_knowledge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "model/aggregate_view.hpp"

namespace anonkit {
namespace {

void check(const PublishedRanges& release, const std::vector<AggregateFunction>& functions,
           double d, AggregateGuarantee guarantee) {
  if (functions.empty())
    throw Error(ErrorKind::invalid_parameter, "at least one aggregate function is needed");
  if (!(d >= 0 && d < 1))
    throw Error(ErrorKind::invalid_parameter, "d must be at least 0 and less than 1");
  if (guarantee == AggregateGuarantee::candidates && release.original == nullptr &&
      functions.size() > 1)
    throw Error(ErrorKind::invalid_parameter,
                "without the original records one aggregate function can be judged at a time");
  if (release.records < 1 || release.attributes < 1)
    throw Error(ErrorKind::invalid_data, "there is no record to judge");
  const std::size_t cells =
      static_cast<std::size_t>(release.records) * static_cast<std::size_t>(release.attributes);
  for (std::size_t i = 0; i < cells; ++i)
    if (!(release.low[i] <= release.high[i]))
      throw Error(ErrorKind::invalid_data, "a range is empty or has no ends");
}

/// The records in the order of their intervals, and the search for those that an attacker cannot
/// exclude.
class Judge {
 public:
  Judge(const PublishedRanges& release, const std::vector<AggregateView>& views, double d,
        AggregateGuarantee guarantee, Ticker& ticker)
      : release_(release),
        views_(views),
        d_(d),
        candidates_(guarantee == AggregateGuarantee::candidates) {
    order_.resize(views.front().low.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      ticker.step(4);
      const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
      for (const AggregateView& view : views_) {
        if (view.low[x] != view.low[y]) return view.low[x] < view.low[y];
        if (view.high[x] != view.high[y]) return view.high[x] < view.high[y];
      }
      return a < b;
    });
    place_.resize(order_.size());
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      place_[static_cast<std::size_t>(order_[i])] = i;
      highest = std::max(highest, views.front().high[static_cast<std::size_t>(order_[i])]);
      lows_.push_back(views.front().low[static_cast<std::size_t>(order_[i])]);
      highest_.push_back(highest);
    }
    if (release.sensitive == nullptr) {
      if (candidates_ && views_.size() == 1) sort_highs(ticker);
      return;
    }
    const auto last = release.sensitive + release.records;
    seen_.assign(static_cast<std::size_t>(*std::max_element(release.sensitive, last)) + 1, 0);
  }

  AggregateLevel level(Ticker& ticker) {
    least_ = {release_.records, 0, static_cast<std::int32_t>(seen_.size())};
    for (const std::size_t t : targets(ticker)) {
      found_ = distinct_ = 0;
      ++mark_;
      if (!highs_.empty())
        count_candidates(t, ticker);
      else if (candidates_)
        find_candidates(t, ticker);
      else
        find_identical(t, ticker);
      if (found_ < least_.k) least_.worst = static_cast<std::int32_t>(t);
      least_.k = std::min(least_.k, found_);
      least_.distinct = std::min(least_.distinct, distinct_);
    }
    return least_;
  }

 private:
  void sort_highs(Ticker& ticker) {
    highs_ = views_.front().high;
    std::sort(highs_.begin(), highs_.end(), [&](double a, double b) {
      ticker.step(4);
      return a < b;
    });
  }

  /// The records of which an attacker knows different things, the first of each. The others find as
  /// many records as these: where most records are equal, a search for each would be quadratic.
  std::vector<std::size_t> targets(Ticker& ticker) const {
    std::vector<std::size_t> found(order_.size());
    std::iota(found.begin(), found.end(), std::size_t{0});
    const auto less = [&](std::size_t a, std::size_t b) {
      ticker.step(4);
      for (const AggregateView& view : views_) {
        const std::vector<double>& from = candidates_ ? view.least_known : view.low;
        const std::vector<double>& to = candidates_ ? view.greatest_known : view.high;
        if (from[a] != from[b]) return from[a] < from[b];
        if (to[a] != to[b]) return to[a] < to[b];
      }
      return false;
    };
    std::sort(found.begin(), found.end(),
              [&](std::size_t a, std::size_t b) { return less(a, b) || (!less(b, a) && a < b); });
    const auto equal = [&](std::size_t a, std::size_t b) { return !less(a, b) && !less(b, a); };
    found.erase(std::unique(found.begin(), found.end(), equal), found.end());
    std::sort(found.begin(), found.end());
    return found;
  }

  /// By one function, without sensitive values: the intervals that begin before the end of the
  /// known one, but those that end before it begins.
  void count_candidates(std::size_t t, Ticker& ticker) {
    ticker.step(64);
    const AggregateView& view = views_.front();
    const auto before_end =
        std::upper_bound(lows_.begin(), lows_.end(), view.greatest_known[t] + view.tolerance);
    const auto after_begin =
        std::lower_bound(highs_.begin(), highs_.end(), view.least_known[t] - view.tolerance);
    found_ =
        static_cast<std::int32_t>((before_end - lows_.begin()) - (after_begin - highs_.begin()));
  }

  /// Searches backwards from the last interval that begins before the end of the known one. Stops
  /// when no earlier interval can meet it, or after enough candidates to leave the level unchanged.
  void find_candidates(std::size_t t, Ticker& ticker) {
    const AggregateView& view = views_.front();
    const double tolerance = view.tolerance;
    auto i = static_cast<std::size_t>(
        std::upper_bound(lows_.begin(), lows_.end(), view.greatest_known[t] + tolerance) -
        lows_.begin());
    for (; i > 0 && !enough() && highest_[i - 1] >= view.least_known[t] - tolerance; --i) {
      ticker.step(8);
      const auto u = static_cast<std::size_t>(order_[i - 1]);
      const bool meets = std::all_of(views_.begin(), views_.end(), [&](const AggregateView& f) {
        return f.low[u] <= f.greatest_known[t] + f.tolerance &&
               f.high[u] >= f.least_known[t] - f.tolerance;
      });
      if (meets) count(u);
    }
  }

  /// Searches outwards from the target's own interval, as long as the low ends are within d.
  void find_identical(std::size_t t, Ticker& ticker) {
    const auto look_at = [&](std::size_t i) {
      ticker.step(8);
      const auto u = static_cast<std::size_t>(order_[i]);
      const bool same = std::all_of(views_.begin(), views_.end(), [&](const AggregateView& f) {
        return alike(f.low[u], f.low[t], f.tolerance) && alike(f.high[u], f.high[t], f.tolerance);
      });
      if (same) count(u);
      return alike(lows_[i], views_.front().low[t], views_.front().tolerance);
    };
    std::size_t i = place_[t];
    while (i < order_.size() && !enough() && look_at(i)) ++i;
    i = place_[t];
    while (i > 0 && !enough() && look_at(i - 1)) --i;
  }

  bool alike(double x, double y, double tolerance) const {
    return std::abs(x - y) <= d_ * std::min(std::abs(x), std::abs(y)) + tolerance;
  }

  void count(std::size_t u) {
    ++found_;
    if (seen_.empty()) return;
    std::int64_t& last = seen_[static_cast<std::size_t>(release_.sensitive[u])];
    distinct_ += last != mark_ ? 1 : 0;
    last = mark_;
  }
  bool enough() const { return found_ >= least_.k && distinct_ >= least_.distinct; }

  const PublishedRanges& release_;
  const std::vector<AggregateView>& views_;
  double d_;
  bool candidates_;
  std::vector<std::int32_t> order_;  ///< records by their intervals
  std::vector<std::size_t> place_;   ///< of each record in the order
  std::vector<double> lows_;         ///< of the first function, in order
  std::vector<double> highest_;      ///< its highest interval end so far, in order
  std::vector<double> highs_;        ///< its interval ends, ascending, if these are counted
  std::vector<std::int64_t> seen_;   ///< by sensitive value
  std::int64_t mark_ = 0;
  std::int32_t found_ = 0, distinct_ = 0;
  AggregateLevel least_;
};

}  // namespace

AggregateLevel aggregate_level(const PublishedRanges& release,
                               const std::vector<AggregateFunction>& functions, double d,
                               AggregateGuarantee guarantee, Ticker& ticker) {
  check(release, functions, d, guarantee);
  std::vector<AggregateView> views;
  for (const AggregateFunction& function : functions)
    views.push_back(aggregate_view(release, function, d, ticker));
  if (guarantee == AggregateGuarantee::candidates && release.original == nullptr)
    return worst_case_level(views.front(), d, ticker);
  return Judge(release, views, d, guarantee, ticker).level(ticker);
}

double mean_interval_width(const PublishedRanges& release, const AggregateFunction& function,
                           Ticker& ticker) {
  check(release, {function}, 0, AggregateGuarantee::identical);
  const AggregateView view = aggregate_view(release, function, 0, ticker);
  double sum = 0;
  for (std::size_t i = 0; i < view.low.size(); ++i) sum += view.high[i] - view.low[i];
  return sum / static_cast<double>(view.low.size());
}

}  // namespace anonkit
