#include "pg/read/hierarchy/label_table.hpp"

#include <algorithm>
#include <string_view>

#include "table/hierarchy.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/reading_for.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/block.hpp"
#include "pg/read/hierarchy/value_text.hpp"

namespace anonkit::pg {
namespace {

constexpr char kRoot[] = "*";

struct Receiver {
  LabelTable* table;
  Oid* types;
};

/// If two rows spell one number, it has no leaf.
void note_number(LabelTable& table, int32 row, const char* text) {
  const char* spelling = number_spelling(text);
  if (spelling == nullptr) return;
  const int32 known = table.numbers->size();
  const int32 code = category_code(*table.numbers, spelling);
  table.row_of[code] = code == known ? row : -1;
}

void receive(TupleTableSlot* slot, void* state) {
  auto& receiver = *static_cast<Receiver*>(state);
  LabelCodes& rows = receiver.table->rows;
  const int64 row = add_value(rows);
  for (int level = 0; level < slot->tts_tupleDescriptor->natts; ++level)
    if (!slot->tts_isnull[level])
      set_label(rows, row, level, value_text(receiver.types[level], slot->tts_values[level]));
}

/// Sets the columns to read and returns the query.
char* rows_query(const HierarchyRule& rule, Receiver& receiver, int& levels) {
  UserQuery query = begin_user_query();
  Relation relation = open_relation(rule.table);
  require_rows(relation);
  TupleDesc descriptor = RelationGetDescr(relation);
  const bool named = rule.columns.names != nullptr;
  receiver.types = allocate<Oid>(named ? rule.columns.count : descriptor->natts);
  levels = 0;
  for (int i = 0; i < (named ? rule.columns.count : descriptor->natts); ++i) {
    const AttrNumber number =
        named ? find_column(descriptor, rule.columns.names[i]) : static_cast<AttrNumber>(i + 1);
    Form_pg_attribute attribute = TupleDescAttr(descriptor, number - 1);
    if (attribute->attisdropped) continue;
    add_column(query, NameStr(attribute->attname));
    receiver.types[levels++] = getBaseType(attribute->atttypid);
  }
  relation_close(relation, NoLock);
  if (levels < 1 || levels > kMaxLevels)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("a table of labels must have 1 to %d columns", kMaxLevels)));
  return end_user_query(query, rule.table);
}

[[noreturn]] void refuse(const char* message, const char* detail) {
  ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("%s", message), errdetail("%s", detail),
                  errhint("Columns are levels, the values first, and each label belongs to one "
                          "label of the next column.")));
  pg_unreachable();
}

/// The number of values in several rows.
int64 count_repeated(const LabelCodes& rows) {
  const int32 distinct = rows.labels[0]->size();
  int32* rows_of = allocate<int32>(distinct);
  std::fill_n(rows_of, distinct, 0);
  for (int64 row = 0; row < rows.values; ++row) ++rows_of[rows.code(row, 0)];
  return std::count_if(rows_of, rows_of + distinct, [](int32 n) { return n > 1; });
}

void check_rows(const LabelCodes& rows) {
  if (rows.values == 0) refuse("a hierarchy needs values", "The table has no rows.");
  for (int level = 0; level < rows.levels; ++level) {
    int64 nulls = 0;
    for (int64 row = 0; row < rows.values; ++row) nulls += rows.code(row, level) < 0 ? 1 : 0;
    CHECK_FOR_INTERRUPTS();
    if (nulls > 0)
      refuse("a label of the hierarchy is null",
             psprintf("Level %d is null for " INT64_FORMAT " values.", level, nulls));
  }
  if (rows.values > rows.labels[0]->size())
    refuse("the hierarchy has a value twice",
           psprintf("Level 0 has " INT64_FORMAT " values more than once.", count_repeated(rows)));
}

/// Lets the core check that the labels form a tree.
void check_tree(const LabelCodes& rows, bool root) {
  BackendTicker ticker;
  std::vector<std::vector<std::int32_t>> levels;
  for (int level = 1; level < rows.levels; ++level) {
    std::vector<std::int32_t>& groups = levels.emplace_back();
    for (int64 row = 0; row < rows.values; ++row) groups.push_back(rows.code(row, level));
    ticker.step(rows.values);
  }
  if (root) levels.emplace_back(static_cast<std::size_t>(rows.values), 0);
  Hierarchy(std::move(levels), ticker);
}

void index_numbers(LabelTable& table) {
  table.numbers = &own_in_context(std::make_unique<Dictionary>());
  table.row_of = allocate<int32>(table.rows.values);
  count_memory(*table.rows.memory, table.rows.values * 100);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit number", ALLOCSET_DEFAULT_SIZES);
  for (int32 row = 0; row < table.rows.values; ++row) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext old = MemoryContextSwitchTo(scratch);
    note_number(table, row, table.rows.labels[0]->text(row).c_str());
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  MemoryContextDelete(scratch);
}

}  // namespace

LabelTable read_label_table(const HierarchyRule& rule, bool numbers, MemoryCount& memory) {
  LabelTable table = {};
  Receiver receiver = {&table, nullptr};
  int levels;
  const char* query = rows_query(rule, receiver, levels);
  table.rows = make_label_codes(levels, 0, memory);
  const OwnersWork work = begin_reading_for(rule.named_by, rule.table);
  for_each_row(query, receive, &receiver);
  end_reading_for(work);
  check_rows(table.rows);
  const bool root = levels == 1 || table.rows.labels[levels - 1]->size() > 1;
  table.height = levels - (root ? 0 : 1);
  check_tree(table.rows, root);
  if (numbers) index_numbers(table);
  return table;
}

int32 find_row(const LabelTable& table, const char* value) {
  return table.rows.labels[0]->find(value);
}

int32 find_number(const LabelTable& table, Numeric value) {
  const int32 code = table.numbers->find(number_spelling(value));
  return code < 0 ? -1 : table.row_of[code];
}

const char* label_of(const LabelTable& table, int32 row, int level) {
  return level == table.rows.levels
             ? kRoot
             : table.rows.labels[level]->text(table.rows.code(row, level)).c_str();
}

bool has_label(const LabelTable& table, const char* label) {
  for (int level = 0; level < table.rows.levels; ++level)
    if (table.rows.labels[level]->find(label) >= 0) return true;
  return table.height == table.rows.levels && std::string_view(label) == kRoot;
}

}  // namespace anonkit::pg
