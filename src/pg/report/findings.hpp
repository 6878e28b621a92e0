#pragma once

#include "pg/report/class_sizes.hpp"
#include "pg/report/column_bars.hpp"
#include "pg/report/subject.hpp"

namespace anonkit::pg {

/// A measured model, or a promise that no reader can measure (found is NaN).
struct ModelFinding {
  const char* name;
  const char* attribute;  ///< null: all columns
  const Model* model;     ///< null: aggregate knowledge
  double promised;        ///< NaN: not promised
  double found;
  const char* worst;  ///< the worst class; for internal pages

  bool keeps() const {
    return model != nullptr ? model->keeps(promised, found) : found >= promised;
  }
};

/// The proof of a release by swapping: its rows computed again.
enum class Verification : uint8 {
  none,      ///< another release
  earlier,   ///< when it was written; the caller may not repeat it
  repeated,  ///< for this page
  changed,   ///< when it was written; the source has changed since
  failed
};

/// All measurements of a release, those of public functions. Members that need the source are empty
/// if it is not compared. Plain data, except vectors of a memory context.
struct Findings {
  ModelFinding* models;
  int model_count;
  Figures risk;
  Figures linkage;
  Figures inference;
  Figures utility;
  PairData cells;                       ///< of the comparable columns
  const std::vector<ColumnBars>* bars;  ///< one per such column
  ClassSizes class_sizes;
  char* fingerprint;  ///< of the release's rows; null if they are on several servers
  Verification verification;

  double records() const { return risk.find("records"); }
};

Findings measure_subject(const Subject& subject);

}  // namespace anonkit::pg
