#pragma once

// Calibration: cells whose joint frequencies are near to those of the records.
//
// A mean or mode makes frequent values more frequent, and a rare one vanishes. Here each class
// still has one row of cells, but the rows are chosen together: the sum over pairs of columns of
// the distance of their joint distributions (the K-marginal of utility/k_marginal.hpp) falls, as
// does the number of rows that equal one record which is alone with its values.
//
// Phases: the counts of all pairs; passes over classes and columns, each of which may give a cell
// another value of the class, while that pays. An error as large as the mean one of a record that
// gets the centroid of all records costs as much as 20 records in a wrong place of each pair.
// Invariant: every cell that changes is a value of the class; no two classes get equal rows; the
// result does not depend on the order of columns. O(n d p) a pass, with p the partners of a column.
// Memory: see joint_counts.hpp; 4 bytes a cell, and 16 a record.
//
//   calibrate(table, members, scales, masked, ticker);   // of centroids

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "table/standardize.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Changes the cells of classes whose rows differ. Null cells stay null.
void calibrate(const Table& table, const Members& members, const std::vector<Scale>& scales,
               Masked& masked, Ticker& ticker);

}  // namespace anonkit
