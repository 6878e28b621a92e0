#pragma once

// The space in which records are compared: n records by d attributes, one row per record, in
// canonical order. Squared distances are sums over the attributes from first to last.
//
// Invariants. Numeric coordinates lie on a grid (2^-51 of the column's largest magnitude). Any sum
// of up to 2^60 of them is therefore exact in 128-bit integers. A centroid does not depend on the
// order of additions and removals. Ordinal coordinates are rank * sqrt(weight)/categories. Nominal
// coordinates are the codes, compared only for equality. Memory: n*d doubles, and n weights if any.
//
//   const Space space({0, 0, 3, 4}, {{Kind::numeric}, {Kind::numeric}});
//   space.size();                                            // 2 records
//   space.squared_distance(space.row(0), space.row(1));      // 25

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/record.hpp"
#include "base/ticker.hpp"
#include "space/published_steps.hpp"
#include "table/attribute.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// Records as points. A row may represent several records: its weight (see points.hpp). Sums,
/// counts and comparisons of a class with k use weights.
class Space {
 public:
  /// `values`: n*d standardised numbers or codes, row-major. Applies the weights and the grid. O(n
  /// d). The ticker may be null if the work needs no interruption.
  Space(std::vector<double> values, std::vector<Attribute> attributes, Ticker* ticker = nullptr,
        int threads = 1);

  /// Sets the number of records that each row represents.
  void weigh(std::vector<Record> weights);
  /// Says, by attribute, with which values centroids are published.
  void publish_in(std::vector<PublishedSteps> steps);
  /// The space of the listed rows, with the given weights.
  Space of_rows(const std::vector<Record>& rows, std::vector<Record> weights) const;

  /// The number of rows.
  Record size() const { return size_; }
  /// The number of records that all rows together represent.
  Record records() const { return records_; }
  bool weighted() const { return !weights_.empty(); }
  /// The number of records that a row represents: 1 unless the space is weighted.
  Record weight(Record i) const {
    return weights_.empty() ? 1 : weights_[static_cast<std::size_t>(i)];
  }
  int dimension() const { return static_cast<int>(attributes_.size()); }
  const Attribute& attribute(int j) const { return attributes_[static_cast<std::size_t>(j)]; }
  /// True if no attribute is nominal, so that squared distances are Euclidean.
  bool euclidean() const { return euclidean_; }
  /// True if every attribute is numeric.
  bool numeric() const { return numeric_; }

  const double* row(Record i) const {
    return coordinates_.data() + static_cast<std::size_t>(i) * attributes_.size();
  }
  /// A nominal attribute's squared distance between different values (its weight); 0 for other
  /// kinds.
  double mismatch(int j) const { return mismatch_[static_cast<std::size_t>(j)]; }
  /// The step of the grid on which the numeric attribute's coordinates lie, a power of two.
  double grid(int j) const { return grid_[static_cast<std::size_t>(j)]; }
  /// One over grid(j), exact.
  double steps_per_unit(int j) const { return steps_per_unit_[static_cast<std::size_t>(j)]; }
  /// The distance in coordinates between neighbouring ranks of an ordinal attribute.
  double rank_step(int j) const { return grid_[static_cast<std::size_t>(j)]; }

  /// The values that a numeric attribute's centroids are published with.
  PublishedSteps published(int j) const {
    return published_.empty() ? PublishedSteps{} : published_[static_cast<std::size_t>(j)];
  }

  /// The rank of an ordinal attribute's coordinate; 0 if the attribute's weight is 0, which makes
  /// all ranks equal.
  std::int32_t rank(double coordinate, int j) const {
    return rank_step(j) > 0 ? static_cast<std::int32_t>(std::lround(coordinate / rank_step(j))) : 0;
  }

  /// Squared distance between two points of the space, such as rows and centroids. O(d).
  double squared_distance(const double* x, const double* y) const {
    double sum = 0;
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      if (attributes_[j].kind == Kind::nominal) {
        sum += x[j] == y[j] ? 0 : mismatch_[j];
      } else {
        const double difference = x[j] - y[j];
        sum += difference * difference;
      }
    }
    return sum;
  }

 private:
  void place_numeric(std::size_t j, Ticker& ticker, int threads);
  void place_ordinal(std::size_t j);

  std::vector<Attribute> attributes_;
  std::vector<double> coordinates_;
  std::vector<double> mismatch_;
  std::vector<double> grid_;
  std::vector<double> steps_per_unit_;
  std::vector<PublishedSteps> published_;
  std::vector<Record> weights_;  ///< by row; empty if each is one record
  Record size_;
  Record records_;
  bool euclidean_ = true;
  bool numeric_ = true;
};

/// The space of the records listed in `rows` (in this order) over the columns listed in `columns`.
/// No listed record may be null in a listed column. `threads` copy. O(rows x columns).
Space space_of(const Table& table, const std::vector<Record>& rows,
               const std::vector<std::size_t>& columns, const std::vector<Scale>& scales,
               Ticker& ticker, int threads = 1);

}  // namespace anonkit
