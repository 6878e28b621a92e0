#pragma once

// A uniform random sample of the distinct points of a stream, with the number of records at each.
//
// Every point has a hash, keyed by a seed, and the sample consists of the points with the least
// hashes (Cohen 1997; Bar-Yossef et al. 2002). So it depends on the points and the seed only, never
// on their order. A point of the sample is in it from its first record to its last, which makes its
// count exact. Memory: 2 * size points, allocated once, so add() never throws.
//
//   PointSample sample(2, 1000, 0);
//   sample.add(point);                          // for each record
//   const CountedPoints points = sample.take();

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anonkit {

/// Distinct points in ascending order, with the number of records at each.
struct CountedPoints {
  std::size_t dimension = 0;
  std::vector<double> coordinates;  ///< row-major
  std::vector<std::int64_t> counts;

  std::size_t size() const { return counts.size(); }
  const double* point(std::size_t i) const { return coordinates.data() + i * dimension; }
};

class PointSample {
 public:
  /// The bytes that a sample needs.
  static std::int64_t bytes(std::size_t dimension, std::size_t size);

  /// A sample of at most `size` points, at least 1.
  PointSample(std::size_t dimension, std::size_t size, std::uint64_t seed);

  /// Adds a record at a point of finite coordinates. Expected O(d).
  void add(const double* point) noexcept;

  /// The number of records added.
  std::int64_t records() const { return records_; }
  /// True if the sample holds every point.
  bool complete() const { return complete_; }

  /// The sample, which is empty afterwards. O(size log size).
  CountedPoints take();

 private:
  std::uint64_t hash_of(const double* point) const;
  bool precedes(std::uint32_t a, std::uint32_t b) const;
  void drop_half() noexcept;
  void place(std::uint32_t entry) noexcept;
  const double* point(std::size_t entry) const { return coordinates_.data() + entry * dimension_; }

  std::size_t dimension_;
  std::size_t size_;
  std::uint64_t key_;
  std::uint64_t limit_ = UINT64_MAX;  ///< points of greater hashes are not in the sample
  std::int64_t records_ = 0;
  bool complete_ = true;
  std::size_t used_ = 0;             ///< entries
  std::vector<double> arrived_;      ///< the point that is being added, without negative zeros
  std::vector<double> coordinates_;  ///< by entry
  std::vector<std::uint64_t> hashes_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint32_t> slots_;  ///< a hash table of entries, open addressing
  std::vector<std::uint32_t> order_;  ///< entries, by hash
};

}  // namespace anonkit
