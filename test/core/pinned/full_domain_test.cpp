// Searches of full-domain generalisations: every metric, and every kind of suppression.

#include <gtest/gtest.h>

#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"

namespace anonkit {
namespace {

constexpr Record kGeneralised = 140;
const char* const kMetrics[] = {"prec", "ncp", "dm", "avg", "entropy"};
const char* const kSearches[] = {"incognito", "mingen", "datafly", "argus", "topdown"};

Options suppressing(Record k, double suppression) {
  Options options;
  options.k = k;
  options.recode = Recode::hierarchy;
  options.generalisation.max_suppression = suppression;
  return options;
}

TEST(PinnedFullDomain, SearchesFindTheSameGeneralisationsOnEveryMachine) {
  Pins pins("full_domain");
  const PinnedTable made(Quasi::hierarchies, kGeneralised, 31);
  for (const char* method : kSearches)
    for (int metric = 0; metric < 5; ++metric)
      for (const double suppression : {-1.0, 0.0, 0.04, 0.15})
        for (const bool local : {false, true}) {
          Options options = suppressing(metric == 3 ? 8 : 3, suppression);
          options.generalisation.metric = static_cast<RecodingMetric>(metric);
          options.generalisation.local_suppression = local;
          const std::string name = std::string(method) + ", " + kMetrics[metric] +
                                   ", suppression " + pinned_number(suppression) +
                                   (local ? ", local" : "");
          pins.add(name, made.plain(), method, options);
          if (metric != 1) continue;
          options.promises.l = 2;
          options.promises.alpha = 0.7;
          pins.add(name + ", diverse", made.with_illness(), method, options);
          options.promises = {};
          options.promises.t = 0.35;
          pins.add(name + ", close", made.with_illness(), method, options);
        }
  pins.check();
}

TEST(PinnedFullDomain, ArgusSuppressesTheSameCellsOnEveryMachine) {
  Pins pins("argus");
  const PinnedTable made(Quasi::hierarchies, kGeneralised, 32);
  const Identifying roles[][3] = {{Identifying::most, Identifying::more, Identifying::identifying},
                                  {Identifying::identifying, Identifying::most, Identifying::more},
                                  {Identifying::most, Identifying::most, Identifying::identifying}};
  for (const auto& identifying : roles)
    for (const bool complete : {false, true})
      for (const Record k : {2, 4, 9})
        for (const double suppression : {-1.0, 0.05}) {
          Options options = suppressing(k, suppression);
          options.generalisation.identifying = identifying;
          options.generalisation.complete = complete;
          pins.add(std::to_string(&identifying - roles) + (complete ? ", complete" : "") + ", k " +
                       std::to_string(k) + ", suppression " + pinned_number(suppression),
                   made.plain(), "argus", options);
        }
  pins.check();
}

TEST(PinnedFullDomain, LatticesHaveTheSameFiguresOnEveryMachine) {
  Pins pins("lattice");
  const PinnedTable made(Quasi::hierarchies, kGeneralised, 33);
  Ticker& ticker = pins.ticker();
  for (const bool minimal : {false, true})
    for (const double suppression : {0.0, 0.1})
      for (const NodeFigures& node : lattice_of(made.plain(), *find_method("incognito"),
                                                suppressing(4, suppression), minimal, ticker)) {
        std::string name = minimal ? "minimal" : "all";
        for (const std::int32_t level : node.levels) name += " " + std::to_string(level);
        pins.add(name + ", suppression " + pinned_number(suppression),
                 {{"feasible", node.feasible},
                  {"minimal", node.minimal},
                  {"smallest", node.smallest},
                  {"classes", node.classes},
                  {"suppressed", node.suppressed},
                  {"cells", static_cast<double>(node.cells)},
                  {"prec", node.prec},
                  {"ncp", node.ncp},
                  {"dm", static_cast<double>(node.dm)},
                  {"avg", node.avg},
                  {"entropy", node.entropy}});
      }
  pins.check();
}

}  // namespace
}  // namespace anonkit
