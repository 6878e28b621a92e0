#pragma once

// Generated tables of whole numbers, which every machine draws alike: no distribution of the
// standard library, and no generator of the core.

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "table/hierarchy.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The quasi-identifiers.
enum class Quasi {
  number,       ///< an amount
  numbers,      ///< an age, and two amounts that grow with it
  mixed,        ///< an age, an ordered grade, a town and a sex
  hierarchies,  ///< a town, a job and an age, with a hierarchy each
  partly,       ///< an age without a hierarchy, a town with one, an ordered grade
  small,        ///< a flag, quarters, debts, a constant and a category of one
  nulls,        ///< an age and two amounts, some of them null, and a grade
  ties,         ///< two numbers, a rank and a colour of three or four values each
  tied_nulls,   ///< some of these numbers are null
};

inline const char* name_of(Quasi quasi) {
  constexpr const char* kNames[] = {"number", "numbers", "mixed", "hierarchies", "partly",
                                    "small",  "nulls",   "ties",  "tied nulls"};
  return kNames[static_cast<int>(quasi)];
}

/// A table and the memory behind it. Two sensitive columns, an illness of seven and a pay grade of
/// 20, are correlated with the age.
class PinnedTable {
 public:
  PinnedTable(Quasi quasi, Record rows, std::uint64_t seed);
  PinnedTable(const PinnedTable&) = delete;
  PinnedTable& operator=(const PinnedTable&) = delete;

  /// No sensitive column.
  Table plain() const;
  Table with_illness() const;
  /// Distances of illnesses follow a hierarchy.
  Table with_illness_tree() const;
  /// The first three illnesses are one protected value.
  Table with_lifted_illness() const;
  Table with_pay() const;
  Table with_both() const;

  /// The rows of persons: a third of them has two rows or three.
  const std::vector<std::int32_t>& units() const { return units_; }
  const std::vector<double>& values() const { return values_; }
  const std::vector<std::int32_t>& illnesses() const { return illnesses_; }
  const std::vector<double>& pay() const { return pay_; }
  static constexpr std::int32_t kIllnesses = 7;
  static constexpr std::int32_t kGrades = 20;

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  void add_column(const char* name, const Attribute& attribute);
  void add_columns(Quasi quasi);
  void add_hierarchy(std::size_t column, const std::vector<int>& widths);
  void add_population();
  double value(const Column& column, int age);
  SensitiveColumn illness() const;
  SensitiveColumn pay_grade() const;

  Record rows_;
  bool nulls_;
  std::mt19937_64 random_;
  std::vector<Column> columns_;
  std::vector<double> values_;
  std::deque<Hierarchy> hierarchies_;
  std::deque<std::vector<std::int32_t>> leaves_;
  std::vector<Fingerprint> fingerprints_;
  std::vector<std::int32_t> units_, labels_, illnesses_, grades_, lifted_;
  std::vector<double> numbers_, pay_;
  Hierarchy illness_tree_;
  Record population_ = 0;
};

}  // namespace anonkit
