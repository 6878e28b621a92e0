#pragma once

// Class sizes as a ladder: what is found for larger classes is a start for smaller ones.
//
// A promise on values can demand classes far larger than k. A search that begins with classes of k
// records then unites many of them, and loses more than if it had begun with larger ones.
//
// Phases: classes of k records are formed. If most records are in classes of the next size of the
// ladder or more, classes of that size are formed in turn, and a search for k continues from them;
// the result is the crossover of both. The largest classes of the ladder, which come first, are
// searched longest: the smaller ones inherit what is found. Invariants: where the ladder leads from
// one k to a larger one, the loss at k never exceeds that at the larger one; and never that of
// `form` alone. Time: that of `form` for each size of the ladder, and some searches of a few times
// the usual effort.
//
//   const Classification classes = form_nested(problem, Effort::fast, form, ticker);

#include <functional>

#include "method/method.hpp"

namespace anonkit {

/// The next size of the ladder: 5, 10, 20, 50, 100, 200, 500, ...
Record next_class_size(Record k);

/// The classes that `form` makes, or better ones that begin with larger classes. A fast search of
/// more than 100,000 records, any search with a time limit, classes that are cells already, and
/// those of a problem without a promise beside k are those of `form` alone. The effort is that of
/// the search that continues. `form` keeps all promises, those on the risk of a release included.
Classification form_nested(const Problem& problem, Effort effort,
                           const std::function<Classification(const Problem&)>& form,
                           Ticker& ticker);

}  // namespace anonkit
