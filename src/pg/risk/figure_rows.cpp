#include "pg/risk/figure_rows.hpp"

#include <cmath>

namespace anonkit::pg {

FigureRows::FigureRows(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  result_ = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
}

void FigureRows::add(const char* measure, const char* attribute, double value,
                     const char* explanation) const {
  Datum values[4] = {CStringGetTextDatum(measure),
                     attribute != nullptr ? CStringGetTextDatum(attribute) : 0,
                     Float8GetDatum(value), CStringGetTextDatum(explanation)};
  bool nulls[4] = {false, attribute == nullptr, !std::isfinite(value), false};
  tuplestore_putvalues(result_->setResult, result_->setDesc, values, nulls);
}

}  // namespace anonkit::pg
