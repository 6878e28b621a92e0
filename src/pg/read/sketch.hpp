#pragma once

// The reading of a table that is larger than memory keeps this instead of its rows.
//
// Phases: make_sketch() allocates, sketch_row() takes each row of a block, and the fields tell the
// rest. Invariants: nothing depends on the order of the rows. In a point, a category is a hash of
// its text, and null is kNullPoint. Memory: the sample, and each distinct category, and each
// distinct number of a column with a hierarchy; together at most half of anonkit.max_memory.
//
//   Sketch* sketch = make_sketch(source, seed);
//   sketch_row(*sketch, block, row);
//   const CountedPoints points = sketch->sample->take();

#include "space/point_sample.hpp"

#include "pg/read/block.hpp"

namespace anonkit::pg {

/// A null category as a coordinate of a point.
constexpr double kNullPoint = -1;

/// The quasi-identifiers of a row, in the order of their names. Cuts divide a table at such points,
/// so that nothing depends on the order in which users list the columns. Plain data.
struct NamedPoint {
  int count;
  int* columns;  ///< by place in the point, the quasi-identifier
  double* values;
};
/// A point for one row after another, in the current memory context.
NamedPoint make_named_point(const Source& source);

/// The hashes of a column's categories by code. Plain data.
struct CategoryHashes {
  double* hashes;
  int32 count;
  int32 capacity;
};

/// Plain data; a memory context owns it with all that it refers to.
struct Sketch {
  MemoryContext context;
  NamedPoint point;  ///< the nominal columns first
  int nominal;       ///< how many they are
  PointSample* sample;
  int64* nulls;            ///< by quasi-identifier
  double* low;             ///< by quasi-identifier of numbers, the least
  double* high;            ///< and the largest
  CategoryHashes* hashes;  ///< by quasi-identifier of categories
  Dictionary** numbers;  ///< by quasi-identifier of numbers with a hierarchy, their bytes; or null
  int64 value_bytes;     ///< of the distinct values so far
};

/// In the current memory context. Called by the executor: no exception leaves it.
Sketch* make_sketch(const Source& source, std::uint64_t seed);

/// Adds a row of the quasi-identifiers, as it was read. A row with a null among its numbers has no
/// place in the sample. An error (configuration_limit_exceeded) if there are too many distinct
/// values.
void sketch_row(Sketch& sketch, const Block& block, int64 row);

/// The hash of a category of the block by which points know it.
double point_of_category(Sketch& sketch, const Block& block, int j, int32 code);

/// The distinct numbers of a column with a hierarchy, ascending, in the current memory context.
double* sketched_numbers(const Sketch& sketch, int j, int32* count);

}  // namespace anonkit::pg
