#include "pg/release/swapped_release.hpp"

#include <algorithm>
#include <cstring>

#include "base/byte_hash.hpp"
#include "base/random.hpp"
#include "model/swapped_rows.hpp"
#include "table/canonical_order.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/fingerprint.hpp"
#include "pg/read/row_reading.hpp"
#include "pg/release/publish.hpp"
#include "pg/release/release_query.hpp"
#include "pg/release/secret_seed.hpp"
#include "pg/release/verify.hpp"
#include "pg/spec/promised_levels.hpp"

extern "C" {
#include "access/xact.h"
#include "libpq/pqformat.h"
#include "utils/snapmgr.h"
}

namespace anonkit::pg {
namespace {

constexpr char kClassesItem[] = "classes";
constexpr uint32 kClassesFormat = 1;

/// The values of a source, in any order of its rows and of its categories' codes.
Fingerprint digest_of(const Loaded& loaded) {
  const Block& block = loaded.quasi_identifiers;
  uint64** codes = allocate<uint64*>(block.count);
  for (int j = 0; j < block.count; ++j) {
    const Dictionary* dictionary = block.dictionaries[j];
    codes[j] = dictionary == nullptr ? nullptr : allocate<uint64>(dictionary->size() + 1);
    for (int32 code = 0; dictionary != nullptr && code < dictionary->size(); ++code) {
      CHECK_FOR_INTERRUPTS();
      const std::string& text = dictionary->text(code);
      codes[j][code] = hash_of_bytes(text.data(), text.size(), 1);
    }
    if (dictionary != nullptr) codes[j][dictionary->size()] = 0;  // null
  }
  Fingerprint sum = {0, 0};
  for (int64 row = 0; row < loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    uint64 hash = 0;
    for (int j = 0; j < block.count; ++j) {
      const double value = block.value(row, j);
      uint64 word = PG_UINT64_MAX;
      if (codes[j] != nullptr)
        word = codes[j][static_cast<int32>(value)];
      else if (!is_null(value))
        std::memcpy(&word, &value, sizeof word);
      hash = mix(hash + mix(word + static_cast<uint64>(j)));
    }
    for (int half = 0; half < 2; ++half) {
      const uint64 other = loaded.fingerprints == nullptr ? 0 : loaded.fingerprints[row][half];
      sum[half] += mix(hash + mix(other + static_cast<uint64>(half)));
    }
  }
  return sum;
}

}  // namespace

bytea* private_classes_of(const Run& run) {
  if (!is_swapped(run.spec)) return nullptr;
  const Anonymized& made = *run.anonymized;
  const auto rows = static_cast<int64>(made.order.size());
  if (rows > static_cast<int64>(MaxAllocSize / sizeof(int32)) - BLCKSZ)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                    errmsg("too many rows to keep their private classes")));
  StringInfoData bytes;
  pq_begintypsend(&bytes);
  const Fingerprint digest = digest_of(run.loaded);
  pq_sendint32(&bytes, kClassesFormat);
  pq_sendint64(&bytes, static_cast<uint64>(rows));
  for (const uint64 half : digest) pq_sendint64(&bytes, half);
  for (int64 i = 0; i < rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    const Record row = made.order[static_cast<std::size_t>(i)];
    const ClassId c = made.partition.class_of[static_cast<std::size_t>(row)];
    pq_sendint32(&bytes, c == kNone ? PG_UINT32_MAX
                                    : 2 * static_cast<uint32>(c) + (run.withholds(row) ? 1 : 0));
  }
  return pq_endtypsend(&bytes);
}

void keep_private_classes(Oid release, bytea* classes) {
  write_companion(require_companion(release), kClassesItem, 0, nullptr, classes);
}

namespace {

/// The columns in the order of their names, and which are numbers. Plain data.
struct NamedColumns {
  const int* by_name;
  const Source* source;
};

SwapVerdict verdict_on(const SwapSource& source, const RowsSeen& published,
                       const NamedColumns& columns, const Options& options) {
  SwapClaim claim;
  for (int j = 0; j < columns.source->quasi_identifiers; ++j) {
    claim.is_number.push_back(columns.source->columns[j].number_type != nullptr);
    claim.by_name.push_back(static_cast<std::size_t>(columns.by_name[j]));
  }
  claim.k = options.k;
  claim.secret = options.secret;
  BackendTicker ticker;
  return judge_swap(source, published, claim, ticker);
}

/// The error of a verdict.
void refuse_fault(const SwapVerdict& verdict, const char* subject, int k) {
  if (verdict.fault == SwapFault::none) return;
  const char* found =
      verdict.fault == SwapFault::without_class
          ? psprintf("Records without a private class: " INT64_FORMAT ".", verdict.count)
      : verdict.fault == SwapFault::small_class
          ? psprintf("Records in private classes of fewer than %d: " INT64_FORMAT ".", k,
                     verdict.count)
          : psprintf("Rows that either of the two lacks: " INT64_FORMAT ".", verdict.count);
  ereport(ERROR,
          (errcode(ERRCODE_CHECK_VIOLATION),
           errmsg("%s not what its private classes and its secret make of the source", subject),
           errdetail("%s", found)));
}

}  // namespace

void verify_swapped(const Run& run) {
  if (!is_swapped(run.spec)) return;
  const Anonymized& made = *run.anonymized;
  Fingerprint* seen = nullptr;
  Fingerprint* published = nullptr;
  int32* numbers = nullptr;
  if (run.source.class_column != nullptr) {
    numbers = allocate<int32>(run.cell_rows);
    for (int32 at = 0; at < run.cell_rows; ++at)
      numbers[at] = run.class_number_of(run.cells + int64{at} * run.source.quasi_identifiers);
  }
  if (run.loaded.fingerprints != nullptr) {
    seen = allocate<Fingerprint>(run.loaded.rows);
    published = allocate<Fingerprint>(run.cell_rows);
    for (int64 row = 0; row < run.loaded.rows; ++row) seen[row] = run.fingerprint_of(row);
    for (int32 at = 0; at < run.cell_rows; ++at)
      published[at] = run.fingerprint_of(run.record_of_cells[at]);
  }
  const SwapVerdict verdict =
      verdict_on({{run.loaded.rows, run.loaded.quasi_identifiers.values, seen},
                  run.loaded.fingerprints,
                  made.partition.class_of.data()},
                 {run.cell_rows, made.masked.low.data(), published, numbers},
                 {make_named_point(run.source).columns, &run.source}, run.spec.options);
  refuse_fault(verdict, "the rows are", run.spec.options.k);
}

namespace {

/// The private classes as they were written. Plain data.
struct StoredClasses {
  int64 rows;
  Fingerprint digest;
  const uint32* words;  ///< by canonical index: twice the class, and 1 if it withholds
};

[[noreturn]] void refuse_classes(Oid release) {
  ereport(
      ERROR,
      (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
       errmsg("the private classes of release \"%s\" are missing", get_rel_name(release)),
       errdetail("Table \"%s\" has none that are whole.", get_rel_name(require_companion(release))),
       errhint("anon_refresh makes them again.")));
  pg_unreachable();
}

StoredClasses stored_classes(Oid release) {
  const CompanionRow row = read_companion(require_companion(release), kClassesItem, 0);
  constexpr int64 kHeader = sizeof(uint32) + 3 * sizeof(uint64);
  if (row.bytes == nullptr || static_cast<int64>(VARSIZE_ANY_EXHDR(row.bytes)) < kHeader)
    refuse_classes(release);
  StringInfoData bytes;
  initStringInfo(&bytes);
  appendBinaryStringInfo(&bytes, VARDATA_ANY(row.bytes),
                         static_cast<int>(VARSIZE_ANY_EXHDR(row.bytes)));
  StoredClasses stored = {};
  const bool known = pq_getmsgint(&bytes, sizeof(uint32)) == kClassesFormat;
  stored.rows = pq_getmsgint64(&bytes);
  for (uint64& half : stored.digest) half = static_cast<uint64>(pq_getmsgint64(&bytes));
  const int64 left = bytes.len - bytes.cursor;
  if (!known || stored.rows < 1 || left % static_cast<int64>(sizeof(uint32)) != 0 ||
      left / static_cast<int64>(sizeof(uint32)) != stored.rows)
    refuse_classes(release);
  uint32* words = allocate<uint32>(stored.rows);
  for (int64 i = 0; i < stored.rows; ++i) words[i] = pq_getmsgint(&bytes, sizeof(uint32));
  stored.words = words;
  return stored;
}

/// The source and the rows of the release, in one matrix with common codes.
struct BothReading {
  RowReading reading;
  int64 capacity;
  Fingerprint* published;  ///< by row of the release; null without other columns
  int32* numbers;          ///< by row of the release: its class; null without a class column
};

void receive_published(TupleTableSlot* slot, void* state) {
  auto& both = *static_cast<BothReading*>(state);
  Loaded& loaded = *both.reading.loaded;
  const Source& source = *both.reading.source;
  if (loaded.rows + loaded.population == both.capacity) {
    check_memory(both.reading);
    both.capacity += both.capacity / 2;
    grow_block(loaded.quasi_identifiers, both.capacity);
    if (both.published != nullptr) resize(both.published, both.capacity);
    if (both.numbers != nullptr) resize(both.numbers, both.capacity);
  }
  read_block_row(loaded.quasi_identifiers, loaded.rows + loaded.population, slot);
  if (both.published != nullptr) {
    Fingerprint& sum = both.published[loaded.population] = {0, 0};
    for (int i = 0; i < source.spooled_count(); ++i) {
      const int at = source.quasi_identifiers + i;
      const Fingerprint one = fingerprint_of(source.columns[at].name, slot, at);
      for (std::size_t half = 0; half < sum.size(); ++half) sum[half] += one[half];
    }
  }
  constexpr int32 kNoNumber = 0;
  if (both.numbers != nullptr)
    both.numbers[loaded.population] =
        slot->tts_isnull[source.count] ? kNoNumber : DatumGetInt32(slot->tts_values[source.count]);
  ++loaded.population;
}

/// The rows of the release, with the names that columns have in the source.
char* published_query(Oid rows, const Source& source) {
  relation_name(rows);  // or an error: code of the source may have dropped them
  const SourceColumn** released = columns_of_release(source, rows);
  UserQuery query = begin_user_query();
  for (int i = 0; i < source.count; ++i)
    for (int at = 0; at < source.count; ++at) {
      if (released[at] != source.columns + i) continue;
      const char* name = get_attname(rows, static_cast<AttrNumber>(at + 1), false);
      add_expression(query, psprintf("source.%s AS %s", quote_identifier(name),
                                     quote_identifier(source.columns[i].name)));
    }
  if (source.class_column != nullptr)
    add_expression(
        query, psprintf("source.%s", quote_identifier(get_attname(
                                         rows, static_cast<AttrNumber>(source.count + 1), false))));
  return end_user_query(query, rows);
}

/// Reads both; the rows of the release follow those of the source.
BothReading read_both(Run& run, Oid rows) {
  BothReading both = {};
  both.reading =
      begin_reading(run.source, run.spec, Spool::fingerprints, Excess::refuse, run.loaded);
  // A publication still holds the rows that it has written.
  both.reading.bytes_per_row += both.reading.bytes_per_row / 2;
  for_each_row(reading_query(both.reading), receive_row, &both.reading);
  both.capacity = run.loaded.capacity;
  if (run.source.spooled_count() > 0) both.published = allocate<Fingerprint>(both.capacity);
  if (run.source.class_column != nullptr) both.numbers = allocate<int32>(both.capacity);
  for_each_row(published_query(rows, run.source), receive_published, &both);
  check_memory(both.reading);
  finish_reading(both.reading, run.spec);
  return both;
}

/// By row of the source its class, from those by canonical index.
void assign_classes(const Run& run, const uint32* words, int32* class_of) {
  BackendTicker ticker;
  const Table table = table_of(run.source, run.spec, run.loaded);
  const std::vector<Record> order = canonical_order(
      table, run.spec.options.seed, ticker, columns_by_name(table), run.spec.options.threads);
  for (std::size_t i = 0; i < order.size(); ++i)
    class_of[order[i]] = words[i] == PG_UINT32_MAX ? kNone : static_cast<int32>(words[i] / 2);
}

/// Which classes withhold, if all their records agree; sets their number.
bool* stored_withheld(const StoredClasses& stored, Oid release, int32* classes) {
  *classes = 0;
  for (int64 i = 0; i < stored.rows; ++i) {
    if (stored.words[i] == PG_UINT32_MAX) continue;
    const uint32 c = stored.words[i] / 2;
    if (c >= static_cast<uint64>(stored.rows)) refuse_classes(release);
    *classes = std::max(*classes, static_cast<int32>(c) + 1);
  }
  bool* withheld = allocate<bool>(*classes);
  bool* known = allocate<bool>(*classes);
  std::fill_n(withheld, *classes, false);
  std::fill_n(known, *classes, false);
  for (int64 i = 0; i < stored.rows; ++i) {
    if (stored.words[i] == PG_UINT32_MAX) continue;
    const uint32 c = stored.words[i] / 2;
    const bool withholds = stored.words[i] % 2 != 0;
    if (known[c] && withheld[c] != withholds) refuse_classes(release);
    known[c] = true;
    withheld[c] = withholds;
  }
  return withheld;
}

/// Gives a run that has read its rows the stored classes, for the models.
void take_stored(Run& run, const StoredClasses& stored, Oid release) {
  int32 classes;
  run.withheld = stored_withheld(stored, release, &classes);
  int32* class_of = allocate<int32>(run.loaded.rows);
  assign_classes(run, stored.words, class_of);
  auto made = std::make_unique<Anonymized>();
  made->partition = {{class_of, class_of + run.loaded.rows}, classes};
  made->cells_of.resize(static_cast<std::size_t>(run.loaded.rows));
  for (std::size_t i = 0; i < made->cells_of.size(); ++i)
    made->cells_of[i] = class_of[i] == kNone ? kNone : static_cast<std::int32_t>(i);
  made->classes_published = false;
  run.anonymized = &own_in_context(std::move(made));
  run.cell_rows = static_cast<int>(run.loaded.rows);
  take_private_classes(run);
}

/// By row the fingerprint of what readers see beside its cells; null without other columns.
Fingerprint* seen_records(const Run& run) {
  if (run.loaded.fingerprints == nullptr) return nullptr;
  Fingerprint nulls = {0, 0};
  for (int i = 0; i < run.source.spooled_count(); ++i) {
    if (run.source.spooled()[i].role != Role::sensitive) continue;
    const Fingerprint one = fingerprint_of_null(run.source.spooled()[i].name);
    for (std::size_t half = 0; half < nulls.size(); ++half) nulls[half] += one[half];
  }
  auto* seen = allocate<Fingerprint>(run.loaded.rows);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    seen[row] = run.fingerprint_of(row);
    for (std::size_t half = 0; run.withholds(row) && half < nulls.size(); ++half)
      seen[row][half] += nulls[half];
  }
  return seen;
}

[[noreturn]] void refuse_changed(Oid release) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("release \"%s\" cannot be verified now", get_rel_name(release)),
                  errdetail("Its source has changed since the private classes were written."),
                  errhint("anon_refresh makes the release again, and verifies it.")));
  pg_unreachable();
}

void judge_rows(const Judged& judged, Oid source, const Spec& spec, bool just_made) {
  const StoredClasses stored = stored_classes(judged.named);
  Spec with_secret = spec;
  use_secret(with_secret, secret_of(judged.named));
  Run run = begin_run(source, with_secret);
  const BothReading both = read_both(run, judged.rows);
  if (run.loaded.rows != stored.rows || digest_of(run.loaded) != stored.digest) {
    if (just_made) refuse_other_rows();
    refuse_changed(judged.named);
  }
  take_stored(run, stored, judged.named);
  const double* values = run.loaded.quasi_identifiers.values;
  const SwapVerdict verdict =
      verdict_on({{run.loaded.rows, values, seen_records(run)},
                  run.loaded.fingerprints,
                  run.anonymized->partition.class_of.data()},
                 {run.loaded.population, values + run.loaded.rows * run.source.quasi_identifiers,
                  both.published, both.numbers},
                 {make_named_point(run.source).columns, &run.source}, run.spec.options);
  refuse_fault(verdict, psprintf("release \"%s\" is", get_rel_name(judged.named)),
               run.spec.options.k);
  verify_classes(run);
}

}  // namespace

void assert_swapped(const Judged& judged, Oid source, const Spec& spec, bool just_made) {
  // Makes the rows just written visible to the caller's snapshot.
  CommandCounterIncrement();
  PushCopiedSnapshot(GetActiveSnapshot());
  UpdateActiveSnapshotCommandId();
  judge_rows(judged, source, spec, just_made);
  PopActiveSnapshot();
}

void warn_of_swap(const Spec& spec) {
  if (!is_swapped(spec)) return;
  ereport(NOTICE,
          (errmsg("the release has probabilistic %d-anonymity", spec.options.k),
           errdetail("Every value in it is real, a row can equal that of a person by chance, and "
                     "an audit counts classes of single rows."),
           errhint("anon_assert_swap verifies it for the owner.")));
}

namespace {

Datum assert_swap(FunctionCallInfo fcinfo) {
  const Oid release = relation_argument(fcinfo);
  const Session session = open_session();
  const ReleaseQuery query = lock_release(release, RowShareLock, require_owner);
  const Spec spec = read_spec(query.spec);
  if (!is_swapped(spec))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("release \"%s\" is not by swapping", get_rel_name(release)),
                    errhint("anon_assert measures it.")));
  const OwnSettings settings = begin_own_settings();
  lock_source(query.source);
  // Taken after the locks, so that rows and companion are of one refresh.
  PushActiveSnapshot(GetTransactionSnapshot());
  const OwnersWork work = begin_owners_work(release);
  assert_swapped(release, query.source, spec, false);
  end_owners_work(work);
  PopActiveSnapshot();
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_assert_swap) {
  return anonkit::pg::assert_swap(fcinfo);
}
