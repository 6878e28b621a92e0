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
  Refine refine = Refine::none;  ///< the search for less loss that follows the method
  double refine_seconds = 0;     ///< stop the search after this many seconds; 0 = no such limit
  double gamma = 0.2;            ///< V-MDAV
  std::uint64_t seed = 0;
  bool lower_bound = false;
};

}  // namespace anonkit
