#include "metric/loss_of_parts.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "base/threads.hpp"

namespace anonkit {
LossOfParts::LossOfParts(const std::vector<double>& units)
    : units_(units), columns_(units.size()), categories_(units.size()) {
  for (double& unit : units_)
    if (unit == 0) unit = 1;
}

LossOfParts::Moments LossOfParts::moments_of(const Table& part, const Members& members,
                                             const Masked& centroids, std::size_t j,
                                             Ticker& ticker) const {
  Moments found;
  const auto value = [&](Record i) { return part.value(i, j) / units_[j]; };
  found.weight = part.columns[j].attribute.weight;
  found.rows = static_cast<double>(members.records.size());
  found.smallest = found.largest = value(members.records.front());
  // Differences from the first value: their sum has more exact digits than that of the values.
  const double first = found.smallest;
  double sum = 0;
  for (const Record i : members.records) {
    ticker.step(20);
    sum += value(i) - first;
    found.smallest = std::min(found.smallest, value(i));
    found.largest = std::max(found.largest, value(i));
  }
  found.mean = first + sum / found.rows;
  const std::size_t d = columns_.size();
  for (std::size_t c = 0; c < members.classes(); ++c) {
    const double published = centroids.low[c * d + j] / units_[j];
    for (const Record i : members.of(c)) {
      ticker.step(20);
      const double x = value(i);
      found.squares += (x - found.mean) * (x - found.mean);
      found.errors += (x - published) * (x - published);
    }
  }
  return found;
}

void LossOfParts::combine(Moments& all, const Moments& part) {
  if (all.rows == 0) {
    all = part;
    return;
  }
  const double rows = all.rows + part.rows, away = part.mean - all.mean;
  all.squares += part.squares + away * away * (all.rows / rows) * part.rows;
  all.mean += away * (part.rows / rows);
  all.rows = rows;
  all.errors += part.errors;
  all.smallest = std::min(all.smallest, part.smallest);
  all.largest = std::max(all.largest, part.largest);
}

void LossOfParts::count(const Table& part, const Members& members, const Masked& centroids,
                        std::size_t j, Counts& counts, Ticker& ticker) {
  counts.attribute = part.columns[j].attribute;
  counts.records.resize(at(counts.attribute.categories));
  const std::size_t d = part.columns.size();
  for (std::size_t c = 0; c < members.classes(); ++c) {
    const double published = centroids.low[c * d + j];
    for (const Record i : members.of(c)) {
      ticker.step(20);
      const double code = part.value(i, j);
      ++counts.records[static_cast<std::size_t>(code)];
      counts.errors += category_error(counts.attribute, code, published);
    }
  }
}

/// The squared errors of all rows from their centroid, as mean.cpp has it.
double LossOfParts::squares(const Counts& counts) {
  const auto& records = counts.records;
  std::int64_t rows = 0;
  for (const std::int64_t count : records) rows += count;
  auto centre =
      static_cast<std::size_t>(std::max_element(records.begin(), records.end()) - records.begin());
  if (counts.attribute.kind == Kind::ordinal) {
    centre = 0;
    for (std::int64_t below = records[0]; 2 * below < rows; below += records[centre]) ++centre;
  }
  double sum = 0;
  for (std::size_t code = 0; code < records.size(); ++code)
    sum += static_cast<double>(records[code]) *
           category_error(counts.attribute, static_cast<double>(code), static_cast<double>(centre));
  return sum;
}

void LossOfParts::add(const Table& part, const Members& members, const Masked& centroids,
                      int threads, Ticker& ticker) {
  run_unreported_tasks(columns_.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
    if (part.columns[j].attribute.kind == Kind::numeric)
      combine(columns_[j], moments_of(part, members, centroids, j, own));
    else
      count(part, members, centroids, j, categories_[j], own);
  });
}

CentroidLoss LossOfParts::total(Standardize standardize) const {
  CentroidLoss loss;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Counts& categories = categories_[j];
    if (!categories.records.empty()) {
      loss.sse += categories.attribute.weight * categories.errors;
      loss.sst += categories.attribute.weight * squares(categories);
      continue;
    }
    const Moments& column = columns_[j];
    if (!(column.smallest < column.largest)) continue;
    const double extent = column.largest - column.smallest;
    const double square_of_scale =
        standardize == Standardize::zscore  ? column.squares / (column.rows - 1)
        : standardize == Standardize::range ? extent * extent
                                            : 1 / (units_[j] * units_[j]);
    const double weight = column.weight / square_of_scale;
    loss.sse += weight * column.errors;
    loss.sst += weight * column.squares;
  }
  return loss;
}

}  // namespace anonkit
