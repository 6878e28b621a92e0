#pragma once

#include "pg/report/html.hpp"

namespace anonkit::pg {

/// A bar of a chart: its position on the axis in bins, its records, its label. Plain data,
/// palloc'd.
struct ChartBar {
  int first;
  int last;
  double records;
  const char* words;           ///< "20 to 30"
  const char* tick = nullptr;  ///< the label below its left edge
};
struct ChartBars {
  ChartBar* bars;
  int count;
  double records;  ///< in the relation
};

/// The labels below a chart. Plain data.
struct Axis {
  int bins;
  const char* first;
  const char* last;
};

/// A histogram as inline SVG with its figures as a text alternative: `up` above the axis, `down`
/// below it. Either may be empty. Heights are records per bin, as shares of their relation.
void write_chart(const Html& html, const char* title, const ChartBars& up, const char* up_name,
                 const ChartBars& down, const char* down_name, const Axis& axis);

/// A bar of the length of a share, for tables.
void write_share_bar(const Html& html, double share, bool masked);

}  // namespace anonkit::pg
