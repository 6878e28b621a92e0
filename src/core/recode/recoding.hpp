#pragma once

// The table of recodings: one row and one source file each.
//
// A row declares everything that methods, checks and the database layer ask of a recoding, so no
// other code compares with an enumerator. Invariant: the rows are in the order of Recode. The table
// is static and allocates no memory.
//
//   const Recoding& how = recoding(options.recode);
//   if (how.keeps_type) ...  // a published cell has its column's own type

#include <cstdint>

#include "base/options.hpp"
#include "recode/class_rows.hpp"
#include "recode/masked.hpp"
#include "table/standardize.hpp"
#include "table/table.hpp"

namespace anonkit {

/// A recoding of the cells of a class.
struct Recoding {
  const char* name = nullptr;  ///< in SQL
  /// True if a cell is one value of the column's type, rounded to it. The loss is the squared error
  /// of the cells. Otherwise a cell is an interval, a set or a label, and the loss is the NCP.
  bool keeps_type = false;
  /// True if a number is a linear equation of the values of the class, which an attacker can solve
  /// who knows all others.
  bool is_linear = false;
  /// True if cells are the extreme values of the class, even in columns with hierarchies.
  bool by_range = false;
  /// True if records of a class have cells of their own, values of the class in an order that only
  /// a secret tells. So the release has no classes to count, its k-anonymity is probabilistic, and
  /// judges see the private classes. `mask` then gives the cells by which the loss is measured.
  bool by_record = false;
  /// True if columns with hierarchies publish labels, and categories without one are suppressed.
  bool by_hierarchy = false;
  /// The words for a cell of a column of numbers, of categories, and with a hierarchy.
  const char* of_numbers = nullptr;
  const char* of_categories = nullptr;
  const char* of_hierarchies = nullptr;
  /// A sentence about the disclosure that remains, or null.
  const char* remaining_risk = nullptr;

  /// Why no release with a key may have it, or null.
  const char* without_versions = nullptr;

  /// Masks one cell: column j of a class.
  void (*mask)(const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
               std::size_t cell) = nullptr;
  /// Changes the cells of classes, whose rows differ, by those of all others; or null.
  void (*adjust)(const Table& table, const Members& members, const std::vector<Scale>& scales,
                 Masked& masked, Ticker& ticker) = nullptr;
};

extern const Recoding kCentroidRecoding, kRangeRecoding, kHierarchyRecoding, kMedianRecoding,
    kSwapRecoding, kCalibratedRecoding;

constexpr const Recoding* kRecodings[] = {&kCentroidRecoding,  &kRangeRecoding,
                                          &kHierarchyRecoding, &kMedianRecoding,
                                          &kSwapRecoding,      &kCalibratedRecoding};

inline const Recoding& recoding(Recode recode) {
  return *kRecodings[static_cast<int>(recode)];
}

/// The mask of centroids, which others share for some columns or begin with.
void mask_by_centroid(const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
                      std::size_t cell);

/// True if the cells of a class are no function of its own records.
inline bool depends_on_others(const Recoding& how) {
  return how.by_record || how.adjust != nullptr;
}

/// The recoding whose cells have the squared error: this one, or centroids for cells that are no
/// single values.
inline Recode measured_by(Recode recode) {
  return recoding(recode).keeps_type ? recode : Recode::centroid;
}

}  // namespace anonkit
