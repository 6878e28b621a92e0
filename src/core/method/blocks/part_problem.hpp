#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "method/method.hpp"

namespace anonkit {

/// The distributions that parts of a problem are compared with: the problem's own.
TableCounts table_counts_of(const Problem& whole);

/// Some records of a problem as a problem of their own, in the same space, with the promises and
/// distributions of the entire table. Memory: the records' coordinates, sensitive values and units.
class PartProblem {
 public:
  /// `records` are ascending positions of records in the entire problem.
  PartProblem(const Problem& whole, const std::vector<Record>& records,
              const TableCounts& table_counts, std::function<double()> clock);
  PartProblem(const PartProblem&) = delete;
  PartProblem& operator=(const PartProblem&) = delete;

  const Problem& problem() const { return problem_; }

 private:
  std::vector<Record> rows_;
  Space space_;
  std::vector<SensitiveAttribute> sensitive_;
  Problem problem_;
};

}  // namespace anonkit
