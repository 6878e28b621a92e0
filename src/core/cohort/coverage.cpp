#include "cohort/coverage.hpp"

#include <map>

namespace anonkit {

std::vector<StratumCoverage> coverage_by_stratum(const std::uint64_t* nulls, std::size_t words,
                                                 const std::vector<char>& published,
                                                 Ticker& ticker) {
  std::map<NullPattern, StratumCoverage, FewerNulls> strata;
  for (std::size_t person = 0; person < published.size(); ++person) {
    ticker.step(20);
    const std::uint64_t* own = nulls + person * words;
    StratumCoverage& stratum = strata[NullPattern(own, own + words)];
    ++stratum.present;
    stratum.published += published[person] != 0 ? 1 : 0;
  }
  std::vector<StratumCoverage> list;
  for (auto& [pattern, stratum] : strata) {
    stratum.nulls = pattern;
    list.push_back(stratum);
  }
  return list;
}

const StratumCoverage* least_covered(const std::vector<StratumCoverage>& strata,
                                     std::int64_t persons) {
  const StratumCoverage* least = nullptr;
  for (const StratumCoverage& stratum : strata)
    if (stratum.present >= persons && (least == nullptr || stratum.share() < least->share()))
      least = &stratum;
  return least;
}

}  // namespace anonkit
