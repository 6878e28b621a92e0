#include <algorithm>
#include <numeric>

#include "error.hpp"

#include "aggregate_audit.hpp"
#include "backend_ticker.hpp"
#include "promised.hpp"
#include "run.hpp"
#include "session.hpp"

namespace anonkit::pg {
namespace {

const Anonymized& anonymize_loaded(const Source& source, const Spec& spec, const Loaded& loaded) {
  BackendTicker ticker;
  auto result = std::make_unique<Anonymized>(
      anonymize(table_of(source, spec, loaded), *spec.method, spec.options, ticker));
  return own_in_context(std::move(result));
}

/// How the texts of one column become values of its type.
struct Input {
  FmgrInfo function;
  Oid parameter;
  int32 typmod;
};

Input input_of(const SourceColumn& column) {
  Input input;
  Oid function;
  getTypeInputInfo(column.released_type, &function, &input.parameter);
  fmgr_info(function, &input.function);
  input.typmod = column.released_typmod;
  return input;
}

Datum text_value(Input& input, const char* text) {
  return InputFunctionCall(&input.function, const_cast<char*>(text), input.parameter, input.typmod);
}

/// The categories of a cell as one text: a single one as it is, several as {a,b,c}.
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
  return run.spec.options.recode == Recode::centroid
             ? number_datum(column.base_type, column.base_typmod, low)
             : range_datum(*column.number_type, low, masked.high[cell]);
}

/// A category, or all of a class.
Datum category_cell(const Run& run, int j, std::size_t cell, Input& input, bool* null) {
  const Block& block = run.loaded.quasi_identifiers;
  const Masked& masked = run.anonymized->masked;
  const auto code = static_cast<int32>(masked.low[cell]);
  const bool one = run.spec.options.recode == Recode::centroid || masked.sets[cell].size() == 1;
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
                       generalised.ranks.values[group]);
  return text_value(input, generalised.hierarchy->label(level, group));
}

/// The masked values of one column.
void mask_column(Run& run, int j) {
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

/// The equality that GROUP BY uses, column by column.
struct Comparison {
  const Run* run;
  FmgrInfo* compare;
};

/// The order of two rows of cells, and the column that decides it, d if they are equal.
int compare_rows(const Comparison& comparison, int32 a, int32 b, int* column) {
  CHECK_FOR_INTERRUPTS();
  const Run& run = *comparison.run;
  const int d = run.source.quasi_identifiers;
  const std::size_t x = static_cast<std::size_t>(a) * static_cast<std::size_t>(d);
  const std::size_t y = static_cast<std::size_t>(b) * static_cast<std::size_t>(d);
  for (int& j = *column = 0; j < d; ++j) {
    if (run.nulls[x + j] || run.nulls[y + j]) {
      if (run.nulls[x + j] != run.nulls[y + j]) return run.nulls[x + j] ? 1 : -1;
      continue;
    }
    const int order = DatumGetInt32(FunctionCall2Coll(&comparison.compare[j],
                                                      run.source.columns[j].released_collation,
                                                      run.cells[x + j], run.cells[y + j]));
    if (order != 0) return order;
  }
  return 0;
}

int compare_cells(const void* a, const void* b, void* comparison) {
  int column;
  return compare_rows(*static_cast<const Comparison*>(comparison), *static_cast<const int32*>(a),
                      *static_cast<const int32*>(b), &column);
}

Comparison comparison_of(const Run& run) {
  Comparison comparison = {&run, allocate<FmgrInfo>(run.source.quasi_identifiers)};
  for (int j = 0; j < run.source.quasi_identifiers; ++j) {
    TypeCacheEntry* type =
        lookup_type_cache(run.source.columns[j].released_type, TYPECACHE_CMP_PROC_FINFO);
    fmgr_info_copy(&comparison.compare[j], &type->cmp_proc_finfo, CurrentMemoryContext);
  }
  return comparison;
}

/// Forms the classes again, from nothing but the values that will be written: rounding may have
/// joined some.
void form_published_classes(Run& run) {
  Comparison comparison = comparison_of(run);
  int32* sorted = allocate<int32>(run.cell_rows);
  std::iota(sorted, sorted + run.cell_rows, 0);
  qsort_arg(sorted, static_cast<std::size_t>(run.cell_rows), sizeof(int32), compare_cells,
            &comparison);

  run.published_class = allocate<int32>(run.cell_rows);
  run.published_sizes = allocate<int64>(run.cell_rows);
  run.published_breaks = allocate<int>(run.cell_rows);
  run.published_classes = 0;
  for (int i = 0; i < run.cell_rows; ++i) {
    int column = 0;
    if (i == 0 || compare_rows(comparison, sorted[i - 1], sorted[i], &column) != 0) {
      run.published_breaks[run.published_classes] = column;
      run.published_sizes[run.published_classes++] = 0;
    }
    const int published = run.published_classes - 1;
    run.published_class[sorted[i]] = published;
  }
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    const int32 c = run.published_class_of(row);
    if (c != kSuppressed) ++run.published_sizes[c];
  }
}

void check(const PromisedLevel& promised, double found) {
  if (promised.model->keeps(promised.level, found)) return;
  char detail[120];
  snprintf(detail, sizeof detail, "Promised is %g, found is %.6g.", promised.level, found);
  throw Error(ErrorKind::guarantee_broken,
              std::string("the masked records violate ") + promised.model->name, detail);
}

/// The published records of a sensitive column.
SensitiveAttribute judged(const Run& run, int a) {
  const Ranks& ranks = run.loaded.ranks[a];
  SensitiveAttribute attribute;
  for (int64 row = 0; row < run.loaded.rows; ++row)
    if (run.published_class_of(row) != kSuppressed) attribute.code_of.push_back(ranks.ranks[row]);
  if (run.loaded.sensitive_hierarchies[a] != nullptr)
    attribute.levels = levels_of(*run.loaded.sensitive_hierarchies[a]);
  if (run.loaded.protected_values[a] != nullptr)
    attribute.is_protected =
        protected_groups(*run.loaded.sensitive_hierarchies[a], *run.loaded.protected_values[a]);
  if (run.source.sensitive[a].kind == Kind::nominal) return attribute;
  attribute.scale = AttributeScale::ordinal;
  if (run.source.sensitive[a].kind == Kind::numeric) {
    attribute.scale = AttributeScale::numeric;
    attribute.numbers.assign(ranks.values, ranks.values + ranks.distinct);
  }
  return attribute;
}

/// The natural supersets of (n,t)-closeness: of each published class which one it is in of those
/// that agree in the first one, two, ... quasi-identifiers.
std::vector<std::vector<std::int32_t>> published_supersets(const Run& run) {
  std::vector<std::vector<std::int32_t>> supersets;
  for (int columns = 1; columns < run.source.quasi_identifiers; ++columns) {
    supersets.emplace_back();
    std::int32_t superset = 0;
    for (int c = 0; c < run.published_classes; ++c) {
      if (c > 0 && run.published_breaks[c] < columns) ++superset;
      supersets.back().push_back(superset);
    }
  }
  return supersets;
}

/// A release that does not verify does not exist: what the spec promises is measured on the
/// published classes, by the models alone.
void verify(const Run& run) {
  if (run.spec.method->of_aggregates) {
    verify_aggregates(run);
    return;
  }
  PromisedLevels promised = promised_by(run.spec);
  std::vector<std::vector<std::int32_t>> supersets;
  if (promised.parameters.n > 0) supersets = published_supersets(run);
  promised.parameters.supersets = &supersets;
  BackendTicker ticker;
  std::vector<std::int32_t> class_of;
  class_of.reserve(static_cast<std::size_t>(run.loaded.rows));
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    const int32 c = run.published_class_of(row);
    if (c != kSuppressed) class_of.push_back(c);
  }
  const auto measure = [&](int a, const ClassHistogram& histogram) {
    for (int i = 0; i < promised.count; ++i) {
      const PromisedLevel& one = promised.levels[i];
      const bool applies = a < 0 ? one.model->needs == AttributeNeed::none
                                 : one.model->is_about(histogram, promised.parameters);
      if (!applies || (one.attribute != kAnyAttribute && one.attribute != a)) continue;
      check(one, one.model->measure(histogram, promised.parameters, ticker).level);
    }
  };
  measure(-1, ClassHistogram(class_of, ticker));
  for (int a = 0; a < run.source.sensitive_count; ++a)
    measure(a, ClassHistogram(class_of, judged(run, a), ticker));
}

void warn_of_inexact(const Run& run) {
  if (!run.anonymized->exact)
    ereport(NOTICE, (errmsg("the search for the least loss was bounded"),
                     errdetail("It looked at some sets of columns to generalise, not at all.")));
}

/// One class of all records keeps any t and says nothing of anybody.
void warn_of_single_class(const Run& run) {
  if (run.spec.options.promises.t_close() && run.published_classes == 1 && run.loaded.rows > 1)
    ereport(NOTICE, (errmsg("all records form one class"),
                     errdetail("No finer classes were found that keep t."),
                     errhint("A larger t allows smaller classes.")));
}

}  // namespace

Run run_pipeline(Oid relation, const Spec& spec, Spool spool) {
  Run run = {};
  run.started_at = GetCurrentTimestamp();
  run.spec = spec;
  run.source = resolve_source(relation, run.spec);
  run.loaded = read_source(run.source, run.spec, spool);
  run.read_at = GetCurrentTimestamp();
  run.anonymized = &anonymize_loaded(run.source, run.spec, run.loaded);
  run.masked_at = GetCurrentTimestamp();
  const std::size_t cells = run.anonymized->masked.low.size();
  run.cell_rows = static_cast<int>(cells / static_cast<std::size_t>(run.source.quasi_identifiers));
  run.cells = allocate<Datum>(cells);
  run.nulls = allocate<bool>(cells);
  for (int j = 0; j < run.source.quasi_identifiers; ++j) mask_column(run, j);
  form_published_classes(run);
  verify(run);
  warn_of_single_class(run);
  warn_of_inexact(run);
  run.verified_at = GetCurrentTimestamp();
  return run;
}

void report_stages(const Run& run) {
  const auto seconds = [](TimestampTz from, TimestampTz to) {
    return static_cast<double>(to - from) / USECS_PER_SEC;
  };
  ereport(DEBUG1, (errmsg_internal("anonkit: reading %.3f s, anonymizing %.3f s, verifying %.3f s, "
                                   "writing %.3f s",
                                   seconds(run.started_at, run.read_at),
                                   seconds(run.read_at, run.masked_at),
                                   seconds(run.masked_at, run.verified_at),
                                   seconds(run.verified_at, GetCurrentTimestamp()))));
}

}  // namespace anonkit::pg
