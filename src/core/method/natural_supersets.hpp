#pragma once

#include <functional>

#include "method/method.hpp"
#include "partition/record_range.hpp"

namespace anonkit {

/// Forms classes of some records, as if the table had no others; the given clock replaces the
/// problem's.
using FormPart =
    std::function<Classification(const RecordRange&, const std::function<double()>& clock)>;

/// Throws invalid_parameter for a promise that is incompatible with (n,t)-closeness:
/// (k,p,q,r)-anonymity, which counts rare values over all records.
void check_beside_supersets(const Promises& promises);

/// Classes that satisfy (n,t)-closeness (N. Li, T. Li, S. Venkatasubramanian: Closeness: a new
/// privacy measure for data publishing. IEEE TKDE 22(7), 2010, Definition 3) if `form` keeps
/// t-closeness. `form` may be any method that forms classes of records.
///
/// The natural supersets of a class are all records, and the records that agree with it in the
/// first one, two, ... quasi-identifiers of the release. They form a tree, one column per level. A
/// node may be cut if each child has n and k records, satisfies the other promises, and has a
/// published value of its own. Classes do not cross a cut, so they publish the cut columns
/// unchanged, and a reader of the release sees the same sets of records. A class that `form` makes
/// within a node, t-close to the node's distribution, therefore has the node as its superset.
///
/// The loss is a sum over the classes (NCP if ranges or groups of hierarchies are published, else
/// SSE). So the cuts of least loss are found bottom-up: a node is cut only if its children lose
/// less. The root without cuts is t-closeness itself, so the result never has more loss. The last
/// column cuts nothing, since records that agree in all columns are a class.
///
/// The records are in canonical order, so a node is a range of records. `form` runs at most once
/// per record and column, and only where all parts have n records. Records share the effort and the
/// time of searches equally. Throws like check_beside_supersets.
Classification form_within_supersets(const Problem& problem, const FormPart& form, Ticker& ticker);

}  // namespace anonkit
