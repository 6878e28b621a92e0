#pragma once

// The figures of a release: its sizes, losses and times.
//
// Phases: figures_of() computes them from a run; fill_figures() writes them as columns, and
// write_figures() as text in a comment; read_figures() reads the text back. Invariant:
// kFigureFields lists every figure once, with its name and SQL type. Memory: one double per figure.
//
//   const Figures figures = figures_of(run);
//   write_figures(&text, figures);                      // " rows=1000 classes=200 ..."
//   const double loss = read_figure(text.data, "loss");

#include "metric/class_metrics.hpp"

#include "pg/backend/json_build.hpp"

namespace anonkit::pg {

struct Run;

/// The reported figures of a release. Counts are doubles too, so that one table lists every figure;
/// NaN marks a figure that was not requested. Plain data.
struct Figures {
  double rows;
  double classes;  ///< as formed by GROUP BY
  double smallest_class;
  double mean_class;
  double loss;        ///< 100 * SSE / SST
  double ncp;         ///< 100 * mean normalised certainty penalty of ranges and hierarchy levels
  double prec;        ///< precision of generalisation along hierarchies
  double il;          ///< mean information loss per record (Campan, Truta: Definition 10)
  double dm;          ///< discernibility
  double avg;         ///< mean class size over k
  double suppressed;  ///< records that are not in the release
  double suppressed_cells;  ///< cells nulled by nulls => 'stratify', or suppressed singly
  double saved;            ///< 100 * the share of SST that suppression spares the published records
  double coarsened_cells;  ///< kept cells that rounding or a top or bottom changed
  double lower_bound;      ///< 100 * a certified lower bound of SSE / SST
  double reproducible;     ///< 0 if the clock ended the search
  double version;          ///< of a release over time, as the three that follow
  double waiting;          ///< persons without a place yet
  double vacant;           ///< places whose person is absent
  double stale;            ///< places whose person's quasi-identifiers have changed
  double withheld;         ///< records without their sensitive values, if any may be
  double changed;          ///< over time: places whose person's other values have changed
  double outside;          ///< over time: present persons who will have no place any more
  double coverage;         ///< over time: 100 * the share of present persons who are published
  double least_coverage;   ///< over time: the coverage of the stratum of nulls that has least
  double seconds;
  bool grouped;  ///< not a figure: the classes are those of GROUP BY, so a reader can count them
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
    {"saved", &Figures::saved, FigureType::number},
    {"coarsened_cells", &Figures::coarsened_cells, FigureType::count},
    {"reproducible", &Figures::reproducible, FigureType::truth},
    {"version", &Figures::version, FigureType::count},
    {"waiting", &Figures::waiting, FigureType::count},
    {"vacant", &Figures::vacant, FigureType::count},
    {"stale", &Figures::stale, FigureType::count},
    {"withheld", &Figures::withheld, FigureType::count},
    {"changed", &Figures::changed, FigureType::count},
    {"outside", &Figures::outside, FigureType::count},
    {"coverage", &Figures::coverage, FigureType::number},
    {"least_coverage", &Figures::least_coverage, FigureType::number},
    {"seconds", &Figures::seconds, FigureType::number},
};
constexpr int kFigureCount = static_cast<int>(sizeof kFigureFields / sizeof kFigureFields[0]);

/// Metrics of the classes under GROUP BY, or of the method's classes if the records of a class have
/// different cells.
ClassMetrics class_metrics_of(const Run& run);

/// Sets the figures that are about classes.
void set_class_metrics(Figures& figures, const ClassMetrics& metrics);

/// The figures of a run that ends now.
Figures figures_of(const Run& run);

/// Writes the figures as kFigureCount columns of a row.
void fill_figures(const Figures& figures, Datum* values, bool* nulls);

/// Adds the figures that are known to an object.
void add_figures(JsonObject& json, const Figures& figures);

/// Writes figures as a readable text, and reads it back. Reading never fails: a missing or misspelt
/// figure is NaN.
void write_figures(StringInfo text, const Figures& figures);
Figures read_figures(const char* text);

/// True for a number in the range of figures; anybody may have written it.
bool is_sound_figure(double number);

/// The number after `name=` in such a text, or NaN.
double read_figure(const char* text, const char* name);

}  // namespace anonkit::pg
