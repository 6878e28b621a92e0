#pragma once

#include "pg/audit/aggregate_audit.hpp"

namespace anonkit::pg {

/// Writes the result of anon_audit: also levels against attackers who know aggregates, and in a
/// population.
void audit_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec);

/// Writes one row per privacy model that applies to the relation.
void write_levels(Oid relation, const Spec& spec, ReturnSetInfo* result);

/// Raises check_violation unless the relation satisfies every model of the spec. The call of
/// anon_assert names the originals.
void assert_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec);

/// True if the unit's columns are published.
bool keeps_unit(const Spec& spec);

/// The first publication of a release, or a later version.
enum class Occasion : uint8 { publish, refresh };

/// The rows that are judged. Rows of a replacement are named as the release that they will be.
struct Judged {
  // NOLINTNEXTLINE(google-explicit-constructor): any relation may be judged by its own name.
  Judged(Oid relation) : rows(relation), named(relation) {}
  Judged(Oid replacement, Oid release) : rows(replacement), named(release) {}

  Oid rows;
  Oid named;
};

/// Measures a release of the current command from a reader's view, and raises check_violation if a
/// promised model does not hold. Models that need original values read the source. The spec uses
/// the release's column names. At publication a NOTICE counts the classes with a single value of a
/// sensitive column. With a condition in SQL only the rows that satisfy it are measured.
void assert_release(const Judged& release, const Spec& spec, const Originals& originals,
                    Occasion occasion, const char* condition = nullptr);

/// The promises that a reader of the release can measure. Without the unit's columns, these are the
/// consequences for rows of k persons, their values and their numbers. Shares and distributions of
/// persons are invisible, and were judged before writing.
Spec spec_of_readers(const Spec& released);

}  // namespace anonkit::pg
