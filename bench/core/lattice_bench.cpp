// Full-domain generalisation of adult_arx.csv: the 8 attributes other than occupation are
// quasi-identifiers, k = 5. Asserts nothing.
//
//   ANONKIT_DATA      folder of adult_arx.csv and hierarchies/ (default ../shared/data)

#include <cstdio>
#include <string>

#include "fixture/adult_arx_data.hpp"
#include "method/full_domain/argus.hpp"
#include "method/full_domain/datafly.hpp"
#include "method/full_domain/incognito.hpp"
#include "method/full_domain/mingen.hpp"
#include "method/full_domain/topdown.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

std::string text(const Levels& levels) {
  std::string result;
  for (const std::int32_t level : levels) result += std::to_string(level);
  return levels.empty() ? "-" : result;
}

using Algorithm = Recoded (*)(const FullDomainProblem&, Ticker&);

/// `known` is the published result of ARX: classes and suppressed records.
void show(const char* name, Algorithm algorithm, const FullDomainProblem& problem,
          const char* known = "") {
  SilentTicker ticker;
  const double start = cpu_seconds();
  const Recoded recoded = algorithm(problem, ticker);
  const double seconds = cpu_seconds() - start;
  const NodeFigures& f = recoded.figures;
  std::printf("%-22s %4.0f%% %-8s %6d %6d %8s %5d %7zu %7.4f %7.4f %7.4f %10lld %8.2f %6.3f\n",
              name, 100 * problem.max_suppression.value_or(0), text(recoded.levels).c_str(),
              f.classes, f.suppressed, known, f.smallest, recoded.minimal.size(), f.ncp, f.prec,
              f.entropy, static_cast<long long>(f.dm), f.avg, seconds);
}

constexpr double kShares[] = {0, 0.02, 0.1, 1};

void show_optima(const AdultData& data) {
  std::printf("Incognito, the least NCP (the node; beside classes and suppressed the issue's)\n");
  for (const double share : kShares) {
    const bool known = share == 0.02;
    show("k = 5", incognito, data.problem(5, share), known ? "222/506" : "");
    auto diverse = data.sensitive(5, share);
    diverse.promises.l = 3;
    show("  and l = 3", incognito, diverse, known ? "219/522" : "");
    auto close = data.sensitive(5, share, GroundDistance::nominal, 0.2);
    close.promises.t = 0.2;
    show("  and t = 0.2, equal", incognito, close, known ? "6/235" : "");
    close = data.sensitive(5, share, GroundDistance::hierarchical, 0.2);
    close.promises.t = 0.2;
    show("  t = 0.2, tree", incognito, close, known ? "9/151" : "");
  }
  const char* const names[] = {"by Prec", "by NCP", "by DM", "by AVG", "by entropy loss"};
  for (int metric = 0; metric < 5; ++metric) {
    auto problem = data.problem(5, 0.02);
    problem.metric = static_cast<RecodingMetric>(metric);
    show(names[metric], incognito, problem);
  }
}

void show_others(const AdultData& data) {
  std::printf("the other algorithms, k = 5\n");
  for (const double share : kShares) {
    auto problem = data.problem(5, share);
    show("MinGen", mingen, problem);
    problem.local_suppression = true;
    show("local suppression", incognito, problem);
    show("Datafly", datafly, problem);
    show("mu-Argus", argus, problem);
    problem.complete = true;
    show("mu-Argus, completed", argus, problem);
    show("top-down", topdown, problem);
  }
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
  std::printf("%-22s %5s %-8s %6s %6s %8s %5s %7s %7s %7s %7s %10s %8s %6s\n", "", "most", "node",
              "class", "suppr", "", "least", "minimal", "NCP", "Prec", "entropy", "DM", "AVG",
              "CPU s");
  show_optima(data);
  show_others(data);
}
