// anon_linkage: the links that an attacker finds between original and masked records.

#include <cstring>

#include "risk/record_linkage.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/risk/pair_attack.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

/// Probabilistic linkage, and its agreements.
struct FoundByProbability {
  ProbabilisticLinkage links;
  ExactMatches exact;
};

const FoundByProbability& link_by_agreement(const PairData& data, const AttackedColumns& columns) {
  BackendTicker ticker;
  const CellsPair pair = pair_of(data, columns.qi, columns.key);
  auto found = std::make_unique<FoundByProbability>();
  found->links = link_by_probability(pair, ticker);
  found->exact = exact_matches(pair, ticker);
  return own_in_context(std::move(found));
}

void write_agreements(const PairData& data, const ProbabilisticLinkage& found, Figures& figures) {
  for (std::size_t j = 0; j < found.agreements.size(); ++j) {
    figures.add("m", data.columns[j].name, found.agreements[j].if_match,
                "Estimated chance that the column agrees in a pair that matches.");
    figures.add("u", data.columns[j].name, found.agreements[j].if_no_match,
                "Estimated chance that the column agrees in a pair that does not match.");
  }
}

Figures links_of(const PairData& data, const AttackedColumns& columns, bool probabilistic) {
  Figures figures = {};
  if (!probabilistic) {
    const PairAttack& found = attack_pair(data, columns, Attacks::linkage, 1);
    add_links(found.linkage, columns.key > 0, figures);
    add_exact_matches(found.exact, figures);
    return figures;
  }
  const FoundByProbability& found = link_by_agreement(data, columns);
  add_links(found.links.linkage, columns.key > 0, figures);
  add_exact_matches(found.exact, figures);
  write_agreements(data, found.links, figures);
  return figures;
}

Datum linkage(FunctionCallInfo fcinfo) {
  const Oid original = required_relation(fcinfo, "original");
  const Oid masked = required_relation(fcinfo, "masked");
  const FigureRows rows(fcinfo);
  const Session session = open_session();
  const Names qi = names_argument(fcinfo, "qi", 1);
  const Names key = names_argument(fcinfo, "key", 0);
  const char* method = text_argument(fcinfo, "method");
  const bool probabilistic = method != nullptr && std::strcmp(method, "probabilistic") == 0;
  if (method == nullptr || (!probabilistic && std::strcmp(method, "distance") != 0))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("method must be 'distance' or 'probabilistic'")));
  const PairData data = read_pair(original, masked, joined(qi, key), qi.count,
                                  names_argument(fcinfo, "categories", 0));
  rows.put(links_of(data, {qi.count, 0, key.count}, probabilistic));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_linkage) {
  return anonkit::pg::linkage(fcinfo);
}
