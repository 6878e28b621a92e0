// The bodies of anon_audit_set and anon_assert_set: the levels of related tables, whoever made
// them, under the promises of linked releases.

#include <algorithm>
#include <memory>
#include <vector>

#include "base/at.hpp"
#include "model/linked_levels.hpp"

#include "pg/audit/judging.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/set/set_audit.hpp"
#include "pg/set/set_description.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

SetRows read_set(FunctionCallInfo fcinfo) {
  const Oid schema = schema_argument(fcinfo);
  if (PG_ARGISNULL(1))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("tables must not be null"),
                    errhint("Describe them, as {\"patients\": {\"qi\": [\"sex\"]}}.")));
  return read_set_rows(read_set_tables(schema, PG_GETARG_JSONB_P(1)), new_memory_count(kFewerRows));
}

/// The memory that the patterns may need beside the rows.
std::int64_t memory_of_patterns() {
  const int64 used = static_cast<int64>(MemoryContextMemAllocated(CurrentMemoryContext, true));
  const int64 left = int64{max_memory} * 1024 - used;
  if (left <= 0)
    refuse_memory("The rows leave none for their patterns.", "Raise anonkit.max_memory.");
  return left;
}

/// The name of a sensitive column: "table.column".
const char* name_of(const SetRows& rows, const LinkedValueLevel& level) {
  const int table = static_cast<int>(level.table) - (rows.root_has_persons ? 0 : 1);
  const SetTable& described = rows.set.tables[table];
  return psprintf("%s.%s", described.name, described.sensitive.names[level.column]);
}

/// The levels of the sensitive columns; null without a fact that counts.
Datum detail_of(const SetRows& rows, const LinkedLevel& level, bool has_unlinked) {
  JsonObject json;
  if (!level.values.empty()) {
    JsonObject shares;
    JsonObject unlinked;
    JsonObject diversities;
    for (const LinkedValueLevel& value : level.values) {
      const char* name = name_of(rows, value);
      if (value.diversity == 0) {
        for (JsonObject* figure : {&shares, &unlinked, &diversities}) figure->add_null(name);
        continue;
      }
      shares.add(name, value.share);
      unlinked.add(name, value.share_unlinked);
      diversities.add(name, static_cast<int64>(value.diversity));
    }
    json.add("alpha", shares.finish());
    if (has_unlinked) json.add("alpha_without_links", unlinked.finish());
    json.add("l", diversities.finish());
  }
  return JsonbPGetDatum(json.finish());
}

void write_level(const SetRows& rows, const char* known, const LinkedLevel& level,
                 ReturnSetInfo* result) {
  const bool has_unlinked = known[0] != 'a';
  Datum values[] = {CStringGetTextDatum(known),  Int32GetDatum(level.k),
                    Int32GetDatum(rows.persons), Int64GetDatum(level.alone),
                    Int64GetDatum(level.below),  detail_of(rows, level, has_unlinked)};
  bool nulls[] = {false, false, false, false, false, false};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum audit_set(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  const int32 k = count_argument(fcinfo, "k", 1);
  const int32 largest_m = count_argument(fcinfo, "largest_m", 0, kLargestM);
  const SetRows rows = read_set(fcinfo);
  const LinkedLevels& levels = measure_levels(rows, {largest_m, k});
  for (int m = 0; m <= largest_m; ++m) write_level(rows, word_of_m(m), levels.by_m[at(m)], result);
  write_level(rows, "all", levels.all, result);
  write_level(rows, "counts", levels.counts, result);
  close_session(session);
  return static_cast<Datum>(0);
}

SetPromises promises_argument(FunctionCallInfo fcinfo) {
  SetPromises promises = {};
  promises.m = m_of_word(text_argument(fcinfo, "m"));
  promises.k = static_cast<int32>(number_argument(fcinfo, "k", 1, INT_MAX, 0));
  promises.alpha = number_argument(fcinfo, "alpha", 0, 1, 2);
  promises.l = static_cast<int32>(number_argument(fcinfo, "l", 1, INT_MAX, 0));
  promises.counts = truth_argument(fcinfo, "counts");
  if (promises.k == 0 && promises.alpha > 1 && promises.l == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("there is nothing to assert"),
                    errhint("Name k, alpha or l.")));
  if (promises.counts && promises.k == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("counts needs k"),
                    errhint("It asserts k persons by numbers of rows.")));
  return promises;
}

/// A promise that is broken, by the tables that break it.
struct Breach {
  const char* subject;
  [[noreturn]] void tell(const char* promise, const char* column, Comparison wanted,
                         double promised, double found) const {
    refuse_broken({subject, promise, column, nullptr, wanted, promised, found});
  }
};

void require_values(const SetRows& rows, const LinkedLevel& level, const SetPromises& promises,
                    const Breach& breach) {
  for (const LinkedValueLevel& value : level.values) {
    if (promises.alpha <= 1 && value.share > promises.alpha)
      breach.tell("A(alpha,m)", name_of(rows, value), Comparison::at_most, promises.alpha,
                  value.share);
    if (promises.alpha <= 1 && value.share_unlinked > promises.alpha)
      breach.tell("A(alpha,m) without links", name_of(rows, value), Comparison::at_most,
                  promises.alpha, value.share_unlinked);
    if (promises.l > 0 && value.diversity > 0 && value.diversity < promises.l)
      breach.tell("linked l-diversity", name_of(rows, value), Comparison::at_least, promises.l,
                  value.diversity);
  }
}

Datum assert_set(FunctionCallInfo fcinfo) {
  const Session session = open_session();
  const SetPromises promises = promises_argument(fcinfo);
  const SetRows rows = read_set(fcinfo);
  require_sensitive(rows.set, promises);
  require_levels(rows, promises);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace

void require_sensitive(const SetTables& set, const SetPromises& promises) {
  const bool has_some = std::any_of(set.tables, set.tables + set.count, [](const SetTable& table) {
    return table.sensitive.count > 0;
  });
  if (!has_some && (promises.alpha <= 1 || promises.l > 0))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("alpha and l need sensitive columns"),
             errhint("Name them in a table's \"sensitive\".")));
}

const LinkedLevels& measure_levels(const SetRows& rows, LinkedQuestion question) {
  const std::int64_t memory = memory_of_patterns();
  question.memory = memory;
  const std::vector<JudgedTable> tables = judged_tables(rows);
  BackendTicker ticker;
  ticker.begin("facts", 0);
  question.threads = thread_count();
  if (question.largest_m > 0) {
    const double of_thread = linked_bytes(tables, question.largest_m, question.threads, ticker);
    // Half of the memory at least is left for their counts.
    const double half = static_cast<double>(memory) / 2;
    if (of_thread > half)
      call_backend([] {
        refuse_memory("A person has so many rows that the facts about them need more.",
                      "Lower m, or raise anonkit.max_memory.");
      });
    if (question.threads * of_thread > half) question.threads = 1;
  }
  return own_in_context(std::make_unique<LinkedLevels>(linked_levels(tables, question, ticker)));
}

const LinkedLevel& promised_level(const LinkedLevels& levels, const SetPromises& promises) {
  return promises.m > kLargestM ? levels.all : levels.by_m[at(promises.m)];
}

void require_kept(const SetRows& rows, const LinkedLevels& levels, const SetPromises& promises,
                  const char* subject) {
  const Breach breach = {subject};
  const LinkedLevel& level = promised_level(levels, promises);
  if (level.k < promises.k)
    breach.tell(psprintf("P(k,%s)", word_of_m(promises.m)), nullptr, Comparison::at_least,
                promises.k, level.k);
  if (promises.counts && levels.counts.k < promises.k)
    breach.tell("k by the numbers of rows", nullptr, Comparison::at_least, promises.k,
                levels.counts.k);
  require_values(rows, level, promises, breach);
}

void require_levels(const SetRows& rows, const SetPromises& promises) {
  const bool all = promises.m > kLargestM;
  LinkedQuestion question;
  question.largest_m = all ? -1 : promises.m;
  question.k = promises.k;
  question.all = all;
  question.counts = promises.counts;
  require_kept(rows, measure_levels(rows, question), promises, "the tables violate");
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit_set) {
  return anonkit::pg::audit_set(fcinfo);
}

ANONKIT_FUNCTION(anon_assert_set) {
  return anonkit::pg::assert_set(fcinfo);
}
