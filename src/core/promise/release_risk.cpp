#include "promise/promise.hpp"

namespace anonkit {
namespace {

constexpr Promise row_of_release() {
  Promise row;
  row.kind = kPromiseRisk;
  row.of_release = true;
  return row;
}

/// The mean risk of the records of a release, where the risk of a record is 1 / the members of its
/// class: the probability that a guess within the right class finds the right one (K. El Emam, F.
/// K. Dankar: Protecting privacy using k-anonymity. JAMIA 15(5), 2008). Without persons it is the
/// number of classes divided by that of records, so every union of classes lowers it.
constexpr Promise mean_row() {
  Promise row = row_of_release();
  row.name = "mean risk";
  row.parameters[0] = {"risk_mean", ParameterDomain::above_0_to_1, nullptr, &Promises::risk_mean};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.risk_mean; },
                   "of mean risk %g"};
  row.is_made = [](const Promises& p) { return p.risk_mean > 0; };
  return row;
}

/// The share of the records of a release whose risk exceeds a threshold. The usual threshold, 0.09,
/// asks for classes of 12.
constexpr Promise share_row() {
  Promise row = row_of_release();
  row.name = "records at risk";
  row.parameters[0] = {"risk_above", ParameterDomain::above_0_to_1, nullptr, &Promises::risk_above};
  row.parameters[1] = {"risk_threshold", ParameterDomain::above_0_to_1, nullptr,
                       &Promises::risk_threshold};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.risk_above; },
                   "with a share of at most %g of records at risk"};
  row.is_made = [](const Promises& p) { return p.risk_above > 0; };
  return row;
}

}  // namespace

constexpr Promise kMeanRisk = mean_row();
constexpr Promise kRecordsAtRisk = share_row();

}  // namespace anonkit
