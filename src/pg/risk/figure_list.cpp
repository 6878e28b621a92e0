#include "pg/risk/figure_list.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pg/backend/session.hpp"

namespace anonkit::pg {

void Figures::add(const char* measure, const char* attribute, double value,
                  const char* explanation) {
  if (count == capacity) {
    capacity = std::max(64, 2 * capacity);
    if (list == nullptr)
      list = allocate<Figure>(capacity);
    else
      resize(list, capacity);
  }
  list[count++] = {measure, attribute, std::isfinite(value) ? value : NAN, explanation};
}

double Figures::find(const char* measure, const char* attribute) const {
  for (int i = 0; i < count; ++i) {
    const Figure& figure = list[i];
    if (std::strcmp(figure.measure, measure) != 0) continue;
    if (attribute == nullptr
            ? figure.attribute == nullptr
            : figure.attribute != nullptr && std::strcmp(figure.attribute, attribute) == 0)
      return figure.value;
  }
  return NAN;
}

FigureRows::FigureRows(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  result_ = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
}

void FigureRows::put(const Figures& figures) const {
  for (int i = 0; i < figures.count; ++i) {
    const Figure& figure = figures.list[i];
    Datum values[4] = {CStringGetTextDatum(figure.measure),
                       figure.attribute != nullptr ? CStringGetTextDatum(figure.attribute) : 0,
                       Float8GetDatum(figure.value), CStringGetTextDatum(figure.explanation)};
    bool nulls[4] = {false, figure.attribute == nullptr, std::isnan(figure.value), false};
    tuplestore_putvalues(result_->setResult, result_->setDesc, values, nulls);
  }
}

}  // namespace anonkit::pg
