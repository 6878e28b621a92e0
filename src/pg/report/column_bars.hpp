#pragma once

#include <vector>

#include "utility/histogram.hpp"

#include "pg/read/pair_reader.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {

/// The cells of a pair of relations that a chart shows.
enum class Shown : uint8 {
  masked,           ///< those of the masked relation alone
  both,             ///< only the masked numbers decide the axis
  on_original_axis  ///< both, on the axis of the original numbers
};

/// The distributions of one column; that of the original cells is empty if they are not shown.
struct ColumnBars {
  bool numeric = false;
  Bins bins;  ///< numeric columns only
  std::vector<Bar> original;
  std::vector<Bar> masked;
  std::vector<CategoryBar> categories;
};

/// At most 24 bars or 8 categories and the others; each of no records or at least `least`.
ColumnBars bars_of(const CellsPair& pair, std::size_t j, Shown shown, double least, Ticker& ticker);

/// The edge of a bin, or another number, in the format of the column's type.
const char* edge_text(Oid type, double number);

/// A chart of numbers, or a table of the most frequent categories. `named` writes their values.
void write_distribution(const Html& html, const PairColumn& column, const ColumnBars& bars,
                        const PairData& cells, bool compared, bool named);

}  // namespace anonkit::pg
