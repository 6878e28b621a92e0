#include "pg/read/taken_as.hpp"

namespace anonkit::pg {
namespace {

/// The user's list that orders the values of the column, or null.
const Names* list_of(TupleDesc descriptor, AttrNumber number, const ValueOrders& orders) {
  for (int i = 0; i < orders.count; ++i)
    if (find_column(descriptor, orders.list[i].column) == number) return &orders.list[i].values;
  return nullptr;
}

void require_texts(Form_pg_attribute attribute) {
  char category;
  bool preferred;
  get_type_category_preferred(getBaseType(attribute->atttypid), &category, &preferred);
  if (category == TYPCATEGORY_STRING) return;
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("column \"%s\" of type %s cannot be ordered by the numbers in its texts",
                         NameStr(attribute->attname), format_type_be(attribute->atttypid)),
                  errhint("Numbers, dates and enums have an order. Give another one in orders.")));
}

void require_role(const Source& source, TupleDesc descriptor, const char* name, bool sensitive,
                  const char* key) {
  const AttrNumber number = find_column(descriptor, name);
  for (int i = 0; i < source.count; ++i) {
    const SourceColumn& column = source.columns[i];
    if (column.number != number) continue;
    if (column.role == Role::quasi_identifier || (sensitive && column.role == Role::sensitive))
      return;
  }
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("column \"%s\" of %s is %s", name, key,
                  sensitive ? "neither quasi-identifier nor sensitive" : "no quasi-identifier"),
           sensitive ? 0 : errhint("Cast a sensitive column to an enum in a view.")));
}

}  // namespace

TakenAs taken_as(TupleDesc descriptor, AttrNumber number, const Spec& spec) {
  Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
  TakenAs taken = {is_named(descriptor, number, spec.categories), CategoryOrder::own,
                   list_of(descriptor, number, spec.orders)};
  const bool by_numbers = is_named(descriptor, number, spec.ordered);
  if ((taken.text ? 1 : 0) + (by_numbers ? 1 : 0) + (taken.values_in_order != nullptr ? 1 : 0) > 1)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("column \"%s\" is in two of categories, ordered and orders",
                           NameStr(attribute->attname))));
  if (by_numbers) require_texts(attribute);
  if (by_numbers) taken.order = CategoryOrder::numbers;
  if (taken.values_in_order != nullptr) taken.order = CategoryOrder::list;
  return taken;
}

void check_taken(const Source& source, TupleDesc descriptor, const Spec& spec) {
  for (int i = 0; i < spec.categories.count; ++i)
    require_role(source, descriptor, spec.categories.names[i], true, "categories");
  for (int i = 0; i < spec.ordered.count; ++i)
    require_role(source, descriptor, spec.ordered.names[i], false, "ordered");
  for (int i = 0; i < spec.orders.count; ++i)
    require_role(source, descriptor, spec.orders.list[i].column, false, "orders");
}

namespace {

/// The quasi-identifier that a member of an option names.
SourceColumn& quasi_identifier(Source& source, TupleDesc descriptor, const char* name,
                               const char* option) {
  require_role(source, descriptor, name, false, option);
  const AttrNumber number = find_column(descriptor, name);
  int j = 0;
  while (source.columns[j].number != number) ++j;
  return source.columns[j];
}

}  // namespace

void choose_widths(Source& source, TupleDesc descriptor, const WidthChoices& widths) {
  for (int i = 0; i < widths.count; ++i) {
    const WidthChoice& choice = widths.list[i];
    SourceColumn& column = quasi_identifier(source, descriptor, choice.column, "widths");
    if (column.number_type == nullptr || column.hierarchy != nullptr)
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("column \"%s\" of widths has no ranges", column.name),
                      errdetail("Its grid are its categories or labels.")));
    column.width = choice.width * reporting_unit(column.base_type);
  }
}

void choose_scales(Source& source, TupleDesc descriptor, const ScaleChoices& scales) {
  for (int i = 0; i < scales.count; ++i) {
    const ScaleChoice& choice = scales.list[i];
    SourceColumn& column = quasi_identifier(source, descriptor, choice.column, "scales");
    const Spread& given = choice.spread;
    if (column.number_type == nullptr && (given.deviation > 0 || given.extent > 0))
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("column \"%s\" of scales has no numbers", column.name),
                      errdetail("Categories are equal or not, or have ranks.")));
    if (column.number_type != nullptr && given.categories > 0)
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("column \"%s\" of scales has numbers", column.name),
                      errhint("Its scale has a deviation and an extent.")));
    const double unit = column.number_type != nullptr ? reporting_unit(column.base_type) : 1;
    column.spread = {given.deviation * unit, given.extent * unit, given.categories};
  }
}

void require_outward(const Source& source, const Spec& spec) {
  if (!spec.outward) return;
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    if (column.number_type == nullptr || column.hierarchy != nullptr || column.width > 0) continue;
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("outward 'grid' needs a width of column \"%s\"", column.name),
                    errhint("Give the width of each column of numbers in widths.")));
  }
}

}  // namespace anonkit::pg
