#pragma once

#include "pg/report/findings.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {

// The sections of a report, in order. Each writes its own element.

/// The verdict: promised, measured, threshold.
void write_verdict(const Html& html, const Subject& subject, const Findings& findings);
/// The source of the release, its time and author, and its fingerprints.
void write_identity(const Html& html, const Subject& subject, const Findings& findings);
/// The attacks: singling out, linkage, inference.
void write_attacks(const Html& html, const Subject& subject, const Findings& findings);
/// The sizes of the classes.
void write_class_sizes(const Html& html, const Subject& subject, const Findings& findings);
/// Role, recoding, loss and distributions of each column.
void write_columns(const Html& html, const Subject& subject, const Findings& findings);
void write_correlations(const Html& html, const Subject& subject, const Findings& findings);
/// The residual risks, in words.
void write_residual(const Html& html, const Subject& subject, const Findings& findings);
/// The runs of anon_refresh_job, for callers who may read them.
void write_history(const Html& html, const Subject& subject);
/// The statement that reproduces the release.
void write_statement(const Html& html, const Subject& subject);

}  // namespace anonkit::pg
