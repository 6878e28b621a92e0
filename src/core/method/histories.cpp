#include "method/histories.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/published_classes.hpp"
#include "method/repair/uniting.hpp"

namespace anonkit {
namespace {

using RecordLists = std::vector<std::vector<Record>>;

/// The records of each person; persons in the order of their first records.
RecordLists records_by_person(const std::vector<std::int32_t>& units) {
  RecordLists persons;
  std::map<std::int32_t, std::size_t> place;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto found = place.emplace(units[i], persons.size());
    if (found.second) persons.emplace_back();
    persons[found.first->second].push_back(static_cast<Record>(i));
  }
  return persons;
}

/// The numbers of records that are shared, ascending: a shortest path over the numbers that occur.
/// A step from one to the next is a group of k persons or more. Each publishes the least number
/// among them, and the step costs their surplus.
std::vector<std::int32_t> shared_numbers(const RecordLists& persons, std::int32_t k) {
  std::map<std::int32_t, std::int64_t> having;
  for (const std::vector<Record>& records : persons)
    ++having[static_cast<std::int32_t>(records.size())];
  const std::vector<std::pair<std::int32_t, std::int64_t>> numbers(having.begin(), having.end());
  constexpr std::int64_t kNone64 = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> cost(numbers.size() + 1, kNone64);
  std::vector<std::size_t> before(numbers.size() + 1, 0);
  cost[0] = 0;
  for (std::size_t last = 0; last < numbers.size(); ++last) {
    std::int64_t grouped = 0, records = 0;
    for (std::size_t first = last + 1; first-- > 0;) {
      grouped += numbers[first].second;
      records += numbers[first].second * numbers[first].first;
      if (grouped < k || cost[first] == kNone64) continue;
      const std::int64_t surplus = cost[first] + records - grouped * numbers[first].first;
      if (surplus >= cost[last + 1]) continue;
      cost[last + 1] = surplus;
      before[last + 1] = first;
    }
  }
  std::vector<std::int32_t> shared;
  for (std::size_t end = numbers.size(); end > 0; end = before[end])
    shared.push_back(numbers[before[end]].first);
  std::reverse(shared.begin(), shared.end());
  return shared;
}

/// A random choice of so many of them, in ascending order; each person has a seed of their own.
std::vector<Record> sample(std::vector<Record> records, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = 0; i < count && count < records.size(); ++i)
    std::swap(records[i],
              records[i + random.below(static_cast<std::uint32_t>(records.size() - i))]);
  records.resize(count);
  std::sort(records.begin(), records.end());
  return records;
}

void require_share(std::int64_t left_out, std::size_t records, double max_suppression) {
  const double share = static_cast<double>(left_out) / static_cast<double>(records);
  if (share <= max_suppression) return;
  char hint[80];
  std::snprintf(hint, sizeof hint, "Give max_suppression of %.6f or more.", share + 5e-7);
  throw Error(ErrorKind::infeasible, "too few persons have as many rows as others",
              std::to_string(left_out) + " of " + std::to_string(records) +
                  " rows would have to be left out, so that k persons have each number of rows.",
              hint);
}

/// The constraints of classes of records, asked of classes of persons: the records of each place
/// form a class, and places with equal cells form one. Keeps no state.
class OfEachPlace final : public Constraint {
 public:
  OfEachPlace(const Problem& problem, const PersonTable& table,
              const std::vector<Record>& person_of, const Constraints& constraints, Ticker& ticker)
      : problem_(problem),
        table_(table),
        person_of_(person_of),
        constraints_(constraints),
        ticker_(ticker) {}

  void begin(ClassId) override {}
  bool allows(const RecordSpan& members) const override {
    std::vector<Record> records;
    Partition places;
    for (std::int32_t place = 0; place < table_.places(); ++place)
      for (const Record i : members) {
        records.push_back(table_.record(person_of_[at(i)], place));
        places.class_of.push_back(place);
      }
    places.classes = table_.places();
    // k persons remain k persons where places join.
    if (problem_.options.promises.any())
      places = joined_when_published(problem_, records, std::move(places), ticker_);
    Members published = members_of(places);
    for (Record& record : published.records) record = records[at(record)];
    return std::all_of(published.begin(), published.end(), [&](const RecordSpan& of_class) {
      return all_allow(constraints_, of_class);
    });
  }
  bool allows(const Change& change) const override {
    std::vector<Record> members;
    for_each_after(change, [&](Record i) { members.push_back(i); });
    return allows(RecordSpan(members));
  }
  void apply(const Change&) override {}
  void assign(ClassId, const RecordSpan&) override {}

 private:
  const Problem& problem_;
  const PersonTable& table_;
  const std::vector<Record>& person_of_;
  const Constraints& constraints_;
  Ticker& ticker_;
};

/// The attribute, not a nominal one, that varies most within persons; the first if none does.
int most_varying(const Space& space, const RecordLists& persons) {
  int most = 0;
  double greatest = 0;
  for (int j = 0; j < space.dimension(); ++j) {
    if (space.attribute(j).kind == Kind::nominal) continue;
    double sum = 0;
    for (const std::vector<Record>& records : persons) {
      double mean = 0;
      for (const Record i : records) mean += space.row(i)[j];
      mean /= static_cast<double>(records.size());
      for (const Record i : records) sum += (space.row(i)[j] - mean) * (space.row(i)[j] - mean);
    }
    if (sum <= greatest) continue;
    greatest = sum;
    most = j;
  }
  return most;
}

}  // namespace

std::vector<SharedCount> share_counts(const std::vector<std::int32_t>& units, std::int32_t k,
                                      double max_suppression, std::uint64_t seed) {
  const RecordLists persons = records_by_person(units);
  const std::vector<std::int32_t> numbers = shared_numbers(persons, k);
  std::vector<SharedCount> counts;
  for (const std::int32_t number : numbers) counts.push_back({number, {}});
  auto left_out = static_cast<std::int64_t>(units.size());
  for (const std::vector<Record>& records : persons) {
    const auto above =
        std::upper_bound(numbers.begin(), numbers.end(), static_cast<std::int32_t>(records.size()));
    SharedCount& count = counts[static_cast<std::size_t>(above - numbers.begin()) - 1];
    const auto unit = static_cast<std::uint64_t>(units[at(records.front())]);
    count.persons.push_back(sample(records, at(count.records), mix(seed ^ mix(unit + 1))));
    left_out -= count.records;
  }
  require_share(left_out, units.size(), max_suppression);
  return counts;
}

Partition share_histories(const std::vector<std::int32_t>& units, const Options& options,
                          const std::function<Partition(std::vector<SharedCount>)>& form) {
  const double most = std::max(0.0, options.generalisation.max_suppression);
  for (std::int32_t least = options.k;; least *= 2) {
    const std::vector<SharedCount> counts = share_counts(units, least, most, options.seed);
    try {
      return form(counts);
    } catch (const Error& error) {
      if (error.kind != ErrorKind::infeasible || counts.size() == 1) throw;
    }
  }
}

std::vector<Record> number_kept(std::vector<SharedCount>& counts) {
  std::vector<Record> kept;
  for (const SharedCount& count : counts)
    for (const std::vector<Record>& records : count.persons)
      kept.insert(kept.end(), records.begin(), records.end());
  std::sort(kept.begin(), kept.end());
  for (SharedCount& count : counts)
    for (std::vector<Record>& records : count.persons)
      for (Record& record : records)
        record =
            static_cast<Record>(std::lower_bound(kept.begin(), kept.end(), record) - kept.begin());
  return kept;
}

Partition in_places(const std::vector<Record>& places, std::size_t n, Partition partition) {
  std::vector<ClassId> class_of(n, kNone);
  for (std::size_t i = 0; i < places.size(); ++i) class_of[at(places[i])] = partition.class_of[i];
  partition.class_of = std::move(class_of);
  return partition;
}

PersonTable::PersonTable(const Problem& problem, const SharedCount& count)
    : records_(count.persons), places_(count.records) {
  const int order = most_varying(problem.space, records_);
  for (std::vector<Record>& records : records_)
    std::stable_sort(records.begin(), records.end(), [&](Record a, Record b) {
      return problem.space.row(a)[order] < problem.space.row(b)[order];
    });
  for (std::int32_t place = 0; place < places_; ++place)
    for (const std::size_t j : problem.columns) {
      char number[16];
      std::snprintf(number, sizeof number, " %010d", place);
      from_.push_back(j);
      columns_.push_back(problem.table.columns[j]);
      columns_.back().name += number;
    }
  leaves_.resize(columns_.size());
  const std::size_t width = problem.columns.size();
  for (const std::vector<Record>& records : records_)
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Record row = problem.rows[at(records[c / width])];
      values_.push_back(problem.table.value(row, from_[c]));
      if (columns_[c].leaves != nullptr) leaves_[c].push_back(columns_[c].leaves[row]);
    }
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].leaves != nullptr) columns_[c].leaves = leaves_[c].data();
}

std::vector<Scale> PersonTable::scales_of(const std::vector<Scale>& of_table) const {
  std::vector<Scale> scales;
  for (const std::size_t j : from_) scales.push_back(of_table[j]);
  return scales;
}

Table PersonTable::view() const {
  Table table;
  table.rows = static_cast<Record>(records_.size());
  table.columns = columns_;
  table.values = values_.data();
  return table;
}

Options options_of_persons(const Options& options) {
  Options alone = options;
  alone.promises = {};
  alone.counts_units = alone.unit_rows_together = alone.lower_bound = false;
  return alone;
}

Partition form_histories(const Problem& problem, const std::vector<SharedCount>& counts,
                         const FormPersons& form, Ticker& ticker) {
  const Constraints promised = constraints_of(problem);
  Partition partition;
  partition.class_of.assign(at(problem.space.size()), kNone);
  for (const SharedCount& count : counts) {
    const PersonTable persons(problem, count);
    const Partition of_persons = form(persons, [&](const Problem& one, Partition formed) {
      Constraints constraints;
      constraints.push_back(
          std::make_unique<OfEachPlace>(problem, persons, one.rows, promised, ticker));
      formed = unite_until_allowed(one.space, std::move(formed), constraints, ticker);
      if (!all_allow(constraints, formed, ticker))
        throw Error(ErrorKind::infeasible,
                    "no classes of persons keep the promises and share histories", "",
                    "Promise less, or publish fewer rows of each person.");
      return formed;
    });
    for (Record person = 0; person < static_cast<Record>(count.persons.size()); ++person)
      for (std::int32_t place = 0; place < count.records; ++place)
        partition.class_of[at(persons.record(person, place))] =
            partition.classes + of_persons.class_of[at(person)] * count.records + place;
    partition.classes += of_persons.classes * count.records;
  }
  number_by_first_record(partition);
  return partition;
}

}  // namespace anonkit
