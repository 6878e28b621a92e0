#pragma once

#include "pg/report/html.hpp"

namespace anonkit::pg {

/// The classes of one size.
struct ClassSize {
  int64 records;
  int64 classes;
};
/// All classes by their size, ascending. Plain data, palloc'd.
struct ClassSizes {
  ClassSize* list;
  int count;
};

/// The sizes of classes, from the records of each, which are sorted; 0 is no class.
ClassSizes class_sizes_of(int64* records, int64 classes);

/// A chart of the records by the size of their class: below k, then from k on in bins that grow by
/// one ratio. Bars of fewer records than `least` are joined.
void write_size_chart(const Html& html, const ClassSizes& sizes, int k, double least);

}  // namespace anonkit::pg
