// (n,t)-closeness as a promise: the published classes satisfy its definition, and the cuts are
// compared with all possible ones.

#include "method/natural_supersets.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "method/growing/mdav.hpp"
#include "metric/sse.hpp"
#include "pipeline.hpp"
#include "reference/n_t.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

/// A sensitive column and the memory behind it.
struct OwnedSensitive {
  GroundDistance by = GroundDistance::ordered;
  Codes ranks;
  std::optional<Hierarchy> hierarchy;

  SensitiveColumn view() const {
    SensitiveColumn column;
    column.name = "s";
    column.kind = by == GroundDistance::ordered ? Kind::ordinal : Kind::nominal;
    column.ranks = ranks.data();
    column.distinct = 1 + *std::max_element(ranks.begin(), ranks.end());
    column.hierarchy = hierarchy ? &*hierarchy : nullptr;
    return column;
  }
};

/// Leading columns of few values, some of which allow cuts, and a fine one.
struct Case {
  OwnedTable table;
  std::vector<OwnedSensitive> sensitive;
  std::vector<double> ts;
  Options options;

  Table view() const {
    Table view = table.view();
    for (const OwnedSensitive& one : sensitive) view.sensitive.push_back(one.view());
    return view;
  }
  Options asked() const {
    Options asked = options;
    asked.promises.t_each = ts.data();
    return asked;
  }
};

/// Records with equal quasi-identifiers follow the order of the sensitive values.
void mark(Case& c) {
  c.table.fingerprints.clear();
  for (std::size_t i = 0; i < c.sensitive.front().ranks.size(); ++i) {
    Fingerprint fingerprint{0, 0};
    for (const OwnedSensitive& one : c.sensitive)
      fingerprint[0] = 1000 * fingerprint[0] + static_cast<std::uint64_t>(one.ranks[i]);
    c.table.fingerprints.push_back(fingerprint);
  }
}

Case random_case(RandomTables& random, int most = 60) {
  Case c;
  const int n = random.between(2, most), leading = random.between(1, 3);
  std::vector<Attribute> attributes;
  for (int j = 0; j <= leading; ++j) {
    Attribute attribute;
    if (j < leading) attribute.kind = static_cast<Kind>(random.between(0, 2));
    attribute.categories = attribute.kind == Kind::numeric ? 0 : random.between(1, 3);
    attributes.push_back(attribute);
  }
  std::vector<double> values;
  const int spread = random.between(1, 3);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= leading; ++j) {
      const Attribute& attribute = attributes[static_cast<std::size_t>(j)];
      values.push_back(attribute.kind != Kind::numeric ? random.between(0, attribute.categories - 1)
                       : j < leading                   ? random.between(1, spread) * 0.1
                                                       : random.between(0, 40) / 7.0);
    }
  c.table = table_of(std::move(values), std::move(attributes));
  const bool skewed = random.between(0, 1) == 0;
  for (int a = random.between(1, 2); a > 0; --a) {
    OwnedSensitive one;
    one.by = static_cast<GroundDistance>(random.between(0, 2));
    std::map<std::int32_t, std::int32_t> place;
    const int different = random.between(1, 9);
    for (int i = 0; i < n; ++i) {
      // If it depends on the first column, the parts differ from the relation.
      const int from =
          skewed ? static_cast<int>(
                       3 * c.table.values[static_cast<std::size_t>(i) * c.table.columns.size()])
                 : 0;
      place[one.ranks.emplace_back(from + random.between(0, different))] = 0;
    }
    std::int32_t m = 0;
    for (auto& entry : place) entry.second = m++;
    for (std::int32_t& rank : one.ranks) rank = place[rank];
    if (one.by == GroundDistance::hierarchical) one.hierarchy.emplace(pairs_of_values(m));
    c.sensitive.push_back(std::move(one));
    c.ts.push_back(random.between(5, 60) / 100.0);
  }
  c.options.k = random.between(1, std::min(n, 4));
  c.options.promises.n = random.between(1, std::max(1, n / 2));
  c.options.seed = 7;
  c.options.standardize = static_cast<Standardize>(random.between(0, 2));
  mark(c);
  return c;
}

struct Way {
  const char* method;
  const char* algorithm;
  Recode recode;
};
constexpr Way kWays[] = {
    {"tclose", "t_first", Recode::centroid},       {"tclose", "merge", Recode::centroid},
    {"tclose", "k_first", Recode::range},          {"tclose", "sabre", Recode::centroid},
    {"microaggregate", nullptr, Recode::centroid}, {"microaggregate", nullptr, Recode::range},
    {"mondrian", "strict", Recode::range},         {"mondrian", "best", Recode::range},
};

Anonymized run(const Case& c, const Way& way, Record n) {
  SilentTicker ticker;
  Options options = c.asked();
  options.algorithm = way.algorithm;
  options.recode = way.recode;
  options.promises.n = n;
  if (way.algorithm != nullptr && std::string_view(way.algorithm) == "best")
    options.refine = Effort::fast;
  return anonymize(c.view(), *find_method(way.method), options, ticker);
}

/// By row, the number of its first published columns' combination.
Codes shown_by(const Case& c, const Anonymized& result, std::size_t columns) {
  const std::size_t d = c.table.columns.size();
  std::map<std::vector<double>, std::int32_t> number;
  Codes shown;
  for (const std::int32_t cell : result.cells()) {
    std::vector<double> key;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t at = static_cast<std::size_t>(cell) * d + j;
      key.push_back(result.masked.low[at]);
      if (result.masked.high.empty()) continue;
      key.push_back(result.masked.high[at]);
      key.push_back(-1);
      for (const std::int32_t code : result.masked.sets[at]) key.push_back(code);
    }
    shown.push_back(
        number.try_emplace(key, static_cast<std::int32_t>(number.size())).first->second);
  }
  return shown;
}

void expect_n_t(const Case& c, const Anonymized& result, Record n) {
  const std::size_t d = c.table.columns.size();
  const Codes classes = shown_by(c, result, d);
  std::map<std::int32_t, Record> sizes;
  for (const std::int32_t one : classes) ++sizes[one];
  for (const auto& [one, size] : sizes) EXPECT_GE(size, c.options.k);
  std::vector<Codes> supersets;
  for (std::size_t columns = 1; columns < d; ++columns)
    supersets.push_back(shown_by(c, result, columns));
  for (std::size_t a = 0; a < c.sensitive.size(); ++a)
    EXPECT_LE(plain_n_t(c.sensitive[a].ranks, classes, supersets, n, c.sensitive[a].by),
              c.ts[a] + 1e-12);
}

double loss_of(const Anonymized& result) {
  return is_null(result.ncp) ? result.loss.sse : result.ncp;
}

class NaturalSupersets : public testing::TestWithParam<Way> {};

TEST_P(NaturalSupersets, KeepNAndTAndLoseNoMoreThanTCloseness) {
  RandomTables random(91);
  int less = 0;
  for (int round = 0; round < trials(60); ++round) {
    const Case c = random_case(random);
    const Record n = c.options.promises.n;
    const Anonymized result = run(c, GetParam(), n), plain = run(c, GetParam(), 0);
    expect_n_t(c, result, n);
    ASSERT_LE(loss_of(result), loss_of(plain) * (1 + 1e-9) + 1e-12) << "round " << round;
    less += loss_of(result) < loss_of(plain) * (1 - 1e-9) ? 1 : 0;
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GE(less, trials(6)) << "some cuts are made";
}

TEST_P(NaturalSupersets, WithAllRecordsAreTCloseness) {
  RandomTables random(92);
  for (int round = 0; round < trials(16); ++round) {
    const Case c = random_case(random);
    EXPECT_EQ(run(c, GetParam(), c.view().rows).partition.class_of,
              run(c, GetParam(), 0).partition.class_of);
  }
}

/// The published cells and sensitive values of each row, sorted.
std::vector<std::vector<double>> released(const Case& c, const Anonymized& result) {
  const std::size_t d = c.table.columns.size();
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < result.cells().size(); ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t at = static_cast<std::size_t>(result.cells(i)) * d + j;
      row.push_back(result.masked.low[at]);
      if (!result.masked.high.empty()) row.push_back(result.masked.high[at]);
    }
    for (const OwnedSensitive& one : c.sensitive) row.push_back(one.ranks[i]);
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

Case shuffled(RandomTables& random, const Case& c) {
  Case other = c;
  const std::size_t d = c.table.columns.size();
  for (std::size_t i = c.view().rows; i > 1; --i) {
    const auto a = i - 1, b = static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1));
    for (std::size_t j = 0; j < d; ++j)
      std::swap(other.table.values[a * d + j], other.table.values[b * d + j]);
    for (OwnedSensitive& one : other.sensitive) std::swap(one.ranks[a], one.ranks[b]);
  }
  mark(other);
  return other;
}

TEST_P(NaturalSupersets, DoNotDependOnTheOrderOfTheRows) {
  RandomTables random(93);
  for (int round = 0; round < trials(16); ++round) {
    const Case c = random_case(random), other = shuffled(random, c);
    const Record n = c.options.promises.n;
    ASSERT_EQ(released(c, run(c, GetParam(), n)), released(other, run(other, GetParam(), n)));
  }
}

std::string name_of(const testing::TestParamInfo<Way>& info) {
  const Way& way = info.param;
  return std::string(way.method) + "_" + (way.algorithm != nullptr ? way.algorithm : "own") +
         (way.recode == Recode::range ? "_range" : "");
}
INSTANTIATE_TEST_SUITE_P(Methods, NaturalSupersets, testing::ValuesIn(kWays), name_of);

TEST(NaturalSupersetsOf, KeepWhatElseIsPromised) {
  RandomTables random(94);
  int published = 0;
  for (int round = 0; round < trials(40); ++round) {
    Case c = random_case(random);
    c.options.promises.l = random.between(1, 3);
    for (const Recode recode : {Recode::centroid, Recode::range}) {
      try {
        const Anonymized result = run(c, {"microaggregate", nullptr, recode}, c.options.promises.n);
        ++published;
        expect_n_t(c, result, c.options.promises.n);
        const Codes classes = shown_by(c, result, c.table.columns.size());
        for (const OwnedSensitive& one : c.sensitive) {
          std::map<std::int32_t, std::map<std::int32_t, int>> tallies;
          for (std::size_t i = 0; i < classes.size(); ++i) ++tallies[classes[i]][one.ranks[i]];
          for (const auto& [id, tally] : tallies)
            EXPECT_GE(static_cast<int>(tally.size()), c.options.promises.l);
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::infeasible) << error.what();
      }
    }
  }
  EXPECT_GT(published, trials(40));
}

/// MDAV on the records alone, without the sensitive values.
struct Mdav {
  const Table& table;
  std::vector<Record> order;
  std::vector<std::size_t> columns;
  std::vector<Scale> scales;
  Options options;

  Partition classes(const std::vector<Record>& rows, double* loss) const {
    SilentTicker ticker;
    const Space space = space_of(table, rows, columns, scales);
    Partition partition = mdav(space, options.k, ticker);
    *loss = sse(space, partition);
    return partition;
  }

  /// The least loss over all possible cuts.
  double least(const std::vector<Record>& rows, std::size_t depth) const {
    double together = 0;
    classes(rows, &together);
    if (depth + 1 >= columns.size()) return together;
    std::map<double, std::vector<Record>> parts;
    for (const Record row : rows) parts[table.value(row, depth)].push_back(row);
    double apart = 0;
    for (const auto& [value, part] : parts) {
      if (static_cast<Record>(part.size()) < std::max(options.k, options.promises.n))
        return together;
      apart += least(part, depth + 1);
    }
    return std::min(together, apart);
  }
};

TEST(NaturalSupersetsOf, AreCutWhereTheLeastIsLost) {
  RandomTables random(95);
  int cuts = 0;
  for (int round = 0; round < 300; ++round) {
    const Case c = random_case(random, 80);
    const Table table = c.view();
    Mdav plain{table, canonical_order(table), {}, {}, c.options};
    for (std::size_t j = 0; j < table.columns.size(); ++j) plain.columns.push_back(j);
    plain.scales = scales_of(table, plain.order, c.options.standardize);
    const Space space = space_of(table, plain.order, plain.columns, plain.scales);
    const std::vector<SensitiveAttribute> none;
    const Problem problem{table,         plain.order, plain.columns, space, none,
                          plain.options, {},          space.size()};
    SilentTicker ticker;
    double ignored = 0;
    const auto form = [&](const RecordRange& part, const std::function<double()>&) {
      const auto first = plain.order.begin();
      return Classification{plain.classes({first + part.begin, first + part.end}, &ignored)};
    };
    const Classification formed = form_within_supersets(problem, form, ticker);
    ASSERT_EQ(formed.partition.class_of.size(), plain.order.size());
    const double least = plain.least(plain.order, 0);
    EXPECT_NEAR(sse(space, formed.partition), least, 1e-9 * (1 + least));
    double whole = 0;
    plain.classes(plain.order, &whole);
    cuts += least < whole * (1 - 1e-9) ? 1 : 0;
  }
  EXPECT_GT(cuts, 30);
}

TEST(NaturalSupersetsOf, ShareTheTimeByTheirRecords) {
  RandomTables random(96);
  int several = 0;
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(random, 80);
    const Table table = c.view();
    const std::vector<Record> order = canonical_order(table);
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < table.columns.size(); ++j) columns.push_back(j);
    const auto scales = scales_of(table, order, c.options.standardize);
    const Space space = space_of(table, order, columns, scales);
    double now = 0;
    const std::vector<SensitiveAttribute> none;
    const Problem problem{table,       order, columns, space, none, c.options, [&] { return now; },
                          space.size()};
    std::vector<double> per_record;
    const auto form = [&](const RecordRange& part, const std::function<double()>& clock) {
      const double begin = now;
      EXPECT_EQ(clock(), 0);
      now = begin + 0.5 * (1 - begin);
      const double share = (now - begin) / clock();
      per_record.push_back(share / part.size());
      now = begin + share;
      EXPECT_NEAR(clock(), 1, 1e-9);
      return Classification{{std::vector<ClassId>(static_cast<std::size_t>(part.size()), 0), 1}};
    };
    SilentTicker ticker;
    form_within_supersets(problem, form, ticker);
    EXPECT_NEAR(now, 1, 1e-9);
    for (const double one : per_record) EXPECT_NEAR(one, per_record.front(), 1e-9);
    several += per_record.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 10);
}

/// 0.1 and 0.1 + 1e-17 times ten round to one number of fifteen digits.
TEST(NaturalSupersetsOf, AreNotCutByWhatRoundingJoins) {
  for (const bool near : {true, false}) {
    Case c;
    std::vector<double> values;
    OwnedSensitive one;
    for (int i = 0; i < 12; ++i) {
      values.push_back(i < 6 ? 0.1 : near ? std::nextafter(0.1, 1) : 0.2);
      values.push_back(i);
      one.ranks.push_back(i < 6 ? i % 2 : 2 + i % 2);
    }
    c.table = table_of(std::move(values), {{}, {}});
    c.table.columns[0].rounding = {Rounding::To::decimal, kAnyScale};
    c.sensitive.push_back(std::move(one));
    c.ts = {0.2};
    c.options.k = 2;
    mark(c);
    const Anonymized result = run(c, kWays[0], 6);
    expect_n_t(c, result, 6);
    EXPECT_EQ(shown_by(c, result, 1),
              near ? Codes(12, 0) : Codes({0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  }
}

void expect_refused(const Case& c, const Way& way, Record n, const char* message) {
  try {
    run(c, way, n);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_parameter);
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(NaturalSupersetsOf, RefuseWhatMakesNoSense) {
  RandomTables random(96);
  Case c = random_case(random);
  expect_refused(c, kWays[0], c.view().rows + 1, "n is larger than the number of rows");
  c.options.promises.q = 0.5;
  c.options.promises.p = 1;
  expect_refused(c, kWays[4], 1, "(n,t)-closeness cannot be combined with (k,p,q,r)-anonymity");
}

}  // namespace
}  // namespace anonkit
