#pragma once

#include "pg/report/findings.hpp"

namespace anonkit::pg {

// The words of figures for people, and their values as a page may show them.

/// A figure as a page shows it. A public page folds counts below k, and those that leave fewer than
/// k others: `value` is then NaN, and the figure is below `below`, or above `above`. Plain data.
struct ShownFigure {
  double value;
  double below;      ///< NaN: not folded
  double above;      ///< NaN: not folded
  const char* text;  ///< "16.7 %", "fewer than 5", "over 99.5 %"
};
/// One of several figures about so many records; `least` is the count that is not folded.
ShownFigure shown(const Figure& figure, const Figures& figures, double records, double least);

/// "share of records above 9 % risk of illness".
const char* words_of(const Figure& figure, double threshold);

bool is_among(const char* word, const char* const* words, int count);

/// True for a figure that a page of the subject shows, if its measure is in the list. Of a kept
/// column only the unique values matter.
bool is_shown(const Figure& figure, const char* const* measures, const Subject& subject);

/// The measures of each part of a page, in any order. Null ends a list.
extern const char* const kSingledOutMeasures[];
extern const char* const kLinkedMeasures[];
extern const char* const kValueMeasures[];      ///< of anon_risk, about values
extern const char* const kInferenceMeasures[];  ///< of anon_infer
extern const char* const kUtilityMeasures[];    ///< of anon_utility, on public pages

}  // namespace anonkit::pg
