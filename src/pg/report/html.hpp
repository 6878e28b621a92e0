#pragma once

#include <cstddef>

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Writes a page of HTML in ASCII. Markup comes from literals of the program. All text of the
/// database goes through `text`, which escapes it within elements and quoted attributes. Plain
/// data.
class Html {
 public:
  Html();

  template <std::size_t N>
  const Html& raw(const char (&markup)[N]) const {
    return append(markup);
  }
  /// Appends any text in the server's encoding; null appends nothing.
  const Html& text(const char* words) const;
  /// Appends a coordinate, to a hundredth.
  const Html& coordinate(double number) const;
  const Html& integer(int number) const;
  /// Appends a part that was written apart.
  const Html& part(const Html& other) const;

  /// Writes one row of a table. Each cell has the name of its column, for narrow screens.
  const Html& head(const char* const* names, int count) const;
  const Html& cell(const char* name, const char* words) const;

  varlena* finish() const;

 private:
  const Html& append(const char* markup) const;

  StringInfo page_;
};

/// Figures in a readable format; NaN is a dash.
const char* count_text(double number);   ///< 1,234,567
const char* number_text(double number);  ///< four digits
const char* share_text(double number);   ///< per cent
/// True for a count below `least` that is not 0.
bool is_folded(double number, double least);
/// "fewer than least" for such a count.
const char* folded_count_text(double number, double least);

}  // namespace anonkit::pg
