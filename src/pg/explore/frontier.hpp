#pragma once

#include "pg/look/sweep.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {

/// "A", "B" ... "Z", "AA": the name of a series on the page.
const char* series_name(int series);

/// "A, k 5": the name of a point.
const char* point_name(const Point& point);

/// "microaggregate" or "microaggregate, {"l": 2}": the method of a point and its parameters, of
/// which long ones are cut.
const char* series_words(const Point& point);

/// The loss of a point, with its kind: "12.3 % of the squared error".
const char* loss_words(const Point& point);

/// The point of the first chart nearest to no risk and no loss, as drawn; -1 if none is possible.
int first_choice(const Sweep& sweep);

/// A chart of the mean risk and the loss of all feasible points, with a radio button each; one
/// chart of squared errors, and one of NCP. `chosen` is the point that is chosen first.
void write_frontier(const Html& html, const Sweep& sweep, int chosen);

/// All combinations as a table, with the errors of infeasible ones.
void write_points(const Html& html, const Sweep& sweep);

}  // namespace anonkit::pg
