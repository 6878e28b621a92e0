// The context of a release: checked when it is given, and read as if anybody had written it.

#include "pg/release/context.hpp"

#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/moment.hpp"
#include "pg/spec/spec.hpp"

extern "C" {
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/fmgrprotos.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kContextRow[] = "context";

int place_of_key(const char* key) {
  for (int i = 0; i < kContextCount; ++i)
    if (std::strcmp(kContextItems[i].key, key) == 0) return i;
  return -1;
}

char* known_keys() {
  StringInfoData list;
  initStringInfo(&list);
  for (const ContextItem& item : kContextItems)
    appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", item.key);
  return list.data;
}

/// The texts of a text or an array of texts, joined by semicolons; null for any other value.
char* joined_texts(const JsonbValue& value) {
  if (value.type == jbvString) return value.val.string.len > 0 ? text_of(value) : nullptr;
  if (value.type != jbvBinary || !JsonContainerIsArray(value.val.binary.data) ||
      JsonContainerIsScalar(value.val.binary.data))
    return nullptr;
  StringInfoData text;
  initStringInfo(&text);
  for (uint32 i = 0; i < JsonContainerSize(value.val.binary.data); ++i) {
    const JsonbValue* one = getIthJsonbValueFromContainer(value.val.binary.data, i);
    if (one->type != jbvString || one->val.string.len == 0) return nullptr;
    appendStringInfo(&text, "%s%s", i > 0 ? "; " : "", text_of(*one));
  }
  return text.len > 0 ? text.data : nullptr;
}

/// A date as YYYY-MM-DD, whatever the settings of the session.
bool read_date(const char* text, DateADT* date) {
  constexpr std::size_t kLength = 10;
  Moment moment;
  if (text == nullptr || std::strlen(text) != kLength || !read_moment(text, moment)) return false;
  *date = static_cast<DateADT>(moment.day);
  return true;
}

/// Takes the member over if it is sound.
bool take_member(Context& context, int place, const JsonbValue& value) {
  const char* words = joined_texts(value);
  if (words == nullptr) return false;
  if (kContextItems[place].is_date) {
    context.has_date[place] = value.type == jbvString && read_date(words, &context.date[place]);
    if (!context.has_date[place]) return false;
  }
  context.words[place] = words;
  return true;
}

template <class Visit>
void for_each_member(Jsonb* json, const Visit& visit) {
  JsonbIterator* it = JsonbIteratorInit(&json->root);
  char* key;
  JsonbValue value;
  while (next_member(&it, &key, &value)) visit(key, value);
}

void check_member(Context& context, const char* key, const JsonbValue& value) {
  const int place = place_of_key(key);
  if (place < 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("context has no key \"%s\"", key),
             errhint("Its keys are: %s.", known_keys())));
  if (!take_member(context, place, value))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    kContextItems[place].is_date
                        ? errmsg("\"%s\" of a context must be a date such as \"2027-06-30\"", key)
                        : errmsg("\"%s\" of a context must be a text or an array of texts", key),
                    errhint("Leave out what is not known.")));
}

/// The date of today in the session's time zone.
DateADT today() {
  return DatumGetDateADT(DirectFunctionCall1(
      timestamptz_date, TimestampTzGetDatum(GetCurrentTransactionStartTimestamp())));
}

}  // namespace

const char* Context::answer(const char* key) const {
  return words[place_of_key(key)];
}

bool Context::date_of(const char* key, DateADT* found) const {
  const int place = place_of_key(key);
  if (has_date[place]) *found = date[place];
  return has_date[place];
}

Jsonb* context_argument(FunctionCallInfo fcinfo) {
  const int place = argument_place(fcinfo, "context");
  if (PG_ARGISNULL(place)) return nullptr;
  Jsonb* json = PG_GETARG_JSONB_P(place);
  if (!JB_ROOT_IS_OBJECT(json))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("context must be a JSON object"),
             errhint("Its keys are: %s.", known_keys())));
  Context context = {};
  for_each_member(
      json, [&](const char* key, const JsonbValue& value) { check_member(context, key, value); });
  return json;
}

Context context_of(Jsonb* json) {
  Context context = {};
  if (json == nullptr || !JB_ROOT_IS_OBJECT(json) || JB_ROOT_COUNT(json) == 0) return context;
  context.json = json;
  bool sound = true;
  for_each_member(json, [&](const char* key, const JsonbValue& value) {
    const int place = place_of_key(key);
    sound = sound && place >= 0 && take_member(context, place, value);
  });
  return sound ? context : Context{};
}

void keep_context(Oid release, Jsonb* context) {
  if (context == nullptr) return;
  const OwnersWork work = begin_owners_work(release);
  const Oid companion = require_companion(release);
  if (JB_ROOT_COUNT(context) == 0)
    remove_companion_row(companion, kContextRow, 0);
  else
    write_companion(companion, kContextRow, 0, context, nullptr);
  end_owners_work(work);
}

Context read_context(Oid companion) {
  if (!OidIsValid(companion)) return {};
  const CompanionRow row = read_companion(companion, kContextRow, 0);
  Context context = context_of(row.content);
  if (!context.empty()) context.written = row.at;
  return context;
}

const char* past_date(const Context& context, const char* subject) {
  DateADT date;
  if (context.date_of("valid_until", &date) && date < today())
    return psprintf("%s was valid until %s", subject, context.answer("valid_until"));
  if (context.date_of("review_due", &date) && date < today())
    return psprintf("a review of %s was due on %s", subject, context.answer("review_due"));
  return nullptr;
}

void warn_of_past_dates(const Context& context, const char* subject) {
  const char* past = past_date(context, subject);
  if (past != nullptr)
    ereport(WARNING, (errcode(ERRCODE_WARNING), errmsg("%s", past),
                      errhint("Review it, and set new dates by anon_context.")));
}

void warn_of_past_dates(Oid release) {
  if (!has_privs_of_role(GetUserId(), owner_of(release))) return;
  const Oid companion = find_companion(release);
  if (OidIsValid(companion))
    warn_of_past_dates(read_context(companion), psprintf("release \"%s\"", get_rel_name(release)));
}

void set_context(Oid release, Jsonb* context) {
  require_writable("anon_context()");
  require_owner(release);
  // As a refresh does, so that two writers of the companion follow one another.
  LockRelationOid(release, ShareUpdateExclusiveLock);
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(release)))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("the release was dropped by another session")));
  require_owner(release);
  keep_context(release, context);
}

Jsonb* context_of_release(FunctionCallInfo fcinfo, Oid release) {
  if (PG_NARGS() > 1) {
    Jsonb* context = context_argument(fcinfo);
    if (context == nullptr)
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("context must not be null"),
                      errhint("An empty object, '{}', removes the context.")));
    set_context(release, context);
    warn_of_past_dates(context_of(context), psprintf("release \"%s\"", get_rel_name(release)));
  }
  return has_privs_of_role(GetUserId(), owner_of(release))
             ? read_context(find_companion(release)).json
             : nullptr;
}

}  // namespace anonkit::pg
