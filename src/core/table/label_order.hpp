#pragma once

#include <string_view>
#include <vector>

namespace anonkit {

/// The numbers in a label, in order: 10 and 20 of "[10-20)", 65 of "65+", -5 and 0 of "[-5,0)". A
/// minus sign counts unless a digit precedes it. A comma or a blank ends a number. O(length).
std::vector<double> numbers_of_label(std::string_view label);

/// The order of labels of intervals and classes: by first numbers, then "<18" before "18-24", then
/// by the other numbers. Shorter lists come first, and bytes decide the rest. A strict weak order.
bool precedes_by_numbers(std::string_view a, std::string_view b);

}  // namespace anonkit
