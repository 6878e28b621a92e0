#include "partition/pkclustering/generalisation.hpp"

#include <algorithm>
#include <cmath>

namespace anonkit {
namespace {

/// Domains of more values are priced directly: a table would cost more than it saves.
constexpr std::int32_t kTabledValues = 256;

/// Of each record what its value is known by: a number, a rank, or a leaf of the hierarchy.
double known_by(const Table& table, Record row, std::size_t column) {
  const Column& c = table.columns[column];
  return c.hierarchy != nullptr ? c.leaves[row] : table.value(row, column);
}

bool has_null(const Table& table, const std::vector<Record>& rows, std::size_t column) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](Record row) { return is_null(table.value(row, column)); });
}

}  // namespace

GeneralisedAttribute::GeneralisedAttribute(const Table& table, const std::vector<Record>& rows,
                                           std::size_t column, std::vector<std::int32_t>& codes,
                                           Ticker& ticker)
    : interval_(table.columns[column].hierarchy == nullptr &&
                table.columns[column].attribute.kind != Kind::nominal),
      hierarchy_(table.columns[column].hierarchy != nullptr ? *table.columns[column].hierarchy
                                                            : Hierarchy::suppression(1)) {
  number_values(table, rows, column, codes, ticker);
  if (interval_) return;
  if (table.columns[column].hierarchy == nullptr) {
    hierarchy_ = Hierarchy::suppression(values());
    for (std::size_t v = 0; v < place_.size(); ++v) place_[v] = static_cast<std::int32_t>(v);
  }
  for (std::int32_t level = 0; level <= hierarchy_.height(); ++level)
    loss_of_level_.push_back(level * kWholeColumn / hierarchy_.height());
}

void GeneralisedAttribute::number_values(const Table& table, const std::vector<Record>& rows,
                                         std::size_t column, std::vector<std::int32_t>& codes,
                                         Ticker& ticker) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Record row : rows) values.push_back(known_by(table, row, column));
  std::sort(values.begin(), values.end(), [&](double a, double b) {
    ticker.step(4);
    return a < b;
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const Record row : rows) {
    ticker.step(16);
    const double value = known_by(table, row, column);
    codes.push_back(static_cast<std::int32_t>(
        std::lower_bound(values.begin(), values.end(), value) - values.begin()));
  }
  // Halved, so that no range overflows.
  const double low = values.front() / 2, range = values.back() / 2 - low;
  for (const double value : values)
    place_.push_back(!interval_   ? static_cast<std::int32_t>(value)
                     : range == 0 ? 0
                                  : static_cast<std::int32_t>(std::lround(
                                        (value / 2 - low) / range * double(kWholeColumn))));
}

CoverCell GeneralisedAttribute::widened(CoverCell cell, std::int32_t code) const {
  if (interval_) return {std::min(cell.first, code), std::max(cell.second, code)};
  const std::int32_t leaf = place_[at(code)];
  while (hierarchy_.group(cell.first, leaf) != cell.second) {
    cell.second = hierarchy_.parent(cell.first, cell.second);
    ++cell.first;
  }
  return cell;
}

Generalisation::Generalisation(const Table& table, const std::vector<Record>& rows, Ticker& ticker)
    : size_(static_cast<Record>(rows.size())) {
  std::vector<std::int32_t> by_column;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (!has_null(table, rows, j)) attributes_.emplace_back(table, rows, j, by_column, ticker);
  codes_.reserve(by_column.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < attributes_.size(); ++j)
      codes_.push_back(by_column[j * rows.size() + i]);
}

Pricer::Pricer(const Generalisation& generalisation) : generalisation_(generalisation) {
  for (std::size_t j = 0; j < generalisation.dimension(); ++j) {
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
