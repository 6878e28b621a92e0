#include "pg/report/chart.hpp"

#include <cmath>

namespace anonkit::pg {
namespace {

constexpr double kWidth = 720;
constexpr double kPlot = 664;  // the labels of the y-scale are beside it
constexpr double kHalf = 90;
constexpr double kMargin = 26;
constexpr double kBelow = 20;  // room for the large letters of a narrow screen

double share_per_bin(const ChartBars& bars, int i) {
  const ChartBar& bar = bars.bars[i];
  return bars.records > 0 ? bar.records / bars.records / (bar.last - bar.first + 1) : 0;
}

double largest_share(const ChartBars& bars) {
  double largest = 0;
  for (int i = 0; i < bars.count; ++i) largest = std::fmax(largest, share_per_bin(bars, i));
  return largest;
}

void write_bars(const Html& html, const ChartBars& bars, bool up, double middle, double scale,
                const Axis& axis) {
  for (int i = 0; i < bars.count; ++i) {
    const double height = share_per_bin(bars, i) * scale;
    if (height <= 0) continue;
    const double left = kPlot * bars.bars[i].first / axis.bins;
    const double right = kPlot * (bars.bars[i].last + 1) / axis.bins;
    if (up)
      html.raw("<rect class=\"before\"");
    else
      html.raw("<rect class=\"after\"");
    html.raw(" x=\"").coordinate(left + 0.5).raw("\" width=\"").coordinate(right - left - 1);
    html.raw("\" y=\"")
        .coordinate(up ? middle - height : middle + 1)
        .raw("\" height=\"")
        .coordinate(height)
        .raw("\"/>");
  }
}

/// Narrow screens show every second label.
void write_ticks(const Html& html, const ChartBars& bars, double y, const Axis& axis) {
  for (int i = 0; i < bars.count; ++i)
    if (bars.bars[i].tick != nullptr) {
      if (i % 2 == 0)
        html.raw("<text x=\"");
      else
        html.raw("<text class=\"minor\" x=\"");
      html.coordinate(kPlot * bars.bars[i].first / axis.bins + 2)
          .raw("\" y=\"")
          .coordinate(y)
          .raw("\">")
          .text(bars.bars[i].tick)
          .raw("</text>");
    }
}

void describe_bars(const Html& html, const ChartBars& bars, const char* name) {
  if (bars.count == 0) return;
  html.text(name).raw(": ");
  bool first = true;
  for (int i = 0; i < bars.count; ++i) {
    if (bars.bars[i].records <= 0) continue;
    if (!first) html.raw("; ");
    first = false;
    html.text(bars.bars[i].words).raw(": ").text(share_text(bars.bars[i].records / bars.records));
  }
  html.raw(". ");
}

/// The y-scale: a line at the largest share, with its figure, and one at the half.
void write_scale(const Html& html, double largest, double top, double half, bool up) {
  for (const double part : {1.0, 0.5}) {
    const double y = up ? top + half * (1 - part) : top + half * part;
    html.raw("<line class=\"grid\" x1=\"0\" x2=\"").coordinate(kPlot).raw("\" y1=\"").coordinate(y);
    html.raw("\" y2=\"").coordinate(y).raw("\"/><text text-anchor=\"end\" x=\"");
    html.coordinate(kWidth).raw("\" y=\"").coordinate(y + 4).raw("\">");
    html.text(share_text(largest * part)).raw("</text>");
  }
}

void write_name(const Html& html, const char* name, double y) {
  html.raw("<text x=\"2\" y=\"").coordinate(y).raw("\">").text(name).raw("</text>");
}

}  // namespace

void write_chart(const Html& html, const char* title, const ChartBars& up, const char* up_name,
                 const ChartBars& down, const char* down_name, const Axis& axis) {
  const double largest = std::fmax(largest_share(up), largest_share(down));
  const double scale = largest > 0 ? kHalf / largest : 0;
  const double middle = up.count > 0 ? kMargin + kHalf : kMargin;
  const double bottom = down.count > 0 ? middle + 1 + kHalf + kMargin : middle + 4;
  html.raw("<figure><figcaption>").text(title).raw("</figcaption>\n");
  html.raw("<svg role=\"img\" viewBox=\"0 0 ")
      .coordinate(kWidth)
      .raw(" ")
      .coordinate(bottom + kBelow + 6);
  html.raw("\"><title>").text(title).raw("</title><desc>");
  describe_bars(html, up, up_name);
  describe_bars(html, down, down_name);
  html.raw("</desc>\n");
  if (up.count > 0 && largest > 0) write_scale(html, largest, middle - kHalf, kHalf, true);
  if (down.count > 0 && largest > 0) write_scale(html, largest, middle + 1, kHalf, false);
  write_bars(html, up, true, middle, scale, axis);
  write_bars(html, down, false, middle, scale, axis);
  html.raw("<line x1=\"0\" x2=\"").coordinate(kPlot).raw("\" y1=\"").coordinate(middle + 0.5);
  html.raw("\" y2=\"").coordinate(middle + 0.5).raw("\"/>");
  if (up.count > 0) write_name(html, up_name, kMargin - 6);
  if (down.count > 0) write_name(html, down_name, bottom - 6);
  write_ticks(html, up, bottom + kBelow, axis);
  write_name(html, axis.first, bottom + kBelow);
  html.raw("<text text-anchor=\"end\" x=\"").coordinate(kPlot).raw("\" y=\"");
  html.coordinate(bottom + kBelow).raw("\">").text(axis.last).raw("</text></svg>\n</figure>\n");
}

void write_share_bar(const Html& html, double share, bool masked) {
  html.raw(
      "<svg class=\"bar\" aria-hidden=\"true\" viewBox=\"0 0 100 8\" "
      "preserveAspectRatio=\"none\"><rect class=\"");
  if (masked)
    html.raw("after");
  else
    html.raw("before");
  html.raw("\" height=\"8\" width=\"").coordinate(100 * share).raw("\"/></svg>");
}

}  // namespace anonkit::pg
