#include "pg/report/statement.hpp"
#include "pg/backend/extension.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

/// On a public page, hierarchies, orders and protected values of columns appear by name, without
/// their values.
constexpr char kWithoutValues[] =
    "SELECT CASE WHEN $2 THEN $1 ELSE (SELECT pg_catalog.jsonb_object_agg(m.key, CASE"
    " WHEN m.key IN ('hierarchies', 'orders', 'protected') THEN (SELECT"
    " pg_catalog.jsonb_object_agg(c.key, CASE WHEN pg_catalog.jsonb_typeof(c.value)"
    " OPERATOR(pg_catalog.=) 'object' AND c.value OPERATOR(pg_catalog.?) 'table' THEN c.value"
    " ELSE '\"not on a public page\"'::pg_catalog.jsonb END) FROM pg_catalog.jsonb_each(m.value)"
    " AS c) ELSE m.value END) FROM pg_catalog.jsonb_each($1) AS m) END";

/// The spec as arguments of $5; $6 holds those without an argument of their own.
constexpr char kStatement[] =
    "SELECT pg_catalog.format('%s(%L, %L, %L, %s', pg_catalog.format($5, $2), $3, $4,"
    " ARRAY(SELECT pg_catalog.jsonb_array_elements_text(s.spec OPERATOR(pg_catalog.->) 'qi')),"
    " s.spec OPERATOR(pg_catalog.->>) 'k') || coalesce((SELECT pg_catalog.string_agg("
    " pg_catalog.format(E',\\n  %s => %s', a.name, CASE pg_catalog.jsonb_typeof(a.value)"
    " WHEN 'array' THEN pg_catalog.quote_literal(ARRAY(SELECT"
    " pg_catalog.jsonb_array_elements_text(a.value))::pg_catalog.text)"
    " WHEN 'string' THEN pg_catalog.quote_literal(a.value OPERATOR(pg_catalog.#>>) '{}')"
    " ELSE a.value OPERATOR(pg_catalog.#>>) '{}' END), '' ORDER BY a.place)"
    " FROM (SELECT n.name, n.place, s.spec OPERATOR(pg_catalog.->) n.name AS value FROM"
    " pg_catalog.unnest('{method,sensitive,keep,unit,key,max_wait,wait_loss,every,weight_column,"
    "lower_bound,part_rows,sample,parallel}'"
    "::pg_catalog.text[]) WITH ORDINALITY AS n (name, place)) AS a WHERE a.value"
    " OPERATOR(pg_catalog.<>) '[]'), '')"
    " || (SELECT CASE WHEN p.rest OPERATOR(pg_catalog.=) '{}' THEN ''"
    " ELSE pg_catalog.format(E',\\n  %s => %L', $6, p.rest) END FROM (SELECT s.spec"
    " OPERATOR(pg_catalog.-) "
    "'{qi,k,method,sensitive,keep,unit,key,max_wait,wait_loss,every,weight_column,"
    "lower_bound,part_rows,sample,parallel}'::pg_catalog.text[] AS rest) AS p) || ');' FROM "
    "(SELECT $1::pg_catalog.jsonb) AS "
    "s (spec)";

}  // namespace

namespace {

/// A call that publishes, and its argument for options by name.
struct PublishingCall {
  const char* function;
  const char* options;
};
constexpr PublishingCall kOfOneServer = {"SELECT * FROM %s.anon_publish", "params"};
constexpr PublishingCall kOfServers = {"CALL %s.anon_publish_distributed", "spec"};

const char* statement_for(const PublishingCall& call, const char* spec, const char* release,
                          Oid source) {
  // A caller's search_path could give the query an operator of somebody else.
  const OwnSettings settings = begin_own_settings();
  const char* statement = Arguments()
                              .words(spec)
                              .words(extension_schema())
                              .words(release)
                              .words(qualified_name_of(source))
                              .words(call.function)
                              .words(call.options)
                              .ask(kStatement)
                              .cells[0][0];
  end_own_settings(settings);
  return statement;
}

}  // namespace

const char* publishing_statement(const char* spec, const char* release, Oid source) {
  return statement_for(kOfOneServer, spec, release, source);
}

namespace {

bool hides_values(const Subject& subject) {
  return !subject.internal &&
         (subject.spec.hierarchies.count > 0 || subject.spec.orders.count > 0 ||
          subject.spec.protected_values.count > 0);
}

}  // namespace

const char* statement_of(const Subject& subject) {
  if (!subject.published) return nullptr;
  Jsonb* json = subject.layout != nullptr ? joined(subject.json, subject.layout) : subject.json;
  const char* spec =
      Arguments().json(json).truth(!hides_values(subject)).ask(kWithoutValues).cells[0][0];
  return statement_for(subject.layout != nullptr ? kOfServers : kOfOneServer, spec,
                       qualified_name_of(subject.relation), subject.source);
}

namespace {

/// The rows that the statement makes, compared with those of the release.
const char* effect_of(const Subject& subject) {
  if (subject.over_time)
    return "This publishes the first version of such a release. Later versions depend on the ones "
           "before, and on the days of their refreshes.";
  if (subject.swapped || subject.spec.secret_seed)
    return "This makes such a release. Its rows differ, since it draws another secret.";
  return "This makes the release again, from the same rows of the source.";
}

}  // namespace

void write_statement(const Html& html, const Subject& subject) {
  html.raw("<section id=\"statement\"><h2>Statement</h2>\n");
  const char* statement = statement_of(subject);
  if (statement == nullptr) {
    html.raw("<p>Another tool made this relation: no statement is known.</p>\n</section>\n");
    return;
  }
  html.raw("<p>").text(effect_of(subject)).raw("</p>\n<pre><code>");
  html.text(statement).raw("</code></pre>\n");
  if (hides_values(subject))
    html.raw(
        "<p>Hierarchies, orders and protected values may be values of the source: "
        "<code>anon_release_info</code> has them.</p>\n");
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
