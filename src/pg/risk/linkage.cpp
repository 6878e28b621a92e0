// anon_linkage: the links that an attacker finds between original and masked records.

#include <cmath>
#include <cstring>

#include "risk/exact_matches.hpp"
#include "risk/record_linkage.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/pair_reader.hpp"
#include "pg/risk/arguments.hpp"
#include "pg/risk/figure_rows.hpp"

namespace anonkit::pg {
namespace {

struct Found {
  ProbabilisticLinkage links;
  ExactMatches exact;
};

const Found& link(const PairData& data, int columns, bool probabilistic) {
  BackendTicker ticker;
  CellsPair pair = cells_of(data, 0, columns);
  pair.image = images_of(data, columns, data.count - columns);
  auto found = std::make_unique<Found>();
  if (probabilistic)
    found->links = link_by_probability(pair, ticker);
  else
    found->links.linkage = link_by_distance(pair, thread_count(), ticker);
  found->exact = exact_matches(pair, ticker);
  return own_in_context(std::move(found));
}

void write_linkage(const Linkage& linkage, bool images_known, const FigureRows& rows) {
  const auto records = static_cast<double>(linkage.records);
  rows.add("records", nullptr, records, "Original records.");
  rows.add("candidates", nullptr, linkage.candidates,
           "Mean number of masked records that fit an original one best.");
  rows.add("single", nullptr, static_cast<double>(linkage.single) / records,
           "Share of the original records that one masked record alone fits best.");
  if (images_known)
    rows.add("correct", nullptr, static_cast<double>(linkage.correct) / records,
             "Share of the original records that one masked record alone fits best, their own.");
  rows.add("expected", nullptr, linkage.expected / records,
           images_known
               ? "Expected share of correct links, with a random pick among those that fit best."
               : "Largest possible expected share of correct links: without a key, nobody "
                 "knows whose image is among those that fit best.");
  rows.add("by_chance", nullptr, linkage.by_chance / records,
           "Expected share of correct links of a blind guess.");
}

void write_exact(const ExactMatches& exact, const FigureRows& rows) {
  rows.add("unique_records", nullptr, static_cast<double>(exact.uniques),
           "Original records alone in their values of the quasi-identifiers.");
  rows.add(
      "unique_exact_matches", nullptr, static_cast<double>(exact.matched),
      "Original records alone in their values that equal exactly one masked record, whether their "
      "own or another.");
  rows.add("unique_any_matches", nullptr, static_cast<double>(exact.found),
           "Original records alone in their values that equal one masked record or more: unique "
           "exact matches as NIST's SDNist counts them.");
}

void write_agreements(const PairData& data, const ProbabilisticLinkage& found,
                      const FigureRows& rows) {
  for (std::size_t j = 0; j < found.agreements.size(); ++j) {
    rows.add("m", data.columns[j].name, found.agreements[j].if_match,
             "Estimated chance that the column agrees in a pair that matches.");
    rows.add("u", data.columns[j].name, found.agreements[j].if_no_match,
             "Estimated chance that the column agrees in a pair that does not match.");
  }
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
  const PairData data = read_pair(original, masked, joined(qi, key, {nullptr, 0}), qi.count,
                                  names_argument(fcinfo, "categories", 0));
  const Found& found = link(data, qi.count, probabilistic);
  write_linkage(found.links.linkage, key.count > 0, rows);
  write_exact(found.exact, rows);
  write_agreements(data, found.links, rows);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_linkage) {
  return anonkit::pg::linkage(fcinfo);
}
