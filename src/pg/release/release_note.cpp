// Notes on a release: public ones in comments, private ones in the companion.

#include "pg/release/release_note.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/described.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/schedule/content.hpp"
#include "pg/schedule/listed.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/promised_levels.hpp"

extern "C" {
#include "access/xact.h"
#include "commands/comment.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

constexpr char kMark[] = "anonkit:";
constexpr char kSentence[] = "Masked by anonkit: ";
constexpr char kItem[] = "figures";
constexpr char kWriters[] = "xids";

// The record is in the comment of the first column, which lists of relations do not show. Version
// 0.1.0 wrote it where the sentence is now.
constexpr int kSentenceColumn = 0, kRecordColumn = 1;

bool starts_with(const char* line, const char* mark) {
  return std::strncmp(line, mark, std::strlen(mark)) == 0;
}

/// The last line of a comment with the mark, if all lines after it are indented; null without one.
char* find_marked(char* comment, const char* mark) {
  char* found = nullptr;
  for (char* line = comment; line != nullptr;) {
    if (starts_with(line, mark))
      found = line;
    else if (*line != ' ')
      found = nullptr;
    char* end = std::strchr(line, '\n');
    line = end != nullptr ? end + 1 : nullptr;
  }
  return found;
}

/// Removes the last text with the mark.
void cut_marked(char* comment, const char* mark) {
  if (char* marked = find_marked(comment, mark)) *marked = '\0';
}

/// Writes the text at the end of a comment, in place of the last one with a mark.
void write_marked(Oid relation, int column, const char* marked) {
  char* comment = GetComment(relation, RelationRelationId, column);
  cut_marked(comment, kSentence);
  cut_marked(comment, kMark);
  StringInfoData text;
  initStringInfo(&text);
  if (comment != nullptr && comment[0] != '\0') {
    appendStringInfoString(&text, comment);
    if (text.data[text.len - 1] != '\n') appendStringInfoChar(&text, '\n');
  }
  appendStringInfoString(&text, marked);
  CreateComments(relation, RelationRelationId, column, text.data);
}

/// The record in the release's comments; null without one.
const char* find_record(Oid release) {
  const char* record = find_marked(GetComment(release, RelationRelationId, kRecordColumn), kMark);
  return record != nullptr
             ? record
             : find_marked(GetComment(release, RelationRelationId, kSentenceColumn), kMark);
}

/// A number in the range of identifiers, or 0, which stands for none.
uint32 identifier(double number) {
  return number >= 1 && number <= PG_UINT32_MAX ? static_cast<uint32>(number) : 0;
}

RowWriters sole_writer(TransactionId writer) {
  RowWriters writers = {allocate<TransactionId>(1), 1};
  writers.list[0] = writer;
  return writers;
}

int64 count_or_unknown(double count) {
  return std::isnan(count) ? -1 : static_cast<int64>(count);
}

/// The sizes that a reader of the release can count.
constexpr double Figures::*kCounts[] = {&Figures::rows, &Figures::classes,
                                        &Figures::smallest_class};

bool is_public(const FigureField& field, const Figures& figures) {
  for (const auto count : kCounts)
    if (field.member == count) return figures.grouped || count == &Figures::rows;
  return false;
}

/// The figures that readers of the release can count.
Figures public_part(const Figures& figures) {
  Figures counts = figures;
  for (const FigureField& field : kFigureFields)
    if (!is_public(field, figures)) counts.*field.member = kNull;
  return counts;
}

char* sentence(const char* promises, const Figures& figures) {
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "%s%s%s%.0f rows", kSentence, promises, promises[0] != '\0' ? "; " : "",
                   figures.rows);
  if (figures.grouped)
    appendStringInfo(&text, " in %.0f %s of at least %.0f", figures.classes,
                     figures.classes == 1 ? "class" : "classes", figures.smallest_class);
  appendStringInfoChar(&text, '.');
  return text.data;
}

void write_public(Oid release, const char* promises, const Figures& figures) {
  write_marked(release, kSentenceColumn, sentence(promises, figures));
  StringInfoData record;
  initStringInfo(&record);
  appendStringInfo(&record, "%s built=" INT64_FORMAT, kMark, GetCurrentTimestamp());
  write_figures(&record, public_part(figures));
  write_marked(release, kRecordColumn, record.data);
}

Jsonb* private_record(Oid release, Oid companion, const Figures& figures,
                      const SourceWrites& writes, const RowWriters* merged) {
  JsonObject json;
  json.add("oid", static_cast<int64>(release));
  json.add("xid", static_cast<int64>(GetCurrentTransactionId()));
  if (merged != nullptr) json.add(kWriters, text_of_writers(*merged));
  if (writes.known) json.add("writes", writes.rows);
  json.add("runs", read_last_runs(companion).number);
  add_figures(json, figures);
  return json.finish();
}

/// A member's number, that of a truth too; NaN without one. The owner may have written anything.
double number_of(Jsonb* json, const char* name) {
  const JsonbValue* value = JB_ROOT_IS_OBJECT(json) ? value_of_key(json, name) : nullptr;
  if (value == nullptr) return kNull;
  if (value->type == jbvBool) return value->val.boolean ? 1 : 0;
  if (value->type != jbvNumeric) return kNull;
  const double number = DatumGetFloat8(
      DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric)));
  return is_sound_figure(number) ? number : kNull;
}

}  // namespace

Figures figures_in(Jsonb* json) {
  Figures figures = {};
  for (const FigureField& field : kFigureFields)
    figures.*field.member = number_of(json, field.name);
  return figures;
}

namespace {

PrivateNote read_content(Jsonb* json) {
  PrivateNote note = {};
  note.found = true;
  note.figures = figures_in(json);
  note.relation = identifier(number_of(json, "oid"));
  const char* writers = text_at(json, kWriters);
  note.writers =
      writers != nullptr ? writers_in(writers) : sole_writer(identifier(number_of(json, "xid")));
  note.writes = count_or_unknown(number_of(json, "writes"));
  note.runs = count_or_unknown(number_of(json, "runs"));
  return note;
}

/// The promises in the sentence of the release's comment; null without any.
const char* read_promises(Oid release) {
  const char* words = read_sentence(release);
  const char* end = std::strchr(words, ';');
  return end == nullptr ? nullptr : pnstrdup(words, static_cast<Size>(end - words));
}

}  // namespace

PublicNote read_public_note(Oid release) {
  PublicNote note = {};
  note.promises = read_promises(release);
  const char* text = find_record(release);
  note.found = text != nullptr;
  if (!note.found) return note;
  note.figures = read_figures(text);
  note.figures.grouped = true;
  note.figures = public_part(note.figures);
  const double built = read_figure(text, "built");
  const TimestampTz time = std::isnan(built) ? 0 : static_cast<TimestampTz>(built);
  note.built = IS_VALID_TIMESTAMP(time) ? time : 0;
  return note;
}

const char* read_sentence(Oid release) {
  const char* found =
      find_marked(GetComment(release, RelationRelationId, kSentenceColumn), kSentence);
  if (found == nullptr) return "";
  char* words = pstrdup(found + std::strlen(kSentence));
  const std::size_t length = std::strlen(words);
  if (length > 0 && words[length - 1] == '.') words[length - 1] = '\0';
  return words;
}

PrivateNote read_private_note(Oid release, Oid companion) {
  CompanionRow row = {};
  if (OidIsValid(companion)) row = read_companion(companion, kItem, 0);
  if (row.content != nullptr) return read_content(row.content);
  PrivateNote note = {};
  const char* text = find_record(release);
  note.found = text != nullptr && !std::isnan(read_figure(text, "oid"));
  if (!note.found) return note;
  note.figures = read_figures(text);
  note.relation = identifier(read_figure(text, "oid"));
  note.writers = sole_writer(identifier(read_figure(text, "xid")));
  note.writes = count_or_unknown(read_figure(text, "writes"));
  note.runs = -1;
  return note;
}

void write_note(Oid release, const Spec& spec, const Figures& figures, const SourceWrites& writes,
                const RowWriters* merged) {
  write_note(release, promise_words(spec), figures, writes, merged);
}

void write_note(Oid release, const char* promises, const Figures& figures,
                const SourceWrites& writes, const RowWriters* merged) {
  write_public(release, promises, figures);
  const Oid companion = require_companion(release);
  write_companion(companion, kItem, 0, private_record(release, companion, figures, writes, merged),
                  nullptr);
}

}  // namespace anonkit::pg
