#include "model/linked_levels.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// The numbers of persons by key, with open addressing.
class PersonCounts {
 public:
  static constexpr std::int64_t kBytesPerKey = 64;  // of a table that is a quarter full or more

  /// Adds a person to a key, and returns the persons so far.
  std::int32_t add(const PatternKey& key) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    if (slot.persons == 0) {
      slot.key = key;
      ++used_;
    }
    return ++slot.persons;
  }

  std::int32_t of(const PatternKey& key) const {
    return slots_.empty() ? 0 : slots_[place_of(key)].persons;
  }

 private:
  struct Slot {
    PatternKey key;
    std::int32_t persons = 0;
  };

  std::size_t place_of(const PatternKey& key) const {
    std::size_t place = key.low & (slots_.size() - 1);
    while (slots_[place].persons > 0 && !(slots_[place].key == key))
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.persons > 0) slots_[place_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

/// One sensitive column with its place among all.
struct ValueColumn {
  std::size_t table;
  std::size_t column;
  const JudgedValues* values;
};

std::vector<ValueColumn> value_columns(const std::vector<JudgedTable>& tables) {
  std::vector<ValueColumn> columns;
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t j = 0; j < tables[t].values.size(); ++j)
      columns.push_back({t, j, &tables[t].values[j]});
  return columns;
}

/// A value that a person has in some row.
struct PublishedValue {
  std::uint32_t column;
  std::int32_t code;

  bool operator<(const PublishedValue& other) const {
    return column != other.column ? column < other.column : code < other.code;
  }
  bool operator==(const PublishedValue& other) const {
    return column == other.column && code == other.code;
  }
};

/// The patterns of a person of one kind, each once.
using PatternsOf = std::function<void(std::int32_t person, std::vector<PatternKey>& patterns)>;

/// The disclosure by one kind of facts: the least support of each person and the levels of the
/// values.
struct Told {
  std::vector<std::int32_t> least;  ///< by person
  std::vector<LinkedValueLevel> values;
};

/// Measures patterns that are enumerated anew in each pass.
class PatternMeasure {
 public:
  PatternMeasure(const std::vector<JudgedTable>& tables, RecordsOfPersons& records, Ticker& ticker)
      : records_(records), columns_(value_columns(tables)), ticker_(ticker) {
    for (const ValueColumn& column : columns_) empty_.push_back({column.table, column.column});
  }

  std::size_t columns() const { return columns_.size(); }

  /// Measures all patterns, `keys` of them over all persons at most, within `memory`.
  Told measure(const PatternsOf& patterns_of, double keys, std::int64_t memory) {
    Told told;
    told.least.assign(at(records_.persons()), std::numeric_limits<std::int32_t>::max());
    told.values = empty_;
    // Each pattern may have keys of its own for the values of the person.
    const double bytes = keys * static_cast<double>(PersonCounts::kBytesPerKey) *
                         static_cast<double>(1 + 2 * columns_.size());
    const auto shares =
        static_cast<std::uint64_t>(bytes / static_cast<double>(std::max<std::int64_t>(memory, 1))) +
        1;
    for (std::uint64_t share = 0; share < shares; ++share)
      measure_share(patterns_of, share, shares, told);
    return told;
  }

 private:
  /// Measures the patterns whose keys leave this remainder.
  void measure_share(const PatternsOf& patterns_of, std::uint64_t share, std::uint64_t shares,
                     Told& told) {
    PersonCounts persons;
    PersonCounts holders;
    PersonCounts kinds;  // values by pattern and column
    for (const bool counting : {true, false})
      for (std::int32_t person = 0; person < records_.persons(); ++person) {
        ticker_.step(64);
        patterns_.clear();
        patterns_of(person, patterns_);
        list_values(person);
        for (const PatternKey& pattern : patterns_) {
          if (shares > 1 && pattern.high % shares != share) continue;
          ticker_.step(16 + 16 * static_cast<std::int64_t>(values_.size()));
          if (counting)
            count(pattern, persons, holders, kinds);
          else
            look_up(pattern, persons, holders, kinds, told.least[at(person)], told.values);
        }
      }
  }

  void count(const PatternKey& pattern, PersonCounts& persons, PersonCounts& holders,
             PersonCounts& kinds) const {
    persons.add(pattern);
    for (const PublishedValue& value : values_)
      if (holders.add(key_of_value(pattern, value)) == 1)
        kinds.add(combined(pattern, value.column));
  }

  void look_up(const PatternKey& pattern, const PersonCounts& persons, const PersonCounts& holders,
               const PersonCounts& kinds, std::int32_t& least,
               std::vector<LinkedValueLevel>& levels) const {
    const std::int32_t support = persons.of(pattern);
    least = std::min(least, support);
    for (const PublishedValue& value : values_) {
      const std::int32_t with = holders.of(key_of_value(pattern, value));
      LinkedValueLevel& level = levels[value.column];
      level.share = std::max(level.share, static_cast<double>(with) / support);
      const std::int32_t lacking = support - with + 1;
      const std::int32_t diversity =
          columns_[value.column].values->only_protected
              ? lacking
              : std::min(kinds.of(combined(pattern, value.column)), lacking);
      level.diversity = level.diversity == 0 ? diversity : std::min(level.diversity, diversity);
    }
  }

  static PatternKey key_of_value(const PatternKey& pattern, const PublishedValue& value) {
    return combined(combined(pattern, value.column), static_cast<std::uint64_t>(value.code));
  }

  /// The different values of a person, by column.
  void list_values(std::int32_t person) {
    values_.clear();
    if (columns_.empty()) return;
    for (const auto& [table, row] : records_.rows_of(person))
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].table == at(table) && columns_[c].values->codes[row] >= 0)
          values_.push_back({static_cast<std::uint32_t>(c), columns_[c].values->codes[row]});
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  }

  RecordsOfPersons& records_;
  std::vector<ValueColumn> columns_;
  std::vector<LinkedValueLevel> empty_;
  Ticker& ticker_;
  std::vector<PatternKey> patterns_;
  std::vector<PublishedValue> values_;
};

/// The number of subsets of exactly `size` of n rows.
double subsets_of(double n, int size) {
  double subsets = 1;
  for (int i = 0; i < size; ++i) subsets = subsets * (n - i) / (i + 1);
  return std::max(subsets, 0.0);
}

/// Adds the patterns of exactly `size` rows of a record, each once.
void add_patterns(const LinkedRecord& record, int size, Links links, Ticker& ticker,
                  std::vector<PatternKey>& patterns) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) rows[at(i)] = i + 1;
  while (record.rows() >= size) {
    ticker.step(64 * (size + 1));
    patterns.push_back(record.pattern(rows.data(), size, links));
    int i = size - 1;
    while (i >= 0 && rows[at(i)] == record.rows() - (size - 1 - i)) --i;
    if (i < 0) break;
    ++rows[at(i)];
    for (int j = i + 1; j < size; ++j) rows[at(j)] = rows[at(j - 1)] + 1;
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
}

/// The numbers of patterns of `size` rows, at most.
struct PatternNumbers {
  double all = 0;     ///< over all persons
  double of_one = 0;  ///< of the person with the most
};

PatternNumbers count_patterns(RecordsOfPersons& records, int size, Ticker& ticker) {
  PatternNumbers numbers;
  for (std::int32_t person = 0; person < records.persons(); ++person) {
    const LinkedRecord record = records.record(person).without_repetitions(std::max(size, 1));
    ticker.step(64 + 64 * static_cast<std::int64_t>(record.rows()));
    const double own = subsets_of(record.rows(), size);
    numbers.all += own;
    numbers.of_one = std::max(numbers.of_one, own);
  }
  return numbers;
}

/// The level of persons with these least supports.
LinkedLevel level_of(const Told& told, std::int32_t k) {
  LinkedLevel level;
  level.k = *std::min_element(told.least.begin(), told.least.end());
  for (const std::int32_t support : told.least) {
    level.alone += support == 1 ? 1 : 0;
    level.below += support < k ? 1 : 0;
  }
  level.values = told.values;
  return level;
}

/// Knowledge of up to m rows includes that of fewer.
void include(Told& told, const Told& of_fewer) {
  for (std::size_t i = 0; i < told.least.size(); ++i)
    told.least[i] = std::min(told.least[i], of_fewer.least[i]);
  for (std::size_t c = 0; c < told.values.size(); ++c) {
    LinkedValueLevel& level = told.values[c];
    const LinkedValueLevel& other = of_fewer.values[c];
    level.share = std::max(level.share, other.share);
    level.share_unlinked = std::max(level.share_unlinked, other.share_unlinked);
    if (level.diversity == 0 || other.diversity == 0)
      level.diversity = std::max(level.diversity, other.diversity);
    else
      level.diversity = std::min(level.diversity, other.diversity);
  }
}

}  // namespace

double linked_bytes(const std::vector<JudgedTable>& tables, int largest_m, Ticker& ticker) {
  RecordsOfPersons records(tables, ticker);
  double patterns = 1;
  for (int m = 1; m <= largest_m; ++m)
    patterns = std::max(patterns, count_patterns(records, m, ticker).of_one);
  return patterns * static_cast<double>(sizeof(PatternKey));
}

LinkedLevels linked_levels(const std::vector<JudgedTable>& tables, const LinkedQuestion& question,
                           Ticker& ticker) {
  RecordsOfPersons records(tables, ticker);
  PatternMeasure measure(tables, records, ticker);
  const auto patterns_of_size = [&](int size, Links links) {
    return [&, size, links](std::int32_t person, std::vector<PatternKey>& patterns) {
      const LinkedRecord record = records.record(person).without_repetitions(std::max(size, 1));
      add_patterns(record, size, links, ticker, patterns);
    };
  };
  LinkedLevels levels;
  Told so_far;
  for (int m = 0; m <= question.largest_m; ++m) {
    const double keys = count_patterns(records, m, ticker).all;
    Told told = measure.measure(patterns_of_size(m, Links::known), keys, question.memory);
    // A fact of one row has no links to be unknown but those to its ancestors.
    if (measure.columns() > 0) {
      const Told vague =
          measure.measure(patterns_of_size(m, Links::unknown), keys, question.memory);
      for (std::size_t c = 0; c < told.values.size(); ++c)
        told.values[c].share_unlinked = vague.values[c].share;
    }
    if (m > 0) include(told, so_far);
    levels.by_m.push_back(level_of(told, question.k));
    so_far = std::move(told);
  }
  const auto whole = [&](std::int32_t person, std::vector<PatternKey>& patterns) {
    patterns.push_back(records.record(person).whole());
  };
  const auto counts = [&](std::int32_t person, std::vector<PatternKey>& patterns) {
    patterns.push_back(records.record(person).counts());
  };
  const auto level_by = [&](const PatternsOf& patterns_of) {
    return level_of(measure.measure(patterns_of, records.persons(), question.memory), question.k);
  };
  if (question.all) levels.all = level_by(whole);
  if (question.counts) levels.counts = level_by(counts);
  levels.counts.values.clear();
  return levels;
}

}  // namespace anonkit
