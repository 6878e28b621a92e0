#pragma once

#include <optional>

#include "risk/cell_codes.hpp"

namespace anonkit {

/// One column of both relations, in codes that are equal where cells agree; original records come
/// first. Numbers agree with equal numbers and with ranges that contain them; no masked range
/// contains a number of the last code. Throws invalid_data if ranges of the masked column overlap.
CellCodes agreement_codes(const CellsPair& pair, std::size_t j);

/// Such codes of a column of numbers; empty if ranges of the masked column overlap.
std::optional<CellCodes> containment_codes(const CellsPair& pair, std::size_t j);

}  // namespace anonkit
