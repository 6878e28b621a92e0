#include "pg/backend/decimal.hpp"

extern "C" {
#include "common/shortest_dec.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

Datum numeric_of(char* text) {
  return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
                             Int32GetDatum(-1));
}

}  // namespace

Datum shortest_numeric(double number) {
  char text[DOUBLE_SHORTEST_DECIMAL_LEN];
  double_to_shortest_decimal_buf(number, text);
  return numeric_of(text);
}

Datum shortest_numeric(float number) {
  char text[FLOAT_SHORTEST_DECIMAL_LEN];
  float_to_shortest_decimal_buf(number, text);
  return numeric_of(text);
}

}  // namespace anonkit::pg
