// CPU times of MDAV, printed as tables. They compare the spatial index with a plain scan, show
// growth to a million records and real data with many ties, memory, and a profile. Asserts nothing.
//
//   mdav_bench [--full]     --full runs the plain scan on 100,000 records too (minutes), instead of
//                           scaling 20,000 records by the square of their number.
//   ANONKIT_DATA            folder of ato_sample_2010_2011.csv.gz (default ../shared/data)

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "fixture/income_data.hpp"
#include "fixture/reference_data.hpp"
#include "method/growing/mdav.hpp"
#include "reference/mdav.hpp"
#include "space/centroid.hpp"
#include "space/index/spatial_index.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

double wall_seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// In canonical order, as in the pipeline.
Space space_of(std::vector<std::vector<double>> records) {
  std::sort(records.begin(), records.end());
  const std::size_t d = records.front().size();
  std::vector<double> values;
  values.reserve(records.size() * d);
  for (const auto& record : records) values.insert(values.end(), record.begin(), record.end());
  return Space(std::move(values), std::vector<Attribute>(d));
}

Space normal_data(int n, int d) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> records(static_cast<std::size_t>(n));
  for (auto& record : records)
    for (int j = 0; j < d; ++j) record.push_back(normal(random));
  return space_of(std::move(records));
}

/// Three lognormal factors with normal loadings and some noise, standardised.
Space factor_data(int n, int d) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> loadings(3 * static_cast<std::size_t>(d));
  for (double& loading : loadings) loading = normal(random);
  std::vector<std::vector<double>> records(static_cast<std::size_t>(n));
  for (auto& record : records) {
    double factors[3];
    for (double& factor : factors) factor = std::exp(normal(random));
    for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j)
      record.push_back(factors[0] * loadings[3 * j] + factors[1] * loadings[3 * j + 1] +
                       factors[2] * loadings[3 * j + 2] + 0.3 * normal(random));
  }
  std::sort(records.begin(), records.end());
  return standardized(std::move(records));
}

Space ato_sample() {
  std::vector<std::vector<double>> records = income_records();
  return records.empty() ? Space({}, {Attribute{}}) : standardized(std::move(records));
}

void run_mdav(const Space& space) {
  SilentTicker ticker;
  mdav(space, 5, ticker);
}

double time_of_scan(const Space& space, Record k, bool fresh_sums) {
  return seconds_of([&] { reference_mdav(space, k, fresh_sums); });
}

void compare_with_scan(bool full) {
  const int n = 100000, of_scan = full ? n : 20000;
  const double scale = std::pow(static_cast<double>(n) / of_scan, 2);
  std::printf("\nMDAV, k = 5, normal data, n = %d: the index against a plain scan of all records\n",
              n);
  if (!full)
    std::printf("(the scan was run on %d records; its time is scaled by %g)\n", of_scan, scale);
  std::printf("(plain: straight from the paper; running: with a running sum for the centroid)\n");
  std::printf("%4s %10s %10s %10s %8s %8s\n", "d", "plain s", "running s", "index s", "plain/",
              "running/");
  for (const int d : {2, 7, 12}) {
    const Space space = normal_data(of_scan, d);
    const double plain = scale * time_of_scan(space, 5, true);
    const double running = scale * time_of_scan(space, 5, false);
    const Space all = normal_data(n, d);
    const double index = seconds_of([&] { run_mdav(all); });
    std::printf("%4d %10.2f %10.2f %10.3f %8.0f %8.0f\n", d, plain, running, index, plain / index,
                running / index);
  }
}

/// MDAV's loop with a clock around each of its parts.
class Profile {
 public:
  Profile(const Space& space, Record k) {
    SilentTicker ticker;
    const double start = cpu_seconds();
    last_ = wall_seconds();
    SpatialIndex index(space, ticker);
    lap(build_);
    Centroid left(space);
    for (Record i = 0; i < space.size(); ++i) left.add(i);
    std::vector<double> centroid(static_cast<std::size_t>(space.dimension()));
    std::vector<Neighbour> members;
    lap(other_);
    while (index.size() / 3 >= k) {
      left.point(centroid.data());
      const Record r = index.farthest_from_centre(centroid.data()).record;
      lap(from_centroid_);
      const Record s = index.farthest(space.row(r)).record;
      lap(from_r_);
      for (const Record seed : {r, s}) {
        index.nearest(space.row(seed), k, members);
        lap(nearest_);
        for (const Neighbour& member : members) left.remove(member.record);
        lap(other_);
        index.remove(members);
        lap(removal_);
      }
    }
    total_ = cpu_seconds() - start;
  }

  static void print_head() {
    std::printf("%-26s %8s %8s %8s %8s %8s %8s %8s\n", "share of time in %", "seconds", "far c",
                "far r", "nearest", "removal", "build", "rest");
  }
  void print(const char* what) const {
    const double percent = 100 / (build_ + from_centroid_ + from_r_ + nearest_ + removal_ + other_);
    std::printf("%-26s %8.2f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n", what, total_,
                percent * from_centroid_, percent * from_r_, percent * nearest_, percent * removal_,
                percent * build_, percent * other_);
  }

 private:
  void lap(double& part) {
    const double now = wall_seconds();
    part += now - last_;
    last_ = now;
  }

  double last_, total_ = 0;
  double build_ = 0, from_centroid_ = 0, from_r_ = 0, nearest_ = 0, removal_ = 0, other_ = 0;
};

void show_growth() {
  std::printf("\nMDAV on the index, k = 5 (the clocks of the profile cost some time in low d)\n");
  const Space small = normal_data(100000, 2), large = normal_data(1000000, 2);
  const Growth growth = growth_to_tenfold([&] { run_mdav(small); }, [&] { run_mdav(large); }, 7);
  std::printf("normal, d = 2: n = 100,000 %.3f s, n = 1,000,000 %.2f s, growth %.1f times\n",
              growth.small, growth.large, growth.times());
  const Space ato = ato_sample();
  if (ato.size() == 0)
    std::printf("ato_sample: skipped, %s is not there\n",
                reference_file("ato_sample_2010_2011.csv.gz").c_str());
  Profile::print_head();
  Profile(large, 5).print("normal 1,000,000 x 2");
  Profile(normal_data(1000000, 4), 5).print("normal 1,000,000 x 4");
  Profile(normal_data(100000, 7), 5).print("normal 100,000 x 7");
  Profile(normal_data(100000, 12), 5).print("normal 100,000 x 12");
  Profile(factor_data(1000000, 8), 5).print("3 factors 1,000,000 x 8");
  if (ato.size() > 0) Profile(ato, 5).print("ato_sample 248,857 x 7");
}

/// A figure of /proc/self/status in MB.
double status(const char* name) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, std::strlen(name), name) == 0)
      return std::stod(line.substr(std::strlen(name) + 1)) / 1024;
  return 0;
}

/// Must be called first, while the process is small, because peaks never decrease.
void show_memory() {
  const Space space = normal_data(1000000, 7);
  const double before = status("VmRSS");
  SilentTicker ticker;
  SpatialIndex index(space, ticker);
  index.farthest_from_centre(std::vector<double>(7, 0).data());
  std::printf("memory of MDAV at its start, 1,000,000 x 7 (matrix 53 MB): %.0f MB at the peak\n",
              status("VmHWM") - before);
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  anonkit::show_memory();
  anonkit::compare_with_scan(argc > 1 && std::strcmp(argv[1], "--full") == 0);
  anonkit::show_growth();
}
