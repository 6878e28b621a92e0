#pragma once

#include <initializer_list>

#include "pg/read/source.hpp"
#include "pg/release/context.hpp"
#include "pg/report/function_call.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {

/// A column of a report, under its name in the release. Plain data.
struct ReportColumn {
  char* name;
  Role role;
  char* source_type;  ///< null: unknown
  char* type;
  const char* recoding;
  bool comparable;  ///< can be sorted; no pseudonym, and no infinite value before or after
  bool ranges;      ///< publishes ranges
};

/// "quasi-identifier", "sensitive", "kept".
const char* word_of(Role role);

/// All columns of a report, or those that can be compared with the source.
enum class Chosen : uint8 { all, comparable };

/// The subject of a report: a release of anon_publish, or any relation that the caller describes.
/// Plain data, palloc'd.
struct Subject {
  Oid relation;
  bool internal;
  double threshold;
  bool published;  ///< by anon_publish; else the caller describes the rest
  bool over_time;
  Jsonb* layout;  ///< of a distributed release, else null: how its rows are divided into parts
  bool swapped;   ///< by recode 'swap': rows have no classes to count
  bool of_owner;  ///< a release, and the caller has its owner's privileges
  Context context;
  Oid source;    ///< InvalidOid: unknown
  Jsonb* json;   ///< the spec as it was written
  Spec spec;     ///< in the release's column names
  Spec readers;  ///< the part that a reader of the release can measure
  PromisedLevels promised;
  ReportColumn* columns;  ///< quasi-identifiers, sensitive and kept ones
  int count;
  bool renamed;              ///< columns of the release and the source differ in name
  const char* not_compared;  ///< the reason against a comparison with the source, or null
  bool hidden_rows;          ///< policies may hide rows of the release from the caller

  /// The promised k, or a customary one.
  int k() const;
  /// Counts below this, except 0, are hidden on public pages; 0 on internal ones.
  double least_count() const { return internal ? 0 : k(); }
  /// True if columns of this role are shown before masking, too. The difference to a column that is
  /// published as it is would tell the values of rows that came, left or withhold theirs.
  bool compares(Role role) const {
    return not_compared == nullptr && (internal || role == Role::quasi_identifier);
  }
  bool of_aggregates() const { return is_of_aggregates(spec); }
  /// The columns with these roles.
  Names names(std::initializer_list<Role> roles, Chosen chosen = Chosen::all) const;
};

/// Reads the arguments of anon_report. A context among them is kept first.
Subject read_subject(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
