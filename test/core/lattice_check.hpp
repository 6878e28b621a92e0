#pragma once

// What a generalisation publishes, seen as a reader sees it.

#include <gtest/gtest.h>

#include <vector>

#include "reference_lattice.hpp"

namespace anonkit {

inline double loss_of(const FullDomainProblem& problem, const NodeFigures& figures) {
  switch (problem.metric) {
    case RecodingMetric::prec:
      return 1 - figures.prec;
    case RecodingMetric::ncp:
      return figures.ncp;
    case RecodingMetric::dm:
      return static_cast<double>(figures.dm);
    case RecodingMetric::avg:
      return figures.avg;
    case RecodingMetric::entropy:
      return figures.entropy;
  }
  return 0;
}

/// The classes of a node that are published, straight from the release.
inline reference::Classes classes_of(const FullDomainProblem& problem, const Recoded& recoded) {
  const std::size_t d = problem.hierarchies.size();
  reference::Classes classes;
  for (std::size_t i = 0; i < recoded.partition.class_of.size(); ++i) {
    const ClassId c = recoded.partition.class_of[i];
    if (c == kSuppressed) continue;
    std::vector<std::int32_t> cells;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t cell = static_cast<std::size_t>(c) * d + j;
      cells.push_back(static_cast<std::int32_t>(recoded.masked.low[cell]));
      EXPECT_EQ(problem.hierarchies[j]->group(recoded.masked.levels[cell], problem.leaves[j][i]),
                cells.back());
      cells.push_back(recoded.masked.levels[cell]);
    }
    classes[cells].push_back(i);
  }
  EXPECT_EQ(classes.size(), static_cast<std::size_t>(recoded.partition.classes));
  return classes;
}

}  // namespace anonkit
