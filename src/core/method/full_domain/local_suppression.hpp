#pragma once

#include <vector>

#include "method/full_domain/recoding_cost.hpp"

namespace anonkit {

/// Local suppression: outliers lose single cells, so that they become equal and can be published.
///
/// Sets of attributes are tried from the cheapest to the most expensive. Outliers that agree in all
/// other attributes, and together satisfy the promises on a class, lose their cells of the set. The
/// others remain outliers. The caller suppresses the final outliers.
class LocalSuppression {
 public:
  LocalSuppression(const FullDomainProblem& problem, const CellLayout& layout,
                   const NodeConstraint& constraint, const RecodingCost& cost, Ticker& ticker)
      : problem_(problem),
        layout_(layout),
        constraint_(constraint),
        cost_(cost),
        regrouper_(ticker),
        ticker_(ticker) {}

  /// The key of every class afterwards. `kept` marks the classes that are not outliers. With
  /// `joins`, outliers may also join such a class. That takes longer and helps only if cells of the
  /// table are suppressed already. O(2^attributes x outliers); above 10 attributes, at most 3 are
  /// suppressed.
  std::vector<CellKey> keys(const Levels& levels, const Frequencies& table,
                            const std::vector<char>& kept, bool joins);

 private:
  using Attributes = std::vector<std::size_t>;

  std::vector<Attributes> candidates(const Levels& levels, const Frequencies& table,
                                     const std::vector<char>& kept) const;
  std::int64_t weight(const Levels& levels, const Frequencies& table, const std::vector<char>& kept,
                      std::size_t attribute) const;
  CellKey without(CellKey key, const Attributes& attributes) const;

  const FullDomainProblem& problem_;
  const CellLayout& layout_;
  const NodeConstraint& constraint_;
  const RecodingCost& cost_;
  Regrouper regrouper_;
  Ticker& ticker_;
};

}  // namespace anonkit
