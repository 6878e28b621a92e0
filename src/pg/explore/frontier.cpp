#include "pg/explore/frontier.hpp"

#include <cmath>

#include "utility/histogram.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace anonkit::pg {
namespace {

/// The extent of a chart: risk on a logarithmic scale from left to right, loss from 0 upwards.
/// Plain data.
struct Scale {
  double least_risk;
  double most_risk;
  double most_loss;

  double x(double risk) const {
    return 100 * std::log(risk / least_risk) / std::log(most_risk / least_risk);
  }
  double y(double loss) const { return 100 * loss / most_loss; }
};

bool is_drawn(const Point& point, bool by_ncp) {
  return point.error == nullptr && point.by_ncp() == by_ncp && !std::isnan(point.cost()) &&
         point.mean_risk > 0;
}

/// The extent of the points of a chart, with a margin; most_risk is 0 without points.
Scale scale_of(const Sweep& sweep, bool by_ncp) {
  Scale scale = {INFINITY, 0, 0};
  for (int i = 0; i < sweep.count; ++i) {
    const Point& point = sweep.points[i];
    if (!is_drawn(point, by_ncp)) continue;
    scale.least_risk = std::fmin(scale.least_risk, point.mean_risk);
    scale.most_risk = std::fmax(scale.most_risk, point.mean_risk);
    scale.most_loss = std::fmax(scale.most_loss, point.cost());
  }
  const double margin = std::pow(std::fmax(scale.most_risk / scale.least_risk, 1.5), 0.08);
  scale.least_risk /= margin;
  scale.most_risk *= margin;
  scale.most_loss = scale.most_loss > 0 ? 1.1 * scale.most_loss : 1;
  return scale;
}

void write_tick(const Html& html, bool horizontal, double place, double share) {
  if (horizontal)
    html.raw("<span class=\"tick x\" style=\"left:");
  else
    html.raw("<span class=\"tick y\" style=\"bottom:");
  html.coordinate(place).raw("%\">").text(share_text(share)).raw("</span>");
}

void write_grid_line(const Html& html, bool vertical, double place) {
  if (vertical)
    html.raw("<line class=\"grid\" y1=\"0\" y2=\"100\" x1=\"").coordinate(place).raw("\" x2=\"");
  else
    html.raw("<line class=\"grid\" x1=\"0\" x2=\"100\" y1=\"").coordinate(place).raw("\" y2=\"");
  html.coordinate(place).raw("\"/>");
}

/// Calls back with the risks that have a label: 1, 2, 5, 10 per cent and so on, or multiples of one
/// step where these are too far apart.
template <class Visit>
void for_each_risk(const Scale& scale, const Visit& visit) {
  constexpr double kFew = 6;
  constexpr int kSteps = 4;
  const bool far_apart = scale.most_risk < kFew * scale.least_risk;
  const double step = round_width((scale.most_risk - scale.least_risk) / kSteps);
  double risk =
      far_apart ? std::ceil(scale.least_risk / step) * step : round_width(scale.least_risk);
  while (risk <= scale.most_risk) {
    visit(risk);
    risk = far_apart ? risk + step : round_width(1.5 * risk);
  }
}

template <class Visit>
void for_each_loss(const Scale& scale, const Visit& visit) {
  constexpr int kSteps = 5;
  const double step = round_width(scale.most_loss / kSteps);
  for (double loss = 0; loss <= scale.most_loss; loss += step) visit(loss);
}

void write_axes(const Html& html, const Scale& scale) {
  for_each_risk(scale, [&](double risk) { write_tick(html, true, scale.x(risk), risk); });
  for_each_loss(scale, [&](double loss) { write_tick(html, false, scale.y(loss), loss / 100); });
}

/// The grid, and a line through the points of each series. The points themselves are buttons.
void write_lines(const Html& html, const Sweep& sweep, const Scale& scale, bool by_ncp) {
  html.raw("<svg aria-hidden=\"true\" viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\">");
  for_each_risk(scale, [&](double risk) { write_grid_line(html, true, scale.x(risk)); });
  for_each_loss(scale, [&](double loss) { write_grid_line(html, false, 100 - scale.y(loss)); });
  int series = -1;
  for (int i = 0; i < sweep.count; ++i) {
    const Point& point = sweep.points[i];
    if (!is_drawn(point, by_ncp)) continue;
    if (point.series != series) {
      if (series >= 0) html.raw("\"/>");
      html.raw("<polyline points=\"");
    }
    series = point.series;
    html.coordinate(scale.x(point.mean_risk)).raw(",");
    html.coordinate(100 - scale.y(point.cost())).raw(" ");
  }
  if (series >= 0) html.raw("\"/>");
  html.raw("</svg>\n");
}

const char* point_words(const Sweep& sweep, int at) {
  const Point& point = sweep.points[at];
  return psprintf("%s: %s; loss %s; mean risk %s; largest risk %s%s", point_name(point),
                  series_words(point), loss_words(point), share_text(point.mean_risk),
                  share_text(point.largest_risk),
                  is_on_frontier(sweep, at) ? "; on the frontier" : "");
}

/// A point's place in per cent of the chart. Plain data.
struct Place {
  int point;
  double x;
  double y;
};

/// The drawn points of a chart from left to right, so that arrow keys follow the axis.
struct Places {
  Place* list;
  int count;
};

Places places_of(const Sweep& sweep, const Scale& scale, bool by_ncp) {
  Places places = {allocate<Place>(sweep.count), 0};
  for (int i = 0; i < sweep.count; ++i) {
    const Point& point = sweep.points[i];
    if (is_drawn(point, by_ncp))
      places.list[places.count++] = {i, scale.x(point.mean_risk), scale.y(point.cost())};
  }
  std::stable_sort(places.list, places.list + places.count,
                   [](const Place& a, const Place& b) { return a.x < b.x; });
  return places;
}

void write_button(const Html& html, const Sweep& sweep, int at, bool chosen) {
  const char* words = point_words(sweep, at);
  if (is_on_frontier(sweep, at))
    html.raw("<label class=\"mark on\" title=\"");
  else
    html.raw("<label class=\"mark\" title=\"");
  html.text(words).raw("\"><input type=\"radio\" name=\"point\" id=\"p").integer(at);
  html.raw("\" aria-label=\"").text(words);
  if (chosen)
    html.raw("\" checked><span>");
  else
    html.raw("\"><span>");
  html.text(series_name(sweep.points[at].series)).raw("</span></label>");
}

/// Points that would hide each other stand side by side, at the place of the first.
void write_buttons(const Html& html, const Sweep& sweep, const Places& places, int chosen) {
  constexpr double kWidth = 3;
  constexpr double kHeight = 4;
  bool* done = allocate<bool>(places.count);
  std::fill_n(done, places.count, false);
  for (int i = 0; i < places.count; ++i) {
    if (done[i]) continue;
    const Place& first = places.list[i];
    html.raw("<div class=\"marks\" style=\"left:").coordinate(first.x).raw("%;bottom:");
    html.coordinate(first.y).raw("%\">");
    for (int j = i; j < places.count; ++j) {
      const Place& other = places.list[j];
      if (done[j] || other.x - first.x > kWidth || std::fabs(other.y - first.y) > kHeight) continue;
      done[j] = true;
      write_button(html, sweep, other.point, other.point == chosen);
    }
    html.raw("</div>\n");
  }
}

void write_panel(const Html& html, const Sweep& sweep, bool by_ncp, int chosen) {
  const Scale scale = scale_of(sweep, by_ncp);
  if (!(scale.most_risk > 0)) return;
  html.raw("<fieldset><legend>Loss: ");
  if (by_ncp)
    html.raw("share of its domain that a cell covers (NCP)");
  else
    html.raw("share of the squared error of one mean for everybody");
  html.raw("</legend>\n<div class=\"plot\">\n");
  write_lines(html, sweep, scale, by_ncp);
  write_axes(html, scale);
  write_buttons(html, sweep, places_of(sweep, scale, by_ncp), chosen);
  html.raw("</div>\n<p class=\"axis\">Mean re-identification risk of the records</p></fieldset>\n");
}

void write_series(const Html& html, const Sweep& sweep) {
  html.raw("<ul class=\"series\">");
  int series = -1;
  for (int i = 0; i < sweep.count; ++i) {
    const Point& point = sweep.points[i];
    if (point.series == series) continue;
    series = point.series;
    html.raw("<li><b>").text(series_name(series)).raw("</b> ");
    html.text(series_words(point)).raw("</li>");
  }
  html.raw("</ul>\n");
}

constexpr const char* kColumns[] = {"Point",     "Promises", "Loss",       "Largest risk",
                                    "Mean risk", "Classes",  "Suppressed", "Frontier"};

void write_point_row(const Html& html, const Sweep& sweep, int at) {
  const Point& point = sweep.points[at];
  html.raw("<tr id=\"r").integer(at).raw("\"><td data-label=\"Point\">");
  if (point.error != nullptr) {
    html.text(point_name(point)).raw("</td><td colspan=\"7\" data-label=\"Not possible\">");
    html.text(point.error).raw("</td></tr>\n");
    return;
  }
  html.raw("<label for=\"p").integer(at).raw("\">").text(point_name(point)).raw("</label></td>");
  html.cell(kColumns[1], point.promises)
      .cell(kColumns[2],
            psprintf("%s%s", share_text(point.cost() / 100), point.by_ncp() ? " NCP" : ""));
  html.cell(kColumns[3], share_text(point.largest_risk));
  html.cell(kColumns[4], share_text(point.mean_risk));
  html.cell(kColumns[5], count_text(point.figures.classes));
  html.cell(kColumns[6], count_text(point.figures.suppressed));
  html.cell(kColumns[7], is_on_frontier(sweep, at) ? "yes" : "no").raw("</tr>\n");
}

}  // namespace

const char* series_name(int series) {
  constexpr int kLetters = 26;
  const char* last = psprintf("%c", 'A' + series % kLetters);
  return series < kLetters ? last : psprintf("%s%s", series_name(series / kLetters - 1), last);
}

const char* point_name(const Point& point) {
  const char* series = series_name(point.series);
  return point.k_is_null ? series : psprintf("%s, k %d", series, DatumGetInt32(point.k));
}

const char* series_words(const Point& point) {
  constexpr int kLongest = 120;
  const char* method = point.method != nullptr ? point.method : "microaggregate";
  if (JB_ROOT_COUNT(point.params) == 0) return method;
  const char* params = JsonbToCString(nullptr, &point.params->root, VARSIZE(point.params));
  const auto length = static_cast<int>(std::strlen(params));
  if (length <= kLongest) return psprintf("%s, %s", method, params);
  return psprintf("%s, %.*s ...", method, pg_mbcliplen(params, length, kLongest), params);
}

const char* loss_words(const Point& point) {
  return psprintf("%s %s", share_text(point.cost() / 100),
                  point.by_ncp() ? "NCP" : "of the squared error");
}

int first_choice(const Sweep& sweep) {
  for (const bool by_ncp : {false, true}) {
    const Places places = places_of(sweep, scale_of(sweep, by_ncp), by_ncp);
    const auto distance = [](const Place& place) { return std::hypot(place.x, place.y); };
    const Place* nearest =
        std::min_element(places.list, places.list + places.count,
                         [&](const Place& a, const Place& b) { return distance(a) < distance(b); });
    if (places.count > 0) return nearest->point;
  }
  return -1;
}

void write_frontier(const Html& html, const Sweep& sweep, int chosen) {
  html.raw("<section id=\"frontier\"><h2>Risk and loss</h2>\n");
  if (chosen < 0) {
    html.raw(
        "<p class=\"bad\">&#10007; No combination is possible. The table has the reasons.</p>"
        "</section>\n");
    return;
  }
  html.raw(
      "<p>Each point is a release that was computed and verified, but not written. Further left is "
      "less risk, further down less loss. No other point has less of both than a filled one: these "
      "are the frontier. Choose a point by pointer or arrow keys.</p>\n");
  write_series(html, sweep);
  write_panel(html, sweep, false, chosen);
  write_panel(html, sweep, true, chosen);
  html.raw("</section>\n");
}

void write_points(const Html& html, const Sweep& sweep) {
  html.raw("<section id=\"points\"><h2>All combinations</h2>\n<table>");
  html.head(kColumns, static_cast<int>(std::size(kColumns))).raw("<tbody>\n");
  for (int i = 0; i < sweep.count; ++i) write_point_row(html, sweep, i);
  html.raw("</tbody></table>\n</section>\n");
}

}  // namespace anonkit::pg
