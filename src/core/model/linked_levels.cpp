#include "model/linked_levels.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/at.hpp"
#include "base/threads.hpp"

namespace anonkit {
namespace {

/// The numbers of persons by key, with open addressing.
class PersonCounts {
 public:
  /// While a table that is three quarters full moves to one of twice its size.
  static constexpr std::int64_t kBytesPerKey = 96;

  /// Adds persons to a key, and returns those so far.
  std::int32_t add(const PatternKey& key, Ticker& ticker, std::int32_t persons = 1) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow(ticker);
    Slot& slot = slots_[place_of(key)];
    if (slot.persons == 0) {
      slot.key = key;
      ++used_;
    }
    return slot.persons += persons;
  }

  void add(const PersonCounts& others, Ticker& ticker) {
    for (const Slot& slot : others.slots_) {
      ticker.step(16);
      if (slot.persons > 0) add(slot.key, ticker, slot.persons);
    }
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

  void grow(Ticker& ticker) {
    std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& slot : old) {
      ticker.step(16);
      if (slot.persons > 0) slots_[place_of(slot.key)] = slot;
    }
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

/// The patterns of a person of one kind, each once. Called by several threads.
using PatternsOf =
    std::function<void(std::int32_t person, Ticker& ticker, std::vector<PatternKey>& patterns)>;

/// Persons who follow one another are handled together.
constexpr std::int32_t kBlock = 64;

/// Passes the persons to as many parts as there are threads, each with a ticker of its own:
/// work(part, for_each), where for_each(take) passes take(person) the part's persons.
template <class Work>
void in_parts(std::int32_t persons, int parts, Ticker& ticker, const Work& work) {
  run_unreported_tasks(at(parts), parts, ticker, [&](std::size_t part, Ticker& own) {
    work(part, own, [&](const auto& take) {
      for (std::int32_t first = static_cast<std::int32_t>(part) * kBlock; first < persons;
           first += parts * kBlock)
        for (std::int32_t person = first; person < std::min(persons, first + kBlock); ++person)
          take(person);
    });
  });
}

/// The disclosure by one kind of facts: the least support of each person and the levels of the
/// values.
struct Told {
  std::vector<std::int32_t> least;  ///< by person
  std::vector<LinkedValueLevel> values;
};

/// Measures patterns that are enumerated anew in each pass.
class PatternMeasure {
  using Values = std::vector<PublishedValue>;

 public:
  PatternMeasure(const std::vector<JudgedTable>& tables, const RecordsOfPersons& records,
                 int threads, Ticker& ticker)
      : records_(records), columns_(value_columns(tables)), ticker_(ticker) {
    for (const ValueColumn& column : columns_) empty_.push_back({column.table, column.column});
    if (columns_.empty()) parts_ = std::max(threads, 1);
  }

  std::size_t columns() const { return columns_.size(); }

  /// The keys that are counted for each pattern of a person: its own, those of its values, and
  /// those of their columns.
  std::size_t keys_of(std::int32_t person) const {
    Values values;
    list_values(person, values);
    std::size_t keys = 1 + values.size();
    for (std::size_t i = 0; i < values.size(); ++i)
      keys += i == 0 || values[i - 1].column != values[i].column ? 1 : 0;
    return keys;
  }

  /// Measures all patterns, which have so many keys over all persons at most, within `memory`.
  Told measure(const PatternsOf& patterns_of, double keys, std::int64_t memory) {
    Told told;
    told.least.assign(at(records_.persons()), std::numeric_limits<std::int32_t>::max());
    told.values = empty_;
    const double bytes = keys * static_cast<double>(PersonCounts::kBytesPerKey);
    const auto shares =
        static_cast<std::uint64_t>(bytes / static_cast<double>(std::max<std::int64_t>(memory, 1))) +
        1;
    for (std::uint64_t share = 0; share < shares; ++share)
      measure_share(patterns_of, share, shares, told);
    return told;
  }

 private:
  struct Counts {
    PersonCounts persons;
    PersonCounts holders;
    PersonCounts kinds;  // values by pattern and column
  };

  /// Measures the patterns whose keys leave this remainder. Without values, parts of the persons
  /// have counts of their own, which are added; there are no others.
  void measure_share(const PatternsOf& patterns_of, std::uint64_t share, std::uint64_t shares,
                     Told& told) {
    std::vector<Counts> counts(at(parts_));
    const auto for_each_pattern = [&](std::int32_t person, std::vector<PatternKey>& patterns,
                                      Values& values, Ticker& ticker, const auto& take) {
      ticker.step(64);
      patterns.clear();
      patterns_of(person, ticker, patterns);
      list_values(person, values);
      for (const PatternKey& pattern : patterns) {
        if (shares > 1 && pattern.high % shares != share) continue;
        ticker.step(16 + 16 * static_cast<std::int64_t>(values.size()));
        take(pattern);
      }
    };
    in_parts(records_.persons(), parts_, ticker_,
             [&](std::size_t part, Ticker& own, const auto& for_each) {
               std::vector<PatternKey> patterns;
               Values values;
               for_each([&](std::int32_t person) {
                 for_each_pattern(person, patterns, values, own, [&](const PatternKey& pattern) {
                   count(pattern, values, counts[part], own);
                 });
               });
             });
    for (std::size_t part = 1; part < counts.size(); ++part) {
      counts.front().persons.add(counts[part].persons, ticker_);
      counts[part] = {};
    }
    in_parts(records_.persons(), parts_, ticker_,
             [&](std::size_t, Ticker& own, const auto& for_each) {
               std::vector<PatternKey> patterns;
               Values values;
               for_each([&](std::int32_t person) {
                 std::int32_t least = told.least[at(person)];
                 for_each_pattern(person, patterns, values, own, [&](const PatternKey& pattern) {
                   look_up(pattern, values, counts.front(), least, told.values);
                 });
                 told.least[at(person)] = least;
               });
             });
  }

  static void count(const PatternKey& pattern, const Values& values, Counts& counts,
                    Ticker& ticker) {
    counts.persons.add(pattern, ticker);
    for (const PublishedValue& value : values)
      if (counts.holders.add(key_of_value(pattern, value), ticker) == 1)
        counts.kinds.add(combined(pattern, value.column), ticker);
  }

  void look_up(const PatternKey& pattern, const Values& values, const Counts& counts,
               std::int32_t& least, std::vector<LinkedValueLevel>& levels) const {
    const std::int32_t support = counts.persons.of(pattern);
    least = std::min(least, support);
    for (const PublishedValue& value : values) {
      const std::int32_t with = counts.holders.of(key_of_value(pattern, value));
      LinkedValueLevel& level = levels[value.column];
      level.share = std::max(level.share, static_cast<double>(with) / support);
      const std::int32_t lacking = support - with + 1;
      const std::int32_t diversity =
          columns_[value.column].values->only_protected
              ? lacking
              : std::min(counts.kinds.of(combined(pattern, value.column)), lacking);
      level.diversity = level.diversity == 0 ? diversity : std::min(level.diversity, diversity);
    }
  }

  static PatternKey key_of_value(const PatternKey& pattern, const PublishedValue& value) {
    return combined(combined(pattern, value.column), static_cast<std::uint64_t>(value.code));
  }

  /// The different values of a person, by column.
  void list_values(std::int32_t person, Values& values) const {
    values.clear();
    if (columns_.empty()) return;
    const auto add = [&](std::size_t table, std::int32_t row) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].table == table && columns_[c].values->codes[row] >= 0)
          values.push_back({static_cast<std::uint32_t>(c), columns_[c].values->codes[row]});
    };
    add(0, person);
    for (const auto* place = records_.begin(person); place != records_.end(person); ++place)
      add(at((*place)[0]), (*place)[1]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  const RecordsOfPersons& records_;
  std::vector<ValueColumn> columns_;
  std::vector<LinkedValueLevel> empty_;
  int parts_ = 1;
  Ticker& ticker_;
};

/// The number of subsets of exactly `size` of n rows.
double subsets_of(double n, int size) {
  double subsets = 1;
  for (int i = 0; i < size; ++i) subsets = subsets * (n - i) / (i + 1);
  return std::max(subsets, 0.0);
}

/// Adds the patterns of exactly `size` rows of a record to an empty list, each once. The list has
/// room for them from the start: one that doubles would take three times as much.
void add_patterns(const LinkedRecord& record, int size, Links links, Ticker& ticker,
                  std::vector<PatternKey>& patterns) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) rows[at(i)] = i + 1;
  const auto most = static_cast<std::size_t>(subsets_of(record.rows(), size));
  if (most > patterns.capacity()) std::vector<PatternKey>().swap(patterns);
  patterns.reserve(most);
  while (record.rows() >= size) {
    ticker.step(64 * (size + 1));
    patterns.push_back(record.pattern(rows.data(), size, links));
    int i = size - 1;
    while (i >= 0 && rows[at(i)] == record.rows() - (size - 1 - i)) --i;
    if (i < 0) break;
    ++rows[at(i)];
    for (int j = i + 1; j < size; ++j) rows[at(j)] = rows[at(j - 1)] + 1;
  }
  std::sort(patterns.begin(), patterns.end(), [&](const PatternKey& a, const PatternKey& b) {
    ticker.step(8);
    return a < b;
  });
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
}

/// The numbers of patterns of `size` rows, at most.
struct PatternNumbers {
  double keys = 0;    ///< over all persons, by the keys that each pattern has
  double of_one = 0;  ///< of the person with the most
};

using KeysOf = std::function<std::size_t(std::int32_t person)>;

PatternNumbers count_patterns(RecordsOfPersons& records, int size, const KeysOf& keys_of,
                              int threads, Ticker& ticker) {
  std::vector<PatternNumbers> parts(at(std::max(threads, 1)));
  in_parts(records.persons(), static_cast<int>(parts.size()), ticker,
           [&](std::size_t part, Ticker& own, const auto& for_each) {
             PatternNumbers numbers;
             for_each([&](std::int32_t person) {
               const LinkedRecord record =
                   records.record(person).without_repetitions(std::max(size, 1));
               own.step(64 + 64 * static_cast<std::int64_t>(record.rows()));
               const double patterns = subsets_of(record.rows(), size);
               numbers.keys += patterns * static_cast<double>(keys_of(person));
               numbers.of_one = std::max(numbers.of_one, patterns);
             });
             parts[part] = numbers;
           });
  PatternNumbers numbers;
  for (const PatternNumbers& part : parts) {
    numbers.keys += part.keys;
    numbers.of_one = std::max(numbers.of_one, part.of_one);
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

double linked_bytes(const std::vector<JudgedTable>& tables, int largest_m, int threads,
                    Ticker& ticker) {
  RecordsOfPersons records(tables, ticker);
  double patterns = 1;
  for (int m = 1; m <= largest_m; ++m)
    patterns = std::max(patterns, count_patterns(
                                      records, m, [](std::int32_t) { return 1; }, threads, ticker)
                                      .of_one);
  return patterns * static_cast<double>(sizeof(PatternKey));
}

LinkedLevels linked_levels(const std::vector<JudgedTable>& tables, const LinkedQuestion& question,
                           Ticker& ticker) {
  RecordsOfPersons records(tables, ticker);
  PatternMeasure measure(tables, records, question.threads, ticker);
  const auto patterns_of_size = [&](int size, Links links) {
    return [&, size, links](std::int32_t person, Ticker& own, std::vector<PatternKey>& patterns) {
      const LinkedRecord record = records.record(person).without_repetitions(std::max(size, 1));
      add_patterns(record, size, links, own, patterns);
    };
  };
  const KeysOf keys_of = [&](std::int32_t person) { return measure.keys_of(person); };
  LinkedLevels levels;
  Told so_far;
  for (int m = 0; m <= question.largest_m; ++m) {
    const PatternNumbers numbers = count_patterns(records, m, keys_of, question.threads, ticker);
    const double keys = numbers.keys;
    // The counts have what each thread's list of a person's patterns leaves.
    const double lists = numbers.of_one * sizeof(PatternKey) * std::max(question.threads, 1);
    const std::int64_t memory =
        question.memory -
        static_cast<std::int64_t>(std::min(lists, static_cast<double>(question.memory) / 2));
    Told told = measure.measure(patterns_of_size(m, Links::known), keys, memory);
    // A fact of one row has no links to be unknown but those to its ancestors.
    if (measure.columns() > 0) {
      const Told vague = measure.measure(patterns_of_size(m, Links::unknown), keys, memory);
      for (std::size_t c = 0; c < told.values.size(); ++c)
        told.values[c].share_unlinked = vague.values[c].share;
    }
    if (m > 0) include(told, so_far);
    levels.by_m.push_back(level_of(told, question.k));
    so_far = std::move(told);
  }
  if (!question.all && !question.counts) return levels;
  const auto whole = [&](std::int32_t person, Ticker&, std::vector<PatternKey>& patterns) {
    patterns.push_back(records.record(person).whole());
  };
  const auto counts = [&](std::int32_t person, Ticker&, std::vector<PatternKey>& patterns) {
    patterns.push_back(records.record(person).counts());
  };
  const double keys = count_patterns(records, 0, keys_of, question.threads, ticker).keys;
  const auto level_by = [&](const PatternsOf& patterns_of) {
    return level_of(measure.measure(patterns_of, keys, question.memory), question.k);
  };
  if (question.all) levels.all = level_by(whole);
  if (question.counts) levels.counts = level_by(counts);
  levels.counts.values.clear();
  return levels;
}

}  // namespace anonkit
