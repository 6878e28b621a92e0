#include "pg/release/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "recode/recoding.hpp"

#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"

namespace anonkit::pg {
namespace {

/// Chance makes the values of fewer rows unique.
constexpr int64 kFewestRows = 20;
/// A column is nearly unique if so large a share of its values differ.
constexpr double kNearlyAll = 0.9;
/// Rows that tell whether looking at more of them is worth it, and the most that are looked at.
constexpr int64 kSample = 10000;
constexpr int64 kMostRows = 100000;

void warn_of_k_of_one(const Spec& spec) {
  if (spec.options.k == 1)
    ereport(NOTICE, (errmsg("k is 1"), errdetail("Each record is a class of its own."),
                     errhint("Ask for a k of 5 or more.")));
}

bool is_integer(Oid type) {
  return type == INT2OID || type == INT4OID || type == INT8OID;
}

/// True if no two of the numbers are equal; nulls (NaN) are not looked at.
bool all_differ(const Block& block, int j, int64 rows) {
  double* values = allocate<double>(rows);
  int64 count = 0;
  for (int64 row = 0; row < rows; ++row)
    if (!std::isnan(block.value(row, j))) values[count++] = block.value(row, j);
  std::sort(values, values + count);
  const bool differ = std::adjacent_find(values, values + count) == values + count;
  pfree(values);
  return differ && count >= kFewestRows;
}

void warn_of_identifiers(const Source& source, const bool* identifying) {
  for (int j = 0; j < source.quasi_identifiers; ++j)
    if (identifying[j])
      ereport(NOTICE, (errmsg("quasi-identifier \"%s\" has another value in nearly every row",
                              source.columns[j].name),
                       errdetail("A record number, a name or an address is masked to nothing of "
                                 "use, and costs the other columns exactness."),
                       errhint("Leave an identifier out: a column that is not named is not "
                               "published.")));
}

/// True if ranges end at values of their records. Beside labels, numbers without a hierarchy have
/// such ranges.
bool publishes_ends(const Spec& spec) {
  const Recoding& how = recoding(spec.options.recode);
  return (how.by_range || how.by_hierarchy) && !spec.outward;
}

/// A value behind a published range.
struct Held {
  double value;
  int64 row;
};

/// The values of a numeric column behind its published ranges, ascending.
Held* sorted_values(const Run& run, int j, int64& count) {
  const Block& block = run.loaded.quasi_identifiers;
  Held* held = allocate<Held>(run.loaded.rows);
  count = 0;
  for (int64 row = 0; row < run.loaded.rows; ++row)
    if (run.cells_of(row) != nullptr && !run.nulls_of(run.cells_of(row))[j])
      held[count++] = {block.value(row, j), row};
  std::sort(held, held + count, [](const Held& a, const Held& b) { return a.value < b.value; });
  return held;
}

}  // namespace

LonelyEnds lonely_ends(const Run& run, int j) {
  LonelyEnds ends = {};
  if (!publishes_ends(run.spec) || run.loaded.quasi_identifiers.dictionaries[j] != nullptr)
    return ends;
  const Masked& masked = run.anonymized->masked;
  Held* held = sorted_values(run, j, ends.records);
  for (int64 i = 0; i < ends.records; ++i) {
    const double value = held[i].value;
    const auto cell = static_cast<std::size_t>(
        int64{run.anonymized->cells(static_cast<std::size_t>(held[i].row))} *
            run.source.quasi_identifiers +
        j);
    if (!masked.levels.empty() && masked.levels[cell] != kNoLevel) continue;
    const bool shared = (i > 0 && held[i - 1].value == value) ||
                        (i + 1 < ends.records && held[i + 1].value == value);
    if (!shared && (value == masked.low[cell] || value == masked.high[cell])) ++ends.lonely;
  }
  pfree(held);
  return ends;
}

void warn_of_lonely_ends(const Spec& spec, const Source& source, const LonelyEnds* ends,
                         bool of_classes) {
  /// Fewer records do not surprise: any column has its extremes.
  constexpr double kFewEnds = 0.01;
  StringInfoData columns;
  initStringInfo(&columns);
  for (int j = 0; publishes_ends(spec) && j < source.quasi_identifiers; ++j) {
    const double share = ends[j].records > 0 ? static_cast<double>(ends[j].lonely) /
                                                   static_cast<double>(ends[j].records)
                                             : 0;
    if (share >= kFewEnds)
      appendStringInfo(&columns, "%s\"%s\" %.0f %%", columns.len > 0 ? ", " : "",
                       source.columns[j].name, 100 * share);
  }
  if (columns.len == 0) return;
  const char* way_out = "";
  if (spec.over_time.key.count > 0)
    way_out = " Hierarchies of these columns have ends that are nobody's values.";
  else if (of_classes)
    way_out =
        " Hierarchies of these columns and option outward have ends that are nobody's values.";
  ereport(NOTICE,
          (errmsg("ranges publish values of single records"),
           errdetail("Ranges end at values of their records. Records with an end that no other "
                     "record has: %s.",
                     columns.data),
           errhint("anon_infer measures it as lonely_range_ends.%s", way_out)));
}

/// Measurements, such as weights and times, are often unique and name nobody, so of numbers only
/// integers can.
bool identifies(const Run& run, int j) {
  const Block& block = run.loaded.quasi_identifiers;
  const int64 rows = run.loaded.rows;
  if (rows < kFewestRows) return false;
  if (block.dictionaries[j] != nullptr)
    return static_cast<double>(block.dictionaries[j]->size()) >=
           kNearlyAll * static_cast<double>(rows);
  return is_integer(run.source.columns[j].base_type) &&
         all_differ(block, j, std::min(rows, kSample)) && all_differ(block, j, rows);
}

void warn_of_disclosures(const Spec& spec, const Source& source, const bool* identifying) {
  warn_of_k_of_one(spec);
  warn_of_identifiers(source, identifying);
}

void warn_of_disclosures(const Run& run) {
  bool* identifying = allocate<bool>(run.source.quasi_identifiers);
  for (int j = 0; j < run.source.quasi_identifiers; ++j) identifying[j] = identifies(run, j);
  warn_of_disclosures(run.spec, run.source, identifying);
  LonelyEnds* ends = allocate<LonelyEnds>(run.source.quasi_identifiers);
  for (int j = 0; j < run.source.quasi_identifiers; ++j) ends[j] = lonely_ends(run, j);
  warn_of_lonely_ends(run.spec, run.source, ends, run.anonymized->classes_published);
}

void add_values(FewValues& few, const Block& block, int j, int64 rows) {
  const double* const first = few.values;
  for (int64 row = 0; row < rows && few.count <= FewValues::kMost; ++row) {
    CHECK_FOR_INTERRUPTS();
    const double value = block.value(row, j);
    const double* const end = first + few.count;
    if (is_null(value) || std::find(first, end, value) != end) continue;
    if (few.count < FewValues::kMost) few.values[few.count] = value;
    ++few.count;
  }
}

void warn_of_codes(const Spec& spec, const Source& source, const FewValues* few, int64 rows) {
  constexpr int64 kRowsOfCode = 10;
  for (int j = 0; recoding(spec.options.recode).is_linear && j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    const int values = few[j].count;
    if (column.number_type == nullptr || !is_whole_number(column.base_type)) continue;
    if (values < 2 || values > FewValues::kMost || rows < kRowsOfCode * values) continue;
    ereport(NOTICE,
            (errmsg("means of column \"%s\" are published", column.name),
             errdetail("It has %d distinct values, as codes have.", values),
             errhint("If they are codes, name the column in categories: then the most frequent "
                     "code of a class is published.")));
  }
}

void warn_of_codes(const Run& run) {
  FewValues* few = allocate<FewValues>(run.source.quasi_identifiers);
  for (int j = 0; j < run.source.quasi_identifiers; ++j) {
    few[j].count = 0;
    add_values(few[j], run.loaded.quasi_identifiers, j, run.loaded.rows);
  }
  warn_of_codes(run.spec, run.source, few, run.loaded.rows);
}

void warn_of_refused_nulls(const Source& source, const Spec& spec) {
  if (spec.options.nulls != Nulls::error) return;
  // The columns of a view declare nothing, so nobody can act on the notice.
  const char kind = get_rel_relkind(source.relation);
  if (kind == RELKIND_VIEW || kind == RELKIND_MATVIEW) return;
  Relation relation = open_relation(source.relation);
  StringInfoData names;
  initStringInfo(&names);
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    const SourceColumn& column = source.columns[j];
    if (column.number_type == nullptr ||
        TupleDescAttr(RelationGetDescr(relation), column.number - 1)->attnotnull)
      continue;
    appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "", column.name);
  }
  relation_close(relation, NoLock);
  if (names.len == 0) return;
  ereport(NOTICE,
          (errmsg("the first null in a quasi-identifier will stop a refresh"),
           errdetail("Numbers and dates that may be null: %s.", names.data),
           errhint("%s", can_stratify(*spec.method, spec.options)
                             ? "Publish with nulls => 'stratify', or set the columns NOT NULL."
                             : "Set the columns NOT NULL.")));
}

namespace {

bool can_be_counted(Oid type) {
  return is_built_in_type(type) && OidIsValid(lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr);
}

/// The values of a column of the release that are not null, and how many of them differ.
struct ValueCount {
  int64 values;
  int64 distinct;

  bool nearly_unique() const {
    return values >= kFewestRows &&
           static_cast<double>(distinct) >= kNearlyAll * static_cast<double>(values);
  }
};

/// Counts the values of an expression over columns of the release, in so many rows.
ValueCount count_values(Oid release, const char* value, int64 rows) {
  execute(psprintf("SELECT count(kept.value), count(DISTINCT kept.value) FROM"
                   " (SELECT %s FROM %s AS release LIMIT " INT64_FORMAT ") AS kept(value)",
                   value, qualified_name_of(release), rows),
          SPI_OK_SELECT);
  ValueCount count = {};
  bool null;
  TupleDesc descriptor = SPI_tuptable->tupdesc;
  count.values = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], descriptor, 1, &null));
  count.distinct = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], descriptor, 2, &null));
  SPI_freetuptable(SPI_tuptable);
  return count;
}

bool is_nearly_unique(Oid release, const char* value) {
  return count_values(release, value, kSample).nearly_unique() &&
         count_values(release, value, kMostRows).nearly_unique();
}

void warn_of_unique(const char* role, const char* column, const char* hint) {
  ereport(NOTICE, (errmsg("%s column \"%s\" is nearly unique", role, column),
                   errdetail("An attacker who knows a person's value finds the person's record "
                             "for any k."),
                   errhint("%s", hint)));
}

/// Kept columns of which none is nearly unique alone.
void warn_of_unique_together(Oid release, const char* const* columns, int count) {
  StringInfoData values, names;
  initStringInfo(&values);
  initStringInfo(&names);
  for (int i = 0; i < count; ++i) {
    appendStringInfo(&values, "%srelease.%s", i > 0 ? ", " : "", quote_identifier(columns[i]));
    appendStringInfo(&names, "%s\"%s\"", i > 0 ? ", " : "", columns[i]);
  }
  if (count < 2 || !is_nearly_unique(release, psprintf("ROW(%s)", values.data))) return;
  ereport(NOTICE, (errmsg("kept columns are nearly unique together"),
                   errdetail("An attacker who knows a person's values of %s finds the person's "
                             "record for any k.",
                             names.data),
                   errhint("Leave some of them out of keep, or make them quasi-identifiers.")));
}

bool is_kept(const Source& source, const char* name) {
  const bool spelled = get_attnum(source.unit_relation, name) != InvalidAttrNumber;
  for (const SourceColumn* column = source.spooled(); column < source.columns + source.count;
       ++column)
    if (column->role == Role::keep &&
        (spelled ? std::strcmp(column->name, name) : pg_strcasecmp(column->name, name)) == 0)
      return true;
  return false;
}

/// Pseudonyms that repeat belong to persons, or to something else that several rows share.
void warn_of_pseudonyms(Oid release, const SourceColumn& column, const Spec& spec) {
  if (spec.unit.count > 0) return;
  const char* value = psprintf("release.%s", quote_identifier(column.name));
  const ValueCount count = count_values(release, value, kMostRows);
  if (count.distinct == count.values) return;
  ereport(NOTICE,
          (errmsg("pseudonyms of column \"%s\" link rows, and there is no unit", column.name),
           errdetail("If they are pseudonyms of persons, every model counts rows, not persons."),
           errhint("%s", can_count_persons(spec)
                             ? "Name the columns that identify the person of a row in unit."
                             : "Leave the column out.")));
}

void warn_of_kept_unit(const Source& source, const Spec& spec) {
  if (spec.unit.count == 0 || spec.options.unit_rows_together) return;
  for (int i = 0; i < spec.unit.count; ++i)
    if (!is_kept(source, spec.unit.names[i])) return;
  ereport(NOTICE,
          (errmsg("the unit is kept, so the release links the rows of a person"),
           errdetail("An attacker who knows several rows of a person finds the person if "
                     "nobody else has rows in these classes."),
           errhint("anon_audit measures it as k-anonymity of histories. Leave the unit "
                   "out of keep%s.",
                   can_keep_histories(spec) ? ", or promise it by unit_rows => 'together'" : "")));
}

}  // namespace

void warn_of_unique_values(Oid rows, const Source& source, const Spec& spec) {
  const char** shared = allocate<const char*>(source.count);
  int count = 0;
  for (int i = source.quasi_identifiers; i < source.count; ++i) {
    const SourceColumn& column = source.columns[i];
    if (column.role == Role::quasi_identifier || !can_be_counted(column.released_type)) continue;
    if (column.pseudonym) {
      warn_of_pseudonyms(rows, column, spec);
      continue;
    }
    const bool kept = column.role == Role::keep;
    const char* value = psprintf("release.%s", quote_identifier(column.name));
    if (is_nearly_unique(rows, value))
      warn_of_unique(
          kept ? "kept" : "sensitive", column.name,
          kept ? "Leave it out of keep." : "Round its values in a view, or leave it out.");
    else if (kept)
      shared[count++] = column.name;
  }
  warn_of_unique_together(rows, shared, count);
  warn_of_kept_unit(source, spec);
}

}  // namespace anonkit::pg
