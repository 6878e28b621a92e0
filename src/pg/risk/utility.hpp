#pragma once

#include "pg/read/pair_reader.hpp"
#include "pg/risk/figure_list.hpp"

namespace anonkit::pg {

/// The question of anon_utility about a pair. Plain data.
struct UtilityQuestion {
  int qi;             ///< the columns that are compared are the first ones
  int class_columns;  ///< the first of them, whose cells form classes
  int key;            ///< the columns of the key are the last ones
  int target;         ///< index of the regressed column, -1: none
  std::int32_t queries;
  std::uint64_t seed;
};

/// The figures of anon_utility.
Figures utility_figures(const PairData& data, const UtilityQuestion& question);

}  // namespace anonkit::pg
