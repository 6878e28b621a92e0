#pragma once

#include <functional>

#include "method/method.hpp"
#include "partition/record_range.hpp"

namespace anonkit {

/// Forms classes of some records, as if the table had no others; the clock is to take the place of
/// the problem's.
using FormPart =
    std::function<Classification(const RecordRange&, const std::function<double()>& clock)>;

/// Throws invalid_parameter if there is a promise that cannot be kept besides (n,t)-closeness:
/// (k,p,q,r)-anonymity, which counts what is rare in all records.
void check_beside_supersets(const Promises& promises);

/// Classes that keep (n,t)-closeness (N. Li, T. Li, S. Venkatasubramanian: Closeness: a new privacy
/// measure for data publishing. IEEE TKDE 22(7), 2010, Definition 3) wherever `form` keeps
/// t-closeness, made of any method that forms classes of records.
///
/// The natural supersets of a class are the records that agree with it in the first one, two, ...
/// quasi-identifiers of the release, and all records. They are a tree: below all records those that
/// agree in the first column, below these the ones that agree in the second too. A node may be cut
/// into its children if each has n and k records, is allowed by what else is promised, and is shown
/// by a value of its own. Classes do not cross a cut, so that they keep the columns cut by as they
/// were, and a reader of the release sees the same sets of records. Hence classes that are formed
/// within a node, t-close to its distribution, have it as their superset.
///
/// The loss is a sum over the classes (NCP where ranges or groups of hierarchies are published,
/// else SSE). So the cuts of least loss are found from below: a node stays whole unless what was
/// made of its children loses less. All records as one node is t-closeness itself, which is
/// therefore never lost to. The last column cuts nothing: what agrees in all is a class itself.
///
/// The records of the problem are in canonical order, so a node is a stretch of it. At most one
/// `form` of each record by column, and only where that makes parts of n records or more; effort
/// and time of searches are shared out by records. Throws what check_beside_supersets throws.
Classification form_within_supersets(const Problem& problem, const FormPart& form, Ticker& ticker);

}  // namespace anonkit
