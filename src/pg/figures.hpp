#pragma once

#include "boundary.hpp"

namespace anonkit::pg {

struct Run;

/// What is reported of a release. Counts are doubles too, so that one table lists every figure; NaN
/// stands for a figure that was not asked for. Plain data.
struct Figures {
  double rows;
  double classes;         ///< as GROUP BY sees them
  double smallest_class;
  double mean_class;
  double loss;            ///< 100 * SSE / SST
  double suppressed;      ///< records that are not in the release
  double blanked;         ///< numeric cells made null
  double seconds;
};

/// One figure: its name in SQL, and whether it is a count (bigint) or not (double precision).
struct FigureField {
  const char* name;
  double Figures::*member;
  bool is_count;
};

constexpr FigureField kFigureFields[] = {
    {"rows", &Figures::rows, true},
    {"classes", &Figures::classes, true},
    {"smallest_class", &Figures::smallest_class, true},
    {"mean_class", &Figures::mean_class, false},
    {"loss", &Figures::loss, false},
    {"suppressed", &Figures::suppressed, true},
    {"blanked", &Figures::blanked, true},
    {"seconds", &Figures::seconds, false},
};
constexpr int kFigureCount = static_cast<int>(sizeof kFigureFields / sizeof kFigureFields[0]);

/// The figures of a run that ends now.
Figures figures_of(const Run& run);

/// Writes the figures as kFigureCount columns of a row.
void fill_figures(const Figures& figures, Datum* values, bool* nulls);

/// Figures as a text that people can read, and back. Reading never fails: what is missing or
/// misspelt is NaN.
void write_figures(StringInfo text, const Figures& figures);
Figures read_figures(const char* text);

/// The number after `name=` in a text of that form, or NaN.
double read_figure(const char* text, const char* name);

}  // namespace anonkit::pg
