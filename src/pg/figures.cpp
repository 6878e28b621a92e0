#include <algorithm>

#include "figures.hpp"

namespace anonkit::pg {

Figures figures_of(const Run& run) {
  Figures figures = {};
  figures.rows = run.loaded.rows;
  figures.classes = run.published_classes;
  figures.smallest_class =
      *std::min_element(run.published_sizes, run.published_sizes + run.published_classes);
  figures.mean_class = static_cast<double>(figures.rows) / static_cast<double>(figures.classes);
  figures.loss = run.anonymized->loss.percent();
  figures.blanked = run.anonymized->blanked;
  figures.seconds = static_cast<double>(GetCurrentTimestamp() - run.started) / USECS_PER_SEC;
  return figures;
}

void add_figures(JsonObject& json, const Figures& figures) {
  json.add("rows", figures.rows);
  json.add("classes", figures.classes);
  json.add("smallest_class", figures.smallest_class);
  json.add("mean_class", figures.mean_class);
  json.add("loss", figures.loss);
  json.add("suppressed", figures.suppressed);
  json.add("blanked", figures.blanked);
  json.add("seconds", figures.seconds);
}

}  // namespace anonkit::pg
