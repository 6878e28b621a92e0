#include "pg/read/sampling_weights.hpp"

#include "pg/backend/session.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/source.hpp"

namespace anonkit::pg {
namespace {

/// Dates and timestamps are numbers to the core, but count nothing.
bool counts(Oid type) {
  return number_type(type) != nullptr && type != DATEOID && type != TIMESTAMPOID &&
         type != TIMESTAMPTZOID;
}

}  // namespace

SamplingWeights make_weights(TupleDesc descriptor, const char* name, int64 capacity) {
  SamplingWeights weights = {};
  if (name == nullptr) return weights;
  Form_pg_attribute attribute = TupleDescAttr(descriptor, find_column(descriptor, name) - 1);
  weights.name = pstrdup(NameStr(attribute->attname));
  weights.type = getBaseType(attribute->atttypid);
  if (!counts(weights.type))
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("sampling weights in column \"%s\" are not numbers", weights.name),
                    errdetail("The column is of type %s.", format_type_be(attribute->atttypid))));
  weights.values = allocate<double>(capacity);
  weights.capacity = capacity;
  return weights;
}

void grow_weights(SamplingWeights& weights, int64 capacity, MemoryCount* memory) {
  if (weights.name == nullptr) return;
  if (memory != nullptr)
    count_memory(*memory, (capacity - weights.capacity) * static_cast<int64>(sizeof(double)));
  resize(weights.values, capacity);
  weights.capacity = capacity;
}

void add_weight(SamplingWeights& weights, int64 row, const TupleTableSlot* slot, int attribute) {
  if (weights.name == nullptr) return;
  weights.values[row] = 0;
  if (slot->tts_isnull[attribute]) {
    ++weights.nulls;
    return;
  }
  bool finite = true;
  weights.values[row] = number_of(weights.type, slot->tts_values[attribute], &finite);
  if (!finite || !(weights.values[row] >= 1)) ++weights.no_weight;
}

void settle_weights(const SamplingWeights& weights, int64 rows) {
  constexpr double kLargestPopulation = 1e15;
  if (weights.name == nullptr) return;
  if (weights.nulls + weights.no_weight > 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("column \"%s\" has values that are no sampling weights", weights.name),
                    errdetail("Number of nulls: " INT64_FORMAT
                              ", of numbers below 1 or not finite: " INT64_FORMAT ".",
                              weights.nulls, weights.no_weight),
                    errhint("A weight is the number of records of the population that a record "
                            "stands for, itself included.")));
  double sum = 0;
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    sum += weights.values[row];
  }
  if (!(sum <= kLargestPopulation))
    ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                    errmsg("the sampling weights of column \"%s\" are too large", weights.name),
                    errdetail("Their sum, the size of the population, is above 1e15.")));
}

}  // namespace anonkit::pg
