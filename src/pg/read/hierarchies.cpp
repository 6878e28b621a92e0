#include "pg/read/hierarchies.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/labeller.hpp"
#include "pg/read/hierarchy/value_text.hpp"

extern "C" {
#include "catalog/pg_collation.h"
}

namespace anonkit::pg {
namespace {

void choose(SourceColumn& column, HierarchyRule& rule) {
  check_value_type(rule, column.name, column.as_text ? TEXTOID : column.declared_type);
  column.hierarchy = &rule;
  column.intervals = has_intervals(rule);
}

/// Sets the hierarchy if the column is one of these; returns true if it did.
bool choose_among(SourceColumn* columns, int count, AttrNumber number, HierarchyRule& rule) {
  bool found = false;
  for (int i = 0; i < count; ++i) {
    if (columns[i].number != number) continue;
    choose(columns[i], rule);
    found = true;
  }
  return found;
}

bool choose_quasi_identifier(Source& source, AttrNumber number, HierarchyRule& rule,
                             Recode recode) {
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    SourceColumn& column = source.columns[j];
    if (column.number != number) continue;
    choose(column, rule);
    if (recoding(recode).by_hierarchy && !column.intervals) {
      column.released_type = TEXTOID;
      column.released_collation = DEFAULT_COLLATION_OID;
    }
    return true;
  }
  return false;
}

/// Sets the hierarchy of a column that only the audit of the release uses.
bool choose_published(Source& source, AttrNumber number, HierarchyRule& rule) {
  for (int j = source.quasi_identifiers; j < source.count; ++j) {
    SourceColumn& column = source.columns[j];
    if (column.number != number || column.role != Role::sensitive) continue;
    choose(column, rule);
    return true;
  }
  return false;
}

}  // namespace

void choose_hierarchies(Source& source, TupleDesc descriptor, const HierarchyChoices& choices,
                        Recode recode) {
  for (int i = 0; i < choices.count; ++i) {
    const HierarchyChoice& choice = choices.list[i];
    const AttrNumber number = find_column(descriptor, choice.column);
    const bool masked = choose_quasi_identifier(source, number, *choice.hierarchy, recode);
    const bool modelled =
        choose_among(source.sensitive, source.sensitive_count, number, *choice.hierarchy);
    if (masked || modelled || choose_published(source, number, *choice.hierarchy)) continue;
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("column \"%s\" has a hierarchy, but is neither quasi-identifier nor "
                           "sensitive",
                           choice.column)));
  }
}

namespace {

/// An error unless every value has a leaf.
void check_leaves(const LabelCodes& codes, const char* column) {
  int64 missing = 0;
  for (int64 v = 0; v < codes.values; ++v) missing += codes.code(v, 0) < 0 ? 1 : 0;
  if (missing > 0)
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION),
             errmsg("column \"%s\" has values without a leaf in its hierarchy", column),
             errdetail("Distinct values without a leaf: " INT64_FORMAT " of " INT64_FORMAT ".",
                       missing, codes.values),
             errhint("Add them to the hierarchy, or leave their records out in a view.")));
}

/// The groups of the values, numbered by first value, and the groups' labels.
std::vector<std::int32_t> group_values(const LabelCodes& codes, int level, const char* of_null,
                                       GroupLabels& labels) {
  Dictionary& texts = *codes.labels[level];
  const std::int32_t null_code = of_null != nullptr ? texts.code(of_null) : -1;
  std::vector<std::int32_t> group_of_code(static_cast<std::size_t>(texts.size()), -1);
  std::vector<std::int32_t> group_of;
  const auto add = [&](std::int32_t code) {
    std::int32_t& group = group_of_code[static_cast<std::size_t>(code)];
    if (group < 0 || level == 0) {
      group = static_cast<std::int32_t>(labels.codes.size());
      labels.codes.push_back(code);
    }
    group_of.push_back(group);
  };
  for (int64 v = 0; v < codes.values; ++v) add(codes.code(v, level));
  if (null_code >= 0) add(null_code);
  labels.texts = &texts;
  return group_of;
}

/// Builds the tree. Null is a separate value, which level 1 suppresses.
const ColumnHierarchy* build(const LabelCodes& codes, const HierarchyRule* rule, bool has_null,
                             const char* top) {
  BackendTicker ticker;
  std::vector<GroupLabels> labels(static_cast<std::size_t>(codes.levels));
  std::vector<std::vector<std::int32_t>> groups;
  for (int level = 0; level < codes.levels; ++level) {
    groups.push_back(group_values(codes, level, has_null ? top : nullptr,
                                  labels[static_cast<std::size_t>(level)]));
    ticker.step(10 * codes.values);
  }
  groups.erase(groups.begin());
  return &own_in_context(std::make_unique<ColumnHierarchy>(
      rule, Hierarchy(std::move(groups), ticker), std::move(labels)));
}

/// The hierarchy of a category without one: publish or suppress.
const ColumnHierarchy* suppression(const Block& block, int j, const Ranks& ranks,
                                   MemoryCount& memory) {
  LabelCodes codes = make_label_codes(2, ranks.distinct, memory);
  for (int32 v = 0; v < ranks.distinct; ++v) {
    CHECK_FOR_INTERRUPTS();
    const auto code = static_cast<int32>(ranks.values[v]);
    set_label(codes, v, 0, block.dictionaries[j]->text(code).c_str());
    set_label(codes, v, 1, "*");
  }
  return build(codes, nullptr, ranks.nulls > 0, "*");
}

/// The labels of values during their construction.
struct Labelling {
  Labeller labeller;
  LabelCodes codes;
  const char** labels;
};

Labelling start_labelling(const HierarchyRule& rule, Oid type, int32 values, MemoryCount& memory) {
  Labelling labelling;
  labelling.labeller = open_labeller(rule, type, memory);
  labelling.codes = make_label_codes(labelling.labeller.height + 1, values, memory);
  labelling.labels = allocate<const char*>(labelling.labeller.height + 1);
  return labelling;
}

/// Labels each value, in a scratch context that is reset after it.
template <class ValueAt>
void label_values(Labelling& labelling, ValueAt value_at) {
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit label", ALLOCSET_DEFAULT_SIZES);
  for (int64 v = 0; v < labelling.codes.values; ++v) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext old = MemoryContextSwitchTo(scratch);
    if (make_labels(labelling.labeller, value_at(v), labelling.labels))
      for (int level = 0; level <= labelling.labeller.height; ++level)
        set_label(labelling.codes, v, level, labelling.labels[level]);
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  MemoryContextDelete(scratch);
}

/// A distinct value of a column: a number of its type, a category as its text.
Datum distinct_value(const SourceColumn& column, const Block& block, int j, double value) {
  if (column.number_type != nullptr)
    return value_of_number(column.base_type, column.base_typmod, value);
  const std::string& text = block.dictionaries[j]->text(static_cast<int32>(value));
  auto length = static_cast<int>(text.size());
  if (column.base_type == BPCHAROID) length = bpchartruelen(const_cast<char*>(text.data()), length);
  return PointerGetDatum(cstring_to_text_with_len(text.data(), length));
}

}  // namespace

std::int32_t ColumnHierarchy::find(std::int32_t level, const char* label) const {
  const GroupLabels& labels = labels_[static_cast<std::size_t>(level)];
  const std::int32_t code = labels.texts->find(label);
  for (std::size_t group = 0; code >= 0 && group < labels.codes.size(); ++group)
    if (labels.codes[group] == code) return static_cast<std::int32_t>(group);
  return -1;
}

std::vector<std::vector<std::int32_t>> levels_of(const ColumnHierarchy& hierarchy) {
  std::vector<std::vector<std::int32_t>> levels;
  for (std::int32_t level = 1; level <= hierarchy.hierarchy().height(); ++level)
    levels.push_back(hierarchy.hierarchy().level(level));
  return levels;
}

const ColumnHierarchy* read_hierarchy(const SourceColumn& column, const Block& block, int j,
                                      const Ranks& ranks, MemoryCount& memory) {
  if (column.hierarchy == nullptr)
    return column.number_type != nullptr ? nullptr : suppression(block, j, ranks, memory);
  const Oid type = column.number_type != nullptr ? column.base_type : TEXTOID;
  Labelling labelling = start_labelling(*column.hierarchy, type, ranks.distinct, memory);
  label_values(labelling,
               [&](int64 v) { return distinct_value(column, block, j, ranks.values[v]); });
  check_leaves(labelling.codes, column.name);
  return build(labelling.codes, column.hierarchy, ranks.nulls > 0, top_label(labelling.labeller));
}

const ColumnHierarchy* read_hierarchy(const char* column, Oid base_type, const Datum* values,
                                      int32 count, bool has_null, const HierarchyRule& rule,
                                      MemoryCount& memory) {
  check_value_type(rule, column, base_type);
  Labelling labelling = start_labelling(rule, base_type, count, memory);
  label_values(labelling, [&](int64 v) { return values[v]; });
  check_leaves(labelling.codes, column);
  return build(labelling.codes, &rule, has_null, top_label(labelling.labeller));
}

}  // namespace anonkit::pg
