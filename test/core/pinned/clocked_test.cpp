// Searches within a limited time, by a clock that counts its questions in place of seconds; bounds
// on memory.

#include <gtest/gtest.h>

#include <memory>

#include "fixture/random_problem.hpp"
#include "method/blocks/blocks.hpp"
#include "method/linked/linked_method.hpp"
#include "method/natural_supersets.hpp"
#include "metric/lower_bound.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "released_rows.hpp"
#include "replay.hpp"
#include "replay_cells.hpp"
#include "replay_nights.hpp"
#include "risk/column_uniques.hpp"

namespace anonkit {
namespace {

/// It ends after so many questions.
std::function<double()> counting_clock(int questions) {
  const auto asked = std::make_shared<int>(0);
  return [asked, questions] { return static_cast<double>((*asked)++) / questions; };
}

Instance instance_of(Record rows, int shape) {
  RandomSpaces spaces(101);
  SensitiveAttribute illness;
  for (Record i = 0; i < rows; ++i) illness.ranks.push_back(i * i % 11 % 5);
  return {spaces, shape, rows, {illness}};
}

void add(Pins& pins, const std::string& name, const Classification& formed) {
  PinDigest digest;
  pins.add(name,
           digest.add(formed.partition).add(formed.reproducible ? "reproducible" : "by clock"),
           "classes " + std::to_string(formed.partition.classes) +
               (formed.reproducible ? "" : ", ended by the clock"));
}

TEST(PinnedClocked, SearchesEndTheSameOnEveryMachine) {
  Pins pins("clocked");
  Ticker& ticker = pins.ticker();
  for (const int shape : {0, 7})
    for (const int questions : {3, 60, 1000})
      for (const char* method : {"microaggregate", "tclose", "psensitive", "kpqr", "mondrian"})
        for (const int promised : {0, 1, 2}) {
          Instance made = instance_of(22, shape);
          Options& options = made.options;
          options.k = 3;
          const std::string name = method;
          if (name != "microaggregate") options.algorithm = "best";
          if (promised == 1 || name == "tclose") options.promises.t = 0.4;
          if (promised == 2 || name == "psensitive") options.promises.p = 2;
          if (name == "kpqr") options.promises.p = 2, options.promises.q = 0.15;
          options.effort = options.refine = promised == 0 ? Effort::thorough : Effort::fast;
          if (name == "kpqr" && promised > 0) continue;
          Problem problem = made.problem();
          problem.clock = counting_clock(questions);
          add(pins,
              name + ", shape " + std::to_string(shape) + ", questions " +
                  std::to_string(questions) + ", promise " + std::to_string(promised),
              find_method(method)->form(problem, ticker));
        }
  pins.check();
}

TEST(PinnedClocked, PartsShareTheTimeTheSameOnEveryMachine) {
  Pins pins("clocked_parts");
  Ticker& ticker = pins.ticker();
  for (const int shape : {0, 1, 4, 7})
    for (const int questions : {5, 100}) {
      Instance made = instance_of(50, shape);
      made.options.k = 3;
      const std::string name =
          "shape " + std::to_string(shape) + ", questions " + std::to_string(questions);
      Problem problem = made.problem();
      problem.clock = counting_clock(questions);
      add(pins, name + ", blocks",
          form_in_blocks(problem, {20}, find_method("microaggregate")->form, ticker));
      BoundOptions how;
      how.clock = counting_clock(questions);
      const LowerBound bound = sse_lower_bound(made.space, {3}, how, ticker);
      pins.add(name + ", bound",
               {{"value", bound.value}, {"reproducible", bound.reproducible ? 1 : 0}});
    }
  pins.check();
}

/// The shares of the time that natural supersets get: records in the order of three columns, cut by
/// the first two.
TEST(PinnedClocked, SupersetsShareTheTimeTheSameOnEveryMachine) {
  Pins pins("clocked_supersets");
  Ticker& ticker = pins.ticker();
  for (const Record rows : {40, 90})
    for (const Record n : {4, 10, 25}) {
      std::vector<double> values;
      std::vector<Record> records;
      SensitiveAttribute illness;
      for (Record i = 0; i < rows; ++i) {
        values.insert(values.end(), {static_cast<double>(i / 17), static_cast<double>(i / 6),
                                     static_cast<double>(i * i % 13)});
        records.push_back(i);
        illness.ranks.push_back(i * i % 11 % 5);
      }
      const std::vector<Attribute> attributes(3);
      Table table;
      table.rows = rows;
      table.columns = {{"a", {}, {}}, {"b", {}, {}}, {"c", {}, {}}};
      table.values = values.data();
      const Space space(values, attributes);
      const std::vector<SensitiveAttribute> sensitive = {illness};
      const std::vector<std::size_t> columns = {0, 1, 2};
      Options options;
      options.k = 3;
      options.promises.t = 0.6;
      options.promises.n = n;
      const Problem problem = {
          table, records, columns, space, sensitive, options, counting_clock(40), rows};
      PinDigest digest;
      std::string parts;
      const Classification within = form_within_supersets(
          problem,
          [&](const RecordRange& part, const std::function<double()>& clock) {
            const double first = clock(), second = clock();
            digest.add(part.begin).add(part.end).add(first).add(second);
            parts += ", " + std::to_string(part.begin) + " to " + std::to_string(part.end);
            Classification one;
            one.partition = {std::vector<ClassId>(at(part.size()), 0), 1};
            return one;
          },
          ticker);
      pins.add(std::to_string(rows) + " records, n " + std::to_string(n),
               digest.add(within.partition),
               "classes " + std::to_string(within.partition.classes) + parts);
    }
  pins.check();
}

TEST(PinnedMemory, BoundsAreTheSameOnEveryMachine) {
  Pins pins("bytes");
  for (const Quasi quasi : {Quasi::number, Quasi::mixed, Quasi::partly, Quasi::ties})
    for (const Record rows : {50, 300}) {
      const PinnedTable made(quasi, rows, 103);
      for (const Table& table : {made.plain(), made.with_both()})
        pins.add("table " + std::string(name_of(quasi)) + " of " + std::to_string(rows) +
                     ", sensitive " + std::to_string(table.sensitive.size()),
                 {{"released", static_cast<double>(released_bytes(table))},
                  {"replay", static_cast<double>(replay_bytes(table))},
                  {"cells", static_cast<double>(replay_cells_bytes(table))},
                  {"nights", static_cast<double>(replay_nights_bytes(table))}});
    }
  for (const std::size_t columns : {1, 5})
    for (const std::int64_t rows : {0, 100, 70000})
      pins.add("uniques " + std::to_string(columns) + " of " + std::to_string(rows),
               {{"bytes", static_cast<double>(column_uniques_bytes(columns, rows))}});
  pins.check();
}

}  // namespace
}  // namespace anonkit
