// anon_sweep: the loss and the risk of each combination of methods, ks and parameters, and what the
// form of a release and the code tell of single cells.

#include "pg/look/sweep.hpp"

#include "model/counts.hpp"
#include "model/record_risk.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/look/replayed_cells.hpp"
#include "pg/release/verify.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/promised_levels.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// The elements of an array argument; a null argument is one null element. Plain data.
struct Elements {
  Datum* values;
  bool* nulls;
  int count;
};

Elements elements_of(FunctionCallInfo fcinfo, const char* name, Oid type) {
  Elements elements = {allocate<Datum>(1), allocate<bool>(1), 1};
  elements.values[0] = 0;
  elements.nulls[0] = true;
  const int place = argument_place(fcinfo, name);
  if (PG_ARGISNULL(place)) return elements;
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(type, &length, &by_value, &align);
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(place), type, length, by_value, align, &elements.values,
                    &elements.nulls, &elements.count);
  return elements;
}

/// The objects of params, an object or an array of objects.
Elements params_of(FunctionCallInfo fcinfo) {
  const int place = argument_place(fcinfo, "params");
  const Datum params = PG_ARGISNULL(place) ? DirectFunctionCall1(jsonb_in, CStringGetDatum("null"))
                                           : PG_GETARG_DATUM(place);
  Jsonb* json = DatumGetJsonbP(params);
  if (!JB_ROOT_IS_ARRAY(json) || JB_ROOT_IS_SCALAR(json)) {
    Elements one = {allocate<Datum>(1), nullptr, 1};
    one.values[0] = params;
    return one;
  }
  const auto count = static_cast<int>(JB_ROOT_COUNT(json));
  Elements elements = {allocate<Datum>(count), nullptr, count};
  for (int i = 0; i < count; ++i)
    elements.values[i] = JsonbPGetDatum(
        JsonbValueToJsonb(getIthJsonbValueFromContainer(&json->root, static_cast<uint32>(i))));
  return elements;
}

Jsonb* spec_of(const Sweep& sweep, const Point& point) {
  JsonObject json;
  if (!point.k_is_null) json.add_datum("k", point.k, INT4OID);
  if (point.method != nullptr) json.add("method", point.method);
  return spec_of_evaluation(point.fcinfo, json.finish(), point.params, sweep.preferred);
}

/// The share of cells that an adversary determines by subtraction who knows all others: a release
/// by swapping has every column as it is, but for those with blanked numbers.
void subtract(Point& point, const Run& run) {
  const auto d = static_cast<std::size_t>(run.source.quasi_identifiers);
  std::size_t exact = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const bool number = run.source.columns[j].number_type != nullptr;
    int64 published = 0, present = 0;
    for (int64 row = 0; row < run.loaded.rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      const Datum* cells = run.cells_of(row);
      if (cells != nullptr && !run.nulls_of(cells)[j]) ++published;
      if (!is_null(run.loaded.quasi_identifiers.value(row, static_cast<int>(j)))) ++present;
    }
    if (!number || published == present) ++exact;
  }
  point.by_form = point.by_code = static_cast<double>(exact) / static_cast<double>(d);
}

constexpr char kOfSwapping[] =
    "The loss is that of the means of the private classes; exchanged values have no ncp. The risks "
    "are for an adversary who knows these classes, the quasi-identifiers of everybody and the "
    "code.";
constexpr char kOfSecret[] =
    "Nobody can replay a secret seed, so determined_by_form and determined_by_code are null.";

/// The remarks about a point whose cells are or would be attacked.
const char* remarks_of(int cells, const Spec& spec) {
  if (is_swapped(spec))
    return cells == 0 ? kOfSwapping
                      : psprintf(
                            "%s A column without blanked numbers is published as it is: "
                            "whoever knows all other cells has the last one by subtraction.",
                            kOfSwapping);
  if (cells == 0) return nullptr;
  if (spec.secret_seed) return kOfSecret;
  const char* what = not_replayed(spec);
  return what == nullptr ? nullptr : psprintf("The cells of %s are not replayed.", what);
}

/// The shares of drawn cells that an adversary determines who knows all others.
void attack(Point& point, int cells, const Spec& spec, const Run& run) {
  if (cells == 0) return;
  if (is_swapped(spec)) subtract(point, run);
  if (spec.secret_seed || not_replayed(spec) != nullptr) return;
  CellReplayOptions how;
  how.cells = cells;
  how.persons = how.classes = 0;
  how.seed = spec.options.seed;
  Source source = {};
  int attacked = 0, form = 0, code = 0;
  for (const ReplayedCells& cell :
       replayed_cells(relation_argument(point.fcinfo), spec, how, source)) {
    ++attacked;
    form += cell.form == 1 ? 1 : 0;
    code += cell.code == 1 ? 1 : 0;
  }
  if (attacked == 0) return;
  point.by_form = static_cast<double>(form) / attacked;
  point.by_code = static_cast<double>(code) / attacked;
}

/// Sets the risks of the published records. Members of a class are persons if several records
/// belong to one.
void set_risks(Point& point, const Run& run) {
  BackendTicker ticker;
  const JudgedRows published = published_rows(run);
  if (published.rows.empty()) return;
  const ClassHistogram classes(published.class_of, ticker, published.unit_of);
  point.largest_risk = 1 / k_anonymity(classes, ticker).level;
  point.mean_risk = mean_risk(classes, ticker).level;
}

/// The evaluation of one combination. Plain data.
struct Evaluation {
  Sweep* sweep;
  int point;
  const RunObserver* observer;
};

void evaluate(void* state) {
  const auto& [sweep, at, observer] = *static_cast<Evaluation*>(state);
  Point& point = sweep->points[at];
  const Session session = open_session();
  Jsonb* json = spec_of(*sweep, point);
  const Spec spec = read_spec(json);
  const Run run = run_pipeline(relation_argument(point.fcinfo), spec, Spool::fingerprints);
  point.figures = figures_of(run);
  set_risks(point, run);
  attack(point, sweep->cells, spec, run);
  if (observer->see != nullptr) observer->see(*sweep, at, json, run, observer->state);
  // The session's memory ends with it.
  MemoryContext inner = MemoryContextSwitchTo(session.outer);
  point.promises = promise_words(spec);
  point.remarks = remarks_of(sweep->cells, spec);
  MemoryContextSwitchTo(inner);
  close_session(session);
}

/// True for an error about arguments or data, which says that the combination is not possible.
bool says_infeasible(const ErrorData& error) {
  return ERRCODE_TO_CATEGORY(error.sqlerrcode) == ERRCODE_DATA_EXCEPTION ||
         error.sqlerrcode == ERRCODE_CHECK_VIOLATION;
}

/// A failed evaluation leaves its memory behind.
void evaluate_apart(Evaluation& evaluation) {
  Point& point = evaluation.sweep->points[evaluation.point];
  MemoryContext context =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit sweep", ALLOCSET_DEFAULT_SIZES);
  MemoryContext outer = MemoryContextSwitchTo(context);
  ErrorData* error = attempt(evaluate, &evaluation);
  if (error != nullptr && !says_infeasible(*error)) ReThrowError(error);
  MemoryContextSwitchTo(outer);
  if (error != nullptr) point.error = pstrdup(error->message);
  if (point.promises != nullptr) point.promises = pstrdup(point.promises);
  if (point.remarks != nullptr) point.remarks = pstrdup(point.remarks);
  MemoryContextDelete(context);
}

}  // namespace

Sweep sweep_of(FunctionCallInfo fcinfo, int32 most) {
  const Elements methods = elements_of(fcinfo, "methods", TEXTOID);
  const Elements ks = elements_of(fcinfo, "ks", INT4OID);
  const Elements params = params_of(fcinfo);
  const int64 all = int64{methods.count} * ks.count * params.count;
  if (all > most)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%lld combinations are too many", static_cast<long long>(all)),
                    errhint("Try at most %d at a time.", most)));
  Sweep sweep = {allocate<Point>(all), 0, 0, JsonObject().finish()};
  for (int m = 0; m < methods.count; ++m)
    for (int p = 0; p < params.count; ++p)
      for (int i = 0; i < ks.count; ++i)
        sweep.points[sweep.count++] = {
            fcinfo,
            m * params.count + p,
            methods.nulls[m] ? nullptr : TextDatumGetCString(methods.values[m]),
            ks.values[i],
            ks.nulls[i],
            DatumGetJsonbP(params.values[p]),
            {},
            NAN,
            NAN,
            NAN,
            NAN,
            nullptr,
            nullptr,
            nullptr};
  return sweep;
}

void evaluate_sweep(Sweep& sweep, const RunObserver& observer) {
  for (int i = 0; i < sweep.count; ++i) {
    Evaluation evaluation = {&sweep, i, &observer};
    evaluate_apart(evaluation);
  }
}

bool is_on_frontier(const Sweep& sweep, int point) {
  const Point& one = sweep.points[point];
  if (one.error != nullptr || std::isnan(one.cost())) return false;
  for (int i = 0; i < sweep.count; ++i) {
    const Point& other = sweep.points[i];
    if (other.error != nullptr || other.by_ncp() != one.by_ncp()) continue;
    if (other.cost() <= one.cost() && other.mean_risk <= one.mean_risk &&
        (other.cost() < one.cost() || other.mean_risk < one.mean_risk))
      return false;
  }
  return true;
}

namespace {

void write_point(const Sweep& sweep, int at, ReturnSetInfo* result) {
  const Point& point = sweep.points[at];
  const Figures& figures = point.figures;
  const bool failed = point.error != nullptr;
  const auto absent = [failed](double figure) { return failed || std::isnan(figure); };
  Datum values[] = {point.method != nullptr ? CStringGetTextDatum(point.method) : 0,
                    point.k,
                    JsonbPGetDatum(point.params),
                    Float8GetDatum(figures.loss),
                    Float8GetDatum(figures.ncp),
                    Float8GetDatum(point.largest_risk),
                    Float8GetDatum(point.mean_risk),
                    Int64GetDatum(static_cast<int64>(figures.classes)),
                    Int64GetDatum(static_cast<int64>(figures.suppressed)),
                    Float8GetDatum(figures.seconds),
                    BoolGetDatum(is_on_frontier(sweep, at)),
                    Float8GetDatum(point.by_form),
                    Float8GetDatum(point.by_code),
                    failed ? CStringGetTextDatum(point.error) : 0,
                    failed ? 0 : CStringGetTextDatum(point.promises),
                    failed || point.remarks == nullptr ? 0 : CStringGetTextDatum(point.remarks)};
  bool nulls[] = {point.method == nullptr,
                  point.k_is_null,
                  false,
                  absent(figures.loss),
                  absent(figures.ncp),
                  absent(point.largest_risk),
                  absent(point.mean_risk),
                  failed,
                  failed,
                  failed,
                  false,
                  absent(point.by_form),
                  absent(point.by_code),
                  !failed,
                  failed || point.promises[0] == '\0',
                  failed || point.remarks == nullptr};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum sweep(FunctionCallInfo fcinfo) {
  relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  constexpr int kMostCells = 100000;
  const int cells = count_argument(fcinfo, "cells", 0, kMostCells);
  Sweep sweep = sweep_of(fcinfo, INT_MAX);
  sweep.cells = cells;
  evaluate_sweep(sweep, {});
  for (int i = 0; i < sweep.count; ++i)
    write_point(sweep, i, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_sweep) {
  return anonkit::pg::sweep(fcinfo);
}
