#pragma once

// The distinct values of a table that is larger than memory, for its parts: their codes of
// categories and their hierarchies are those of the table.
//
//   const ValueDomain domain = domain_of(source, sampled);
//   append_domain(domain, part);  // before the part's codes are settled

#include "pg/read/reader.hpp"

namespace anonkit::pg {

/// Plain data, palloc'd.
struct ValueDomain {
  int64 rows;          ///< as many as the column with the most values has values
  const Block* block;  ///< of the categories
  const bool* has_null;
  double**
      numbers;    ///< by quasi-identifier: those of a column with a hierarchy, ascending; or null
  int32* counts;  ///< of numbers
};

/// The values that a reading has sketched. Requires a sketch.
ValueDomain domain_of(const Source& source, const Loaded& sketched);

/// Adds rows of the values after those of the part.
void append_domain(const ValueDomain& domain, Loaded& part);

}  // namespace anonkit::pg
