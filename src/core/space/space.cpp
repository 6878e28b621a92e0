#include "space/space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"

namespace anonkit {

Space::Space(std::vector<double> values, std::vector<Attribute> attributes, Ticker* ticker,
             int threads)
    : attributes_(std::move(attributes)),
      coordinates_(std::move(values)),
      mismatch_(attributes_.size(), 0),
      grid_(attributes_.size(), 1),
      steps_per_unit_(attributes_.size(), 1) {
  if (attributes_.empty() || coordinates_.size() % attributes_.size() != 0)
    throw Error(ErrorKind::internal, "coordinates do not fill whole records");
  SilentTicker silent;
  size_ = records_ = static_cast<Record>(coordinates_.size() / attributes_.size());
  for (std::size_t j = 0; j < attributes_.size(); ++j) {
    switch (attributes_[j].kind) {
      case Kind::numeric:
        place_numeric(j, ticker != nullptr ? *ticker : silent, threads);
        break;
      case Kind::ordinal:
        place_ordinal(j);
        numeric_ = false;
        break;
      case Kind::nominal:
        mismatch_[j] = attributes_[j].weight;
        euclidean_ = numeric_ = false;
        break;
    }
  }
}

Space Space::of_rows(const std::vector<Record>& rows, std::vector<Record> weights) const {
  Space points({}, attributes_);
  points.grid_ = grid_;
  points.steps_per_unit_ = steps_per_unit_;
  points.published_ = published_;
  points.coordinates_.reserve(rows.size() * attributes_.size());
  for (const Record i : rows)
    points.coordinates_.insert(points.coordinates_.end(), row(i), row(i) + attributes_.size());
  points.size_ = static_cast<Record>(rows.size());
  points.weigh(std::move(weights));
  return points;
}

void Space::weigh(std::vector<Record> weights) {
  records_ = weights.empty() ? size_ : std::accumulate(weights.begin(), weights.end(), Record{0});
  weights_ = std::move(weights);
}

void Space::publish_in(std::vector<PublishedSteps> steps) {
  published_ = std::move(steps);
  // Steps as fine as the grid leave nothing to round.
  for (std::size_t j = 0; j < published_.size(); ++j)
    if (published_[j].step < 4 * grid_[j]) published_[j] = {};
}

void Space::place_numeric(std::size_t j, Ticker& ticker, int threads) {
  const std::size_t d = attributes_.size();
  const double root = std::sqrt(attributes_[j].weight);
  std::vector<double> largest_of(at(size_) / kChunk + 1, 0);
  run_chunks(at(size_), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    own.step(10 * static_cast<std::int64_t>(end - begin));
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      double& coordinate = coordinates_[i * d + j];
      coordinate *= root;
      most = std::max(most, std::fabs(coordinate));
    }
    largest_of[begin / kChunk] = most;
  });
  const double largest = *std::max_element(largest_of.begin(), largest_of.end());
  // Keeps squares of differences from overflowing.
  if (!(largest < 1e150))
    throw Error(ErrorKind::invalid_data, "standardized values are out of range",
                "Squared distances between the records would overflow.",
                "Use standardize => 'zscore' or 'range', or smaller weights.");
  // The least exponent keeps grid steps normal numbers, so that divisions by them are exact.
  const int exponent = std::max(largest > 0 ? std::ilogb(largest) : 0, -900);
  grid_[j] = std::ldexp(1.0, exponent - 51);
  steps_per_unit_[j] = std::ldexp(1.0, 51 - exponent);
  run_chunks(at(size_), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    own.step(10 * static_cast<std::int64_t>(end - begin));
    for (std::size_t i = begin; i < end; ++i)
      coordinates_[i * d + j] = std::nearbyint(coordinates_[i * d + j] / grid_[j]) * grid_[j];
  });
}

void Space::place_ordinal(std::size_t j) {
  const std::size_t d = attributes_.size();
  const std::int32_t categories = std::max(attributes_[j].categories, 1);
  grid_[j] = std::sqrt(attributes_[j].weight) / categories;
  for (std::size_t at = j; at < coordinates_.size(); at += d) coordinates_[at] *= grid_[j];
}

namespace {

/// The coordinates of the values that a column's type can hold.
PublishedSteps published_steps(const Column& column, const Scale& scale) {
  const double unit = unit_of(column.rounding);
  if (column.attribute.kind != Kind::numeric || !(unit > 0) || !(scale.scale > 0)) return {};
  const double root = std::sqrt(column.attribute.weight);
  const double nearest = std::nearbyint(scale.location / unit) * unit;
  const double step = unit / scale.scale * root;
  return step > 0 ? PublishedSteps{step, scale.apply(nearest) * root, 1 / step} : PublishedSteps{};
}

}  // namespace

Space space_of(const Table& table, const std::vector<Record>& rows,
               const std::vector<std::size_t>& columns, const std::vector<Scale>& scales,
               Ticker& ticker, int threads) {
  std::vector<Attribute> attributes;
  for (const std::size_t j : columns) attributes.push_back(table.columns[j].attribute);
  std::vector<double> values(rows.size() * columns.size());
  run_chunks(rows.size(), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    double* to = values.data() + begin * columns.size();
    for (std::size_t i = begin; i < end; ++i) {
      own.step(16 * static_cast<std::int64_t>(columns.size()));
      for (const std::size_t j : columns) *to++ = scales[j].apply(table.value(rows[i], j));
    }
  });
  Space space(std::move(values), std::move(attributes), &ticker, threads);
  std::vector<PublishedSteps> steps;
  for (const std::size_t j : columns) steps.push_back(published_steps(table.columns[j], scales[j]));
  space.publish_in(std::move(steps));
  return space;
}

}  // namespace anonkit
