#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// Probabilistic k-anonymity (J. Soria-Comas, J. Domingo-Ferrer: Probabilistic k-anonymity through
/// microaggregation and data swapping. FUZZ-IEEE 2012): the records of a class exchange their
/// values, column by column. See swapping.hpp.
constexpr Recoding row_of_swap() {
  Recoding row;
  row.name = "swap";
  row.keeps_type = row.by_record = true;
  row.of_numbers = row.of_categories = row.of_hierarchies =
      "values of a class, exchanged at random among its records";
  row.remaining_risk =
      "Every value is real. A rare one shows that its owner is in the table, and a row can equal "
      "that of a person by chance.";
  row.without_versions = "Its classes change from one refresh to the next.";
  row.mask = mask_by_centroid;
  return row;
}

}  // namespace

constexpr Recoding kSwapRecoding = row_of_swap();

}  // namespace anonkit
