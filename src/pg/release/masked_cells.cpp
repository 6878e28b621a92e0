#include "pg/release/masked_cells.hpp"

#include <algorithm>
#include <cstring>

#include "recode/recoding.hpp"

#include "pg/backend/session.hpp"
#include "pg/read/hierarchy/value_text.hpp"

extern "C" {
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// The input function that turns texts of one column into values of its type.
struct Input {
  FmgrInfo function;
  Oid parameter;
  int32 typmod;
  Oid enumeration;  ///< InvalidOid for another type
  const char* column;
};

Input input_of(const SourceColumn& column) {
  Input input;
  Oid function;
  getTypeInputInfo(column.released_type, &function, &input.parameter);
  fmgr_info(function, &input.function);
  input.typmod = column.released_typmod;
  const Oid base = getBaseType(column.released_type);
  input.enumeration = type_is_enum(base) ? base : InvalidOid;
  input.column = column.name;
  return input;
}

/// An error unless an enum still has the label, which was read before: ALTER TYPE takes no lock,
/// and the error of the input function would show it.
void require_label(const Input& input, const char* label) {
  if (!OidIsValid(input.enumeration) ||
      (std::strlen(label) < NAMEDATALEN &&
       SearchSysCacheExists2(ENUMTYPOIDNAME, ObjectIdGetDatum(input.enumeration),
                             CStringGetDatum(label))))
    return;
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("labels of type %s were renamed during the call",
                         format_type_be(input.enumeration)),
                  errdetail("Column \"%s\" was read with other labels.", input.column),
                  errhint("Repeat the call.")));
}

Datum text_value(Input& input, const char* text) {
  require_label(input, text);
  return InputFunctionCall(&input.function, const_cast<char*>(text), input.parameter, input.typmod);
}

/// The categories of a cell as one text: a single one alone, several as {a,b,c}.
char* set_text(const Block& block, int j, const std::vector<std::int32_t>& codes) {
  StringInfoData text;
  initStringInfo(&text);
  for (const std::int32_t code : codes) {
    appendStringInfoString(&text, text.len > 0 ? "," : "");
    appendStringInfoString(
        &text, code == block.null_codes[j] ? "null" : block.dictionaries[j]->text(code).c_str());
  }
  return codes.size() == 1 ? text.data : psprintf("{%s}", text.data);
}

/// A number, or the range of a class's numbers.
Datum number_cell(const Run& run, int j, std::size_t cell, bool* null) {
  const SourceColumn& column = run.source.columns[j];
  const Masked& masked = run.anonymized->masked;
  const double low = masked.low[cell];
  *null = is_null(low);
  if (*null) return 0;
  const Recoding& how = recoding(run.spec.options.recode);
  if (how.by_record) return value_of_number(column.base_type, column.base_typmod, low);
  return how.keeps_type || column.mean ? number_datum(column.base_type, column.base_typmod, low)
                                       : range_datum(*column.number_type, low, masked.high[cell],
                                                     run.loaded.quasi_identifiers.exact[j]);
}

/// A category, or all categories of a class.
Datum category_cell(const Run& run, int j, std::size_t cell, Input& input, bool* null) {
  const Block& block = run.loaded.quasi_identifiers;
  const Masked& masked = run.anonymized->masked;
  const auto code = static_cast<int32>(masked.low[cell]);
  const bool one = recoding(run.spec.options.recode).keeps_type || masked.sets[cell].size() == 1;
  *null = one && code == block.null_codes[j];
  if (*null) return 0;
  return text_value(input, one ? block.dictionaries[j]->text(code).c_str()
                               : set_text(block, j, masked.sets[cell]));
}

/// A group of the column's hierarchy; on level 0 a value.
Datum label_cell(const Run& run, int j, std::size_t cell, Input& input, bool* null) {
  const SourceColumn& column = run.source.columns[j];
  const Generalised& generalised = run.loaded.generalised[j];
  const std::int32_t level = run.anonymized->masked.levels[cell];
  const auto group = static_cast<std::int32_t>(run.anonymized->masked.low[cell]);
  *null = level == 0 && group == generalised.ranks.distinct;
  if (*null) return 0;
  if (level == 0 && column.intervals)
    return range_datum(*column.number_type, generalised.ranks.values[group],
                       generalised.ranks.values[group], run.loaded.quasi_identifiers.exact[j]);
  return text_value(input, generalised.hierarchy->label(level, group));
}

/// Categories in as many rows of cells as there are records: each is made once.
void exchange_categories(Run& run, int j) {
  const Block& block = run.loaded.quasi_identifiers;
  const int codes = block.dictionaries[j]->size();
  Datum* values = allocate<Datum>(codes);
  bool* made = allocate<bool>(codes);
  std::fill_n(made, codes, false);
  Input input = input_of(run.source.columns[j]);
  for (int64 row = 0; row < run.cell_rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int64 cell = row * run.source.quasi_identifiers + j;
    const auto code =
        static_cast<int32>(run.anonymized->masked.low[static_cast<std::size_t>(cell)]);
    run.nulls[cell] = code == block.null_codes[j];
    if (run.nulls[cell]) continue;
    if (!made[code]) values[code] = text_value(input, block.dictionaries[j]->text(code).c_str());
    made[code] = true;
    run.cells[cell] = values[code];
  }
}

/// The masked values of one column.
void mask_column(Run& run, int j) {
  if (recoding(run.spec.options.recode).by_record && run.loaded.quasi_identifiers.dictionaries[j]) {
    exchange_categories(run, j);
    return;
  }
  const bool number = run.source.columns[j].number_type != nullptr;
  const bool labels = !run.anonymized->masked.levels.empty();
  const auto d = static_cast<std::size_t>(run.source.quasi_identifiers);
  Input input = input_of(run.source.columns[j]);
  for (int row = 0; row < run.cell_rows; ++row) {
    const std::size_t cell = static_cast<std::size_t>(row) * d + static_cast<std::size_t>(j);
    bool* null = &run.nulls[cell];
    run.cells[cell] = labels && run.anonymized->masked.levels[cell] != kNoLevel
                          ? label_cell(run, j, cell, input, null)
                      : number ? number_cell(run, j, cell, null)
                               : category_cell(run, j, cell, input, null);
    CHECK_FOR_INTERRUPTS();
  }
}

}  // namespace

void mask_cells(Run& run) {
  const std::size_t cells = run.anonymized->masked.low.size();
  run.cell_rows = static_cast<int>(cells / static_cast<std::size_t>(run.source.quasi_identifiers));
  run.cells = allocate<Datum>(cells);
  run.nulls = allocate<bool>(cells);
  for (int j = 0; j < run.source.quasi_identifiers; ++j) mask_column(run, j);
}

}  // namespace anonkit::pg
