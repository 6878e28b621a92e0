#include <algorithm>
#include <cstring>

#include "recode/recoding.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/coarsened.hpp"
#include "pg/read/hierarchies.hpp"
#include "pg/read/protected_values.hpp"
#include "pg/read/pseudonyms.hpp"
#include "pg/read/source.hpp"
#include "pg/read/taken_as.hpp"
#include "pg/spec/promised_levels.hpp"

extern "C" {
#include "catalog/pg_am.h"
#include "catalog/pg_collation.h"
#include "parser/scansup.h"
#include "storage/bufmgr.h"
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

const char* role_name(Role role) {
  switch (role) {
    case Role::quasi_identifier:
      return "quasi-identifier";
    case Role::sensitive:
      return "sensitive column";
    case Role::keep:
      return "kept column";
  }
  return "";
}

/// The kind of a category of that type; an error if values of the type cannot be categories.
Kind category_kind(const char* name, Oid base_type) {
  char category;
  bool preferred;
  get_type_category_preferred(base_type, &category, &preferred);
  if (category == TYPCATEGORY_ENUM) return Kind::ordinal;
  if (category == TYPCATEGORY_STRING || category == TYPCATEGORY_BOOLEAN ||
      category == TYPCATEGORY_NETWORK || base_type == UUIDOID)
    return Kind::nominal;
  ereport(
      ERROR,
      (errcode(ERRCODE_DATATYPE_MISMATCH),
       errmsg("column \"%s\" of type %s cannot be a quasi-identifier", name,
              format_type_be(base_type)),
       errhint("Use a number, date, timestamp, boolean, text, enum, uuid or network address, name "
               "the column in categories, or cast it in a view.")));
  pg_unreachable();
}

void require_number(const SourceColumn& column, const char* method) {
  if (column.number_type == nullptr)
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" of type %s is no number", column.name,
                           format_type_be(column.declared_type)),
                    errhint("Method '%s' takes numbers, dates and timestamps.", method)));
}

bool can_be_grouped(Oid type) {
  return OidIsValid(lookup_type_cache(type, TYPECACHE_CMP_PROC)->cmp_proc);
}

Kind kind_of(const SourceColumn& column, const TakenAs& taken) {
  if (column.number_type != nullptr) return Kind::numeric;
  if (taken.order != CategoryOrder::own) return Kind::ordinal;
  return taken.text ? Kind::nominal : category_kind(column.name, column.base_type);
}

void describe_quasi_identifier(SourceColumn& column, const TakenAs& taken, Recode recode) {
  column.as_text = taken.category();
  column.order = taken.order;
  column.values_in_order = taken.values_in_order;
  column.number_type = column.as_text ? nullptr : number_type(column.base_type);
  const bool number = column.number_type != nullptr;
  column.kind = kind_of(column, taken);
  if (recoding(recode).keeps_type && can_be_grouped(column.base_type)) {
    // A masked value may violate the constraints of a domain.
    column.released_type = column.base_type;
    column.released_typmod = column.base_typmod;
  } else {
    column.released_type = number ? column.number_type->range : TEXTOID;
    column.released_typmod = -1;
    column.released_collation = number ? InvalidOid : DEFAULT_COLLATION_OID;
  }
}

SourceColumn describe_column(TupleDesc descriptor, AttrNumber number, Role role, const Spec& spec) {
  Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
  const TakenAs taken = taken_as(descriptor, number, spec);
  SourceColumn column = {};
  column.name = pstrdup(NameStr(attribute->attname));
  column.number = attribute->attnum;
  column.role = role;
  column.declared_type = attribute->atttypid;
  column.collation = attribute->attcollation;
  column.base_typmod = attribute->atttypmod;
  column.base_type = getBaseTypeAndTypmod(attribute->atttypid, &column.base_typmod);
  column.released_type = column.declared_type;
  column.released_typmod = attribute->atttypmod;
  column.released_collation = column.collation;
  if (role == Role::quasi_identifier)
    describe_quasi_identifier(column, taken, spec.options.recode);
  else
    column.as_text = taken.text;
  // The audit of the release will count its values.
  if (role == Role::sensitive) require_order(column.name, column.declared_type);
  if (role == Role::quasi_identifier) require_built_in_type(column.name, column.declared_type);
  return column;
}

/// A domain may forbid the nulls that stand for values withheld.
void release_nulls(Source& source) {
  for (int i = 0; i < source.count; ++i) {
    SourceColumn& column = source.columns[i];
    if (column.role != Role::sensitive) continue;
    column.released_type = column.base_type;
    column.released_typmod = column.base_typmod;
  }
}

void check_not_named_twice(const Source& source, const SourceColumn& column) {
  for (int i = 0; i < source.count; ++i) {
    const SourceColumn& other = source.columns[i];
    if (other.number != column.number) continue;
    if (other.role == column.role)
      ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                      errmsg("%s \"%s\" is named twice", role_name(column.role), column.name)));
    ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                    errmsg("column \"%s\" cannot be both %s and %s", column.name,
                           role_name(other.role), role_name(column.role))));
  }
}

void add_columns(Source& source, TupleDesc descriptor, const Names& names, Role role,
                 const Spec& spec) {
  for (int i = 0; i < names.count; ++i) {
    const AttrNumber number = find_column(descriptor, names.names[i]);
    const SourceColumn column = describe_column(descriptor, number, role, spec);
    check_not_named_twice(source, column);
    source.columns[source.count++] = column;
  }
}

/// Columns that enter the core as ranks: numbers and enums in their order, anything else as texts.
void describe_ranked(SourceColumn& column) {
  column.number_type = column.as_text ? nullptr : number_type(column.base_type);
  column.kind = column.number_type != nullptr                       ? Kind::numeric
                : type_is_enum(column.base_type) && !column.as_text ? Kind::ordinal
                                                                    : Kind::nominal;
}

/// Adds the sensitive columns of promised models, and the class labels.
void set_modelled(Source& source, TupleDesc descriptor, const Spec& spec) {
  const int sensitive = source.count - source.quasi_identifiers;
  source.sensitive = static_cast<SourceColumn*>(
      palloc(sizeof(SourceColumn) * static_cast<std::size_t>(sensitive + 1)));
  if (spec.options.promises.any() || spec.rank_all_sensitive) source.sensitive_count = sensitive;
  for (int i = 0; i < source.sensitive_count; ++i)
    describe_ranked(source.sensitive[i] = source.columns[source.quasi_identifiers + i]);
  if (spec.target == nullptr) return;
  const AttrNumber number = find_column(descriptor, spec.target);
  SourceColumn& target = source.sensitive[source.sensitive_count];
  target = describe_column(descriptor, number, Role::sensitive, spec);
  describe_ranked(target);
  source.has_target = true;
}

bool by_number(const SourceColumn& a, const SourceColumn& b) {
  return a.number < b.number;
}

/// True for one plain heap. Rows of partitions and inheriting tables share tids with those of
/// others, and so do rows of a distributed table, whose own heap is empty.
bool rows_have_tids(Relation relation) {
  const char kind = relation->rd_rel->relkind;
  if (kind != RELKIND_MATVIEW && (kind != RELKIND_RELATION || relation->rd_rel->relhassubclass))
    return false;
  return relation->rd_rel->relam == HEAP_TABLE_AM_OID && RelationGetNumberOfBlocks(relation) > 0;
}

/// False under a nondeterministic collation, or for a type with its own equality.
bool told_apart(const SourceColumn& column) {
  char category;
  bool preferred;
  get_type_category_preferred(column.released_type, &category, &preferred);
  // A number or an interval may have several texts. Sensitive values that have no order are texts.
  if (category != TYPCATEGORY_STRING)
    return (column.role == Role::quasi_identifier && !column.as_text) ||
           is_whole_number(column.released_type);
  // char without a length keeps trailing blanks, but ignores them in comparisons.
  if (column.released_type == BPCHAROID && column.released_typmod < 0) return false;
  return column.released_type < FirstNormalObjectId &&
         (!OidIsValid(column.released_collation) ||
          get_collation_isdeterministic(column.released_collation));
}

/// The names of the columns for a message; only the first ones of a wide table.
const char* column_list(TupleDesc descriptor) {
  constexpr int kMost = 40;
  StringInfoData list;
  initStringInfo(&list);
  int named = 0;
  for (int i = 0; i < descriptor->natts; ++i) {
    Form_pg_attribute attribute = TupleDescAttr(descriptor, i);
    if (attribute->attisdropped) continue;
    if (++named > kMost) return psprintf("%s and others", list.data);
    appendStringInfo(&list, "%s\"%s\"", named > 1 ? ", " : "", NameStr(attribute->attname));
  }
  return list.data;
}

/// False without a right on the table: column privileges do not include the tid.
bool may_read_tids(Oid relation) {
  return pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

/// The name must be free.
void set_class_column(Source& source, const char* name) {
  source.class_column = name;
  for (int i = 0; name != nullptr && i < source.count; ++i)
    if (std::strcmp(source.columns[i].name, name) == 0)
      ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                      errmsg("class_column \"%s\" is the name of a published column", name),
                      errhint("Give it another name.")));
}

}  // namespace

void require_rows(Relation relation) {
  switch (relation->rd_rel->relkind) {
    case RELKIND_RELATION:
    case RELKIND_PARTITIONED_TABLE:
    case RELKIND_VIEW:
    case RELKIND_MATVIEW:
    case RELKIND_FOREIGN_TABLE:
      return;
    default:
      ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                      errmsg("\"%s\" is not a table or view", RelationGetRelationName(relation))));
  }
}

void require_order(const char* name, Oid type) {
  require_built_in_type(name, type);
  if (!OidIsValid(lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr))
    ereport(ERROR,
            (errcode(ERRCODE_DATATYPE_MISMATCH),
             errmsg("column \"%s\" of type %s cannot be grouped", name, format_type_be(type)),
             errhint("Cast the column in a view.")));
}

AttrNumber find_column(TupleDesc descriptor, const char* name, const char* table) {
  char* folded = downcase_truncate_identifier(name, static_cast<int>(std::strlen(name)), false);
  for (const char* spelling : {name, static_cast<const char*>(folded)}) {
    for (int i = 0; i < descriptor->natts; ++i) {
      Form_pg_attribute attribute = TupleDescAttr(descriptor, i);
      if (!attribute->attisdropped && std::strcmp(NameStr(attribute->attname), spelling) == 0)
        return attribute->attnum;
    }
  }
  const char* of_table = table == nullptr ? "" : psprintf(" of table \"%s\"", table);
  ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                  errmsg("column \"%s\"%s does not exist", name, of_table),
                  errdetail("The columns are %s.", column_list(descriptor)),
                  errhint("Columns are named as in the table, without quotes.")));
  pg_unreachable();
}

bool is_named(TupleDesc descriptor, AttrNumber number, const Names& names) {
  for (int i = 0; i < names.count; ++i)
    if (find_column(descriptor, names.names[i]) == number) return true;
  return false;
}

Source resolve_source(Oid relation_oid, const Spec& spec) {
  require_relation(relation_oid);
  require_described(relation_oid);  // the call may have read rows by an earlier description
  Relation relation = open_relation(relation_oid);
  require_rows(relation);
  Source source = {};
  source.relation = source.unit_relation = relation_oid;
  source.has_tid = rows_have_tids(relation) && may_read_tids(relation_oid);
  source.rows = source.qualified_name = qualified_name_of(relation_oid);
  source.columns = static_cast<SourceColumn*>(
      palloc0(sizeof(SourceColumn) *
              static_cast<std::size_t>(spec.qi.count + spec.sensitive.count + spec.keep.count)));
  TupleDesc descriptor = RelationGetDescr(relation);
  add_columns(source, descriptor, spec.qi, Role::quasi_identifier, spec);
  source.quasi_identifiers = source.count;
  for (int j = 0; is_of_aggregates(spec) && j < source.count; ++j)
    require_number(source.columns[j], spec.method->name);
  add_columns(source, descriptor, spec.sensitive, Role::sensitive, spec);
  set_modelled(source, descriptor, spec);
  add_columns(source, descriptor, spec.keep, Role::keep, spec);
  check_taken(source, descriptor, spec);
  choose_coarsenings(source, descriptor, spec);
  choose_pseudonyms(source, descriptor, spec);
  std::sort(source.columns + source.quasi_identifiers, source.columns + source.count, by_number);
  choose_hierarchies(source, descriptor, spec.hierarchies, spec.options.recode);
  choose_protected(source, descriptor, spec.protected_values);
  choose_widths(source, descriptor, spec.widths);
  choose_scales(source, descriptor, spec.scales);
  require_outward(source, spec);
  if (spec.options.transparency.wanted) release_nulls(source);
  set_class_column(source, spec.class_column);
  for (int j = 0; j < source.quasi_identifiers; ++j)
    source.columns[j].told_apart = told_apart(source.columns[j]);
  for (int i = 0; i < source.ranked_count(); ++i)
    source.sensitive[i].told_apart = told_apart(source.sensitive[i]);
  // The lock stays until the end of the transaction, so that other sessions cannot change the
  // columns under the query. Code that this session runs is refused (described.hpp).
  relation_close(relation, NoLock);
  return source;
}

const SourceColumn** released_columns(const Source& source) {
  auto** columns = static_cast<const SourceColumn**>(
      palloc(sizeof(SourceColumn*) * static_cast<std::size_t>(source.count)));
  for (int i = 0; i < source.count; ++i) columns[i] = &source.columns[i];
  std::sort(columns, columns + source.count,
            [](const SourceColumn* a, const SourceColumn* b) { return a->number < b->number; });
  return columns;
}

}  // namespace anonkit::pg
