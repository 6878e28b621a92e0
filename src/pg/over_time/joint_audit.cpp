// anon_audit_releases: what several releases of the same persons tell together.

#include "pg/over_time/joint_audit.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/at.hpp"
#include "base/error.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/joint_links.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {
namespace {

/// By release and record. An error if two rows of a source have the same key.
ByRelease classes_by_release(const JointRows& rows, const Linked& linked, int releases) {
  ByRelease class_of(static_cast<std::size_t>(releases), Numbers(at(linked.records), kNowhere));
  std::vector<std::vector<bool>> seen(class_of.size(), std::vector<bool>(at(linked.records)));
  for (std::size_t row = 0; row < linked.record_of.size(); ++row) {
    const std::size_t release = at(rows.release[row]), record = at(linked.record_of[row]);
    if (seen[release][record])
      throw Error(ErrorKind::invalid_data, "the key is not unique in the source of a release",
                  "Two of its rows have equal values in all key columns.",
                  "Name columns in key that identify a row of each source.");
    seen[release][record] = true;
    class_of[release][record] = rows.class_of[row];
  }
  return class_of;
}

ByRelease values_by_release(const JointRows& rows, const Linked& linked, int releases, int a) {
  ByRelease value_of(static_cast<std::size_t>(releases), Numbers(at(linked.records), kNowhere));
  for (std::size_t row = 0; row < linked.record_of.size(); ++row)
    if (rows.attributes[a].shown[row])
      value_of[at(rows.release[row])][at(linked.record_of[row])] =
          rows.attributes[a].ranks.codes[row];
  return value_of;
}

/// The records of some classes, for a judge.
struct Judging {
  Numbers records;
  Numbers class_of;  ///< numbered from 0 without gaps
  Numbers unit_of;
};

/// The first records with a class, of those that a list selects.
Judging judging(const Numbers& class_of, const Linked& linked, std::int32_t count,
                const std::vector<bool>& selected) {
  Judging judged;
  Numbers number(at(linked.records) + 1, kNowhere);
  std::int32_t classes = 0;
  for (std::int32_t record = 0; record < count; ++record) {
    const std::int32_t c = class_of[at(record)];
    if (c == kNowhere || !selected[at(record)]) continue;
    if (at(c) >= number.size()) number.resize(at(c) + 1, kNowhere);
    if (number[at(c)] == kNowhere) number[at(c)] = classes++;
    judged.records.push_back(record);
    judged.class_of.push_back(number[at(c)]);
    if (!linked.unit_of.empty()) judged.unit_of.push_back(linked.unit_of[at(record)]);
  }
  return judged;
}

/// The values of an attribute as its first release shows them.
Numbers first_values(const ByRelease& value_of) {
  Numbers values = value_of.front();
  for (const Numbers& release : value_of)
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] == kNowhere) values[i] = release[i];
  return values;
}

std::vector<bool> shown_of(const Numbers& values) {
  std::vector<bool> shown;
  for (const std::int32_t value : values) shown.push_back(value != kNowhere);
  return shown;
}

PublishedAttribute attribute_of(const JointColumn& column, const Numbers& values,
                                const Judging& judged) {
  PublishedAttribute attribute;
  for (const std::int32_t record : judged.records) attribute.code_of.push_back(values[at(record)]);
  attribute.scale = column.scale;
  if (column.numbers != nullptr)
    attribute.numbers.assign(column.numbers, column.numbers + values_of(column.ranks));
  return attribute;
}

/// A record's class and value in one release, with the value's mark and the mark of a second row.
constexpr double kBytesPerPlace = 13;
/// Reading has counted the lists of so many releases with the rows.
constexpr int kCountedReleases = 4;

/// Counts the lists by release and record. Their size is the product of both, which is far beyond
/// that of the rows if the releases have few records in common.
void count_lists(MemoryCount* memory, int releases, std::int32_t records) {
  if (releases <= kCountedReleases) return;
  const double bytes = kBytesPerPlace * (releases - kCountedReleases) * records;
  const auto bounded = static_cast<int64>(std::min(bytes, 1e18));
  call_backend([&] { count_memory(*memory, bounded); });
}

Linked link_for_lists(const JointRows& rows, int releases, Ticker& ticker) {
  Linked linked = link_records(rows, ticker);
  count_lists(rows.memory, releases, linked.records);
  return linked;
}

/// The records that all releases have in common. An error if there is none.
std::int64_t common_records(const ByRelease& class_of, std::int32_t linked) {
  std::int64_t records = 0;
  for (std::size_t record = 0; record < at(linked); ++record)
    records += std::all_of(class_of.begin(), class_of.end(),
                           [&](const Numbers& release) { return release[record] != kNowhere; });
  if (records == 0)
    throw Error(ErrorKind::invalid_data, "the releases have no rows in common",
                "No row of one source has the key of a row in all the others.",
                "Name columns in key that identify a row of each source.");
  return records;
}

class Judge {
 public:
  Judge(const JointRows& rows, const JoinedRelease* releases, int count, Ticker& ticker)
      : rows_(rows),
        count_(count),
        ticker_(ticker),
        linked_(link_for_lists(rows, count, ticker)),
        class_of_(classes_by_release(rows, linked_, count)),
        joint_(joint_classes(class_of_, linked_.linked, ticker)),
        all_(at(linked_.records), true) {
    for (int r = 0; r < count; ++r) {
      const ModelParameters own = promised_by(releases[r].spec).parameters;
      if (own.q > 0) parameters_.q = own.q, parameters_.variance_of = own.variance_of;
      parameters_.l = std::max(parameters_.l, own.l);
    }
  }

  JointAudit judged() {
    JointAudit audit;
    audit.rows = linked_.linked;
    audit.common = common_records(class_of_, linked_.linked);
    judge_sizes(audit);
    for (int a = 0; a < rows_.attribute_count; ++a) judge_values(a, audit);
    audit.class_of = std::move(class_of_);
    return audit;
  }

 private:
  void judge_sizes(JointAudit& audit) {
    const Judging judged = judging(joint_, linked_, linked_.linked, all_);
    const std::size_t first =
        add_joint(ClassHistogram(judged.class_of, ticker_, judged.unit_of), kAnyAttribute, audit);
    for (const Numbers& class_of : class_of_) {
      const Judging alone = judging(class_of, linked_, linked_.records, all_);
      const ClassHistogram own(alone.class_of, ticker_, alone.unit_of);
      add_alone(&own, first, audit);
    }
  }

  void judge_values(int a, JointAudit& audit) {
    const ByRelease value_of = values_by_release(rows_, linked_, count_, a);
    audit.values.push_back(remaining_values(class_of_, value_of, ticker_));
    const Numbers values = first_values(value_of);
    const Judging judged = judging(joint_, linked_, linked_.linked, shown_of(values));
    if (judged.records.empty()) return;
    const std::size_t first = add_joint(histogram_of(judged, values, a), a, audit);
    for (std::size_t r = 0; r < class_of_.size(); ++r) {
      const Judging alone = judging(class_of_[r], linked_, linked_.records, shown_of(value_of[r]));
      std::optional<ClassHistogram> own;
      if (!alone.records.empty()) own.emplace(histogram_of(alone, value_of[r], a));
      add_alone(own.has_value() ? &*own : nullptr, first, audit);
    }
  }

  ClassHistogram histogram_of(const Judging& judged, const Numbers& values, int a) {
    return {judged.class_of, attribute_of(rows_.attributes[a], values, judged), ticker_,
            judged.unit_of};
  }

  /// Adds the levels of the models that the joint classes have. Returns the place of the first one.
  std::size_t add_joint(const ClassHistogram& joint, int a, JointAudit& audit) {
    const std::size_t first = audit.levels.size();
    for (const Model& model : models())
      if (a == kAnyAttribute ? model.is_about_classes(joint.has_units())
                             : model.is_about(joint, parameters_))
        audit.levels.push_back({&model, a, level_of(model, joint), {}});
    return first;
  }

  /// Adds those of one release by itself; NaN if it does not show the attribute.
  void add_alone(const ClassHistogram* own, std::size_t first, JointAudit& audit) {
    for (std::size_t i = first; i < audit.levels.size(); ++i) {
      JointLevel& level = audit.levels[i];
      level.alone.push_back(own == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                           : level_of(*level.model, *own));
    }
  }

  double level_of(const Model& model, const ClassHistogram& histogram) {
    return model.measure(histogram, parameters_, ticker_).level;
  }

  const JointRows& rows_;
  int count_;
  Ticker& ticker_;
  ModelParameters parameters_;
  const Linked linked_;
  ByRelease class_of_;
  const Numbers joint_;
  const std::vector<bool> all_;
};

const JointAudit& judge_rows(const JointRows& rows, const JoinedRelease* releases, int count) {
  BackendTicker ticker;
  return own_in_context(
      std::make_unique<JointAudit>(Judge(rows, releases, count, ticker).judged()));
}

/// Persons whose value of a quasi-identifier follows from the means of the releases that average
/// it; below 0 if that is not computed.
int64 solved_in(const JointAudit& audit, const JoinedRelease* releases, int count,
                const char* name) {
  BackendTicker ticker;
  ByRelease averaged;
  for (int r = 0; r < count; ++r) {
    const Source& source = releases[r].columns;
    if (!recoding(releases[r].spec.options.recode).is_linear) continue;
    for (int j = 0; j < source.quasi_identifiers; ++j)
      if (source.columns[j].number_type != nullptr &&
          std::strcmp(source.columns[j].name, name) == 0)
        averaged.push_back(audit.class_of[at(r)]);
  }
  return averaged.empty() ? kNowhere : solved_persons(averaged, ticker);
}

}  // namespace

const JointLevel& joint_k(const JointAudit& audit) {
  const Model* k = find_model("k-anonymity");
  for (const JointLevel& level : audit.levels)
    if (level.model == k) return level;
  throw Error(ErrorKind::invalid_data, "k-anonymity was not measured");
}

namespace {

/// The numbers of a column's values, by rank; null unless all are finite.
double* numbers_of_values(const ValueRanks& ranks, Oid type, MemoryCount& memory) {
  const int32 count = values_of(ranks);
  count_memory(memory, int64{count} * static_cast<int64>(sizeof(double)));
  double* numbers = allocate<double>(count);
  bool finite = true;
  for (int32 v = 0; finite && v < count; ++v) {
    CHECK_FOR_INTERRUPTS();
    numbers[v] = number_of(type, ranks.values[v], &finite) / reporting_unit(type);
  }
  return finite ? numbers : nullptr;
}

/// Looks up the scale and the numbers before any C++ object is alive: an error of these calls would
/// skip its destructor.
void settle_scale(JointColumn& column, MemoryCount& memory) {
  const Oid type = getBaseType(column.type);
  const bool is_number = number_type(type) != nullptr;
  if (is_number) column.numbers = numbers_of_values(column.ranks, type, memory);
  if (column.numbers != nullptr)
    column.scale = AttributeScale::numeric;
  else if (is_number || type_is_enum(type))
    column.scale = AttributeScale::ordinal;
}

void settle_links(JointRows& rows) {
  for (int i = 0; i < rows.link_count; ++i) settle_ranks(rows.link[i].ranks, rows.count);
}

}  // namespace

const ByRelease& classes_of_records(JointRows& rows, int releases) {
  settle_links(rows);
  BackendTicker ticker;
  const Linked linked = link_for_lists(rows, releases, ticker);
  auto class_of = std::make_unique<ByRelease>(classes_by_release(rows, linked, releases));
  common_records(*class_of, linked.linked);
  return own_in_context(std::move(class_of));
}

const JointAudit& audit_jointly(const JoinedRelease* releases, int count, const Link& link,
                                JointRows& rows) {
  rows = make_joint_rows(releases, count, link);
  for (int r = 0; r < count; ++r) read_joint_rows(rows, releases[r], r);
  settle_links(rows);
  for (int a = 0; a < rows.attribute_count; ++a) {
    settle_ranks(rows.attributes[a].ranks, rows.count);
    settle_scale(rows.attributes[a], *rows.memory);
  }
  return judge_rows(rows, releases, count);
}

namespace {

/// The levels of the releases by their names.
Jsonb* alone_of(const JoinedRelease* releases, const JointLevel& level) {
  JsonObject alone;
  for (std::size_t r = 0; r < level.alone.size(); ++r)
    if (std::isfinite(level.alone[r]))
      alone.add(qualified_name_of(releases[r].relation), level.alone[r]);
  return alone.finish();
}

void write_row(ReturnSetInfo* result, const char* model, const char* attribute, double level,
               JsonObject& detail) {
  Datum values[] = {CStringGetTextDatum(model), 0, Float8GetDatum(level),
                    JsonbPGetDatum(detail.finish())};
  bool nulls[] = {false, attribute == nullptr, false, false};
  if (attribute != nullptr) values[1] = CStringGetTextDatum(attribute);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

void write_values(const JointRows& rows, const JointAudit& audit, ReturnSetInfo* result) {
  for (int a = 0; a < rows.attribute_count; ++a) {
    const RemainingValues& values = audit.values[at(a)];
    if (values.places == 0) continue;
    JsonObject fewest;
    write_row(result, "possible values", rows.attributes[a].name,
              static_cast<double>(values.fewest), fewest);
    JsonObject determined;
    determined.add("persons", values.determined);
    determined.add("of", values.places);
    write_row(result, "values determined, per cent", rows.attributes[a].name,
              100.0 * static_cast<double>(values.determined) / static_cast<double>(values.places),
              determined);
  }
}

bool has_quasi_identifier(const JoinedRelease& release, const char* name) {
  const Source& source = release.columns;
  return std::any_of(source.columns, source.columns + source.quasi_identifiers,
                     [&](const SourceColumn& one) { return std::strcmp(one.name, name) == 0; });
}

/// A row for each quasi-identifier, also if several releases have it.
void write_solved(const JoinedRelease* releases, int count, const JointAudit& audit,
                  ReturnSetInfo* result) {
  for (int r = 0; r < count; ++r)
    for (int j = 0; j < releases[r].columns.quasi_identifiers; ++j) {
      const char* name = releases[r].columns.columns[j].name;
      if (std::any_of(releases, releases + r, [&](const JoinedRelease& earlier) {
            return has_quasi_identifier(earlier, name);
          }))
        continue;
      const int64 solved = solved_in(audit, releases, count, name);
      if (solved < 0) continue;
      JsonObject detail;
      detail.add("persons", solved);
      write_row(result, "quasi-identifiers solved, per cent", name,
                100.0 * static_cast<double>(solved) / static_cast<double>(audit.rows), detail);
    }
}

/// The releases of argument `releases`, at least two.
JoinedRelease* releases_argument(FunctionCallInfo fcinfo, int* count) {
  require_arguments(fcinfo, {"releases"});
  Datum* relations;
  bool* nulls;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT,
                    &relations, &nulls, count);
  if (*count < 2)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("releases must name at least two releases")));
  auto* releases = allocate<JoinedRelease>(*count);
  for (int r = 0; r < *count; ++r) {
    if (nulls[r])
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("releases must not contain nulls")));
    releases[r] = joined_release(DatumGetObjectId(relations[r]));
    for (int other = 0; other < r; ++other)
      if (releases[other].relation == releases[r].relation)
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                 errmsg("release \"%s\" is named twice", get_rel_name(releases[r].relation))));
  }
  return releases;
}

/// The promise of k that all releases make together: the weaker one of them.
const char* joint_promise_of_k(const JoinedRelease* releases, int count) {
  int r = 0;
  while (r + 1 < count && !is_swapped(releases[r].spec)) ++r;
  return promise_of_k(releases[r].spec);
}

Datum audit_releases(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  const Session session = open_session();
  int count;
  const JoinedRelease* releases = releases_argument(fcinfo, &count);
  const Names key = names_argument(fcinfo, "key", 0);
  JointRows rows;
  const Link link = link_of(releases, count, key);
  const JointAudit& audit = audit_jointly(releases, count, link, rows);
  for (const JointLevel& level : audit.levels) {
    JsonObject detail;
    if (level.attribute == kAnyAttribute) {
      detail.add("rows", audit.rows);
      detail.add("common", audit.common);
    }
    detail.add("alone", alone_of(releases, level));
    write_row(result,
              &level == &joint_k(audit) ? joint_promise_of_k(releases, count) : level.model->name,
              level.attribute == kAnyAttribute ? nullptr : rows.attributes[level.attribute].name,
              level.level, detail);
  }
  write_values(rows, audit, result);
  write_solved(releases, count, audit, result);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_audit_releases) {
  return anonkit::pg::audit_releases(fcinfo);
}
