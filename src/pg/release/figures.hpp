#pragma once

#include "metric/class_metrics.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

struct Run;

/// What is reported of a release. Counts are doubles too, so that one table lists every figure; NaN
/// stands for a figure that was not asked for. Plain data.
struct Figures {
  double rows;
  double classes;  ///< as GROUP BY sees them
  double smallest_class;
  double mean_class;
  double loss;        ///< 100 * SSE / SST
  double ncp;         ///< 100 * mean normalised certainty penalty of ranges and hierarchy levels
  double prec;        ///< precision of generalisation along hierarchies
  double il;          ///< mean information loss of a record (Campan, Truta: Definition 10)
  double dm;          ///< discernibility
  double avg;         ///< mean class size over k
  double suppressed;  ///< records that are not in the release
  double suppressed_cells;  ///< cells made null, or suppressed on their own
  double lower_bound;       ///< 100 * a certified lower bound of SSE / SST
  double reproducible;      ///< 0 if the clock ended the search
  double version;           ///< of a release over time, and the four that follow
  double waiting;           ///< persons who have no place yet
  double vacant;            ///< places whose person is gone or has changed
  double stale;             ///< places whose person has other quasi-identifiers by now
  double withheld;          ///< persons whose old place forbids a new one
  double seconds;
};

enum class FigureType : uint8 { count, number, truth };  ///< bigint, double precision, boolean

/// One figure: its name and type in SQL.
struct FigureField {
  const char* name;
  double Figures::*member;
  FigureType type;
};

constexpr FigureField kFigureFields[] = {
    {"rows", &Figures::rows, FigureType::count},
    {"classes", &Figures::classes, FigureType::count},
    {"smallest_class", &Figures::smallest_class, FigureType::count},
    {"mean_class", &Figures::mean_class, FigureType::number},
    {"loss", &Figures::loss, FigureType::number},
    {"ncp", &Figures::ncp, FigureType::number},
    {"prec", &Figures::prec, FigureType::number},
    {"il", &Figures::il, FigureType::number},
    {"dm", &Figures::dm, FigureType::number},
    {"avg", &Figures::avg, FigureType::number},
    {"lower_bound", &Figures::lower_bound, FigureType::number},
    {"suppressed", &Figures::suppressed, FigureType::count},
    {"suppressed_cells", &Figures::suppressed_cells, FigureType::count},
    {"reproducible", &Figures::reproducible, FigureType::truth},
    {"version", &Figures::version, FigureType::count},
    {"waiting", &Figures::waiting, FigureType::count},
    {"vacant", &Figures::vacant, FigureType::count},
    {"stale", &Figures::stale, FigureType::count},
    {"withheld", &Figures::withheld, FigureType::count},
    {"seconds", &Figures::seconds, FigureType::number},
};
constexpr int kFigureCount = static_cast<int>(sizeof kFigureFields / sizeof kFigureFields[0]);

/// Of the classes that GROUP BY sees, or that were formed if records of a class are not published
/// alike.
ClassMetrics class_metrics_of(const Run& run);

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
