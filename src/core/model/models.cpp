#include "model/models.hpp"

#include <iterator>

#include "base/tolerance.hpp"
#include "model/beta_likeness.hpp"
#include "model/counts.hpp"
#include "model/delta_disclosure.hpp"
#include "model/dominance.hpp"
#include "model/entropy_l_diversity.hpp"
#include "model/extended_p_sensitivity.hpp"
#include "model/history_k_anonymity.hpp"
#include "model/joint_values.hpp"
#include "model/k_e_anonymity.hpp"
#include "model/kpqr_anonymity.hpp"
#include "model/n_t_closeness.hpp"
#include "model/record_risk.hpp"
#include "model/recursive_cl_diversity.hpp"
#include "model/t_closeness.hpp"

namespace anonkit {
namespace {

template <Level (*function)(const ClassHistogram&, Ticker&)>
Level plain(const ClassHistogram& histogram, const ModelParameters&, Ticker& ticker) {
  return function(histogram, ticker);
}

Level recursive(const ClassHistogram& histogram, const ModelParameters& parameters,
                Ticker& ticker) {
  return recursive_cl_diversity(histogram, parameters.l, ticker);
}

Level kpqr_p(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  return kpqr_anonymity(histogram, parameters.q, parameters.variance_of, ticker).p;
}

Level kpqr_r(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  return kpqr_anonymity(histogram, parameters.q, parameters.variance_of, ticker).r;
}

Level at_risk(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  return records_at_risk(histogram, parameters.risk_threshold, ticker);
}

Level n_t(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  const std::vector<std::vector<std::int32_t>> none;
  return n_t_closeness(histogram, parameters.supersets != nullptr ? *parameters.supersets : none,
                       parameters.n, ticker);
}

constexpr Model kModels[] = {
    {"k-anonymity", AttributeNeed::none, Comparison::at_least, LevelDomain::count,
     plain<k_anonymity>},
    {"mean risk", AttributeNeed::none, Comparison::at_most, LevelDomain::share, plain<mean_risk>,
     kTolerance},
    {"records at risk", AttributeNeed::none, Comparison::at_most, LevelDomain::share, at_risk},
    {"k-anonymity of histories", AttributeNeed::units, Comparison::at_least, LevelDomain::count,
     plain<history_k_anonymity>},
    {"dominance", AttributeNeed::units, Comparison::at_most, LevelDomain::share, plain<dominance>},
    {"p-sensitivity", AttributeNeed::any, Comparison::at_least, LevelDomain::count,
     plain<p_sensitivity>},
    {"extended p-sensitivity", AttributeNeed::with_protected, Comparison::at_least,
     LevelDomain::count, plain<extended_p_sensitivity>},
    {"distinct l-diversity", AttributeNeed::any, Comparison::at_least, LevelDomain::count,
     plain<distinct_l_diversity>},
    {"entropy l-diversity", AttributeNeed::any, Comparison::at_least, LevelDomain::count,
     plain<entropy_l_diversity>, kTolerance},
    {"recursive (c,l)-diversity", AttributeNeed::any_with_l, Comparison::less_than,
     LevelDomain::not_negative, recursive},
    {"(alpha,k)-anonymity", AttributeNeed::any, Comparison::at_most, LevelDomain::share,
     plain<alpha_k_anonymity>},
    {"(k,e)-anonymity", AttributeNeed::numeric, Comparison::at_least, LevelDomain::not_negative,
     plain<k_e_anonymity>},
    {"t-closeness", AttributeNeed::any, Comparison::at_most, LevelDomain::share,
     plain<t_closeness>},
    {"joint values: fewest", AttributeNeed::any_with_units, Comparison::at_least,
     LevelDomain::count, plain<joint_values>},
    {"joint values: single", AttributeNeed::any_with_units, Comparison::at_most, LevelDomain::share,
     plain<single_joint_values>},
    {"basic beta-likeness", AttributeNeed::any, Comparison::at_most, LevelDomain::not_negative,
     plain<basic_beta_likeness>},
    {"enhanced beta-likeness", AttributeNeed::any, Comparison::at_most, LevelDomain::not_negative,
     plain<enhanced_beta_likeness>},
    {"delta-disclosure", AttributeNeed::any, Comparison::less_than, LevelDomain::not_negative,
     plain<delta_disclosure>},
    {"(n,t)-closeness", AttributeNeed::any_with_n, Comparison::at_most, LevelDomain::share, n_t},
    {"(k,p,q,r)-anonymity: p", AttributeNeed::any_with_q, Comparison::at_least, LevelDomain::count,
     kpqr_p},
    {"(k,p,q,r)-anonymity: r", AttributeNeed::any_with_q, Comparison::at_least,
     LevelDomain::not_negative, kpqr_r},
    {"k-anonymity with wildcards", AttributeNeed::elsewhere, Comparison::at_least,
     LevelDomain::count, nullptr},
    {"k-map", AttributeNeed::elsewhere, Comparison::at_least, LevelDomain::count, nullptr},
    {"delta-presence: least", AttributeNeed::elsewhere, Comparison::at_least, LevelDomain::share,
     nullptr},
    {"delta-presence: largest", AttributeNeed::elsewhere, Comparison::at_most, LevelDomain::share,
     nullptr},
    {"m-invariance", AttributeNeed::elsewhere, Comparison::at_least, LevelDomain::count, nullptr},
};

}  // namespace

bool Model::keeps(double promised, double found) const {
  switch (comparison) {
    case Comparison::at_least:
      return found >= promised * (1 - tolerance);
    case Comparison::at_most:
      return found <= promised * (1 + tolerance);
    case Comparison::less_than:
      return found < promised;
  }
  return false;
}

bool Model::is_about(const ClassHistogram& attribute, const ModelParameters& parameters) const {
  switch (needs) {
    case AttributeNeed::none:
    case AttributeNeed::units:
    case AttributeNeed::elsewhere:
      return false;
    case AttributeNeed::any:
    case AttributeNeed::any_with_l:
      return true;
    case AttributeNeed::numeric:
      return attribute.scale() == AttributeScale::numeric;
    case AttributeNeed::any_with_units:
      return attribute.has_units();
    case AttributeNeed::any_with_q:
      return parameters.q > 0;
    case AttributeNeed::any_with_n:
      return parameters.n > 0;
    case AttributeNeed::with_protected:
      return !attribute.is_protected().empty();
  }
  return false;
}

Models models() {
  return {std::begin(kModels), std::end(kModels)};
}

const char* words_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::at_least:
      return "at least";
    case Comparison::at_most:
      return "at most";
    case Comparison::less_than:
      return "less than";
  }
  return "";
}

const Model* find_model(std::string_view name) {
  for (const Model& model : models()) {
    if (name == model.name) return &model;
  }
  return nullptr;
}

}  // namespace anonkit
