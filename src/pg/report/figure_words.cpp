#include "pg/report/figure_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pg/report/html.hpp"

namespace anonkit::pg {

const char* const kSingledOutMeasures[] = {
    "prosecutor_max", "prosecutor_mean", "prosecutor_above_threshold",
    "sample_uniques", "special_uniques", "suda_max",
    nullptr};
const char* const kLinkedMeasures[] = {"candidates", "single",         "expected",
                                       "by_chance",  "unique_records", "unique_exact_matches",
                                       nullptr};
const char* const kValueMeasures[] = {"homogeneous_classes", "certain_inferences", "unique_values",
                                      nullptr};
const char* const kInferenceMeasures[] = {"base",       "class",           "nearest",
                                          "bayes",      "class_advantage", "nearest_advantage",
                                          "range_ends", "bayes_advantage", "lonely_range_ends",
                                          nullptr};
const char* const kUtilityMeasures[] = {
    "kolmogorov_smirnov", "hellinger",      "ncp",         "correlation_original",
    "correlation_masked", "propensity_mse", "query_error", nullptr};

namespace {

/// The format of a figure. A part of the records, as a count or as a share, tells that of all
/// others as well.
enum class Form : uint8 { number, count, part, probability, share_of_records };

constexpr char kMatches[] = "unique_exact_matches";

struct Measure {
  const char* name;
  const char* words;
  Form form;
};

constexpr Measure kMeasures[] = {
    {"records", "records", Form::count},
    {"prosecutor_max", "largest re-identification risk of a record", Form::probability},
    {"prosecutor_mean", "mean re-identification risk of the records", Form::probability},
    {"prosecutor_above_threshold", "share of records above %s risk", Form::share_of_records},
    {"sample_uniques", "records alone in their class", Form::count},
    {"special_uniques", "records unique by few columns", Form::count},
    {"suda_max", "largest SUDA score of a record", Form::number},
    {"candidates", "published records that fit a person best, on average", Form::number},
    {"single", "share of persons whom one published record fits best", Form::share_of_records},
    {"expected", "share of links that are right", Form::probability},
    {"by_chance", "share of right links of a blind guess", Form::probability},
    {"unique_records", "persons whom nobody equals in the source", Form::part},
    {kMatches, "of them, persons who equal exactly one published record", Form::part},
    {"homogeneous_classes", "classes with one value", Form::count},
    {"certain_inferences", "share of records whose value follows from their class",
     Form::share_of_records},
    {"unique_values", "values of a single record", Form::count},
    {"base", "guessed right from the most frequent value", Form::probability},
    {"class", "guessed right from the nearest class", Form::probability},
    {"nearest", "guessed right from the nearest records", Form::probability},
    {"bayes", "guessed right by a classifier (naive Bayes)", Form::probability},
    {"class_advantage", "gain of the guess from the nearest class", Form::probability},
    {"nearest_advantage", "gain of the guess from the nearest records", Form::probability},
    {"bayes_advantage", "gain of the classifier's guess", Form::probability},
    {"range_ends", "share of records that end a published range", Form::share_of_records},
    {"lonely_range_ends", "share of records that alone end a published range",
     Form::share_of_records},
};

const Measure* find_measure(const char* name) {
  for (const Measure& measure : kMeasures)
    if (std::strcmp(measure.name, name) == 0) return &measure;
  return nullptr;
}

Form form_of(const char* name) {
  const Measure* measure = find_measure(name);
  if (measure != nullptr) return measure->form;
  return std::strncmp(name, "minimal_uniques_", 16) == 0 ? Form::count : Form::number;
}

/// The count that a figure is a part of.
double whole_of(const Figure& figure, const Figures& figures, double records) {
  return std::strcmp(figure.measure, kMatches) == 0 ? figures.find("unique_records") : records;
}

}  // namespace

ShownFigure shown(const Figure& figure, const Figures& figures, double records, double least) {
  const double whole = whole_of(figure, figures, records);
  const Form form = form_of(figure.measure);
  const double count = form == Form::share_of_records ? figure.value * whole : figure.value;
  const bool is_part = form == Form::part || form == Form::share_of_records;
  const bool few = (is_part || form == Form::count) && is_folded(count, least);
  const bool few_others = is_part && is_folded(whole - count, least);
  ShownFigure seen = {few || few_others ? NAN : figure.value, NAN, NAN, nullptr};
  if (form == Form::number) {
    seen.text = number_text(figure.value);
  } else if (form == Form::count || form == Form::part) {
    if (few) seen.below = least;
    if (few_others) seen.above = whole - least;
    seen.text = few          ? folded_count_text(count, least)
                : few_others ? psprintf("more than %s", count_text(seen.above))
                             : count_text(count);
  } else {
    if (few) seen.below = least / whole;
    if (few_others) seen.above = 1 - least / whole;
    seen.text = few          ? psprintf("under %s", share_text(seen.below))
                : few_others ? psprintf("over %.6g %%", 100 * seen.above)
                             : share_text(figure.value);
  }
  return seen;
}

const char* words_of(const Figure& figure, double threshold) {
  const Measure* measure = find_measure(figure.measure);
  const char* words = measure != nullptr ? measure->words : figure.measure;
  if (measure != nullptr && std::strcmp(measure->name, "prosecutor_above_threshold") == 0)
    words = psprintf("share of records above %s risk", share_text(threshold));
  return figure.attribute != nullptr ? psprintf("%s: %s", figure.attribute, words) : words;
}

bool is_among(const char* word, const char* const* words, int count) {
  for (int i = 0; i < count; ++i)
    if (std::strcmp(word, words[i]) == 0) return true;
  return false;
}

namespace {

int count_of(const char* const* measures) {
  int count = 0;
  while (measures[count] != nullptr) ++count;
  return count;
}

/// Ends of ranges say nothing about a column that publishes none.
bool has_ranges(const Subject& subject, const char* name) {
  return std::any_of(subject.columns, subject.columns + subject.count,
                     [name](const ReportColumn& column) {
                       return column.ranges && std::strcmp(column.name, name) == 0;
                     });
}

}  // namespace

bool is_shown(const Figure& figure, const char* const* measures, const Subject& subject) {
  if (!is_among(figure.measure, measures, count_of(measures))) return false;
  const bool of_ranges = std::strstr(figure.measure, "range_ends") != nullptr;
  if (of_ranges && !has_ranges(subject, figure.attribute)) return false;
  if (figure.attribute == nullptr || std::strcmp(figure.measure, "unique_values") == 0) return true;
  const Names kept = subject.names({Role::keep});
  return !is_among(figure.attribute, kept.names, kept.count);
}

}  // namespace anonkit::pg
