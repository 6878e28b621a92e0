#include "method/mondrian/grid_method.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/keyed_random.hpp"
#include "method/mondrian/grid.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// The boxes as cells, in the order of the table's columns.
Masked cells_of(const Problem& problem, const std::vector<GridAxis>& axes,
                const GridClasses& classes, Ticker& ticker) {
  const std::size_t d = problem.table.columns.size();
  const std::size_t cells = at(classes.partition.classes) * d;
  Masked masked;
  masked.low.assign(cells, kNull);
  masked.high.assign(cells, kNull);
  masked.sets.resize(cells);
  if (recoding(problem.options.recode).by_hierarchy) masked.levels.assign(cells, kNoLevel);
  for (std::size_t c = 0; c < at(classes.partition.classes); ++c) {
    ticker.step(32 * static_cast<std::int64_t>(d));
    for (std::size_t j = 0; j < axes.size(); ++j)
      axes[j].mask(classes.boxes[c * axes.size() + j], masked, c * d + problem.columns[j]);
  }
  return masked;
}

[[noreturn]] void refuse(const char* what, const char* detail) {
  throw Error(ErrorKind::invalid_parameter,
              std::string("algorithm 'grid' of method \"mondrian\" ") + what, detail);
}

}  // namespace

bool cuts_by_grid(const Options& options) {
  return options.algorithm != nullptr && std::string_view(options.algorithm) == "grid";
}

void check_grid(const Options& options) {
  if (recoding(options.recode).keeps_type)
    refuse("publishes boxes", "A mean or median tells of the values in a box.");
  if (options.promises.any() && !options.transparency.wanted)
    refuse("promises nothing on values unless it is transparent",
           "Else its cuts would depend on sensitive values.");
  if (options.transparency.adapt > 0)
    refuse("does not adapt classes", "Its cuts depend on numbers of records alone.");
  if (options.counts_units)
    refuse("counts records",
           "The number of persons in a box does not follow from what is published.");
  if (options.promises.risk_mean > 0 || options.promises.risk_above > 0)
    refuse("promises no risk of a release", "It never unites boxes.");
  if (options.generalisation.max_suppression > 0)
    refuse("suppresses no records", "Others would be cut again.");
  if (options.nulls == Nulls::stratify)
    refuse("does not stratify nulls", "It sees all records at once.");
  if (options.refine != Effort::none)
    refuse("has no search", "A search would make classes depend on exact values.");
  if (options.duplicates == Duplicates::divide)
    refuse("never divides equal records", "They are in one box.");
}

Classification form_grid(const Problem& problem, Ticker& ticker) {
  const Options& options = problem.options;
  std::vector<GridAxis> axes;
  for (const std::size_t j : problem.columns)
    axes.push_back(grid_axis(problem.table, problem.rows, j, options.recode, ticker));
  const auto seeded = public_key(options.seed);
  const auto key = coins_key(options.secret != nullptr ? options.secret : seeded.data(), axes,
                             problem.space.size(), ticker);
  const SecretCoins coins(key.data(), options.grid.skip());
  GridClasses classes = cut_grid(axes, problem.space.size(), options.k, coins, ticker);
  Classification formed;
  formed.masked = cells_of(problem, axes, classes, ticker);
  formed.partition = std::move(classes.partition);
  return formed;
}

}  // namespace anonkit
