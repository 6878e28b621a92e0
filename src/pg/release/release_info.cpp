// What can be known of a release afterwards: its spec, from its query; its figures, from its
// comment.

#include <algorithm>
#include <cstring>
#include <iterator>

#include "pg/backend/session.hpp"
#include "pg/read/source.hpp"
#include "pg/release/release_info.hpp"

extern "C" {
#include "catalog/pg_class.h"
#include "commands/comment.h"
#include "nodes/nodeFuncs.h"
#include "rewrite/prs2lock.h"
}

namespace anonkit::pg {
namespace {

constexpr char kMark[] = "anonkit:";

/// The call of anon_release in the query of a materialized view, or null.
FuncExpr* find_call(Query* query, Oid extension_schema) {
  ListCell* cell;
  foreach (cell, query->rtable) {
    auto* entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind != RTE_FUNCTION) continue;
    Node* expression = linitial_node(RangeTblFunction, entry->functions)->funcexpr;
    if (!IsA(expression, FuncExpr)) continue;
    auto* call = reinterpret_cast<FuncExpr*>(expression);
    if (get_func_namespace(call->funcid) == extension_schema &&
        std::strcmp(get_func_name(call->funcid), "anon_release") == 0)
      return call;
  }
  return nullptr;
}

Query* query_of(Relation relation) {
  if (relation->rd_rel->relkind != RELKIND_MATVIEW || relation->rd_rules == nullptr ||
      relation->rd_rules->numLocks < 1)
    return nullptr;
  return linitial_node(Query, relation->rd_rules->rules[0]->actions);
}

bool is_constant(Node* node) {
  return IsA(node, Const) && !reinterpret_cast<Const*>(node)->constisnull;
}

/// A refresh gives a materialized view a new file.
RelFileNumber file_of(Oid oid) {
  Relation relation = relation_open(oid, AccessShareLock);
  const RelFileNumber file = relation->rd_rel->relfilenode;
  relation_close(relation, AccessShareLock);
  return file;
}

char* comment_of(Oid relation) {
  return GetComment(relation, RelationRelationId, 0);
}

/// Where the note starts in a comment; null if there is none.
char* find_note(char* comment) {
  if (comment == nullptr) return nullptr;
  char* last_line = std::strrchr(comment, '\n');
  char* start = last_line != nullptr ? last_line + 1 : comment;
  return std::strncmp(start, kMark, std::strlen(kMark)) == 0 ? start : nullptr;
}

}  // namespace

bool read_release(Oid oid, Oid extension_schema, ReleaseQuery& release) {
  // Another session may drop it while the releases are listed.
  Relation relation = try_relation_open(oid, AccessShareLock);
  if (relation == nullptr) return false;
  Query* query = query_of(relation);
  FuncExpr* call = query != nullptr ? find_call(query, extension_schema) : nullptr;
  bool found = false;
  if (call != nullptr && is_constant(static_cast<Node*>(linitial(call->args))) &&
      is_constant(static_cast<Node*>(lsecond(call->args)))) {
    release.source = DatumGetObjectId(reinterpret_cast<Const*>(linitial(call->args))->constvalue);
    release.spec = DatumGetJsonbPCopy(reinterpret_cast<Const*>(lsecond(call->args))->constvalue);
    found = true;
  }
  relation_close(relation, NoLock);
  return found;
}

ReleaseQuery require_release(Oid relation, Oid extension_schema) {
  ReleaseQuery release;
  if (!read_release(relation, extension_schema, release))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a release", get_rel_name(relation)),
                    errhint("A release is a materialized view that anon_publish made.")));
  return release;
}

Note read_note(Oid relation) {
  Note note = {};
  const char* text = find_note(comment_of(relation));
  note.found = text != nullptr;
  if (!note.found) return note;
  note.figures = read_figures(text);
  note.built = static_cast<TimestampTz>(read_figure(text, "built"));
  note.current = read_figure(text, "file") == static_cast<double>(file_of(relation));
  return note;
}

void write_note(Oid relation, const Figures& figures) {
  char* comment = comment_of(relation);
  if (char* old = find_note(comment)) *old = '\0';
  StringInfoData text;
  initStringInfo(&text);
  if (comment != nullptr && comment[0] != '\0') {
    appendStringInfoString(&text, comment);
    if (text.data[text.len - 1] != '\n') appendStringInfoChar(&text, '\n');
  }
  appendStringInfo(&text, "%s built=" INT64_FORMAT " file=%u", kMark, GetCurrentTimestamp(),
                   file_of(relation));
  write_figures(&text, figures);
  execute(psprintf("COMMENT ON MATERIALIZED VIEW %s IS %s", qualified_name_of(relation),
                   quote_literal_cstr(text.data)),
          SPI_OK_UTILITY);
}

namespace {

/// One row: source, spec, built, current and the figures; none if the relation is not a release.
Datum release_info(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  ReleaseQuery release;
  const Oid relation = PG_GETARG_OID(0);
  if (get_rel_name(relation) == nullptr ||
      !read_release(relation, get_func_namespace(fcinfo->flinfo->fn_oid), release))
    return static_cast<Datum>(0);
  constexpr int kFirstFigure = 4;
  Datum values[kFirstFigure + kFigureCount];
  bool nulls[kFirstFigure + kFigureCount];
  std::fill(std::begin(nulls), std::end(nulls), true);
  nulls[0] = nulls[1] = false;
  values[0] = ObjectIdGetDatum(release.source);
  values[1] = JsonbPGetDatum(release.spec);
  const Note note = read_note(relation);
  if (note.found) {
    nulls[2] = nulls[3] = false;
    values[2] = TimestampTzGetDatum(note.built);
    values[3] = BoolGetDatum(note.current);
    fill_figures(note.figures, values + kFirstFigure, nulls + kFirstFigure);
  }
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_release_info) {
  return anonkit::pg::release_info(fcinfo);
}
