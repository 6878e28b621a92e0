#include "risk/record_linkage.hpp"

#include <algorithm>
#include <cmath>

#include "base/at.hpp"
#include "base/error.hpp"
#include "risk/agreement.hpp"
#include "risk/refinement.hpp"

namespace anonkit {

void Linkage::note(std::int64_t of_candidates, bool images_known, bool is_among) {
  candidates += static_cast<double>(of_candidates);
  if (of_candidates == 1) ++single;
  if (of_candidates == 1 && images_known && is_among) ++correct;
  if ((!images_known || is_among) && of_candidates > 0) links.add(of_candidates);
}

Linkage& Linkage::operator+=(const Linkage& other) {
  single += other.single;
  correct += other.correct;
  candidates += other.candidates;
  links += other.links;
  return *this;
}

void Linkage::finish(const CellsPair& pair) {
  records = pair.original.rows;
  candidates /= static_cast<double>(records);
  expected = links.value();
  double with_image = pair.original.rows;
  if (!pair.image.empty())
    with_image = static_cast<double>(
        std::count_if(pair.image.begin(), pair.image.end(), [](std::int32_t i) { return i >= 0; }));
  by_chance = with_image / pair.masked.rows;
}

namespace {

using Pattern = std::uint32_t;  ///< the columns in which a pair agrees, one bit each

/// Both relations, with the numbers of pairs that agree in each set of columns.
class Pairs {
 public:
  Pairs(const CellsPair& pair, Ticker& ticker)
      : pair_(pair),
        ticker_(ticker),
        everything_{std::vector<std::int32_t>(at(pair.original.rows) + at(pair.masked.rows), 0),
                    1} {
    for (std::size_t j = 0; j < pair.original.columns.size(); ++j)
      columns_.push_back(agreement_codes(pair, j));
  }

  std::size_t columns() const { return columns_.size(); }

  /// By pattern: the number of pairs that agree in exactly these columns.
  std::vector<double> exact_counts() {
    counts_.assign(std::size_t{1} << columns(), 0);
    count_from(everything_, 0, 0);
    // Column by column, subtracts the pairs that agree in one more column.
    for (std::size_t j = 0; j < columns(); ++j)
      for (std::size_t pattern = 0; pattern < counts_.size(); ++pattern)
        if ((pattern >> j & 1u) == 0) counts_[pattern] -= counts_[pattern | (std::size_t{1} << j)];
    return counts_;
  }

  Grouping grouping(Pattern pattern) {
    Grouping grouping = everything_;
    for (std::size_t j = 0; j < columns(); ++j)
      if ((pattern >> j & 1u) != 0) grouping = refine(grouping, j);
    return grouping;
  }

  /// The masked records of each class.
  std::vector<std::int64_t> masked_sizes(const Grouping& grouping) const {
    std::vector<std::int64_t> sizes(at(grouping.classes), 0);
    for (std::size_t row = at(pair_.original.rows); row < grouping.class_of.size(); ++row)
      ++sizes[at(grouping.class_of[row])];
    return sizes;
  }

 private:
  Grouping refine(const Grouping& from, std::size_t j) {
    return refinement_.refine(from, {columns_[j].codes.data(), columns_[j].distinct}, ticker_);
  }

  void count_from(const Grouping& grouping, Pattern pattern, std::size_t next) {
    const std::vector<std::int64_t> masked = masked_sizes(grouping);
    double pairs = 0;
    for (std::size_t row = 0; row < at(pair_.original.rows); ++row)
      pairs += static_cast<double>(masked[at(grouping.class_of[row])]);
    counts_[pattern] = pairs;
    for (std::size_t j = next; j < columns(); ++j)
      count_from(refine(grouping, j), pattern | (Pattern{1} << j), j + 1);
  }

  const CellsPair& pair_;
  Ticker& ticker_;
  Refinement refinement_;
  Grouping everything_;
  std::vector<CellCodes> columns_;
  std::vector<double> counts_;
};

/// The probability of a pattern if column j agrees with probability p(j).
template <class Chance>
double chance_of(Pattern pattern, std::size_t columns, Chance chance) {
  double product = 1;
  for (std::size_t j = 0; j < columns; ++j)
    product *= (pattern >> j & 1u) != 0 ? chance(j) : 1 - chance(j);
  return product;
}

/// Expectation and maximisation until convergence.
void estimate(const std::vector<double>& counts, double matches, ProbabilisticLinkage& found) {
  constexpr int kRounds = 1000;
  static constexpr double kLeast = 1e-9;
  double pairs = 0;
  for (const double count : counts) pairs += count;
  const std::size_t d = found.agreements.size();
  for (std::size_t j = 0; j < d; ++j) {
    double agree = 0;
    for (std::size_t pattern = 0; pattern < counts.size(); ++pattern)
      if ((pattern >> j & 1u) != 0) agree += counts[pattern];
    found.agreements[j] = {0.9, std::min(std::max(agree / pairs, kLeast), 1 - kLeast)};
  }
  found.matches = matches / pairs;
  for (int round = 0; round < kRounds; ++round) {
    double matched = 0;
    std::vector<double> agree_matched(d, 0);
    std::vector<double> agree(d, 0);
    for (std::size_t pattern = 0; pattern < counts.size(); ++pattern) {
      if (counts[pattern] <= 0) continue;
      const auto bits = static_cast<Pattern>(pattern);
      const double m = found.matches * chance_of(bits, d, [&](std::size_t j) {
                         return found.agreements[j].if_match;
                       });
      const double u = (1 - found.matches) * chance_of(bits, d, [&](std::size_t j) {
                         return found.agreements[j].if_no_match;
                       });
      const double share = counts[pattern] * (m / (m + u));
      matched += share;
      for (std::size_t j = 0; j < d; ++j) {
        if ((pattern >> j & 1u) == 0) continue;
        agree_matched[j] += share;
        agree[j] += counts[pattern];
      }
    }
    double moved = std::fabs(matched / pairs - found.matches) / found.matches;
    found.matches = matched / pairs;
    for (std::size_t j = 0; j < d; ++j) {
      const auto within = [](double x) { return std::min(std::max(x, kLeast), 1 - kLeast); };
      const Agreement next = {within(agree_matched[j] / matched),
                              within((agree[j] - agree_matched[j]) / (pairs - matched))};
      moved = std::max({moved, std::fabs(next.if_match - found.agreements[j].if_match),
                        std::fabs(next.if_no_match - found.agreements[j].if_no_match)});
      found.agreements[j] = next;
    }
    if (moved < 1e-10) return;
  }
}

/// Weights that differ by less count as equal, in parts of the weight.
constexpr double kAlike = 1e-9;

/// True if agreement weighs more than disagreement, by more than weights that count as equal: a
/// pattern with one column more has another weight.
bool indicates_match(const Agreement& agreement) {
  constexpr double kLargestWeight = 1000;  // of twelve columns
  const auto [m, u] = agreement;
  return std::log(m / u) - std::log((1 - m) / (1 - u)) > kAlike * kLargestWeight;
}

struct Weighted {
  double weight;
  Pattern pattern;
};

/// The patterns of the columns that indicate a match, the most likely match first.
std::vector<Weighted> by_weight(const std::vector<Agreement>& agreements) {
  Pattern speaking = 0;
  for (std::size_t j = 0; j < agreements.size(); ++j)
    if (indicates_match(agreements[j])) speaking |= Pattern{1} << j;
  std::vector<Weighted> patterns;
  for (Pattern pattern = speaking;; pattern = (pattern - 1) & speaking) {
    double weight = 0;
    for (std::size_t j = 0; j < agreements.size(); ++j) {
      const auto [m, u] = agreements[j];
      if ((speaking >> j & 1u) != 0)
        weight += (pattern >> j & 1u) != 0 ? std::log(m / u) : std::log((1 - m) / (1 - u));
    }
    patterns.push_back({weight, pattern});
    if (pattern == 0) break;
  }
  std::sort(patterns.begin(), patterns.end(), [](const Weighted& a, const Weighted& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.pattern > b.pattern);
  });
  return patterns;
}

bool weigh_alike(double a, double b) {
  return std::fabs(a - b) <= kAlike * std::max(1.0, std::fabs(a));
}

/// Links every original record with the masked ones of the best pattern. Pairs that agree in more
/// columns belong to an earlier pattern. So pairs that agree at least in these columns agree in
/// exactly these.
void link(Pairs& pairs, const CellsPair& pair, const std::vector<Weighted>& patterns,
          Linkage& linkage) {
  const std::size_t n = at(pair.original.rows);
  std::vector<std::int64_t> candidates(n, 0);
  std::vector<bool> is_among(n, false);
  std::vector<bool> settled(n, false);
  std::size_t left = n;
  for (std::size_t first = 0, end; first < patterns.size() && left > 0; first = end) {
    for (end = first;
         end < patterns.size() && weigh_alike(patterns[first].weight, patterns[end].weight);
         ++end) {
      const Grouping grouping = pairs.grouping(patterns[end].pattern);
      const std::vector<std::int64_t> masked = pairs.masked_sizes(grouping);
      for (std::size_t i = 0; i < n; ++i) {
        if (settled[i]) continue;
        candidates[i] += masked[at(grouping.class_of[i])];
        if (!pair.image.empty() && pair.image[i] >= 0)
          is_among[i] =
              is_among[i] || grouping.class_of[n + at(pair.image[i])] == grouping.class_of[i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (settled[i] || candidates[i] == 0) continue;
      settled[i] = true;
      --left;
      linkage.note(candidates[i], !pair.image.empty(), is_among[i]);
    }
  }
}

}  // namespace

ProbabilisticLinkage link_by_probability(const CellsPair& pair, Ticker& ticker) {
  constexpr std::size_t kMostColumns = 12;
  if (pair.original.columns.size() > kMostColumns)
    throw Error(ErrorKind::invalid_parameter, "too many quasi-identifiers",
                "Probabilistic linkage takes 12 at most.");
  ProbabilisticLinkage found;
  found.agreements.resize(pair.original.columns.size());
  Pairs pairs(pair, ticker);
  estimate(pairs.exact_counts(), std::min(pair.original.rows, pair.masked.rows), found);
  link(pairs, pair, by_weight(found.agreements), found.linkage);
  found.linkage.finish(pair);
  return found;
}

}  // namespace anonkit
