#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sensitive/emd.hpp"

namespace anonkit {

/// The condition of a privacy model on a class, decided by the counts of one sensitive attribute's
/// values among its members; there is at least one. A member is a record with one value, or a
/// person with several. Searches and lattices share it. Not for several threads at once.
using ClassModel = std::function<bool(const Emd::Runs& runs, std::int32_t members)>;

inline std::int32_t distinct(const Emd::Runs& runs) {
  return static_cast<std::int32_t>(runs.last - runs.first);
}

/// The counts of values in ascending order, in memory that `runs` keeps.
inline Emd::Runs count_runs(const Emd::Sorted& values, std::vector<Emd::Run>* runs) {
  runs->clear();
  for (const std::int32_t rank : values) {
    if (runs->empty() || runs->back().rank != rank) runs->push_back({rank, 0});
    ++runs->back().count;
  }
  return {runs->data(), runs->data() + runs->size()};
}

}  // namespace anonkit
