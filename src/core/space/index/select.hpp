#pragma once

#include <algorithm>
#include <cstddef>

namespace anonkit {

/// Partial sort of distinct numbers, as std::nth_element: places the number of sorted position
/// `nth` there, lesser numbers before it and greater ones behind it. O(last - first), except for
/// adversarial inputs, which fall back to std::nth_element.
///
/// The comparison with a pivot is unpredictable. So the pass over the numbers and the choice of a
/// pivot avoid branches, which makes them two to three times as fast.
template <class Number>
void select_nth(Number* first, Number* nth, Number* last) {
  constexpr std::ptrdiff_t kFew = 12;
  for (int passes = 0; last - first > kFew; ++passes) {
    if (passes == 40) {
      std::nth_element(first, nth, last);
      return;
    }
    // The pivot is the median of three.
    Number* const middle = first + (last - first) / 2;
    const Number less = std::min(*first, *middle), more = std::max(*first, *middle);
    const Number pivot = std::max(less, std::min(more, last[-1]));
    Number* low = first;
    for (Number* at = first; at != last; ++at) {
      const Number number = *at;
      *at = *low;
      *low = number;
      low += static_cast<std::ptrdiff_t>(number < pivot);
    }
    (low <= nth ? first : last) = low;
  }
  std::sort(first, last);
}

}  // namespace anonkit
