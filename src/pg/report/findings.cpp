#include "pg/report/findings.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/at.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/output_settings.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/relation_reader.hpp"
#include "pg/report/figure_words.hpp"
#include "pg/report/html.hpp"
#include "pg/risk/pair_attack.hpp"
#include "pg/risk/utility.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

Jsonb* member(const Subject& subject, const char* key) {
  const JsonbValue* value = value_of_key(subject.json, key);
  return value == nullptr || value->type == jbvNull
             ? nullptr
             : JsonbValueToJsonb(const_cast<JsonbValue*>(value));
}

Names functions_of(const AggregateKnowledge& knowledge) {
  static constexpr const char* kSum[] = {"sum"};
  if (knowledge.functions == nullptr) return {const_cast<char**>(kSum), 1};
  return {const_cast<char**>(knowledge.functions), knowledge.count};
}

/// Adds the functions of promised aggregates, unless their true values are unavailable.
void add_aggregates(const Subject& subject, Arguments& arguments) {
  const AggregateKnowledge& knowledge = subject.spec.options.aggregate;
  const bool measured = subject.of_aggregates() && subject.not_compared == nullptr;
  if (measured)
    arguments.names(functions_of(knowledge));
  else
    arguments.null(TEXTARRAYOID);
  arguments.number(knowledge.d).words(knowledge.identical ? "identical" : "candidates");
  if (measured && knowledge.weights != nullptr)
    arguments.numbers(knowledge.weights, knowledge.attributes);
  else
    arguments.null(FLOAT8ARRAYOID);
  arguments.relation(measured ? subject.source : InvalidOid);
}

/// The levels of the models that were asked for; null of a release, which promises its own.
Jsonb* asked_of(const Subject& subject) {
  if (subject.published) return nullptr;
  JsonObject levels;
  for (int i = 0; i < subject.promised.count; ++i)
    levels.add(subject.promised.list[i].model->name, subject.promised.list[i].level);
  return levels.finish();
}

/// A release tells anon_audit its columns itself: the relations that its options name are then read
/// as its owner. One of aggregates names none, and its aggregates are left out if unmeasured.
Rows audit_rows(const Subject& subject) {
  const bool described = !subject.published || subject.of_aggregates();
  const Spec unnamed = {};
  const Spec& spec = described ? subject.readers : unnamed;
  const Promises& promises = subject.readers.options.promises;
  Arguments arguments;
  arguments.relation(subject.relation).names_or_null(spec.qi).names_or_null(spec.sensitive);
  add_aggregates(subject, arguments);
  arguments.number(promises.q > 0 ? promises.q : NAN);
  arguments.words(promises.variance_of == VarianceOf::rare ? "rare" : "all");
  arguments.json(subject.published ? nullptr : member(subject, "hierarchies"));
  arguments.json(subject.published ? nullptr : member(subject, "protected"));
  if (promises.n > 0)
    arguments.integer(promises.n);
  else
    arguments.null(INT4OID);
  arguments.names_or_null(spec.unit).json(asked_of(subject)).names_or_null(spec.categories);
  arguments.relation(spec.population).truth(spec.withheld);
  arguments.number(promises.risk_threshold > 0 ? promises.risk_threshold : NAN);
  arguments.null(JSONBOID).truth(false).null(JSONBOID);
  return call("anon_audit", arguments, "f.model, f.attribute, f.level, f.detail->'class'");
}

/// The promised level of a model for a column, or NaN.
double promised_level(const Subject& subject, const Model* model, const char* attribute) {
  const PromisedLevels& promised = subject.promised;
  for (int i = 0; i < promised.count; ++i) {
    const AskedLevel& one = promised.list[i];
    if (one.model != model) continue;
    if (one.attribute == kAnyAttribute ||
        (attribute != nullptr &&
         std::strcmp(subject.spec.sensitive.names[one.attribute], attribute) == 0))
      return one.level;
  }
  return NAN;
}

/// False for promises about persons without the unit's columns.
bool is_measured(const Subject& subject, const Model* model) {
  if (subject.spec.unit.count == subject.readers.unit.count) return true;
  const PromisedLevels of_readers = promised_by(subject.readers);
  for (int i = 0; i < of_readers.count; ++i)
    if (of_readers.list[i].model == model) return true;
  return false;
}

void audit_models(const Subject& subject, Findings& findings) {
  const Rows rows = audit_rows(subject);
  const PromisedLevels& promised = subject.promised;
  findings.models = allocate<ModelFinding>(rows.count + promised.count);
  for (int i = 0; i < rows.count; ++i) {
    const Model* model = find_model(rows.cells[i][0]);
    double promised = NAN;
    if (model == nullptr)
      promised = subject.spec.options.k;  // against attackers who know aggregates
    else if (is_measured(subject, model))
      promised = promised_level(subject, model, rows.cells[i][1]);
    findings.models[findings.model_count++] = {
        rows.cells[i][0], rows.cells[i][1], model, promised, number_in(rows.cells[i][2]),
        rows.cells[i][3]};
  }
  for (int i = 0; i < promised.count; ++i)
    if (!is_measured(subject, promised.list[i].model))
      findings.models[findings.model_count++] = {
          promised.list[i].model->name, nullptr, promised.list[i].model,
          promised.list[i].level,       NAN,     nullptr};
}

/// The promises of a release by swapping. An audit of its rows would find classes of one record.
void list_promises(const Subject& subject, Findings& findings) {
  const PromisedLevels& promised = subject.promised;
  findings.models = allocate<ModelFinding>(promised.count);
  for (int i = 0; i < promised.count; ++i) {
    const Model* model = promised.list[i].model;
    const bool of_k = std::strcmp(model->name, "k-anonymity") == 0;
    findings.models[findings.model_count++] = {of_k ? "probabilistic k-anonymity" : model->name,
                                               nullptr,
                                               model,
                                               promised.list[i].level,
                                               NAN,
                                               nullptr};
  }
}

/// The work of `attempt`.
void repeat_proof(void* state) {
  call("anon_assert_swap", Arguments().relation(*static_cast<Oid*>(state)), "f");
}

Verification verify_swap(const Subject& subject) {
  if (!subject.swapped) return Verification::none;
  if (!subject.of_owner || subject.not_compared != nullptr) return Verification::earlier;
  Oid release = subject.relation;
  ErrorData* error = attempt(repeat_proof, &release);
  if (error == nullptr) return Verification::repeated;
  if (error->sqlerrcode == ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE) return Verification::changed;
  if (error->sqlerrcode != ERRCODE_CHECK_VIOLATION) ReThrowError(error);
  return Verification::failed;
}

/// The figures of these measures alone.
Figures only(const Figures& figures, std::initializer_list<const char*> measures) {
  Figures left = {};
  for (int i = 0; i < figures.count; ++i) {
    const Figure& figure = figures.list[i];
    for (const char* measure : measures)
      if (std::strcmp(figure.measure, measure) == 0)
        left.add(figure.measure, figure.attribute, figure.value, figure.explanation);
  }
  return left;
}

void measure_risk(const Subject& subject, Findings& findings) {
  constexpr int kMostForUniques = 32;
  Arguments arguments;
  const Names qi = subject.names({Role::quasi_identifier});
  arguments.relation(subject.relation).names(qi);
  arguments.names(
      joined(subject.names({Role::sensitive}), subject.names({Role::keep}, Chosen::comparable)));
  arguments.relation(InvalidOid).null(INT8OID);
  arguments.names_or_null(subject.readers.unit);
  arguments.number(subject.threshold)
      .integer(qi.count <= kMostForUniques && !subject.swapped ? 3 : 0);
  arguments.words(nullptr).null(JSONBOID).truth(false);
  findings.risk = call_figures("anon_risk", arguments);
  // Figures of classes and of links are about rows that equal nobody, or somebody by chance.
  if (subject.swapped) findings.risk = only(findings.risk, {"records", "unique_values"});
}

/// The comparable columns: quasi-identifiers, then sensitive ones, then kept ones.
struct ComparableColumns {
  Names qi;
  Names sensitive;
  Names keep;
};

ComparableColumns comparable_columns(const Subject& subject) {
  return {subject.names({Role::quasi_identifier}, Chosen::comparable),
          subject.names({Role::sensitive}, Chosen::comparable),
          subject.names({Role::keep}, Chosen::comparable)};
}

/// Reads the comparable columns of release and source, or those of the release alone.
void read_cells(const Subject& subject, const ComparableColumns& columns, Findings& findings) {
  const Names all = joined(columns.qi, columns.sensitive, columns.keep);
  if (all.count == 0) return;
  findings.cells = read_pair(subject.not_compared == nullptr ? subject.source : subject.relation,
                             subject.relation, all, all.count);
}

void attack(const Subject& subject, const ComparableColumns& columns, Findings& findings) {
  constexpr int32 kNearest = 5;
  const Names codes = subject.readers.categories;
  const AttackedColumns attacked = {columns.qi.count, columns.sensitive.count, 0};
  PairData data = findings.cells;
  if (codes.count > 0) {
    const Names names = joined(columns.qi, columns.sensitive);
    data = read_pair(subject.source, subject.relation, names, names.count, codes);
  }
  const PairAttack& found = attack_pair(data, attacked, Attacks::both, kNearest);
  add_links(found.linkage, false, findings.linkage);
  add_exact_matches(found.exact, findings.linkage);
  if (subject.swapped)
    findings.linkage = only(findings.linkage, {"unique_records", "unique_exact_matches"});
  add_inferences(found, data, attacked, findings.inference);
}

/// The records of both relations, the fewer ones, with a number in each of these columns of
/// numbers.
int64 records_with_numbers(const PairData& cells, int first, int count) {
  int64 fewest = INT64_MAX;
  for (int side = 0; side < 2; ++side) {
    const auto has_number = [&](const PairColumn& column, int64 row) {
      return !column.numeric || column.low[side][row] <= column.high[side][row];
    };
    int64 complete = 0;
    for (int64 row = 0; row < cells.rows[side]; ++row) {
      CHECK_FOR_INTERRUPTS();
      complete += std::all_of(cells.columns + first, cells.columns + first + count,
                              [&](const PairColumn& column) { return has_number(column, row); })
                      ? 1
                      : 0;
    }
    fewest = std::min(fewest, complete);
  }
  return fewest;
}

/// True for statistics of the records that have all numbers.
bool is_joint(const Figure& figure) {
  for (const char* start : {"correlation", "covariance", "eigenvalue", "axis"})
    if (std::strncmp(figure.measure, start, std::strlen(start)) == 0) return true;
  return false;
}

/// The figures without those of fewer records than a page may show. The Hellinger distance is of
/// all records, since null is one more value.
Figures without_few(const Figures& figures, const PairData& cells, int compared, double least) {
  if (least <= 0) return figures;
  const bool few_joint =
      is_folded(static_cast<double>(records_with_numbers(cells, 0, compared)), least);
  Names few = {allocate<char*>(compared), 0};
  for (int j = 0; j < compared; ++j)
    if (is_folded(static_cast<double>(records_with_numbers(cells, j, 1)), least))
      few.names[few.count++] = cells.columns[j].name;
  Figures left = {};
  for (int i = 0; i < figures.count; ++i) {
    const Figure& figure = figures.list[i];
    const bool is_few = is_joint(figure) ? few_joint
                                         : figure.attribute != nullptr &&
                                               std::strcmp(figure.measure, "hellinger") != 0 &&
                                               is_among(figure.attribute, few.names, few.count);
    if (!is_few) left.add(figure.measure, figure.attribute, figure.value, figure.explanation);
  }
  return left;
}

void measure_against_source(const Subject& subject, const ComparableColumns& columns,
                            Findings& findings) {
  constexpr int32 kQueries = 100;
  const int compared = columns.qi.count + columns.sensitive.count;
  if (compared > 0)
    findings.utility = without_few(
        utility_figures(findings.cells, {compared, columns.qi.count, 0, -1, kQueries, 0}),
        findings.cells, compared, subject.least_count());
  if (columns.qi.count > 0) attack(subject, columns, findings);
}

/// The bars of all columns; those before masking of the first so many.
std::vector<ColumnBars> all_bars(const PairData& cells, int compared, double least) {
  BackendTicker ticker;
  ticker.begin("drawing", 0);
  const CellsPair pair = cells_of(cells, 0, cells.count);
  std::vector<ColumnBars> bars;
  for (std::size_t j = 0; j < pair.masked.columns.size(); ++j)
    bars.push_back(bars_of(pair, j, j < at(compared) ? Shown::both : Shown::masked, least, ticker));
  return bars;
}

void draw(const Subject& subject, const ComparableColumns& columns, Findings& findings) {
  if (findings.cells.count == 0) return;
  const int compared = (subject.compares(Role::quasi_identifier) ? columns.qi.count : 0) +
                       (subject.compares(Role::sensitive) ? columns.sensitive.count : 0) +
                       (subject.compares(Role::keep) ? columns.keep.count : 0);
  findings.bars = &own_in_context(std::make_unique<std::vector<ColumnBars>>(
      all_bars(findings.cells, compared, subject.least_count())));
}

void count_class_sizes(const Subject& subject, Findings& findings) {
  const RelationData data =
      read_relation(subject.relation, {subject.names({Role::quasi_identifier})});
  int64* records = allocate<int64>(data.rows);
  std::fill_n(records, data.rows, 0);
  for (int64 row = 0; row < data.rows; ++row) ++records[data.class_of[row]];
  findings.class_sizes = class_sizes_of(records, data.rows);
}

constexpr int kHashBytes = 32;

/// The hashes of rows, one after another. Plain data.
struct RowHashes {
  char* hashes;
  int64 count;
  int64 capacity;
};

/// The SHA-256 of bytes.
bytea* hash_of(const char* bytes, int64 count) {
  auto* message = static_cast<bytea*>(
      MemoryContextAllocHuge(CurrentMemoryContext, static_cast<Size>(count + VARHDRSZ)));
  SET_VARSIZE(message, count + VARHDRSZ);
  std::memcpy(VARDATA(message), bytes, static_cast<std::size_t>(count));
  return DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, PointerGetDatum(message)));
}

/// A row is one value of type record, whose text is that of its columns' output functions.
void hash_row(TupleTableSlot* slot, void* state) {
  auto& rows = *static_cast<RowHashes*>(state);
  const char* text = OidOutputFunctionCall(F_RECORD_OUT, slot->tts_values[0]);
  const bytea* hash = hash_of(text, static_cast<int64>(std::strlen(text)));
  if (rows.count == rows.capacity) resize(rows.hashes, (rows.capacity *= 2) * kHashBytes);
  std::memcpy(rows.hashes + rows.count++ * kHashBytes, VARDATA_ANY(hash), kHashBytes);
}

int compare_hashes(const void* a, const void* b) {
  return std::memcmp(a, b, kHashBytes);
}

/// The SHA-256 of the rows as texts, independent of their order.
char* fingerprint_of(Oid relation) {
  RowHashes rows = {allocate<char>(kFirstCapacity * kHashBytes), 0, kFirstCapacity};
  UserQuery query = begin_user_query();
  add_expression(query, "ROW(source.*)");
  const int pinned = pin_output_settings();
  for_each_row(end_user_query(query, relation), hash_row, &rows);
  unpin_output_settings(pinned);
  qsort(rows.hashes, static_cast<std::size_t>(rows.count), kHashBytes, compare_hashes);
  const bytea* hash = hash_of(rows.hashes, rows.count * kHashBytes);
  auto* text = static_cast<char*>(palloc0(2 * kHashBytes + 1));
  hex_encode(VARDATA_ANY(hash), kHashBytes, text);
  return text;
}

}  // namespace

Findings measure_subject(const Subject& subject) {
  Findings findings = {};
  if (subject.swapped)
    list_promises(subject, findings);
  else
    audit_models(subject, findings);
  findings.verification = verify_swap(subject);
  measure_risk(subject, findings);
  const ComparableColumns columns = comparable_columns(subject);
  read_cells(subject, columns, findings);
  if (subject.not_compared == nullptr) measure_against_source(subject, columns, findings);
  draw(subject, columns, findings);
  if (!subject.swapped) count_class_sizes(subject, findings);
  // Rows stay on their servers.
  if (subject.layout == nullptr) findings.fingerprint = fingerprint_of(subject.relation);
  return findings;
}

}  // namespace anonkit::pg
