#pragma once

#include "pg/read/source.hpp"

namespace anonkit::pg {

/// The spec's interpretation of a column's values. Plain data.
struct TakenAs {
  bool text;  ///< categories without an order
  CategoryOrder order;
  const Names* values_in_order;  ///< for CategoryOrder::list

  bool category() const { return text || order != CategoryOrder::own; }
};

/// An error if the spec has two interpretations of the column, or orders values by their numbers
/// that are not texts.
TakenAs taken_as(TupleDesc descriptor, AttrNumber number, const Spec& spec);

/// An error for a column of `categories` that is neither quasi-identifier nor sensitive, and for an
/// ordered one that is not a quasi-identifier.
void check_taken(const Source& source, TupleDesc descriptor, const Spec& spec);

/// Sets the finest widths of columns. An error for columns that are no quasi-identifiers of
/// numbers, or have a hierarchy.
void choose_widths(Source& source, TupleDesc descriptor, const WidthChoices& widths);

/// Sets the spreads that a larger table has. An error for columns that are no quasi-identifiers of
/// numbers.
void choose_scales(Source& source, TupleDesc descriptor, const ScaleChoices& scales);

/// An error if outward ends lack the width of a column of numbers.
void require_outward(const Source& source, const Spec& spec);

}  // namespace anonkit::pg
