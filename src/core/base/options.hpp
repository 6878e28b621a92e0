#pragma once

#include <cstdint>

namespace anonkit {

/// How numeric columns are made comparable.
enum class Standardize : std::uint8_t {
  zscore,  ///< (x - mean) / sample standard deviation
  range,   ///< (x - smallest) / (largest - smallest)
  none,
};

enum class Nulls : std::uint8_t { error, stratify };
/// What becomes of records that are equal in all quasi-identifiers.
enum class Duplicates : std::uint8_t {
  whole,   ///< one weighted point: no class divides them
  divide,  ///< records on their own, as papers have them, in an order by a keyed hash
};
enum class Recode : std::uint8_t { centroid, range, hierarchy };
/// How long to search for less loss.
enum class Effort : std::uint8_t {
  none,
  fast,      ///< descent, and a short annealing of small tables: 50 ms for thousands of records,
             ///< about three times what MDAV takes for millions
  thorough,  ///< descent and long annealing: some ten seconds for a thousand records
};

enum class VarianceOf : std::uint8_t { rare, all };

/// What a full-domain search minimises. Suppressed records count as fully generalised.
enum class RecodingMetric : std::uint8_t {
  prec,     ///< 1 - Prec: the mean height of the cells in their hierarchies
  ncp,      ///< GCP: the mean share of an attribute's values that a cell stands for
  dm,       ///< discernibility
  avg,      ///< normalised average class size, of all records over the classes published
  entropy,  ///< the share of the cells' information, in bits, that is lost
};

/// What mu-Argus is told of an attribute.
enum class Identifying : std::uint8_t { identifying, more, most };

/// The privacy models that every class keeps beside k-anonymity, each for every sensitive
/// attribute. 0 stands for a model that is not promised. Plain data.
struct Promises {
  std::int32_t p = 0;              ///< p-sensitivity; with r only of the classes that it binds
  std::int32_t l = 0;              ///< distinct l-diversity; with c the l of (c,l)-diversity
  double entropy_l = 0;            ///< entropy l-diversity
  double c = 0;                    ///< recursive (c,l)-diversity
  double alpha = 0;                ///< (alpha,k)-anonymity
  double e = 0;                    ///< (k,e)-anonymity, of numbers
  double t = 0;                    ///< t-closeness
  const double* t_each = nullptr;  ///< or one t for each attribute
  std::int32_t n = 0;              ///< (n,t)-closeness in the place of t-closeness
  /// (k,p,q,r)-anonymity: classes with a value rarer than q have p values and r of the variance.
  double q = 0;
  double r = 0;
  VarianceOf variance_of = VarianceOf::rare;  ///< what r is a share of

  bool t_close() const { return t_each != nullptr || t > 0; }
  /// The t that is promised of the i-th sensitive attribute.
  double t_of(std::size_t i) const { return t_each != nullptr ? t_each[i] : t; }
  /// What is promised beside closeness.
  Promises without_t() const {
    Promises others = *this;
    others.t = 0;
    others.t_each = nullptr;
    others.n = 0;
    return others;
  }
  bool kpqr() const { return q > 0 || r > 0; }
  bool any() const {
    return t_close() || n > 0 || kpqr() || p > 0 || l > 0 || entropy_l > 0 || alpha > 0 || e > 0;
  }
};

/// What method aggregate promises in the place of k-anonymity. Plain data.
struct AggregateKnowledge {
  const char* const* functions = nullptr;  ///< by name; null = the sum
  std::int32_t count = 0;
  std::int32_t attributes = 0;      ///< quasi-identifiers
  const double* weights = nullptr;  ///< of the weighted sum, one for each of them
  double d = 0;                     ///< how exactly an attacker knows them
  bool identical = false;           ///< the stronger guarantee
  bool common_domain = false;       ///< all attributes are of one domain
  std::int32_t k = 0;               ///< what an audit is to assert
};

/// What full-domain generalisation may be told. Plain data.
struct FullDomainOptions {
  double max_suppression = -1;  ///< the largest share of the records; below 0: the method's own
  RecodingMetric metric = RecodingMetric::ncp;
  bool local_suppression = false;            ///< of single cells, where that costs less
  const Identifying* identifying = nullptr;  ///< mu-Argus: one for each quasi-identifier, or null
  bool complete = true;                      ///< mu-Argus: suppress on until all promises are kept
};

/// What a method may be told, beside the records. Plain data: also the part of a release's Spec
/// that the core reads.
struct Options {
  std::int32_t k = 0;
  Standardize standardize = Standardize::zscore;
  /// One for each quasi-identifier: numbers are divided by it in the place of being standardised,
  /// so that parts of a table agree; null: standardise.
  const double* scales = nullptr;
  Nulls nulls = Nulls::error;
  Duplicates duplicates = Duplicates::whole;
  Recode recode = Recode::centroid;
  Effort refine = Effort::none;  ///< the search for less loss that follows a published algorithm
  Effort effort = Effort::fast;  ///< the search within method microaggregate
  double refine_seconds = 0;     ///< stop the search after this many seconds; 0 = no such limit
  double gamma = -1;             ///< V-MDAV; negative: not given
  std::uint64_t seed = 0;
  bool lower_bound = false;
  double lower_bound_seconds = 0;   ///< raise the bound for this long; 0 = a number of rounds
  bool counts_units = false;        ///< k and all models count units, persons, and not records
  bool unit_rows_together = false;  ///< k persons also share a history of classes
  const char* algorithm = nullptr;  ///< of a method that has several; null = its first choice
  Promises promises;
  AggregateKnowledge aggregate;
  FullDomainOptions generalisation;
};

}  // namespace anonkit
