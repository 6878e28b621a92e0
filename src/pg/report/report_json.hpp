#pragma once

#include "pg/backend/json_build.hpp"
#include "pg/report/findings.hpp"

namespace anonkit::pg {

/// The version of the shape that docs/guide/shapes.md describes. A new key keeps it; a key that
/// changes or disappears gives another one.
constexpr int kReportShape = 1;

enum class ReportFormat : uint8 { html, json };

/// Argument `format` of a report.
ReportFormat format_argument(FunctionCallInfo fcinfo);

/// A report as the text of a JSON object: the words and figures of the page, folded alike.
varlena* report_as_json(const Subject& subject, const Findings& findings);

/// The text of an object.
varlena* json_text(Jsonb* json);

/// A context and its fingerprint; null without one.
void add_context(JsonObject& json, const Context& context);

}  // namespace anonkit::pg
