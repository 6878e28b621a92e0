#include <algorithm>
#include <cstring>

#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/report/page.hpp"
#include "pg/report/sections.hpp"

extern "C" {
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

void write_hash(const Html& html, const char* name, const char* hash) {
  if (hash != nullptr)
    html.raw("<div><dt>").text(name).raw("</dt><dd><code>").text(hash).raw("</code></dd></div>\n");
}

/// A count that may be unknown, folded on public pages.
void write_count(const Html& html, const char* name, const char* count, const Subject& subject) {
  if (count != nullptr)
    write_fact(html, name, folded_count_text(number_in(count), subject.least_count()));
}

/// The name and the time of the page, for later readers.
void write_catalog_facts(const Html& html, const Subject& subject) {
  const Rows facts =
      Arguments()
          .relation(subject.relation)
          .ask(
              "SELECT pg_catalog.pg_get_userbyid(c.relowner), pg_catalog.current_database(),"
              " pg_catalog.to_char(pg_catalog.timezone('UTC', pg_catalog.now()),"
              " 'YYYY-MM-DD HH24:MI \"UTC\"'), current_user, "
              "pg_catalog.current_setting('server_version'),"
              " (SELECT e.extversion FROM pg_catalog.pg_extension AS e"
              " WHERE e.extname OPERATOR(pg_catalog.=) 'anonkit'),"
              " (SELECT pg_catalog.string_agg(coalesce(r.rolname::pg_catalog.text, 'everybody'), "
              "', '"
              " ORDER BY r.rolname) FROM pg_catalog.aclexplode(c.relacl) AS a LEFT JOIN "
              "pg_catalog.pg_roles"
              " AS r ON r.oid OPERATOR(pg_catalog.=) a.grantee WHERE a.privilege_type"
              " OPERATOR(pg_catalog.=) 'SELECT' AND a.grantee OPERATOR(pg_catalog.<>) c.relowner)"
              " FROM pg_catalog.pg_class AS c WHERE c.oid OPERATOR(pg_catalog.=) $1");
  char** fact = facts.cells[0];
  write_fact(html, "Owner", fact[0]);
  write_fact(html, "Others who may read it", fact[6] != nullptr ? fact[6] : "nobody");
  write_fact(html, "Database", fact[1]);
  write_fact(html, "This report", psprintf("%s, by %s", fact[2], fact[3]));
  write_fact(html, "Made by", psprintf("anonkit %s on PostgreSQL %s", fact[5], fact[4]));
}

/// Losses count each suppressed record, and would tell how many there are.
void write_release_losses(const Html& html, const Subject& subject, char** fact) {
  if (fact[5] == nullptr) {
    write_fact(html, "Losses", "for the owner of the release");
  } else if (is_folded(number_in(fact[5]), subject.least_count())) {
    write_fact(html, "Losses", "on the internal page: they would tell how many are suppressed");
    return;
  }
  if (fact[3] != nullptr) write_fact(html, "Loss (100 SSE/SST)", number_text(number_in(fact[3])));
  if (fact[4] != nullptr) write_fact(html, "NCP, per cent", number_text(number_in(fact[4])));
}

/// Source, spec and figures, from anon_release_info.
void write_release_facts(const Html& html, const Subject& subject) {
  const Rows info =
      call("anon_release_info", Arguments().relation(subject.relation),
           "pg_catalog.to_char(pg_catalog.timezone('UTC', f.built), 'YYYY-MM-DD HH24:MI \"UTC\"'),"
           " f.current, f.version, f.loss, f.ncp, f.suppressed, f.suppressed_cells,"
           " pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(f.spec::pg_catalog.text,"
           " 'UTF8')), 'hex'), f.reproducible, f.rebuilt");
  if (info.count == 0) return;
  char** fact = info.cells[0];
  write_fact(html, "Built", fact[0]);
  if (fact[9] != nullptr && std::strcmp(fact[9], "t") == 0)
    write_fact(html, "Current", "not known: REFRESH MATERIALIZED VIEW or a restore wrote its rows");
  else if (fact[1] != nullptr && std::strcmp(fact[1], "f") == 0)
    write_fact(html, "Current", "no: the source has changed since");
  write_fact(html, "Version", fact[2]);
  write_fact(html, "Method", subject.spec.method->name);
  write_fact(html, "Seed",
             subject.spec.secret_seed
                 ? "secret, in the companion of the release"
                 : psprintf(UINT64_FORMAT, static_cast<uint64>(subject.spec.options.seed)));
  write_release_losses(html, subject, fact);
  write_count(html, "Suppressed records", fact[5], subject);
  write_count(html, "Suppressed cells", fact[6], subject);
  if (fact[8] != nullptr && std::strcmp(fact[8], "f") == 0)
    write_fact(html, "Reproducible", "no: the clock ended the search");
  write_hash(html, "Fingerprint of the spec", fact[7]);
}

}  // namespace

void write_identity(const Html& html, const Subject& subject, const Findings& findings) {
  html.raw("<section id=\"identity\"><h2>Identity</h2>\n<dl>\n");
  write_fact(html, "Release", qualified_name_of(subject.relation));
  write_fact(html, "Source",
             OidIsValid(subject.source) ? qualified_name_of(subject.source) : "not named");
  write_fact(html, "Records", count_text(findings.records()));
  if (subject.published)
    write_release_facts(html, subject);
  else
    write_fact(html, "Made by", "another tool; quasi-identifiers as the caller named them");
  write_catalog_facts(html, subject);
  write_hash(html, "Fingerprint of the rows (SHA-256)", findings.fingerprint);
  html.raw("</dl>\n</section>\n");
}

namespace {

Rows runs_of(const Subject& subject) {
  if (!subject.published || !anonkit_is_owner(subject.relation, GetUserId())) return {nullptr, 0};
  return call(
      "anon_history", Arguments().relation(subject.relation),
      "pg_catalog.to_char(pg_catalog.timezone('UTC', f.started), 'YYYY-MM-DD HH24:MI \"UTC\"'),"
      " f.status, f.sqlstate, f.rows, f.seconds, f.by, f.message,"
      " pg_catalog.left(f.spec_fingerprint, 12)");
}

}  // namespace

bool has_history(const Subject& subject) {
  return runs_of(subject).count > 0;
}

void write_history(const Html& html, const Subject& subject) {
  const Rows runs = runs_of(subject);
  if (runs.count == 0) return;
  html.raw("<section id=\"history\"><h2>History</h2>\n");
  static constexpr const char* kColumns[] = {"Started", "Outcome", "Rows", "Seconds", "By", "Spec"};
  html.raw("<table><caption>Refreshes, the latest first</caption>").head(kColumns, 6);
  html.raw("<tbody>\n");
  constexpr int kMostRuns = 50;
  for (int i = runs.count - 1; i >= std::max(0, runs.count - kMostRuns); --i) {
    char** run = runs.cells[i];
    const char* outcome = run[1] == nullptr || run[2] == nullptr ? run[1]
                          : subject.internal && run[6] != nullptr
                              ? psprintf("%s %s: %s", run[1], run[2], run[6])
                              : psprintf("%s %s", run[1], run[2]);
    html.raw("<tr>").cell(kColumns[0], run[0]).cell(kColumns[1], outcome);
    html.cell(kColumns[2], run[3] != nullptr ? count_text(number_in(run[3])) : "-");
    html.cell(kColumns[3], number_text(number_in(run[4]))).cell(kColumns[4], run[5]);
    html.cell(kColumns[5], run[7]).raw("</tr>\n");
  }
  html.raw("</tbody></table>\n</section>\n");
}

}  // namespace anonkit::pg
