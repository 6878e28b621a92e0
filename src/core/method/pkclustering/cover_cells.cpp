#include "method/pkclustering/cover_cells.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace anonkit {
namespace {

/// Larger domains are priced directly: a table would cost more than it saves.
constexpr std::int32_t kTabledValues = 256;

/// The code of each record's value in a tree: a category, or a leaf of the hierarchy.
double known_by(const Table& table, Record row, std::size_t column) {
  const Column& c = table.columns[column];
  return c.hierarchy != nullptr ? c.leaves[row] : table.value(row, column);
}

bool has_null(const Table& table, const std::vector<Record>& rows, std::size_t column) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](Record row) { return is_null(table.value(row, column)); });
}

bool is_interval(const Column& column) {
  return column.hierarchy == nullptr && column.attribute.kind != Kind::nominal;
}

void append_grid(const Table& table, const std::vector<Record>& rows, std::size_t column,
                 std::vector<std::int32_t>& codes, Ticker& ticker) {
  double low = table.value(rows.front(), column), high = low;
  for (const Record row : rows) {
    low = std::min(low, table.value(row, column));
    high = std::max(high, table.value(row, column));
  }
  // Halved, so that no range overflows.
  const double range = high / 2 - low / 2;
  for (const Record row : rows) {
    ticker.step(8);
    const double share = range > 0 ? (table.value(row, column) / 2 - low / 2) / range : 0;
    codes.push_back(static_cast<std::int32_t>(std::lround(share * double(kWholeColumn))));
  }
}

/// Appends the positions of the rows' values among the distinct values, which it returns.
std::vector<double> append_places(const Table& table, const std::vector<Record>& rows,
                                  std::size_t column, std::vector<std::int32_t>& codes,
                                  Ticker& ticker) {
  std::vector<double> values;
  for (const Record row : rows) values.push_back(known_by(table, row, column));
  std::sort(values.begin(), values.end(), [&](double a, double b) {
    ticker.step(4);
    return a < b;
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const Record row : rows) {
    ticker.step(16);
    codes.push_back(static_cast<std::int32_t>(
        std::lower_bound(values.begin(), values.end(), known_by(table, row, column)) -
        values.begin()));
  }
  return values;
}

}  // namespace

GeneralisedAttribute::GeneralisedAttribute(const Table& table, const std::vector<Record>& rows,
                                           std::size_t column, std::vector<std::int32_t>& codes,
                                           Ticker& ticker)
    : interval_(is_interval(table.columns[column])), hierarchy_(Hierarchy::suppression(1)) {
  if (interval_) {
    append_grid(table, rows, column, codes, ticker);
    return;
  }
  for (const double value : append_places(table, rows, column, codes, ticker))
    leaf_.push_back(static_cast<std::int32_t>(value));
  if (table.columns[column].hierarchy != nullptr) {
    hierarchy_ = *table.columns[column].hierarchy;
  } else {
    hierarchy_ = Hierarchy::suppression(values());
    std::iota(leaf_.begin(), leaf_.end(), 0);
  }
  for (std::int32_t level = 0; level <= hierarchy_.height(); ++level)
    loss_of_level_.push_back(level * kWholeColumn / hierarchy_.height());
}

CoverCell GeneralisedAttribute::widened(CoverCell cell, std::int32_t code) const {
  if (interval_) return {std::min(cell.first, code), std::max(cell.second, code)};
  const std::int32_t leaf = leaf_[at(code)];
  while (hierarchy_.group(cell.first, leaf) != cell.second) {
    cell.second = hierarchy_.parent(cell.first, cell.second);
    ++cell.first;
  }
  return cell;
}

Generalisation::Generalisation(const Table& table, const std::vector<Record>& rows, Ticker& ticker)
    : size_(static_cast<Record>(rows.size())) {
  std::vector<std::int32_t> by_column;
  for (const bool interval : {true, false}) {
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (is_interval(table.columns[j]) == interval && !has_null(table, rows, j))
        attributes_.emplace_back(table, rows, j, by_column, ticker);
    if (interval) intervals_ = attributes_.size();
  }
  codes_.reserve(by_column.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < attributes_.size(); ++j)
      codes_.push_back(by_column[j * rows.size() + i]);
}

Pricer::Pricer(const Generalisation& generalisation) : generalisation_(generalisation) {
  for (std::size_t j = generalisation.intervals(); j < generalisation.dimension(); ++j) {
    const std::int32_t values = generalisation.attribute(j).values();
    if (values <= kTabledValues)
      tabled_.push_back({j, std::vector<CellLoss>(static_cast<std::size_t>(values))});
    else
      direct_.push_back(j);
  }
}

void Pricer::look_at(const std::vector<CoverCell>& cover) {
  for (Tabled& tabled : tabled_) {
    const std::size_t j = tabled.attribute;
    if (cover.empty() || (!cover_.empty() && cover[j] == cover_[j])) continue;
    const GeneralisedAttribute& attribute = generalisation_.attribute(j);
    for (std::int32_t code = 0; code < attribute.values(); ++code)
      tabled.loss[static_cast<std::size_t>(code)] =
          attribute.loss(attribute.widened(cover[j], code));
  }
  cover_ = cover;
}

}  // namespace anonkit
