#include "pg/audit/population_labels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/at.hpp"

#include "pg/audit/judging.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/reading_for.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/labeller.hpp"
#include "pg/read/hierarchy/value_text.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/source.hpp"
#include "pg/spec/spec_check.hpp"

namespace anonkit::pg {
namespace {

/// A text of the published column, and its number; the last number is null's.
struct NumberedText {
  const char* text;
  int32 number;
};

/// The distinct texts of a published column. Plain data.
struct PublishedTexts {
  NumberedText* sorted;
  int32 count;
  int32* of_cell;  ///< by cell, its number; that of null is the count
};

int compare_texts(const void* a, const void* b) {
  return std::strcmp(static_cast<const NumberedText*>(a)->text,
                     static_cast<const NumberedText*>(b)->text);
}

PublishedTexts texts_of_cells(const PublishedColumn& column, MemoryCount& memory) {
  constexpr int64 kBytesPerCell = sizeof(NumberedText) + sizeof(int32);
  constexpr int64 kHeader = 16;  // of an allocation
  count_memory(memory, column.count * kBytesPerCell);
  PublishedTexts texts = {allocate<NumberedText>(column.count), 0, allocate<int32>(column.count)};
  for (int32 i = 0; i < column.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (column.nulls[i]) continue;
    const char* text = value_text(getBaseType(column.type), column.values[i]);
    count_memory(memory, kHeader + static_cast<int64>(std::strlen(text)) + 1);
    texts.sorted[texts.count++] = {text, i};
  }
  pg_qsort(texts.sorted, static_cast<std::size_t>(texts.count), sizeof(NumberedText),
           compare_texts);
  int32 distinct = 0;
  for (int32 i = 0; i < texts.count; ++i) {
    const NumberedText one = texts.sorted[i];
    if (i == 0 || std::strcmp(texts.sorted[distinct - 1].text, one.text) != 0) {
      texts.sorted[distinct] = {one.text, distinct};
      ++distinct;
    }
    texts.of_cell[one.number] = distinct - 1;
  }
  texts.count = distinct;
  for (int32 i = 0; i < column.count; ++i)
    if (column.nulls[i]) texts.of_cell[i] = distinct;
  return texts;
}

/// Labels the values of a population's column as a release would publish them.
struct Publisher {
  Oid type;  ///< of the population's values
  const HierarchyRule* rule;
  Labeller labeller;
  bool intervals;  ///< labels are published as ranges
  bool exact;      ///< every value is a double
  FmgrInfo input;
  Oid parameter;
  Oid range;
  const char** labels;
};

bool publishes_ranges(const HierarchyRule* rule, Oid published) {
  return rule != nullptr && has_intervals(*rule) && type_is_range(published);
}

/// As a release decides for its rows and population.
bool are_exact(Oid type, const AttributeData& values) {
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit numbers", ALLOCSET_DEFAULT_SIZES);
  MemoryContext old = MemoryContextSwitchTo(scratch);
  const int32 count = values.distinct - (values.has_null ? 1 : 0);
  const bool exact = std::all_of(values.values, values.values + count, [=](Datum value) {
    CHECK_FOR_INTERRUPTS();
    MemoryContextReset(scratch);
    bool finite;
    const double number = number_of(type, value, &finite);
    return finite && is_exact(type, value, number);
  });
  MemoryContextSwitchTo(old);
  MemoryContextDelete(scratch);
  return exact;
}

Publisher make_publisher(const HierarchyRule* rule, const AttributeData& values, Oid published,
                         MemoryCount& memory) {
  Publisher publisher = {};
  publisher.type = getBaseType(values.type);
  publisher.rule = rule;
  if (rule != nullptr) {
    check_value_type(*rule, values.name, publisher.type);
    publisher.labeller = open_labeller(*rule, publisher.type, memory);
    publisher.intervals = publishes_ranges(rule, published);
  }
  publisher.labels = allocate<const char*>(publisher.labeller.height + 2);
  if (!publisher.intervals) return publisher;
  publisher.exact = are_exact(publisher.type, values);
  Oid input;
  getTypeInputInfo(published, &input, &publisher.parameter);
  fmgr_info(input, &publisher.input);
  publisher.range = published;
  return publisher;
}

/// The text of the range of a value alone, as a release writes it.
const char* single_range_text(const Publisher& publisher, Datum value) {
  bool finite;
  const double number = number_of(publisher.type, value, &finite);
  return value_text(publisher.range,
                    range_datum(*number_type(publisher.type), number, number, publisher.exact));
}

/// The text of a range, whichever way its bounds are written.
const char* range_text(Publisher& publisher, const char* literal) {
  const Datum range =
      InputFunctionCall(&publisher.input, const_cast<char*>(literal), publisher.parameter, -1);
  return value_text(publisher.range, range);
}

/// Writes the texts under which a value may be published and returns their number.
int published_labels(Publisher& publisher, Datum value) {
  const char** labels = publisher.labels;
  if (publisher.rule == nullptr) {
    labels[0] = value_text(publisher.type, value);
    labels[1] = "*";
    return 2;
  }
  if (!make_labels(publisher.labeller, value, labels)) return 0;
  const int count = publisher.labeller.height + 1;
  if (!publisher.intervals) return count;
  labels[0] = single_range_text(publisher, value);
  for (int level = 1; level < count; ++level) labels[level] = range_text(publisher, labels[level]);
  return count;
}

/// Writes those of null, beside null itself.
int labels_of_null(Publisher& publisher) {
  publisher.labels[0] = publisher.rule == nullptr ? "*" : top_label(publisher.labeller);
  if (publisher.intervals) publisher.labels[0] = range_text(publisher, publisher.labels[0]);
  return 1;
}

int32 find_text(const PublishedTexts& texts, const char* text) {
  const NumberedText key = {text, 0};
  const auto* found = static_cast<const NumberedText*>(
      std::bsearch(&key, texts.sorted, static_cast<std::size_t>(texts.count), sizeof(NumberedText),
                   compare_texts));
  return found == nullptr ? -1 : found->number;
}

/// The only published cell among the labels; `fallback` without one.
int32 matched(const PublishedTexts& texts, const Publisher& publisher, int labels, int32 fallback,
              const char* column) {
  int32 match = fallback;
  for (int i = 0; i < labels; ++i) {
    const int32 found = find_text(texts, publisher.labels[i]);
    if (found < 0 || found == match) continue;
    if (match != fallback)
      ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                      errmsg("a value of column \"%s\" has several published labels", column),
                      errdetail("A record of the population would be in several classes.")));
    match = found;
  }
  return match;
}

/// By value of the population, null last: the number of the published cell that it matches; one
/// beyond null's number without any.
int32* match_values(const AttributeData& values, const PublishedColumn& column,
                    const PublishedTexts& texts, const HierarchyRule* rule, MemoryCount& memory) {
  Publisher publisher = make_publisher(rule, values, column.type, memory);
  const int32 none = texts.count + 1;
  count_memory(memory, (int64{values.distinct} + 1) * static_cast<int64>(sizeof(int32)));
  int32* match = allocate<int32>(values.distinct + 1);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit label", ALLOCSET_DEFAULT_SIZES);
  const int32 count = values.distinct - (values.has_null ? 1 : 0);
  for (int32 v = 0; v < count; ++v) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext old = MemoryContextSwitchTo(scratch);
    const int labels = published_labels(publisher, values.values[v]);
    match[v] = matched(texts, publisher, labels, none, values.name);
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  if (values.has_null) {
    const int32 as_text = matched(texts, publisher, labels_of_null(publisher), none, values.name);
    match[count] = as_text == none ? texts.count : as_text;
  }
  MemoryContextDelete(scratch);
  return match;
}

const HierarchyRule* rule_of(const Spec& spec, int j) {
  for (int i = 0; i < spec.hierarchies.count; ++i)
    if (is_quasi_identifier(spec, j, spec.hierarchies.list[i].column))
      return spec.hierarchies.list[i].hierarchy;
  return nullptr;
}

/// The quasi-identifiers whose values are codes, by their names in the population. Labels are those
/// of their texts.
Names categories_in_population(const Spec& spec) {
  Names categories = {allocate<char*>(spec.qi.count), 0};
  for (int j = 0; j < spec.qi.count; ++j)
    for (int i = 0; i < spec.categories.count; ++i)
      if (is_quasi_identifier(spec, j, spec.categories.names[i]))
        categories.names[categories.count++] = spec.population_columns.names[j];
  return categories;
}

int32* looked_up(const int32* places, int64 rows, const int32* table, MemoryCount& memory) {
  count_memory(memory, rows * static_cast<int64>(sizeof(int32)));
  int32* codes = allocate<int32>(rows);
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    codes[row] = table[places[row]];
  }
  return codes;
}

/// Ranges of one type contain values of another one only by a cast, which may fail on a value.
void check_range_types(const Spec& spec, const PublishedRows& published) {
  Relation relation = open_relation(spec.population);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int j = 0; j < spec.qi.count; ++j) {
    const Oid range = published.columns[j].type;
    if (!publishes_ranges(rule_of(spec, j), range)) continue;
    const char* name = spec.population_columns.names[j];
    const Oid type = TupleDescAttr(descriptor, find_column(descriptor, name) - 1)->atttypid;
    const NumberType* number = number_type(getBaseType(type));
    if (number == nullptr || number->range != range)
      ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                      errmsg("column \"%s\" of the population has another type", name),
                      errdetail("It is of type %s, and the published ranges are of type %s.",
                                format_type_be(type), format_type_be(range))));
  }
  relation_close(relation, NoLock);
}

/// The codes of one column of both relations, equal where cells match. Plain data.
struct MatchedColumn {
  const int32* population;
  const int32* published;
  int32 categories;
};

PopulationClasses& classes_of(const MatchedColumn* columns, int count, int64 population,
                              int64 published) {
  CellsPair pair;
  pair.original.rows = static_cast<std::int32_t>(population);
  pair.masked.rows = static_cast<std::int32_t>(published);
  for (int j = 0; j < count; ++j)
    for (Cells* cells : {&pair.original, &pair.masked}) {
      CellColumn column;
      column.codes = cells == &pair.original ? columns[j].population : columns[j].published;
      column.categories = columns[j].categories;
      cells->columns.push_back(column);
    }
  BackendTicker ticker;
  return own_in_context(std::make_unique<PopulationClasses>(population_classes(pair, ticker)));
}

}  // namespace

RelationData read_cells(Oid relation, const Names& columns, const Names& categories,
                        MemoryCount& memory) {
  AuditedColumns labelled;
  labelled.sensitive = columns;
  labelled.categories = categories;
  labelled.labelled = true;
  return read_relation(relation, labelled, &memory);
}

PopulationClasses& classes_of_population(const Spec& spec, const PublishedRows& published,
                                         MemoryCount& memory) {
  require_relation(spec.population);
  check_range_types(spec, published);
  const OwnersWork work = begin_reading_for(spec.population_named_by, spec.population);
  const RelationData population =
      read_cells(spec.population, spec.population_columns, categories_in_population(spec), memory);
  end_reading_for(work);
  if (population.rows + published.rows > INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to compare")));
  auto* columns = allocate<MatchedColumn>(spec.qi.count);
  for (int j = 0; j < spec.qi.count; ++j) {
    const PublishedColumn& column = published.columns[j];
    const PublishedTexts texts = texts_of_cells(column, memory);
    const AttributeData& values = population.attributes[j];
    const int32* match = match_values(values, column, texts, rule_of(spec, j), memory);
    columns[j] = {looked_up(values.codes, population.rows, match, memory),
                  looked_up(column.value_of_row, published.rows, texts.of_cell, memory),
                  texts.count + 2};
  }
  return classes_of(columns, spec.qi.count, population.rows, published.rows);
}

PopulationClasses& classes_of_population(const Spec& spec, const RelationData& data,
                                         MemoryCount& memory) {
  constexpr int64 kBytesPerCell = sizeof(Datum) + sizeof(bool);
  auto* columns = allocate<PublishedColumn>(spec.qi.count);
  for (int j = 0; j < spec.qi.count; ++j) {
    const AttributeData& from = data.attributes[j];
    const int32 values = from.distinct - (from.has_null ? 1 : 0);
    count_memory(memory, from.distinct * kBytesPerCell);
    Datum* cells = allocate<Datum>(from.distinct);
    bool* nulls = allocate<bool>(from.distinct);
    std::copy_n(from.values, values, cells);
    for (int32 v = 0; v < from.distinct; ++v) nulls[v] = v >= values;
    columns[j] = {from.type, cells, nulls, from.distinct, from.codes};
  }
  return classes_of_population(spec, {columns, data.rows}, memory);
}

bool needs_population(const Model& model) {
  return std::any_of(std::begin(kPopulationModels), std::end(kPopulationModels),
                     [&](const PopulationModel& one) { return find_model(one.name) == &model; });
}

void require_presence(const char* subject, const AskedLevels& promised,
                      const PopulationClasses& classes) {
  for (const PopulationModel& model : kPopulationModels)
    for (int i = 0; i < promised.count; ++i) {
      const AskedLevel& one = promised.list[i];
      if (one.model != find_model(model.name)) continue;
      const double found = presence_level(classes, model.model, NAN).level;
      if (!one.model->keeps(one.level, found))
        refuse_broken(
            {subject, one.model->name, nullptr, nullptr, one.model->comparison, one.level, found});
    }
}

}  // namespace anonkit::pg
