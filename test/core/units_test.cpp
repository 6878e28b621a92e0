// The pipeline for persons with several records: promises hold by the plain definitions.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "pipeline.hpp"
#include "reference/persons.hpp"

namespace anonkit {
namespace {

using reference::PersonRecords;

/// A random table with one sensitive column, and the person of each row.
struct Visits {
  OwnedTable owned;
  std::vector<std::int32_t> units, ranks;
  std::vector<double> numbers;

  Table view() const {
    Table table = owned.view();
    table.units = units.data();
    table.sensitive.emplace_back();
    SensitiveColumn& column = table.sensitive.back();
    column.name = "s";
    column.kind = Kind::numeric;
    column.ranks = ranks.data();
    column.numbers = numbers.data();
    column.distinct = static_cast<std::int32_t>(numbers.size());
    return table;
  }
  std::vector<PersonRecords> by_class(const Anonymized& result) const {
    std::vector<PersonRecords> classes(static_cast<std::size_t>(result.partition.classes));
    for (std::size_t i = 0; i < units.size(); ++i)
      classes.at(static_cast<std::size_t>(result.partition.class_of[i]))
          .push_back({units[i], ranks[i]});
    return classes;
  }
};

Visits random_visits(RandomTables& random, int n) {
  Visits visits;
  visits.owned = random.make(n, random.between(1, 3), random.between(0, 1) == 0, 0);
  const int persons = random.between(1 + n / 10, n), values = random.between(1, 6);
  std::map<int, std::int32_t> number, rank;
  std::vector<int> person, value;
  for (int i = 0; i < n; ++i) {
    person.push_back(random.between(0, persons - 1));
    value.push_back(random.between(0, values - 1));
    rank[value.back()] = 0;
  }
  for (auto& [drawn, place] : rank) {
    place = static_cast<std::int32_t>(visits.numbers.size());
    visits.numbers.push_back(10.0 * drawn);
  }
  for (int i = 0; i < n; ++i) {
    const auto next = static_cast<std::int32_t>(number.size());
    visits.units.push_back(
        number.try_emplace(person[static_cast<std::size_t>(i)], next).first->second);
    visits.ranks.push_back(rank[value[static_cast<std::size_t>(i)]]);
  }
  return visits;
}

/// True if one class of all records keeps the promises to persons.
bool is_kept(const Visits& visits, const Promises& promises) {
  PersonRecords all;
  for (std::size_t i = 0; i < visits.units.size(); ++i)
    all.push_back({visits.units[i], visits.ranks[i]});
  return reference::persons_distinct(all) >= std::max(promises.l, promises.p) &&
         (promises.entropy_l == 0 || reference::persons_entropy_l(all) >= promises.entropy_l) &&
         (promises.c == 0 || reference::persons_recursive_c(all, promises.l) < promises.c) &&
         (promises.dominance == 0 || reference::persons_dominance(all) <= promises.dominance) &&
         (promises.alpha == 0 || reference::persons_share(all) <= promises.alpha) &&
         (promises.e == 0 || reference::persons_range(all, visits.numbers) >= promises.e);
}

TEST(Units, MethodsKeepWhatTheyPromiseToPersons) {
  RandomTables random(17);
  SilentTicker ticker;
  int formed = 0, infeasible = 0;
  for (int round = 0; round < trials(3000); ++round) {
    SCOPED_TRACE(round);
    const Visits visits = random_visits(random, random.between(4, 60));
    const std::int32_t persons = 1 + *std::max_element(visits.units.begin(), visits.units.end());
    Options options;
    options.counts_units = true;
    options.k = random.between(1, std::min(5, persons));
    const char* names[] = {"mdav", "vmdav", "microaggregate", "mondrian"};
    const char* method = names[round % 4];
    Promises& promises = options.promises;
    if (round % 4 >= 2) {
      options.recode = round % 8 >= 4 ? Recode::range : Recode::centroid;
      if (random.between(0, 1) == 0) promises.l = random.between(1, 3);
      if (random.between(0, 3) == 0) promises.p = random.between(1, 3);
      if (random.between(0, 3) == 0) promises.entropy_l = random.between(4, 10) / 4.0;
      if (promises.l > 1 && random.between(0, 2) == 0) promises.c = random.between(4, 16) / 4.0;
      if (random.between(0, 3) == 0) promises.dominance = random.between(30, 90) / 100.0;
      if (random.between(0, 2) == 0) promises.t = random.between(20, 90) / 100.0;
      if (random.between(0, 2) == 0) promises.alpha = random.between(60, 100) / 100.0;
      if (random.between(0, 3) == 0) promises.e = random.between(1, 20);
    }
    try {
      const Anonymized result = anonymize(visits.view(), *find_method(method), options, ticker);
      ++formed;
      PersonRecords all;
      for (const PersonRecords& one : visits.by_class(result))
        all.insert(all.end(), one.begin(), one.end());
      for (const PersonRecords& one : visits.by_class(result)) {
        ASSERT_GE(reference::persons_k(one), options.k) << method;
        ASSERT_GE(reference::persons_distinct(one), std::max(promises.l, promises.p)) << method;
        if (promises.entropy_l > 0) {
          ASSERT_GE(reference::persons_entropy_l(one), promises.entropy_l - 1e-9) << method;
        }
        if (promises.c > 0) {
          ASSERT_LT(reference::persons_recursive_c(one, promises.l), promises.c) << method;
        }
        if (promises.dominance > 0) {
          ASSERT_LE(reference::persons_dominance(one), promises.dominance + 1e-12) << method;
        }
        if (promises.alpha > 0) {
          ASSERT_LE(reference::persons_share(one), promises.alpha + 1e-12);
        }
        if (promises.e > 0) {
          ASSERT_GE(reference::persons_range(one, visits.numbers), promises.e);
        }
        if (promises.t > 0) {
          ASSERT_LE(reference::persons_emd(one, all, all, true), promises.t + 1e-4);
        }
      }
    } catch (const Error& error) {
      ASSERT_TRUE(error.kind == ErrorKind::infeasible || error.kind == ErrorKind::invalid_parameter)
          << error.what();
      ASSERT_EQ(std::string(error.what()).find("(k,p,q,r)"), std::string::npos) << error.what();
      ASSERT_FALSE(error.kind == ErrorKind::infeasible && is_kept(visits, promises)) << method;
      ++infeasible;
    }
  }
  EXPECT_GT(formed, trials(2000));
  EXPECT_GT(infeasible, 5);
}

/// How many persons have each number of records.
std::map<int, int> persons_by_records(const std::vector<std::int32_t>& units) {
  std::map<std::int32_t, int> records;
  for (const std::int32_t unit : units) ++records[unit];
  std::map<int, int> persons;
  for (const auto& [unit, count] : records) ++persons[count];
  return persons;
}

/// The fewest records to leave out so that k persons publish each number of records. Tries every
/// set of published numbers; each person publishes the greatest possible one.
int fewest_left_out(const std::vector<std::int32_t>& units, int k) {
  const std::map<int, int> persons = persons_by_records(units);
  std::vector<int> numbers;
  for (const auto& [records, count] : persons) numbers.push_back(records);
  int fewest = static_cast<int>(units.size());
  for (std::uint32_t chosen = 1; chosen < 1U << numbers.size(); ++chosen) {
    std::map<int, int> publish;
    int left_out = 0;
    for (const auto& [records, count] : persons) {
      int most = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if ((chosen >> i & 1U) != 0 && numbers[i] <= records) most = numbers[i];
      publish[most] += count;
      left_out += count * (records - most);
    }
    bool shared = publish.count(0) == 0;
    for (const auto& [records, count] : publish) shared = shared && count >= k;
    if (shared) fewest = std::min(fewest, left_out);
  }
  return fewest;
}

// If two classes are not dominated, neither is their union. So classes exist if and only if one
// class of all records is not dominated, and no method gives up before.
TEST(Units, DominanceIsHadWheneverOneClassOfAllRecordsHasIt) {
  RandomTables random(29);
  SilentTicker ticker;
  int formed = 0, refused = 0;
  for (int round = 0; round < trials(3000); ++round) {
    SCOPED_TRACE(round);
    const Visits visits = random_visits(random, random.between(4, 40));
    const std::int32_t persons = 1 + *std::max_element(visits.units.begin(), visits.units.end());
    const Table table = visits.view();
    PersonRecords all;
    for (std::size_t i = 0; i < visits.units.size(); ++i)
      all.push_back({visits.units[i], visits.ranks[i]});
    Options options;
    options.counts_units = true;
    options.k = random.between(1, std::min(4, persons));
    options.recode = round % 2 == 0 ? Recode::range : Recode::centroid;
    options.promises.dominance = random.between(10, 90) / 100.0;
    const char* names[] = {"mdav", "vmdav", "microaggregate", "mondrian", "tclose", "psensitive"};
    const std::string_view method = names[round % 6];
    if (method == "tclose") options.promises.t = 1;
    if (method == "psensitive") options.promises.p = 1;
    const bool possible = reference::persons_dominance(all) <= options.promises.dominance;
    (possible ? formed : refused) += 1;
    try {
      const Anonymized result = anonymize(table, *find_method(method), options, ticker);
      ASSERT_TRUE(possible) << method;
      for (const PersonRecords& one : visits.by_class(result)) {
        ASSERT_LE(reference::persons_dominance(one), options.promises.dominance) << method;
        ASSERT_GE(reference::persons_k(one), options.k) << method;
      }
    } catch (const Error& error) {
      ASSERT_TRUE(!possible && error.kind == ErrorKind::infeasible) << method << error.what();
      ASSERT_STREQ(error.what(), "dominance cannot be had") << method;
    }
  }
  EXPECT_GT(formed, trials(1000));
  EXPECT_GT(refused, trials(300));
}

TEST(Units, KPersonsShareEachHistory) {
  RandomTables random(29);
  SilentTicker ticker;
  int formed = 0, infeasible = 0;
  for (int round = 0; round < trials(1200); ++round) {
    SCOPED_TRACE(round);
    const Visits visits = random_visits(random, random.between(4, 50));
    const std::int32_t persons = 1 + *std::max_element(visits.units.begin(), visits.units.end());
    Options options;
    options.counts_units = options.unit_rows_together = true;
    options.k = random.between(1, std::min(5, persons));
    options.seed = static_cast<std::uint64_t>(round);
    const int fewest = fewest_left_out(visits.units, options.k);
    const double share = static_cast<double>(fewest) / static_cast<double>(visits.units.size());
    options.generalisation.max_suppression = random.between(0, 1) == 0 ? 1 : share / 2;
    const char* names[] = {"mdav", "vmdav", "microaggregate", "mondrian"};
    if (round % 4 >= 2) {
      options.recode = round % 8 >= 4 ? Recode::range : Recode::centroid;
      if (random.between(0, 1) == 0) options.promises.l = random.between(1, 3);
      if (random.between(0, 2) == 0) options.promises.alpha = random.between(60, 100) / 100.0;
    }
    try {
      const Anonymized result =
          anonymize(visits.view(), *find_method(names[round % 4]), options, ticker);
      ++formed;
      ASSERT_LE(share, options.generalisation.max_suppression);
      ASSERT_GE(result.suppressed, fewest);
      if (!options.promises.any()) {
        ASSERT_EQ(result.suppressed, fewest) << "as few records as possible are left out";
      }
      std::map<std::int32_t, std::multiset<ClassId>> history;
      std::map<ClassId, PersonRecords> classes;
      for (std::size_t i = 0; i < visits.units.size(); ++i) {
        const ClassId c = result.partition.class_of[i];
        if (c == kNone) continue;
        history[visits.units[i]].insert(c);
        classes[c].push_back({visits.units[i], visits.ranks[i]});
      }
      ASSERT_EQ(history.size(), static_cast<std::size_t>(persons)) << "everybody is published";
      std::map<std::multiset<ClassId>, int> sharing;
      for (const auto& [person, one] : history) ++sharing[one];
      for (const auto& [one, count] : sharing) ASSERT_GE(count, options.k);
      for (const auto& [c, records] : classes) {
        ASSERT_GE(reference::persons_k(records), options.k);
        ASSERT_GE(reference::persons_distinct(records), options.promises.l);
      }
    } catch (const Error& error) {
      ASSERT_TRUE(error.kind == ErrorKind::infeasible || error.kind == ErrorKind::invalid_parameter)
          << error.what();
      ++infeasible;
    }
  }
  EXPECT_GT(formed, trials(500));
  EXPECT_GT(infeasible, trials(100));
}

TEST(Units, TheOrderOfTheRowsDoesNotMatter) {
  RandomTables random(19);
  SilentTicker ticker;
  for (int round = 0; round < 60; ++round) {
    const Visits visits = random_visits(random, random.between(6, 40));
    Visits reversed = visits;
    const std::size_t d = visits.owned.columns.size(), n = visits.units.size();
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(visits.owned.values.begin() + static_cast<std::ptrdiff_t>(i * d), d,
                  reversed.owned.values.begin() + static_cast<std::ptrdiff_t>((n - 1 - i) * d));
      if (!visits.owned.fingerprints.empty())
        reversed.owned.fingerprints[n - 1 - i] = visits.owned.fingerprints[i];
      reversed.units[n - 1 - i] = visits.units[i];
      reversed.ranks[n - 1 - i] = visits.ranks[i];
    }
    Options options;
    options.counts_units = true;
    options.k = 2;
    options.unit_rows_together = round % 2 == 0;
    options.generalisation.max_suppression = 1;
    if (*std::max_element(visits.units.begin(), visits.units.end()) < 1) continue;
    const auto published = [&](const Visits& one) {
      const Anonymized result =
          anonymize(one.view(), *find_method("microaggregate"), options, ticker);
      std::vector<std::vector<double>> rows;
      for (std::size_t i = 0; i < n; ++i) {
        const auto c = static_cast<std::ptrdiff_t>(result.cells(i));
        if (c != kNone)
          rows.emplace_back(result.masked.low.begin() + c * static_cast<std::ptrdiff_t>(d),
                            result.masked.low.begin() + (c + 1) * static_cast<std::ptrdiff_t>(d));
      }
      std::sort(rows.begin(), rows.end());
      return rows;
    };
    ASSERT_EQ(published(visits), published(reversed)) << round;
  }
}

TEST(Units, MoreThanThereArePersonsIsRefused) {
  RandomTables random(23);
  SilentTicker ticker;
  Visits visits = random_visits(random, 10);
  std::fill(visits.units.begin(), visits.units.end(), 0);
  Options options;
  options.counts_units = true;
  options.k = 2;
  try {
    anonymize(visits.view(), *find_method("mdav"), options, ticker);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_parameter);
  }
}

}  // namespace
}  // namespace anonkit
