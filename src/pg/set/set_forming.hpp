#pragma once

// The classes of a linked release, by src/core/linked_pipeline.hpp, and their cells as SQL values.
//
// If persons have several rows in the table of the root, readers see persons by a number that their
// rows have in common. Two cases are known only after forming, and are formed again:
//
//   one root row of each person is left   it is the person's row to readers, and known
//   a person has rows, but no root row    readers would miss the person in the root: equal trees

#include "pg/set/set_work.hpp"

namespace anonkit::pg {

/// Gives each run of the work its classes and cells, and finds the withheld rows. Errors are those
/// of anonymize_linked.
void form_cells(SetWork& work, const SetPromises& promises);

}  // namespace anonkit::pg
