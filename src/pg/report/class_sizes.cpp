#include <cmath>

#include "pg/backend/session.hpp"
#include "pg/report/chart.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

/// Bins of class sizes: below k, and from k to the largest class in steps of one ratio. Plain data.
struct SizeBins {
  static constexpr int kSteps = 12;
  static constexpr int kMost = kSteps + 1;
  double from[kMost + 1];
  int count;
};

SizeBins size_bins(double k, double largest) {
  SizeBins bins = {};
  if (k > 1) bins.from[bins.count++] = 1;
  const double ratio = std::pow(std::fmax(largest + 1, k + 1) / k, 1.0 / SizeBins::kSteps);
  double from = k;
  for (int step = 1; step <= SizeBins::kSteps && from <= std::fmax(largest, k); ++step) {
    bins.from[bins.count++] = from;
    from = std::fmax(from + 1, std::round(k * std::pow(ratio, step)));
  }
  bins.from[bins.count] = std::fmax(from, largest + 1);
  return bins;
}

const char* size_text(const SizeBins& bins, int first, int last) {
  const double from = bins.from[first];
  const double to = bins.from[last + 1] - 1;
  return from == to ? count_text(from) : psprintf("%s to %s", count_text(from), count_text(to));
}

std::vector<Bar> bars_of_sizes(const SizeBins& bins, const double* records, double least) {
  return folded(std::vector<double>(records, records + bins.count), least);
}

/// The number of records in classes of each bin.
double tally(const Findings& findings, const SizeBins& bins, double* records) {
  double all = 0;
  for (int i = 0; i < findings.class_size_count; ++i) {
    const auto size = static_cast<double>(findings.class_sizes[i].records);
    const double members = size * static_cast<double>(findings.class_sizes[i].classes);
    int bin = 0;
    while (size >= bins.from[bin + 1]) ++bin;
    records[bin] += members;
    all += members;
  }
  return all;
}

}  // namespace

void write_class_sizes(const Html& html, const Subject& subject, const Findings& findings) {
  if (findings.class_size_count == 0) return;
  const ClassSize& last = findings.class_sizes[findings.class_size_count - 1];
  const SizeBins bins = size_bins(subject.k(), static_cast<double>(last.records));
  double records[SizeBins::kMost] = {};
  const double all = tally(findings, bins, records);
  auto& bars = own_in_context(
      std::make_unique<std::vector<Bar>>(bars_of_sizes(bins, records, subject.least_count())));
  ChartBars chart = {allocate<ChartBar>(bins.count), 0, all};
  for (const Bar& bar : bars)
    chart.bars[chart.count++] = {bar.first, bar.last, bar.records,
                                 psprintf("classes of %s", size_text(bins, bar.first, bar.last)),
                                 count_text(bins.from[bar.first])};
  html.raw("<section id=\"classes\"><h2>Class sizes</h2>\n<p>k is ").integer(subject.k());
  html.raw(
      ". The share of the records in classes of a size or more, up to the next; sizes grow by one "
      "ratio from bar to bar.</p>\n");
  write_chart(html, "Records by the size of their class", chart, "records", {}, "",
              {bins.count, "", ""});
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
