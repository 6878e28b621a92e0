// anon_infer: an attacker's inferences about sensitive values from a release, and about original
// numbers from the way that published ones were computed.

#include <cmath>

#include "pg/backend/session.hpp"
#include "pg/risk/pair_attack.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

/// The number of nearest records.
int32 neighbours_argument(FunctionCallInfo fcinfo) {
  constexpr double kMost = 1000000;
  constexpr double kDefaultOfK = 5;
  return static_cast<int32>(
      renamed_argument(fcinfo, "neighbours", "k", 1, kMost, NAN, kDefaultOfK));
}

Datum infer(FunctionCallInfo fcinfo) {
  const Oid original = required_relation(fcinfo, "original");
  const Oid masked = required_relation(fcinfo, "masked");
  const FigureRows rows(fcinfo);
  const Session session = open_session();
  const Names qi = names_argument(fcinfo, "qi", 1);
  const Names sensitive = names_argument(fcinfo, "sensitive", 0);
  const Names key = names_argument(fcinfo, "key", 0);
  const auto k = neighbours_argument(fcinfo);
  const PairData data =
      read_pair(original, masked, joined(qi, sensitive, key), qi.count + sensitive.count,
                names_argument(fcinfo, "categories", 0));
  const AttackedColumns columns = {qi.count, sensitive.count, key.count};
  Figures figures = {};
  add_inferences(attack_pair(data, columns, Attacks::inference, k), data, columns, figures);
  rows.put(figures);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_infer) {
  return anonkit::pg::infer(fcinfo);
}
