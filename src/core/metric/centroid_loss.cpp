#include "metric/centroid_loss.hpp"

namespace anonkit {
namespace {

/// The squared distance of one cell, in the units of Space.
double cell_error(const Column& column, const Scale& scale, double x, double masked) {
  double difference = 0;
  switch (column.attribute.kind) {
    case Kind::numeric:
      difference = scale.scale > 0 ? (x - masked) / scale.scale : 0;
      break;
    case Kind::ordinal:
      difference = (x - masked) / column.attribute.categories;
      break;
    case Kind::nominal:
      difference = x == masked ? 0 : 1;
      break;
  }
  return column.attribute.weight * difference * difference;
}

/// The centroid of all records, which is the reference of SST. Nulls among numbers do not count.
std::vector<double> grand_centroid(const Table& table, const std::vector<Record>& order) {
  const std::size_t d = table.columns.size();
  std::vector<double> centroid(d);
  for (std::size_t j = 0; j < d; ++j) {
    Members all;
    for (const Record i : order)
      if (!is_null(table.value(i, j))) all.records.push_back(i);
    all.begin = {0, static_cast<Record>(all.records.size())};
    if (!all.records.empty()) centroid[j] = centroid_cell(table, all, 0, j);
  }
  return centroid;
}

}  // namespace

CentroidLoss centroid_loss(const Table& table, const Members& members, const Masked& centroids,
                           const std::vector<Record>& order, const std::vector<Scale>& scales,
                           Ticker& ticker) {
  const std::size_t d = table.columns.size();
  const std::vector<double> grand = grand_centroid(table, order);
  const auto error = [&](Record i, std::size_t j, double masked) {
    const double x = table.value(i, j);
    return is_null(x) ? 0 : cell_error(table.columns[j], scales[j], x, masked);
  };
  CentroidLoss loss;
  for (const Record i : order) {
    ticker.step(20 * static_cast<std::int64_t>(d));
    for (std::size_t j = 0; j < d; ++j) loss.sst += error(i, j, grand[j]);
  }
  for (std::size_t c = 0; c + 1 < members.begin.size(); ++c) {
    for (Record at = members.begin[c]; at < members.begin[c + 1]; ++at) {
      ticker.step(20 * static_cast<std::int64_t>(d));
      const Record i = members.records[static_cast<std::size_t>(at)];
      for (std::size_t j = 0; j < d; ++j) {
        const double cell = centroids.low[c * d + j];
        loss.sse += error(i, j, is_null(cell) ? grand[j] : cell);
      }
    }
  }
  if (members.records.size() == order.size()) return loss;
  // A suppressed record is estimated by the centroid of all records.
  double published = 0;
  for (const Record i : members.records) {
    ticker.step(20 * static_cast<std::int64_t>(d));
    for (std::size_t j = 0; j < d; ++j) published += error(i, j, grand[j]);
  }
  loss.sse += loss.sst - published;
  return loss;
}

std::vector<double> class_errors(const Table& table, const Members& members,
                                 const Masked& centroids, const std::vector<Scale>& scales,
                                 Ticker& ticker) {
  const std::size_t d = table.columns.size();
  std::vector<double> errors;
  for (std::size_t c = 0; c + 1 < members.begin.size(); ++c) {
    double sum = 0;
    for (Record at = members.begin[c]; at < members.begin[c + 1]; ++at) {
      ticker.step(20 * static_cast<std::int64_t>(d));
      const Record i = members.records[static_cast<std::size_t>(at)];
      for (std::size_t j = 0; j < d; ++j) {
        const double x = table.value(i, j);
        const double cell = centroids.low[c * d + j];
        if (!is_null(x) && !is_null(cell)) sum += cell_error(table.columns[j], scales[j], x, cell);
      }
    }
    errors.push_back(sum);
  }
  return errors;
}

std::vector<CentroidLoss> column_losses(const Table& table, const Members& members,
                                        const Masked& centroids, const std::vector<Record>& order,
                                        const std::vector<Scale>& scales, Ticker& ticker) {
  const std::size_t d = table.columns.size();
  const std::vector<double> grand = grand_centroid(table, order);
  const auto error = [&](Record i, std::size_t j, double masked) {
    const double x = table.value(i, j);
    return is_null(x)
               ? 0
               : cell_error(table.columns[j], scales[j], x, is_null(masked) ? grand[j] : masked);
  };
  std::vector<CentroidLoss> losses(d);
  std::vector<double> published(d);
  for (const Record i : order) {
    ticker.step(20 * static_cast<std::int64_t>(d));
    for (std::size_t j = 0; j < d; ++j) losses[j].sst += error(i, j, grand[j]);
  }
  for (std::size_t c = 0; c + 1 < members.begin.size(); ++c)
    for (Record at = members.begin[c]; at < members.begin[c + 1]; ++at) {
      ticker.step(20 * static_cast<std::int64_t>(d));
      const Record i = members.records[static_cast<std::size_t>(at)];
      for (std::size_t j = 0; j < d; ++j) {
        losses[j].sse += error(i, j, centroids.low[c * d + j]);
        published[j] += error(i, j, grand[j]);
      }
    }
  for (std::size_t j = 0; members.records.size() < order.size() && j < d; ++j)
    losses[j].sse += losses[j].sst - published[j];
  return losses;
}

std::vector<double> record_errors(const Table& table, const std::vector<std::int32_t>& cells_of,
                                  const Masked& centroids, const std::vector<Scale>& scales,
                                  Ticker& ticker) {
  const std::size_t d = table.columns.size();
  std::vector<double> errors(cells_of.size());
  for (std::size_t i = 0; i < cells_of.size(); ++i) {
    ticker.step(20 * static_cast<std::int64_t>(d));
    for (std::size_t j = 0; cells_of[i] != kNone && j < d; ++j) {
      const double x = table.value(static_cast<Record>(i), j);
      const double cell = centroids.low[static_cast<std::size_t>(cells_of[i]) * d + j];
      if (!is_null(x) && !is_null(cell))
        errors[i] += cell_error(table.columns[j], scales[j], x, cell);
    }
  }
  return errors;
}

}  // namespace anonkit
