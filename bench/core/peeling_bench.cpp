// Starts of the search for lower NCP: Mondrian's cheapest cuts, and peeling of the lattice. Prints
// the mean normalised certainty penalty in % and CPU seconds, before and after a fast search.
// Asserts nothing.
//
//   ANONKIT_DATA      folder of adult_arx.csv and hierarchies/ (default ../shared/data)

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "fixture/adult_arx_data.hpp"
#include "method/mondrian/mondrian.hpp"
#include "method/peeling/peeling.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/refine.hpp"
#include "search/search.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

double percent(const GeneralisationSpace& space, double loss) {
  return 100 * loss / space.size() / space.dimension();
}

/// A table of codes with a hierarchy for each column.
struct CodedTable {
  std::vector<std::unique_ptr<Hierarchy>> hierarchies;
  std::vector<std::vector<std::int32_t>> columns;

  GeneralisationSpace space() const {
    std::vector<Domain> domains;
    for (const auto& hierarchy : hierarchies) domains.push_back(domain_of(*hierarchy, 1));
    std::vector<double> coordinates;
    for (std::size_t i = 0; i < columns.front().size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        coordinates.push_back(domains[j].position[static_cast<std::size_t>(columns[j][i])]);
    return {std::move(coordinates), std::move(domains)};
  }
};

/// A column of codes 0 to values - 1, skewed by a power, in intervals of these widths.
void add_column(CodedTable& table, Random& random, int n, int values, double skew,
                const std::vector<int>& widths) {
  std::vector<std::vector<std::int32_t>> levels;
  for (const int width : widths) {
    levels.emplace_back();
    for (std::int32_t v = 0; v < values; ++v) levels.back().push_back(v / width);
  }
  levels.emplace_back(static_cast<std::size_t>(values), 0);
  table.hierarchies.push_back(std::make_unique<Hierarchy>(std::move(levels)));
  table.columns.emplace_back();
  for (int i = 0; i < n; ++i)
    table.columns.back().push_back(static_cast<std::int32_t>(
        values * std::pow(static_cast<double>(random.next() >> 11) * 0x1p-53, skew)));
}

/// People like those of bench/peers: the columns of Adult, skewed and independent.
CodedTable people(int n, double skew) {
  Random random(1);
  CodedTable table;
  const int values[] = {74, 16, 7, 5, 2, 8, 41, 2};
  const std::vector<int> widths[] = {{5, 10, 20}, {4, 8}, {4}, {}, {}, {3}, {9}, {}};
  for (int j = 0; j < 8; ++j) add_column(table, random, n, values[j], skew, widths[j]);
  return table;
}

CodedTable adult_with_hierarchies() {
  AdultData adult = read_adult();
  return {std::move(adult.hierarchies), std::move(adult.leaves)};
}

void print_start(const GeneralisationSpace& space, Record k, const char* name,
                 const Partition& start, double seconds) {
  SilentTicker ticker;
  NcpLoss loss(space);
  std::printf("  %-10s %7.3f %6.2f s", name, percent(space, total_loss(loss, start, ticker)),
              seconds);
  const double before = cpu_seconds();
  const Space near = euclidean(space, ticker);
  const RefineResult found = refine(near, start, k, loss, {}, {}, ticker);
  std::printf("   searched %7.3f %6.2f s\n", percent(space, found.loss_after),
              cpu_seconds() - before);
  std::fflush(stdout);
}

void peel_table(const char* title, const GeneralisationSpace& space, Record k) {
  std::printf("%s, k = %d\n", title, k);
  SilentTicker ticker;
  double before = cpu_seconds();
  const Partition cheapest = mondrian(space, k, {}, MondrianCut::cheapest, ticker);
  print_start(space, k, "cheapest", cheapest, cpu_seconds() - before);
  before = cpu_seconds();
  const std::optional<Partition> peeled = peel(space, k, {}, ticker);
  print_start(space, k, "peeled", *peeled, cpu_seconds() - before);
}

void run() {
  peel_table("people, 30,000 records, 8 columns, cubes", people(30000, 3).space(), 5);
  peel_table("people, 30,000 records, 8 columns, squares", people(30000, 2).space(), 5);
  peel_table("people, 30,000 records, 8 columns, cubes", people(30000, 3).space(), 20);
  peel_table("people, 100,000 records, 8 columns, cubes", people(100000, 3).space(), 5);
  const CodedTable adult = adult_with_hierarchies();
  if (adult.columns.front().empty()) return;
  for (const Record k : {2, 5, 10, 50}) peel_table("adult_arx, 8 columns", adult.space(), k);
}

}  // namespace
}  // namespace anonkit

int main() {
  anonkit::run();
}
