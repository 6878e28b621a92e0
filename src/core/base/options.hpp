#pragma once

// The options of the core, as plain data: one struct for each group of options, and `Options` with
// all of them. Defaults promise nothing. Every pointer refers to memory of the caller, which must
// outlive the work. The core never changes options and never reads environment or settings.
//
//   Options options;
//   options.k = 5;
//   options.promises.t = 0.2;  // t-closeness for every sensitive attribute

#include <cstdint>

namespace anonkit {

/// The transformation that makes numeric columns comparable.
enum class Standardize : std::uint8_t {
  zscore,  ///< (x - mean) / sample standard deviation
  range,   ///< (x - smallest) / (largest - smallest)
  none,
};

enum class Nulls : std::uint8_t { error, stratify };
/// The treatment of records that are equal in all quasi-identifiers.
enum class Duplicates : std::uint8_t {
  whole,   ///< one weighted point, which no class divides
  divide,  ///< separate records, as in the papers, ordered by a keyed hash
};
enum class Recode : std::uint8_t { centroid, range, hierarchy, median, swap, calibrated };
/// The effort of the search for less loss.
enum class Effort : std::uint8_t {
  none,
  fast,      ///< descent, and a short annealing up to 100,000 records: some tenths of a second
             ///< for thousands, about three times the time of MDAV for millions
  thorough,  ///< descent and long annealing: some ten seconds for a thousand records
};

enum class VarianceOf : std::uint8_t { rare, all };

/// The objective of a full-domain search. Suppressed records count as fully generalised.
enum class RecodingMetric : std::uint8_t {
  prec,     ///< 1 - Prec: the mean height of the cells in their hierarchies
  ncp,      ///< GCP: the mean share of an attribute's values per cell
  dm,       ///< discernibility
  avg,      ///< normalised average class size: all records over the published classes
  entropy,  ///< the lost share of the cells' information, in bits
};

/// The class of an attribute in mu-Argus: how well it identifies a person.
enum class Identifying : std::uint8_t { identifying, more, most };

/// The risk above which a record counts as at risk: that of classes of 11 records is above it.
constexpr double kUsualRiskThreshold = 0.09;

/// The privacy models that every class satisfies beside k-anonymity, each for every sensitive
/// attribute. A parameter of 0 means that the model is not promised. Plain data.
struct Promises {
  std::int32_t p = 0;              ///< p-sensitivity; with q or r, of classes with a rare value
  std::int32_t l = 0;              ///< distinct l-diversity; with c the l of (c,l)-diversity
  double entropy_l = 0;            ///< entropy l-diversity
  double c = 0;                    ///< recursive (c,l)-diversity
  double alpha = 0;                ///< (alpha,k)-anonymity
  double e = 0;                    ///< (k,e)-anonymity, of numbers
  double t = 0;                    ///< t-closeness
  const double* t_each = nullptr;  ///< or one t for each attribute
  std::int32_t n = 0;              ///< (n,t)-closeness in the place of t-closeness
  /// (k,p,q,r)-anonymity: a class with a value rarer than q has p values and a share r of the
  /// variance.
  double q = 0;
  double r = 0;
  VarianceOf variance_of = VarianceOf::rare;  ///< the variance that r is a share of
  double beta = 0;                            ///< enhanced beta-likeness
  double delta = 0;                           ///< delta-disclosure privacy
  double dominance = 0;       ///< the largest share of a class's records that one person may have
  double risk_mean = 0;       ///< the largest mean risk of the records of a release
  double risk_above = 0;      ///< the largest share of records whose risk exceeds risk_threshold
  double risk_threshold = 0;  ///< 0: kUsualRiskThreshold
  std::int32_t k_map = 0;     ///< the fewest records of the population in a published class
  /// delta-presence: the bounds of the share of a class of the population that is published.
  double presence_least = 0;
  double presence_largest = 0;  ///< 0: not promised

  bool t_close() const { return t_each != nullptr || t > 0; }
  /// The promised t of the i-th sensitive attribute.
  double t_of(std::size_t i) const { return t_each != nullptr ? t_each[i] : t; }
  double threshold_of_risk() const {
    return risk_threshold > 0 ? risk_threshold : kUsualRiskThreshold;
  }
  /// All promises but closeness.
  Promises without_t() const {
    Promises others = *this;
    others.t = 0;
    others.t_each = nullptr;
    others.n = 0;
    return others;
  }
  /// True if a promise compares the release with a population.
  bool of_population() const { return k_map > 0 || presence_largest > 0; }
  bool kpqr() const { return q > 0 || r > 0; }
  /// True if a promise is about sensitive values.
  bool any() const {
    return t_close() || n > 0 || kpqr() || p > 0 || l > 0 || entropy_l > 0 || alpha > 0 || e > 0 ||
           beta > 0 || delta > 0;
  }
};

/// The promise of method aggregate, in place of k-anonymity. Plain data.
struct AggregateKnowledge {
  const char* const* functions = nullptr;  ///< by name; null = the sum
  std::int32_t count = 0;
  std::int32_t attributes = 0;      ///< quasi-identifiers
  const double* weights = nullptr;  ///< weighted_sum: one weight per quasi-identifier
  double d = 0;                     ///< the relative error of an attacker's knowledge
  bool identical = false;           ///< the stronger guarantee: identical intervals
  bool common_domain = false;       ///< all attributes share one domain
  std::int32_t k = 0;               ///< the k that an audit asserts
};

/// Options of full-domain generalisation. Plain data.
struct FullDomainOptions {
  double max_suppression = -1;  ///< largest share of suppressed records; below 0: the method's own
  RecodingMetric metric = RecodingMetric::ncp;
  bool local_suppression = false;            ///< suppress single cells where that costs less
  const Identifying* identifying = nullptr;  ///< mu-Argus: one per quasi-identifier, or null
  bool complete = true;                      ///< mu-Argus: suppress until all promises hold
};

/// Cuts on a public grid, some of which a secret coin skips. Plain data.
struct GridOptions {
  double coins = -1;  ///< the probability of a skip; below 0: kUsualCoins
  double skip() const { return coins < 0 ? kUsualCoins : coins; }

  static constexpr double kUsualCoins = 0.05;
};

/// Protection of values against an adversary who knows the code: classes by quasi-identifiers
/// alone, and the sensitive values of those that break a promise withheld. Plain data.
struct Transparency {
  bool wanted = false;
  double decoys = 0.05;  ///< the probability that a class which keeps all promises withholds, too
  double adapt = 0;      ///< share of classes that may fail by chance when sets are cut; 0: no cuts
  double max_withheld = 1;  ///< the largest share of the records whose values may be withheld
};

/// All options of a method. Plain data; the core's part of a release's Spec.
struct Options {
  std::int32_t k = 0;
  Standardize standardize = Standardize::zscore;
  /// One per quasi-identifier: divides numbers by it instead of standardising them, so that parts
  /// of a table agree. Null: standardise.
  const double* scales = nullptr;
  Nulls nulls = Nulls::error;
  Duplicates duplicates = Duplicates::whole;
  Recode recode = Recode::centroid;
  Effort refine = Effort::none;  ///< the search for less loss that follows a published algorithm
  Effort effort = Effort::fast;  ///< the search inside method microaggregate
  double refine_seconds = 0;     ///< stops the search after this many seconds; 0 = unlimited
  /// Divides the records into blocks of about so many neighbours, which are partitioned one by one;
  /// 0: the method decides. See method/blocks/blocks.hpp.
  std::int32_t block_size = 0;
  int threads = 1;    ///< the most that work at once; changes the time, never the result
  double gamma = -1;  ///< V-MDAV; negative: not given
  std::uint64_t seed = 0;
  /// The key of coins and permutations: KeyedRandom::kKeyBytes bytes. Null: everybody can compute
  /// them from the seed.
  const std::uint8_t* secret = nullptr;
  bool lower_bound = false;
  double lower_bound_seconds = 0;   ///< time limit of the bound's ascent; 0 = a fixed number of
                                    ///< rounds
  bool counts_units = false;        ///< k and all models count units (persons) instead of records
  bool unit_rows_together = false;  ///< k persons also share a history of classes
  const char* algorithm = nullptr;  ///< for methods with several algorithms; null = the first
  Promises promises;
  Transparency transparency;
  AggregateKnowledge aggregate;
  FullDomainOptions generalisation;
  GridOptions grid;
};

}  // namespace anonkit
