#include <cmath>
#include <cstring>

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/relation_reader.hpp"

namespace anonkit::pg {
namespace {

/// The columns of a list, each quoted, resolved against the relation.
struct ColumnList {
  char** quoted;
  Oid* types;
  char** names;
  int count;
};

ColumnList resolve_columns(Relation relation, const Names& names) {
  ColumnList list = {allocate<char*>(names.count), allocate<Oid>(names.count),
                     allocate<char*>(names.count), names.count};
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int i = 0; i < names.count; ++i) {
    Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, names.names[i]) - 1);
    list.names[i] = pstrdup(NameStr(attribute->attname));
    list.quoted[i] = psprintf("rel.%s", quote_identifier(list.names[i]));
    list.types[i] = attribute->atttypid;
    require_order(list.names[i], attribute->atttypid);
  }
  return list;
}

ColumnList resolve_columns(Oid oid, const Names& names) {
  Relation relation = relation_open(oid, AccessShareLock);
  const ColumnList list = resolve_columns(relation, names);
  relation_close(relation, NoLock);
  return list;
}

/// The class by the first `count` columns.
void append_class(StringInfo query, const ColumnList& qi, int count) {
  if (count == 0) {
    appendStringInfoString(query, "1::pg_catalog.int8");
    return;
  }
  appendStringInfoString(query, "pg_catalog.dense_rank() OVER (ORDER BY ");
  for (int i = 0; i < count; ++i) appendStringInfo(query, "%s%s", i > 0 ? ", " : "", qi.quoted[i]);
  appendStringInfoChar(query, ')');
}

void grow(RelationData& data) {
  data.capacity += data.capacity / 2;
  resize(data.class_of, data.capacity);
  for (int j = 0; j < data.coarser_count; ++j) resize(data.coarser[j], data.capacity);
  for (int a = 0; a < data.attribute_count; ++a) resize(data.attributes[a].codes, data.capacity);
}

void add_value(AttributeData& attribute, int64 row, int64 rank, Datum value, bool is_null) {
  const auto code = static_cast<int32>(rank - 1);
  attribute.codes[row] = code;
  if (code >= attribute.distinct) attribute.distinct = code + 1;
  if (is_null) {
    attribute.has_null = true;
  } else if (attribute.has_numbers) {
    if (code >= attribute.number_capacity) {
      attribute.number_capacity = 2 * static_cast<int64>(code) + 1024;
      resize(attribute.numbers, attribute.number_capacity);
    }
    bool finite;
    attribute.numbers[code] =
        number_of(attribute.type, value, &finite) / reporting_unit(attribute.type);
    attribute.has_numbers = finite;
  }
}

/// A row is: the class, those by fewer columns, then rank and value of each sensitive attribute.
void add_row(TupleTableSlot* slot, void* state) {
  auto& data = *static_cast<RelationData*>(state);
  if (data.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to audit")));
  if (data.rows == data.capacity) grow(data);
  data.class_of[data.rows] = static_cast<int32>(DatumGetInt64(slot->tts_values[0]) - 1);
  for (int j = 0; j < data.coarser_count; ++j)
    data.coarser[j][data.rows] = static_cast<int32>(DatumGetInt64(slot->tts_values[1 + j]) - 1);
  for (int a = 0; a < data.attribute_count; ++a) {
    const int at = 1 + data.coarser_count + 2 * a;
    add_value(data.attributes[a], data.rows, DatumGetInt64(slot->tts_values[at]),
              slot->tts_values[at + 1], slot->tts_isnull[at + 1]);
  }
  ++data.rows;
}

void prepare_attributes(RelationData& data, const ColumnList& sensitive) {
  data.attribute_count = sensitive.count;
  data.attributes = allocate<AttributeData>(sensitive.count);
  for (int a = 0; a < sensitive.count; ++a) {
    const Oid type = getBaseType(sensitive.types[a]);
    data.attributes[a] = {sensitive.names[a],
                          type,
                          number_type(type) != nullptr,
                          allocate<int32>(data.capacity),
                          allocate<double>(0),
                          0,
                          0,
                          false,
                          nullptr,
                          nullptr};
  }
}

/// The sensitive attribute that a column is, or null.
AttributeData* find_attribute(Oid oid, char* column, RelationData& data) {
  const char* name = resolve_columns(oid, {&column, 1}).names[0];
  for (int a = 0; a < data.attribute_count; ++a)
    if (std::strcmp(data.attributes[a].name, name) == 0) return &data.attributes[a];
  return nullptr;
}

/// The hierarchies of sensitive columns.
void read_hierarchies(Oid oid, const HierarchyChoices& choices, RelationData& data) {
  for (int i = 0; i < choices.count; ++i) {
    AttributeData* attribute = find_attribute(oid, choices.list[i].column, data);
    if (attribute != nullptr)
      attribute->hierarchy = read_hierarchy(oid, attribute->name, attribute->type,
                                            attribute->distinct - (attribute->has_null ? 1 : 0),
                                            attribute->has_null, choices.list[i].hierarchy);
  }
}

/// What of them is protected.
void read_protected_values(Oid oid, const ProtectedChoices& choices, RelationData& data) {
  for (int i = 0; i < choices.count; ++i) {
    AttributeData* attribute = find_attribute(oid, choices.list[i].column, data);
    if (attribute == nullptr) refuse_protected(choices.list[i].column, "is not sensitive");
    attribute->protected_values =
        read_protected(attribute->name, attribute->hierarchy, choices.list[i].labels);
  }
}

}  // namespace

RelationData read_relation(Oid relation, const Names& qi, const Names& sensitive,
                           const HierarchyChoices& hierarchies,
                           const ProtectedChoices& protected_values, bool coarser) {
  constexpr int64 kFirstCapacity = 1024;
  const ColumnList classes = resolve_columns(relation, qi);
  const ColumnList attributes = resolve_columns(relation, sensitive);
  RelationData data = {};
  data.capacity = kFirstCapacity;
  data.class_of = allocate<int32>(data.capacity);
  prepare_attributes(data, attributes);
  data.coarser_count = coarser && classes.count > 0 ? classes.count - 1 : 0;
  data.coarser = allocate<int32*>(data.coarser_count);
  for (int j = 0; j < data.coarser_count; ++j) data.coarser[j] = allocate<int32>(data.capacity);

  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT ");
  append_class(&query, classes, classes.count);
  for (int j = 0; j < data.coarser_count; ++j) {
    appendStringInfoString(&query, ", ");
    append_class(&query, classes, j + 1);
  }
  for (int a = 0; a < attributes.count; ++a)
    appendStringInfo(&query, ", pg_catalog.dense_rank() OVER (ORDER BY %s), %s",
                     attributes.quoted[a], attributes.quoted[a]);
  appendStringInfo(&query, " FROM %s AS rel", qualified_name_of(relation));
  for_each_row(query.data, add_row, &data);
  if (data.rows == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to audit")));
  read_hierarchies(relation, hierarchies, data);
  read_protected_values(relation, protected_values, data);
  return data;
}

namespace {

/// Which classes' values are wanted, and what was found.
struct Wanted {
  MemoryContext context;
  const ColumnList* qi;
  const int32* classes;
  int count;
  Datum* values;
};

/// A row is: the class, then the quasi-identifiers.
void note_values(TupleTableSlot* slot, void* state) {
  auto& wanted = *static_cast<Wanted*>(state);
  const int64 c = DatumGetInt64(slot->tts_values[0]) - 1;
  for (int i = 0; i < wanted.count; ++i) {
    if (wanted.classes[i] != c || wanted.values[i] != 0) continue;
    MemoryContext old = MemoryContextSwitchTo(wanted.context);
    JsonObject json;
    for (int j = 0; j < wanted.qi->count; ++j) {
      if (slot->tts_isnull[1 + j])
        json.add_null(wanted.qi->names[j]);
      else
        json.add_datum(wanted.qi->names[j], slot->tts_values[1 + j], wanted.qi->types[j]);
    }
    wanted.values[i] = JsonbPGetDatum(json.finish());
    MemoryContextSwitchTo(old);
  }
}

}  // namespace

Datum* read_class_values(Oid relation, const Names& qi, const int32* classes, int count) {
  const ColumnList columns = resolve_columns(relation, qi);
  StringInfoData inner;
  StringInfoData outer;
  StringInfoData wanted_classes;
  initStringInfo(&inner);
  initStringInfo(&outer);
  initStringInfo(&wanted_classes);
  append_class(&inner, columns, columns.count);
  appendStringInfoString(&inner, " AS c");
  for (int j = 0; j < columns.count; ++j) {
    appendStringInfo(&inner, ", %s AS q%d", columns.quoted[j], j);
    appendStringInfo(&outer, ", ranked.q%d", j);
  }
  for (int i = 0; i < count; ++i)
    appendStringInfo(&wanted_classes, "%s%d", i > 0 ? ", " : "", classes[i] + 1);

  Wanted wanted = {CurrentMemoryContext, &columns, classes, count, allocate<Datum>(count)};
  for (int i = 0; i < count; ++i) wanted.values[i] = 0;
  for_each_row(psprintf("SELECT DISTINCT ON (ranked.c) ranked.c%s FROM (SELECT %s FROM %s AS rel)"
                        " AS ranked"
                        " WHERE ranked.c OPERATOR(pg_catalog.=) ANY (ARRAY[%s]::pg_catalog.int8[])",
                        outer.data, inner.data, qualified_name_of(relation), wanted_classes.data),
               note_values, &wanted);
  for (int i = 0; i < count; ++i)
    if (wanted.values[i] == 0)
      ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                      errmsg("relation \"%s\" holds other rows each time it is read",
                             get_rel_name(relation)),
                      errhint("Audit a table or a materialized view made from it.")));
  return wanted.values;
}

}  // namespace anonkit::pg
