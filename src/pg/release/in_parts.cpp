#include "pg/release/in_parts.hpp"

#include <algorithm>

#include "method/blocks/blocks.hpp"
#include "metric/loss_of_parts.hpp"
#include "promise/promise.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/elapsed.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/parts.hpp"
#include "pg/read/row_runs.hpp"

namespace anonkit::pg {
namespace {

/// Columns of the sort after those of the release: two halves of the fingerprint, and the records.
constexpr int kOthers = 2, kAdded = 3;

TupleDesc sort_descriptor(const Source& source) {
  TupleDesc released = release_descriptor(source);
  TupleDesc descriptor = CreateTemplateTupleDesc(source.count + kAdded);
  for (int i = 1; i <= source.count; ++i)
    TupleDescCopyEntry(descriptor, static_cast<AttrNumber>(i), released,
                       static_cast<AttrNumber>(i));
  for (int i = 1; i <= kAdded; ++i)
    TupleDescInitEntry(descriptor, static_cast<AttrNumber>(source.count + i), nullptr, INT8OID, -1,
                       0);
  return descriptor;
}

/// By quasi-identifier, its column in the release, from 1.
AttrNumber* places_of_quasi_identifiers(const Source& source) {
  const SourceColumn** released = released_columns(source);
  auto* places = allocate<AttrNumber>(source.quasi_identifiers);
  for (int at = 0; at < source.count; ++at) {
    const std::ptrdiff_t j = released[at] - source.columns;
    if (j < source.quasi_identifiers) places[j] = static_cast<AttrNumber>(at + 1);
  }
  return places;
}

/// Sorts by the quasi-identifiers, then by the fingerprint.
Tuplesortstate* begin_sort(const Source& source, TupleDesc descriptor) {
  const int keys = source.quasi_identifiers + kOthers;
  auto* places = allocate<AttrNumber>(keys);
  Oid* less = allocate<Oid>(keys);
  Oid* collations = allocate<Oid>(keys);
  bool* nulls_first = allocate<bool>(keys);
  const AttrNumber* of_quasi_identifiers = places_of_quasi_identifiers(source);
  for (int i = 0; i < keys; ++i) {
    const int other = i - source.quasi_identifiers;
    places[i] =
        other < 0 ? of_quasi_identifiers[i] : static_cast<AttrNumber>(source.count + 1 + other);
    const Form_pg_attribute column = TupleDescAttr(descriptor, places[i] - 1);
    less[i] = lookup_type_cache(column->atttypid, TYPECACHE_LT_OPR)->lt_opr;
    collations[i] = column->attcollation;
    nulls_first[i] = false;
  }
  return tuplesort_begin_heap(descriptor, keys, places, less, collations, nulls_first,
                              maintenance_work_mem, nullptr, TUPLESORT_NONE);
}

/// The key of half a fingerprint in a column of signed numbers, whose order it keeps.
Datum sort_key(uint64 half) {
  return Int64GetDatum(static_cast<int64>(half ^ (uint64{1} << 63)));
}

/// Adds rows to a sort.
struct SortState {
  Tuplesortstate* sort;
  TupleTableSlot* slot;
  int columns;  ///< the release's
};

void add_to_sort(const ReleasedRows& rows, void* state) {
  const auto& sorting = *static_cast<SortState*>(state);
  TupleTableSlot* slot = ExecClearTuple(sorting.slot);
  std::copy_n(rows.values, sorting.columns, slot->tts_values);
  std::copy_n(rows.nulls, sorting.columns, slot->tts_isnull);
  std::fill_n(slot->tts_isnull + sorting.columns, kAdded, false);
  for (int half = 0; half < kOthers; ++half)
    slot->tts_values[sorting.columns + half] =
        sort_key(rows.others[static_cast<std::size_t>(half)]);
  slot->tts_values[sorting.columns + kOthers] = Int64GetDatum(rows.records);
  ExecStoreVirtualTuple(slot);
  tuplesort_puttupleslot(sorting.sort, slot);
}

LossOfParts& new_loss(const Parts& parts, int columns) {
  std::vector<double> units;
  for (int j = 0; j < columns; ++j) units.push_back(parts.spreads[j].deviation);
  return own_in_context(std::make_unique<LossOfParts>(units));
}

/// The loss of the published cells if they are centroids, otherwise of the classes' centroids.
void add_loss(LossOfParts& loss, const Run& part) {
  BackendTicker ticker;
  const Table table = table_of(part.source, part.spec, part.loaded);
  const Anonymized& made = *part.anonymized;
  const int threads = part.spec.options.threads;
  if (recoding(part.spec.options.recode).keeps_type)
    loss.add(table, made.members, made.masked, threads, ticker);
  else
    loss.add(table, made.members, recode(table, made.members, Recode::centroid, ticker, threads),
             threads, ticker);
}

void add_facts(PartsRelease& release, const Run& part) {
  for (int j = 0; j < part.source.quasi_identifiers; ++j) {
    add_values(release.few[j], part.loaded.quasi_identifiers, j, part.loaded.rows);
    // The part's codes are those of all rows. So many categories would not fit.
    release.identifying[j] = release.identifying[j] &&
                             part.source.columns[j].number_type != nullptr && identifies(part, j);
    const LonelyEnds ends = lonely_ends(part, j);
    release.lonely[j].records += ends.records;
    release.lonely[j].lonely += ends.lonely;
  }
}

/// Means over rows, of which `rows` are there and `added` are added.
void add_mean(double& mean, double rows, double part, double added) {
  mean += (part - mean) * (added / (rows + added));
}

/// False for a column of ranks: its share of the information loss is one of the part's ranks.
bool has_information_loss(const Source& source) {
  return std::none_of(source.columns, source.columns + source.quasi_identifiers,
                      [](const SourceColumn& column) {
                        return column.kind == Kind::ordinal && column.hierarchy == nullptr;
                      });
}

void add_figures(PartsRelease& release, const Run& part) {
  const Figures figures = figures_of(part);
  Figures& all = release.figures;
  if (all.rows == 0) {
    // Figures that are not added up are the same for every part: may_be_in_parts() excludes others.
    all = figures;
    if (!has_information_loss(part.source)) all.il = kNull;
  } else {
    for (double Figures::*mean : {&Figures::ncp, &Figures::prec, &Figures::il})
      add_mean(all.*mean, all.rows, figures.*mean, figures.rows);
    all.rows += figures.rows;
    all.suppressed_cells += figures.suppressed_cells;
    all.coarsened_cells += figures.coarsened_cells;
    all.reproducible = std::min(all.reproducible, figures.reproducible);
  }
  const StageSeconds stages = stages_of(part);
  release.stages.reading += stages.reading;
  release.stages.anonymizing += stages.anonymizing;
  release.stages.verifying += stages.verifying;
}

/// The part that is being formed, for errors: a part may be unable to keep a promise that the whole
/// table could.
struct PartPlace {
  int32 number;
  int32 parts;
};

void name_part(void* argument) {
  const auto& place = *static_cast<PartPlace*>(argument);
  errcontext("part %d of %d, into which anonkit.max_memory divides the table", place.number + 1,
             place.parts);
}

/// Runs the pipeline on a part, in a memory context of its own.
void form_part(PartsRelease& release, const Parts& parts, int32 number, const SortState& sorting,
               LossOfParts& loss) {
  MemoryContext context =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit part", ALLOCSET_DEFAULT_SIZES);
  MemoryContext old = MemoryContextSwitchTo(context);
  PartPlace place = {number, parts.count};
  ErrorContextCallback naming = {error_context_stack, name_part, &place};
  error_context_stack = &naming;
  Run part = {};
  part.started_at = GetCurrentTimestamp();
  part.spec = release.spec;
  part.source = release.source;
  part.loaded = read_part(part.source, part.spec, parts, number);
  part.read_at = GetCurrentTimestamp();
  if (part.loaded.rows > 0) {
    require_run(part);
    add_facts(release, part);
    add_figures(release, part);
    add_loss(loss, part);
    put_rows(part, add_to_sort, const_cast<SortState*>(&sorting));
  }
  error_context_stack = naming.previous;
  MemoryContextSwitchTo(old);
  MemoryContextDelete(context);
}

/// True if rows can be sorted by the published column.
bool is_sortable(const SourceColumn& column) {
  return OidIsValid(lookup_type_cache(column.released_type, TYPECACHE_LT_OPR)->lt_opr);
}

/// The spreads of all rows, where the user gave no others.
void use_spreads(const Source& source, const Spread* spreads) {
  for (int j = 0; j < source.quasi_identifiers; ++j) {
    Spread& own = source.columns[j].spread;
    if (own.deviation == 0) own.deviation = spreads[j].deviation;
    if (own.extent == 0) own.extent = spreads[j].extent;
  }
}

}  // namespace

bool may_be_in_parts(const Spec& spec, const Source& source) {
  const Options& options = spec.options;
  const bool divides =
      (spec.method->by_blocks && options.block_size > 0) || may_divide(*spec.method, options);
  const bool one_by_one = options.nulls == Nulls::error && options.refine_seconds == 0 &&
                          !options.lower_bound && !(options.generalisation.max_suppression > 0) &&
                          options.scales == nullptr;
  return divides && one_by_one && !recoding(options.recode).by_record &&
         find_made(options.promises, [](const Promise& one) { return !rows_of_classes(one); }) ==
             nullptr &&
         !options.transparency.wanted && !options.unit_rows_together && !source.has_target &&
         !OidIsValid(spec.population) && source.class_column == nullptr &&
         std::all_of(source.columns, source.columns + source.quasi_identifiers, is_sortable);
}

PartsRelease* form_in_parts(const Run& run) {
  auto* release = static_cast<PartsRelease*>(palloc0(sizeof(PartsRelease)));
  release->spec = run.spec;
  release->source = run.source;
  release->started_at = run.started_at;
  const int d = run.source.quasi_identifiers;
  release->few = static_cast<FewValues*>(palloc0(sizeof(FewValues) * static_cast<std::size_t>(d)));
  release->identifying = allocate<bool>(d);
  std::fill_n(release->identifying, d, true);
  release->lonely =
      static_cast<LonelyEnds*>(palloc0(sizeof(LonelyEnds) * static_cast<std::size_t>(d)));
  const Parts parts = read_parts(run.source, run.spec, run.loaded);
  release->parts = parts.count;
  use_spreads(release->source, parts.spreads);
  release->stages.reading = seconds_since(run.started_at);
  release->descriptor = sort_descriptor(run.source);
  release->sort = begin_sort(run.source, release->descriptor);
  const SortState sorting = {release->sort,
                             MakeSingleTupleTableSlot(release->descriptor, &TTSOpsVirtual),
                             run.source.count};
  LossOfParts& loss = new_loss(parts, d);
  for (int32 part = 0; part < parts.count; ++part) form_part(*release, parts, part, sorting, loss);
  release->figures.loss = loss.total(run.spec.options.standardize).percent();
  warn_of_codes(run.spec, run.source, release->few, static_cast<int64>(release->figures.rows));
  tuplesort_performsort(release->sort);
  return release;
}

namespace {

void end_class(ClassMetrics& metrics, int64 records) {
  if (records > INT_MAX)
    ereport(ERROR,
            (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("a class has too many records")));
  if (records > 0) add_class(metrics, static_cast<int32>(records));
}

}  // namespace

Figures put_parts(PartsRelease& release, RowsFunction put, void* state) {
  const RowRuns runs = begin_runs(release.descriptor, places_of_quasi_identifiers(release.source),
                                  release.source.quasi_identifiers);
  const int columns = release.source.count;
  TupleTableSlot* slot = MakeSingleTupleTableSlot(release.descriptor, &TTSOpsMinimalTuple);
  ClassMetrics metrics;
  int64 of_class = 0;
  while (tuplesort_gettupleslot(release.sort, true, false, slot, nullptr)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    const int64 records = DatumGetInt64(slot->tts_values[columns + kOthers]);
    put({slot->tts_values, slot->tts_isnull, records, {}}, state);
    if (starts_run(runs, slot)) {
      end_class(metrics, of_class);
      of_class = 0;
    }
    of_class += records;
  }
  end_class(metrics, of_class);
  finish_metrics(metrics, release.spec.options.k, 0);
  tuplesort_end(release.sort);
  report_stages(release.source.relation, static_cast<int64>(release.figures.rows), release.parts,
                release.started_at, release.stages);
  Figures figures = release.figures;
  set_class_metrics(figures, metrics);
  figures.seconds = seconds_since(release.started_at);
  return figures;
}

void warn_of_disclosures(const PartsRelease& release) {
  warn_of_disclosures(release.spec, release.source, release.identifying);
  warn_of_lonely_ends(release.spec, release.source, release.lonely);
}

}  // namespace anonkit::pg
