// Searches on generated tables with seeds that no other test uses, printed as tables. Asserts
// nothing.
//
//   findings_bench [recount] [best] [thorough] [order] [fast]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "fixture/contests.hpp"
#include "fixture/recount.hpp"
#include "sections.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

const char* const kNames[] = {"census", "few values", "mixed", "dates", "continuous"};
constexpr std::uint64_t kSeed = 7001;

void show_recount() {
  std::printf("\nThe reported SSE beside a recount from the published cells, and both counts of\n");
  std::printf("classes: k = 5, numbers as they are\n");
  std::printf("%-11s %6s %-15s %18s %18s %9s %9s\n", "", "n", "method", "reported", "recounted",
              "classes", "counted");
  for (std::size_t t = 0; t < std::size(kTables); ++t)
    for (const Record n : {300, 5000})
      for (const char* method : {"mdav", "vmdav", "microaggregate"}) {
        const TiedTable data(n, kTables[t], kSeed + t);
        const Table table = data.without_promises();
        Options options;
        options.k = 5;
        options.standardize = Standardize::none;
        SilentTicker ticker;
        const Anonymized found = anonymize(table, *find_method(method), options, ticker);
        std::printf("%-11s %6d %-15s %18.6f %18.6f %9d %9zu\n", kNames[t], n, method,
                    found.loss.sse, recounted_sse(table, found), found.partition.classes,
                    read_classes(table, found).size());
      }
}

std::string name_of(const Contest& contest) {
  const Promises& promised = contest.promises;
  std::string name = contest.method;
  name += contest.recode == Recode::range ? ", NCP" : ", SSE";
  if (promised.t > 0) name += ", t";
  if (promised.l > 0) name += ", l";
  if (promised.e > 0) name += ", e";
  if (promised.q > 0) return name + ", p, q, r";
  return promised.p > 0 ? name + ", p" : name;
}

/// Ratios of two losses over several tables.
class Ratios {
 public:
  void add(double loss, double other) {
    if (!(other > 0)) return;
    const double ratio = loss / other;
    ++tables_;
    above_ += ratio > 1 + 1e-9 ? 1 : 0;
    worst_ = std::max(worst_, ratio);
    logs_ += std::log(ratio);
  }
  void show() const {
    std::printf(" %7d of %-3d %9.4f %9.4f", above_, tables_, worst_,
                tables_ > 0 ? std::exp(logs_ / tables_) : 0);
  }

 private:
  int tables_ = 0, above_ = 0;
  double worst_ = 0, logs_ = 0;
};

/// The least loss of the algorithms that 'best' competes with, each followed by a search if asked.
double least_other(const Table& table, const Contest& contest, Effort search) {
  double least = std::numeric_limits<double>::infinity();
  for (const char* other : contest.others)
    if (const auto loss = loss_of(table, contest.method, other, options_of(contest), search))
      least = std::min(least, *loss);
  return least;
}

void head(const char* text) {
  std::printf("\n%s: tables where 'best' is above, the largest ratio, the mean ratio\n", text);
  std::printf("%-26s %6s %14s %9s %9s\n", "", "n", "above", "largest", "mean");
}

void show_contest(const Contest& contest, Record n, int seeds, Effort best, Effort others) {
  Ratios ratios;
  for (std::size_t t = 0; t < std::size(kTables); ++t)
    for (int seed = 0; seed < seeds; ++seed) {
      const TiedTable data(n, kTables[t], kSeed + 100 * static_cast<std::uint64_t>(seed) + t);
      const Table table = table_of(data, contest);
      const auto loss = loss_of(table, contest.method, "best", options_of(contest), best);
      const double least = least_other(table, contest, others);
      if (loss && std::isfinite(least)) ratios.add(*loss, least);
    }
  std::printf("%-26s %6d", name_of(contest).c_str(), n);
  ratios.show();
  std::printf("\n");
}

void show_best() {
  head("A fast 'best' against the best published algorithm");
  for (const Contest& contest : contests()) {
    show_contest(contest, 300, 4, Effort::fast, Effort::none);
    show_contest(contest, 6000, 1, Effort::fast, Effort::none);
  }
}

void show_thorough() {
  head("A thorough 'best' against the published algorithms, each with a thorough search");
  for (const Contest& contest : contests())
    show_contest(contest, 60, 1, Effort::thorough, Effort::thorough);
}

void show_order_of(const char* name, const Contest& contest, Ties ties) {
  const TiedTable data(20000, ties, kSeed);
  const Table original = table_of(data, contest);
  const Options options = options_of(contest);
  std::printf("%-11s %-8s", name, contest.promises.l > 0 ? "l = 3" : "none");
  const std::size_t d = original.columns.size();
  std::vector<double> values(static_cast<std::size_t>(original.rows) * d);
  for (const std::size_t first : {std::size_t{0}, d - 1}) {
    Table turned = original;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t from = (j + first) % d;
      turned.columns[j] = original.columns[from];
      turned.columns[j].name += std::to_string(from);  // names differ, and decide the order
      for (Record i = 0; i < original.rows; ++i)
        values[static_cast<std::size_t>(i) * d + j] = original.value(i, from);
    }
    turned.values = values.data();
    double loss = 0;
    const double seconds = seconds_of(
        [&] { loss = *loss_of(turned, "microaggregate", nullptr, options, Effort::fast); });
    std::printf(" %14.6f %8.2f", loss, seconds);
  }
  std::printf("\n");
}

void show_order() {
  std::printf("\nSSE and CPU s of 20,000 records, k = 4, with each of two columns listed first\n");
  Contest plain{"microaggregate", {}}, diverse{"microaggregate", {}};
  diverse.promises.l = 3;
  for (std::size_t t = 0; t < std::size(kTables); ++t)
    for (const Contest& contest : {plain, diverse}) show_order_of(kNames[t], contest, kTables[t]);
}

void show_fast() {
  std::printf(
      "\nThe loss in %% of fast 'microaggregate', k = 5, mean of four tables (one of 20,000)\n");
  std::printf("%-11s %-8s %9s %9s %9s\n", "", "promised", "300", "2,000", "20,000");
  Options options;
  options.k = 5;
  for (std::size_t t = 0; t < std::size(kTables); ++t)
    for (const std::int32_t l : {0, 3}) {
      options.promises.l = l;
      std::printf("%-11s %-8s", kNames[t], l > 0 ? "l = 3" : "none");
      for (const Record n : {300, 2000, 20000}) {
        const std::uint64_t tables = n < 20000 ? 4 : 1;
        double loss = 0;
        for (std::uint64_t seed = 0; seed < tables; ++seed) {
          const TiedTable data(n, kTables[t], 8001 + seed);
          SilentTicker ticker;
          loss += anonymize(l > 0 ? data.with_occupation() : data.without_promises(),
                            *find_method("microaggregate"), options, ticker)
                      .loss.percent();
        }
        std::printf(" %9.5f", loss / static_cast<double>(tables));
      }
      std::printf("\n");
    }
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (anonkit::is_wanted("recount", argc, argv)) anonkit::show_recount();
  if (anonkit::is_wanted("best", argc, argv)) anonkit::show_best();
  if (anonkit::is_wanted("thorough", argc, argv)) anonkit::show_thorough();
  if (anonkit::is_wanted("order", argc, argv)) anonkit::show_order();
  if (anonkit::is_wanted("fast", argc, argv)) anonkit::show_fast();
}
