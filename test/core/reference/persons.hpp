#pragma once

// The privacy models for persons with several records, straight from their definitions. Sets and
// maps compute every count afresh.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace anonkit::reference {

/// The person and the value of a record.
struct PersonRecord {
  std::int32_t person;
  std::int32_t value;
};
using PersonRecords = std::vector<PersonRecord>;

inline std::set<std::int32_t> persons_of(const PersonRecords& records) {
  std::set<std::int32_t> persons;
  for (const PersonRecord& r : records) persons.insert(r.person);
  return persons;
}

/// By value: the persons that have it.
inline std::map<std::int32_t, std::set<std::int32_t>> holders_of(const PersonRecords& records) {
  std::map<std::int32_t, std::set<std::int32_t>> holders;
  for (const PersonRecord& r : records) holders[r.value].insert(r.person);
  return holders;
}

inline double persons_k(const PersonRecords& records) {
  return static_cast<double>(persons_of(records).size());
}

/// The fewest persons without one of the values.
inline double persons_without(const PersonRecords& records) {
  double fewest = std::numeric_limits<double>::infinity();
  for (const auto& [value, persons] : holders_of(records))
    fewest = std::min(fewest, persons_k(records) - static_cast<double>(persons.size()));
  return fewest;
}

/// The greatest l with l distinct values, and for every value l - 1 persons without it.
inline double persons_distinct(const PersonRecords& records) {
  double l = 0;
  while (l < static_cast<double>(holders_of(records).size()) && persons_without(records) >= l) ++l;
  return l;
}

inline double persons_share(const PersonRecords& records) {
  double most = 0;
  for (const auto& [value, persons] : holders_of(records))
    most = std::max(most, static_cast<double>(persons.size()) / persons_k(records));
  return most;
}

inline double persons_recursive_c(const PersonRecords& records, int l) {
  std::vector<double> r;
  for (const auto& [value, persons] : holders_of(records))
    r.push_back(static_cast<double>(persons.size()));
  if (r.size() < static_cast<std::size_t>(l) || persons_without(records) < l - 1)
    return std::numeric_limits<double>::infinity();
  std::sort(r.rbegin(), r.rend());
  double tail = 0;
  for (std::size_t i = static_cast<std::size_t>(l) - 1; i < r.size(); ++i) tail += r[i];
  return r[0] / tail;
}

/// The greatest difference between numbers of two persons; codes beyond the numbers are null.
inline double persons_range(const PersonRecords& records, const std::vector<double>& numbers) {
  double widest = 0;
  for (const PersonRecord& a : records)
    for (const PersonRecord& b : records) {
      const auto x = static_cast<std::size_t>(a.value), y = static_cast<std::size_t>(b.value);
      if (a.person != b.person && x < numbers.size() && y < numbers.size())
        widest = std::max(widest, numbers[x] - numbers[y]);
    }
  return widest;
}

/// Each person weighs 1, divided among their records.
inline std::map<std::int32_t, double> weights_of(const PersonRecords& records) {
  std::map<std::int32_t, double> weights;
  for (const PersonRecord& r : records) {
    const auto mine = std::count_if(records.begin(), records.end(), [&](const PersonRecord& other) {
      return other.person == r.person;
    });
    weights[r.value] += 1 / static_cast<double>(mine);
  }
  return weights;
}

/// The entropy of the weights, and at most one more than the fewest persons without a value.
inline double persons_entropy_l(const PersonRecords& records) {
  double entropy = 0;
  for (const auto& [value, weight] : weights_of(records)) {
    const double w = weight / persons_k(records);
    entropy -= w * std::log(w);
  }
  return std::min(std::exp(entropy), persons_without(records) + 1);
}

/// The greatest share of the records of one person.
inline double persons_dominance(const PersonRecords& records) {
  std::map<std::int32_t, double> mine;
  for (const PersonRecord& r : records) ++mine[r.person];
  double most = 0;
  for (const auto& [person, count] : mine) most = std::max(most, count);
  return most / static_cast<double>(records.size());
}

/// By person who has a value in all of their classes, the number of values common to these classes.
inline std::vector<std::size_t> joint_candidates(const std::vector<PersonRecords>& classes) {
  std::set<std::int32_t> persons;
  for (const PersonRecords& one : classes)
    for (const PersonRecord& r : one) persons.insert(r.person);
  std::vector<std::size_t> candidates;
  for (const std::int32_t person : persons) {
    // The values in all classes of the person, and those that are the person's there.
    std::set<std::int32_t> common, lasting;
    bool first = true;
    for (const PersonRecords& one : classes) {
      std::set<std::int32_t> here, mine;
      for (const PersonRecord& r : one) {
        here.insert(r.value);
        if (r.person == person) mine.insert(r.value);
      }
      if (mine.empty()) continue;
      const auto keep = [&](std::set<std::int32_t>& kept, const std::set<std::int32_t>& found) {
        std::set<std::int32_t> both;
        for (const std::int32_t v : found)
          if (first || kept.count(v) > 0) both.insert(v);
        kept = both;
      };
      keep(common, here);
      keep(lasting, mine);
      first = false;
    }
    if (!lasting.empty()) candidates.push_back(common.size());
  }
  return candidates;
}

/// The distance of the distributions in a class and in a population over the values of `all`.
inline double persons_emd(const PersonRecords& part, const PersonRecords& population,
                          const PersonRecords& all, bool ordered) {
  std::map<std::int32_t, double> p = weights_of(part), q = weights_of(population);
  const auto values = weights_of(all);
  double sum = 0, running = 0;
  for (const auto& entry : values) {
    const std::int32_t value = entry.first;
    const double difference = p[value] / persons_k(part) - q[value] / persons_k(population);
    running = (ordered ? running : 0) + difference;
    sum += std::abs(running);
  }
  if (!ordered) return sum / 2;
  return values.size() > 1 ? sum / static_cast<double>(values.size() - 1) : 0;
}

/// The sample variance of numbers, with a total weight of 1 per person. For names (no numbers),
/// half the mean share of the others with another name.
inline double persons_variance(const std::map<std::int32_t, double>& weights,
                               const std::vector<double>* numbers) {
  double size = 0, mean = 0, sum = 0;
  for (const auto& [value, weight] : weights) {
    if (numbers != nullptr && static_cast<std::size_t>(value) >= numbers->size()) continue;
    size += weight;
    if (numbers != nullptr) mean += weight * (*numbers)[static_cast<std::size_t>(value)];
  }
  for (const auto& [value, weight] : weights) {
    if (numbers == nullptr) {
      sum += weight * (size - weight) / (2 * size);
    } else if (static_cast<std::size_t>(value) < numbers->size()) {
      const double deviation = (*numbers)[static_cast<std::size_t>(value)] - mean / size;
      sum += weight * deviation * deviation;
    }
  }
  return size > 1 + 1e-9 ? sum / (size - 1) : 0;
}

/// The fewest persons with the same number of records in every class.
inline double histories_k(const std::vector<std::int32_t>& class_of,
                          const std::vector<std::int32_t>& person_of) {
  std::map<std::int32_t, std::multiset<std::int32_t>> history_of;
  for (std::size_t i = 0; i < class_of.size(); ++i) history_of[person_of[i]].insert(class_of[i]);
  std::map<std::multiset<std::int32_t>, int> persons;
  for (const auto& [person, history] : history_of) ++persons[history];
  double fewest = std::numeric_limits<double>::infinity();
  for (const auto& [history, count] : persons) fewest = std::min<double>(fewest, count);
  return fewest;
}

}  // namespace anonkit::reference
