#include "method/aggregate/subset_window.hpp"

namespace anonkit {
namespace {

struct Add {
  double operator()(double x, double y) const { return x + y; }
};
struct Least {
  double operator()(double x, double y) const { return x < y ? x : y; }
};
struct Greatest {
  double operator()(double x, double y) const { return x > y ? x : y; }
};

/// Calls `loop` with the combination as a type, so that the compiler can inline it.
template <class Loop>
void with(Combine how, Loop loop) {
  if (how == Combine::add) return loop(Add());
  if (how == Combine::least) return loop(Least());
  return loop(Greatest());
}

/// table[set] = the combination of x[b] over the blocks of the set, in ascending order.
template <class Operation>
void over_sets(Operation combine, double neutral, const std::vector<double>& x, double* table) {
  table[0] = neutral;
  std::size_t filled = 1;
  for (const double value : x) {
    for (std::size_t s = 0; s < filled; ++s) table[filled + s] = combine(table[s], value);
    filled *= 2;
  }
}

/// table[set] = the combination of x[b] over the blocks that are not in the set.
template <class Operation>
void over_complements(Operation combine, double neutral, const std::vector<double>& x,
                      double* table) {
  double* from = table + ((std::size_t{1} << x.size()) - 1);
  *from = neutral;
  std::size_t filled = 1;
  for (const double value : x) {
    for (std::size_t s = 0; s < filled; ++s) (from - filled)[s] = combine(from[s], value);
    from -= filled;
    filled *= 2;
  }
}

}  // namespace

SubsetWindow::SubsetWindow(const SortedRecords& records, const AggregateOptions& options,
                           const AttributeBlocks& blocks, Record window)
    : records_(records),
      options_(options),
      blocks_(blocks),
      window_(window),
      sets_(std::size_t{1} << blocks.size()),
      terms_(records.functions()),
      constraint_(records, options),
      kept_(static_cast<std::size_t>(window) * terms_ * sets_),
      least_kept_(terms_ * sets_),
      greatest_kept_(terms_ * sets_),
      least_(records.attributes()),
      greatest_(records.attributes()),
      most_(terms_),
      fewest_(terms_),
      ncp_(sets_),
      price_(sets_),
      low_(terms_ * sets_),
      high_(terms_ * sets_),
      sensitive_(records) {}

void SubsetWindow::enter(Record place) {
  const double* row = records_.row(place);
  std::vector<double> terms(blocks_.size());
  for (std::size_t f = 0; f < terms_; ++f) {
    const Terms& function = records_.terms(f);
    terms.assign(blocks_.size(), neutral(function.how()));
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (std::size_t j = 0; j < records_.attributes(); ++j)
        if (contains(blocks_[b], j))
          terms[b] = combined(function.how(), terms[b], function.term(j, row[j]));
    with(function.how(), [&](auto combine) {
      over_complements(combine, neutral(function.how()), terms, kept(place, f));
    });
  }
}

void SubsetWindow::clear() {
  least_.assign(least_.size(), kInfinity);
  greatest_.assign(greatest_.size(), -kInfinity);
  least_kept_.assign(least_kept_.size(), kInfinity);
  greatest_kept_.assign(greatest_kept_.size(), -kInfinity);
  most_.assign(terms_, -kInfinity);
  fewest_.assign(terms_, kInfinity);
  sensitive_.clear();
}

void SubsetWindow::grow(Record place) {
  const double* row = records_.row(place);
  for (std::size_t j = 0; j < least_.size(); ++j) {
    ranges_changed_ |= row[j] < least_[j] || row[j] > greatest_[j];
    least_[j] = std::min(least_[j], row[j]);
    greatest_[j] = std::max(greatest_[j], row[j]);
  }
  for (std::size_t f = 0; f < terms_; ++f) {
    most_[f] = std::max(most_[f], constraint_.least_known(place, f));
    fewest_[f] = std::min(fewest_[f], constraint_.greatest_known(place, f));
    const double* x = kept(place, f);
    double* least = least_kept_.data() + f * sets_;
    double* greatest = greatest_kept_.data() + f * sets_;
    for (std::size_t s = 0; s < sets_; ++s) {
      least[s] = x[s] < least[s] ? x[s] : least[s];
      greatest[s] = x[s] > greatest[s] ? x[s] : greatest[s];
    }
  }
  sensitive_.add(place);
}

void SubsetWindow::refresh_tables() {
  if (!ranges_changed_) return;
  ranges_changed_ = false;
  std::vector<double> price(blocks_.size(), 0), low(blocks_.size()), high(blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (std::size_t j = 0; j < least_.size(); ++j)
      if (contains(blocks_[b], j)) price[b] += records_.penalty(j) * (greatest_[j] - least_[j]);
  over_sets(Add(), 0, price, ncp_.data());
  for (std::size_t f = 0; f < terms_; ++f) {
    const Terms& function = records_.terms(f);
    low.assign(blocks_.size(), neutral(function.how()));
    high = low;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (std::size_t j = 0; j < least_.size(); ++j) {
        if (!contains(blocks_[b], j)) continue;
        const double x = function.term(j, least_[j]), y = function.term(j, greatest_[j]);
        low[b] = combined(function.how(), low[b], std::min(x, y));
        high[b] = combined(function.how(), high[b], std::max(x, y));
      }
    with(function.how(), [&](auto combine) {
      over_sets(combine, neutral(function.how()), low, low_.data() + f * sets_);
      over_sets(combine, neutral(function.how()), high, high_.data() + f * sets_);
    });
  }
}

/// Marks the sets under which some records of the class miss the guarantee of function f.
void SubsetWindow::price_out_broken(std::size_t f) {
  const double* least = least_kept_.data() + f * sets_;
  const double* greatest = greatest_kept_.data() + f * sets_;
  const double* low = low_.data() + f * sets_;
  const double* high = high_.data() + f * sets_;
  double* price = price_.data();
  const double most = most_[f], fewest = fewest_[f], d = options_.d;
  const std::size_t sets = sets_;
  if (options_.guarantee == AggregateGuarantee::candidates) {
    with(records_.terms(f).how(), [&](auto combine) {
      for (std::size_t s = 0; s < sets; ++s) {
        const double from = combine(greatest[s], low[s]), to = combine(least[s], high[s]);
        const double up_to = from <= fewest ? price[s] : kInfinity;
        price[s] = to >= most ? up_to : kInfinity;
      }
    });
    return;
  }
  with(records_.terms(f).how(), [&](auto combine) {
    for (std::size_t s = 0; s < sets; ++s) {
      const bool lows = alike(combine(least[s], low[s]), combine(greatest[s], low[s]), d);
      const bool highs = alike(combine(least[s], high[s]), combine(greatest[s], high[s]), d);
      price[s] = lows && highs ? price[s] : kInfinity;
    }
  });
}

/// True if enough records are candidates of each record, although not all are.
bool SubsetWindow::holds_with_spare(Record first, Record last, std::size_t set) {
  const std::size_t size = static_cast<std::size_t>(last - first);
  interval_low_.resize(terms_ * size);
  interval_high_.resize(terms_ * size);
  for (std::size_t f = 0; f < terms_; ++f) {
    const double low = low_[f * sets_ + set], high = high_[f * sets_ + set];
    with(records_.terms(f).how(), [&](auto combine) {
      for (std::size_t u = 0; u < size; ++u) {
        const double x = kept(first + static_cast<Record>(u), f)[set];
        interval_low_[f * size + u] = combine(x, low);
        interval_high_[f * size + u] = combine(x, high);
      }
    });
  }
  return constraint_.holds(interval_low_.data(), interval_high_.data());
}

/// Intervals widen with more generalisation: every subset of a set that breaks the guarantee of
/// candidates breaks it too.
bool SubsetWindow::is_part_of_broken(std::size_t set) const {
  return std::any_of(broken_.rbegin(), broken_.rend(),
                     [&](std::size_t other) { return (set & ~other) == 0; });
}

CheapestSet SubsetWindow::cheapest(Record first, Record last, double bound) {
  refresh_tables();
  price_ = ncp_;
  for (std::size_t f = 0; f < terms_; ++f) price_out_broken(f);
  CheapestSet best{kInfinity, 0};
  double least = bound;
  for (std::size_t s = 0; s < sets_; ++s) least = price_[s] < least ? price_[s] : least;
  if (least < bound) {
    best.ncp = least;
    while (price_[best.set] != least) ++best.set;
  }
  if (last - first == options_.k || options_.guarantee == AggregateGuarantee::identical)
    return best;
  constraint_.turn_to(first, last, most_, fewest_);
  broken_.clear();
  for (std::size_t s = sets_; s-- > 0;) {
    if (ncp_[s] >= least || is_part_of_broken(s)) continue;
    if (holds_with_spare(first, last, s)) {
      least = ncp_[s];
      best = {least, s};
    } else {
      broken_.push_back(s);
    }
  }
  return best;
}

}  // namespace anonkit
