#pragma once

#include "pg/report/assessment.hpp"

namespace anonkit::pg {

// The clause map: items that officers look for, each in this project's words, and where a report
// answers it. It claims no compliance, and repeats no text of a standard.
//
//   const Clauses map = map_clauses(subject, assessment, findings);

/// An item is answered by a figure of the report, by the context of its owner, or open.
enum class AnsweredBy : uint8 { figure, context, open };

struct Clause {
  const char* framework;
  const char* item;
  AnsweredBy by;
  const char* answer;
};

/// Plain data, palloc'd.
struct Clauses {
  Clause* list;
  int count;
};

/// "figure", "context", "open".
const char* word_of(AnsweredBy by);

Clauses map_clauses(const Subject& subject, const Assessment& found, const Findings& findings);

}  // namespace anonkit::pg
