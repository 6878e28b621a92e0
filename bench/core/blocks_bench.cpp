// Blocks and threads, printed as tables: loss by block size, and the time of the default method by
// number of threads. Asserts nothing.
//
//   blocks_bench [loss] [ties] [promises] [threads]

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "fixture/factor_table.hpp"
#include "fixture/tied_table.hpp"
#include "method/method.hpp"
#include "pipeline.hpp"
#include "sections.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

/// The time and the loss of a release.
struct Outcome {
  double seconds;    ///< of the clock
  double processor;  ///< of all threads
  double caller;     ///< of the calling thread
  double loss;       ///< SSE in % of SST
};

double caller_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Outcome run(const Table& table, const char* method, const Options& options) {
  SilentTicker ticker;
  const auto start = std::chrono::steady_clock::now();
  const double processor = cpu_seconds(), caller = caller_seconds();
  const Anonymized release = anonymize(table, *find_method(method), options, ticker);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {seconds.count(), cpu_seconds() - processor, caller_seconds() - caller,
          100 * release.loss.sse / release.loss.sst};
}

Options with(Record block_size, int threads) {
  Options options;
  options.k = 5;
  options.block_size = block_size;
  options.threads = threads;
  return options;
}

void print_loss(Record n) {
  std::printf("\nLoss of %d records, k = 5: SSE in %% of SST, and above the whole\n", n);
  for (const char* method : {"mdav", "microaggregate"})
    for (const std::size_t d : {2U, 4U, 6U}) {
      const FactorTable data(n, d);
      const Outcome whole = run(data.view(), method, with(n, 2));
      std::printf("%15s %zu whole %.4f (%.1f s)", method, d, whole.loss, whole.seconds);
      for (const Record size : {n / 2, n / 4, n / 16, n / 64}) {
        const Outcome blocks = run(data.view(), method, with(size, 2));
        std::printf("  %d: %.4f %+.2f %% (%.1f s)", size, blocks.loss,
                    100 * (blocks.loss / whole.loss - 1), blocks.seconds);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
}

void print_beside_whole(const std::string& what, const Table& table, const Options& options,
                        Record size) {
  Options divided = options;
  divided.block_size = table.rows;
  const Outcome whole = run(table, "microaggregate", divided);
  divided.block_size = size;
  const Outcome blocks = run(table, "microaggregate", divided);
  std::printf("%40s %9.4f %9.4f %+6.2f %%, processors %6.2f %6.2f s\n", what.c_str(), whole.loss,
              blocks.loss, 100 * (blocks.loss / whole.loss - 1), whole.processor, blocks.processor);
  std::fflush(stdout);
}

void print_ties(Record n) {
  std::printf("\nDefault method on %d records with ties: loss whole and by blocks\n", n);
  const std::pair<Ties, const char*> tables[] = {{Ties::census, "census"},
                                                 {Ties::few_values, "few values"},
                                                 {Ties::mixed, "mixed"},
                                                 {Ties::continuous, "continuous"}};
  for (const auto& [ties, name] : tables)
    print_beside_whole(name, TiedTable(n, ties, 1).without_promises(), with(0, 2), 0);
}

/// A block size of 0 is the method's own division.
void print_promises(Record n, Ties ties, const std::string& name, Record size) {
  const TiedTable data(n, ties, 1);
  Options diverse = with(0, 2), close = with(0, 2), shares = with(0, 2);
  diverse.promises.l = 3;
  shares.promises.alpha = 0.5;
  close.promises.t = 0.3;
  print_beside_whole(name + ", l = 3", data.with_occupation(), diverse, size);
  print_beside_whole(name + ", alpha = 0.5", data.with_occupation(), shares, size);
  print_beside_whole(name + ", t = 0.3, of categories", data.with_occupation(), close, size);
  print_beside_whole(name + ", t = 0.3, of a number", data.with_pay(), close, size);
}

void print_promises(Record n) {
  std::printf("\nDefault method on %d records under a promise: loss whole and by 4 blocks\n", n);
  print_promises(n, Ties::census, "census", n / 4);
  print_promises(n, Ties::continuous, "continuous", n / 4);
  std::printf("\nWith categories, %d records: whole and as it divides them\n", 2 * n);
  print_promises(2 * n, Ties::mixed, "mixed", 0);
  print_promises(2 * n, Ties::dates, "dates", 0);
}

/// Seconds of the clock if the threads had a processor each: the caller's own, and the shared rest.
double ideal(const Outcome& outcome, int threads) {
  return outcome.caller + (outcome.processor - outcome.caller) / threads;
}

void print_threads(Record n, std::size_t d) {
  std::printf(
      "\nDefault method, %d x %zu, k = 5: seconds of the clock, of processors, of the caller's,\n"
      "and on idle processors; loss\n",
      n, d);
  const FactorTable data(n, d);
  const Outcome whole = run(data.view(), "microaggregate", with(n, 1));
  std::printf("%9s %2d %7.2f %7.2f %7.2f %7.2f  %.5f\n", "whole", 1, whole.seconds, whole.processor,
              whole.caller, whole.processor, whole.loss);
  for (const int threads : {1, 2, 4}) {
    const Outcome blocks = run(data.view(), "microaggregate", with(0, threads));
    std::printf("%9s %2d %7.2f %7.2f %7.2f %7.2f  %.5f %+.2f %%, %.2f of the time\n", "blocks",
                threads, blocks.seconds, blocks.processor, blocks.caller, ideal(blocks, threads),
                blocks.loss, 100 * (blocks.loss / whole.loss - 1),
                ideal(blocks, threads) / whole.processor);
    std::fflush(stdout);
  }
}

void run_sections(int argc, char** argv) {
  if (is_wanted("loss", argc, argv)) print_loss(200000);
  if (is_wanted("ties", argc, argv)) print_ties(300000);
  if (is_wanted("promises", argc, argv)) print_promises(100000);
  if (is_wanted("threads", argc, argv)) print_threads(1000000, 4);
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  anonkit::run_sections(argc, argv);
  return 0;
}
