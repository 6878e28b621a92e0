#pragma once

#include "pg/report/assessment.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {

// The sections of a report, in order. Each writes its own element.

/// The first screen: a verdict, three answers, promises, what to do.
void write_verdict(const Html& html, const Subject& subject, const Assessment& found,
                   const Findings& findings);
/// The links to all sections.
void write_contents(const Html& html, const Subject& subject);
/// The words and thresholds of the page.
void write_reading(const Html& html, const Subject& subject);
/// Promised and measured levels.
void write_levels(const Html& html, const Subject& subject, const Assessment& found,
                  const Findings& findings);
/// The source of the release, its time and author, and its fingerprints.
void write_identity(const Html& html, const Subject& subject, const Findings& findings);
/// The answers of the owner that no figure gives.
void write_context(const Html& html, const Context& context, bool of_owner);
/// The attacks: singling out, linkage, inference.
void write_attacks(const Html& html, const Subject& subject, const Assessment& found,
                   const Findings& findings);
/// The sizes of the classes.
void write_class_sizes(const Html& html, const Subject& subject, const Findings& findings);
/// Role, recoding, loss and distributions of each column.
void write_columns(const Html& html, const Subject& subject, const Findings& findings);
void write_correlations(const Html& html, const Subject& subject, const Findings& findings);
/// The residual risks, in words.
void write_residual(const Html& html, const Subject& subject, const Findings& findings);
/// The runs of anon_refresh_job, for callers who may read them.
void write_history(const Html& html, const Subject& subject);
/// True if the caller may read runs, and there are any.
bool has_history(const Subject& subject);
/// The statement that reproduces the release; null if another tool made it.
const char* statement_of(const Subject& subject);
void write_statement(const Html& html, const Subject& subject);
/// The items of standards that this page answers, and those it leaves open.
void write_clauses(const Html& html, const Subject& subject, const Assessment& found,
                   const Findings& findings);

}  // namespace anonkit::pg
