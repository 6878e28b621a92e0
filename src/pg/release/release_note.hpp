#pragma once

#include "pg/release/figures.hpp"
#include "pg/release/row_writers.hpp"
#include "pg/release/source_writes.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

// The notes of anon_publish and anon_refresh on a release. Comments are public: a sentence ends the
// view's comment, and a record its first column's, which \dm+ does not show. They hold the promise,
// the time, and counts that every reader of the release can count. All other figures tell of the
// source, and are in the companion, for the owner alone.

/// Read from comments. Plain data.
struct PublicNote {
  bool found;
  TimestampTz built;
  const char* promises;  ///< in words; null without any
  Figures figures;       ///< the counts; NaN for all else
};
PublicNote read_public_note(Oid release);

/// The promise and the counts in words, without a full stop: "5-anonymous; 1000 rows in 182 classes
/// of at least 5". Empty if the comment has none.
const char* read_sentence(Oid release);

/// Read from the companion. Plain data.
struct PrivateNote {
  bool found;
  Figures figures;
  Oid relation;        ///< the release at the time of writing; a restored one differs
  RowWriters writers;  ///< of the rows that the note describes
  int64 writes;        ///< SourceWrites::rows before the build; -1: not known
  int64 runs;          ///< the number of the last run of anon_refresh_job; -1: not known
};

/// The note in a companion. Without one, the record that versions before 0.3.0 left in a comment.
PrivateNote read_private_note(Oid release, Oid companion);

/// The figures in an object as add_figures writes them; NaN for those that are missing.
Figures figures_in(Jsonb* json);

/// Notes the figures of a release whose rows this transaction wrote, in place of the note before,
/// and keeps the other words of the comments. `merged` says who wrote the rows if earlier ones have
/// stayed; null: this transaction wrote them all. The release must be locked.
void write_note(Oid release, const Spec& spec, const Figures& figures, const SourceWrites& writes,
                const RowWriters* merged = nullptr);
/// Notes promises that are in words already.
void write_note(Oid release, const char* promises, const Figures& figures,
                const SourceWrites& writes, const RowWriters* merged = nullptr);

}  // namespace anonkit::pg
