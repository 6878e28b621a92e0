// anon_audit and anon_assert: what a relation achieves under each privacy model.

#include <cmath>
#include <cstring>
#include <vector>

#include "audit.hpp"
#include "backend_ticker.hpp"
#include "json_build.hpp"
#include "promised.hpp"
#include "relation_reader.hpp"
#include "session.hpp"

extern "C" {
#include "access/xact.h"
}

namespace anonkit::pg {
namespace {

/// What was measured: of one model, for one attribute (-1: none).
struct Measured {
  const Model* model;
  int attribute;
  Level level;
};

struct Measurements {
  std::vector<Measured> list;
};

SensitiveAttribute attribute_of(const RelationData& data, const AttributeData& from) {
  SensitiveAttribute attribute;
  attribute.code_of.assign(from.codes, from.codes + data.rows);
  if (from.has_numbers) {
    attribute.scale = AttributeScale::numeric;
    attribute.numbers.assign(from.numbers, from.numbers + from.distinct - (from.has_null ? 1 : 0));
  } else if (number_type(from.type) != nullptr || type_is_enum(from.type)) {
    attribute.scale = AttributeScale::ordinal;
  }
  return attribute;
}

/// Measures every model that applies. O(rows log rows) for each attribute.
Measurements measure(const RelationData& data, const ModelParameters& parameters) {
  BackendTicker ticker;
  Measurements measured;
  const std::vector<std::int32_t> class_of(data.class_of, data.class_of + data.rows);
  const ClassHistogram sizes(class_of, ticker);
  for (const Model& model : models())
    if (model.needs == AttributeNeed::none)
      measured.list.push_back({&model, -1, model.measure(sizes, parameters, ticker)});
  for (int a = 0; a < data.attribute_count; ++a) {
    const SensitiveAttribute attribute = attribute_of(data, data.attributes[a]);
    const ClassHistogram histogram(class_of, attribute, ticker);
    for (const Model& model : models())
      if (model.needs == AttributeNeed::any ||
          (model.needs == AttributeNeed::numeric && attribute.scale == AttributeScale::numeric))
        measured.list.push_back({&model, a, model.measure(histogram, parameters, ticker)});
  }
  return measured;
}

/// The measurements of a relation, owned by the current memory context.
const Measurements& audit(Oid relation, const Names& qi, const Names& sensitive,
                          const ModelParameters& parameters, RelationData& data) {
  if (qi.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("at least one quasi-identifier is needed")));
  data = read_relation(relation, qi, sensitive);
  return own_in_context(std::make_unique<Measurements>(measure(data, parameters)));
}

/// The class that was found worst, by what is published of it: its values and its size.
Datum detail_json(const Measured& measured, Datum values, int64 size,
                  const ModelParameters& parameters) {
  JsonObject json;
  JsonbValue object;
  JsonbToJsonbValue(DatumGetJsonbP(values), &object);
  json.add_value("class", &object);
  json.add("size", size);
  if (std::strstr(measured.model->name, "(c,l)") != nullptr)
    json.add("l", static_cast<int64>(parameters.l));
  return JsonbPGetDatum(json.finish());
}

int64* class_sizes_of(const RelationData& data) {
  int32 classes = 0;
  for (int64 i = 0; i < data.rows; ++i)
    if (data.class_of[i] >= classes) classes = data.class_of[i] + 1;
  int64* sizes = allocate<int64>(classes);
  std::memset(sizes, 0, sizeof(int64) * static_cast<std::size_t>(classes));
  for (int64 i = 0; i < data.rows; ++i) ++sizes[data.class_of[i]];
  return sizes;
}

void write_measurements(Oid relation, const Names& qi, const RelationData& data,
                        const Measurements& measured, ReturnSetInfo* result) {
  const int count = static_cast<int>(measured.list.size());
  int32* worst = allocate<int32>(count);
  for (int i = 0; i < count; ++i)
    worst[i] = measured.list[static_cast<std::size_t>(i)].level.worst_class;
  const Datum* values_of_worst = read_class_values(relation, qi, worst, count);
  const int64* sizes = class_sizes_of(data);
  const ModelParameters parameters;
  for (int i = 0; i < count; ++i) {
    const Measured& one = measured.list[static_cast<std::size_t>(i)];
    Datum values[4] = {CStringGetTextDatum(one.model->name), 0, Float8GetDatum(one.level.level),
                       detail_json(one, values_of_worst[i], sizes[worst[i]], parameters)};
    bool nulls[4] = {false, one.attribute < 0, false, false};
    if (one.attribute >= 0) values[1] = CStringGetTextDatum(data.attributes[one.attribute].name);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
}

const char* promise_text(Promise promise) {
  switch (promise) {
    case Promise::at_least:
      return "at least";
    case Promise::at_most:
      return "at most";
    case Promise::less_than:
      return "less than";
  }
  return "";
}

void check_promise(Oid relation, const RelationData& data, const Measured& found,
                   const PromisedLevel& promised) {
  if (found.model != promised.model || found.model->keeps(promised.level, found.level.level) ||
      (promised.attribute != kAnyAttribute && promised.attribute != found.attribute))
    return;
  const char* attribute = found.attribute >= 0 ? data.attributes[found.attribute].name : nullptr;
  ereport(ERROR,
          (errcode(ERRCODE_CHECK_VIOLATION),
           attribute != nullptr
               ? errmsg("relation \"%s\" violates %s of column \"%s\"", get_rel_name(relation),
                        found.model->name, attribute)
               : errmsg("relation \"%s\" violates %s", get_rel_name(relation), found.model->name),
           errdetail("Promised is %s %g, found is %.6g.", promise_text(found.model->promise),
                     promised.level, found.level.level)));
}

void require_attributes(const PromisedLevels& promised, const Names& sensitive) {
  for (int i = 0; i < promised.count; ++i)
    if (promised.levels[i].model->needs != AttributeNeed::none && sensitive.count == 0)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("%s needs a sensitive column", promised.levels[i].model->name),
                      errhint("Name one in sensitive.")));
}

void assert_levels(Oid relation, const Names& qi, const Names& sensitive,
                   const PromisedLevels& promised) {
  require_attributes(promised, sensitive);
  RelationData data;
  const Measurements& measured = audit(relation, qi, sensitive, promised.parameters, data);
  for (int i = 0; i < promised.count; ++i) {
    bool applied = false;
    for (const Measured& found : measured.list) {
      check_promise(relation, data, found, promised.levels[i]);
      applied = applied || found.model == promised.levels[i].model;
    }
    if (!applied)
      ereport(ERROR,
              (errcode(ERRCODE_DATATYPE_MISMATCH),
               errmsg("%s needs a numeric sensitive column", promised.levels[i].model->name)));
  }
}

Names names_argument(FunctionCallInfo fcinfo, int argument, const char* name) {
  Names list = {nullptr, 0};
  if (PG_ARGISNULL(argument))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("%s must not be null", name)));
  Datum* elements;
  bool* nulls;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(argument), TEXTOID, -1, false, TYPALIGN_INT, &elements,
                    &nulls, &list.count);
  list.names = allocate<char*>(list.count);
  for (int i = 0; i < list.count; ++i) {
    if (nulls[i])
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("parameter \"%s\" must not contain nulls", name)));
    list.names[i] = TextDatumGetCString(elements[i]);
  }
  return list;
}

/// Places of anon_assert's arguments.
enum Argument { kRelation, kQi, kSensitive, kK, kP, kL, kEntropyL, kC, kT, kAlpha, kE };

PromisedLevels promised_by_arguments(FunctionCallInfo fcinfo) {
  PromisedLevels promised = no_promise(0);
  const bool has_l = !PG_ARGISNULL(kL);
  const bool has_c = !PG_ARGISNULL(kC);
  if (has_c && !has_l)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("recursive (c,l)-diversity needs l beside c")));
  if (has_l && has_c) promised.parameters.l = PG_GETARG_INT32(kL);
  if (!PG_ARGISNULL(kK)) promise(promised, "k-anonymity", PG_GETARG_INT32(kK));
  if (!PG_ARGISNULL(kP)) promise(promised, "p-sensitivity", PG_GETARG_INT32(kP));
  if (has_l && !has_c) promise(promised, "distinct l-diversity", PG_GETARG_INT32(kL));
  if (!PG_ARGISNULL(kEntropyL))
    promise(promised, "entropy l-diversity", PG_GETARG_FLOAT8(kEntropyL));
  if (has_c) promise(promised, "recursive (c,l)-diversity", PG_GETARG_FLOAT8(kC));
  if (!PG_ARGISNULL(kT)) promise(promised, "t-closeness", PG_GETARG_FLOAT8(kT));
  if (!PG_ARGISNULL(kAlpha)) promise(promised, "(alpha,k)-anonymity", PG_GETARG_FLOAT8(kAlpha));
  if (!PG_ARGISNULL(kE)) promise(promised, "(k,e)-anonymity", PG_GETARG_FLOAT8(kE));
  if (promised.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("nothing to assert"),
                    errhint("Give a level, such as k => 5.")));
  return promised;
}

Datum audit_relation(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Names qi = names_argument(fcinfo, kQi, "qi");
  const Names sensitive = names_argument(fcinfo, kSensitive, "sensitive");
  RelationData data;
  const Measurements& measured = audit(relation, qi, sensitive, {}, data);
  write_measurements(relation, qi, data, measured,
                     reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  close_session(session);
  return static_cast<Datum>(0);
}

Datum assert_relation(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const Session session = open_session();
  const PromisedLevels promised = promised_by_arguments(fcinfo);
  assert_levels(relation, names_argument(fcinfo, kQi, "qi"),
                names_argument(fcinfo, kSensitive, "sensitive"), promised);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace

void assert_release(Oid release, const Spec& spec) {
  // What was written a moment ago is not yet in the caller's snapshot.
  CommandCounterIncrement();
  PushCopiedSnapshot(GetActiveSnapshot());
  UpdateActiveSnapshotCommandId();
  assert_levels(release, spec.qi, spec.sensitive, promised_by(spec));
  PopActiveSnapshot();
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit) {
  return anonkit::pg::audit_relation(fcinfo);
}
ANONKIT_FUNCTION(anon_assert) {
  return anonkit::pg::assert_relation(fcinfo);
}
