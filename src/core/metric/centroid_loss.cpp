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

/// The centroid of all records: what SST is measured from. Numbers that are null have no
/// part in it.
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
                           const std::vector<Record>& order, const std::vector<Scale>& scales) {
  const std::size_t d = table.columns.size();
  const std::vector<double> grand = grand_centroid(table, order);
  CentroidLoss loss;
  for (std::size_t c = 0; c + 1 < members.begin.size(); ++c) {
    for (Record at = members.begin[c]; at < members.begin[c + 1]; ++at) {
      const Record i = members.records[static_cast<std::size_t>(at)];
      for (std::size_t j = 0; j < d; ++j) {
        const double x = table.value(i, j);
        if (is_null(x)) continue;
        const double cell = centroids.low[c * d + j];
        const Column& column = table.columns[j];
        loss.sst += cell_error(column, scales[j], x, grand[j]);
        loss.sse += cell_error(column, scales[j], x, is_null(cell) ? grand[j] : cell);
      }
    }
  }
  return loss;
}

}  // namespace anonkit
