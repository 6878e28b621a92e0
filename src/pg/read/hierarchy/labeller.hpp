#pragma once

#include "pg/read/hierarchy/label_table.hpp"

namespace anonkit::pg {

/// Labels the values of one type by a hierarchy. Plain data.
///
///   Labeller labeller = open_labeller(rule, INT4OID, memory);
///   if (make_labels(labeller, value, labels)) ...   // labels[0] .. labels[labeller.height]
struct Labeller {
  const HierarchyRule* rule;
  Oid type;  ///< of the values, a base type
  int height;
  const LabelTable* table;  ///< or null
};

/// Reads the table of a hierarchy that has one. Requires an SPI session.
Labeller open_labeller(const HierarchyRule& rule, Oid base_type, MemoryCount& memory);

/// Writes the labels of a value from level 0, itself, to the top; false if the value has no leaf.
/// The caller discards the palloc'd memory once the labels are coded.
bool make_labels(const Labeller& labeller, Datum value, const char** labels);

/// The only label of the top level.
const char* top_label(const Labeller& labeller);

}  // namespace anonkit::pg
