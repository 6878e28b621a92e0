#pragma once

#include <functional>
#include <memory>

#include "method/method.hpp"
#include "recode/generalisation.hpp"
#include "search/loss/loss.hpp"

namespace anonkit {

/// The loss that searches of a problem lower: NCP if ranges or groups of hierarchies are published,
/// else SSE. It keeps references to the problem and the ticker.
class ProblemLoss {
 public:
  ProblemLoss(const Problem& problem, Ticker& ticker);

  /// The loss of a class; those of classes add up.
  double of_class(const RecordSpan& members) const;
  double total(const Partition& partition) const;

 private:
  Ticker& ticker_;
  std::unique_ptr<GeneralisationSpace> space_;
  std::unique_ptr<Loss> loss_;
};

}  // namespace anonkit
