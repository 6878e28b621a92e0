#include "pg/report/class_sizes.hpp"

#include <algorithm>
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
double tally(const ClassSizes& sizes, const SizeBins& bins, double* records) {
  double all = 0;
  for (int i = 0; i < sizes.count; ++i) {
    const auto size = static_cast<double>(sizes.list[i].records);
    const double members = size * static_cast<double>(sizes.list[i].classes);
    int bin = 0;
    while (size >= bins.from[bin + 1]) ++bin;
    records[bin] += members;
    all += members;
  }
  return all;
}

}  // namespace

ClassSizes class_sizes_of(int64* records, int64 classes) {
  std::sort(records, records + classes);
  ClassSizes sizes = {allocate<ClassSize>(classes), 0};
  for (int64 c = 0; c < classes; ++c) {
    if (records[c] == 0) continue;
    if (sizes.count == 0 || sizes.list[sizes.count - 1].records != records[c])
      sizes.list[sizes.count++] = {records[c], 0};
    ++sizes.list[sizes.count - 1].classes;
  }
  return sizes;
}

void write_size_chart(const Html& html, const ClassSizes& sizes, int k, double least) {
  if (sizes.count == 0) return;
  const SizeBins bins = size_bins(k, static_cast<double>(sizes.list[sizes.count - 1].records));
  double records[SizeBins::kMost] = {};
  const double all = tally(sizes, bins, records);
  auto& bars =
      own_in_context(std::make_unique<std::vector<Bar>>(bars_of_sizes(bins, records, least)));
  ChartBars chart = {allocate<ChartBar>(bins.count), 0, all};
  for (const Bar& bar : bars)
    chart.bars[chart.count++] = {bar.first, bar.last, bar.records,
                                 psprintf("classes of %s", size_text(bins, bar.first, bar.last)),
                                 count_text(bins.from[bar.first])};
  write_chart(html, "Records by the size of their class", chart, "records", {}, "",
              {bins.count, "", ""});
}

void write_class_sizes(const Html& html, const Subject& subject, const Findings& findings) {
  if (findings.class_sizes.count == 0) return;
  html.raw("<section id=\"classes\"><h2>Class sizes</h2>\n<p>k is ").integer(subject.k());
  html.raw(
      ". The share of the records in classes of a size or more, up to the next; sizes grow by one "
      "ratio from bar to bar.</p>\n");
  write_size_chart(html, findings.class_sizes, subject.k(), subject.least_count());
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
