#include "pg/over_time/version.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cohort/coverage.hpp"
#include "metric/class_metrics.hpp"

#include "pg/audit/audit.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/being_refreshed.hpp"
#include "pg/backend/described.hpp"
#include "pg/backend/elapsed.hpp"
#include "pg/backend/output_settings.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/over_time/founding.hpp"
#include "pg/over_time/places_table.hpp"
#include "pg/release/release_note.hpp"
#include "pg/release/release_query.hpp"
#include "pg/release/row_guard.hpp"

namespace anonkit::pg {
namespace {

/// An error for a table that was emptied, renumbered or hidden from the owner: it must not become a
/// version.
void require_continuity(const Memory& memory, const Census& census, const Standings& standings) {
  const int64 fresh = census.rows - standings.known_persons;
  const char* which = 2 * standings.known_persons < memory.present ? "gone"
                      : 2 * fresh > census.rows                    ? "new"
                                                                   : nullptr;
  if (which == nullptr) return;
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("more than half of the keys are %s", which),
                  errdetail("The source has " INT64_FORMAT " rows, " INT64_FORMAT
                            " of them with a known key; it had " INT64_FORMAT ".",
                            census.rows, standings.known_persons, memory.present),
                  errhint("If the source was replaced, publish a new release. If the same persons "
                          "got other keys, a new release shows them in other classes, too: drop "
                          "this one, and see anon_audit_releases.")));
}

/// Warns the owner alone: readers see nothing of changed values.
void warn_of_changed_values(const Standings& standings) {
  if (2 * standings.roll->changed <= standings.living) return;
  ereport(NOTICE, (errmsg("more than half of the persons have other values than the release shows"),
                   errdetail("Their sensitive or kept values have changed since their classes were "
                             "founded. A place shows its person as of then."),
                   errhint("If values were respelt, change them back in a view, or publish a new "
                           "release.")));
}

/// The coverage of each stratum of nulls, as of today.
const std::vector<StratumCoverage>& coverage_of(const Census& census, const Standings& standings,
                                                const Founded& founded) {
  BackendTicker ticker;
  std::vector<char> published;
  for (int64 i = 0; i < census.rows; ++i) {
    const bool placed = standings.roll->standing[static_cast<std::size_t>(i)] == Standing::placed;
    published.push_back(placed || founded.settled[i] ? 1 : 0);
  }
  return own_in_context(std::make_unique<std::vector<StratumCoverage>>(coverage_by_stratum(
      census.nulls, static_cast<std::size_t>(census.null_words), published, ticker)));
}

void set_coverage(Figures& figures, const std::vector<StratumCoverage>& strata) {
  int64 present = 0;
  int64 published = 0;
  for (const StratumCoverage& stratum : strata) {
    present += stratum.present;
    published += stratum.published;
  }
  if (present == 0) return;
  figures.coverage = 100 * static_cast<double>(published) / static_cast<double>(present);
  figures.least_coverage = 100 * least_covered(strata, 1)->share();
}

constexpr double kEnoughCoverage = 80;

/// True if the owner should be told of a coverage: it has become low, or fallen by some points
/// since they were told. It depends on presence, dates and quasi-identifiers, as coverage does.
bool is_news(double coverage, double& told) {
  constexpr double kPoints = 5;
  const double lacking = 100 - coverage;
  if (std::isnan(coverage) || coverage >= kEnoughCoverage) {
    told = 0;
    return false;
  }
  if (told > 0 && lacking < told + kPoints) return false;
  told = lacking;
  return true;
}

/// The persons of a stratum in words.
const char* stratum_words(const Source& source, const NullPattern& nulls) {
  StringInfoData columns;
  initStringInfo(&columns);
  for (int j = 0; j < source.quasi_identifiers; ++j)
    if (has_null(nulls, static_cast<std::size_t>(j)))
      appendStringInfo(&columns, "%s\"%s\"", columns.len > 0 ? ", " : "", source.columns[j].name);
  return columns.len > 0 ? psprintf("with nulls in %s", columns.data) : "without nulls";
}

/// Warns if many persons of a stratum are not published. One of fewer than k persons has no class
/// of its own whatever happens.
void warn_of_stratum(const Source& source, const std::vector<StratumCoverage>& strata, int32 k,
                     Memory& memory) {
  const StratumCoverage* least = least_covered(strata, k);
  if (strata.size() < 2 || least == nullptr) return;
  if (!is_news(100 * least->share(), memory.told_stratum)) return;
  ereport(NOTICE, (errmsg("the release shows %.0f %% of the persons %s", 100 * least->share(),
                          stratum_words(source, least->nulls)),
                   errdetail("Persons with the same nulls form classes of their own. " INT64_FORMAT
                             " of " INT64_FORMAT " of these are not published.",
                             least->present - least->published, least->present),
                   errhint("Publish a view that leaves out the column, or has a value for its "
                           "nulls.")));
}

/// Warns if many persons who are present are not published: they wait, or their class has retired.
/// Both depend on presence, dates and quasi-identifiers alone.
void warn_of_coverage(const Figures& figures, Memory& memory) {
  if (!is_news(figures.coverage, memory.told_lacking)) return;
  ereport(NOTICE,
          (errmsg("the release shows %.0f %% of the persons in its source", figures.coverage),
           errdetail("%.0f wait for a class, and %.0f stay outside, since their class has "
                     "retired or a mean would tell of somebody.",
                     figures.waiting, figures.outside),
           errhint("A smaller max_wait or a larger wait_loss founds classes earlier. Those "
                   "who are outside are in a new release only.")));
}

/// Writes new weights, and the end of classes without a living member. One statement covers entire
/// classes, so that the order of the rows reveals nothing about single rows. Returns its command.
CommandId write_classes(const OverTimeQuery& release, const Standings& standings, Memory& memory) {
  const Mac mac = make_mac(memory.secret);
  TupleDesc descriptor = CreateTemplateTupleDesc(3);
  TupleDescInitEntry(descriptor, 1, "class", INT8OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "weight", FLOAT8OID, -1, 0);
  TupleDescInitEntry(descriptor, 3, "retires", BOOLOID, -1, 0);
  Tuplestorestate* store = new_store();
  int64 changed = 0;
  const std::vector<Cohort>& cohorts = standings.known->cohorts;
  for (std::size_t c = 0; c < cohorts.size(); ++c) {
    CHECK_FOR_INTERRUPTS();
    if (cohorts[c].retired) continue;
    const double weight = static_cast<double>(standings.roll->present[c]) / cohorts[c].size;
    const bool retires = standings.roll->retires[c] != 0;
    if (!retires && weight == standings.lives[c].weight) continue;
    change_class(mac, memory.places, static_cast<int64>(c), standings.lives[c],
                 {retires ? memory.version : 0, weight, 0, standings.lives[c].shows});
    Datum values[] = {Int64GetDatum(static_cast<int64>(c) + 1), Float8GetDatum(weight),
                      BoolGetDatum(retires)};
    bool nulls[] = {false, false, false};
    tuplestore_putvalues(store, descriptor, values, nulls);
    ++changed;
  }
  name_store("anon_changed", store, descriptor, changed);
  const CommandId command = next_command();
  if (changed > 0)
    execute(psprintf("UPDATE %s AS place SET anon_weight = c.weight,"
                     " anon_until = CASE WHEN c.retires THEN %d END FROM anon_changed AS c"
                     " WHERE place.anon_class OPERATOR(pg_catalog.=) c.class",
                     described_name_of(release.places), memory.version),
            SPI_OK_UPDATE);
  end_store("anon_changed", store);
  return changed > 0 ? command : InvalidCommandId;
}

int compare_persons_waiting(const void* a, const void* b) {
  return std::memcmp(static_cast<const Waiting*>(a)->person, static_cast<const Waiting*>(b)->person,
                     kPersonBytes);
}

/// Takes down who waits.
void note_waiting(const Census& census, const Standings& standings, const Founded& founded,
                  Memory& memory) {
  memory.waiting = allocate<Waiting>(census.rows);
  memory.waiting_count = 0;
  for (int64 i = 0; i < census.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (standings.roll->standing[static_cast<std::size_t>(i)] != Standing::waits ||
        founded.settled[i])
      continue;
    Waiting& waiting = memory.waiting[memory.waiting_count++];
    std::memcpy(waiting.person, census.person(i), kPersonBytes);
    waiting.since = standings.waiting[i] > 0 ? standings.waiting[i] : memory.version;
  }
  qsort(memory.waiting, static_cast<std::size_t>(memory.waiting_count), sizeof(Waiting),
        compare_persons_waiting);
}

std::vector<std::int32_t> sizes_of(const Standings& standings, const Founded& founded) {
  std::vector<std::int32_t> sizes;
  for (std::size_t c = 0; c < standings.known->cohorts.size(); ++c)
    if (!standings.known->cohorts[c].retired && standings.roll->retires[c] == 0)
      sizes.push_back(standings.known->cohorts[c].size);
  for (int64 c = 0; c < founded.classes; ++c)
    sizes.push_back(static_cast<std::int32_t>(founded.sizes[c]));
  return sizes;
}

ClassMetrics metrics_of(const Standings& standings, const Founded& founded, int32 k,
                        int64 unpublished) {
  BackendTicker ticker;
  return class_metrics(sizes_of(standings, founded), k, unpublished, ticker);
}

/// The figures of a version beyond those of its first run, for its owner. Losses are those of
/// places whose person is present, against today's quasi-identifiers.
Figures figures_of_version(const Memory& memory, const Standings& standings, const Founded& founded,
                           const Spec& spec) {
  Figures figures = founded.figures;
  if (memory.version > 1) {
    for (const FigureField& field : kFigureFields) figures.*field.member = kNull;
    const int64 living = standings.living + founded.rows;
    const double sse = standings.sse + founded.loss * static_cast<double>(founded.rows);
    if (memory.first_sst > 0 && living > 0)
      figures.loss = 100 * sse / static_cast<double>(living) / memory.first_sst;
    figures.suppressed_cells = 0;
    figures.reproducible = 1;
  }
  const int64 unpublished = memory.waiting_count + standings.roll->outside;
  const ClassMetrics metrics = metrics_of(standings, founded, spec.options.k, unpublished);
  figures.rows = static_cast<double>(metrics.records);
  figures.classes = metrics.classes;
  figures.smallest_class = metrics.smallest;
  figures.mean_class = metrics.mean;
  figures.dm = static_cast<double>(metrics.discernibility);
  figures.avg = metrics.normalized_average;
  figures.suppressed = static_cast<double>(unpublished);
  // Two classes may have the same cells.
  figures.grouped = false;
  figures.version = memory.version;
  figures.waiting = static_cast<double>(memory.waiting_count);
  figures.vacant = static_cast<double>(standings.roll->vacant);
  figures.stale = static_cast<double>(standings.roll->stale);
  figures.changed = static_cast<double>(standings.roll->changed);
  figures.outside = static_cast<double>(standings.roll->outside);
  figures.withheld =
      withholds_values(spec) ? static_cast<double>(standings.withheld + founded.withheld) : 0;
  return figures;
}

Names with_life(const Names& qi) {
  Names names = {
      static_cast<char**>(palloc0(sizeof(char*) * static_cast<std::size_t>(qi.count + 3))),
      qi.count + 2};
  std::copy_n(qi.names, qi.count, names.names);
  names.names[qi.count] = pstrdup(kSinceColumn);
  names.names[qi.count + 1] = pstrdup("anon_until");
  return names;
}

void remember_first(Memory& memory, const Founded& founded, int quasi_identifiers) {
  memory.scales = founded.scales;
  memory.scale_count = quasi_identifiers;
  memory.first_loss = founded.loss;
  const double percent = founded.figures.loss;
  memory.first_sst = percent > 0 ? 100 * founded.loss / percent : 0;
}

/// Proves the classes founded tonight, and with them all versions together. By induction: a class
/// was proven when it was founded, by as many persons and against the rows founded with it. Of its
/// places only end and weight change, for the class as a whole, which `require_sum` has verified of
/// every place tonight. So a refresh proves its changes, and anon_assert_history all of it. If all
/// classes of tonight withhold their values, promises on them are empty.
void assert_founded(const OverTimeQuery& release, const Spec& spec, const Founded& founded,
                    int32 version) {
  if (founded.rows == 0) return;
  Spec tonight = of_places(spec);
  tonight.qi = with_life(spec.qi);
  if (founded.withheld == founded.rows) tonight.options.promises = {};
  const bool asks_of_values = version == 1 && withholds_values(spec);
  assert_release({release.places, release.places}, tonight, {InvalidOid, {}},
                 asks_of_values ? Occasion::publish : Occasion::refresh,
                 psprintf("%s OPERATOR(pg_catalog.=) %d", kSinceColumn, version));
}

/// Proves k of the version that readers see. Classes of several versions may have equal cells: then
/// readers cannot tell which rows withhold their values. So promises on values are proven of the
/// places, class by class.
void assert_readable(const OverTimeQuery& release, const Spec& spec, const Source& source,
                     int32 version) {
  Spec of_readers = as_released(spec, source, release.relation);
  Occasion occasion = version == 1 ? Occasion::publish : Occasion::refresh;
  if (withholds_values(spec)) {
    of_readers.options.promises = {};
    occasion = Occasion::refresh;  // the places have been asked about single values
  }
  assert_release(release.relation, of_readers, {InvalidOid, {}}, occasion);
}

/// Statements of a version sort many rows once: in memory as far as possible. To compile them takes
/// longer than to run them. Until AtEOXact_GUC or an error.
int set_for_large_statements() {
  constexpr int kSortKilobytes = 64 * 1024;
  const int nest = NewGUCNestLevel();
  set_in_nest("jit", "off");
  const int kilobytes = std::min(kSortKilobytes, max_memory / 8);
  if (work_mem < kilobytes) set_in_nest("work_mem", psprintf("%dkB", kilobytes));
  return nest;
}

/// The hash of the person with such a key.
const uint8* withdrawn_person(const OpenState& open, const Withdrawal& withdrawal) {
  const Key& key = open.key;
  Datum* texts;
  bool* nulls;
  int count;
  deconstruct_array(const_cast<ArrayType*>(withdrawal.key), TEXTOID, -1, false, TYPALIGN_INT,
                    &texts, &nulls, &count);
  if (count != key.count || std::find(nulls, nulls + count, true) != nulls + count)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("parameter \"key\" needs one value of each key column"),
                    errdetail("The key and the unit have %d columns.", key.count)));
  Datum* values = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) {
    Oid input;
    Oid parameter;
    getTypeInputInfo(key.columns[i].base_type, &input, &parameter);
    values[i] = OidInputFunctionCall(input, TextDatumGetCString(texts[i]), parameter, -1);
  }
  const Hasher hasher =
      make_hasher(open.memory.secret, forms_of(key.columns, key.count, open.memory.enums), nullptr);
  uint8* person = allocate<uint8>(kPersonBytes);
  hash_person(hasher, key, values, person);
  return person;
}

/// Erases the sensitive and kept values of withdrawn classes, with nulls of a subquery's type: a
/// null constant would run the checks of a domain. The hashes stay, so that nobody founds another
/// class. Returns the command.
CommandId erase_values(const OverTimeQuery& release, const Source& source,
                       const Standings& standings) {
  const char* places = described_name_of(release.places);
  StringInfoData columns;
  StringInfoData classes;
  initStringInfo(&columns);
  initStringInfo(&classes);
  for (int i = source.quasi_identifiers; i < source.count; ++i)
    appendStringInfo(&columns, "%1$s%2$s = (SELECT none.%2$s FROM %3$s AS none WHERE false)",
                     columns.len > 0 ? ", " : "", quote_identifier(source.columns[i].name), places);
  for (std::size_t c = 0; c < standings.known->cohorts.size(); ++c)
    if (standings.withdrawn[c])
      appendStringInfo(&classes, "%s%zu", classes.len > 0 ? ", " : "", c + 1);
  const CommandId command = next_command();
  if (columns.len > 0)
    execute(psprintf("UPDATE %s SET %s WHERE anon_class OPERATOR(pg_catalog.=)"
                     " ANY (ARRAY[%s]::pg_catalog.int8[])",
                     places, columns.data, classes.data),
            SPI_OK_UPDATE);
  return columns.len > 0 ? command : InvalidCommandId;
}

/// Takes the classes of the person out of the state. Returns the command that erased values.
CommandId withdraw(const OverTimeQuery& release, OpenState& open, const Standings& standings,
                   Withdrawal& withdrawal) {
  withdrawal.rows = standings.withdrawn_rows;
  if (withdrawal.rows == 0)
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("no class of the release has this key"),
             errhint("A person who waits has none: delete the row from the source and "
                     "refresh.")));
  require_unaltered(release, open.source, open.key);  // indexes ran code when ends were written
  const CommandId command = erase_values(release, open.source, standings);
  CommandCounterIncrement();
  PushCopiedSnapshot(GetActiveSnapshot());
  UpdateActiveSnapshotCommandId();
  open.memory.places = read_places(release, open.source, open.key, open.memory);
  PopActiveSnapshot();
  return command;
}

}  // namespace

void assert_places(const OverTimeQuery& release, const Spec& spec) {
  Spec with_lives = of_places(spec);
  with_lives.qi = with_life(spec.qi);
  with_lives.part = kSinceColumn;
  assert_release(release.places, with_lives, {InvalidOid, {}}, Occasion::refresh);
}

Figures make_version(const OverTimeQuery& release, const Spec& spec, const SourceWrites& writes,
                     Withdrawal* withdrawal) {
  const TimestampTz started = GetCurrentTimestamp();
  begin_refresh(release.relation, "release", get_rel_name(release.relation));
  const int settings = set_for_large_statements();
  OpenState open = continue_state(release, spec);
  Memory& memory = open.memory;
  const Source& source = open.source;
  RowGuard guard = guard_rows(release.places);
  PlacesRecord places = read_record(
      release, open, spec, withdrawal != nullptr ? withdrawn_person(open, *withdrawal) : nullptr);
  const Census census = take_census(open, places);
  const Standings standings = compare_state(release, census, memory, spec, places);
  if (memory.version > 0) require_continuity(memory, census, standings);
  warn_of_changed_values(standings);
  ++memory.version;
  const Founded founded = found_places(release, census, memory, standings, spec);
  guard.own[0] = founded.command;
  if (memory.version == 1) index_places(release.places);
  require_unaltered(release, source, open.key);
  guard.own[1] = write_classes(release, standings, memory);
  end_store("anon_present", census.store);
  note_waiting(census, standings, founded, memory);
  if (memory.version == 1) remember_first(memory, founded, source.quasi_identifiers);
  memory.classes += founded.classes;
  memory.places = joined(memory.places, founded.sum);
  memory.present = census.rows;
  if (withdrawal != nullptr) guard.own[2] = withdraw(release, open, standings, *withdrawal);
  Figures figures = figures_of_version(memory, standings, founded, spec);
  const std::vector<StratumCoverage>& strata = coverage_of(census, standings, founded);
  set_coverage(figures, strata);
  warn_of_coverage(figures, memory);
  warn_of_stratum(source, strata, spec.options.k, memory);
  assert_founded(release, spec, founded, memory.version);
  assert_readable(release, spec, source, memory.version);
  figures.seconds = seconds_since(started);
  write_note(release.relation, spec, figures, writes);
  require_guarded(guard);
  close_state(release, memory);
  AtEOXact_GUC(true, settings);
  return figures;
}

}  // namespace anonkit::pg
