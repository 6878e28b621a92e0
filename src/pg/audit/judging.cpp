#include "pg/audit/judging.hpp"

#include <algorithm>

#include "base/error.hpp"

#include "pg/backend/backend_ticker.hpp"

namespace anonkit::pg {
namespace {

bool names_model(const AskedLevels& levels, const Model& model) {
  return std::any_of(levels.list, levels.list + levels.count,
                     [&](const AskedLevel& one) { return one.model == &model; });
}

bool concerns(const AskedLevel& level, const Model& model, int attribute) {
  return level.model == &model &&
         (level.attribute == kAnyAttribute || level.attribute == attribute);
}

Shortfall shortfall_of(const Model& model, int attribute, const Level& level,
                       const AskedLevels& asked, const ClassHistogram& histogram) {
  Shortfall shortfall;
  for (int i = 0; i < asked.count; ++i)
    if (concerns(asked.list[i], model, attribute)) shortfall.asked = &asked.list[i];
  shortfall.by_class = shortfall.asked != nullptr &&
                       level.by_class.size() == static_cast<std::size_t>(histogram.classes());
  for (std::int32_t c = 0; shortfall.by_class && c < histogram.classes(); ++c) {
    if (model.keeps(shortfall.asked->level, level.by_class[static_cast<std::size_t>(c)])) continue;
    ++shortfall.classes;
    shortfall.members += histogram.class_size(c);
  }
  return shortfall;
}

PublishedAttribute attribute_of(const JudgedRows& judged, const JudgedColumn& column) {
  PublishedAttribute attribute;
  attribute.scale = column.scale;
  attribute.code_of.reserve(judged.rows.size());
  for (const Record row : judged.rows) attribute.code_of.push_back(column.codes[row]);
  if (column.hierarchy != nullptr) attribute.levels = levels_of(*column.hierarchy);
  if (column.protected_values != nullptr)
    attribute.is_protected = protected_groups(*column.hierarchy, *column.protected_values);
  if (column.scale == AttributeScale::numeric)
    attribute.numbers.assign(column.numbers, column.numbers + column.count);
  return attribute;
}

/// The rows of each part. Their `classes` are numbers among those judged.
std::vector<JudgedRows> parts_of(const JudgedRows& judged,
                                 const std::vector<std::int32_t>& part_of) {
  std::vector<JudgedRows> parts(
      1 + static_cast<std::size_t>(*std::max_element(part_of.begin(), part_of.end())));
  std::vector<std::int32_t> number;
  const auto part_of_class = [&](std::int32_t c) -> JudgedRows& {
    const std::int32_t among_all = judged.classes[static_cast<std::size_t>(c)];
    return parts[static_cast<std::size_t>(part_of[static_cast<std::size_t>(among_all)])];
  };
  for (std::size_t c = 0; c < judged.classes.size(); ++c) {
    std::vector<std::int32_t>& classes = part_of_class(static_cast<std::int32_t>(c)).classes;
    number.push_back(static_cast<std::int32_t>(classes.size()));
    classes.push_back(static_cast<std::int32_t>(c));
  }
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    JudgedRows& part = part_of_class(judged.class_of[i]);
    part.rows.push_back(judged.rows[i]);
    part.class_of.push_back(number[static_cast<std::size_t>(judged.class_of[i])]);
    if (!judged.unit_of.empty()) part.unit_of.push_back(judged.unit_of[i]);
  }
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const JudgedRows& part) { return part.rows.empty(); }),
              parts.end());
  return parts;
}

/// The parts of a relation, each with its histogram, that classes are compared with.
struct Parts {
  std::vector<JudgedRows> rows;
  std::vector<ClassHistogram> histograms;
};

/// The worst level of the parts, with the classes' numbers among those judged.
Level level_of_parts(const Model& model, const Parts& parts, const ModelParameters& parameters,
                     std::size_t classes) {
  BackendTicker ticker;
  Level worst;
  std::vector<double> by_class(classes);
  for (std::size_t p = 0; p < parts.rows.size(); ++p) {
    const std::vector<std::int32_t>& numbers = parts.rows[p].classes;
    const Level level = model.measure(parts.histograms[p], parameters, ticker);
    for (std::size_t c = 0; c < level.by_class.size(); ++c)
      by_class[static_cast<std::size_t>(numbers[c])] = level.by_class[c];
    const bool worse = model.comparison == Comparison::at_least ? level.level < worst.level
                                                                : level.level > worst.level;
    if (p > 0 && !worse) continue;
    worst.level = level.level;
    worst.worst_class = numbers[static_cast<std::size_t>(level.worst_class)];
    worst.by_class.resize(level.by_class.size());
  }
  if (!worst.by_class.empty()) worst.by_class = std::move(by_class);
  return worst;
}

/// Measures the models in question that apply to an attribute, or to classes alone. With parts, the
/// relation that classes are compared with is their part of it.
void measure(const JudgedRows& judged, const ClassHistogram& histogram, int attribute,
             const Question& question, std::vector<Measured>& measured,
             const Parts* parts = nullptr) {
  BackendTicker ticker;
  for (const Model& model : models()) {
    const bool applies = attribute == kAnyAttribute
                             ? model.is_about_classes(histogram.has_units())
                             : model.is_about(histogram, question.parameters);
    const bool is_wanted = question.promised == nullptr || names_model(*question.promised, model) ||
                           names_model(question.asked, model);
    if (!applies || !is_wanted) continue;
    Level level = parts != nullptr && compares_with_table(model)
                      ? level_of_parts(model, *parts, question.parameters, judged.classes.size())
                      : model.measure(histogram, question.parameters, ticker);
    const Shortfall shortfall = shortfall_of(model, attribute, level, question.asked, histogram);
    level.by_class = {};
    level.worst_class = judged.classes[static_cast<std::size_t>(level.worst_class)];
    measured.push_back({&model, attribute, level, shortfall});
  }
}

/// The natural supersets of the classes that show their values.
std::vector<std::vector<std::int32_t>> supersets_of_shown(const Evidence& evidence,
                                                          const JudgedRows& shown) {
  std::vector<std::vector<std::int32_t>> supersets;
  for (const std::vector<std::int32_t>& superset_of : evidence.supersets) {
    supersets.emplace_back();
    for (const std::int32_t c : shown.classes)
      supersets.back().push_back(superset_of[static_cast<std::size_t>(c)]);
  }
  return supersets;
}

std::string in_words(double level, const char* format) {
  char text[32];
  snprintf(text, sizeof text, format, level);
  return text;
}

}  // namespace

Measurements judge(const Evidence& evidence, const Question& asked) {
  BackendTicker ticker;
  Measurements measured;
  const JudgedRows& all = evidence.all;
  const ClassHistogram sizes(all.class_of, ticker, all.unit_of);
  for (std::int32_t c = 0; c < sizes.classes(); ++c)
    measured.class_sizes.push_back(sizes.class_size(c));
  measure(all, sizes, kAnyAttribute, asked, measured.list);
  const JudgedRows& shown = evidence.shown.has_value() ? *evidence.shown : all;
  std::vector<std::vector<std::int32_t>> of_shown;
  if (evidence.shown.has_value()) of_shown = supersets_of_shown(evidence, shown);
  Question question = asked;
  question.parameters.supersets = evidence.shown.has_value() ? &of_shown : &evidence.supersets;
  measured.withheld = static_cast<int64>(all.rows.size() - shown.rows.size());
  if (shown.rows.empty()) return measured;
  Parts parts;
  if (!evidence.part_of.empty()) parts.rows = parts_of(shown, evidence.part_of);
  const auto histogram_of = [&](const JudgedRows& rows, const JudgedColumn& column) {
    return ClassHistogram(rows.class_of, attribute_of(rows, column), ticker, rows.unit_of);
  };
  for (std::size_t a = 0; a < evidence.columns.size(); ++a) {
    const JudgedColumn& column = evidence.columns[a];
    parts.histograms.clear();
    for (const JudgedRows& part : parts.rows)
      parts.histograms.push_back(histogram_of(part, column));
    measure(shown, histogram_of(shown, column), static_cast<int>(a), question, measured.list,
            parts.rows.empty() ? nullptr : &parts);
  }
  return measured;
}

void refuse_broken(const BrokenPromise& broken, const std::string& cause) {
  std::string message = std::string(broken.subject) + " " + broken.model;
  if (broken.column != nullptr) message += std::string(" of column \"") + broken.column + "\"";
  if (broken.aggregates != nullptr)
    message += std::string(" against knowledge of ") + broken.aggregates;
  throw Error(ErrorKind::promise_broken, message,
              std::string("Promised is ") + words_of(broken.comparison) + " " +
                  in_words(broken.promised, "%g") + ", found is " + in_words(broken.found, "%.6g") +
                  "." + cause);
}

bool falls_short(const AskedLevel& promised, const Measured& found) {
  return concerns(promised, *found.model, found.attribute) &&
         !found.model->keeps(promised.level, found.level.level);
}

void require_level(const char* subject, const AskedLevel& promised, const Measured& found,
                   const char* column, const std::string& cause) {
  if (!falls_short(promised, found)) return;
  refuse_broken({subject, promised.promise(), column, nullptr, found.model->comparison,
                 promised.level, found.level.level},
                cause);
}

}  // namespace anonkit::pg
