#include "recode/generalisation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

Domain plain_domain(const Attribute& attribute) {
  Domain domain;
  domain.by = attribute.kind == Kind::nominal ? Generalise::set : Generalise::range;
  domain.weight = attribute.weight;
  domain.values = attribute.categories;
  return domain;
}

}  // namespace

Extent extent_of(const Table& table, std::size_t column, Ticker& ticker) {
  const Attribute& attribute = table.columns[column].attribute;
  if (attribute.kind != Kind::numeric) return {0, attribute.categories - 1.0};
  Extent extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (Record i = 0; i < table.rows; ++i) {
    ticker.step(4);
    const double x = table.value(i, column);
    if (is_null(x)) continue;
    extent.low = std::min(extent.low, x);
    extent.high = std::max(extent.high, x);
  }
  return extent;
}

Extent domain_extent(const Table& table, std::size_t column, Ticker& ticker) {
  Extent extent = extent_of(table, column, ticker);
  extent.high = std::max(extent.high, extent.low + table.columns[column].extent);
  return extent;
}

double Domain::penalty(double low, double high) const {
  if (by == Generalise::range) return high - low;
  if (by == Generalise::set) return values > 1 ? (high - low) / (values - 1) : 0;
  const auto levels = static_cast<std::size_t>(hierarchy->height()) + 1;
  const Ancestor* ancestor = &ancestors[static_cast<std::size_t>(low) * levels];
  while (ancestor->last < high) ++ancestor;
  return ancestor->penalty;
}

Domain domain_of(const Hierarchy& hierarchy, double weight) {
  Domain domain;
  domain.by = Generalise::hierarchy;
  domain.weight = weight;
  domain.values = hierarchy.values();
  domain.hierarchy = &hierarchy;
  domain.leaf.resize(static_cast<std::size_t>(hierarchy.values()));
  domain.position.resize(domain.leaf.size());
  std::iota(domain.leaf.begin(), domain.leaf.end(), 0);
  // Sorts by level from below; the last sort, by the groups below the top, dominates.
  for (std::int32_t level = 1; level < hierarchy.height(); ++level)
    std::stable_sort(domain.leaf.begin(), domain.leaf.end(), [&](std::int32_t a, std::int32_t b) {
      return hierarchy.group(level, a) < hierarchy.group(level, b);
    });
  for (std::size_t at = 0; at < domain.leaf.size(); ++at)
    domain.position[static_cast<std::size_t>(domain.leaf[at])] = static_cast<std::int32_t>(at);
  const auto levels = static_cast<std::size_t>(hierarchy.height()) + 1;
  domain.ancestors.resize(domain.leaf.size() * levels);
  for (std::int32_t level = 0; level <= hierarchy.height(); ++level) {
    auto last = static_cast<std::int32_t>(domain.leaf.size()) - 1;
    for (std::int32_t at = last; at >= 0; --at) {
      const auto group = [&](std::int32_t position) {
        return hierarchy.group(level, domain.leaf[static_cast<std::size_t>(position)]);
      };
      if (group(at) != group(last)) last = at;
      domain.ancestors[static_cast<std::size_t>(at) * levels + static_cast<std::size_t>(level)] = {
          last, hierarchy.ncp(level, group(at))};
    }
  }
  return domain;
}

GeneralisationSpace::GeneralisationSpace(std::vector<double> coordinates,
                                         std::vector<Domain> domains)
    : coordinates_(std::move(coordinates)), domains_(std::move(domains)) {
  if (domains_.empty() || coordinates_.size() % domains_.size() != 0)
    throw Error(ErrorKind::internal, "coordinates do not fill whole records");
  size_ = static_cast<Record>(coordinates_.size() / domains_.size());
}

GeneralisationSpace GeneralisationSpace::of_rows(const std::vector<Record>& rows,
                                                 std::vector<Record> weights) const {
  std::vector<double> coordinates;
  coordinates.reserve(rows.size() * domains_.size());
  for (const Record i : rows) coordinates.insert(coordinates.end(), row(i), row(i) + dimension());
  GeneralisationSpace points(std::move(coordinates), domains_);
  points.weights_ = std::move(weights);
  return points;
}

GeneralisationSpace generalisation_space(const Table& table, const std::vector<Record>& rows,
                                         const std::vector<std::size_t>& columns, Recode recode,
                                         Ticker& ticker) {
  const std::size_t d = columns.size();
  std::vector<Domain> domains;
  std::vector<double> coordinates(rows.size() * d);
  for (std::size_t j = 0; j < d; ++j) {
    const Column& column = table.columns[columns[j]];
    if (column.hierarchy != nullptr && !recoding(recode).by_range) {
      domains.push_back(domain_of(*column.hierarchy, column.attribute.weight));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ticker.step(8);
        coordinates[i * d + j] =
            domains[j].position[static_cast<std::size_t>(column.leaves[rows[i]])];
      }
      continue;
    }
    domains.push_back(plain_domain(column.attribute));
    const bool range = domains[j].by == Generalise::range;
    // Extents cover all records, so that the ranges of all strata are shares of one domain.
    const Extent extent = range ? domain_extent(table, columns[j], ticker) : Extent{0, 1};
    const double span = extent.high - extent.low;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ticker.step(8);
      const double x = table.value(rows[i], columns[j]);
      coordinates[i * d + j] = range ? span > 0 ? (x - extent.low) / span : 0 : x;
    }
  }
  return GeneralisationSpace(std::move(coordinates), std::move(domains));
}

Space euclidean(const GeneralisationSpace& space, Ticker& ticker) {
  std::vector<Attribute> attributes;
  for (int j = 0; j < space.dimension(); ++j) {
    const Domain& domain = space.domain(j);
    const Kind kind = domain.by == Generalise::set ? Kind::nominal : Kind::numeric;
    attributes.push_back({kind, domain.weight, domain.values});
  }
  std::vector<double> coordinates;
  coordinates.reserve(static_cast<std::size_t>(space.size()) * attributes.size());
  for (Record i = 0; i < space.size(); ++i) {
    ticker.step(8 * space.dimension());
    for (int j = 0; j < space.dimension(); ++j) {
      const Domain& domain = space.domain(j);
      const bool share = domain.by == Generalise::hierarchy && domain.values > 1;
      coordinates.push_back(share ? space.row(i)[j] / (domain.values - 1) : space.row(i)[j]);
    }
  }
  Space records(std::move(coordinates), std::move(attributes), &ticker);
  if (!space.weights().empty()) records.weigh(space.weights());
  return records;
}

}  // namespace anonkit
