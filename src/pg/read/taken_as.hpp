#pragma once

#include "pg/read/source.hpp"

namespace anonkit::pg {

/// How the spec says that the values of a column are taken. Plain data.
struct TakenAs {
  bool text;  ///< as categories without an order
  CategoryOrder order;
  const Names* values_in_order;  ///< of CategoryOrder::list

  bool category() const { return text || order != CategoryOrder::own; }
};

/// An error if the spec says two things of the column, or orders by their numbers values that are
/// not texts.
TakenAs taken_as(TupleDesc descriptor, AttrNumber number, const Spec& spec);

/// An error for a column of `categories` that is neither quasi-identifier nor sensitive, and for an
/// ordered one that is no quasi-identifier.
void check_taken(const Source& source, TupleDesc descriptor, const Spec& spec);

}  // namespace anonkit::pg
