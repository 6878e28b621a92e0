#pragma once

// The context of a release: the answers of its owner that no figure gives, such as its recipient,
// its purpose and the date of its next review. It is a row of the companion, for the owner alone.
//
//   Jsonb* context = context_argument(fcinfo);     // checked; null if none was given
//   keep_context(release, context);                // as the owner, with the release locked
//   const Context kept = read_context(companion);  // empty if somebody wrote another value

#include "pg/backend/boundary.hpp"

extern "C" {
#include "utils/date.h"
}

namespace anonkit::pg {

/// A member of a context: its key, and its name in words. Two members are dates, all others a text
/// or an array of texts.
struct ContextItem {
  const char* key;
  const char* words;
  bool is_date;
};

constexpr ContextItem kContextItems[] = {
    {"recipient", "Recipient", false},
    {"purpose", "Purpose", false},
    {"legal_basis", "Legal basis", false},
    {"controls", "Controls at the recipient", false},
    {"additional_data", "Additional data considered", false},
    {"population", "Population", false},
    {"time_span", "Time span", false},
    {"reviewer", "Reviewer", false},
    {"decision", "Decision", false},
    {"valid_until", "Valid until", true},
    {"review_due", "Review due", true},
};
constexpr int kContextCount = static_cast<int>(sizeof kContextItems / sizeof kContextItems[0]);

/// A context in words and dates. Plain data, palloc'd.
struct Context {
  Jsonb* json;                       ///< as it was written; null: there is none
  TimestampTz written;               ///< 0: it is not kept
  const char* words[kContextCount];  ///< null: not answered; the texts of an array are joined
  bool has_date[kContextCount];
  DateADT date[kContextCount];

  bool empty() const { return json == nullptr; }
  /// The answer to an item; null without one.
  const char* answer(const char* key) const;
  /// The date of an item; false without one.
  bool date_of(const char* key, DateADT* found) const;
};

/// Argument `context`, checked: an error for an unknown key, a value that is no text, a date that
/// is none. Null for null.
Jsonb* context_argument(FunctionCallInfo fcinfo);

/// The context that a value is; empty if it is none.
Context context_of(Jsonb* json);

/// Writes the context of a release or a set, or removes it if it is empty. Nothing for null.
void keep_context(Oid release, Jsonb* context);

/// keep_context of the caller's own release, locked as by a refresh. An error
/// (insufficient_privilege) for others.
void set_context(Oid release, Jsonb* context);

/// The context in a companion, or an empty one.
Context read_context(Oid companion);

/// The past date that concerns a reader first, in words; null if both dates are still to come.
const char* past_date(const Context& context, const char* subject);

/// A WARNING for such a date.
void warn_of_past_dates(Oid release);
void warn_of_past_dates(const Context& context, const char* subject);

/// The work of anon_context for a release or a set, in an SPI session: writes the argument, if
/// there is one, with a WARNING for a past date, and returns the context; null without one, and for
/// roles without the owner's privileges.
Jsonb* context_of_release(FunctionCallInfo fcinfo, Oid release);

}  // namespace anonkit::pg
