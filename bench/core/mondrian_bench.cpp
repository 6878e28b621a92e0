// Mondrian and the search with NCP as its loss, printed as tables: mean normalised certainty
// penalty in %, and CPU seconds. Asserts nothing.
//
//   mondrian_bench [adult] [search] [hierarchies] [million]      all if none is named
//   ANONKIT_DATA      folder of adult.csv and adult_arx.csv (default ../shared/data)

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "method/mondrian/mondrian.hpp"
#include "reference/table.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/refine.hpp"
#include "search/search.hpp"
#include "sections.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

GeneralisationSpace space_of_table(const OwnedTable& owned, Recode recode) {
  const Table table = owned.view();
  std::vector<Record> rows(static_cast<std::size_t>(table.rows));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  SilentTicker ticker;
  return generalisation_space(table, rows, columns, recode, ticker);
}

double percent(const GeneralisationSpace& space, double loss) {
  return 100 * loss / space.size() / space.dimension();
}

void print_mondrian(const GeneralisationSpace& space, Record k, MondrianCut cut) {
  SilentTicker ticker;
  const double start = cpu_seconds();
  const Partition found = mondrian(space, k, {}, cut, ticker);
  const double seconds = cpu_seconds() - start;
  std::printf("  %7.2f %6.2f s", percent(space, total_loss(NcpLoss(space), found, ticker)),
              seconds);
}

/// The search from the cheapest cuts; the time includes the cuts.
void print_search(const GeneralisationSpace& space, Record k, Effort effort) {
  SilentTicker ticker;
  RefineOptions options;
  options.effort = effort;
  const double start = cpu_seconds();
  NcpLoss loss(space);
  const RefineResult found =
      refine(euclidean(space, ticker), mondrian(space, k, {}, MondrianCut::cheapest, ticker), k,
             loss, {}, options, ticker);
  const double seconds = cpu_seconds() - start;
  std::printf("  %7.2f %6.2f s", percent(space, found.loss_after), seconds);
  std::fflush(stdout);
}

constexpr const char* kColumns = "%5s %8s %8s  %16s  %16s  %16s  %16s  %16s\n";

void print_row(const GeneralisationSpace& space, Record k) {
  for (const MondrianCut cut : {MondrianCut::strict, MondrianCut::relaxed, MondrianCut::cheapest})
    print_mondrian(space, k, cut);
  print_search(space, k, Effort::fast);
  print_search(space, k, Effort::thorough);
  std::printf("\n");
}

bool missing(const ReferenceTable& table) {
  if (table.empty()) std::printf("reference data not found; set ANONKIT_DATA\n");
  return table.empty();
}

ReferenceTable adult(bool hierarchies) {
  // The training part of the file.
  return read_table("adult.csv", ',',
                    {"age", "workclass", "education_num", "marital_status", "occupation", "race",
                     "sex", "native_country"},
                    {"age", "education_num"}, 32561, hierarchies);
}

void adult_table(const char* title, bool hierarchies, const double* one, const double* other) {
  const ReferenceTable table = adult(hierarchies);
  if (missing(table)) return;
  const GeneralisationSpace space =
      space_of_table(table.table, hierarchies ? Recode::hierarchy : Recode::range);
  std::printf("\n%s\n", title);
  std::printf(kColumns, "k", "public", other != nullptr ? "relaxed" : "", "strict", "relaxed",
              "cheapest", "fast", "thorough");
  const Record sizes[] = {2, 5, 10, 25, 50, 100};
  for (int i = 0; i < 6; ++i) {
    std::printf("%5d %8.2f", sizes[i], one[i]);
    if (other != nullptr)
      std::printf(" %8.2f", other[i]);
    else
      std::printf(" %8s", "");
    print_row(space, sizes[i]);
  }
}

void run_adult() {
  const double strict[] = {4.97, 8.30, 11.24, 16.35, 22.16, 30.09};
  const double relaxed[] = {3.54, 10.64, 15.85, 22.32, 30.07, 38.94};
  adult_table("Adult, 30,162 records, 8 columns, categories as ordered numbers", false, strict,
              relaxed);
}

void run_hierarchies() {
  const double strict[] = {7.51, 19.62, 28.52, 36.64, 45.20, 51.14};
  adult_table("Adult, 30,162 records, 8 columns, hierarchies (not the public figures' own)", true,
              strict, nullptr);
}

void run_search() {
  const ReferenceTable table = read_table("adult_arx.csv", ';',
                                          {"sex", "age", "race", "marital-status", "education",
                                           "native-country", "workclass", "salary-class"},
                                          {"age"});
  if (missing(table)) return;
  const GeneralisationSpace space = space_of_table(table.table, Recode::range);
  std::printf("\nadult_arx, 30,162 records, 8 columns, categories as ordered numbers\n");
  std::printf(kColumns, "k", "strict", "annealed", "strict", "relaxed", "cheapest", "fast",
              "thorough");
  const Record sizes[] = {2, 5, 10, 25, 50};
  const double strict[] = {0.85, 2.88, 5.42, 11.01, 17.41};
  const double annealed[] = {0.54, 1.93, 3.66, 7.39, 11.80};
  for (int i = 0; i < 5; ++i) {
    std::printf("%5d %8.2f %8.2f", sizes[i], strict[i], annealed[i]);
    print_row(space, sizes[i]);
  }
}

void run_million() {
  std::printf("\n1,000,000 records, 8 columns of numbers: bells, and the same in 50 steps\n");
  std::printf("%5s %16s  %16s  %16s\n", "k", "strict", "relaxed", "cheapest");
  for (const double steps : {1e9, 50.0}) {
    Random random(1);
    std::vector<double> values;
    for (int i = 0; i < 8000000; ++i) {
      double bell = 0;
      for (int j = 0; j < 6; ++j) bell += static_cast<double>(random.next()) * 0x1p-64 / 6;
      values.push_back(std::floor(bell * steps) / steps);
    }
    const GeneralisationSpace space(std::move(values), std::vector<Domain>(8));
    std::printf("%5d", 5);
    for (const MondrianCut cut : {MondrianCut::strict, MondrianCut::relaxed, MondrianCut::cheapest})
      print_mondrian(space, 5, cut);
    std::printf("\n");
  }
}

struct Section {
  const char* name;
  void (*run)();
};
constexpr Section kSections[] = {{"adult", run_adult},
                                 {"search", run_search},
                                 {"hierarchies", run_hierarchies},
                                 {"million", run_million}};

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  for (const anonkit::Section& section : anonkit::kSections)
    if (anonkit::is_wanted(section.name, argc, argv)) section.run();
}
