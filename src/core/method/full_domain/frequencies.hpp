#pragma once

// Frequency sets (LeFevre et al. 2005, section 2.3): the classes of a table at a node of the
// lattice, with their sizes and the histograms of every sensitive attribute.
//
// Phases: GroupedRecords counts the records once, at level 0; roll_up() sums classes to higher
// levels. Invariant: every later frequency set is a sum of the first, in the order of first
// classes. Memory: 24 bytes per class, and 8 per distinct sensitive value of each class; with units
// 8 per person of each class, and per distinct value of the person.
//
//   Regrouper regrouper(ticker);
//   Frequencies rolled;
//   regrouper.regroup(leaves, [&](std::size_t c) { return leaves.keys[c]; }, &rolled);

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "method/full_domain/cell_key.hpp"
#include "method/full_domain/full_domain.hpp"
#include "sensitive/emd.hpp"

namespace anonkit {

/// By class, the frequency of each value of a sensitive attribute.
struct ClassRuns {
  std::vector<std::int32_t> begin = {0};  ///< classes + 1
  std::vector<Emd::Run> runs;

  Emd::Runs of(std::size_t c) const { return {runs.data() + begin[c], runs.data() + begin[c + 1]}; }
};

/// The frequency set of one node.
struct Frequencies {
  std::vector<CellKey> keys;
  std::vector<Record> sizes;         ///< 0 of a class that only the population has
  std::vector<Record> crowds;        ///< by class, the records of the population; empty without one
  std::vector<ClassRuns> sensitive;  ///< by attribute
  ClassRuns units;                   ///< the persons of each class's records; empty without units
  /// By attribute, the distinct pairs of a value and a person (GroupedRecords::pairs) of each
  /// class; empty without units.
  std::vector<ClassRuns> pairs;

  std::size_t classes() const { return keys.size(); }
};

/// Sums frequency sets. Buffers persist between sums.
class Regrouper {
 public:
  explicit Regrouper(Ticker& ticker) : ticker_(ticker) {}

  /// Unites the classes c of `from` with equal key(c), in the order of their first ones. O(classes
  /// + runs).
  template <class Key>
  void regroup(const Frequencies& from, Key key, Frequencies* to) {
    index_.begin(from.classes());
    class_of_.resize(from.classes());
    for (std::size_t c = 0; c < from.classes(); ++c) class_of_[c] = index_.number(key(c));
    add_up(from, nullptr, to);
  }
  /// Unites only the listed classes of `from`.
  template <class Key>
  void regroup(const Frequencies& from, const std::vector<std::int32_t>& classes, Key key,
               Frequencies* to) {
    index_.begin(classes.size());
    class_of_.resize(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i)
      class_of_[i] = index_.number(key(static_cast<std::size_t>(classes[i])));
    add_up(from, &classes, to);
  }
  /// By class, or listed class, of the last call: its new class.
  const std::vector<std::int32_t>& class_of() const { return class_of_; }

 private:
  using Classes = std::vector<std::int32_t>;
  void add_up(const Frequencies& from, const Classes* listed, Frequencies* to);
  void add_runs(const ClassRuns& from, ClassRuns* to);

  Ticker& ticker_;
  KeyIndex index_;
  std::vector<std::int32_t> class_of_;
  std::vector<std::int32_t> first_, order_;  ///< classes of `from` by new class
  std::vector<std::int32_t> counts_, ranks_;
};

/// A value and a person who has it.
struct HeldValue {
  std::int32_t value;
  std::int32_t unit;
  bool operator<(const HeldValue& other) const {
    return value != other.value ? value < other.value : unit < other.unit;
  }
};
/// The distinct pairs of an attribute, ascending. O(n log n).
std::vector<HeldValue> held_values(const SensitiveAttribute& attribute,
                                   const std::vector<std::int32_t>& units);

/// The records of a problem, grouped once by their leaves.
struct GroupedRecords {
  explicit GroupedRecords(const FullDomainProblem& problem, Ticker& ticker);

  CellLayout layout;
  std::vector<std::int32_t> class_of;  ///< by record: its class of `leaves`
  Frequencies leaves;                  ///< every attribute at level 0
};

/// Generalises one attribute from one level to a higher one. O(classes + runs).
void roll_up(const CellLayout& layout, const Hierarchy& hierarchy, std::size_t attribute,
             std::int32_t from_level, std::int32_t to_level, const Frequencies& from,
             Regrouper* regrouper, Frequencies* to);

/// By group of a level: its group at a higher level.
std::vector<std::int32_t> ancestors(const Hierarchy& hierarchy, std::int32_t from, std::int32_t to);

}  // namespace anonkit
