#include "pg/report/figure_words.hpp"

#include <cmath>
#include <cstring>

#include "recode/recoding.hpp"

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

/// The format of a figure: a share of records is folded like its count.
enum class Form : uint8 { number, count, probability, share_of_records };

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
    {"unique_records", "persons whom nobody equals in the source", Form::count},
    {"unique_exact_matches", "of them, persons who equal exactly one published record",
     Form::count},
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

}  // namespace

ShownFigure shown(const Figure& figure, double records, double least) {
  const ShownFigure count = {figure.value, NAN, count_text(figure.value)};
  switch (form_of(figure.measure)) {
    case Form::number:
      return {figure.value, NAN, number_text(figure.value)};
    case Form::count:
      if (is_folded(figure.value, least))
        return {NAN, least, folded_count_text(figure.value, least)};
      return count;
    case Form::share_of_records:
      if (is_folded(figure.value * records, least))
        return {NAN, least / records, psprintf("under %s", share_text(least / records))};
      break;
    case Form::probability:
      break;
  }
  return {figure.value, NAN, share_text(figure.value)};
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

bool is_shown(const Figure& figure, const char* const* measures, int count,
              const Subject& subject) {
  if (!is_among(figure.measure, measures, count)) return false;
  const bool of_ranges = std::strstr(figure.measure, "range_ends") != nullptr;
  if (of_ranges && subject.published && !recoding(subject.spec.options.recode).by_range)
    return false;
  if (figure.attribute == nullptr || std::strcmp(figure.measure, "unique_values") == 0) return true;
  const Names kept = subject.names({Role::keep});
  return !is_among(figure.attribute, kept.names, kept.count);
}

int count_of(const char* const* measures) {
  int count = 0;
  while (measures[count] != nullptr) ++count;
  return count;
}

}  // namespace anonkit::pg
