#include "pg/spec/spec_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

#include "model/models.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// Adds each member of an object, by its name and value.
template <class Choices, class Add>
void read_members(const char* key, const JsonbValue& value, const char* wanted, Choices& choices,
                  Add add) {
  if (!is_object(value)) wrong_type(key, wanted);
  JsonbContainer* json = value.val.binary.data;
  choices.list = static_cast<decltype(choices.list)>(
      palloc(sizeof(*choices.list) * static_cast<std::size_t>(JsonContainerSize(json) + 1)));
  JsonbIterator* it = JsonbIteratorInit(json);
  char* column;
  JsonbValue chosen;
  while (next_member(&it, &column, &chosen))
    choices.list[choices.count++] = {column, add(column, chosen)};
}

void read_hierarchies(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of columns and hierarchies", spec.hierarchies,
               [&](const char* column, const JsonbValue& hierarchy) {
                 return read_hierarchy_rule(psprintf("%s.%s", key, column), hierarchy);
               });
}

void read_population(const char* key, const JsonbValue& value, Spec& spec) {
  spec.population = relation_named(text_value(key, value, "the name of a relation"), NoLock);
}

void read_protected(const char* key, const JsonbValue& value, Spec& spec) {
  const char* const wanted = "an object of sensitive columns and arrays of labels";
  read_members(
      key, value, wanted, spec.protected_values,
      [&](const char*, const JsonbValue& labels) { return names_of(key, labels, wanted); });
}

void read_widths(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of columns and widths", spec.widths,
               [&](const char* column, const JsonbValue& width) {
                 return positive(psprintf("%s.%s", key, column), width);
               });
}

/// Tables of counts have a place for each category.
constexpr double kMostCategories = 1e6;

/// A member of a scale, or 0 without it.
double spread_in(const char* key, const JsonbValue& scale, const char* name) {
  const JsonbValue* found = value_of_key(JsonbValueToJsonb(const_cast<JsonbValue*>(&scale)), name);
  return found == nullptr ? 0 : positive(psprintf("%s.%s", key, name), *found);
}

Spread read_scale(const char* key, const JsonbValue& scale) {
  if (!is_object(scale))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("parameter \"%s\" must be an object", key),
                    errhint("A scale has a deviation and an extent, or a number of categories.")));
  const Spread read = {spread_in(key, scale, "deviation"), spread_in(key, scale, "extent"),
                       spread_in(key, scale, "categories")};
  const uint32 known =
      (read.deviation > 0 ? 1 : 0) + (read.extent > 0 ? 1 : 0) + (read.categories > 0 ? 1 : 0);
  if (JsonContainerSize(scale.val.binary.data) != known)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("parameter \"%s\" has an unknown member", key),
                    errhint("A scale has a deviation and an extent, or a number of categories.")));
  if (read.categories > kMostCategories || read.categories != std::floor(read.categories))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("%s.categories must be an integer of at most %.0f", key, kMostCategories)));
  return read;
}

void read_scales(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of columns and scales", spec.scales,
               [&](const char* column, const JsonbValue& scale) {
                 return read_scale(psprintf("%s.%s", key, column), scale);
               });
}

void read_secret_seed(const char* key, const JsonbValue& value, Spec& spec) {
  spec.secret_seed = truth(key, value);
  spec.secret_seed_told = true;
}

void read_class_column(const char* key, const JsonbValue& value, Spec& spec) {
  const char* name = text_value(key, value, "a column name");
  const std::size_t length = std::strlen(name);
  if (length == 0 || length >= NAMEDATALEN)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_NAME),
             errmsg("parameter \"%s\" must be a name of 1 to %d bytes", key, NAMEDATALEN - 1)));
  spec.class_column = name;
}

void read_orders(const char* key, const JsonbValue& value, Spec& spec) {
  const char* const wanted = "an object of columns and arrays of values";
  read_members(key, value, wanted, spec.orders, [&](const char*, const JsonbValue& values) {
    return names_of(key, values, wanted);
  });
}

/// The place of a member of a coarsening.
Numeric& member_of(const char* key, const char* name, Coarsening& coarsening) {
  if (std::strcmp(name, "round") == 0) return coarsening.round;
  if (std::strcmp(name, "bottom") == 0) return coarsening.bottom;
  if (std::strcmp(name, "top") == 0) return coarsening.top;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("unknown member \"%s\" of parameter \"%s\"", name, key),
                  errhint("A coarsening has top, bottom and round.")));
  pg_unreachable();
}

void check_coarsening(const char* key, const Coarsening& coarsening) {
  if (coarsening.round != nullptr && compare_numbers(coarsening.round, int64_to_numeric(0)) <= 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("round of parameter \"%s\" must be above 0", key)));
  if (coarsening.bottom != nullptr && coarsening.top != nullptr &&
      compare_numbers(coarsening.bottom, coarsening.top) > 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("bottom of parameter \"%s\" is above its top", key)));
}

Coarsening read_coarsening(const char* key, const JsonbValue& value) {
  const char* const wanted = "an object of numbers: top, bottom and round";
  if (!is_object(value)) wrong_type(key, wanted);
  Coarsening coarsening = {};
  JsonbIterator* it = JsonbIteratorInit(value.val.binary.data);
  char* name;
  JsonbValue number;
  while (next_member(&it, &name, &number)) {
    if (number.type != jbvNumeric) wrong_type(key, wanted);
    member_of(key, name, coarsening) = number.val.numeric;
  }
  check_coarsening(key, coarsening);
  return coarsening;
}

void read_coarsenings(const char* key, const JsonbValue& value, Spec& spec) {
  read_members(key, value, "an object of kept columns and coarsenings", spec.coarsenings,
               [&](const char* column, const JsonbValue& coarsening) {
                 return read_coarsening(psprintf("%s.%s", key, column), coarsening);
               });
}

char* list_of_models() {
  StringInfoData list;
  initStringInfo(&list);
  for (const Model& model : models())
    appendStringInfo(&list, "%s%s", list.len > 0 ? "; " : "", model.name);
  return list.data;
}

const Model& model_named(const char* name) {
  const Model* model = find_model(name);
  if (model == nullptr)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown model \"%s\"", name),
                    errhint("The models are: %s. The options of promises, such as k and l, can be "
                            "asked about, too.",
                            list_of_models())));
  return *model;
}

/// In the order of LevelDomain.
constexpr double (*kLevelReaders[])(const char* key, const JsonbValue& value) = {
    at_least_one, from_0_to_1, not_negative};

void read_asked(const char* key, const JsonbValue& value, Spec& spec) {
  struct Named {
    char* model;
    double level;
  };
  struct {
    Named* list;
    int count;
  } named = {};
  read_members(key, value, "an object of models and levels", named,
               [&](const char* name, const JsonbValue& level) {
                 return kLevelReaders[static_cast<int>(model_named(name).domain)](
                     psprintf("%s.%s", key, name), level);
               });
  spec.asked = {allocate<AskedLevel>(named.count), named.count};
  for (int i = 0; i < named.count; ++i)
    spec.asked.list[i] = {&model_named(named.list[i].model), named.list[i].level};
}

/// An error unless there is one value for each column. Columns that are not given yet have any
/// number.
void check_count(const JsonbValue& array, const Names& columns, const char* message) {
  if (columns.names == nullptr || elements(array) == columns.count) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message),
                  errdetail("The number of values is %d, that of columns %d.", elements(array),
                            columns.count)));
}

/// An array of numbers, one for each column.
double* one_for_each(const char* key, JsonbValue value, const Names& columns, const char* message,
                     double (*read)(const char*, const JsonbValue&)) {
  const JsonbValue& array = array_of(key, value, "an array of numbers");
  const int count = elements(array);
  check_count(array, columns, message);
  auto* numbers =
      static_cast<double*>(palloc(sizeof(double) * static_cast<std::size_t>(count + 1)));
  for (int i = 0; i < count; ++i)
    numbers[i] =
        read(key, *getIthJsonbValueFromContainer(array.val.binary.data, static_cast<uint32>(i)));
  return numbers;
}

/// Two numbers from 0 to 1, the second above 0 and not below the first.
void read_bounds(const char* key, JsonbValue value, double& least, double& largest) {
  const char* const wanted = "an array of two numbers";
  const JsonbValue& array = array_of(key, value, wanted);
  if (elements(array) != 2) wrong_type(key, wanted);
  least = from_0_to_1(key, element(array, 0));
  largest = above_0_to_1(key, element(array, 1));
  if (least > largest)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the first number of \"%s\" is above the second", key)));
}

/// In the order of ParameterDomain.
constexpr double (*kNumberReaders[])(const char* key, const JsonbValue& value) = {
    nullptr, at_least_one, positive, above_0_to_1, from_0_to_1};

}  // namespace

void read_suppressed(const char* key, const JsonbValue& value, SuppressedCells& suppressed) {
  const char* const wanted = "an object of columns and texts";
  suppressed = {};
  read_members(key, value, wanted, suppressed,
               [&](const char*, const JsonbValue& text) { return text_value(key, text, wanted); });
  suppressed.named = true;
}

void read_parameter(const Parameter& parameter, const JsonbValue& value, Spec& spec) {
  Promises& promises = spec.options.promises;
  const char* key = parameter.key;
  if (parameter.least != nullptr)
    read_bounds(key, value, promises.*parameter.least, promises.*parameter.number);
  else if (parameter.integer != nullptr)
    promises.*parameter.integer = positive_integer(key, value);
  else if (parameter.number != nullptr)
    promises.*parameter.number = kNumberReaders[static_cast<int>(parameter.domain)](key, value);
  else if (parameter.numbers != nullptr)
    promises.*parameter.numbers = one_for_each(
        key, value, spec.sensitive, "there must be one t for each sensitive column", above_0_to_1);
  else
    promises.variance_of = static_cast<VarianceOf>(choice(key, value, {"rare", "all"}));
}

namespace {

/// The weights of compared columns, or of a weighted sum.
void read_weights(const char* key, const JsonbValue& value, Spec& spec) {
  static constexpr char message[] = "there must be one weight for each quasi-identifier";
  if (spec.method == nullptr || spec.method->of_aggregates) {
    spec.options.aggregate.weights = one_for_each(key, value, spec.qi, message, finite);
    return;
  }
  spec.weights = one_for_each(key, value, spec.qi, message, not_negative);
  if (spec.qi.names != nullptr &&
      !(std::accumulate(spec.weights, spec.weights + spec.qi.count, 0.0) > 0))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("at least one weight must be above 0")));
}

char* list_of_methods() {
  StringInfoData list;
  initStringInfo(&list);
  for (const Method& method : methods())
    appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", method.name);
  return list.data;
}

void read_method(const char* key, const JsonbValue& value, Spec& spec) {
  if (value.type != jbvString) wrong_type(key, "a text");
  const auto length = static_cast<std::size_t>(value.val.string.len);
  spec.method = find_method({value.val.string.val, length});
  if (spec.method == nullptr)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("unknown method \"%s\"", pnstrdup(value.val.string.val, length)),
                    errhint("The methods are %s.", list_of_methods())));
}

/// By quasi-identifier: how well it identifies.
void read_identifying(const char* key, const JsonbValue& value, Spec& spec) {
  JsonbValue copy = value;
  const JsonbValue& array = array_of(key, copy, "an array of texts");
  check_count(array, spec.qi, "it must be said of each quasi-identifier how identifying it is");
  auto* identifying = static_cast<Identifying*>(
      palloc(sizeof(Identifying) * static_cast<std::size_t>(elements(array) + 1)));
  for (int i = 0; i < elements(array); ++i)
    identifying[i] = static_cast<Identifying>(
        choice(key, *getIthJsonbValueFromContainer(array.val.binary.data, static_cast<uint32>(i)),
               {"identifying", "more", "most"}));
  spec.options.generalisation.identifying = identifying;
}

void read_unit(const char* key, const JsonbValue& value, Spec& spec) {
  spec.unit = names_of(key, value);
  spec.options.counts_units = spec.unit.count > 0;
}

void read_functions(const char* key, const JsonbValue& value, Spec& spec) {
  const Names functions = names_of(key, value);
  spec.options.aggregate.functions = functions.names;
  spec.options.aggregate.count = functions.count;
}

void read_recode(const char* key, const JsonbValue& value, Spec& spec) {
  const char* names[std::size(kRecodings)];
  for (std::size_t i = 0; i < std::size(kRecodings); ++i) names[i] = kRecodings[i]->name;
  spec.options.recode = static_cast<Recode>(choice(key, value, names));
}

/// True, or a limit in seconds.
void read_lower_bound(const char* key, const JsonbValue& value, Spec& spec) {
  if (value.type == jbvNumeric) spec.options.lower_bound_seconds = positive(key, value);
  spec.options.lower_bound = value.type == jbvNumeric || truth(key, value);
}

/// Seeds are the bits of a bigint.
uint64 bits_of_integer(const char* key, const JsonbValue& value) {
  if (value.type != jbvNumeric) wrong_type(key, "an integer");
  return static_cast<uint64>(
      DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(value.val.numeric))));
}

/// The value, and a note that an option was given which has a meaning beside `transparent` only.
double of_transparency(double value, Spec& spec) {
  spec.transparency_told = true;
  return value;
}

void read_decoys(const char* key, const JsonbValue& value, Spec& spec) {
  spec.options.transparency.decoys = from_0_to_1(key, value);
  spec.decoys_told = true;
}

/// The value, and a note that an option was given which has a meaning beside `key` only.
template <class Value>
Value of_a_key(Value value, Spec& spec) {
  spec.over_time.told = true;
  return value;
}

constexpr Rule kRules[] = {
#define OPTION(name, type, fallback, read, words) \
  {#name, [](const char* key, const JsonbValue& value, Spec& spec) { read; }},
#define PROMISE(...)
#define OTHER(...)
#define LIST(...)
#define FUNCTION(...)
#define WORDS(...)
#define FORMER(...)
#include "pg/spec/options.def"
#undef OPTION
#undef FORMER
};

/// An older name of an option.
struct FormerName {
  const char* name;
  const char* key;
};

constexpr FormerName kFormerNames[] = {
#define OPTION(...)
#define FORMER(name, key, ...) {#name, #key},
#include "pg/spec/options.def"
#undef OPTION
#undef FORMER
#undef PROMISE
#undef OTHER
#undef LIST
#undef FUNCTION
#undef WORDS
};

}  // namespace

Rules spec_rules() {
  return {std::begin(kRules), std::end(kRules)};
}

namespace {

bool is_parameter(const char* key) {
  bool found = false;
  for_each_parameter(
      [&](const Parameter& parameter) { found = found || std::strcmp(parameter.key, key) == 0; });
  return found;
}

}  // namespace

bool is_option(const char* key) {
  return is_parameter(key) ||
         std::any_of(std::begin(kRules), std::end(kRules),
                     [&](const Rule& rule) { return std::strcmp(rule.key, key) == 0; });
}

bool is_promised(const char* key) {
  for (const char* other : {"k", "unit_rows", "asked"})
    if (std::strcmp(other, key) == 0) return true;
  return is_parameter(key);
}

bool is_former_name(const char* name) {
  return std::any_of(std::begin(kFormerNames), std::end(kFormerNames),
                     [&](const FormerName& former) { return std::strcmp(former.name, name) == 0; });
}

Jsonb* with_present_names(Jsonb* options) {
  for (const FormerName& former : kFormerNames) {
    const JsonbValue* value = value_of_key(options, former.name);
    if (value == nullptr) continue;
    const JsonbValue* other = value_of_key(options, former.key);
    if (other != nullptr && compare_values(*value, *other) != 0) refuse_two_values(former.key);
    JsonObject renamed;
    renamed.add_value(former.key, value);
    options = joined(without(options, former.name), renamed.finish());
  }
  return options;
}

void refuse_two_values(const char* key) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("\"%s\" is given twice, with different values", key),
                  errhint("Give it once: as an argument, in spec or in params.")));
  pg_unreachable();
}

void refuse_unknown_option(const char* key) {
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown parameter \"%s\"", key)));
  pg_unreachable();
}

}  // namespace anonkit::pg
