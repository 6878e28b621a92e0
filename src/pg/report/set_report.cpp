// anon_report_set: a set of related tables as one page of HTML to file and to sign.

#include <cmath>
#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/reading_for.hpp"
#include "pg/backend/session.hpp"
#include "pg/report/function_call.hpp"
#include "pg/report/page.hpp"
#include "pg/report/report_json.hpp"
#include "pg/report/sections.hpp"
#include "pg/set/set_description.hpp"
#include "pg/spec/arguments.hpp"

extern "C" {
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

/// A set as its page shows it. Plain data.
struct SetSubject {
  SetQuery set;
  SetPromises promises;
  SetTables tables;  ///< the released ones, parents first
  bool of_owner;     ///< the caller has the owner's privileges
  Context context;
  Rows levels;  ///< of anon_audit_set
};

void write_set_heading(const Html& html, const SetSubject& subject) {
  html.raw(
          "<header>\n<p class=\"class public\">PUBLIC</p>\n<p>This page holds no value of the "
          "source, and no count of fewer than ")
      .integer(subject.promises.k)
      .raw(" persons or rows.</p>\n<h1>Disclosure report: ")
      .text(get_namespace_name(subject.set.schema))
      .raw("</h1>\n</header>\n");
}

/// True for a number of known rows that the promise covers; no promise is about counts.
bool is_covered(const SetSubject& subject, const char* m) {
  return std::strcmp(m, "counts") != 0 && m_of_word(m) <= subject.promises.m;
}

const char* knowledge(const char* m) {
  if (std::strcmp(m, "0") == 0) return "the row of the root table";
  if (std::strcmp(m, "all") == 0) return "the whole record";
  if (std::strcmp(m, "counts") == 0) return "the numbers of rows in each table";
  return psprintf("%s more rows, and which of them belong together", m);
}

constexpr const char* kLevelColumns[] = {
    "An adversary knows", "Promised", "Candidates", "Alone", "Below k", "Verdict"};

void write_set_level(const Html& html, const SetSubject& subject, char** level) {
  const int k = subject.promises.k;
  const bool covered = is_covered(subject, level[0]);
  const double found = number_in(level[1]);
  html.raw("<tr>").cell(kLevelColumns[0], knowledge(level[0]));
  html.cell(kLevelColumns[1], covered ? psprintf("at least %d", k) : "-");
  html.cell(kLevelColumns[2], folded_count_text(found, k));
  html.cell(kLevelColumns[3], folded_count_text(number_in(level[2]), k));
  html.cell(kLevelColumns[4], folded_count_text(number_in(level[3]), k));
  if (covered)
    write_judgement(html, found >= k, found >= k ? "kept" : "not kept");
  else
    html.cell(kLevelColumns[5], "not promised");
  html.raw("</tr>\n");
}

/// A row for each level that the audit of the released tables finds.
void write_set_levels(const Html& html, const SetSubject& subject) {
  html.raw("<section id=\"levels\"><h2>Verdict</h2>\n<p>Promised: ")
      .text(words_of_promises(subject.promises))
      .raw(
          ". The levels were measured on the published tables.</p>\n<table><caption>Candidates of "
          "a person, by the knowledge of an adversary</caption>")
      .head(kLevelColumns, 6)
      .raw("<tbody>\n");
  for (int i = 0; i < subject.levels.count; ++i)
    write_set_level(html, subject, subject.levels.cells[i]);
  html.raw("</tbody></table>\n</section>\n");
}

/// The set names its tables of labels, not the caller: the audit is done as the set's owner, for
/// whoever may read the tables.
Rows measure_levels(const SetSubject& subject, int32 largest_m) {
  const Oid owner = owner_of(subject.set.description);
  for (int t = 0; t < subject.set.released.count; ++t)
    require_readable(owner, subject.set.released.tables[t]);
  for (int t = 0; audits_labels(subject.set) && t < subject.set.labels.count; ++t)
    require_readable(owner, subject.set.labels.tables[t]);
  const OwnersWork work = begin_work_as(owner);
  const Rows levels = call("anon_audit_set",
                           Arguments()
                               .schema(subject.set.schema)
                               .json(audited_tables(subject.set))
                               .integer(subject.promises.k)
                               .integer(largest_m),
                           "f.m, f.level, f.persons_alone, f.persons_below");
  end_owners_work(work);
  return levels;
}

/// "patients / stays / diagnoses".
const char* path_of(const SetTables& tables, int t) {
  const SetTable& table = tables.tables[t];
  return table.parent < 0 ? table.name
                          : psprintf("%s / %s", path_of(tables, table.parent), table.name);
}

const char* column_list(const Names& names) {
  return names.count > 0 ? comma_list(names.names, names.count) : "-";
}

/// The figures of a released table, for the owner alone. Losses count withheld rows, and would tell
/// how many there are.
TableFigures figures_for_caller(const SetSubject& subject, Oid table) {
  if (!subject.of_owner) return {NAN, NAN, NAN, NAN, NAN};
  TableFigures figures = read_table_figures(subject.set, place_of(subject.set.released, table));
  if (is_folded(figures.withheld, subject.promises.k)) figures.loss = figures.links = NAN;
  return figures;
}

void write_tree(const Html& html, const SetSubject& subject) {
  static constexpr const char* kColumns[] = {"Table",    "Known",         "Sensitive", "Rows",
                                             "Withheld", "Loss of cells", "Links lost"};
  html.raw(
          "<section id=\"tables\"><h2>Tables</h2>\n<p>The loss of a cell is the share of its "
          "column's domain that it covers, and 1 in a withheld row. A link is a pair of rows of "
          "one person; it is lost if either is withheld.</p>\n<table><caption>Each table after "
          "its parents</caption>")
      .head(kColumns, 7)
      .raw("<tbody>\n");
  for (int t = 0; t < subject.tables.count; ++t) {
    const SetTable& table = subject.tables.tables[t];
    const TableFigures figures = figures_for_caller(subject, table.relation);
    html.raw("<tr>").cell(kColumns[0], path_of(subject.tables, t));
    html.cell(kColumns[1], column_list(table.qi)).cell(kColumns[2], column_list(table.sensitive));
    html.cell(kColumns[3], count_text(figures.rows));
    html.cell(kColumns[4], folded_count_text(figures.withheld, subject.promises.k));
    html.cell(kColumns[5], share_text(figures.loss)).cell(kColumns[6], share_text(figures.links));
    html.raw("</tr>\n");
  }
  html.raw("</tbody></table>\n");
  if (!subject.of_owner)
    html.raw("<p class=\"missing\">Rows withheld and losses are for the owner of the set.</p>\n");
  html.raw("</section>\n");
}

void write_set_identity(const Html& html, const SetSubject& subject) {
  const Rows info =
      call("anon_release_info", Arguments().relation(subject.set.description),
           "pg_catalog.to_char(pg_catalog.timezone('UTC', f.built), 'YYYY-MM-DD HH24:MI \"UTC\"'),"
           " f.owner, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to("
           "f.spec::pg_catalog.text, 'UTF8')), 'hex'), f.current");
  if (info.count == 0) return;
  char** fact = info.cells[0];
  html.raw("<section id=\"identity\"><h2>Identity</h2>\n<dl>\n");
  write_fact(html, "Set", get_namespace_name(subject.set.schema));
  for (int t = 0; t < subject.set.sources.count; ++t)
    write_fact(html, psprintf("Source of %s", relation_name(subject.set.released.tables[t])),
               qualified_name_of(subject.set.sources.tables[t]));
  write_fact(html, "Built", fact[0]);
  if (fact[3] != nullptr && std::strcmp(fact[3], "f") == 0)
    write_fact(html, "Current", "no: a source has changed since");
  write_fact(html, "Owner", fact[1]);
  write_fact(html, "Fingerprint of the spec (SHA-256)", fact[2]);
  write_fact(html, "Pseudonyms", "random, drawn for this version, never stored");
  html.raw("</dl>\n</section>\n");
}

void write_limits(const Html& html) {
  html.raw(
      "<section id=\"limits\"><h2>Not measured</h2>\n<ul>\n<li>Columns that are not among the "
      "known ones, such as kept columns</li>\n<li>Other releases of the same persons, and earlier "
      "versions of the set</li>\n<li>Candidates that are not equally likely to the "
      "adversary</li>\n</ul>\n</section>\n");
}

/// The context of the argument is kept first.
void settle_set_context(SetSubject& subject, Jsonb* given) {
  if (given != nullptr) set_context(subject.set.description, given);
  subject.of_owner = has_privs_of_role(GetUserId(), owner_of(subject.set.description));
  if (subject.of_owner) subject.context = read_context(find_companion(subject.set.description));
  warn_of_past_dates(subject.context,
                     psprintf("set \"%s\"", get_namespace_name(subject.set.schema)));
}

/// A count of persons or rows; null if it is folded.
void add_count(JsonObject& json, const char* key, double count, int k) {
  json.add_or_null(key, is_folded(count, k) ? NAN : count);
}

Jsonb* set_levels_json(const SetSubject& subject) {
  JsonArray levels;
  for (int i = 0; i < subject.levels.count; ++i) {
    char** level = subject.levels.cells[i];
    const int k = subject.promises.k;
    const double found = number_in(level[1]);
    JsonObject json;
    json.add("m", level[0]);
    json.add_or_null("promised", is_covered(subject, level[0]) ? k : NAN);
    add_count(json, "found", found, k);
    add_count(json, "alone", number_in(level[2]), k);
    add_count(json, "below_k", number_in(level[3]), k);
    json.add("state", !is_covered(subject, level[0]) ? "unpromised"
                      : found >= k                   ? "kept"
                                                     : "broken");
    levels.add(json.finish());
  }
  return levels.finish();
}

Jsonb* tables_json(const SetSubject& subject) {
  JsonArray tables;
  for (int t = 0; t < subject.tables.count; ++t) {
    const SetTable& table = subject.tables.tables[t];
    const TableFigures figures = figures_for_caller(subject, table.relation);
    JsonObject json;
    json.add("table", path_of(subject.tables, t));
    json.add_array("qi", text_array(table.qi));
    json.add_array("sensitive", text_array(table.sensitive));
    json.add_or_null("rows", figures.rows);
    add_count(json, "withheld", figures.withheld, subject.promises.k);
    json.add_or_null("loss", figures.loss);
    json.add_or_null("links_lost", figures.links);
    tables.add(json.finish());
  }
  return tables.finish();
}

varlena* set_as_json(const SetSubject& subject) {
  JsonObject json;
  json.add("shape", static_cast<int64>(kReportShape));
  json.add("kind", "set");
  json.add("set", get_namespace_name(subject.set.schema));
  json.add("promises", words_of_promises(subject.promises));
  json.add("k", static_cast<int64>(subject.promises.k));
  json.add("levels", set_levels_json(subject));
  json.add("tables", tables_json(subject));
  add_context(json, subject.context);
  return json_text(json.finish());
}

varlena* set_as_page(const SetSubject& subject) {
  const Html html;
  write_page_head(html, psprintf("Disclosure report: %s", get_namespace_name(subject.set.schema)));
  write_set_heading(html, subject);
  html.raw("<main>\n");
  write_set_levels(html, subject);
  write_tree(html, subject);
  write_set_identity(html, subject);
  write_context(html, subject.context, subject.of_owner);
  write_limits(html);
  write_signature(html);
  html.raw("</main>\n");
  write_page_end(html, "anon_audit_set or anon_publish_set");
  return html.finish();
}

SetSubject read_set_subject(Oid schema) {
  SetSubject subject = {};
  subject.set = hold_set(schema);
  hold_tables(subject.set.released);
  subject.promises = promises_in(subject.set.spec);
  subject.tables = read_set_tables(subject.set.schema, audited_tables(subject.set));
  require_same_tables(subject.set.released, subject.tables);
  return subject;
}

Datum report_set(FunctionCallInfo fcinfo) {
  const MemoryContext outer = CurrentMemoryContext;
  const Session session = open_session();
  const Oid schema = schema_argument(fcinfo);
  const auto largest_m = count_argument(fcinfo, "largest_m", 0, kLargestM);
  const bool as_json = format_argument(fcinfo) == ReportFormat::json;
  Jsonb* context = context_argument(fcinfo);
  const OwnSettings settings = begin_own_settings();
  SetSubject subject = read_set_subject(schema);
  settle_set_context(subject, context);
  subject.levels = measure_levels(subject, largest_m);
  const varlena* page = as_json ? set_as_json(subject) : set_as_page(subject);
  void* copy = copied(page, outer);
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_POINTER(copy);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_report_set) {
  return anonkit::pg::report_set(fcinfo);
}
