// Full-domain generalisation of adult_arx.csv: the 8 attributes other than occupation are
// quasi-identifiers, k = 5. Asserts nothing.
//
//   ANONKIT_DATA      folder of adult_arx.csv and hierarchies/ (default ../shared/data)

#include <cstdio>
#include <ctime>
#include <string>

#include "adult_data.hpp"
#include "recode/lattice/argus.hpp"
#include "recode/lattice/datafly.hpp"
#include "recode/lattice/incognito.hpp"
#include "recode/lattice/mingen.hpp"
#include "recode/lattice/topdown.hpp"

namespace anonkit {
namespace {

/// Of this process, so that others on the machine count little; one thread.
double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string text(const Levels& levels) {
  std::string result;
  for (const std::int32_t level : levels) result += std::to_string(level);
  return levels.empty() ? "-" : result;
}

using Algorithm = Recoded (*)(const FullDomainProblem&, Ticker&);

void show(const char* name, Algorithm algorithm, const FullDomainProblem& problem) {
  SilentTicker ticker;
  const double start = cpu_seconds();
  const Recoded recoded = algorithm(problem, ticker);
  const double seconds = cpu_seconds() - start;
  const NodeFigures& f = recoded.figures;
  std::printf("%-24s %4.0f%% %-9s %6d %6d %5d %7zu %7.4f %7.4f %7.4f %11lld %8.2f %7.3f s\n", name,
              100 * problem.max_suppression.value_or(0), text(recoded.levels).c_str(), f.classes,
              f.suppressed, f.smallest, recoded.minimal.size(), f.ncp, f.prec, f.entropy,
              static_cast<long long>(f.dm), f.avg, seconds);
}

}  // namespace
}  // namespace anonkit

int main() {
  using namespace anonkit;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const AdultData data = read_adult();
  if (data.missing()) {
    std::printf("%s is missing: set ANONKIT_DATA\n", reference_file("adult_arx.csv").c_str());
    return 0;
  }
  std::printf("%-24s %5s %-9s %6s %6s %5s %7s %7s %7s %7s %11s %8s\n", "", "supp", "node",
              "classes", "suppr", "least", "minimal", "NCP", "Prec", "entropy", "DM", "AVG");
  for (const double share : {0.0, 0.02, 0.1, 1.0}) {
    show("k = 5", incognito, data.problem(5, share));
    auto diverse = data.sensitive(5, share);
    diverse.promises.l = 3;
    show("  l = 3", incognito, diverse);
    auto close = data.sensitive(5, share, GroundDistance::nominal, 0.2);
    close.promises.t = 0.2;
    show("  t = 0.2 equal", incognito, close);
    close = data.sensitive(5, share, GroundDistance::hierarchical, 0.2);
    close.promises.t = 0.2;
    show("  t = 0.2 hierarchical", incognito, close);
  }
  for (const double share : {0.0, 0.02, 0.1, 1.0}) show("MinGen", mingen, data.problem(5, share));
  for (const double share : {0.0, 0.02, 0.1, 1.0}) {
    auto local = data.problem(5, share);
    local.local_suppression = true;
    show("local suppression", incognito, local);
  }
  for (const double share : {0.0, 0.02}) show("Datafly", datafly, data.problem(5, share));
  for (const double share : {0.0, 0.02, 1.0}) show("mu-Argus", argus, data.problem(5, share));
  for (const double share : {0.0, 0.02, 1.0}) {
    auto problem = data.problem(5, share);
    problem.complete = true;
    show("mu-Argus, completed", argus, problem);
  }
  for (const double share : {0.0, 0.02, 1.0}) show("TDS", topdown, data.problem(5, share));
}
