#pragma once

#include <cstddef>

#include "base/ticker.hpp"
#include "model/number_lists.hpp"

namespace anonkit {

/// Classes that tell by themselves the values that the classes given tell by subtraction: if {a, b}
/// and {a, b, c} publish their values, so does {c}. A class is the ascending list of the
/// histories below `histories` of its places, and its values are those that its places have.
///
///   split_nested({{a, b, c}, {a, b}, {a, b}}) is {{a, b}, {c}}
///
/// Each class given is a disjoint union of classes returned, and the values of each class returned
/// follow from those of the classes given. Without a class in another they are the classes given,
/// each once. If all classes are nested or disjoint, so are those returned: disjoint. Otherwise
/// subtraction ends after kMostRounds.
///
/// Returns at most twice the histories of the classes given, in all. A round takes O(v n), for n
/// histories of all classes and at most v classes of a history.
NumberLists split_nested(const NumberLists& classes, std::size_t histories, Ticker& ticker);

}  // namespace anonkit
