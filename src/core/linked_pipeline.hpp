#pragma once

// The pipeline of related tables: classes of rows by the linked method, and their cells.
//
//   std::vector<Anonymized> release = anonymize_linked(linked, promises, threads, ticker);
//   release[1].cells(row);  // the row of its table's cells, or kNone if it is withheld

#include <vector>

#include "method/linked/linked_method.hpp"
#include "pipeline.hpp"

namespace anonkit {

/// By table its classes, members, cells (ranges, labels and means) and their NCP; null without rows
/// or without quasi-identifiers. Rows of absent persons count neither as withheld nor in the NCP. A
/// mean has the NCP of the range in its place. Throws like linked_classes.
std::vector<Anonymized> anonymize_linked(const LinkedTables& linked, const LinkedPromises& promises,
                                         int threads, Ticker& ticker);

}  // namespace anonkit
