#include "pg/schedule/job_command.hpp"

#include <cstring>

#include "pg/backend/extension.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "commands/dbcommands.h"
}

namespace anonkit::pg {
namespace {

constexpr char kProcedure[] = "anon_refresh_job";
constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// A call with the exact types of the procedure. SQL calls by name, and after a rename of the
/// extension's schema somebody else may take its name. So an argument compares what the name means
/// with the procedure's OID. Arguments are evaluated before a procedure runs, and a name of too
/// many parts is an error whatever exists in the database.
char* call_of(const char* release, OnFailure on_failure) {
  const Oid procedure = extension_function(kProcedure);
  if (!OidIsValid(procedure)) elog(ERROR, "extension \"anonkit\" has no procedure %s", kProcedure);
  const char* name =
      quote_qualified_identifier(get_namespace_name(get_func_namespace(procedure)), kProcedure);
  const char* signature =
      quote_literal_cstr(psprintf("%s(pg_catalog.regclass,pg_catalog.text)", name));
  return psprintf(
      "CALL %s(CASE WHEN pg_catalog.to_regprocedure(%s)::pg_catalog.oid OPERATOR(pg_catalog.=) "
      "%u::pg_catalog.oid THEN %s::pg_catalog.regclass ELSE "
      "'anonkit.has.moved.schedule.again'::pg_catalog.text::pg_catalog.regclass END, "
      "'%s'::pg_catalog.text)",
      name, signature, procedure, release, on_failure == OnFailure::withdraw ? "withdraw" : "keep");
}

/// One word of a shell. Single quotes in a word of single quotes stand in double quotes, since
/// crons differ about backslashes.
char* shell_word(const char* text) {
  if (text[0] != '\0' && text[std::strspn(text, kLetters)] == '\0') return pstrdup(text);
  if (std::strpbrk(text, "\"$`\\!") == nullptr) return psprintf("\"%s\"", text);
  StringInfoData word;
  initStringInfo(&word);
  appendStringInfoChar(&word, '\'');
  for (; *text != '\0'; ++text) {
    if (*text == '\'')
      appendStringInfoString(&word, "'\"'\"'");
    else
      appendStringInfoChar(&word, *text);
  }
  appendStringInfoChar(&word, '\'');
  return word.data;
}

/// In a crontab, % ends the command unless a backslash precedes it.
char* cron_command(const char* command) {
  StringInfoData escaped;
  initStringInfo(&escaped);
  for (; *command != '\0'; ++command) {
    if (*command == '%') appendStringInfoChar(&escaped, '\\');
    appendStringInfoChar(&escaped, *command);
  }
  return escaped.data;
}

/// psql in a database. Its option -d would take a name with = for a connection string.
char* psql_in(const char* database) {
  return database[std::strspn(database, kLetters)] == '\0'
             ? psprintf("psql -X -q -d %s", database)
             : psprintf("PGDATABASE=%s psql -X -q", shell_word(database));
}

/// True for a line that every cron reads alike.
bool is_readable(const char* line) {
  return std::strpbrk(line, "\r\n") == nullptr && std::strstr(line, "\\\\") == nullptr &&
         std::strstr(line, "\\%") == nullptr;
}

}  // namespace

char* job_name(Oid release) {
  return psprintf("anonkit release %u", release);
}

char* job_command(Oid release, OnFailure on_failure) {
  return call_of(psprintf("%u::pg_catalog.oid", release), on_failure);
}

char* schedule_statement(Oid release, const char* schedule, OnFailure on_failure) {
  const char* database = get_database_name(MyDatabaseId);
  return psprintf("SELECT cron.schedule_in_database(%s, %s, %s, %s, %s)",
                  quote_literal_cstr(psprintf("%s in %s", job_name(release), database)),
                  quote_literal_cstr(schedule),
                  quote_literal_cstr(job_command(release, on_failure)),
                  quote_literal_cstr(database),
                  quote_literal_cstr(GetUserNameFromId(owner_of(release), false)));
}

char* crontab_line(Oid release, const char* schedule, OnFailure on_failure) {
  // A name is readable. Where a line cannot hold it, its OID stands for it.
  const char* name = qualified_name_of(release);
  const char* call = is_readable(quote_literal_cstr(name))
                         ? call_of(quote_literal_cstr(name), on_failure)
                         : job_command(release, on_failure);
  const char* command =
      psprintf("%s -U %s -c %s", psql_in(get_database_name(MyDatabaseId)),
               shell_word(GetUserNameFromId(owner_of(release), false)), shell_word(call));
  return is_readable(command) ? psprintf("%s %s", schedule, cron_command(command)) : nullptr;
}

void require_schedule(const char* schedule) {
  static constexpr char kOthers[] = " \t*,-/@$#";
  for (const char* at = schedule; *at != '\0'; ++at)
    if (std::strchr(kLetters, *at) == nullptr && std::strchr(kOthers, *at) == nullptr)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("the schedule has a character that no crontab's schedule has"),
                      errhint("An example is '15 3 * * *', every night at a quarter past three.")));
}

}  // namespace anonkit::pg
