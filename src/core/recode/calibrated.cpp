#include "recode/calibration.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// Centroids, of which some cells then become other values of their class, so that the joint
/// frequencies of all pairs of columns come near to those of the records. See calibration.hpp.
constexpr Recoding row_of_calibrated() {
  Recoding row;
  row.name = "calibrated";
  row.keeps_type = true;
  row.of_numbers = row.of_categories = row.of_hierarchies =
      "one value for each class: the centroid or a value of the class, by joint frequencies";
  row.remaining_risk =
      "A cell can be the value of one record of its class. A rare one may be known to be "
      "somebody's.";
  row.without_versions = "Its cells change with other classes, from one refresh to the next.";
  row.mask = mask_by_centroid;
  row.adjust = calibrate;
  return row;
}

}  // namespace

constexpr Recoding kCalibratedRecoding = row_of_calibrated();

}  // namespace anonkit
