#pragma once

#include "pg/read/hierarchy/label_table.hpp"

namespace anonkit::pg {

/// What gives values of one type their labels by a hierarchy:
///
///   Labeller labeller = open_labeller(rule, INT4OID, memory);
///   if (make_labels(labeller, value, labels)) ...   // labels[0] .. labels[labeller.height]
///
/// Plain data.
struct Labeller {
  const HierarchyRule* rule;
  Oid type;  ///< of the values, a base type
  int height;
  const LabelTable* table;  ///< or null
};

/// Reads the table of a hierarchy that has one. To be called in an SPI session.
Labeller open_labeller(const HierarchyRule& rule, Oid base_type, MemoryCount& memory);

/// The labels of a value from level 0, itself, to the top; false if it has no leaf. What is
/// palloc'd for them is litter once they are coded.
bool make_labels(const Labeller& labeller, Datum value, const char** labels);

/// The only label of the top level.
const char* top_label(const Labeller& labeller);

}  // namespace anonkit::pg
