#include "pg/spec/hierarchy_rule.hpp"

#include <cstring>

#include "pg/backend/session.hpp"

extern "C" {
#include "mb/pg_wchar.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

constexpr const char* kKinds[] = {"prefix", "range", "date", "cuts", "table"};
constexpr int kKindCount = sizeof kKinds / sizeof kKinds[0];
/// The keys of each kind.
constexpr const char* kKeys[kKindCount][4] = {{"prefix", "step", "mask", nullptr},
                                              {"range", "origin", "low", "high"},
                                              {"date"},
                                              {"cuts"},
                                              {"table", "columns", nullptr, nullptr}};

/// The JSON object of a hierarchy, and the prefix of its parameters in errors.
struct Given {
  const char* path;
  JsonbContainer* json;

  char* key(const char* name) const {
    return path[0] != '\0' ? psprintf("%s.%s", path, name) : pstrdup(name);
  }
  JsonbValue* find(const char* name) const {
    JsonbValue* value =
        getKeyJsonValueFromContainer(json, name, static_cast<int>(std::strlen(name)), nullptr);
    return value == nullptr || value->type == jbvNull ? nullptr : value;
  }
};

[[noreturn]] void refuse(const char* message, const char* detail = nullptr,
                         const char* hint = nullptr) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message),
                  detail != nullptr ? errdetail("%s", detail) : 0,
                  hint != nullptr ? errhint("%s", hint) : 0));
  pg_unreachable();
}

[[noreturn]] void refuse_tree(const char* detail, const char* hint = nullptr) {
  refuse("the hierarchy is not a tree", detail, hint);
}

bool has_key(int kind, const char* key) {
  for (const char* name : kKeys[kind])
    if (name != nullptr && std::strcmp(name, key) == 0) return true;
  return false;
}

void check_keys(const Given& given, int kind) {
  JsonbIterator* it = JsonbIteratorInit(given.json);
  char* key;
  JsonbValue value;
  while (next_member(&it, &key, &value))
    if (!has_key(kind, key))
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("unknown parameter \"%s\"", given.key(key)),
                      errdetail("A hierarchy of kind \"%s\" does not have it.", kKinds[kind])));
}

HierarchyKind kind_of(const Given& given) {
  for (int kind = 0; kind < kKindCount; ++kind) {
    if (given.find(kKinds[kind]) == nullptr) continue;
    check_keys(given, kind);
    return static_cast<HierarchyKind>(kind);
  }
  refuse(psprintf("%s is of no known kind",
                  given.path[0] != '\0' ? psprintf("\"%s\"", given.path) : "the hierarchy"),
         nullptr, "Give one of \"prefix\", \"range\", \"date\", \"cuts\" and \"table\".");
}

// ---- numbers ---------------------------------------------------------------------------------

Datum datum(Numeric number) {
  return NumericGetDatum(number);
}

Numeric remainder(Numeric a, Numeric b) {
  return DatumGetNumeric(DirectFunctionCall2(numeric_mod, datum(a), datum(b)));
}

bool is_whole(Numeric number) {
  return compare_numbers(remainder(number, int64_to_numeric(1)), int64_to_numeric(0)) == 0;
}

/// JSON excludes infinity, but a jsonb numeric may be infinite.
Numeric finite_number(const char* key, const JsonbValue& value, const char* wanted) {
  if (value.type != jbvNumeric || numeric_is_nan(value.val.numeric) ||
      numeric_is_inf(value.val.numeric))
    wrong_type(key, wanted);
  return value.val.numeric;
}

Numeric optional_number(const Given& given, const char* name) {
  const JsonbValue* value = given.find(name);
  return value == nullptr ? nullptr : finite_number(given.key(name), *value, "a number");
}

int checked_levels(const char* key, int count) {
  if (count < 1 || count >= kMaxLevels)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("\"%s\" must have 1 to %d levels", key, kMaxLevels - 1)));
  return count;
}

template <class T>
T* array(int count) {
  return static_cast<T*>(palloc0(sizeof(T) * static_cast<std::size_t>(count + 1)));
}

// ---- one kind each ---------------------------------------------------------------------------

void read_prefix(const Given& given, HierarchyRule& rule) {
  const JsonbValue* step = given.find("step");
  const JsonbValue* mask = given.find("mask");
  rule.length = positive_integer(given.key("prefix"), *given.find("prefix"));
  rule.step = step == nullptr ? 1 : positive_integer(given.key("step"), *step);
  if (mask != nullptr && mask->type != jbvString) wrong_type(given.key("mask"), "a text");
  rule.mask = mask == nullptr ? pstrdup("*") : text_of(*mask);
  if (rule.length > 1000 || rule.step > rule.length ||
      pg_mbstrlen_with_len(rule.mask, static_cast<int>(std::strlen(rule.mask))) != 1)
    refuse("length must be 1 to 1000, step 1 to length, and mask a single character");
  rule.levels = checked_levels(given.key("prefix"), (rule.length + rule.step - 1) / rule.step);
}

void check_widths(const HierarchyRule& rule) {
  const Numeric zero = int64_to_numeric(0);
  for (int i = 0; i + 1 < rule.levels; ++i) {
    if (compare_numbers(rule.widths[i], zero) <= 0) refuse("widths must be finite and above 0");
    if (i > 0 && (compare_numbers(rule.widths[i], rule.widths[i - 1]) <= 0 ||
                  compare_numbers(remainder(rule.widths[i], rule.widths[i - 1]), zero) != 0))
      refuse_tree(psprintf("The width of level %d is not a multiple of the one before.", i + 1));
  }
}

void read_range(const Given& given, HierarchyRule& rule) {
  const char* key = given.key("range");
  const JsonbValue& widths = array_of(key, *given.find("range"), "an array of numbers");
  rule.levels = checked_levels(key, elements(widths)) + 1;
  rule.widths = array<Numeric>(rule.levels);
  for (int i = 0; i + 1 < rule.levels; ++i)
    rule.widths[i] = finite_number(key, element(widths, i), "an array of numbers");
  check_widths(rule);
  rule.origin = optional_number(given, "origin");
  if (rule.origin == nullptr) rule.origin = int64_to_numeric(0);
  rule.low = optional_number(given, "low");
  rule.high = optional_number(given, "high");
  if (rule.low != nullptr && rule.high != nullptr && compare_numbers(rule.low, rule.high) >= 0)
    refuse("low must be below high");
  // Each width is a multiple of the first.
  rule.whole = is_whole(rule.widths[0]) && is_whole(rule.origin);
}

char* list_of_units() {
  StringInfoData list;
  initStringInfo(&list);
  for (const char* unit : kTimeUnits)
    appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", unit);
  return list.data;
}

TimeUnit unit_named(const char* name) {
  for (int unit = 0; unit <= static_cast<int>(TimeUnit::decade); ++unit)
    if (std::strcmp(kTimeUnits[unit], name) == 0) return static_cast<TimeUnit>(unit);
  refuse("levels must be an array of units of time", nullptr,
         psprintf("Choose from %s.", list_of_units()));
}

void read_date(const Given& given, HierarchyRule& rule) {
  const char* key = given.key("date");
  const Names units = names_of(key, *given.find("date"), "an array of units of time");
  rule.levels = checked_levels(key, units.count) + 1;
  rule.units = array<TimeUnit>(rule.levels);
  rule.whole = true;
  for (int i = 0; i < units.count; ++i) {
    rule.units[i] = unit_named(units.names[i]);
    if (i > 0 && rule.units[i] <= rule.units[i - 1])
      refuse("levels must be in the order of their length",
             psprintf("The order is %s.", list_of_units()));
    if (rule.units[i] == TimeUnit::week && i + 1 < units.count)
      refuse_tree("A week can be part of two months, quarters, years or decades.",
                  "Leave week out, or make it the last.");
  }
}

bool ascending(const Cuts& level, int i) {
  return level.numbers != nullptr ? compare_numbers(level.numbers[i - 1], level.numbers[i]) < 0
                                  : level.moments[i - 1] < level.moments[i];
}

bool is_cut(const Cuts& level, const Cuts& of, int i) {
  for (int low = 0, high = level.count; low < high;) {
    const int middle = low + (high - low) / 2;
    const bool below = level.numbers != nullptr
                           ? compare_numbers(level.numbers[middle], of.numbers[i]) < 0
                           : level.moments[middle] < of.moments[i];
    const bool equal = level.numbers != nullptr
                           ? compare_numbers(level.numbers[middle], of.numbers[i]) == 0
                           : level.moments[middle] == of.moments[i];
    if (equal) return true;
    if (below)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

void read_cut(const char* key, const JsonbValue& value, int i, Cuts& level, bool& whole) {
  static constexpr char wanted[] =
      "an array of arrays, of numbers or of dates written as 2024-02-29";
  if (level.numbers != nullptr) {
    level.numbers[i] = finite_number(key, value, wanted);
    whole = whole && is_whole(level.numbers[i]);
    return;
  }
  if (value.type != jbvString || !read_moment(text_of(value), level.moments[i]))
    wrong_type(key, wanted);
  whole = whole && level.moments[i].time == 0;
}

Cuts read_level(const char* key, JsonbValue value, bool numbers, bool& whole) {
  const JsonbValue& cuts = array_of(key, value, "an array of arrays");
  Cuts level = {elements(cuts), nullptr, nullptr};
  if (numbers)
    level.numbers = array<Numeric>(level.count);
  else
    level.moments = array<Moment>(level.count);
  for (int i = 0; i < level.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    read_cut(key, element(cuts, i), i, level, whole);
    if (i > 0 && !ascending(level, i)) refuse("the cuts of each level must ascend");
  }
  return level;
}

void check_nested(const HierarchyRule& rule, int level) {
  for (int i = 0; i < rule.cuts[level].count; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (!is_cut(rule.cuts[level - 1], rule.cuts[level], i))
      refuse_tree(psprintf("A cut of level %d is none of the level below.", level + 1));
  }
}

/// The cuts are numbers if the first is one.
bool are_numbers(const char* key, const JsonbValue& levels) {
  JsonbValue first = element(levels, 0);
  const JsonbValue& cuts = array_of(key, first, "an array of arrays");
  if (elements(cuts) == 0) refuse("a level of cuts must have one");
  return element(cuts, 0).type == jbvNumeric;
}

void read_cuts(const Given& given, HierarchyRule& rule) {
  const char* key = given.key("cuts");
  const JsonbValue& levels = array_of(key, *given.find("cuts"), "an array of arrays");
  rule.levels = checked_levels(key, elements(levels)) + 1;
  const bool numbers = are_numbers(key, levels);
  rule.cuts = array<Cuts>(rule.levels);
  rule.whole = true;
  for (int l = 0; l + 1 < rule.levels; ++l) {
    rule.cuts[l] = read_level(key, element(levels, l), numbers, rule.whole);
    if (rule.cuts[l].count == 0) refuse("a level of cuts must have one");
    if (l > 0) check_nested(rule, l);
  }
}

void read_table(const Given& given, HierarchyRule& rule) {
  const JsonbValue* columns = given.find("columns");
  const JsonbValue& table = *given.find("table");
  if (table.type != jbvString) wrong_type(given.key("table"), "the name of a table");
  rule.table = relation_named(text_of(table), NoLock);
  if (columns != nullptr) rule.columns = names_of(given.key("columns"), *columns);
  if (columns != nullptr && rule.columns.count == 0)
    refuse("a hierarchy needs a column for its values");
}

// ---- types -----------------------------------------------------------------------------------

bool is_integer(Oid type) {
  return type == INT2OID || type == INT4OID || type == INT8OID;
}

bool is_number(Oid type) {
  return is_integer(type) || type == NUMERICOID || type == FLOAT4OID || type == FLOAT8OID;
}

bool suits(const HierarchyRule& rule, Oid type) {
  switch (rule.kind) {
    case HierarchyKind::table:
      return true;
    case HierarchyKind::prefix:
      return !is_number(type) && !is_time_type(type);
    case HierarchyKind::range:
      return is_number(type) && (rule.whole || !is_integer(type));
    case HierarchyKind::date:
      return is_time_type(type);
    case HierarchyKind::cuts:
      return rule.cuts[0].numbers != nullptr
                 ? is_number(type) && (rule.whole || !is_integer(type))
                 : is_time_type(type) && (rule.whole || type != DATEOID);
  }
  return false;
}

const char* about(const HierarchyRule& rule) {
  const bool numbers = rule.kind == HierarchyKind::range ||
                       (rule.kind == HierarchyKind::cuts && rule.cuts[0].numbers != nullptr);
  if (rule.kind == HierarchyKind::prefix) return "texts";
  if (numbers) return rule.whole ? "numbers" : "numbers that are not whole";
  return rule.whole ? "dates and timestamps" : "timestamps";
}

}  // namespace

HierarchyRule* read_hierarchy_rule(const char* path, const JsonbValue& value) {
  if (!is_object(value))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("%s must be an object",
                    path[0] != '\0' ? psprintf("parameter \"%s\"", path) : "a hierarchy"),
             errhint("For example {\"prefix\": 5} or {\"table\": \"public.diagnoses\"}. Names of "
                     "hierarchies were of version 0.1.0: publish such a release again.")));
  const Given given = {path, value.val.binary.data};
  HierarchyRule* rule = array<HierarchyRule>(1);
  rule->kind = kind_of(given);
  constexpr void (*readers[])(const Given&, HierarchyRule&) = {read_prefix, read_range, read_date,
                                                               read_cuts, read_table};
  readers[static_cast<int>(rule->kind)](given, *rule);
  return rule;
}

HierarchyRule* read_hierarchy_rule(Jsonb* json) {
  JsonbValue value;
  JsonbToJsonbValue(json, &value);
  return read_hierarchy_rule("", value);
}

bool has_intervals(const HierarchyRule& rule) {
  return rule.kind != HierarchyKind::prefix && rule.kind != HierarchyKind::table;
}

void check_value_type(const HierarchyRule& rule, const char* column, Oid declared_type) {
  if (suits(rule, getBaseType(declared_type))) return;
  ereport(ERROR,
          (errcode(ERRCODE_DATATYPE_MISMATCH),
           column != nullptr
               ? errmsg("the hierarchy of column \"%s\" is not about values of its type", column)
               : errmsg("the hierarchy is not about values of this type"),
           errdetail("It is about %s, and the values are of type %s.", about(rule),
                     format_type_be(declared_type)),
           errhint("Use another hierarchy, or cast the values.")));
}

}  // namespace anonkit::pg
