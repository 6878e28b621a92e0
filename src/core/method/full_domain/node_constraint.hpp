#pragma once

// The privacy models of a full-domain search, decided on frequency sets.
//
// Phases: judge() suppresses the classes that break a promise and tests the budget; judge_relaxed()
// prunes nodes by the monotone part of the promises. Invariant: a feasible node satisfies all
// promises for its published records, as a reader will measure them. Memory: a few numbers per
// sensitive value.
//
//   Outcome outcome;
//   constraint.judge(search.table_at(levels), &outcome);
//   const Record published = problem.records - outcome.suppressed;  // if outcome.feasible

#include <cstdint>
#include <functional>
#include <vector>

#include "method/full_domain/frequencies.hpp"
#include "promise/class_model.hpp"
#include "promise/population_limits.hpp"
#include "promise/risk_limits.hpp"
#include "sensitive/emd.hpp"

namespace anonkit {

/// The result for a frequency set.
struct Outcome {
  bool feasible = false;   ///< if false, the other members may be incomplete
  Record suppressed = 0;   ///< records of suppressed classes
  Record classes = 0;      ///< published
  std::vector<char> kept;  ///< by class: 1 if it is published
};

/// The privacy models that a generalisation must satisfy, in any combination and for every
/// sensitive attribute: k-anonymity, t-closeness, and every promise with a ClassModel.
///
/// A class that breaks a promise is suppressed, and the promises hold for the published records.
/// Every model but t-closeness concerns each class alone. t-closeness compares with the
/// distribution of the published records. Classes farther than t from the distribution of the
/// remaining records are suppressed, repeatedly, until all are close enough. This rule defines the
/// published records of a node; dropping classes one by one might keep others.
///
/// Pruning. Without suppression every model is monotone: a generalisation of a feasible node is
/// feasible (LeFevre et al. 2005; Machanavajjhala et al. 2007, section 4; Li et al. 2007, section
/// 3), and so is the risk of all records, which unions lower. With suppression, monotonicity holds
/// for k and upward closed promises: a class that satisfies these satisfies them with any
/// additional record. So a generalisation suppresses no record that its specialisation publishes.
/// The other models lack this property, since an outlier may spoil a class. They imply a number of
/// distinct values, which is monotone. A node that fails this `relaxed` condition is infeasible,
/// and so are its specialisations. With units p and l lack the property even without suppression:
/// persons without a value in one class may have it in another.
///
/// k-map is upward closed, since a class's records of the population only become more. With a lower
/// bound of delta-presence no class of the population may be without published records, so nothing
/// is suppressed.
class NodeConstraint {
 public:
  NodeConstraint(const FullDomainProblem& problem, const Frequencies& leaves);

  /// The number of members of a class: records, or persons with units.
  static Record members(const Frequencies& table, std::size_t c) {
    if (table.units.begin.size() <= 1) return table.sizes[c];
    const Emd::Runs units = table.units.of(c);
    return static_cast<Record>(units.last - units.first);
  }

  /// The largest number of suppressed records.
  Record budget() const { return budget_; }
  void set_budget(Record budget) { budget_ = budget; }
  /// True if every generalisation of a feasible node is feasible.
  bool monotone() const { return upward_closed_ || (budget_ == 0 && !counts_holders_); }

  /// Called for each suppressed class; returns true to declare the node infeasible.
  using Suppress = std::function<bool(std::size_t)>;

  /// Judges a node. O(classes + runs), a few times that with t-closeness. Infeasible also if
  /// `suppress` returns true.
  void judge(const Frequencies& table, Outcome* outcome, const Suppress& suppress = {}) const;
  /// Judges a node as if all records might be suppressed.
  void judge_all(const Frequencies& table, Outcome* outcome) const;
  /// Judges by the monotone part of the promises: infeasible only if judge() finds so too.
  void judge_relaxed(const Frequencies& table, Outcome* outcome) const;

  /// True if the class satisfies every promise but t-closeness.
  bool keeps(const Frequencies& table, std::size_t c) const;
  /// True if good() decides about each class alone: no t-closeness relative to the published
  /// records, no risk of all records, and no class of the population that must be published.
  bool by_class() const {
    return (!promises_.t_close() || budget_ == 0) && !limits_.any() &&
           !population_limits_.all_classes();
  }
  bool good(const Frequencies& table, std::size_t c) const {
    return keeps(table, c) && (!promises_.t_close() || close_to_table(table, c));
  }

 private:
  struct JudgedModel {
    ClassModel holds;
    bool upward_closed;
  };
  struct JudgedValues {
    std::vector<JudgedModel> models;
    std::vector<std::int32_t> lifted;  ///< see SensitiveAttribute
    std::vector<HeldValue> held;       ///< by pair; empty without units
    SensitiveAttribute measured;       ///< for t-closeness
    std::size_t values;
    Emd table;  ///< compares with the entire table
  };

  bool may_keep(const Frequencies& table, std::size_t c) const;
  bool enough_persons_without(const Frequencies& table, std::size_t c) const;
  std::int32_t most_holders(const Emd::Runs& pairs, const std::vector<HeldValue>& held,
                            const std::vector<std::int32_t>& lifted) const;
  bool close_to_table(const Frequencies& table, std::size_t c) const;
  void make_close(const Frequencies& table, Record budget, const Suppress& suppress,
                  Outcome* outcome) const;
  bool within_risk(const Frequencies& table, const Outcome& outcome) const;
  template <class Holds>
  void judge_by(const Frequencies& table, Record budget, Holds keeps, const Suppress& suppress,
                Outcome* outcome) const;
  void judge_within(const Frequencies& table, Record budget, const Suppress& suppress,
                    Outcome* outcome) const;

  Promises promises_;
  Record k_;
  Record budget_;
  std::int32_t least_values_;  ///< of a class, implied by the promises
  bool counts_holders_;        ///< distinct values are promised to persons
  bool upward_closed_;
  RiskLimits limits_;
  PopulationLimits population_limits_;
  std::vector<ClassModel> of_persons_;  ///< models of a class's records by person
  std::vector<JudgedValues> sensitive_;
  mutable std::vector<HeldValue> holders_;
};

/// The number of records that `max_suppression` allows to suppress. Throws invalid_parameter unless
/// the share is within 0 .. 1.
Record suppression_budget(double max_suppression, Record records);

}  // namespace anonkit
