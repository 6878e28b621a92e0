#include "method/mondrian/grid_axis.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kMostCategories = 256;

/// From 0, or from both sides of it, to the power of two that reaches all places of the table.
GridBox root_of_numbers(const Table& table, std::size_t column, const GridRuler& ruler,
                        Ticker& ticker) {
  const Extent extent = extent_of(table, column, ticker);
  if (!(extent.low <= extent.high)) return {0, 1};
  const std::int64_t low = ruler.place(extent.low), high = ruler.place(extent.high);
  std::int64_t reach = 2;
  while (reach <= high || -reach > low) reach *= 2;
  return {low < 0 ? -reach : 0, reach};
}

GridAxis axis_of_numbers(const Table& table, const std::vector<Record>& rows, std::size_t j,
                         Ticker& ticker) {
  const Column& column = table.columns[j];
  const GridRuler ruler(column);
  const GridBox root = root_of_numbers(table, j, ruler, ticker);
  std::vector<std::int64_t> places;
  places.reserve(rows.size());
  ticker.step(16 * static_cast<std::int64_t>(rows.size()));
  for (const Record row : rows) places.push_back(ruler.place(table.value(row, j)));
  return {std::move(places), root, column, ruler};
}

/// A box names all of its categories, so that many would be published in each.
void require_few_categories(const Column& column) {
  if (column.attribute.categories <= kMostCategories) return;
  throw Error(ErrorKind::invalid_parameter,
              "column \"" + column.name + "\" has too many categories for a grid without labels",
              "A box names all of its categories; at most " + std::to_string(kMostCategories) +
                  " are possible.",
              "Give it a hierarchy, for instance by anon_hierarchy_auto.");
}

GridAxis axis_of_ranks(const Table& table, const std::vector<Record>& rows, std::size_t j,
                       Ticker& ticker) {
  const Column& column = table.columns[j];
  require_few_categories(column);
  const GridBox root{0, std::max(1, column.attribute.categories)};
  std::vector<std::int64_t> places;
  places.reserve(rows.size());
  ticker.step(8 * static_cast<std::int64_t>(rows.size()));
  for (const Record row : rows) places.push_back(static_cast<std::int64_t>(table.value(row, j)));
  return {std::move(places), root, column, std::nullopt};
}

GridAxis axis_of_labels(const Table& table, const std::vector<Record>& rows, std::size_t j,
                        bool labelled, Ticker& ticker) {
  const Column& column = table.columns[j];
  std::shared_ptr<const Hierarchy> own;
  if (!labelled) {
    require_few_categories(column);
    own = std::make_shared<Hierarchy>(
        Hierarchy::suppression(std::max(1, column.attribute.categories)));
  }
  Domain domain = domain_of(labelled ? *column.hierarchy : *own, column.attribute.weight);
  std::vector<std::int64_t> places;
  places.reserve(rows.size());
  ticker.step(8 * static_cast<std::int64_t>(rows.size()));
  for (const Record row : rows) {
    const std::int32_t leaf =
        labelled ? column.leaves[row] : static_cast<std::int32_t>(table.value(row, j));
    places.push_back(domain.position[static_cast<std::size_t>(leaf)]);
  }
  return {std::move(places), std::move(domain), labelled, std::move(own)};
}

}  // namespace

GridAxis::GridAxis(std::vector<std::int64_t> places, GridBox root, const Column& column,
                   std::optional<GridRuler> ruler)
    : places_(std::move(places)), root_(root), ruler_(ruler), attribute_(column.attribute) {}

GridAxis::GridAxis(std::vector<std::int64_t> places, Domain domain, bool labelled,
                   std::shared_ptr<const Hierarchy> own)
    : places_(std::move(places)),
      root_{0, domain.values, domain.hierarchy->height()},
      attribute_{Kind::nominal, domain.weight, domain.values},
      domain_(std::move(domain)),
      labelled_(labelled),
      own_(std::move(own)) {
  for (std::int32_t level = 0; level <= root_.level; ++level) {
    starts_.emplace_back();
    for (std::int32_t place = 0; place < root_.end; ++place)
      if (place == 0 || group(level, place) != group(level, place - 1))
        starts_.back().push_back(place);
  }
}

int GridAxis::cuts(const GridBox& box) const {
  const std::int64_t places = box.end - box.begin;
  if (places == 1) return 0;
  return box.level != kNoLevel || places < 4 ? 1 : kMostCuts;
}

void GridAxis::children(const GridBox& box, int cut, std::vector<GridBox>& parts) const {
  parts.clear();
  if (box.level == kNoLevel) {
    constexpr std::int64_t kQuarters[kMostCuts] = {2, 1, 3};
    const std::int64_t at = box.begin + (box.end - box.begin) * kQuarters[cut] / 4;
    parts = {{box.begin, at}, {at, box.end}};
    return;
  }
  // A label whose only child has the same values is no cut.
  std::int32_t level = box.level - 1;
  while (level > 0 && group(level, box.begin) == group(level, box.end - 1)) --level;
  const std::vector<std::int32_t>& starts = starts_[static_cast<std::size_t>(level)];
  auto next = std::lower_bound(starts.begin(), starts.end(), box.begin);
  while (next != starts.end() && *next < box.end) {
    const std::int32_t begin = *next++;
    parts.push_back({begin, next == starts.end() ? root_.end : *next, level});
  }
}

std::int32_t GridAxis::group(std::int32_t level, std::int64_t place) const {
  return domain_.hierarchy->group(level, domain_.leaf[static_cast<std::size_t>(place)]);
}

double GridAxis::width(const GridBox& box) const {
  const double places = static_cast<double>(root_.end - root_.begin);
  return attribute_.weight * static_cast<double>(box.end - box.begin) / places;
}

void GridAxis::mask(const GridBox& box, Masked& masked, std::size_t cell) const {
  if (labelled_) {
    masked.levels[cell] = box.level;
    masked.low[cell] = group(box.level, box.begin);
    return;
  }
  if (ruler_.has_value()) {
    masked.low[cell] = ruler_->first(box.begin);
    masked.high[cell] = ruler_->last(box.end - 1);
    return;
  }
  masked.low[cell] = static_cast<double>(box.begin);
  masked.high[cell] = static_cast<double>(box.end - 1);
  for (std::int64_t code = box.begin; code < box.end; ++code)
    masked.sets[cell].push_back(static_cast<std::int32_t>(code));
}

GridAxis grid_axis(const Table& table, const std::vector<Record>& rows, std::size_t column,
                   Recode recode, Ticker& ticker) {
  const Column& of = table.columns[column];
  const bool labelled = of.hierarchy != nullptr && !recoding(recode).by_range;
  if (labelled || of.attribute.kind == Kind::nominal)
    return axis_of_labels(table, rows, column, labelled, ticker);
  return of.attribute.kind == Kind::numeric ? axis_of_numbers(table, rows, column, ticker)
                                            : axis_of_ranks(table, rows, column, ticker);
}

}  // namespace anonkit
