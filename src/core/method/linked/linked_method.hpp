#pragma once

// Classes of rows of related tables for P(k, all), k persons or more publish equal trees of cells,
// or for P(k, m), k persons or more publish each pattern of at most m rows. Cuts from the top down
// are those of Mondrian (LeFevre et al. 2006), and in hierarchies those of He and Naughton
// (Anonymization of Set-Valued Data via Top-Down, Local Generalization, VLDB 2009).
//
// Phases: align the records, and cut all persons into groups from the top down, each time by the
// cut with the greatest fall of the loss. A group publishes the slots that all its persons have. A
// cut never raises the loss, since each side has the slots of both, and cells within theirs. So
// groups are cut while both sides keep the promises. Memory: see linked_method_bytes().
//
//   LinkedPromises promises;
//   promises.k = 5;
//   const LinkedClasses classes = linked_classes(linked, promises, 2, ticker);

#include "base/ticker.hpp"
#include "method/linked/linked_tables.hpp"

namespace anonkit {

/// Throws infeasible if there are fewer than k persons, or if all of them together do not keep the
/// promises on values. The result does not depend on the number of threads, nor on the order of
/// rows if rows of one parent with equal quasi-identifiers have different fingerprints.
LinkedClasses linked_classes(const LinkedTables& linked, const LinkedPromises& promises,
                             int threads, Ticker& ticker);

/// The bytes that linked_classes() needs. Each thread measures groups in memory of its own, for
/// each column of each slot. O(rows).
double linked_method_bytes(const LinkedTables& linked, const LinkedPromises& promises, int threads);

}  // namespace anonkit
