#pragma once

#include "pg/audit/audit.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/rows_digest.hpp"

namespace anonkit::pg {

/// The figures of this transaction's latest anon_release, if that role has called it: readers must
/// not learn those of an owner. Null if there is none.
const Figures* latest_release(Oid user);

/// A release that is computed and not yet written.
struct PreparedRelease;

/// Computes a release before writing, so that a refresh excludes readers only during writing, and
/// errors of the computation do not have a utility command as context. Either put_prepared() or
/// offer_prepared() takes it, once. The result lives in the current memory context. A publisher is
/// warned of disclosures. `secret` serves specs with secret_seed.
PreparedRelease* prepare_release(Oid source, Jsonb* spec, const uint8* secret, Occasion occasion);

/// The private classes of a release by swapping; null for any other.
bytea* private_classes_of(const PreparedRelease& prepared);

/// The columns of the release.
TupleDesc prepared_columns(const PreparedRelease& prepared);

/// Passes the rows of the release to a function, once. Returns its figures.
Figures put_prepared(PreparedRelease& prepared, RowsFunction put, void* state);

/// Lets the next call of anon_release with this source and spec return the release, until the
/// current memory context ends.
void offer_prepared(PreparedRelease& prepared);

/// The figures and the rows that anon_release has returned of an offered release. A utility command
/// cannot return them, and code that it runs may make other releases.
struct TakenRelease {
  Figures figures;
  RowsDigest digest;
};

/// Null until a call has taken the offered release.
const TakenRelease* taken_release(const PreparedRelease& prepared);

}  // namespace anonkit::pg
