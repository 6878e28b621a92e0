#include "method/pkclustering/clusters.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Numbers the values that occur from 0; returns their number.
std::int32_t number_from_zero(std::vector<std::int32_t>& codes) {
  const std::int32_t largest = *std::max_element(codes.begin(), codes.end());
  std::vector<std::int32_t> number(at(largest) + 1, -1);
  for (const std::int32_t code : codes) number[at(code)] = 0;
  std::int32_t next = 0;
  for (std::int32_t& place : number)
    if (place == 0) place = next++;
  for (std::int32_t& code : codes) code = number[at(code)];
  return next;
}

}  // namespace

SensitiveCodes::SensitiveCodes(const std::vector<SensitiveAttribute>& attributes, std::int32_t p,
                               std::vector<double> weights, Ticker& ticker)
    : p_(p), weights_(std::move(weights)) {
  weights_.resize(attributes.size(), 1);
  for (const SensitiveAttribute& attribute : attributes) {
    ticker.step(static_cast<std::int64_t>(attribute.ranks.size()) * 100);
    codes_.push_back(counted_codes(attribute));
    values_.push_back(number_from_zero(codes_.back()));
  }
  combine(ticker);
}

void SensitiveCodes::combine(Ticker& ticker) {
  const std::size_t n = codes_.front().size();
  std::vector<Record> sorted(n);
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto differ = [&](Record a, Record b) {
    std::size_t i = 0;
    while (i < attributes() && value(a, i) == value(b, i)) ++i;
    return i;
  };
  std::sort(sorted.begin(), sorted.end(), [&](Record a, Record b) {
    ticker.step(10);
    const std::size_t i = differ(a, b);
    return i < attributes() ? value(a, i) < value(b, i) : a < b;
  });
  combination_.resize(n);
  for (std::size_t at = 0; at < n; ++at) {
    if (at == 0 || differ(sorted[at - 1], sorted[at]) < attributes())
      of_combination_.push_back(sorted[at]);
    combination_[static_cast<std::size_t>(sorted[at])] = combinations() - 1;
  }
}

Cluster Growth::empty() const {
  Cluster cluster;
  cluster.values.resize(sensitive_.attributes());
  cluster.distinct.resize(sensitive_.attributes());
  return cluster;
}

void Growth::add(Cluster& cluster, Record record) const {
  const std::int32_t* codes = generalisation_.codes(record);
  const bool first = cluster.records.empty();
  cluster.records.push_back(record);
  cluster.cover.resize(generalisation_.dimension());
  cluster.loss = 0;
  for (std::size_t j = 0; j < cluster.cover.size(); ++j) {
    const GeneralisedAttribute& attribute = generalisation_.attribute(j);
    CoverCell& cell = cluster.cover[j];
    cell = first ? attribute.cover(codes[j]) : attribute.widened(cell, codes[j]);
    cluster.loss += attribute.loss(cell);
  }
  for (std::size_t i = 0; i < cluster.values.size(); ++i) {
    std::vector<std::int32_t>& values = cluster.values[i];
    if (cluster.distinct[i] == sensitive_.p()) continue;
    const std::int32_t value = sensitive_.value(record, i);
    if (std::find(values.begin(), values.end(), value) != values.end()) continue;
    values.push_back(value);
    ++cluster.distinct[i];
  }
}

CellLoss Growth::loss_with(const Cluster& cluster, Record record) const {
  const std::int32_t* codes = generalisation_.codes(record);
  CellLoss sum = 0;
  for (std::size_t j = 0; j < cluster.cover.size(); ++j) {
    const GeneralisedAttribute& attribute = generalisation_.attribute(j);
    sum += attribute.loss(attribute.widened(cluster.cover[j], codes[j]));
  }
  return sum;
}

void Growth::disperse(const std::vector<Record>& records, std::vector<Cluster>& clusters,
                      Ticker& ticker) const {
  for (const Record record : records) {
    Cluster* best = nullptr;
    CellLoss least = 0;
    for (Cluster& cluster : clusters) {
      ticker.step(8 * static_cast<std::int64_t>(generalisation_.dimension()));
      const CellLoss increase = cluster.increase(loss_with(cluster, record));
      if (best != nullptr && increase >= least) continue;
      best = &cluster;
      least = increase;
    }
    add(*best, record);
  }
}

Partition partition_of(const std::vector<Cluster>& clusters, Record records) {
  Partition partition;
  partition.class_of.resize(static_cast<std::size_t>(records));
  partition.classes = static_cast<ClassId>(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const Record record : clusters[c].records)
      partition.class_of[static_cast<std::size_t>(record)] = static_cast<ClassId>(c);
  number_by_first_record(partition);
  return partition;
}

}  // namespace anonkit
