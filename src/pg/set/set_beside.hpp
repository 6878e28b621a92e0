#pragma once

#include "pg/over_time/beside.hpp"
#include "pg/set/set_work.hpp"

namespace anonkit::pg {

/// A set that was formed and is not written yet. Plain data.
struct NamedSet {
  const char* name;
  Oid description;  ///< InvalidOid: of a new set
};

/// Looks for other releases and sets of the tables of a set, before it is written, and tells its
/// owner by NOTICEs what releases tell together with it. An adversary who has found both the class
/// of a row in such a release and its cells in the set is left with the persons who agree in both,
/// so the judge of the set measures rows by pairs of classes. A row that the set withholds has its
/// class in the release alone. With Beside::refuse, an error (check_violation) if a promise is
/// broken so, or if an own release cannot be measured. Other sets are named, and other roles'
/// releases never read. Requires an SPI session.
void judge_set_beside(const NamedSet& set, const SetWork& work, const SetPromises& promises,
                      Beside beside);

}  // namespace anonkit::pg
