// Small parts of large tables: searches of many records neither anneal nor try every start.

#include <gtest/gtest.h>

#include "fixture/random_problem.hpp"
#include "method/tcloseness/tcloseness.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"

namespace anonkit {
namespace {

constexpr Record kOfMany = 9000;

struct SharedCase {
  const char* method;
  void (*set)(Options&);
};

const SharedCase kSharedCases[] = {
    {"microaggregate", [](Options&) {}},
    {"microaggregate", [](Options& o) { o.promises.t = 0.35; }},
    {"microaggregate", [](Options& o) { o.promises.l = 3; }},
    {"microaggregate", [](Options& o) { o.promises.alpha = 0.5; }},
    {"microaggregate", [](Options& o) { o.promises.p = 2, o.promises.t = 0.5; }},
    {"microaggregate", [](Options& o) { o.promises.n = 20, o.promises.t = 0.4; }},
    {"microaggregate", [](Options& o) { o.recode = Recode::range; }},
    {"microaggregate", [](Options& o) { o.recode = Recode::range, o.promises.entropy_l = 2; }},
    {"tclose", [](Options& o) { o.algorithm = "best", o.promises.t = 0.3; }},
    {"psensitive", [](Options& o) { o.algorithm = "best", o.promises.p = 3; }},
    {"mondrian", [](Options& o) { o.algorithm = "best", o.recode = Recode::range; }},
    {"mondrian", [](Options& o) { o.algorithm = "best", o.promises.p = 2; }},
};

TEST(PinnedShares, OfLargeTablesHaveTheSameClassesOnEveryMachine) {
  Pins pins("shares");
  RandomSpaces spaces(104);
  for (const int shape : {0, 4, 7})
    for (const Record rows : {30, 150})
      for (const SharedCase& one : kSharedCases) {
        SensitiveAttribute illness;
        for (Record i = 0; i < rows; ++i) illness.ranks.push_back(i * i % 11 % 5);
        Instance made(spaces, shape, rows, {illness});
        made.options.k = 4;
        made.options.seed = 6;
        made.options.effort = made.options.refine = Effort::fast;
        one.set(made.options);
        Problem problem = made.problem();
        problem.table_records = kOfMany;
        const Partition formed = find_method(one.method)->form(problem, pins.ticker()).partition;
        pins.add(std::string(one.method) + " " + std::to_string(&one - kSharedCases) + ", shape " +
                     std::to_string(shape) + ", rows " + std::to_string(rows),
                 PinDigest().add(formed), "classes " + std::to_string(formed.classes));
      }
  pins.check();
}

/// Tables of some thousands have as much effort in all as smaller ones.
TEST(PinnedShares, OfThousandsOfRecordsHaveTheSameClassesOnEveryMachine) {
  Pins pins("shares_of_thousands");
  RandomSpaces spaces(105);
  for (const int shape : {0, 4, 7})
    for (const Effort effort : {Effort::fast, Effort::thorough})
      for (const double t : {0.0, 0.35}) {
        SensitiveAttribute illness;
        for (Record i = 0; i < 30; ++i) illness.ranks.push_back(i * i % 11 % 5);
        Instance made(spaces, shape, 30, {illness});
        made.options.k = 3;
        made.options.seed = 6;
        made.options.effort = made.options.refine = effort;
        made.options.promises.t = t;
        Problem problem = made.problem();
        problem.table_records = 4500;
        const Partition formed =
            find_method("microaggregate")->form(problem, pins.ticker()).partition;
        pins.add("shape " + std::to_string(shape) +
                     (effort == Effort::fast ? ", fast" : ", thorough") + ", t " + pinned_number(t),
                 PinDigest().add(formed), "classes " + std::to_string(formed.classes));
      }
  pins.check();
}

/// The best algorithm for t-closeness, found on a sample.
TEST(PinnedShares, SamplesChooseTheSameAlgorithmOnEveryMachine) {
  Pins pins("sampled_starts");
  for (const Quasi quasi : {Quasi::numbers, Quasi::ties})
    for (const double t : {0.05, 0.15, 0.4})
      for (const auto distance : {GroundDistance::nominal, GroundDistance::ordered}) {
        const PinnedTable made(quasi, 320, 117);
        const Space space(made.values(), std::vector<Attribute>(made.plain().columns.size()));
        SensitiveAttribute illness;
        illness.ranks = made.illnesses();
        illness.distance = distance;
        illness.t = t;
        TClosenessOptions options;
        options.algorithm = TClosenessAlgorithm::best;
        options.k = 4;
        options.search = {};
        options.search.scale = 0.2;
        const TClosenessClasses found = tcloseness(space, {illness}, options, pins.ticker());
        pins.add(std::string(name_of(quasi)) + ", t " + pinned_number(t) +
                     (distance == GroundDistance::nominal ? ", nominal" : ", ordered"),
                 PinDigest().add(found.partition).add(static_cast<double>(found.start)),
                 "classes " + std::to_string(found.partition.classes));
      }
  pins.check();
}

}  // namespace
}  // namespace anonkit
