#pragma once

#include <cstdint>

#include "data/standardize.hpp"

namespace anonkit {

enum class Nulls : std::uint8_t { error, stratify };
enum class Recode : std::uint8_t { centroid, range };
enum class Refine : std::uint8_t { none, fast, thorough };

/// What a method may be told, beside the records. Plain data: also the part of a release's Spec
/// that the core reads.
struct Options {
  std::int32_t k = 0;
  Standardize standardize = Standardize::zscore;
  Nulls nulls = Nulls::error;
  Recode recode = Recode::centroid;
  Refine refine = Refine::none;  ///< the search for less loss that follows a published algorithm
  Refine effort = Refine::fast;  ///< the search within method microaggregate
  double refine_seconds = 0;     ///< stop the search after this many seconds; 0 = no such limit
  double gamma = 0.2;            ///< V-MDAV
  std::uint64_t seed = 0;
  bool lower_bound = false;
  const char* algorithm = nullptr;  ///< of a method that has several; null = its first choice
  double t = 0;                     ///< t-closeness of every sensitive attribute; 0 = not promised
  const double* t_each = nullptr;   ///< or one for each of them

  bool promises_t() const { return t_each != nullptr || t > 0; }
  /// The t that is promised of the i-th sensitive attribute.
  double t_of(std::size_t i) const { return t_each != nullptr ? t_each[i] : t; }
};

}  // namespace anonkit
