#pragma once

#include "pg/report/findings.hpp"

namespace anonkit::pg {

// The answers of a report, before any page is written: one verdict, three questions, what to do.
// Pages and JSON print the same words and figures.
//
//   const Assessment found = assess(subject, findings);

/// The state of an answer, and of the verdict.
enum class State : uint8 {
  good,    ///< measured, and within its threshold
  high,    ///< measured, and above its threshold
  broken,  ///< verdict: a promise is not kept
  open     ///< not measured, or nothing to measure
};
/// "good", "high", "broken", "open".
const char* word_of(State state);

/// Can somebody be singled out, linked, inferred? Plain data.
struct Answer {
  const char* id;
  const char* question;
  State state;
  const char* measure;    ///< the name of the figure; null: none
  const char* attribute;  ///< its column, or null
  double value;           ///< a share; NaN without one
  const char* text;       ///< as the page may show it
  const char* figure;     ///< its name in words
  const char* adversary;
  const char* assumption;
  const char* reason;  ///< why it is open; null otherwise
};
constexpr int kAnswers = 3;

/// Plain data, palloc'd.
struct Assessment {
  State state;
  const char* verdict;  ///< a sentence or two
  int promised;         ///< promises
  int broken;
  int verified;  ///< promises that the rows alone do not show
  Answer answers[kAnswers];
  List* next;  ///< sentences: what to do
};

Assessment assess(const Subject& subject, const Findings& findings);

/// The sentences of the section on residual risks.
List* residual_risks(const Subject& subject, const Findings& findings);

/// A promise as words: "k-anonymity of illness", "at least 5".
const char* property_of(const ModelFinding& finding);
const char* level_of(const ModelFinding& finding);
bool is_promised(const ModelFinding& finding);
/// A promise that the rows do not show is kept unless its proof has failed.
bool is_kept(const ModelFinding& finding, const Findings& findings);

}  // namespace anonkit::pg
