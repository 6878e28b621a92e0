#pragma once

#include <vector>

#include "utility/histogram.hpp"

#include "pg/report/subject.hpp"
#include "pg/read/pair_reader.hpp"

namespace anonkit::pg {

/// The distributions of one column; the first one is empty if the source is not compared.
struct ColumnBars {
  bool numeric = false;
  Bins bins;  ///< of numbers
  std::vector<Bar> original;
  std::vector<Bar> masked;
  std::vector<CategoryBar> categories;
};

/// A model that an audit measured, or a promise that no reader can measure (found is NaN).
struct ModelFinding {
  const char* name;
  const char* attribute;  ///< null: of all
  const Model* model;     ///< null: of who knows aggregates
  double promised;        ///< NaN: not promised
  double found;
  const char* worst;  ///< the class that keeps it from being better; for internal pages

  bool keeps() const {
    return model != nullptr ? model->keeps(promised, found) : found >= promised;
  }
};

/// All that was measured of a release, by the functions that anybody can call. What needs the
/// source is empty if it is not compared. Plain data, but for vectors that a memory context owns.
struct Findings {
  ModelFinding* models;
  int model_count;
  ReportFigures risk;
  ReportFigures linkage;
  ReportFigures inference;
  ReportFigures utility;
  PairData cells;                       ///< of the columns that can be compared
  const std::vector<ColumnBars>* bars;  ///< one for each of them
  Rows class_sizes;                     ///< size, number of classes
  char* fingerprint;                    ///< of the release's rows

  double records() const { return risk.find("records"); }
};

Findings measure_subject(const Subject& subject);

}  // namespace anonkit::pg
