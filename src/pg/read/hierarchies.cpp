#include "pg/read/hierarchies.hpp"

#include "base/error.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "catalog/pg_collation.h"
#include "nodes/params.h"
}

namespace anonkit::pg {
namespace {

/// The groups of a level, numbered by their first value.
std::vector<std::int32_t> number_groups(const ValueLabels& level) {
  std::vector<std::int32_t> group_of_code(static_cast<std::size_t>(level.texts->size()), -1);
  std::vector<std::int32_t> group_of;
  std::int32_t groups = 0;
  for (const std::int32_t code : level.codes) {
    std::int32_t& group = group_of_code[static_cast<std::size_t>(code)];
    if (group < 0) group = groups++;
    group_of.push_back(group);
  }
  return group_of;
}

Hierarchy hierarchy_of(const char* name, const std::vector<ValueLabels>& levels) {
  std::vector<std::vector<std::int32_t>> groups;
  for (std::size_t l = 1; l < levels.size(); ++l) groups.push_back(number_groups(levels[l]));
  try {
    return Hierarchy(std::move(groups));
  } catch (const Error& e) {
    throw Error(e.kind, std::string("hierarchy \"") + name + "\" cannot be used: " + e.what(),
                e.detail, e.hint);
  }
}

}  // namespace

ColumnHierarchy::ColumnHierarchy(const char* name, const std::vector<ValueLabels>& levels)
    : name_(name), hierarchy_(hierarchy_of(name, levels)) {
  for (const ValueLabels& level : levels) {
    const std::vector<std::int32_t>& group_of =
        hierarchy_.level(static_cast<std::int32_t>(labels_.size()));
    std::vector<std::string> labels;
    for (std::size_t v = 0; v < group_of.size(); ++v)
      if (group_of[v] == static_cast<std::int32_t>(labels.size()))
        labels.push_back(level.texts->text(level.codes[v]));
    labels_.push_back(std::move(labels));
  }
}

std::vector<std::vector<std::int32_t>> levels_of(const ColumnHierarchy& hierarchy) {
  std::vector<std::vector<std::int32_t>> levels;
  for (std::int32_t level = 1; level <= hierarchy.hierarchy().height(); ++level)
    levels.push_back(hierarchy.hierarchy().level(level));
  return levels;
}

const char* extension_schema() {
  SPI_execute(
      "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension AS e"
      " JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace"
      " WHERE e.extname OPERATOR(pg_catalog.=) 'anonkit'",
      true, 1);
  if (SPI_processed != 1) elog(ERROR, "extension \"anonkit\" is not installed");
  return SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
}

namespace {

/// The labels of values as they come, coded. Plain data; the dictionaries belong to the context.
struct LabelCodes {
  const char* hierarchy;
  int32 levels;  ///< with that of the values
  int32 values;
  Dictionary** labels;  ///< one a level
  int32* codes;         ///< values x levels; -1: no leaf
};

LabelCodes make_codes(const char* hierarchy, int32 height, int32 values) {
  LabelCodes codes = {hierarchy, height + 1, values, allocate<Dictionary*>(height + 1),
                      allocate<int32>(int64{values} * (height + 1))};
  for (int32 level = 0; level < codes.levels; ++level)
    codes.labels[level] = &own_in_context(std::make_unique<Dictionary>());
  for (int64 i = 0; i < int64{values} * codes.levels; ++i) codes.codes[i] = -1;
  return codes;
}

/// A row is: the place of a value, from 1, and its labels from level 0.
void add_labels(TupleTableSlot* slot, void* state) {
  auto& codes = *static_cast<LabelCodes*>(state);
  const int64 value = DatumGetInt64(slot->tts_values[0]) - 1;
  Datum* labels;
  bool* nulls;
  int count;
  deconstruct_array(DatumGetArrayTypeP(slot->tts_values[1]), TEXTOID, -1, false, TYPALIGN_INT,
                    &labels, &nulls, &count);
  bool sound = count == codes.levels && value >= 0 && value < codes.values;
  for (int level = 0; sound && level < count; ++level) sound = !nulls[level];
  if (!sound)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("hierarchy \"%s\" has a value without all levels", codes.hierarchy)));
  for (int level = 0; level < count; ++level)
    codes.codes[value * codes.levels + level] =
        category_code(*codes.labels[level], TextDatumGetCString(labels[level]));
}

/// Every value must have a leaf.
void check_leaves(const LabelCodes& codes, const char* column) {
  int32 missing = 0;
  for (int64 v = 0; v < codes.values; ++v) missing += codes.codes[v * codes.levels] < 0 ? 1 : 0;
  if (missing > 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("column \"%s\" has values without a leaf in hierarchy \"%s\"", column,
                           codes.hierarchy),
                    errdetail("Distinct values without a leaf: %d of %d.", missing, codes.values),
                    errhint("Make the hierarchy anew with these values.")));
}

/// Null is a value of its own, which level 1 suppresses.
const ColumnHierarchy* build(const LabelCodes& codes, bool has_null, const char* root) {
  std::vector<ValueLabels> levels;
  const Dictionary& tops = *codes.labels[codes.levels - 1];
  const std::string top = tops.size() > 0 ? tops.text(0) : root;
  for (int32 level = 0; level < codes.levels; ++level) {
    levels.push_back({codes.labels[level], {}});
    std::vector<std::int32_t>& of_values = levels.back().codes;
    for (int64 v = 0; v < codes.values; ++v)
      of_values.push_back(codes.codes[v * codes.levels + level]);
    if (has_null) of_values.push_back(codes.labels[level]->code(top));
  }
  return &own_in_context(std::make_unique<ColumnHierarchy>(codes.hierarchy, levels));
}

/// A category without a hierarchy is published or suppressed.
const ColumnHierarchy* suppression(const SourceColumn& column, const Block& block, int j,
                                   const Ranks& ranks) {
  const LabelCodes codes = make_codes(column.name, 1, ranks.distinct);
  for (int32 v = 0; v < ranks.distinct; ++v) {
    const auto code = static_cast<int32>(ranks.values[v]);
    codes.codes[2 * int64{v}] =
        category_code(*codes.labels[0], block.dictionaries[j]->text(code).c_str());
    codes.codes[2 * int64{v} + 1] = category_code(*codes.labels[1], "*");
  }
  return build(codes, ranks.nulls > 0, "*");
}

/// The distinct values of a column as an array: numbers of its type, categories as texts.
ParamListInfo array_of(const SourceColumn& column, const Block& block, int j, const Ranks& ranks) {
  const bool number = column.number_type != nullptr;
  const Oid element = number ? column.base_type : TEXTOID;
  Datum* values = allocate<Datum>(ranks.distinct);
  for (int32 v = 0; v < ranks.distinct; ++v)
    values[v] = number
                    ? number_datum(column.base_type, column.base_typmod, ranks.values[v])
                    : CStringGetTextDatum(
                          block.dictionaries[j]->text(static_cast<int32>(ranks.values[v])).c_str());
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(element, &length, &by_value, &align);
  ParamListInfo parameters = makeParamList(1);
  parameters->params[0] = {
      PointerGetDatum(construct_array(values, ranks.distinct, element, length, by_value, align)),
      false, PARAM_FLAG_CONST, get_array_type(element)};
  return parameters;
}

const char* labels_query(const char* hierarchy, const char* values) {
  return psprintf("SELECT l.place, l.labels FROM %s.anon_hierarchy_labels(%s, %s) AS l",
                  extension_schema(), quote_literal_cstr(hierarchy), values);
}

struct Entry {
  bool intervals;  ///< labels are range values
  int32 height;
};

Entry find_hierarchy(const char* name) {
  Oid type = TEXTOID;
  Datum argument = CStringGetTextDatum(name);
  SPI_execute_with_args(
      psprintf("SELECT h.kind OPERATOR(pg_catalog.=) ANY ('{range,date,auto}'), h.levels"
               " FROM %s.anon_hierarchies AS h WHERE h.name OPERATOR(pg_catalog.=) $1",
               extension_schema()),
      1, &type, &argument, nullptr, true, 1);
  if (SPI_processed != 1)
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("hierarchy \"%s\" does not exist", name),
             errhint("The view anon_hierarchies lists those that you may use.")));
  bool is_null;
  HeapTuple row = SPI_tuptable->vals[0];
  return {DatumGetBool(SPI_getbinval(row, SPI_tuptable->tupdesc, 1, &is_null)),
          DatumGetInt32(SPI_getbinval(row, SPI_tuptable->tupdesc, 2, &is_null))};
}

void choose(SourceColumn& column, const HierarchyChoice& choice) {
  const Entry entry = find_hierarchy(choice.hierarchy);
  if (entry.intervals && number_type(column.base_type) == nullptr)
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("hierarchy \"%s\" is not about values of the type of column \"%s\"",
                           choice.hierarchy, column.name),
                    errdetail("It has intervals, and the column is of type %s.",
                              format_type_be(column.declared_type)),
                    errhint("Use another hierarchy, or cast the column in a view.")));
  column.hierarchy = choice.hierarchy;
  column.height = entry.height;
  column.intervals = entry.intervals;
}

}  // namespace

void choose_hierarchies(Source& source, TupleDesc descriptor, const HierarchyChoices& choices,
                        Recode recode) {
  for (int i = 0; i < choices.count; ++i) {
    const AttrNumber number = find_column(descriptor, choices.list[i].column);
    bool found = false;
    for (int j = 0; j < source.quasi_identifiers; ++j) {
      SourceColumn& column = source.columns[j];
      if (column.number != number) continue;
      found = true;
      choose(column, choices.list[i]);
      if (recode != Recode::hierarchy || column.intervals) continue;
      column.released_type = TEXTOID;
      column.released_collation = DEFAULT_COLLATION_OID;
    }
    for (int a = 0; a < source.sensitive_count; ++a) {
      if (source.sensitive[a].number != number) continue;
      found = true;
      choose(source.sensitive[a], choices.list[i]);
    }
    // A column that no model looks at is looked at by the audit of the release.
    for (int j = source.quasi_identifiers; !found && j < source.count; ++j) {
      SourceColumn& column = source.columns[j];
      if (column.number != number || column.role != Role::sensitive) continue;
      found = true;
      choose(column, choices.list[i]);
    }
    if (!found)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("column \"%s\" has a hierarchy, but is neither quasi-identifier nor "
                             "sensitive",
                             choices.list[i].column)));
  }
}

const ColumnHierarchy* read_hierarchy(const SourceColumn& column, const Block& block, int j,
                                      const Ranks& ranks) {
  if (column.hierarchy == nullptr)
    return column.number_type != nullptr ? nullptr : suppression(column, block, j, ranks);
  LabelCodes codes = make_codes(column.hierarchy, column.height, ranks.distinct);
  for_each_row(labels_query(column.hierarchy, "$1"), add_labels, &codes,
               array_of(column, block, j, ranks));
  check_leaves(codes, column.name);
  return build(codes, ranks.nulls > 0, column.intervals ? "(,)" : "*");
}

const ColumnHierarchy* read_hierarchy(Oid relation, const char* column, Oid base_type, int32 values,
                                      bool has_null, const char* hierarchy) {
  const Entry entry = find_hierarchy(hierarchy);
  LabelCodes codes = make_codes(hierarchy, entry.height, values);
  const char* quoted = quote_identifier(column);
  const char* distinct = psprintf(
      "ARRAY(SELECT DISTINCT rel.%s::%s FROM %s AS rel WHERE rel.%s IS NOT NULL ORDER BY 1)",
      quoted, format_type_be_qualified(base_type), qualified_name_of(relation), quoted);
  for_each_row(labels_query(hierarchy, distinct), add_labels, &codes);
  check_leaves(codes, column);
  return build(codes, has_null, "*");
}

}  // namespace anonkit::pg
