#include "method/tcloseness/closeness.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace anonkit {

Closeness::Closeness(const std::vector<SensitiveAttribute>& attributes, Ticker& ticker) {
  if (attributes.empty())
    throw Error(ErrorKind::invalid_parameter, "t-closeness needs a sensitive attribute");
  for (const SensitiveAttribute& attribute : attributes) {
    if (attribute.ranks.size() != attributes.front().ranks.size())
      throw Error(ErrorKind::internal, "sensitive attributes differ in length");
    if (!(attribute.t > 0))
      throw Error(ErrorKind::invalid_parameter, "t is out of range",
                  "t must be above 0 and at most 1.");
    ticker.step(static_cast<std::int64_t>(attribute.ranks.size()) * 50);
    emds_.emplace_back(attribute);
  }
}

void Closeness::collect(const RecordSpan& members, Values* values) const {
  values->size = members.size();
  values->of.resize(emds_.size());
  values->cost.resize(emds_.size());
  for (std::size_t a = 0; a < emds_.size(); ++a) {
    Emd::Sorted& sorted = values->of[a];
    sorted.clear();
    for (const Record i : members) sorted.push_back(emds_[a].rank(i));
    std::sort(sorted.begin(), sorted.end());
    values->cost[a] = emds_[a].cost(sorted);
  }
}

void Closeness::merge(const Values& other, Values* into) const {
  into->size += other.size;
  for (std::size_t a = 0; a < emds_.size(); ++a) {
    Emd::Sorted both;
    both.reserve(static_cast<std::size_t>(into->size));
    std::merge(into->of[a].begin(), into->of[a].end(), other.of[a].begin(), other.of[a].end(),
               std::back_inserter(both));
    into->of[a] = std::move(both);
    into->cost[a] = emds_[a].cost(into->of[a]);
  }
}

bool Closeness::close(const std::vector<Emd::Wide>& cost, std::int64_t size) const {
  for (std::size_t a = 0; a < emds_.size(); ++a)
    if (!emds_[a].within(cost[a], size)) return false;
  return true;
}

bool Closeness::close(const Partition& partition, Ticker& ticker) const {
  const Members members = members_of(partition);
  Values values;
  for (const RecordSpan of_class : members) {
    ticker.step(10 * std::int64_t{of_class.size()});
    collect(of_class, &values);
    if (!close(values)) return false;
  }
  return true;
}

double Closeness::level(const std::vector<Emd::Wide>& cost, std::int64_t size) const {
  double level = 0;
  for (std::size_t a = 0; a < emds_.size(); ++a)
    level = std::max(level, emds_[a].distance(cost[a], size) / emds_[a].t());
  return level;
}

void Closeness::exchanged(const Values& values, Record out, Record in,
                          std::vector<Emd::Wide>* cost) const {
  cost->resize(emds_.size());
  for (std::size_t a = 0; a < emds_.size(); ++a)
    (*cost)[a] =
        emds_[a].exchanged(values.of[a], values.cost[a], emds_[a].rank(out), emds_[a].rank(in));
}

void Closeness::exchange(Record out, Record in, Values* values) const {
  std::vector<Emd::Wide> cost;
  exchanged(*values, out, in, &cost);
  values->cost = std::move(cost);
  for (std::size_t a = 0; a < emds_.size(); ++a)
    anonkit::exchange(&values->of[a], emds_[a].rank(out), emds_[a].rank(in));
}

bool Closeness::may_improve(const Values& values, Record in) const {
  std::size_t worst = 0;
  double level = -1;
  for (std::size_t a = 0; emds_.size() > 1 && a < emds_.size(); ++a) {
    const double here = emds_[a].distance(values.cost[a], values.size) / emds_[a].t();
    if (here > level) {
      level = here;
      worst = a;
    }
  }
  emds_[worst].exchanges(values.of[worst], values.cost[worst], emds_[worst].rank(in), &costs_);
  return *std::min_element(costs_.begin(), costs_.end()) < values.cost[worst];
}

}  // namespace anonkit
