#pragma once

#include "pg/report/findings.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {

// The sections of a report, in their order. Each writes an element of its own.

/// Promised, measured, threshold.
void write_verdict(const Html& html, const Subject& subject, const Findings& findings);
/// Where the release comes from, when, by whom, and its fingerprints.
void write_identity(const Html& html, const Subject& subject, const Findings& findings);
/// Can somebody be singled out, linked, inferred?
void write_attacks(const Html& html, const Subject& subject, const Findings& findings);
/// How large the classes are.
void write_class_sizes(const Html& html, const Subject& subject, const Findings& findings);
/// Role, recoding, loss and distributions of each column.
void write_columns(const Html& html, const Subject& subject, const Findings& findings);
void write_correlations(const Html& html, const Subject& subject, const Findings& findings);
/// What remains, in words.
void write_residual(const Html& html, const Subject& subject, const Findings& findings);
/// The runs of anon_refresh_job.
void write_history(const Html& html, const Subject& subject);
/// The statement that makes the release again.
void write_statement(const Html& html, const Subject& subject);

}  // namespace anonkit::pg
