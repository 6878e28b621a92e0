// anon_explore: the combinations of a sweep as one page of HTML, to choose a release by.

#include "pg/backend/output_settings.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/explore/details.hpp"
#include "pg/explore/explore_style.hpp"
#include "pg/explore/frontier.hpp"
#include "pg/read/source.hpp"
#include "pg/report/page.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// Bounds the size of the page.
constexpr int kMostPoints = 64;

/// Ends the query at the first row with a null.
bool has_no_null(TupleTableSlot* slot, void* state) {
  for (int i = 0; i < slot->tts_nvalid; ++i)
    if (slot->tts_isnull[i]) *static_cast<bool*>(state) = true;
  return !*static_cast<bool*>(state);
}

/// True if a quasi-identifier that holds numbers has a null.
bool has_null_number(Oid relation, const Names& qi) {
  const Session session = open_session();
  Relation opened = open_relation(relation);
  TupleDesc descriptor = RelationGetDescr(opened);
  UserQuery query = begin_user_query();
  for (int i = 0; i < qi.count; ++i) {
    const FormData_pg_attribute* attribute =
        TupleDescAttr(descriptor, find_column(descriptor, qi.names[i]) - 1);
    if (number_type(getBaseType(attribute->atttypid)) != nullptr)
      add_column(query, NameStr(attribute->attname));
  }
  relation_close(opened, NoLock);
  bool has_null = false;
  if (query.columns > 0) for_rows_while(end_user_query(query, relation), has_no_null, &has_null);
  close_session(session);
  return has_null;
}

/// Nulls in numbers form strata, where there are any.
Jsonb* preferred_options(bool has_nulls) {
  JsonObject json;
  if (has_nulls) json.add("nulls", "stratify");
  return json.finish();
}

Names columns_among(Jsonb* options, const char* key) {
  const JsonbValue* value = value_of_key(options, key);
  return value != nullptr ? names_of(key, *value) : Names{nullptr, 0};
}

/// The options of a call that concern all combinations.
Jsonb* common_options(FunctionCallInfo fcinfo) {
  Jsonb* none = JsonObject().finish();
  return spec_of_evaluation(fcinfo, none, none, none);
}

/// Writes the details of a point to its own part of the page, of which `state` is an array.
void see_run(const Sweep&, int point, Jsonb* spec, const Run& run, void* state) {
  write_details(static_cast<Html*>(state)[point], spec, run);
}

/// The SHA-256 of the script, as a page's policy names it.
const char* script_hash() {
  const Datum hash =
      DirectFunctionCall1(sha256_bytea, PointerGetDatum(cstring_to_text(kExploreScript)));
  return TextDatumGetCString(
      DirectFunctionCall2(binary_encode, hash, CStringGetTextDatum("base64")));
}

/// The rules that show the section and mark the row of the chosen point.
void write_rules(const Html& html, const Sweep& sweep) {
  html.raw("<style>").raw(kExploreStyle);
  for (int i = 0; i < sweep.count; ++i) {
    if (sweep.points[i].error != nullptr) continue;
    html.raw("body:has(#p").integer(i).raw(":checked) #c").integer(i).raw(" { display: block; } ");
    html.raw("body:has(#p").integer(i).raw(":checked) #r").integer(i);
    html.raw(" { background: var(--panel); font-weight: 600; }\n");
  }
  html.raw("</style>\n");
}

void write_names(const Html& html, const char* title, const Names& names) {
  if (names.count == 0) return;
  html.raw("<div><dt>").text(title).raw("</dt><dd>");
  for (int i = 0; i < names.count; ++i) {
    if (i > 0) html.raw(", ");
    html.text(names.names[i]);
  }
  html.raw("</dd></div>\n");
}

void write_heading(const Html& html, Oid relation, Jsonb* options, bool has_nulls) {
  html.raw(
          "<header>\n<p class=\"class internal\">INTERNAL</p>\n<p>This page holds figures and "
          "values of the source. It is not to be published.</p>\n<h1>Choosing a release of ")
      .text(relation_name(relation))
      .raw("</h1>\n<dl>\n");
  write_names(html, "Quasi-identifiers", columns_among(options, "qi"));
  write_names(html, "Sensitive columns", columns_among(options, "sensitive"));
  write_names(html, "Kept columns", columns_among(options, "keep"));
  if (has_nulls)
    write_fact(html, "Nulls",
               "Some quasi-identifiers have nulls among their numbers. Records with nulls in the "
               "same columns form classes of their own, unless the call says otherwise.");
  html.raw("</dl>\n</header>\n");
}

void write_chosen(const Html& html, const Sweep& sweep, int at, const Html& details) {
  const Point& point = sweep.points[at];
  const Figures& figures = point.figures;
  html.raw("<section class=\"point\" id=\"c").integer(at).raw("\"><h2>");
  html.text(psprintf("%s: %s", point_name(point), series_words(point)));
  html.raw("</h2>\n<dl>\n");
  write_fact(html, "Promises", point.promises);
  write_fact(html, "Loss", loss_words(point));
  if (!point.by_ncp() && !std::isnan(figures.ncp))
    write_fact(html, "NCP", share_text(figures.ncp / 100));
  write_fact(html, "Largest risk", share_text(point.largest_risk));
  write_fact(html, "Mean risk", share_text(point.mean_risk));
  write_fact(html, "Published",
             psprintf("%s records in %s %s; %s suppressed", count_text(figures.rows),
                      count_text(figures.classes), figures.classes == 1 ? "class" : "classes",
                      count_text(figures.suppressed)));
  if (figures.suppressed_cells > 0)
    write_fact(html, "Cells made null", count_text(figures.suppressed_cells));
  write_fact(html, "Remarks", point.remarks);
  html.raw("</dl>\n").part(details).raw("</section>\n");
}

varlena* write_page(FunctionCallInfo fcinfo, const Sweep& sweep, const Html* details,
                    bool has_nulls) {
  const Oid relation = relation_argument(fcinfo);
  const int choice = first_choice(sweep);
  const Html html;
  begin_page_head(html, psprintf("Choosing a release of %s", relation_name(relation)),
                  script_hash());
  write_rules(html, sweep);
  end_page_head(html);
  write_heading(html, relation, common_options(fcinfo), has_nulls);
  html.raw("<main>\n");
  write_frontier(html, sweep, choice);
  html.raw("<div id=\"chosen\">\n");
  for (int i = 0; i < sweep.count; ++i)
    if (sweep.points[i].error == nullptr) write_chosen(html, sweep, i, details[i]);
  html.raw("</div>\n");
  write_points(html, sweep);
  html.raw("</main>\n<script>").raw(kExploreScript).raw("</script>\n");
  write_page_end(html, "anon_sweep");
  return html.finish();
}

Datum explore(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const int settings = pin_output_settings();
  Sweep sweep = sweep_of(fcinfo, kMostPoints);
  const bool has_nulls = has_null_number(relation, columns_among(common_options(fcinfo), "qi"));
  sweep.preferred = preferred_options(has_nulls);
  auto* details = allocate<Html>(sweep.count);
  for (int i = 0; i < sweep.count; ++i) details[i] = Html();
  evaluate_sweep(sweep, {see_run, details});
  varlena* page = write_page(fcinfo, sweep, details, has_nulls);
  unpin_output_settings(settings);
  PG_RETURN_POINTER(page);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_explore) {
  return anonkit::pg::explore(fcinfo);
}
