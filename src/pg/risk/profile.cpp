// anon_profile: the figures of each column of a table, and a proposed role. One reading of the
// table codes every column by its distinct values; everything else is counted on the codes.

#include <cstring>

#include "base/at.hpp"
#include "risk/column_uniques.hpp"
#include "risk/determined_columns.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/number_type.hpp"
#include "pg/read/source.hpp"
#include "pg/risk/profile.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

constexpr const char* kRoleNames[] = {"identifier", "unit",      "quasi-identifier",
                                      "sensitive",  "free text", "other"};

bool has_built_in_order(Oid type) {
  return is_built_in_type(type) && OidIsValid(lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr);
}

Profile make_profile(Oid oid) {
  Relation relation = open_relation(oid);
  require_rows(relation);
  TupleDesc descriptor = RelationGetDescr(relation);
  Profile profile = {allocate<ProfiledColumn>(descriptor->natts), 0, 0, kFirstCapacity,
                     new_memory_count(kFewerRows)};
  for (int i = 0; i < descriptor->natts; ++i) {
    const Form_pg_attribute attribute = TupleDescAttr(descriptor, i);
    if (attribute->attisdropped) continue;
    ProfiledColumn& column = profile.columns[profile.count++] = {};
    bool preferred;
    column.name = pstrdup(NameStr(attribute->attname));
    column.type = format_type_with_typemod(attribute->atttypid, attribute->atttypmod);
    column.base_type = getBaseType(attribute->atttypid);
    get_type_category_preferred(column.base_type, &column.category, &preferred);
    column.as_text = !has_built_in_order(attribute->atttypid);
    const FormData_pg_attribute text = text_attribute(attribute);
    column.ranks =
        make_value_ranks(column.as_text ? &text : attribute, kFirstCapacity, profile.memory);
  }
  relation_close(relation, NoLock);
  return profile;
}

void grow(Profile& profile) {
  profile.capacity += profile.capacity / 2;
  for (int j = 0; j < profile.count; ++j) grow_ranks(profile.columns[j].ranks, profile.capacity);
}

void take_row(TupleTableSlot* slot, void* state) {
  auto& profile = *static_cast<Profile*>(state);
  if (profile.rows >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to profile")));
  if (profile.rows == profile.capacity) grow(profile);
  for (int j = 0; j < profile.count; ++j) {
    ProfiledColumn& column = profile.columns[j];
    Datum value = slot->tts_values[j];
    const bool is_null = slot->tts_isnull[j];
    if (!is_null && column.as_text) value = cast_to_text(column.base_type, value);
    add_value(column.ranks, profile.rows, value, is_null);
  }
  ++profile.rows;
}

Profile read_profile(Oid relation) {
  // Names of types do not depend on the caller's search_path.
  const OwnSettings settings = begin_own_settings();
  Profile profile = make_profile(relation);
  end_own_settings(settings);
  UserQuery query = begin_user_query();
  for (int j = 0; j < profile.count; ++j) add_column(query, profile.columns[j].name);
  for_each_row(end_user_query(query, relation), take_row, &profile);
  if (profile.rows == 0)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to profile")));
  for (int j = 0; j < profile.count; ++j) settle_ranks(profile.columns[j].ranks, profile.rows);
  return profile;
}

/// Counts the records of each value.
void count_records(ProfiledColumn& column, int64 rows) {
  int64* records = allocate<int64>(column.ranks.distinct);
  std::memset(records, 0, sizeof(int64) * at(column.ranks.distinct));
  CHECK_FOR_INTERRUPTS();
  for (int64 row = 0; row < rows; ++row) ++records[column.ranks.codes[row]];
  if (column.ranks.has_null) column.nulls = records[column.ranks.distinct - 1];
  for (int32 code = 0; code < column.ranks.distinct; ++code)
    column.equal_pairs += records[code] * (records[code] - 1);
  pfree(records);
}

void measure_lengths(ProfiledColumn& column) {
  if (column.category != TYPCATEGORY_STRING || column.values() == 0) return;
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit text", ALLOCSET_DEFAULT_SIZES);
  double letters = 0;
  for (int32 code = 0; code < column.values(); ++code) {
    CHECK_FOR_INTERRUPTS();
    MemoryContext old = MemoryContextSwitchTo(scratch);
    const Datum text = column.as_text ? column.ranks.values[code]
                                      : cast_to_text(column.base_type, column.ranks.values[code]);
    letters += DatumGetInt32(DirectFunctionCall1(textlen, text));
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  MemoryContextDelete(scratch);
  column.mean_length = letters / static_cast<double>(column.values());
}

/// Counts the records that each column makes unique in addition to the proposed quasi-identifiers.
/// Calls the core.
void count_added_uniques(const Profile& profile) {
  std::vector<CodedColumn> quasi_identifiers;
  std::vector<CodedColumn> others;
  for (int j = 0; j < profile.count; ++j) {
    const ProfiledColumn& column = profile.columns[j];
    (column.is_quasi_identifier() ? quasi_identifiers : others)
        .push_back({column.ranks.codes, column.ranks.distinct});
  }
  BackendTicker ticker;
  const ColumnUniques uniques = column_uniques(quasi_identifiers, others, profile.rows, ticker);
  auto without = uniques.without.begin();
  auto with = uniques.with.begin();
  for (int j = 0; j < profile.count; ++j) {
    ProfiledColumn& column = profile.columns[j];
    column.uniques_added =
        column.is_quasi_identifier() ? uniques.of_set - *without++ : *with++ - uniques.of_set;
  }
}

/// Columns whose values repeat may name the person of a row. Calls the core.
void count_determined(Profile& profile) {
  std::vector<CodedColumn> columns;
  for (int j = 0; j < profile.count; ++j)
    columns.push_back({profile.columns[j].ranks.codes, profile.columns[j].ranks.distinct});
  BackendTicker ticker;
  for (int j = 0; j < profile.count; ++j) {
    ProfiledColumn& column = profile.columns[j];
    const bool names = column.category == TYPCATEGORY_STRING || column.base_type == UUIDOID ||
                       is_whole_number(column.base_type);
    if (names && !column.as_text && column.nulls == 0 && column.values() > 1 &&
        column.values() < profile.rows)
      column.determined = determined_columns(columns, at(j), profile.rows, ticker);
  }
}

void write_column(const ProfiledColumn& column, int64 rows, ReturnSetInfo* result) {
  const auto records = static_cast<double>(rows);
  const int64 pairs = rows * (rows - 1);
  Datum values[] = {CStringGetTextDatum(column.name),
                    CStringGetTextDatum(column.type),
                    Int64GetDatum(column.values()),
                    Int64GetDatum(column.nulls),
                    Float8GetDatum(rows > 0 ? static_cast<double>(column.values()) / records : 0),
                    Float8GetDatum(pairs > 0 ? static_cast<double>(pairs - column.equal_pairs) /
                                                   static_cast<double>(pairs)
                                             : 0),
                    Int64GetDatum(column.uniques_added),
                    CStringGetTextDatum(kRoleNames[static_cast<int>(column.role)]),
                    CStringGetTextDatum(column.reason)};
  bool nulls[sizeof values / sizeof values[0]] = {};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum profile(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Profile profile = profile_of(relation);
  for (int j = 0; j < profile.count; ++j)
    write_column(profile.columns[j], profile.rows,
                 reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace

Profile profile_of(Oid relation) {
  Profile profile = read_profile(relation);
  for (int j = 0; j < profile.count; ++j) {
    count_records(profile.columns[j], profile.rows);
    measure_lengths(profile.columns[j]);
  }
  const auto bytes_of_codes = static_cast<std::int64_t>(sizeof(std::int32_t)) * profile.rows;
  count_memory(*profile.memory,
               column_uniques_bytes(at(profile.count), profile.rows) + bytes_of_codes);
  count_determined(profile);
  propose_roles(profile);
  count_added_uniques(profile);
  return profile;
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_profile) {
  return anonkit::pg::profile(fcinfo);
}
