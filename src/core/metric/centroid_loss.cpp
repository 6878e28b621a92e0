#include "metric/centroid_loss.hpp"

#include "base/threads.hpp"

namespace anonkit {
namespace {

/// The squared distance of one cell, in the units of Space.
double cell_error(const Column& column, const Scale& scale, double x, double masked) {
  if (column.attribute.kind != Kind::numeric)
    return column.attribute.weight * category_error(column.attribute, x, masked);
  const double difference = scale.scale > 0 ? (x - masked) / scale.scale : 0;
  return column.attribute.weight * difference * difference;
}

/// The centroid of all records, which is the reference of SST. Nulls among numbers do not count.
std::vector<double> grand_centroid(const Table& table, const std::vector<Record>& order,
                                   Ticker& ticker, int threads = 1) {
  std::vector<double> centroid(table.columns.size());
  run_unreported_tasks(centroid.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
    Members all;
    for (const Record i : order) {
      own.step(20);
      if (!is_null(table.value(i, j))) all.records.push_back(i);
    }
    all.first_of = {0, static_cast<Record>(all.records.size())};
    if (!all.records.empty()) centroid[j] = centroid_cell(table, all, 0, j);
  });
  return centroid;
}

/// The sum of `summand(i, ticker)` for i = 0 .. count-1.
template <class Summand>
double sum_in_threads(std::size_t count, int threads, Ticker& ticker, const Summand& summand) {
  const auto add_up = [&](std::size_t begin, std::size_t end, double& sum, Ticker& own) {
    for (std::size_t i = begin; i < end; ++i) sum += summand(i, own);
  };
  return sum_of_chunks(run_chunks, count, 0.0, threads, ticker, add_up);
}

}  // namespace

CentroidLoss centroid_loss(const Table& table, const Members& members, const Masked& centroids,
                           const std::vector<Record>& order, const std::vector<Scale>& scales,
                           Ticker& ticker, int threads) {
  const std::size_t d = table.columns.size();
  const std::vector<double> grand = grand_centroid(table, order, ticker, threads);
  const auto error = [&](Record i, std::size_t j, double masked) {
    const double x = table.value(i, j);
    return is_null(x) ? 0 : cell_error(table.columns[j], scales[j], x, masked);
  };
  const auto from_grand = [&](const std::vector<Record>& records) {
    return sum_in_threads(records.size(), threads, ticker, [&](std::size_t at, Ticker& own) {
      own.step(20 * static_cast<std::int64_t>(d));
      double sum = 0;
      for (std::size_t j = 0; j < d; ++j) sum += error(records[at], j, grand[j]);
      return sum;
    });
  };
  const auto of_class = [&](std::size_t c, Ticker& own) {
    double sum = 0;
    for (const Record i : members.of(c)) {
      own.step(20 * static_cast<std::int64_t>(d));
      for (std::size_t j = 0; j < d; ++j) {
        const double cell = centroids.low[c * d + j];
        sum += error(i, j, is_null(cell) ? grand[j] : cell);
      }
    }
    return sum;
  };
  CentroidLoss loss;
  loss.sst = from_grand(order);
  loss.sse = sum_in_threads(members.classes(), threads, ticker, of_class);
  // A suppressed record is estimated by the centroid of all records.
  if (members.records.size() < order.size()) loss.sse += loss.sst - from_grand(members.records);
  return loss;
}

std::vector<double> class_errors(const Table& table, const Members& members,
                                 const Masked& centroids, const std::vector<Scale>& scales,
                                 Ticker& ticker) {
  const std::size_t d = table.columns.size();
  std::vector<double> errors;
  for (std::size_t c = 0; c < members.classes(); ++c) {
    double sum = 0;
    for (const Record i : members.of(c)) {
      ticker.step(20 * static_cast<std::int64_t>(d));
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
  const std::vector<double> grand = grand_centroid(table, order, ticker);
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
  for (std::size_t c = 0; c < members.classes(); ++c)
    for (const Record i : members.of(c)) {
      ticker.step(20 * static_cast<std::int64_t>(d));
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
