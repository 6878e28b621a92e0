#include "model/joint_values.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.hpp"

namespace anonkit {
namespace {

/// A record by its person, class and value.
struct HeldValue {
  std::int32_t unit;
  std::int32_t class_id;
  std::int32_t value;
  bool operator<(const HeldValue& other) const {
    if (unit != other.unit) return unit < other.unit;
    return class_id != other.class_id ? class_id < other.class_id : value < other.value;
  }
};
using FactIterator = std::vector<HeldValue>::const_iterator;

struct Joint {
  double fewest;
  std::int32_t worst_class = 0;
  std::int64_t persons = 0;  ///< with a value that lasts
  std::int64_t single = 0;   ///< of these, with one candidate
};

class Candidates {
 public:
  Candidates(const ClassHistogram& histogram, Ticker& ticker)
      : histogram_(histogram), ticker_(ticker), joint_{static_cast<double>(histogram.values())} {}

  /// Adds a person by the sorted facts.
  void add(FactIterator first, FactIterator last) {
    classes_.clear();
    for (auto fact = first; fact != last; ++fact)
      if (classes_.empty() || classes_.back() != fact->class_id) classes_.push_back(fact->class_id);
    if (!has_lasting_value(first, last)) return;
    const auto common = static_cast<double>(candidates());
    ++joint_.persons;
    if (common == 1) ++joint_.single;
    if (common < joint_.fewest) {
      joint_.fewest = common;
      joint_.worst_class = classes_.front();
    }
  }

  const Joint& joint() const { return joint_; }

 private:
  /// True if a value of the first class is the person's in all others.
  bool has_lasting_value(FactIterator first, FactIterator last) const {
    for (auto fact = first; fact != last && fact->class_id == classes_.front(); ++fact)
      if (std::all_of(classes_.begin(), classes_.end(), [&](std::int32_t c) {
            return std::binary_search(first, last, HeldValue{fact->unit, c, fact->value});
          }))
        return true;
    return false;
  }

  bool has(std::int32_t c, std::int32_t value) const {
    const auto entries = histogram_.entries(c);
    const auto* const found = std::lower_bound(
        entries.begin(), entries.end(), value,
        [](const ClassHistogram::Entry& entry, std::int32_t v) { return entry.value < v; });
    return found != entries.end() && found->value == value;
  }

  /// The values common to all classes of the person at hand. Persons of the same few classes, who
  /// may be most of the table, share one count. A count that ended early is still enough later,
  /// since the fewest only fall.
  std::int64_t candidates() {
    if (classes_.size() == 1)
      return static_cast<std::int64_t>(histogram_.entries(classes_.front()).size());
    if (classes_.size() > kFewClasses) return count_common();
    const auto known = counted_.find(classes_);
    if (known != counted_.end()) return known->second;
    const std::int64_t common = count_common();
    if (counted_.size() < kMostCounted) counted_.emplace(classes_, common);
    return common;
  }

  /// Counting ends where neither level can change.
  std::int64_t count_common() const {
    const std::int32_t smallest =
        *std::min_element(classes_.begin(), classes_.end(), [&](std::int32_t a, std::int32_t b) {
          return histogram_.entries(a).size() < histogram_.entries(b).size();
        });
    const auto enough = std::max<std::int64_t>(2, static_cast<std::int64_t>(joint_.fewest));
    std::int64_t common = 0;
    for (const ClassHistogram::Entry& entry : histogram_.entries(smallest)) {
      ticker_.step(16 * static_cast<std::int64_t>(classes_.size()));
      common += std::all_of(classes_.begin(), classes_.end(),
                            [&](std::int32_t c) { return has(c, entry.value); })
                    ? 1
                    : 0;
      if (common == enough) break;
    }
    return common;
  }

  /// They bound the memory of the counts: some ten megabytes.
  static constexpr std::size_t kFewClasses = 8;
  static constexpr std::size_t kMostCounted = 65536;

  const ClassHistogram& histogram_;
  Ticker& ticker_;
  std::vector<std::int32_t> classes_;  ///< of the person at hand
  std::map<std::vector<std::int32_t>, std::int64_t> counted_;
  Joint joint_;
};

Joint joint_of(const ClassHistogram& histogram, Ticker& ticker) {
  if (!histogram.has_units()) throw Error(ErrorKind::invalid_parameter, "joint values need a unit");
  std::vector<HeldValue> facts;
  for (std::size_t i = 0; i < histogram.unit_of().size(); ++i)
    facts.push_back({histogram.unit_of()[i], histogram.class_of()[i], histogram.value_of()[i]});
  std::sort(facts.begin(), facts.end(), [&](const HeldValue& a, const HeldValue& b) {
    ticker.step(2);
    return a < b;
  });
  Candidates candidates(histogram, ticker);
  for (auto first = facts.cbegin(); first != facts.cend();) {
    const auto last = std::find_if(first, facts.cend(),
                                   [&](const HeldValue& fact) { return fact.unit != first->unit; });
    candidates.add(first, last);
    ticker.step(64 * (last - first));
    first = last;
  }
  return candidates.joint();
}

}  // namespace

Level joint_values(const ClassHistogram& histogram, Ticker& ticker) {
  const Joint joint = joint_of(histogram, ticker);
  return {joint.fewest, joint.worst_class};
}

Level single_joint_values(const ClassHistogram& histogram, Ticker& ticker) {
  const Joint joint = joint_of(histogram, ticker);
  const double share = joint.persons > 0
                           ? static_cast<double>(joint.single) / static_cast<double>(joint.persons)
                           : 0;
  return {share, joint.worst_class};
}

}  // namespace anonkit
