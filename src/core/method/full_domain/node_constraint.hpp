#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "method/full_domain/frequencies.hpp"
#include "sensitive/emd.hpp"

namespace anonkit {

/// What becomes of a frequency set's classes.
struct Outcome {
  bool feasible = false;   ///< if not, what follows is only what was seen before that was clear
  Record suppressed = 0;   ///< records of the classes that are not kept
  Record classes = 0;      ///< kept
  std::vector<char> kept;  ///< one a class
};

/// The privacy models that a generalisation has to keep: k-anonymity, p-sensitivity, distinct,
/// entropy and recursive (c,l)-diversity, (alpha,k)- and (k,e)-anonymity, t-closeness, in any
/// combination, each for every sensitive attribute.
///
/// A class that breaks one of them is suppressed, and the promises hold for the records published,
/// as the reader of the release will measure them. For all models but t-closeness that is a matter
/// of each class alone. t-closeness compares with the distribution of the published records: those
/// classes are suppressed that are farther than t from the distribution of all that are left, and
/// again, until all that are left are close enough. (The rule is part of the definition of what a
/// node publishes; dropping classes one by one could keep others.)
///
/// Pruning. When nothing may be suppressed every model is monotone: a generalisation of a feasible
/// node is feasible (LeFevre et al. 2005; Machanavajjhala et al. 2007, section 4; Li et al. 2007,
/// section 3). With suppression that holds for k, p, distinct l and (k,e), whose classes stay
/// good whatever joins them, so that a generalisation suppresses no record that its specialisation
/// publishes. It does not hold for the others: a good class can go bad when an outlier joins it.
/// They imply a number of distinct values, which is monotone: a node that fails by this
/// `relaxed` demand is infeasible, and so are its specialisations.
class NodeConstraint {
 public:
  NodeConstraint(const FullDomainProblem& problem, const Frequencies& leaves);

  /// The members of a class: records, with units persons.
  static Record members(const Frequencies& table, std::size_t c) {
    if (table.units.begin.size() <= 1) return table.sizes[c];
    const Emd::Runs units = table.units.of(c);
    return static_cast<Record>(units.last - units.first);
  }

  /// The records that may be suppressed.
  Record budget() const { return budget_; }
  void set_budget(Record budget) { budget_ = budget; }
  /// True if feasibility is passed on from a node to its generalisations.
  bool monotone() const { return budget_ == 0 || upward_closed_; }

  /// Told of each class that is suppressed; true if that makes one too many.
  using Suppress = std::function<bool(std::size_t)>;

  /// O(classes + runs); of t-closeness a few times that. Infeasible also if `suppress` says so.
  void judge(const Frequencies& table, Outcome* outcome, const Suppress& suppress = {}) const;
  /// Judges as if all records might be suppressed.
  void judge_all(const Frequencies& table, Outcome* outcome) const;
  /// Judges by the monotone part of the promises: infeasible only if judge() says so too.
  void judge_relaxed(const Frequencies& table, Outcome* outcome) const;

  /// Whether a class may be published, but for t-closeness.
  bool keeps(const Frequencies& table, std::size_t c) const;
  /// True if good() decides of a class: if t-closeness does not ask what else is published.
  bool by_class() const { return !promises_.t_close() || budget_ == 0; }
  bool good(const Frequencies& table, std::size_t c) const {
    return keeps(table, c) && (!promises_.t_close() || close_to_table(table, c));
  }

 private:
  struct JudgedValues {
    std::vector<double> numbers;       ///< see SensitiveAttribute
    std::vector<std::int32_t> lifted;  ///< see SensitiveAttribute
    SensitiveAttribute measured;       ///< what t-closeness has to know
    std::size_t values;
    Emd table;  ///< compares with the whole table
  };

  bool may_keep(const Frequencies& table, std::size_t c) const;
  bool diverse(const Emd::Runs& runs, Record size) const;
  bool close_to_table(const Frequencies& table, std::size_t c) const;
  void make_close(const Frequencies& table, Record budget, const Suppress& suppress,
                  Outcome* outcome) const;
  template <class Holds>
  void judge_by(const Frequencies& table, Record budget, Holds keeps, const Suppress& suppress,
                Outcome* outcome) const;
  void judge_within(const Frequencies& table, Record budget, const Suppress& suppress,
                    Outcome* outcome) const;

  Promises promises_;
  Record k_;
  Record budget_ = 0;
  bool upward_closed_;
  std::int32_t least_distinct_;  ///< values that every class has, whatever the model
  std::vector<JudgedValues> sensitive_;
  mutable std::vector<std::int32_t> scratch_;
};

/// Records that `max_suppression` allows to be suppressed. Throws invalid_parameter unless the
/// share is within 0 .. 1.
Record suppression_budget(double max_suppression, Record records);

}  // namespace anonkit
