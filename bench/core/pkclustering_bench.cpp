// EnhancedPKClustering beside GreedyPKClustering and Incognito on Adult (Truta, Campan, Meyer 2007,
// section 4): Figures 3 and 4 as tables, with times, and larger files. Asserts nothing.
//
//   pkclustering_bench [figures] [scale]      both if none is named
//   ANONKIT_DATA      folder of adult.csv (default ../shared/data)

#include <cstdio>

#include "fixture/adult_data.hpp"
#include "fixture/adult_incognito.hpp"
#include "method/pkclustering/pk_clustering.hpp"
#include "metric/class_metrics.hpp"
#include "sections.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

constexpr Record kK = 20;
using Texts = std::vector<std::vector<std::string>>;

struct Run {
  ClassMetrics metrics;
  double seconds;
};

template <class Algorithm>
Run run(const PkData& data, std::int32_t p, Algorithm algorithm) {
  SilentTicker ticker;
  Partition found;
  const double seconds = seconds_of([&] {
    found = algorithm(data.table(), data.rows, data.sensitive, PkOptions{kK, p, {}}, ticker);
  });
  std::vector<std::int32_t> sizes(static_cast<std::size_t>(found.classes));
  for (const ClassId c : found.class_of) ++sizes[static_cast<std::size_t>(c)];
  return {class_metrics(sizes, kK, 0, ticker), seconds};
}

void show_row(const PkData& data, std::int32_t p) {
  const Run greedy = run(data, p, greedy_pk_clustering);
  const Run enhanced = run(data, p, enhanced_pk_clustering);
  const auto dm = [](const Run& r) { return static_cast<double>(r.metrics.discernibility); };
  const auto avg = [](const Run& r) { return r.metrics.normalized_average; };
  std::printf("%3d  %8.4f %8.4f  %12.0f %12.0f  %7.4f %7.4f  %8.2f %8.2f\n", p, avg(greedy),
              avg(enhanced), dm(greedy), dm(enhanced), avg(enhanced) / avg(greedy),
              dm(enhanced) / dm(greedy), greedy.seconds, enhanced.seconds);
}

/// The best node by each metric.
void show_incognito(const PkData& data) {
  const AdultIncognito incognito(data);
  std::printf("Incognito, nothing suppressed, and what the clusterings have of it\n");
  std::printf("  p       AVG           DM   AVG G/I  AVG E/I   DM G/I   DM E/I        s\n");
  for (const std::int32_t p : {2, 4, 6, 8, 10}) {
    SilentTicker ticker;
    double avg = 0;
    const double seconds =
        seconds_of([&] { avg = incognito.best(kK, p, RecodingMetric::avg, ticker).avg; });
    const auto dm = static_cast<double>(incognito.best(kK, p, RecodingMetric::dm, ticker).dm);
    const ClassMetrics greedy = run(data, p, greedy_pk_clustering).metrics,
                       enhanced = run(data, p, enhanced_pk_clustering).metrics;
    const auto share = [&](const ClassMetrics& m) {
      return static_cast<double>(m.discernibility) / dm;
    };
    std::printf("%3d  %8.4f %12.0f  %8.4f %8.4f %8.4f %8.4f %8.2f\n", p, avg, dm,
                greedy.normalized_average / avg, enhanced.normalized_average / avg, share(greedy),
                share(enhanced), seconds);
  }
}

void show(const PkData& data, const char* what) {
  std::printf("\n%s, k = %d: greedy (G) and enhanced (E)\n", what, kK);
  std::printf(
      "  p     AVG G    AVG E          DM G         DM E  AVG E/G  DM E/G      s G      s E\n");
  for (const std::int32_t p : {2, 4, 6, 8, 10}) show_row(data, p);
}

/// Any number of records with the columns of Adult. Some columns come from another record, so there
/// are more combinations than in Adult; ages shift by up to `span` years.
Texts generated(const Texts& records, std::size_t n, std::uint32_t span) {
  Random random(1);
  Texts more(n);
  for (auto& record : more) {
    const auto draw = [&] { return random.below(static_cast<std::uint32_t>(records.size())); };
    record = records[draw()];
    record[1] = records[draw()][1];
    record[2] = records[draw()][2];
    record[0] = std::to_string(std::stoi(record[0]) + static_cast<int>(random.below(span)));
  }
  return more;
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  using namespace anonkit;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto wanted = [&](const char* section) { return is_wanted(section, argc, argv); };
  const Texts records = adult_records();
  if (records.empty()) {
    std::printf("skipped: %s is missing\n", reference_file("adult.csv").c_str());
    return 0;
  }
  if (wanted("figures")) {
    const PkData data = adult_data(sample(records, 10000, 1));
    show(data, "Figures 3 and 4: Adult, 10,000 records");
    show_incognito(data);
  }
  if (wanted("scale")) {
    show(adult_data(records), "Adult, all records");
    show(adult_data(generated(records, 100000, 10)), "generated, 100,000 records");
    show(adult_data(generated(records, 100000, 1000000)),
         "generated, 100,000, most of them unique");
  }
}
