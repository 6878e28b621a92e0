#pragma once

#include "pg/report/function_call.hpp"
#include "pg/spec/promised.hpp"

namespace anonkit::pg {

/// A column that a report is about, under its name in the release. Plain data.
struct ReportColumn {
  char* name;
  enum class Part : uint8 { quasi_identifier, sensitive, keep } part;
  char* source_type;  ///< null: not known
  char* type;
  const char* recoding;
  bool comparable;  ///< no nulls and no infinite values, before and after
};

/// What a report is about: a release of anon_publish, or any relation that somebody describes.
/// Plain data, palloc'd.
struct Subject {
  Oid relation;
  bool internal;
  double threshold;
  bool published;  ///< by anon_publish; else what follows was said by the caller
  bool over_time;
  Oid source;    ///< InvalidOid: not known
  Jsonb* json;   ///< the spec as it was written
  Spec spec;     ///< in the words of the release
  Spec readers;  ///< what a reader of the release can measure of it
  PromisedLevels promised;
  ReportColumn* columns;  ///< quasi-identifiers, sensitive and kept ones
  int count;
  bool renamed;              ///< columns of the release have other names than the source's
  const char* not_compared;  ///< why the source is not compared with the release, or null
  bool hidden_rows;          ///< policies may hide rows of the release from the caller

  /// The k that was promised, or a customary one.
  int k() const;
  /// Counts that are below it and not 0 are not on a public page; 0 on an internal one.
  double least_count() const { return internal ? 0 : k(); }
  bool of_aggregates() const { return spec.method != nullptr && spec.method->of_aggregates; }
  /// The columns of these parts that can be compared, or all of them.
  Names names(bool quasi_identifiers, bool sensitive, bool keep, bool comparable) const;
};

/// Reads the arguments of anon_report.
Subject read_subject(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
